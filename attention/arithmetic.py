r"""Where a single number of a trace comes from: the few numbers it was made of, and the rule.

    inputs                  x_i  = e_i + p_i                       the token's vector, and its position's
    queries, keys, values   q_f  = sum_i x_i W_if (+ b_f)
    rotated_queries, _keys  x'_2i = x_2i cos - x_2i+1 sin,  x'_2i+1 = x_2i sin + x_2i+1 cos  (grouped-query only)
    scores                  s_ij = sum_f q_if k_jf
    masked_scores           m_ij = -inf if hidden, else s_ij
    scaled_scores           m_ij / sqrt(head_dim)
    weights                 a_ij = exp(z_ij - max_j z_ij) / sum_j exp(z_ij - max_j z_ij)
    dropped_weights         0 if dropped, else a_ij / (1 - p)
    context                 c_if = sum_j a_ij v_jf
    merged_context          the same number, at its head's place
    output                  o_ig = sum_m c_im W_mg + b_g

In grouped-query attention q and k are the rotated ones, and k and v are those of the head's group.
Every number is the trace's own or the module's own; `result` is put together from them anew, so that it can be
held against the cell. Source: Raschka, Build a Large Language Model (From Scratch), 2024, sections 3.4 to 3.6;
for the rotation: Su et al. 2021, RoFormer, section 3.4.2.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import cos, exp, inf, prod, sin, sqrt
from typing import NamedTuple, cast

from torch import Tensor, nn

from attention.rotary import rotary_angles
from attention.trace import Trace


class Cell(NamedTuple):
    """One number of a step, all counted from 0; `head` is None where a step has no heads, and a step's group if it
    has groups."""

    step: str
    head: int | None
    row: int
    column: int


class Term(NamedTuple):
    """One summand: its place along the axis summed over (None: the bias), its factors, and their product."""

    place: int | None
    factors: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Arithmetic:
    """How a cell was computed. `numbers` are what the rule needs beside the terms, such as head_dim."""

    rule: str  # add, linear, rotate, dot_product, mask, scale, softmax, dropout, weighted_sum, switched_off, merge
    over: str  # the axis that the terms run along; empty where nothing is summed
    terms: tuple[Term, ...]
    result: float
    numbers: Mapping[str, float] = field(default_factory=dict)


def explain(trace: Trace, cell: Cell, item: int = 0) -> Arithmetic:
    """The arithmetic of one cell of batch item `item`: of a step, or of the "inputs" if `trace.made_of` is known.

    Raises KeyError for a step that the trace has not.
    """
    if cell.step not in trace.explained:
        raise KeyError(cell.step)
    return _RULES[cell.step](_Pass(trace, item), cell)


class _Pass(NamedTuple):
    """What the rules read: a step of one item and head, and the module's own layers."""

    trace: Trace
    item: int

    def step(self, name: str, head: int | None) -> Tensor:
        value = self.trace[name].value[self.item]  # ([head,] row, column)
        return value if head is None else value[head]  # (row, column)

    def number(self, name: str, cell: Cell) -> float:
        """What another step has in the place of `cell`."""
        return float(self.step(name, cell.head)[cell.row, cell.column])

    def of_group(self, name: str, head: int | None) -> Tensor:
        """The step of one head, where heads may share its numbers: that of its group then."""
        return self.step(name, None if head is None else self.trace.place(name, head))

    def layer(self, name: str) -> nn.Linear:
        layer = getattr(self.trace.module, name)
        assert isinstance(layer, nn.Linear)
        return layer

    @property
    def head_dim(self) -> int:
        return self.trace["queries"].value.shape[-1]


def _inputs(seen: _Pass, cell: Cell) -> Arithmetic:
    parts = [float(part[seen.item, cell.row, cell.column]) for part in seen.trace.made_of]
    return _sum("add", "", tuple(Term(place, (part,), part) for place, part in enumerate(parts)))


def _projection(layer: str) -> Callable[[_Pass, Cell], Arithmetic]:
    def rule(seen: _Pass, cell: Cell) -> Arithmetic:
        x = seen.trace.inputs.value[seen.item, cell.row]  # (d_in,)
        column = cell.column + (cell.head or 0) * seen.head_dim
        return _linear(x, seen.layer(layer), column, "d_in")

    return rule


def _output(seen: _Pass, cell: Cell) -> Arithmetic:
    merged = seen.step("merged_context", None)[cell.row]  # (merged,)
    return _linear(merged, seen.layer("out_proj"), cell.column, "merged")


def _linear(x: Tensor, layer: nn.Linear, column: int, over: str) -> Arithmetic:
    terms = _products(x, layer.weight[column].detach())
    if layer.bias is not None:
        bias = float(layer.bias.detach()[column])
        terms = (*terms, Term(None, (bias,), bias))
    return _sum("linear", over, terms)


def _rotation(step: str) -> Callable[[_Pass, Cell], Arithmetic]:
    def rule(seen: _Pass, cell: Cell) -> Arithmetic:
        pair = cell.column // 2
        base = cast("float", seen.trace.module.rotary_base)
        angle = float(rotary_angles(cell.row + 1, seen.head_dim, base)[cell.row, pair])
        turn = (cos(angle), -sin(angle)) if cell.column % 2 == 0 else (sin(angle), cos(angle))
        vector = seen.step(step, cell.head)[cell.row]  # (feature,)
        both = tuple(zip((2 * pair, 2 * pair + 1), vector[2 * pair : 2 * pair + 2].tolist(), turn, strict=True))
        terms = tuple(Term(place, (number, factor), number * factor) for place, number, factor in both)
        return _sum("rotate", "feature", terms, {"position": cell.row, "angle": angle})

    return rule


def _scores(seen: _Pass, cell: Cell) -> Arithmetic:
    turned = "rotated_" if "rotated_keys" in seen.trace else ""
    query = seen.step(turned + "queries", cell.head)[cell.row]  # (feature,)
    key = seen.of_group(turned + "keys", cell.head)[cell.column]  # (feature,)
    return _sum("dot_product", "feature", _products(query, key))


def _masked(seen: _Pass, cell: Cell) -> Arithmetic:
    score = seen.number("scores", cell)
    hidden = seen.number("masked_scores", cell) == -inf
    return Arithmetic("mask", "", (), -inf if hidden else score, {"score": score, "hidden": hidden})


def _scaled(seen: _Pass, cell: Cell) -> Arithmetic:
    masked = seen.number("masked_scores", cell)
    return Arithmetic("scale", "", (), masked / sqrt(seen.head_dim), {"masked": masked, "head_dim": seen.head_dim})


def _weights(seen: _Pass, cell: Cell) -> Arithmetic:
    row = seen.step("scaled_scores", cell.head)[cell.row].tolist()  # (key,)
    largest = max(row)
    terms = tuple(Term(place, (scaled,), exp(scaled - largest)) for place, scaled in enumerate(row))
    total = sum(term.value for term in terms)
    return Arithmetic("softmax", "key", terms, terms[cell.column].value / total, {"maximum": largest, "sum": total})


def _dropped(seen: _Pass, cell: Cell) -> Arithmetic:
    weight = seen.number("weights", cell)
    after = seen.number("dropped_weights", cell)
    p = seen.trace.dropout
    kept = after != 0
    return Arithmetic("dropout", "", (), weight / (1 - p) if kept else 0.0, {"weight": weight, "p": p, "kept": kept})


def _context(seen: _Pass, cell: Cell) -> Arithmetic:
    weights = seen.step("dropped_weights", cell.head)[cell.row]  # (key,)
    values = seen.of_group("values", cell.head)[:, cell.column]  # (key,)
    made = _sum("weighted_sum", "key", _products(weights, values))
    if made.result != 0 and not seen.step("context", cell.head).any():  # a tap multiplied it by 0
        return replace(made, rule="switched_off", result=0.0, numbers={"sum": made.result})
    return made


def _merged(seen: _Pass, cell: Cell) -> Arithmetic:
    head, feature = divmod(cell.column, seen.head_dim)
    value = float(seen.step("context", head)[cell.row, feature])
    return Arithmetic("merge", "", (), value, {"head": head, "feature": feature})


def _products(one: Tensor, other: Tensor) -> tuple[Term, ...]:
    pairs: Iterable[tuple[float, float]] = zip(one.tolist(), other.tolist(), strict=True)
    return tuple(Term(place, pair, prod(pair)) for place, pair in enumerate(pairs))


def _sum(rule: str, over: str, terms: tuple[Term, ...], numbers: Mapping[str, float] | None = None) -> Arithmetic:
    return Arithmetic(rule, over, terms, sum(term.value for term in terms), numbers or {})


_RULES: dict[str, Callable[[_Pass, Cell], Arithmetic]] = {
    "inputs": _inputs,
    "queries": _projection("W_query"),
    "keys": _projection("W_key"),
    "values": _projection("W_value"),
    "rotated_queries": _rotation("queries"),
    "rotated_keys": _rotation("keys"),
    "scores": _scores,
    "masked_scores": _masked,
    "scaled_scores": _scaled,
    "weights": _weights,
    "dropped_weights": _dropped,
    "context": _context,
    "merged_context": _merged,
    "output": _output,
}
