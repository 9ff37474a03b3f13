// The steps in order, one cell of each: a slider, Play, and pickers of the cell's head, query, key and feature.

const BEAT = 1600; // milliseconds between two steps of Play

class Walk {
  constructor(page) {
    this.page = page;
    this.root = make("div", "att-walk");
    this.at = {}; // the last place picked along each axis
    this.lists = new Map(); // by axis
    this.deafen = listen({ cell: (cell) => this.follow(cell), chosen: (place) => this.choose(place?.query) });
    const button = (act) => {
      const made = this.root.appendChild(make("button"));
      made.type = "button";
      made.onclick = act;
      return made;
    };
    this.back = button(() => this.go(this.number - 1));
    this.play = button(() => (this.beat ? this.stop() : this.start()));
    this.next = button(() => this.go(this.number + 1));
    [this.back.textContent, this.next.textContent] = ["‹", "›"];
    this.slider = this.root.appendChild(make("input"));
    Object.assign(this.slider, { type: "range", min: 0, step: 1 });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.hear = (event) => this.key(event);
    document.addEventListener("keydown", this.hear);
    this.name = this.root.appendChild(make("output", "att-name"));
    this.pickers = this.root.appendChild(make("span", "att-pickers"));
  }

  // steps: [{step, title, axes, sizes}], in the order of the pass.
  set({ steps, tokens, only, width, back, play, pause, next, slider, hint, axes }) {
    Object.assign(this, { steps, tokens, only, width, axes, hint, said: { play, pause } });
    [[this.back, back], [this.next, next], [this.slider, slider]].forEach(([made, says]) => {
      made.title = says;
      made.setAttribute("aria-label", says);
    });
    this.slider.max = steps.length - 1;
    this.write();
  }

  get number() { return Math.max(-1, this.steps?.findIndex(({ step }) => step === this.cell?.step) ?? -1); }

  choose(query) { if (!this.cell && query !== undefined) this.at.query = query; }

  follow(cell) {
    if (!this.steps) return;
    this.cell = cell ?? null;
    if (cell) Object.assign(this.at, cell.places, queryOf(cell) !== undefined && { query: queryOf(cell) });
    if (!cell) this.stop();
    this.write();
  }

  // The cell of a step that lies where the last one lay.
  cellOf({ step, axes, sizes }) {
    const { head = this.only ?? 0, feature = 0, query = this.page.query } = this.at;
    const wanted = { ...this.at, head, feature, query, token: query, merged: head * this.width + feature };
    return { step, places: Object.fromEntries(axes.map((axis, i) => [axis, clamp(wanted[axis] ?? 0, 0, sizes[i] - 1)])) };
  }

  go(number) {
    say("open", this.cellOf(this.steps[clamp(number, 0, this.steps.length - 1)]));
  }

  // Arrow keys step from the slider and the buttons, and from nowhere in particular.
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], { target } = event;
    const nowhere = target === document.body || target.dataset?.testid === "stMain"; // as after a click on the page's text
    const here = nowhere || (this.root.contains(target) && target.tagName !== "SELECT");
    if (!step || !here || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (this.steps[this.number + step]) this.go(this.number + step);
  }

  start() {
    this.go(this.number + 1 < this.steps.length ? this.number + 1 : 0);
    this.beat = setInterval(() => {
      if (!this.root.isConnected || this.number + 1 >= this.steps.length) this.stop();
      else this.go(this.number + 1);
    }, BEAT);
    this.write();
  }

  stop() {
    clearInterval(this.beat);
    this.beat = undefined;
    this.write();
  }

  write() {
    const { number, said } = this, playing = Boolean(this.beat);
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.title = playing ? said.pause : said.play;
    this.play.setAttribute("aria-label", this.play.title);
    this.slider.value = Math.max(0, number);
    this.slider.setAttribute("aria-valuetext", this.steps[Math.max(0, number)].title);
    this.back.disabled = number < 1;
    this.next.disabled = number === this.steps.length - 1;
    this.name.textContent = number < 0 ? this.hint : this.steps[number].title;
    this.name.classList.toggle("att-hint", number < 0);
    this.writePickers(this.steps[Math.max(0, number)]);
  }

  writePickers(step) {
    const { places } = this.cellOf(step), axes = step.axes.filter((axis) => axis !== "head" || this.only === null);
    const labels = axes.map((axis) => this.picker(axis, step.sizes[step.axes.indexOf(axis)]));
    if (labels.some((label, i) => label !== this.pickers.children[i]) || labels.length < this.pickers.children.length)
      this.pickers.replaceChildren(...labels);
    for (const select of this.pickers.querySelectorAll("select")) select.value = places[select.name];
  }

  // The list of an axis; the one that is there, if it says the same: in a long sentence it has hundreds of lines.
  picker(axis, size) {
    const name = this.axes[axis], lines = Array.from({ length: size }, (_, i) => (isToken(axis) ? this.tokens[i] : i + 1));
    const text = JSON.stringify([name, lines]), kept = this.lists.get(axis);
    if (kept?.text === text) return kept.label;
    const label = make("label", "", `${name} `), select = label.appendChild(make("select"));
    select.name = axis;
    select.setAttribute("aria-label", name);
    lines.forEach((line, i) => { select.appendChild(make("option", "", line)).value = i; });
    select.onchange = () => {
      const cell = this.cellOf(this.steps[Math.max(0, this.number)]);
      say("open", { ...cell, places: { ...cell.places, [axis]: Number(select.value) } });
    };
    this.lists.set(axis, { text, label });
    return label;
  }

  destroy() {
    this.stop();
    this.deafen();
    document.removeEventListener("keydown", this.hear);
    this.root.remove();
  }
}
