// The figures of a page, each kept alive and redrawn with Plotly.react. Plotly draws the cells; the text and
// the marks are written here in one go, since Plotly measures every text it draws (1 ms each).
// Hover and choice travel over `bus`, so that every figure of the page marks the same tokens at once.

const bus = (window.attentionBus ??= new EventTarget());
const say = (kind, place) => bus.dispatchEvent(new CustomEvent(kind, { detail: place }));
const SVG = "http://www.w3.org/2000/svg";

function plotly() {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  return (window.attentionPlotly ??= new Promise((resolve, reject) => {
    const own = document.querySelector('script[src*="static/js/"]').src; // also right behind a base path
    const script = document.createElement("script");
    script.src = new URL("../../app/static/plotly-cartesian.min.js", own).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = reject;
    document.head.appendChild(script);
  }));
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text; // a token is never read as markup
  return element;
}

// Light maps on a light page, dark ones on a dark page: the empty end of a scale is near the page's colour.
const isDark = (element) => inkOn(getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#ffffff") === "#fff";
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
function colorAt(trace, value) {
  const stops = trace.colorscale, at = Math.min(1, Math.max(0, (value - trace.zmin) / (trace.zmax - trace.zmin)));
  const i = Math.max(1, stops.findIndex(([stop]) => stop >= at)), [a, low] = stops[i - 1], [b, high] = stops[i];
  const from = rgb(low), to = rgb(high), share = (at - a) / (b - a);
  return from.map((c, k) => Math.round(c + (to[k] - c) * share));
}
function inkOn(color) {
  const [r, g, b] = typeof color === "string" ? rgb(color) : color;
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#111" : "#fff";
}

// One figure -----------------------------------------------------------------------------------------------

class Figure {
  constructor(choose) {
    this.card = make("figure", "att-card");
    this.head = this.card.appendChild(make("figcaption", "att-head"));
    this.gd = this.card.appendChild(make("div", "att-gd"));
    this.legend = this.card.appendChild(make("div", "att-legend"));
    this.gd.tabIndex = 0;
    this.gd.setAttribute("role", "img");
    this.choose = choose;
    this.marks = { chosen: null, hover: null };
    this.listen("chosen", (place) => this.mark("chosen", place));
    this.listen("hover", (place) => this.mark("hover", place));
    this.gd.addEventListener("keydown", (event) => this.key(event));
    this.sight = new IntersectionObserver(([entry]) => { this.visible = entry.isIntersecting; if (this.visible) this.draw(); }, { rootMargin: "200px" });
    this.resize = new ResizeObserver(() => {
      if (Math.abs(this.gd.clientWidth - this.width) > 1) window.Plotly.Plots.resize(this.gd).then(() => this.write());
    });
  }

  listen(kind, hear) {
    const handler = (event) => hear(event.detail);
    bus.addEventListener(kind, handler);
    (this.handlers ??= []).push([kind, handler]);
  }

  // Takes what there is to show; Plotly draws it when it comes into sight.
  set(P, card, words, dark) {
    this.caption(card);
    const { data: [trace], layout } = card.figure;
    this.next = { P, words, trace: { ...trace, colorscale: dark ? layout.meta.dark : trace.colorscale }, layout };
    this.grid = null;
    if (this.visible === undefined) this.sight.observe(this.card);
    return this.visible ? this.draw() : undefined;
  }

  async draw() {
    if (!this.next) return;
    const { P, words, trace, layout } = this.next, { z, ...look } = trace, rest = JSON.stringify([look, z.shape, layout, words]);
    this.next = null;
    if (z.bdata === this.trace?.z.bdata && rest === this.rest) return;
    Object.assign(this, { rest, words, trace, layout, meta: layout.meta });
    const bare = (axis) => ({ ...axis, title: { text: "" }, showticklabels: false, ticks: "" });
    const { facets: { rows, columns, corners } } = this.meta, many = corners.length * rows * columns > 2000;
    const cells = { ...trace, texttemplate: undefined, hovertemplate: undefined, hoverinfo: "none", hoverongaps: true, showscale: false };
    const bareLayout = { ...layout, autosize: true, shapes: [], annotations: [], xaxis: bare(layout.xaxis), yaxis: bare(layout.yaxis),
      dragmode: many ? "zoom" : false, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
    await P.react(this.gd, [cells], bareLayout, { displayModeBar: false, doubleClick: "reset" });
    if (!this.over) this.connect();
    this.write();
  }

  // What Python sent last, drawn or not yet.
  get latest() { return this.next ?? this; }

  // The numbers as sent, row by row.
  values() {
    const { z } = this.latest.trace;
    if (this.grid) return this.grid;
    const bytes = Uint8Array.from(atob(z.bdata), (c) => c.charCodeAt(0)), numbers = new Float32Array(bytes.buffer);
    const [rows, columns] = z.shape.split(",").map(Number);
    return (this.grid = Array.from({ length: rows }, (_, i) => numbers.subarray(i * columns, (i + 1) * columns)));
  }

  connect() {
    for (const layer of ["under", "over"]) { // Plotly has emptied the element: below and above its drawing
      this[layer] = document.createElementNS(SVG, "svg");
      this[layer].setAttribute("class", `att-${layer}`);
    }
    this.gd.prepend(this.under);
    this.gd.append(this.over);
    const place = (event) => this.place(event.points[0].x, event.points[0].y);
    this.gd.on("plotly_hover", (event) => { this.tip(event); say("hover", place(event)); });
    this.gd.on("plotly_unhover", () => { hideTip(); say("hover", null); });
    this.gd.on("plotly_click", (event) => this.choose(place(event)));
    this.gd.on("plotly_relayout", () => this.write());
    this.resize.observe(this.gd);
  }

  caption({ step, title, formula, shape, alt }) {
    const text = JSON.stringify([step, title, formula, shape, alt]);
    if (text === this.captionText) return;
    this.captionText = text;
    this.card.dataset.step = step;
    this.gd.setAttribute("aria-label", alt);
    const math = make("div", "att-formula");
    math.innerHTML = formula; // MathML made on the server from the step's own formula
    this.head.replaceChildren(make("span", "att-name", title), make("span", "att-shape", shape), math, make("span", "att-step", step));
  }

  // Where a cell of the packed array lies: {head, query, key, ...} by the figure's axis names, or null in a gap.
  place(x, y) {
    const { axes, facets: { rows, columns, corners } } = this.meta;
    const head = corners.findIndex(([r, c]) => y >= r && y < r + rows && x >= c && x < c + columns);
    if (head < 0) return null;
    const [r, c] = corners[head], at = { [axes.at(-2)]: y - r, [axes.at(-1)]: x - c };
    return axes.length === 3 ? { [axes[0]]: head, ...at } : at;
  }

  // What the query token looks at: its row, as the mean over the heads shown.
  row(query) {
    const { facets: { rows, columns, corners } } = this.latest.layout.meta, z = this.values();
    if (!(query >= 0 && query < rows)) return null;
    return Array.from({ length: columns }, (_, i) => corners.reduce((sum, [r, c]) => sum + z[r + query][c + i], 0) / corners.length);
  }

  tip({ points: [point], event }) {
    const at = this.place(point.x, point.y);
    if (!at) return hideTip();
    const { axes, labels } = this.meta, { words } = this;
    const lines = axes.map((axis) => axis === "head" ? words.head.replace("{}", at.head + 1)
      : `${words.axes[axis] ?? axis}: ${this.tokenAxis(axis) ? `${at[axis] + 1} · ` : ""}${labels[axis][at[axis]]}`);
    const value = this.values()[point.y][point.x];
    lines.push(Number.isFinite(value) ? value.toFixed(4) : this.meta.masked ? words.masked : "NaN");
    showTip(lines.join("\n"), event.clientX, event.clientY);
  }

  tokenAxis(axis) { return axis === "query" || axis === "key" || axis === "token"; }

  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key], { axes, facets } = this.meta ?? {};
    if (!step || !this.tokenAxis(axes?.at(-2))) return;
    event.preventDefault();
    const now = this.marks.chosen?.query ?? 0;
    this.choose({ query: Math.min(facets.rows - 1, Math.max(0, now + step)) });
  }

  mark(kind, place) { this.marks[kind] = place; if (this.over) this.writeMarks(); }

  // Data coordinates -> pixels of this figure.
  scales() {
    const { l, r, t, b } = this.layout.margin, { xaxis, yaxis, height } = this.gd.layout, width = this.gd._fullLayout.width;
    const map = (value, [a, z], from, to) => from + ((value - a) / (z - a)) * (to - from);
    this.width = width;
    return { width, height, left: l, right: width - r, top: t, bottom: height - b,
      x: (v) => map(v, xaxis.range, l, width - r), y: (v) => map(v, yaxis.range, height - b, t) };
  }

  write() {
    const s = (this.s = this.scales()), parts = [];
    for (const svg of [this.under, this.over]) { svg.setAttribute("width", s.width); svg.setAttribute("height", s.height); }
    const inside = (x, y) => x >= s.left - 1 && x <= s.right + 1 && y >= s.top - 1 && y <= s.bottom + 1;
    const clamp = (v, a, b) => Math.min(b, Math.max(a, v));
    this.under.innerHTML = this.layout.shapes.map((m) => {
      const [x0, x1, y0, y1] = [clamp(s.x(m.x0), s.left, s.right), clamp(s.x(m.x1), s.left, s.right), clamp(s.y(m.y0), s.top, s.bottom), clamp(s.y(m.y1), s.top, s.bottom)];
      return `<rect x="${x0}" y="${y0}" width="${Math.max(0, x1 - x0)}" height="${Math.max(0, y1 - y0)}"/>`;
    }).join("");
    const { xaxis, yaxis, annotations } = this.layout, cell = Math.abs(s.x(1) - s.x(0)), row = Math.abs(s.y(1) - s.y(0));
    const gapX = xaxis.tickvals.length > 1 ? Math.abs(s.x(xaxis.tickvals[1]) - s.x(xaxis.tickvals[0])) : s.width;
    const longest = Math.max(...xaxis.ticktext.map((t) => t.length)) * 6.2, slanted = longest > gapX;
    xaxis.tickvals.forEach((v, i) => {
      const x = s.x(v), y = s.bottom + 13;
      if (inside(x, s.top)) parts.push(`<text class="att-tick" x="${x}" y="${y}" ${slanted ? `text-anchor="end" transform="rotate(-40 ${x} ${y})"` : 'text-anchor="middle"'}>${xaxis.ticktext[i]}</text>`);
    });
    yaxis.tickvals.forEach((v, i) => {
      const y = s.y(v);
      if (inside(s.left, y)) parts.push(`<text class="att-tick" x="${s.left - 6}" y="${y}" dy=".35em" text-anchor="end">${yaxis.ticktext[i]}</text>`);
    });
    for (const note of annotations ?? []) {
      const [x, y] = [s.x(note.x), s.y(note.y) - 5];
      if (inside(x, y + 6)) parts.push(`<text class="att-facet" x="${x}" y="${y}" text-anchor="middle">${note.text}</text>`);
    }
    const middle = (s.top + s.bottom) / 2;
    parts.push(`<text class="att-title" x="${(s.left + s.right) / 2}" y="${s.height - 5}" text-anchor="middle">${xaxis.title.text}</text>`);
    parts.push(`<text class="att-title" x="11" y="${middle}" text-anchor="middle" transform="rotate(-90 11 ${middle})">${yaxis.title.text}</text>`);
    const size = Math.min(13, cell / 2.9, row * 0.62);
    if (this.trace.texttemplate && size >= 8) this.values().forEach((line, y) => line.forEach((value, x) => {
      if (Number.isFinite(value) && inside(s.x(x), s.y(y)))
        parts.push(`<text class="att-value" x="${s.x(x)}" y="${s.y(y)}" dy=".35em" text-anchor="middle" style="font-size:${size}px;fill:${inkOn(colorAt(this.trace, value))}">${value.toFixed(2).replace(/^-(0\.00)$/, "$1")}</text>`);
    }));
    this.over.innerHTML = `<g>${parts.join("")}</g><g class="att-marks"></g>`;
    this.writeMarks();
    this.writeLegend();
  }

  writeMarks() {
    const s = this.s, { axes, facets: { rows, columns, corners } } = this.meta, boxes = [];
    const [rowAxis, columnAxis] = axes.slice(-2);
    const box = (x0, x1, y0, y1, kind) => {
      const clip = (v, a, b) => Math.min(b, Math.max(a, v)), px = [s.x(x0), s.x(x1)].map((v) => clip(v, s.left, s.right)), py = [s.y(y0), s.y(y1)].map((v) => clip(v, s.top, s.bottom));
      if (px[1] - px[0] > 0.5 && py[1] - py[0] > 0.5) boxes.push(`<rect class="att-mark ${kind}" x="${px[0]}" y="${py[0]}" width="${px[1] - px[0]}" height="${py[1] - py[0]}"/>`);
    };
    const rowMark = (token, kind) => corners.forEach(([r, c]) => token >= 0 && token < rows && box(c - 0.5, c + columns - 0.5, r + token - 0.5, r + token + 0.5, kind));
    const columnMark = (token, kind) => corners.forEach(([r, c]) => token >= 0 && token < columns && box(c + token - 0.5, c + token + 0.5, r - 0.5, r + rows - 0.5, kind));
    const { chosen, hover } = this.marks;
    const both = (place, asQuery, asKey) => {
      const query = place.query ?? place.token, key = place.key;
      if (query !== undefined) { if (rowAxis === "query" || rowAxis === "token") rowMark(query, asQuery); }
      if (key !== undefined) { if (columnAxis === "key") columnMark(key, asKey); if (rowAxis === "key" || (rowAxis === "token" && key !== query)) rowMark(key, asKey); }
    };
    if (chosen) both({ query: chosen.query, key: chosen.query }, "att-chosen", "att-same");
    if (hover) both(hover, "att-hover", "att-hover");
    this.over.lastChild.innerHTML = boxes.join("");
  }

  writeLegend() {
    const { trace, words } = this, text = JSON.stringify([trace.zmin, trace.zmax, trace.colorscale, this.meta.masked, words]);
    if (text === this.legendText) return;
    this.legendText = text;
    const bar = make("i"), number = (v) => (Number.isInteger(v) ? v.toString() : v.toPrecision(3));
    bar.style.background = `linear-gradient(to right, ${trace.colorscale.map(([at, color]) => `${color} ${at * 100}%`).join(",")})`;
    this.legend.replaceChildren(make("span", "", number(trace.zmin)), bar, make("span", "", number(trace.zmax)));
    if (this.meta.masked) this.legend.append(make("b"), make("span", "", words.masked));
  }

  destroy() {
    this.sight.disconnect();
    this.resize.disconnect();
    for (const [kind, handler] of this.handlers) bus.removeEventListener(kind, handler);
    if (this.over) window.Plotly.purge(this.gd);
    this.card.remove();
  }
}

// The value under the pointer ------------------------------------------------------------------------------

let bubble;
function showTip(text, x, y) {
  bubble ??= make("div", "att-tip");
  if (!bubble.isConnected) document.querySelector(".att-root")?.appendChild(bubble);
  bubble.textContent = text;
  const { offsetWidth: w, offsetHeight: h } = bubble;
  bubble.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - w - 8))}px`;
  bubble.style.top = `${y + 14 + h > window.innerHeight ? y - h - 10 : y + 14}px`;
}
function hideTip() { bubble?.remove(); }

// The sentence as a strip of words, shaded by how much the chosen query token looks at each ------------------

class Strip {
  constructor(choose) {
    this.root = make("div", "att-strip");
    this.root.setAttribute("role", "radiogroup");
    this.choose = choose;
    this.shown = null;
    this.handlers = [["chosen", (e) => { this.chosen = e.detail?.query; this.shade(); }], ["hover", (e) => { this.hover = e.detail?.query ?? e.detail?.token; this.shade(); }]];
    for (const [kind, handler] of this.handlers) bus.addEventListener(kind, handler);
    this.root.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = Math.min(this.buttons.length - 1, Math.max(0, (this.chosen ?? 0) + step));
      this.choose({ query: next });
      this.buttons[next].focus();
    });
  }

  draw({ title, tokens, groups }, weights) {
    this.weights = weights; // the figure of the weights: the strip shows what it shows
    const text = JSON.stringify([title, tokens, groups]);
    if (text !== this.text) {
      this.text = text;
      this.root.setAttribute("aria-label", title);
      this.buttons = tokens.map((token, i) => {
        const button = make("button", "", token);
        button.type = "button";
        button.setAttribute("role", "radio");
        button.onclick = () => this.choose({ query: i });
        button.onmouseenter = () => say("hover", { query: i });
        button.onmouseleave = () => say("hover", null);
        return button;
      });
      const words = [];
      this.buttons.forEach((button, i) => { if (!i || groups[i] !== groups[i - 1]) words.push(make("span")); words.at(-1).appendChild(button); });
      this.root.replaceChildren(make("div", "att-strip-title", title), ...words);
    }
    this.shade();
  }

  shade() {
    if (!this.buttons) return;
    const row = this.weights?.row(this.hover ?? this.chosen);
    this.buttons.forEach((button, i) => {
      const chosen = i === this.chosen, color = row && Number.isFinite(row[i]) ? colorAt(this.weights.latest.trace, row[i]) : null;
      button.setAttribute("aria-checked", chosen);
      button.tabIndex = chosen || (this.chosen === undefined && i === 0) ? 0 : -1;
      button.style.background = color ? `rgb(${color})` : "";
      button.style.color = color ? inkOn(color) : "";
      button.title = row && Number.isFinite(row[i]) ? row[i].toFixed(4) : "";
    });
  }

  destroy() { for (const [kind, handler] of this.handlers) bus.removeEventListener(kind, handler); this.root.remove(); }
}

// The component --------------------------------------------------------------------------------------------

class Page {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "att-root"));
    this.grid = this.root.appendChild(make("div", "att-cards"));
    this.figures = [];
    this.choose = (place) => {
      const query = place?.query ?? place?.token ?? place?.key;
      if (query === undefined || query === this.query) return;
      this.query = query;
      say("chosen", { query });
      this.report("query", query);
    };
  }

  async draw({ cards, strip, query, across, words }, report) {
    this.report = report;
    this.query = query ?? undefined;
    this.grid.style.setProperty("--across", across);
    this.grid.style.setProperty("--medium", Math.min(across, cards.length % 3 ? 2 : 3)); // no card alone in a row
    if (strip && !this.strip) this.root.appendChild((this.strip = new Strip(this.choose)).root);
    if (!strip && this.strip) { this.strip.destroy(); this.strip = null; }
    while (this.figures.length > cards.length) this.figures.pop().destroy();
    while (this.figures.length < cards.length) {
      const figure = new Figure(this.choose);
      this.figures.push(figure);
      this.grid.appendChild(figure.card);
    }
    cards.forEach((card, i) => { this.figures[i].gd.style.height = `${card.figure.layout.height}px`; });
    const dark = isDark(this.root), P = await plotly(), turn = (this.turn = (this.turn ?? 0) + 1);
    for (const [i, card] of cards.entries()) {
      if (turn !== this.turn) return; // newer numbers have come
      await this.figures[i]?.set(P, card, words, dark);
    }
    this.strip?.draw(strip, this.figures.find((figure) => figure.card.dataset.step === "weights"));
    say("chosen", this.query === undefined ? null : { query: this.query });
    this.root.dataset.drawn = turn;
  }

  destroy() { this.turn = -1; hideTip(); this.strip?.destroy(); this.figures.forEach((figure) => figure.destroy()); this.root.remove(); }
}

const pages = (window.attentionPages ??= new WeakMap());
export default function ({ data, parentElement, setStateValue }) {
  let page = pages.get(parentElement);
  if (!page) pages.set(parentElement, (page = new Page(parentElement)));
  page.draw(data, setStateValue);
  return () => { page.destroy(); pages.delete(parentElement); };
}
