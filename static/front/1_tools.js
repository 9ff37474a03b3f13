// The files of this folder are sent to the browser as one script, in the order of their names.
// Hover and choice travel over `bus`, so that every figure of the page marks the same tokens at once.

const bus = (window.attentionBus ??= new EventTarget());
const say = (kind, place) => bus.dispatchEvent(new CustomEvent(kind, { detail: place }));

// Hear `kinds` ({name: function}) until the function that is returned is called.
function listen(kinds) {
  const hears = Object.entries(kinds).map(([kind, hear]) => [kind, (event) => hear(event.detail)]);
  for (const [kind, hear] of hears) bus.addEventListener(kind, hear);
  return () => { for (const [kind, hear] of hears) bus.removeEventListener(kind, hear); };
}

// Python's message: the length of a JSON text, the text, and behind it the bytes of arrays, which it names by their places.
function unpack(message) {
  const bytes = message.slice(), end = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const told = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)));
  return { ...told, bytes: ({ at, length }) => bytes.subarray(end + at, end + at + length) };
}
const sameNumbers = (one, other) => one?.length === other?.length && one.every((number, i) => Object.is(number, other[i]));

// Python may know more places of a cell than the browser asked for: the head of a merged number.
const sameCell = (asked, cell) => asked?.step === cell?.step
  && Object.entries(asked?.places ?? {}).every(([axis, place]) => cell.places[axis] === place);

// The query token of a cell: of an input vector it is the token itself.
const queryOf = (cell) => cell?.places.query ?? cell?.places.token;

// plotly.js, from the app's own server, once for the whole visit.
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

// A card for a figure: its heading, and the place where Plotly draws.
function frame() {
  const card = make("figure", "att-card"), head = card.appendChild(make("figcaption", "att-head"));
  return { card, head, gd: card.appendChild(make("div", "att-gd")) };
}

function caption(figure, { step, title, formula, shape, alt }) {
  const text = JSON.stringify([step, title, formula, shape, alt]);
  if (text === figure.captioned) return;
  figure.captioned = text;
  figure.card.dataset.step = step;
  figure.gd.setAttribute("aria-label", alt);
  const math = make("div", "att-formula");
  math.innerHTML = formula; // MathML, made by Python from the step's own formula
  // The step's name stands beside the formula where there is room for both.
  figure.head.replaceChildren(make("span", "att-name", title), make("span", "att-shape", shape), make("i", "att-break"), math, make("span", "att-step", step));
}

// Draws a figure when it comes into sight, and follows its width, until the function that is returned is called.
function watch(figure, draw, resize) {
  const sight = new IntersectionObserver((seen) => { figure.visible = seen.at(-1).isIntersecting; if (figure.visible) draw(); });
  const size = new ResizeObserver(resize);
  sight.observe(figure.card);
  size.observe(figure.gd);
  return () => { sight.disconnect(); size.disconnect(); };
}

// Draws a figure in its new width; whether it is there to be written on. One that is hidden will be told again.
const widen = (gd) => window.Plotly.Plots.resize(gd).then(() => gd.isConnected, () => false);

// Plotly may still be drawing in what is taken away.
const retire = (gd, drawing) => Promise.resolve(drawing).finally(() => window.Plotly?.purge(gd));

const figuresOfThePage = (window.attentionFigures ??= new Set()); // of all components
const clear = "rgba(0,0,0,0)";
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const isToken = (axis) => axis === "query" || axis === "key" || axis === "token";

// Colours: "#rrggbb" or [red, green, blue].
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
function inkOn(color) {
  const [red, green, blue] = typeof color === "string" ? rgb(color) : color;
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#111111" : "#ffffff";
}
// The colour of a value, as Plotly gives it: between two stops of the scale, in equal steps.
function coloursOf({ colorscale, zmin, zmax }) {
  const stops = colorscale.map(([stop, hex]) => [stop, rgb(hex)]);
  return (value) => {
    const at = clamp((value - zmin) / (zmax - zmin), 0, 1), i = Math.max(1, stops.findIndex(([stop]) => stop >= at));
    const [[low, from], [high, to]] = [stops[i - 1], stops[i]], share = (at - low) / (high - low);
    return from.map((c, k) => Math.round(c + (to[k] - c) * share));
  };
}
const asPixel = ([red, green, blue]) => 0xff000000 | (blue << 16) | (green << 8) | red;

// A canvas with a pixel for each cell; `pixelAt` gives it by the cell's number, row by row; 0 stays clear.
function paintCells(canvas, width, height, pixelAt) {
  if (canvas.image?.width !== width || canvas.image.height !== height)
    Object.assign(canvas, { width, height, image: new ImageData(width, height) }); // kept: a long sentence's is megabytes
  const { image } = canvas, pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = pixelAt(i);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
// The page's colours. To ask for them makes the browser style the whole page, so that is done once for each theme,
// which shows in the names that Streamlit's elements have.
const themes = new Map();
function themeOf(root) {
  const { parentElement: inner } = root, look = [inner, inner.parentElement].map((e) => `${e.className} ${e.style.cssText}`).join();
  if (!themes.has(look)) {
    const style = getComputedStyle(root), [ground, text, line] = ["background", "text", "border"].map((name) => style.getPropertyValue(`--st-${name}-color`).trim());
    // On a dark page the maps are dark, too: the empty end of a scale is near the page's colour.
    themes.set(look, { ground, text, line, dark: /^#[0-9a-f]{6}$/i.test(ground) && inkOn(ground) === "#ffffff" });
  }
  return themes.get(look);
}

// What the style sheet needs to know: the page's colour, and what Streamlit's own fields say, which is English there.
// Only what differs is set: a property of the root that is set, even to what it was, styles the whole page anew.
function dress({ style }, ground, fields) {
  const said = Object.entries(fields).map(([name, text]) => [`--att-say-${name}`, JSON.stringify(text)]);
  for (const [name, value] of [["--att-page", ground], ...said])
    if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

// The value under the pointer.
let bubble;
function showTip(root, text, x, y) {
  if (!bubble) {
    bubble = make("div", "att-tip");
    addEventListener("scroll", hideTip, { capture: true, passive: true }); // what was under the pointer has moved away
  }
  if (bubble.parentElement !== root) root.appendChild(bubble);
  bubble.textContent = text;
  const { offsetWidth: width, offsetHeight: height } = bubble;
  bubble.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - width - 8))}px`;
  bubble.style.top = `${y + 14 + height > window.innerHeight ? y - height - 10 : y + 14}px`;
}
function hideTip() { bubble?.remove(); }
