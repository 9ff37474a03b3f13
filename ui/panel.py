"""The panel of an open cell: its arithmetic with the trace's numbers, as a formula, a table and bars."""

from dataclasses import replace
from math import isnan
from typing import Any

from attention import Arithmetic, Cell, Term, Trace, explain
from figures import printable
from ui.cards import PER_TOKEN
from ui.formula import mathml
from ui.numbers import number
from ui.panel_table import number_of, row_of, table
from ui.words import t

MOST_TERMS = 5  # written out in the formula; the table has them all


def panel(trace: Trace, item: int, cell: Cell) -> dict[str, Any]:
    """What the browser is told of the open cell."""
    own = number_of(trace, item, cell)  # the pass's: a sum may differ in its last digit
    found = replace(explain(trace, cell, item), result=own)
    tokens = [printable(token) for token in trace.tokens[item]]
    return {
        "title": _title(trace, cell, tokens),
        "value": number(found.result),
        "formula": mathml(_latex(found, cell)),
        "why": t(f"cell.{_reason(found, trace, item, cell)}", **_numbers(found)),
        "table": table(trace, item, cell, found, tokens),
        "close": t("cell.close"),
    }


def _title(trace: Trace, cell: Cell, tokens: list[str]) -> str:
    axes = trace.explained[cell.step].axes
    row_axis, column_axis = axes[-2:]
    kind = t("figure.group") if "group" in axes else t("figure.head")
    head = [] if cell.head is None else [kind.format(cell.head + 1)]
    places = [
        f"{t(f'figure.axes.{axis}')} {place + 1}" + (f" ({tokens[place]})" if axis in PER_TOKEN else "")
        for axis, place in ((row_axis, cell.row), (column_axis, cell.column))
    ]
    return " · ".join([t(f"steps.{cell.step}.title"), *head, *places])


def _numbers(found: Arithmetic) -> dict[str, str]:
    """The rule's numbers as a reader sees them: places count from 1."""
    places = [name for name in ("head", "feature", "position") if name in found.numbers]
    counted = {f"{name}_number": str(int(found.numbers[name]) + 1) for name in places}
    return {name: _shown(name, value) for name, value in found.numbers.items()} | counted


def _reason(found: Arithmetic, trace: Trace, item: int, cell: Cell) -> str:
    match found.rule:
        case "softmax" if isnan(found.result):
            return "nothing_to_see"
        case _ if isnan(found.result):
            return "not_a_number"
        case "mask":
            return _why_hidden(trace, item, cell) if found.numbers["hidden"] else "seen"
        case "scale" if cell.head is None or trace["queries"].value.shape[1] == 1:
            return "scale_one_head"
        case "dropout" if found.numbers["p"] == 0:
            return "no_dropout"
        case "dropout" if found.numbers["weight"] == 0:
            return "nothing_to_drop"
        case "dropout":
            return "kept" if found.numbers["kept"] else "dropped"
        case rule:
            return rule


def _why_hidden(trace: Trace, item: int, cell: Cell) -> str:
    """Why a key is hidden, as far as the row says it: any mask can be drawn by hand."""
    hidden, query = row_of(trace, "masked_scores", item, cell).isneginf(), cell.row  # (key,)
    no_future = bool(hidden[query + 1 :].all())
    seen = (~hidden[: query + 1]).nonzero().flatten().tolist()  # up to the query itself
    if cell.column >= trace.lengths[item]:
        return "hidden_padding"
    if cell.column > query and no_future:
        return "hidden_future"
    if no_future and len(seen) > 1 and seen == list(range(seen[0], query + 1)):
        return "hidden_past"
    return "hidden"


def _latex(found: Arithmetic, cell: Cell) -> str:
    n = {name: _latex_number(value) for name, value in found.numbers.items()}
    n["p"] = _shown("p", found.numbers.get("p", 0.0))
    result = _latex_number(found.result)
    match found.rule:
        case "mask":
            return r"{-\infty}" if found.numbers["hidden"] else rf"M = S = {result}"
        case "scale":
            return rf"\frac{{{n['masked']}}}{{\sqrt{{{found.numbers['head_dim']}}}}} = {result}"
        case "softmax":
            own = _latex_number(found.terms[cell.column].factors[0])
            power = f"{own} - {_bracketed(found.numbers['maximum'])}"
            return rf"\frac{{e^{{{power}}}}}{{{n['sum']}}} = {result}"
        case "dropout":
            return rf"\frac{{{n['weight']}}}{{1 - {n['p']}}} = {result}" if found.numbers["kept"] else "0"
        case "switched_off":
            return rf"0 \cdot {_bracketed(found.numbers['sum'])} = 0"
        case "merge":
            return rf"C_{{{found.numbers['head'] + 1}, {found.numbers['feature'] + 1}}} = {result}"
        case _:
            parts = [_latex_term(term) for term in found.terms]
            if len(parts) > MOST_TERMS:
                parts = [*parts[: MOST_TERMS - 2], r"\dots", parts[-1]]
            return " + ".join(parts) + f" = {result}"


def _latex_term(term: Term) -> str:
    return r" \cdot ".join(_bracketed(factor) for factor in term.factors)


def _bracketed(value: float) -> str:
    shown = _latex_number(value)
    return f"({shown})" if shown.startswith("{-") else shown


def _latex_number(value: float) -> str:
    shown = number(value).replace("inf", r"\infty ").replace("NaN", r"\mathrm{NaN}")
    return f"{{{shown}}}" if shown.startswith("-") else shown  # braces: a sign, not a subtraction


def _shown(name: str, value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:g}" if name == "p" else number(value)  # p is what the learner set
