// One figure: kept alive, drawn by Plotly.react when it is in sight, listened to with mouse and keyboard.

const XLINK = "http://www.w3.org/1999/xlink";
const canvas = make("canvas"); // where a map is painted
const rangesOf = ({ xaxis, yaxis }) => JSON.stringify([xaxis.range, yaxis.range]);
let touched; // the figure that a cell was last opened in
const ZOOMABLE = 2000; // cells: smaller maps stay still, so that a finger on them scrolls the page

class Figure {
  constructor(page) {
    this.page = page;
    Object.assign(this, frame());
    this.legend = this.card.appendChild(make("div", "att-legend"));
    this.gd.tabIndex = 0;
    this.gd.setAttribute("role", "img");
    this.marks = { chosen: undefined, hover: null, cell: null };
    this.hovered = null;
    this.deafen = listen({ chosen: (place) => this.mark({ chosen: place?.query }), hover: (hover) => this.mark({ hover }),
      cell: (cell) => this.mark({ cell }) });
    this.unwatch = watch(this, () => this.draw()?.then(() => this.write()), () => {
      if (this.overlay && Math.abs(this.gd.clientWidth - this.overlay.width) > 1) this.widen();
    });
    figuresOfThePage.add(this);
    this.hear();
  }

  async widen() {
    if (!(await widen(this.gd))) return;
    await this.catchUp();
    this.rewrite();
  }

  hear() {
    for (const kind of ["mousedown", "touchstart", "wheel"]) // before Plotly hears of it, and zooms
      this.gd.addEventListener(kind, () => this.behind && this.zooms && this.catchUp(), { capture: true, passive: true });
    const on = (name, hear) => this.gd.addEventListener(name, (event) => this.overlay && hear(event));
    on("mousemove", (event) => this.hover(event));
    on("mouseleave", () => this.leave());
    on("mousedown", ({ clientX, clientY }) => { this.pressed = [clientX, clientY]; });
    on("click", (event) => {
      const dragged = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4;
      if (event.detail < 2) this.clicked = this.place(...this.cellUnder(event)); // a double click has zoomed out meanwhile
      if (!dragged) this.pick(this.clicked);
      if (this.opens && event.pointerType !== "mouse") this.leave(); // a finger's value would stay, over the panel that says it
    });
    on("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (step) { event.preventDefault(); this.move(...step); }
      if (this.picks && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.tell(this.cursor); }
    });
  }

  // A cell that has an arithmetic opens, one that the page asks for is told; in any other figure its token is chosen.
  pick(places) {
    if (!places) return;
    if (this.picks) this.tell(places);
    else if (!this.opens) say("choose", places.query ?? places.token ?? places.key ?? null);
    else {
      const cell = { step: this.opens, places: { ...(this.only !== null && { head: this.only }), ...places } };
      touched = this;
      say("open", sameCell(cell, this.marks.cell) ? null : cell);
    }
  }

  tell(places) {
    this.cursor = places;
    if (places) this.page.report("pick", { head: places.head ?? 0, row: places[this.meta.axes.at(-2)], column: places[this.meta.axes.at(-1)] });
    this.mark({});
  }

  // Arrow keys: from the open cell, or from the chosen token's row, to the next one; sideways into the next head.
  move(down, right) {
    const { axes, facets: { rows, columns, corners } } = this.meta, [rowAxis, columnAxis] = axes.slice(-2);
    const from = this.cursor ?? (this.marks.cell?.step === (this.opens || this.step) ? this.marks.cell.places : {});
    const heads = axes.length === 3 ? corners.length : 1, last = heads * columns - 1;
    const across = clamp((heads > 1 ? (from.head ?? 0) * columns : 0) + (from[columnAxis] ?? 0) + right, 0, last);
    const row = clamp((from[rowAxis] ?? this.marks.chosen ?? 0) + down, 0, rows - 1);
    const places = { ...(axes.length === 3 && { head: Math.floor(across / columns) }), [rowAxis]: row, [columnAxis]: across % columns };
    if (Object.entries(places).every(([axis, at]) => from[axis] === at)) return; // at the edge
    if (this.picks) { this.cursor = places; this.mark({}); } else this.pick(places);
  }

  // The outlines are drawn when Python has been told of what was clicked, so that it works meanwhile.
  mark(change) {
    this.marks = { ...this.marks, ...change };
    this.marking ??= setTimeout(() => {
      this.marking = undefined;
      const text = JSON.stringify([this.marks, this.cursor]);
      if (text !== this.marked && this.gd.isConnected) this.overlay?.mark(this.marks, this.opened());
      this.marked = text;
    });
  }

  // What the open cell is in this figure: the cell itself, or the row or the column of what the two have in common.
  opened() {
    const places = this.cursor ?? this.marks.cell?.places, { axes, chosen, facets: { rows, columns, corners } } = this.meta;
    if (chosen !== undefined) { // one of many maps
      const [y, x] = corners[chosen];
      return { whole: true, x0: x - 0.5, x1: x + columns - 0.5, y0: y - 0.5, y1: y + rows - 0.5 };
    }
    if (!places || (axes.length === 2 && this.only !== null && this.only !== places.head)) return undefined;
    if (axes.length === 3 && !(places.head < corners.length)) return undefined;
    const [r, c] = corners[axes.length === 3 ? places.head : 0], [rowAxis, columnAxis] = axes.slice(-2);
    const row = rowAxis === "token" ? places.token ?? places.query ?? places.key : places[rowAxis], column = places[columnAxis];
    if ((row === undefined && column === undefined) || row >= rows || column >= columns) return undefined;
    const [x, y] = [c + (column ?? 0) - 0.5, r + (row ?? 0) - 0.5];
    const whole = row !== undefined && column !== undefined;
    return { whole, x0: x, x1: x + (column === undefined ? columns : 1), y0: y, y1: y + (row === undefined ? rows : 1) };
  }

  // Where in the window the open cell is, or will be once it is drawn, with some air.
  get span() {
    const { height, margin, yaxis: { range: [last, first] } } = this.layout, { y0, y1 } = this.opened() ?? { y0: first, y1: last };
    const start = this.gd.getBoundingClientRect().top + margin.t, each = (height - margin.t - margin.b) / (last - first), air = 24;
    return { top: start + (y0 - first) * each - air, bottom: start + (y1 - first) * each + air };
  }

  // Takes what Python sent; it is drawn now, or when it comes into sight.
  set(P, card, words, { dark }, bytes) {
    caption(this, card);
    Object.assign(this, { step: card.step, only: card.head, opens: card.opens, picks: card.picks });
    if (!card.picks) this.cursor = undefined;
    const { data: [{ z, ...given }], layout } = card.figure, { dark: darkScale } = layout.meta;
    Object.assign(this, { P, layout, words, meta: layout.meta, trace: { ...given, colorscale: dark ? darkScale : given.colorscale } });
    return this.take(z, bytes);
  }

  // The numbers, row by row.
  take({ numbers, shape: [count, length] }, bytes) {
    const { buffer, byteOffset } = bytes(numbers);
    this.numbers = new Float32Array(buffer, byteOffset, count * length);
    this.rows = Array.from({ length: count }, (_, i) => this.numbers.subarray(i * length, (i + 1) * length));
    this.waiting = true;
    return this.visible ? this.draw() : undefined;
  }

  valueAt(row, column) { return this.rows[row][column]; }
  get zooms() {
    const { facets: { rows, columns, corners } } = this.meta;
    return corners.length * rows * columns >= ZOOMABLE;
  }

  get colours() { return coloursOf(this.trace); }

  draw() {
    if (!this.waiting) return undefined;
    this.waiting = false;
    const { trace, layout, numbers, drawn } = this, { zmin, zmax, ...look } = trace;
    const range = `${zmin} ${zmax}`, rest = JSON.stringify([look, layout, this.words]);
    if (rest === drawn?.rest && range === drawn.range && sameNumbers(numbers, drawn.numbers)) return undefined;
    // Plotly's part of a map that is not zoomed is its place alone: axes, texts and colours are drawn here.
    const frame = JSON.stringify([layout.height, layout.margin, this.zooms]);
    const same = rest === drawn?.rest, samePlace = frame === drawn?.frame && !this.zoomed;
    const kept = this.overlay?.over.isConnected && (same || samePlace);
    if (kept && !same) this.stretch();
    const view = drawn?.ranges === rangesOf(layout) ? this.gd.layout : layout; // what was zoomed into stays in view
    this.drawn = { numbers, range, rest, frame, ranges: rangesOf(layout) };
    this.leave(); // the value under the pointer is another one now
    this.drawing = kept ? this.drawNumbers() : this.drawFrame(view);
    return this.drawing.then(() => {
      if (!this.overlay?.over.isConnected) { // at first, and when Plotly had to draw anew
        this.overlay = new Overlay(this.gd);
        this.gd.on("plotly_relayout", () => this.rewrite());
        this.gd.on("plotly_doubleclick", () => this.showAll());
      }
      this.stale = true; // text follows when all figures are drawn: measuring in between costs a layout each
    });
  }

  get zoomed() { return rangesOf(this.gd.layout) !== this.drawn.ranges; }

  // Another number of rows or columns fills the same place.
  stretch() {
    for (const axis of ["xaxis", "yaxis"]) this.gd.layout[axis].range = [...this.layout[axis].range];
    this.behind = "frame";
  }

  // Plotly draws everything anew for other numbers, which takes 5 ms a map. Its picture has a pixel for each cell:
  // they are painted here, and Plotly learns of the numbers when it has to draw.
  async drawNumbers() {
    const { gd, rows, numbers } = this, picture = gd.querySelector(".hm image");
    Object.assign(gd.data[0], this.content);
    this.behind ||= "numbers";
    if (!picture) return this.catchUp(); // there was nothing but gaps
    const { colours } = this, pixelAt = (i) => (Number.isNaN(numbers[i]) ? 0 : asPixel(colours(numbers[i])));
    picture.setAttributeNS(XLINK, "href", paintCells(canvas, rows[0].length, rows.length, pixelAt).toDataURL());
  }

  catchUp() {
    const { behind } = this;
    this.behind = undefined;
    if (behind === "frame") return this.drawFrame();
    return behind && this.P.redraw(this.gd);
  }

  // What Plotly draws inside the frame.
  get content() {
    return { ...this.trace, z: this.rows, texttemplate: undefined, hovertemplate: undefined, hoverinfo: "skip", showscale: false };
  }

  drawFrame(view = this.layout) {
    this.behind = undefined; // the new revision lets Plotly read the numbers again, those painted since, too
    const { layout } = this;
    const bare = (name) => ({ ...layout[name], range: [...view[name].range], visible: false }); // a copy: Plotly writes into it
    return this.P.react(
      this.gd,
      [this.content],
      { ...layout, autosize: true, shapes: [], annotations: [], xaxis: bare("xaxis"), yaxis: bare("yaxis"),
        hovermode: false, datarevision: performance.now(), paper_bgcolor: clear, plot_bgcolor: clear },
      { displayModeBar: false, doubleClick: false, staticPlot: !this.zooms },
    );
  }

  // Plotly itself would go back to the size that the map had at first.
  showAll() {
    const { xaxis, yaxis } = this.layout;
    return this.P.relayout(this.gd, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
  }

  write() {
    if (!this.stale || !this.gd.layout) return; // not drawn yet, or taken away
    this.stale = false;
    this.overlay.write(this.trace, this.layout, this.rows, this.marks, this.opened());
    this.writeLegend();
  }

  rewrite() { this.stale = true; this.write(); }

  // The row of a query token, as the mean over the heads shown.
  row(query) {
    const { facets: { rows, columns, corners } } = this.meta;
    if (!(query < rows)) return null;
    const mean = (i) => corners.reduce((sum, [r, c]) => sum + this.valueAt(r + query, c + i), 0) / corners.length;
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
    showTip(this.page.root, this.tip(place, this.valueAt(y, x)), event.clientX, event.clientY);
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
    const { words, meta: { axes, labels, digits, maps } } = this;
    const line = (axis) => axis === "head" ? maps?.[place.head] ?? words.head.replace("{}", place.head + 1)
      : `${words.axes[axis] ?? axis}: ${isToken(axis) ? `${place[axis] + 1} · ` : ""}${labels[axis][place[axis]]}`;
    return [...axes.map(line), Number.isFinite(value) ? this.said(value.toFixed(digits ?? 4), value) : this.gap || "NaN"].join("\n");
  }

  said(number) { return number; }

  // What a cell without a number is called.
  get gap() { return this.meta.gap ?? (this.meta.masked ? this.words.masked : ""); }

  writeLegend() {
    const { trace, gap } = this, number = (v) => (Number.isInteger(v) ? `${v}` : v.toPrecision(3));
    const stops = trace.colorscale.map(([at, color]) => `${color} ${at * 100}%`), bar = make("i");
    const text = JSON.stringify([trace.zmin, trace.zmax, gap, stops, this.remark]);
    if (text === this.legended) return;
    this.legended = text;
    bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
    this.legend.replaceChildren(make("span", "", number(trace.zmin)), bar, make("span", "", number(trace.zmax)));
    if (gap) this.legend.append(make("b"), make("span", "", gap));
    if (this.remark) this.legend.append(make("span", "att-remark", this.remark));
  }

  destroy() {
    this.unwatch();
    this.deafen();
    figuresOfThePage.delete(this);
    if (this.drawn) retire(this.gd, this.drawing);
    this.card.remove();
  }
}
