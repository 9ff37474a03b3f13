// The component: figures in a grid, and, where a page has it, a foot with the open cell's panel, the walk and the strip.

const PATIENCE = 5000; // milliseconds that an answer may take
const TOP = 72; // pixels under the page's own head
// What shows where a cell has no number: hatched, which no colour of a scale is.
const HATCH = `<svg class="att-defs" aria-hidden="true"><pattern id="att-gap" width="6" height="6" patternUnits="userSpaceOnUse"
  patternTransform="rotate(45)"><rect width="6" height="6"/><line y2="6" stroke-width="2"/></pattern></svg>`;
let asked; // the last cell that was asked for, until its answer has come

class Page {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "att-root"));
    this.root.innerHTML = HATCH;
    this.frame = this.root.appendChild(make("div", "att-frame"));
    this.grid = this.frame.appendChild(make("div", "att-cards"));
    this.foot = this.root.appendChild(make("div", "att-foot"));
    this.figures = [];
    this.turn = 0;
    this.deafen = listen({ open: (cell) => this.walk && this.open(cell), choose: (query) => this.strip && this.choose(query),
      drawn: () => this.walk && this.uncover(), cell: (cell) => { this.opened = cell; }, chosen: (place) => { this.query = place?.query; } });
  }

  // A cell was clicked: ask Python where its number comes from, and mark it and its query token.
  open(cell) {
    asked = { cell, until: performance.now() + PATIENCE };
    const query = queryOf(cell);
    this.query = query ?? this.query;
    this.report("cell", { cell, query: this.query ?? null });
    say("cell", cell);
    if (query !== undefined) say("chosen", { query });
  }

  // A token was chosen in a figure or in the strip: mark it at once, and tell Python. An open cell goes along into its row.
  choose(query) {
    if (query === null || query === this.query) return;
    const { step, places = {} } = this.opened ?? {}, moved = { ...places };
    for (const axis of ["query", "token"]) if (axis in places) moved[axis] = query;
    if (queryOf({ places }) !== undefined) return say("open", { step, places: moved });
    this.query = query;
    say("chosen", { query });
    this.report("query", query);
  }

  async set({ cards, strip, walk, query, cell, panel, across, tick, words, bytes }, report) {
    clearTimeout(this.next);
    Object.assign(this, { report, query });
    this.grid.style.setProperty("--across", across);
    this.grid.style.setProperty("--medium", Math.min(across, cards.length % 3 === 1 ? 2 : 3)); // no card alone in a row
    const kinds = cards.map(({ kind }) => KINDS[kind]);
    this.figures.filter((figure, i) => figure.constructor !== kinds[i]).forEach((figure) => figure.destroy());
    this.figures = kinds.map((Kind, i) => (this.figures[i]?.constructor === Kind ? this.figures[i] : new Kind(this)));
    this.figures.forEach(({ card }, i) => { if (this.grid.children[i] !== card) this.grid.insertBefore(card, this.grid.children[i] ?? null); });
    cards.forEach(({ figure }, i) => { this.figures[i].gd.style.height = `${figure.layout.height}px`; });
    const turn = ++this.turn, P = cards.length ? await plotly() : undefined;
    if (turn !== this.turn) return; // newer numbers have come
    const theme = themeOf(this.root), { documentElement: whole } = document;
    if (whole.lang !== words.lang) whole.lang = words.lang;
    dress(whole, theme.ground, words.fields);
    await Promise.all(cards.map((card, i) => this.figures[i].set(P, card, words, theme, bytes)));
    this.figures.forEach((figure) => figure.write());
    this.panel = this.part(panel, this.panel, Panel);
    this.walk = this.part(walk, this.walk, Walk);
    this.strip = this.part(strip, this.strip, Strip);
    this.foot.hidden = !this.foot.children.length;
    this.panel?.set(panel);
    this.walk?.set(walk);
    this.strip?.set(strip);
    if (!this.isOld(cell)) {
      say("chosen", { query: cell?.places.query ?? query ?? undefined });
      say("cell", cell);
    }
    this.cell = cell;
    say("drawn");
    this.root.dataset.drawn = turn;
    if (tick) this.next = setTimeout(() => report("tick", tick[1]), 1000 * tick[0]);
  }

  // An answer to a click before the last one: the one to the last click is on its way.
  isOld(cell) {
    const old = asked && performance.now() < asked.until && !sameCell(asked.cell, cell);
    if (!old) asked = undefined;
    return old;
  }

  // A cell that was just opened does not stay behind the panel that it opened.
  uncover() {
    const { cell } = this, text = JSON.stringify(cell);
    const clicked = cell && touched?.opens === cell.step && touched.gd.isConnected;
    const figure = clicked ? touched : cell && [...figuresOfThePage].find(({ step }) => step === cell.step);
    if (cell && !figure) return; // a link's cell: its figure is still to come
    if (figure && text !== this.uncovered) this.bring(figure);
    this.uncovered = text;
  }

  // Into sight, above the foot. What stands above it may grow meanwhile: so it is looked at once more.
  bring(figure, again = false) {
    const main = figure.card.closest('[data-testid="stMain"]');
    const ground = this.foot.getBoundingClientRect().top - 8, card = figure.card.getBoundingClientRect();
    const { top, bottom } = card.height < ground - TOP ? card : figure.span; // of a figure that is too high, the cell
    const by = top < TOP ? top - TOP : Math.max(0, Math.min(bottom - ground, top - TOP));
    if (!by || !main) return;
    main.scrollBy({ top: by, behavior: "smooth" });
    if (!again) main.addEventListener("scrollend", () => this.bring(figure, true), { once: true, signal: AbortSignal.timeout(PATIENCE) });
  }

  // A part of the foot, where it is told something; each new one stands below those before it.
  part(told, there, Kind) {
    if (!told) { there?.destroy(); return undefined; }
    if (there) return there;
    const made = new Kind(this);
    if (Kind === Panel) this.foot.prepend(made.root);
    else this.foot.append(made.root);
    return made;
  }

  destroy() {
    this.turn = -1;
    clearTimeout(this.next);
    hideTip();
    this.deafen();
    for (const part of [this.strip, this.walk, this.panel, ...this.figures]) part?.destroy();
    this.root.remove();
  }
}

const KINDS = { heatmap: Figure, picture: Picture, chart: Chart };
const pages = (window.attentionPages ??= new WeakMap());
plotly();
export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return undefined; // mounted to be fetched
  if (!pages.has(parentElement)) pages.set(parentElement, new Page(parentElement));
  pages.get(parentElement).set(unpack(data), setTriggerValue);
  return () => { pages.get(parentElement)?.destroy(); pages.delete(parentElement); };
}
