// Text and marks over a figure, written in one go: Plotly measures every text it draws, which costs 1 ms each.
// Everything is taken from the figure's own layout and data.

class Overlay {
  constructor(gd) {
    this.gd = gd;
    for (const layer of ["under", "over"]) { // below and above Plotly's drawing
      this[layer] = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      this[layer].setAttribute("class", `att-${layer}`);
    }
    gd.prepend(this.under);
    gd.append(this.over);
    this.over.innerHTML = "<g></g><g></g><g></g>";
    [this.labels, this.values, this.outlines] = this.over.children;
    this.written = new Map();
  }

  write(trace, layout, rows, marks, opened) {
    [this.trace, this.layout] = [trace, layout];
    this.measure();
    const { width, height } = this;
    if (this.sized !== `${width} ${height}`)
      for (const svg of [this.under, this.over]) { svg.setAttribute("width", width); svg.setAttribute("height", height); }
    this.sized = `${width} ${height}`;
    this.fill(this.under, layout.shapes.map((shape) => this.box(shape, "")));
    this.fill(this.labels, [...this.columnTicks(), ...this.rowTicks(), ...this.mapTitles(), ...this.axisTitles()]);
    this.print([...this.printed(rows)]);
    this.mark(marks, opened);
  }

  // What stands there already is left alone: other numbers do not move the labels.
  fill(layer, parts) {
    const markup = [...parts].join("");
    if (markup !== this.written.get(layer)) layer.innerHTML = markup;
    this.written.set(layer, markup);
  }

  // Data coordinates -> pixels of the figure, and back.
  measure() {
    const { l, r, t, b } = this.layout.margin, { xaxis, yaxis } = this.gd.layout;
    const { width, height } = this.gd._fullLayout;
    Object.assign(this, { width, height, left: l, right: width - r, top: t, bottom: height - b });
    const map = (value, [from, to], a, b) => a + ((value - from) / (to - from)) * (b - a);
    this.x = (column) => map(column, xaxis.range, this.left, this.right);
    this.y = (row) => map(row, yaxis.range, this.bottom, this.top);
    this.fontSize = Math.min(13, (this.x(1) - this.x(0)) / 2.9, (this.y(1) - this.y(0)) * 0.62); // of a number in a cell
    this.cellAt = (x, y) => [
      Math.round(map(x, [this.left, this.right], ...xaxis.range)),
      Math.round(map(y, [this.bottom, this.top], ...yaxis.range)),
    ];
  }

  shows(x, y) { return x > this.left - 2 && x < this.right + 2 && y > this.top - 2 && y < this.bottom + 2; }

  text(kind, x, y, words, more = 'text-anchor="middle"') {
    return `<text class="att-${kind}" x="${x}" y="${y}" ${more}>${words}</text>`; // words: escaped by Python
  }

  *columnTicks() {
    const { tickvals, ticktext } = this.layout.xaxis, y = this.bottom + 13;
    const room = tickvals.length > 1 ? this.x(tickvals[1]) - this.x(tickvals[0]) : this.width;
    const slanted = Math.max(...ticktext.map((text) => text.length)) * 6.8 > room;
    const every = slanted ? Math.ceil(14 / room) : 1; // on a phone, not all labels have room
    this.slanted = slanted;
    for (const [i, column] of tickvals.entries()) {
      if (i % every) continue;
      const x = this.x(column), turn = slanted ? `text-anchor="end" transform="rotate(-40 ${x} ${y})"` : undefined;
      if (this.shows(x, this.top)) yield this.text("tick", x, y, ticktext[i], turn);
    }
  }

  *rowTicks() {
    const { tickvals, ticktext } = this.layout.yaxis;
    for (const [i, row] of tickvals.entries()) {
      const y = this.y(row);
      if (this.shows(this.left, y)) yield this.text("tick", this.left - 6, y, ticktext[i], 'dy=".35em" text-anchor="end"');
    }
  }

  *mapTitles() {
    for (const { x, y, text } of this.layout.annotations)
      if (this.shows(this.x(x), this.y(y))) yield this.text("facet", this.x(x), this.y(y) - 5, text);
  }

  *axisTitles() {
    const { xaxis, yaxis } = this.layout, middle = (this.top + this.bottom) / 2;
    const below = this.slanted ? this.height - 5 : this.bottom + 36;
    yield this.text("title", (this.left + this.right) / 2, below, xaxis.title.text);
    yield this.text("title", 11, middle, yaxis.title.text, `text-anchor="middle" transform="rotate(-90 11 ${middle})"`);
  }

  // The numbers in the cells, where they fit: [x, y, text, ink].
  *printed(rows) {
    const colour = coloursOf(this.trace);
    if (!this.trace.texttemplate || this.fontSize < 8) return;
    for (const [row, numbers] of rows.entries()) for (const [column, value] of numbers.entries()) {
      const x = this.x(column), y = this.y(row);
      if (!Number.isFinite(value) || !this.shows(x, y)) continue;
      yield [x, y, value.toFixed(this.layout.meta.digits ?? 2).replace(/^-(0\.00)$/, "$1"), inkOn(colour(value))];
    }
  }

  // At the same places, only what differs is written: a new element costs more than its text.
  print(numbers) {
    const { values, fontSize } = this, places = JSON.stringify([fontSize, numbers.map(([x, y]) => [x, y])]);
    if (places !== this.places) {
      values.setAttribute("style", `font-size:${fontSize}px`);
      values.innerHTML = numbers.map(([x, y]) => this.text("value", x, y, " ", 'dy=".35em"')).join("");
    }
    this.places = places;
    numbers.forEach(([, , text, ink], i) => {
      const { firstChild, style } = values.children[i];
      if (firstChild.data !== text) firstChild.data = text;
      if (values.children[i].ink !== ink) style.fill = values.children[i].ink = ink;
    });
  }

  box({ x0, x1, y0, y1 }, kind) {
    const [left, right] = [x0, x1].map((v) => clamp(this.x(v), this.left, this.right));
    const [top, bottom] = [y0, y1].map((v) => clamp(this.y(v), this.top, this.bottom));
    if (right <= left || bottom <= top) return "";
    const air = (size) => (kind && size < 8 ? 2 : 0), [x, y] = [air(right - left), air(bottom - top)]; // a thin row is seen inside
    return `<rect class="${kind}" x="${left - x}" y="${top - y}" width="${right - left + 2 * x}" height="${bottom - top + 2 * y}"/>`;
  }

  // Outline rows and columns: the chosen query token (dashed where it is looked at), the cell under the pointer.
  mark({ chosen, hover }, opened) {
    if (!this.layout) return;
    const boxes = [];
    if (chosen !== undefined && !this.layout.meta.maps) boxes.push(...this.lines(chosen, chosen, "att-mark att-chosen", "att-mark att-same"));
    if (hover) boxes.push(...this.lines(hover.query ?? hover.token, hover.key, "att-mark att-hover", "att-mark att-hover"));
    if (opened) boxes.push(this.box(opened, opened.whole ? "att-mark att-cell" : "att-mark att-part"));
    this.fill(this.outlines, boxes);
  }

  *lines(query, key, queryKind, keyKind) {
    const { axes, facets: { rows, columns, corners } } = this.layout.meta, [rowAxis, columnAxis] = axes.slice(-2);
    const rowOf = (token, kind) => corners.map(([r, c]) =>
      this.box({ x0: c - 0.5, x1: c + columns - 0.5, y0: r + token - 0.5, y1: r + token + 0.5 }, kind));
    const columnOf = (token, kind) => corners.map(([r, c]) =>
      this.box({ x0: c + token - 0.5, x1: c + token + 0.5, y0: r - 0.5, y1: r + rows - 0.5 }, kind));
    if (query < rows && (rowAxis === "query" || rowAxis === "token")) yield* rowOf(query, queryKind);
    if (key < rows && (rowAxis === "key" || (rowAxis === "token" && key !== query))) yield* rowOf(key, keyKind);
    if (key < columns && columnAxis === "key") yield* columnOf(key, keyKind);
  }
}
