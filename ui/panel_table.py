"""The table of an open cell: its terms with a bar for each, or, for a weight, the whole row of its query token."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from torch import Tensor

from attention import Arithmetic, Cell, Term, Trace
from ui.numbers import number
from ui.words import t


def table(trace: Trace, item: int, cell: Cell, found: Arithmetic, tokens: Sequence[str]) -> dict[str, Any] | None:
    """Title, columns, rows and their sum for the browser; None where a cell is made of a single number."""
    keys = [f"{place} · {token}" for place, token in enumerate(tokens, 1)]
    title = t("cell.row", query=f"{cell.row + 1} ({tokens[cell.row]})") if cell.row < len(tokens) else ""
    match found.rule:
        case "softmax":
            powers = found.numbers["sum"]
            shares = [[*term.factors, term.value, term.value / powers] for term in found.terms]
            columns = [t("cell.factors.weights.a"), t("cell.exponential"), t("cell.weight")]
            total: list[float | str] = ["", powers, sum(share[-1] for share in shares)]
            return _table(title, t("figure.axes.key"), columns, keys, shares, total, cell)
        case "dropout":
            before, after = (row_of(trace, name, item, cell).tolist() for name in ("weights", "dropped_weights"))
            columns = [t("cell.weight"), t("steps.dropped_weights.title")]
            pairs = list(zip(before, after, strict=True))
            return _table(title, t("figure.axes.key"), columns, keys, pairs, [sum(before), sum(after)], cell)
        case "add":
            labels = [t("steps.embedding.title"), t("steps.positions.title")]
            values = [[term.value] for term in found.terms]
            return _table("", t("cell.vector"), [t("cell.value")], labels, values, [found.result], None)
        case _ if found.terms:
            names = [
                t(f"cell.factors.{cell.step}.{name}") for name, _ in zip("ab", found.terms[0].factors, strict=False)
            ]
            labels = [_label(term, found.over, keys) for term in found.terms]
            rows = [_numbers(term, len(names)) for term in found.terms]
            total = [*[""] * len(names), sum(term.value for term in found.terms)]
            return _table("", t(f"figure.axes.{found.over}"), [*names, t("cell.product")], labels, rows, total, None)
    return None


def row_of(trace: Trace, name: str, item: int, cell: Cell) -> Tensor:
    """The numbers of a step in the row of ``cell``. Shape (column,)."""
    value = trace.explained[name].value[item]  # ([head,] row, column)
    return (value if cell.head is None else value[cell.head])[cell.row]


def number_of(trace: Trace, item: int, cell: Cell) -> float:
    """The number in ``cell``."""
    return float(row_of(trace, cell.step, item, cell)[cell.column])


def _table(
    title: str,
    axis: str,
    columns: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[Sequence[float | str]],
    total: Sequence[float | str],
    own: Cell | None,
) -> dict[str, Any]:
    ends = [float(row[-1]) for row in rows]
    ends = [end if isfinite(end) else 0.0 for end in ends]  # NaN has no bar
    largest = max(map(abs, ends), default=0.0) or 1.0
    return {
        "title": title,
        "columns": [axis, *columns],
        "rows": [
            {
                "label": label,
                "numbers": list(map(number, row)),
                "bar": end / largest,
                "own": bool(own and own.column == i),
            }
            for i, (label, row, end) in enumerate(zip(labels, rows, ends, strict=True))
        ],
        "total": [t("cell.sum"), *map(number, total)],
    }


def _label(term: Term, over: str, keys: Sequence[str]) -> str:
    if term.place is None:
        return t("cell.bias")
    return keys[term.place] if over == "key" else str(term.place + 1)


def _numbers(term: Term, factors: int) -> list[float | str]:
    return [*(term.factors if term.place is not None else [""] * factors), term.value]
