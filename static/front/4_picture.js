// A figure with too many cells for Plotly: one pixel a cell on a canvas, scaled into the frame that Plotly keeps and zooms.

class Picture extends Figure {
  constructor(page) {
    super(page);
    this.cells = make("canvas");
    this.sheet = make("canvas", "att-sheet");
  }

  // The numbers come as levels of colour, deflated.
  async take({ levels, count, shape }, bytes) {
    const stream = new Response(bytes(levels)).body.pipeThrough(new DecompressionStream("deflate")), { trace } = this;
    const numbers = new Uint8Array(await new Response(stream).arrayBuffer());
    if (trace !== this.trace) return; // newer numbers have come meanwhile
    Object.assign(this, { numbers, count, shape, rows: [], waiting: true });
    if (this.visible) await this.draw();
  }

  valueAt(row, column) {
    const level = this.numbers[row * this.shape[1] + column], share = (level - 1) / this.count, { zmin, zmax } = this.trace;
    if (!level) return NaN;
    return zmin === 0 ? zmax * share ** 2 : zmin + (zmax - zmin) * share;
  }

  // The strip may ask before the first numbers have come.
  row(query) { return this.numbers ? super.row(query) : null; }

  // Weights are coloured by their square root: most of a long sentence's are small.
  get colours() {
    const { zmin, zmax, colorscale } = this.trace, colour = coloursOf({ colorscale, zmin: 0, zmax: 1 });
    const share = (value) => (value - zmin) / (zmax - zmin);
    return (value) => colour(zmin === 0 ? Math.sqrt(share(value)) : share(value));
  }

  said(number, value) { return value === 0 && this.trace.zmin === 0 ? number : this.words.about.replace("{}", number); }

  get remark() {
    const small = this.overlay && this.overlay.x(1) - this.overlay.x(0) < 1;
    return [this.trace.zmin === 0 && this.words.root, small && this.words.overview].filter(Boolean).join(" · ");
  }

  get content() { return { type: "scatter", mode: "none", x: [0], y: [0], hoverinfo: "skip" }; }

  drawFrame(view) {
    return super.drawFrame(view).then(() => { this.gd.insertBefore(this.sheet, this.gd.querySelector(".plot-container")); this.paint(); });
  }

  async drawNumbers() { this.paint(); }

  // The cells, a pixel each.
  paint() {
    const { numbers, count, shape: [height, width], trace: { colorscale } } = this;
    const inks = new Uint32Array(256); // a level without a number stays clear
    const colour = coloursOf({ colorscale, zmin: 0, zmax: 1 });
    for (let level = 1; level <= count + 1; level++) inks[level] = asPixel(colour((level - 1) / count));
    paintCells(this.cells, width, height, (i) => inks[numbers[i]]);
  }

  // What of them is in sight, into the frame.
  write() {
    if (!this.stale || !this.gd.layout) return;
    super.write();
    const { overlay: { left, right, top, bottom }, gd: { layout: { xaxis, yaxis } }, sheet } = this;
    const [x0, x1] = xaxis.range, [y1, y0] = yaxis.range, [width, height] = [right - left, bottom - top], sharp = devicePixelRatio;
    Object.assign(sheet, { width: width * sharp, height: height * sharp });
    Object.assign(sheet.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    const ink = sheet.getContext("2d");
    ink.imageSmoothingEnabled = x1 - x0 > width * sharp;
    ink.drawImage(this.cells, x0 + 0.5, y0 + 0.5, x1 - x0, y1 - y0, 0, 0, sheet.width, sheet.height);
  }
}
