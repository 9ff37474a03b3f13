// A figure with too many cells for Plotly: one pixel a cell on a canvas, scaled into the frame that Plotly keeps and zooms.

class Picture extends Figure {
  constructor(page) {
    super(page);
    this.cells = make("canvas"); // what is in sight, before it is scaled
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

  // With as many digits as two levels differ in.
  said(number, value) {
    const { trace: { zmin, zmax }, count } = this;
    if (value === 0 && zmin === 0) return number;
    const apart = (zmin === 0 ? 2 * Math.sqrt(value * zmax) : zmax - zmin) / count;
    return this.words.about.replace("{}", value.toFixed(clamp(Math.ceil(-Math.log10(apart)), 0, 4)));
  }

  get remark() {
    const { overlay, trace } = this, least = overlay && Math.min(overlay.x(1) - overlay.x(0), overlay.y(1) - overlay.y(0));
    return [trace.zmin === 0 && this.words.root, least * devicePixelRatio < 1 && this.words.overview].filter(Boolean).join(" · ");
  }

  get content() { return { type: "scatter", mode: "none", x: [0], y: [0], hoverinfo: "skip" }; }

  drawFrame(view) {
    return super.drawFrame(view).then(() => { this.gd.insertBefore(this.sheet, this.gd.querySelector(".plot-container")); });
  }

  async drawNumbers() {}

  write() {
    if (!this.stale || !this.gd.layout) return;
    super.write();
    const { overlay: { left, right, top, bottom }, gd: { layout: { xaxis, yaxis } }, sheet, cells, inks } = this;
    const [width, height] = [right - left, bottom - top], sharp = devicePixelRatio;
    Object.assign(sheet, { width: width * sharp, height: height * sharp });
    Object.assign(sheet.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    const [x, y] = [sight(xaxis.range, this.shape[1], sheet.width), sight([...yaxis.range].reverse(), this.shape[0], sheet.height)];
    const levels = this.strongest(x, y), ink = sheet.getContext("2d");
    paintCells(cells, x.length, y.length, (i) => inks[levels[i]]);
    ink.imageSmoothingEnabled = false;
    ink.drawImage(cells, x.start, y.start, x.span, y.span, 0, 0, sheet.width, sheet.height);
  }

  // What of the cells is in sight, a pixel each; where several share a pixel, the one that is farthest from 0.
  strongest(x, y) {
    const { numbers, count, shape, trace: { zmin, zmax } } = this, levels = new Uint8Array(x.length * y.length);
    const nought = 1 - (count * zmin) / (zmax - zmin), strength = Float32Array.from({ length: 256 }, (_, level) => level && 1 + Math.abs(level - nought));
    for (let row = y.first; row < y.last; row++) {
      const from = row * shape[1], to = y.places[row - y.first] * x.length;
      for (let column = x.first; column < x.last; column++) {
        const level = numbers[from + column], at = to + x.places[column - x.first];
        if (strength[level] > strength[levels[at]]) levels[at] = level;
      }
    }
    return levels;
  }

  get inks() {
    const { count, trace: { colorscale } } = this, colour = coloursOf({ colorscale, zmin: 0, zmax: 1 });
    const inks = new Uint32Array(256); // a level without a number stays clear
    for (let level = 1; level <= count + 1; level++) inks[level] = asPixel(colour((level - 1) / count));
    return inks;
  }
}

// Along one side, with so many pixels for what is in sight: its cells, the place of each in a picture of `length`, and
// what of that picture fills the side.
function sight([from, to], cells, pixels) {
  const first = Math.max(0, Math.floor(from + 0.5)), last = Math.min(cells, Math.ceil(to + 0.5)), crowded = to - from > pixels;
  const place = crowded ? (i) => clamp(Math.floor(((first + i - from) / (to - from)) * pixels), 0, pixels - 1) : (i) => i;
  return { first, last, places: Uint16Array.from({ length: last - first }, (_, i) => place(i)), length: crowded ? pixels : last - first,
    start: crowded ? 0 : from + 0.5 - first, span: crowded ? pixels : to - from };
}
