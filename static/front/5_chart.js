// Lines and bars: few marks, so Plotly writes their text itself. Colours are the page's own.

const INKS = { light: ["#1c6bb0", "#c2410c", "#6b7280", "#0f766e", "#7e22ce"], dark: ["#6fb1e8", "#fb923c", "#9ca3af", "#5eead4", "#d8b4fe"] };

class Chart {
  constructor() {
    Object.assign(this, frame());
    this.gd.setAttribute("role", "img");
    this.unwatch = watch(this, () => this.draw(), () => {
      if (this.gd.data && Math.abs(this.gd.clientWidth - this.gd._fullLayout.width) > 1) widen(this.gd);
    });
  }

  set(P, card, words, { dark, text, line }) {
    caption(this, card);
    const { data, layout } = card.figure;
    const axis = (own) => ({ ...own, title: { ...own.title, font: { size: 12 } }, color: text, gridcolor: line, linecolor: line, zerolinecolor: line, fixedrange: true });
    const ink = ({ ink }) => INKS[dark ? "dark" : "light"][ink];
    this.told = {
      data: data.map((trace) => ({ ...trace, marker: { ...trace.marker, color: ink(trace.meta) }, line: { ...trace.line, color: ink(trace.meta) } })),
      layout: { ...layout, autosize: true, font: { color: text, size: 13 }, paper_bgcolor: clear, plot_bgcolor: clear,
        xaxis: axis(layout.xaxis), yaxis: axis(layout.yaxis), hoverlabel: { font: { size: 13 } } },
    };
    this.P = P;
    this.waiting = JSON.stringify(this.told);
    return this.visible ? this.draw() : undefined;
  }

  draw() {
    if (!this.waiting || this.waiting === this.drawn) return undefined;
    this.drawn = this.waiting;
    const { data, layout } = JSON.parse(this.drawn); // Plotly keeps what it is given, and writes into it
    return (this.drawing = this.P.react(this.gd, data, layout, { displayModeBar: false }));
  }

  write() {}

  destroy() {
    this.unwatch();
    if (this.drawn) retire(this.gd, this.drawing);
    this.card.remove();
  }
}
