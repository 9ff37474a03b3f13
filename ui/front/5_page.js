// The component: figures in a grid and, under them, the strip of words.

class Page {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "att-root"));
    this.frame = this.root.appendChild(make("div", "att-frame"));
    this.grid = this.frame.appendChild(make("div", "att-cards"));
    this.figures = [];
    this.turn = 0;
  }

  // A token was chosen in a figure or in the strip: mark it here at once, and tell Python.
  choose(place) {
    const query = place?.query ?? place?.token ?? place?.key;
    if (query === undefined || query === this.query) return;
    this.query = query;
    say("chosen", { query });
    this.report("query", query);
  }

  async set({ cards, strip: [strip], query, across, words: [words] }, report) {
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
    if (strip) this.strip ??= this.addStrip();
    this.strip?.set(strip, this.figures.find(({ card }) => card.dataset.step === "weights"));
    say("chosen", { query });
    this.root.dataset.drawn = turn;
  }

  add(figure) { this.grid.appendChild(figure.card); return figure; }

  addStrip() {
    const strip = new Strip(this);
    this.root.appendChild(strip.root);
    return strip;
  }

  destroy() {
    this.turn = -1;
    hideTip();
    this.strip?.destroy();
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
