// Where a number comes from: the open cell's rule with its numbers, its terms as rows with a bar for each.

const FIELDS = 'input:not([type="range"]), textarea, [role="combobox"], [role="listbox"]'; // there, Escape is the field's own

class Panel {
  constructor() {
    this.root = make("section", "att-panel");
    this.root.setAttribute("aria-live", "polite");
    this.hear = ({ key, target }) => { if (key === "Escape" && !target.closest?.(FIELDS)) say("open", null); };
    document.addEventListener("keydown", this.hear);
  }

  set(told) {
    const text = JSON.stringify(told);
    if (text === this.text) return;
    this.text = text;
    const { title, value, formula, why, table, close } = told;
    const head = make("div", "att-panel-head"), shut = make("button", "att-close", "×");
    shut.type = "button";
    shut.title = close;
    shut.setAttribute("aria-label", close);
    shut.onclick = () => say("open", null);
    head.append(make("span", "att-name", title), make("span", "att-result", value), shut);
    const math = make("div", "att-panel-formula");
    math.innerHTML = formula; // MathML, made by Python from numbers
    this.root.replaceChildren(head, math, make("p", "", why), ...(table ? [this.table(table)] : []));
    this.reveal();
  }

  // In a long row, the cell's own line.
  reveal() {
    const [own, sum] = [".att-own", "tfoot td"].map((name) => this.root.querySelector(name)?.getBoundingClientRect());
    const hidden = own ? own.bottom - Math.min(sum.top, this.root.getBoundingClientRect().bottom) : 0;
    if (hidden > 0) this.root.scrollTop += hidden + own.height;
  }

  table({ title, columns, rows, total }) {
    const table = make("table"), line = table.createTHead().insertRow(), body = table.createTBody();
    for (const column of columns) line.appendChild(make("th", "", column));
    line.appendChild(make("th"));
    const middle = rows.some(({ bar }) => bar < 0) ? 50 : 0; // where 0 lies, in percent
    for (const { label, numbers, bar, own } of rows) {
      const row = body.insertRow(), cell = row.insertCell();
      if (own) row.className = "att-own";
      cell.textContent = label; // a token is never read as markup
      for (const number of numbers) row.insertCell().textContent = number;
      const fill = row.insertCell().appendChild(make("i", bar < 0 ? "att-less" : ""));
      fill.style.width = `${Math.abs(bar) * (100 - middle)}%`;
      fill.style.marginLeft = `${middle + Math.min(0, bar) * middle}%`;
    }
    const foot = table.createTFoot().insertRow();
    for (const number of total) foot.insertCell().textContent = number;
    foot.insertCell();
    if (title) table.createCaption().textContent = title;
    return table;
  }

  destroy() {
    document.removeEventListener("keydown", this.hear);
    this.root.remove();
  }
}
