// The component: figures in a grid; under them the open cell's panel and the strip of words.

class Page {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "att-root"));
    this.frame = this.root.appendChild(make("div", "att-frame"));
    this.grid = this.frame.appendChild(make("div", "att-cards"));
    this.foot = this.root.appendChild(make("div", "att-foot"));
    this.figures = [];
    this.turn = 0;
  }

  // A cell was clicked: mark it and its query token here at once, and ask Python where its number comes from.
  open(place) {
    say("cell", place);
    if (place && place.query !== null) say("chosen", { query: (this.query = place.query) });
    this.report("cell", { place });
  }

  // A token was chosen in a figure or in the strip: mark it here at once, and tell Python.
  choose(query) {
    if (query === null || query === this.query) return;
    this.query = query;
    say("chosen", { query });
    this.report("query", query);
  }

  async set({ cards, strip: [strip], query, cell: [cell], panel: [panel], across, words: [words] }, report) {
    Object.assign(this, { report, query });
    this.grid.style.setProperty("--across", across);
    this.grid.style.setProperty("--medium", Math.min(across, cards.length % 3 ? 2 : 3)); // no card alone in a row
    while (this.figures.length > cards.length) this.figures.pop().destroy();
    while (this.figures.length < cards.length) this.figures.push(this.add(new Figure(this)));
    cards.forEach(({ figure }, i) => { this.figures[i].gd.style.height = `${figure.layout.height}px`; });
    const turn = ++this.turn, P = await plotly();
    if (turn !== this.turn) return; // newer numbers have come
    const dark = isDark(this.root);
    await Promise.all(cards.map((card, i) => this.figures[i].set(P, card, words, dark)));
    this.figures.forEach((figure) => figure.write());
    this.showPanel(panel);
    if (strip) this.strip ??= this.addStrip();
    this.strip?.set(strip, this.figures.find(({ card }) => card.dataset.step === "weights"));
    say("chosen", { query });
    say("cell", cell);
    this.root.dataset.drawn = turn;
  }

  add(figure) { this.grid.appendChild(figure.card); return figure; }

  addStrip() {
    const strip = new Strip(this);
    this.foot.appendChild(strip.root);
    return strip;
  }

  showPanel(told) {
    if (told) {
      if (!this.panel) this.foot.prepend((this.panel = new Panel(this)).root);
      this.panel.set(told);
    } else {
      this.panel?.destroy();
      this.panel = undefined;
    }
  }

  destroy() {
    this.turn = -1;
    hideTip();
    this.strip?.destroy();
    this.panel?.destroy();
    this.figures.forEach((figure) => figure.destroy());
    this.root.remove();
  }
}

const pages = (window.attentionPages ??= new WeakMap());
export default function ({ data, parentElement, setTriggerValue }) {
  if (!pages.has(parentElement)) pages.set(parentElement, new Page(parentElement));
  pages.get(parentElement).set(data, setTriggerValue);
  return () => { pages.get(parentElement)?.destroy(); pages.delete(parentElement); };
}
