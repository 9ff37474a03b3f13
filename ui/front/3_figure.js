// One figure: kept alive, drawn by Plotly.react when it is in sight, listened to with mouse and keyboard.

const ZOOMABLE = 2000; // cells: smaller maps stay still, so that a finger on them scrolls the page

class Figure {
  constructor(page) {
    this.page = page;
    this.card = make("figure", "att-card");
    this.head = this.card.appendChild(make("figcaption", "att-head"));
    this.gd = this.card.appendChild(make("div", "att-gd"));
    this.legend = this.card.appendChild(make("div", "att-legend"));
    this.gd.tabIndex = 0;
    this.gd.setAttribute("role", "img");
    this.marks = { chosen: undefined, hover: null, cell: null };
    this.deafen = listen({ chosen: (place) => this.mark({ chosen: place?.query }), hover: (hover) => this.mark({ hover }),
      cell: (cell) => this.mark({ cell }) });
    this.sight = new IntersectionObserver((seen) => {
      this.visible = seen.at(-1).isIntersecting;
      if (this.visible) this.draw()?.then(() => this.write());
    });
    this.sight.observe(this.card);
    this.resize = new ResizeObserver(() => {
      if (this.overlay && Math.abs(this.gd.clientWidth - this.overlay.width) > 1)
        window.Plotly.Plots.resize(this.gd).then(() => this.rewrite());
    });
    this.resize.observe(this.gd);
    this.hear();
  }

  hear() {
    const on = (name, hear) => this.gd.addEventListener(name, (event) => this.overlay && hear(event));
    on("mousemove", (event) => this.hover(event));
    on("mouseleave", () => this.leave());
    on("mousedown", ({ clientX, clientY }) => { this.pressed = [clientX, clientY]; });
    on("click", (event) => {
      const dragged = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4;
      if (!dragged) this.pick(this.place(...this.cellUnder(event)));
    });
    on("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (step) { event.preventDefault(); this.move(...step); }
    });
  }

  // A cell that has an arithmetic opens; in any other figure its token is chosen.
  pick(place) {
    if (!place) return;
    const { axes } = this.meta, query = place.query ?? place.token ?? place.key ?? null;
    if (!this.opens) { this.page.choose(query); return; }
    const head = place.head ?? this.only, [row, column] = axes.slice(-2).map((axis) => place[axis]);
    const cell = { step: this.step, head, row, column }, same = Object.keys(cell).every((name) => this.marks.cell?.[name] === cell[name]);
    this.page.open(same ? null : { ...cell, keyed: axes.at(-1) === "key", query });
  }

  // Arrow keys: from the open cell, or from the chosen token's row, to the next one; sideways into the next head.
  move(down, right) {
    const { axes, facets: { rows, columns, corners } } = this.meta, open = this.marks.cell?.step === this.step && this.marks.cell;
    const from = open || { head: 0, row: this.marks.chosen ?? 0, column: 0 };
    const heads = axes.length === 3 ? corners.length : 1, last = heads * columns - 1;
    const across = clamp((heads > 1 ? from.head * columns : 0) + from.column + right, 0, last);
    const place = { [axes.at(-2)]: clamp(from.row + down, 0, rows - 1), [axes.at(-1)]: across % columns };
    if (axes.length === 3) place.head = Math.floor(across / columns);
    this.pick(place);
  }

  mark(change) {
    const marks = { ...this.marks, ...change };
    if (JSON.stringify(marks) === JSON.stringify(this.marks)) return;
    this.marks = marks;
    this.overlay?.mark(marks, this.opened());
  }

  // Where the open cell stands in this figure: in its own step, and in every other one of queries by keys.
  opened() {
    const { cell } = this.marks, { axes, facets: { rows, columns, corners } } = this.meta;
    if (!cell || !(cell.step === this.step || (cell.keyed && this.opens && axes.at(-1) === "key"))) return undefined;
    if (cell.row >= rows || cell.column >= columns || (axes.length === 2 && this.only !== cell.head)) return undefined;
    const [r, c] = corners[axes.length === 3 ? cell.head : 0];
    return [c + cell.column, r + cell.row];
  }

  // Takes what Python sent; it is drawn now, or when it comes into sight.
  set(P, card, words, dark) {
    this.caption(card);
    Object.assign(this, { step: card.step, only: card.head, opens: card.opens });
    const { data: [given], layout } = card.figure;
    const trace = { ...given, colorscale: dark ? layout.meta.dark : given.colorscale };
    Object.assign(this, { P, trace, layout, words, meta: layout.meta, rows: null, waiting: true });
    return this.visible ? this.draw() : undefined;
  }

  draw() {
    if (!this.waiting) return undefined;
    this.waiting = false;
    const { trace, layout, drawn } = this, { z, zmin, zmax, ...look } = trace;
    const numbers = JSON.stringify([z.bdata, zmin, zmax]), rest = JSON.stringify([look, z.shape, layout, this.words]);
    if (numbers === drawn?.numbers && rest === drawn.rest) return undefined;
    this.drawn = { numbers, rest };
    const kept = rest === drawn?.rest && this.overlay?.over.isConnected; // other numbers in the same frame
    const drawing = kept ? this.P.restyle(this.gd, { z: [z], zmin, zmax }) : this.drawFrame();
    return drawing.then(() => {
      if (!this.overlay?.over.isConnected) { // at first, and when Plotly had to draw anew
        this.overlay = new Overlay(this.gd);
        this.gd.on("plotly_relayout", () => this.rewrite());
      }
      this.stale = true; // text follows when all figures are drawn: measuring in between costs a layout each
    });
  }

  drawFrame() {
    const { trace, layout, meta: { facets: { rows, columns, corners } } } = this, clear = "rgba(0,0,0,0)";
    const bare = (axis) => ({ ...axis, visible: false });
    return this.P.react(
      this.gd,
      [{ ...trace, texttemplate: undefined, hovertemplate: undefined, hoverinfo: "skip", showscale: false }],
      { ...layout, autosize: true, shapes: [], annotations: [], xaxis: bare(layout.xaxis), yaxis: bare(layout.yaxis),
        hovermode: false, paper_bgcolor: clear, plot_bgcolor: clear },
      { displayModeBar: false, doubleClick: "reset", staticPlot: corners.length * rows * columns < ZOOMABLE },
    );
  }

  write() {
    if (!this.stale) return;
    this.stale = false;
    this.overlay.write(this.trace, this.layout, this.values(), this.marks, this.opened());
    this.writeLegend();
  }

  rewrite() { this.stale = true; this.write(); }

  // The numbers as sent, row by row.
  values() {
    const { z } = this.trace, [count, length] = z.shape.split(",").map(Number);
    const numbers = () => new Float32Array(Uint8Array.from(atob(z.bdata), (c) => c.charCodeAt(0)).buffer);
    const cut = (all) => Array.from({ length: count }, (_, i) => all.subarray(i * length, (i + 1) * length));
    return (this.rows ??= cut(numbers()));
  }

  // The row of a query token, as the mean over the heads shown.
  row(query) {
    const { facets: { rows, columns, corners } } = this.meta, all = this.values();
    if (!(query < rows)) return null;
    const mean = (i) => corners.reduce((sum, [r, c]) => sum + all[r + query][c + i], 0) / corners.length;
    return Array.from({ length: columns }, (_, i) => mean(i));
  }

  // What lies at a place of the packed array: {head, query, key, ...} by the names of the axes; null in a gap.
  place(x, y) {
    const { axes, facets: { rows, columns, corners } } = this.meta;
    const head = corners.findIndex(([r, c]) => y >= r && y < r + rows && x >= c && x < c + columns);
    if (head < 0) return null;
    const [r, c] = corners[head];
    return { ...(axes.length === 3 && { head }), [axes.at(-2)]: y - r, [axes.at(-1)]: x - c };
  }

  cellUnder({ clientX, clientY }) {
    const { left, top } = this.gd.getBoundingClientRect();
    return this.overlay.cellAt(clientX - left, clientY - top);
  }

  hover(event) {
    const [x, y] = this.cellUnder(event), place = this.place(x, y);
    if (!place) return this.leave();
    showTip(this.page.root, this.tip(place, this.values()[y][x]), event.clientX, event.clientY);
    const key = `${x} ${y}`;
    if (key !== this.hovered) say("hover", place);
    this.hovered = key;
  }

  leave() {
    if (this.hovered === null) return;
    this.hovered = null;
    hideTip();
    say("hover", null);
  }

  tip(place, value) {
    const { words, meta: { axes, labels, masked } } = this;
    const line = (axis) => axis === "head" ? words.head.replace("{}", place.head + 1)
      : `${words.axes[axis] ?? axis}: ${isToken(axis) ? `${place[axis] + 1} · ` : ""}${labels[axis][place[axis]]}`;
    return [...axes.map(line), Number.isFinite(value) ? value.toFixed(4) : masked ? words.masked : "NaN"].join("\n");
  }

  caption({ step, title, formula, shape, alt }) {
    const text = JSON.stringify([step, title, formula, shape, alt]);
    if (text === this.captioned) return;
    this.captioned = text;
    this.card.dataset.step = step;
    this.gd.setAttribute("aria-label", alt);
    const math = make("div", "att-formula");
    math.innerHTML = formula; // MathML, made by Python from the step's own formula
    const parts = [make("span", "att-name", title), make("span", "att-shape", shape), math, make("span", "att-step", step)];
    this.head.replaceChildren(...parts);
  }

  writeLegend() {
    const { trace, words, meta: { masked } } = this, number = (v) => (Number.isInteger(v) ? `${v}` : v.toPrecision(3));
    const stops = trace.colorscale.map(([at, color]) => `${color} ${at * 100}%`), bar = make("i");
    const text = JSON.stringify([trace.zmin, trace.zmax, masked, words.masked, stops]);
    if (text === this.legended) return;
    this.legended = text;
    bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
    this.legend.replaceChildren(make("span", "", number(trace.zmin)), bar, make("span", "", number(trace.zmax)));
    if (masked) this.legend.append(make("b"), make("span", "", words.masked));
  }

  destroy() {
    this.sight.disconnect();
    this.resize.disconnect();
    this.deafen();
    if (this.overlay) window.Plotly.purge(this.gd);
    this.card.remove();
  }
}
