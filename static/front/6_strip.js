// The sentence as a row of words, shaded by how much the chosen query token looks at each.

class Strip {
  constructor(page) {
    this.page = page;
    this.root = make("div", "att-strip");
    this.root.setAttribute("role", "radiogroup");
    this.buttons = [];
    this.deafen = listen({
      chosen: (place) => { this.chosen = place?.query; this.shade(); },
      hover: (place) => { this.hovered = place?.query ?? place?.token; this.shade(); },
      drawn: () => this.shade(),
    });
    this.root.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = clamp((this.chosen ?? 0) + step, 0, this.buttons.length - 1);
      page.choose(next);
      this.buttons[next].focus();
    });
  }

  set({ title, tokens, groups }) {
    const text = JSON.stringify([title, tokens, groups]);
    if (text !== this.text) this.build(title, tokens, groups);
    this.text = text;
    this.shade();
  }

  // The figure of the attention weights, if the page has one: the strip shows what it shows.
  get weights() { return [...figuresOfThePage].find(({ step }) => step === "weights"); }

  build(title, tokens, groups) {
    this.root.setAttribute("aria-label", title);
    this.buttons = tokens.map((token, i) => this.button(token, i));
    const words = [];
    this.buttons.forEach((button, i) => {
      if (!i || groups[i] !== groups[i - 1]) words.push(make("span")); // the pieces of a word stand together
      words.at(-1).appendChild(button);
    });
    this.root.replaceChildren(make("div", "att-strip-title", title), ...words);
  }

  button(token, i) {
    const button = make("button", "", token);
    button.type = "button";
    button.setAttribute("role", "radio");
    button.onclick = () => this.page.choose(i);
    button.onmouseenter = () => say("hover", { query: i });
    button.onmouseleave = () => say("hover", null);
    return button;
  }

  shade() {
    const { weights } = this, row = weights?.row(this.hovered ?? this.chosen), colours = weights?.colours;
    this.buttons.forEach((button, i) => {
      const chosen = i === this.chosen, color = Number.isFinite(row?.[i]) ? colours(row[i]) : null;
      button.setAttribute("aria-checked", chosen);
      button.tabIndex = chosen || (this.chosen === undefined && !i) ? 0 : -1;
      button.style.background = color ? `rgb(${color})` : "";
      button.style.color = color ? inkOn(color) : "";
      button.title = color ? row[i].toFixed(4) : "";
    });
  }

  destroy() { this.deafen(); this.root.remove(); }
}
