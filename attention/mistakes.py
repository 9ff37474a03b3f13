r"""Common mistakes: attention with one piece of its code changed, run on the same experiment.

    mistaken = the function whose source has `wrong` where the real source has `right`

The changed source is compiled among the names of its own module: what runs is what the diff shows, and the real
functions are left as they are. `measure` gives the figures that prove the damage, for the right run too.
Source: Raschka, Build a Large Language Model (From Scratch), 2024, sections 3.5 and 3.6.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import cache
from inspect import getsource
from math import nan
from textwrap import dedent
from types import MethodType
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn

from attention.experiment import Experiment
from attention.masks import causal_mask, sliding_window_mask
from attention.multihead import MultiHeadAttention
from attention.trace import Trace

Proof = Literal[
    "row_sums", "dropped_row_sums", "future_weight", "nan_count", "scaled_spread", "kept_scale", "largest_difference"
]


@dataclass(frozen=True)
class Mistake:
    """In the source of the function `where`, `right` (found once) gives way to `wrong`; `proof` shows the damage.

    `shows`: the steps that look different, with the formula that each has now ("" = the step's own).
    """

    name: str
    where: Callable[..., Any]
    right: str
    wrong: str
    proof: Proof
    shows: Mapping[str, str] = field(hash=False)


_HIDE_THE_FUTURE = ("causal", "sliding_window")  # the masks made with causal_mask
_forward = MultiHeadAttention.forward
_drop = "self.dropout(weights)"

_IN_TEACHING_ORDER = (
    Mistake(
        "sqrt_d_out",
        where=_forward,
        right="self.head_dim**0.5",
        wrong="self.d_out**0.5",
        proof="scaled_spread",
        shows={
            "scaled_scores": r"M_h / \sqrt{d_{out}}",
            "weights": r"A_h = \mathrm{softmax}(M_h / \sqrt{d_{out}})",
        },
    ),
    Mistake(
        "no_scaling",
        where=_forward,
        right="masked_scores / self.head_dim**0.5",
        wrong="masked_scores",
        proof="scaled_spread",
        shows={"scaled_scores": r"M_h", "weights": r"A_h = \mathrm{softmax}(M_h)"},
    ),
    Mistake(
        "mask_after_softmax",
        where=_forward,
        right="torch.softmax(scaled_scores, dim=-1)",
        wrong="torch.softmax(scores / self.head_dim**0.5, dim=-1) * ~hidden",
        proof="row_sums",
        shows={"weights": r"A_h = \mathrm{mask}(\mathrm{softmax}(S_h / \sqrt{d_{head}}), 0)"},
    ),
    Mistake(
        "softmax_axis",
        where=_forward,
        right="dim=-1",
        wrong="dim=-2",
        proof="row_sums",
        shows={"weights": r"A_h = \mathrm{softmax}_{query}(M_h / \sqrt{d_{head}})"},
    ),
    Mistake(
        "tril",
        where=causal_mask,
        right="triu",
        wrong="tril",
        proof="future_weight",
        shows={"masked_scores": "", "weights": ""},
    ),
    Mistake(
        "diagonal_zero",
        where=causal_mask,
        right="diagonal=1",
        wrong="diagonal=0",
        proof="nan_count",
        shows={"weights": "", "output": ""},
    ),
    Mistake(
        "no_transpose_on_merge",
        where=_forward,
        right="context.transpose(1, 2)",
        wrong="context",
        proof="largest_difference",
        shows={"merged_context": r"C = \mathrm{reshape}(C_1, \dots, C_H)", "output": ""},
    ),
    Mistake(
        "dropout_in_eval",
        where=_forward,
        right=_drop,
        wrong="self.dropout.train()(weights)",
        proof="dropped_row_sums",
        shows={"dropped_weights": ""},
    ),
    Mistake(
        "dropout_without_rescale",
        where=_forward,
        right=_drop,
        wrong=f"weights * ({_drop} > 0)",
        proof="kept_scale",
        shows={"dropped_weights": r"\tilde A_h = (1 - p) \, \mathrm{dropout}(A_h)"},
    ),
    Mistake(
        "keys_queries_swapped",
        where=_forward,
        right="queries @ keys",
        wrong="keys @ queries",
        proof="largest_difference",
        shows={"scores": r"S_h = K_h Q_h^\top", "weights": ""},
    ),
)
MISTAKES: dict[str, Mistake] = {mistake.name: mistake for mistake in _IN_TEACHING_ORDER}


@cache
def diff(mistake: Mistake) -> str:
    """The one place where the mistake changes the source: lines with ' ', '-' or '+' in front."""
    right, wrong = source(mistake).splitlines(), _wrong_source(mistake).splitlines()
    return "\n".join(list(unified_diff(right, wrong, lineterm="", n=2))[3:])  # 3 lines of file names and numbers


@cache
def source(mistake: Mistake) -> str:
    """The source of the real function that the mistake is made in."""
    return dedent(getsource(mistake.where))


def showing(experiment: Experiment, name: str) -> Experiment:
    """`experiment` with as little changed as mistake `name` needs to do harm: its line must matter.

    What no other choice can help is left: with one token, most mistakes change nothing.
    Raises `LearnerError` if two heads are too many for so large a batch.
    """
    changes: dict[str, Any] = {}
    match name:
        case "sqrt_d_out" | "no_transpose_on_merge" if experiment.num_heads == 1:
            changes = {"num_heads": 2, "d_out": experiment.d_out + experiment.d_out % 2}
        case "mask_after_softmax" | "tril" | "diagonal_zero" if experiment.mask not in _HIDE_THE_FUTURE:
            changes = {"mask": "causal"}
        case "dropout_in_eval" | "dropout_without_rescale":
            mode = "eval" if name == "dropout_in_eval" else "train"
            changes = {"mode": mode, "dropout": experiment.dropout or 0.5}
    return replace(experiment, **changes)


def run_mistaken(experiment: Experiment, name: str) -> Trace:
    """`experiment.run()` with mistake `name`: the same parameters, inputs and draws of dropout.

    It shows only where its line matters: see `showing`.
    Raises KeyError for an unknown name, ValueError for a variant that is not multi_head.
    """
    mistake = MISTAKES[name]
    if experiment.variant != "multi_head":
        raise ValueError(f"mistakes are made in variant 'multi_head', but this experiment runs '{experiment.variant}'")

    def make(module: nn.Module) -> None:
        if mistake.where is not causal_mask:
            module.forward = MethodType(_changed(mistake), module)
        elif experiment.mask in _HIDE_THE_FUTURE:
            module.mask = experiment.with_padding_hidden(_mask(experiment, _changed(mistake)))

    return experiment.run(alter=make)


def row_sums(trace: Trace, item: int, step: str = "weights") -> Tensor:
    """What each query's weights (or dropped_weights) sum to. Shape (head, query)."""
    return trace[step].value[item].sum(dim=-1)  # (head, query)


def future_weight(trace: Trace, item: int) -> Tensor:
    """The weight on keys after the query; NaN for a row of NaN. A leak if the mask is causal. Shape (head, query)."""
    weights = trace["weights"].value[item]  # (head, query, key)
    later = torch.ones_like(weights).triu(diagonal=1)  # (head, query, key)
    return (weights * later).sum(dim=-1)  # (head, query): 0 x NaN stays NaN


def measure(trace: Trace, right: Trace, item: int) -> dict[str, float]:
    """The figures of one batch item, by `Proof`; `measure(right, right, item)` is what they should be.

    row_sums, dropped_row_sums: the sum farthest from 1, before and after dropout. future_weight: mean over rows.
    nan_count: in the output. scaled_spread: standard deviation of the finite scaled scores. kept_scale: mean of dropped
    weight / weight where kept. largest_difference: of the outputs. NaN is left out; a figure of nothing is NaN.
    """
    scaled = trace["scaled_scores"].value[item]  # (head, query, key)
    finite = scaled[scaled.isfinite()]  # (finite,)
    weights, dropped = trace["weights"].value[item], trace["dropped_weights"].value[item]  # (head, query, key)
    output = trace["output"].value[item]  # (query, output)
    return {
        "row_sums": _farthest(row_sums(trace, item), 1),
        "dropped_row_sums": _farthest(row_sums(trace, item, "dropped_weights"), 1),
        "future_weight": future_weight(trace, item).nanmean().item(),
        "nan_count": int(output.isnan().sum()),
        "scaled_spread": finite.std(correction=0).item() if len(finite) else nan,
        "kept_scale": (dropped / weights)[dropped > 0].mean().item(),
        "largest_difference": _farthest((output - right["output"].value[item]).abs(), 0),
    }


def _wrong_source(mistake: Mistake) -> str:
    return dedent(getsource(mistake.where).replace(mistake.right, mistake.wrong))


@cache
def _changed(mistake: Mistake) -> Callable[..., Any]:
    names: dict[str, Any] = dict(mistake.where.__globals__)
    exec(compile(_wrong_source(mistake), f"<{mistake.name}>", "exec"), names)
    return cast("Callable[..., Any]", names[mistake.where.__name__])


def _mask(experiment: Experiment, wrong: Callable[[int], Tensor]) -> Tensor:
    """What the experiment hides, with `wrong` for causal_mask. Shape (query, key)."""
    n = experiment.context_length
    window = experiment.window if experiment.mask == "sliding_window" else n
    return wrong(n) | sliding_window_mask(n, window) & ~causal_mask(n)  # (query, key)


def _farthest(values: Tensor, goal: float) -> float:
    return values.flatten()[(values - goal).abs().nan_to_num(-1).argmax()].item()  # ()
