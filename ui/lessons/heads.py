"""Cards of the heads lesson: three ways to compute the heads, and whose number is where after a split."""

from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import NamedTuple, cast

from cachetools import LRUCache, cached

from attention import Experiment, LearnerError, MultiHeadAttention, Trace
from attention.head_views import HEAD_VIEWS, HeadView, Labels, labelled_rows, labelled_split
from figures import Scale, signed_scale, weight_scale
from ui import reading
from ui.cards import heatmap_card
from ui.plot import Card
from ui.runs import size
from ui.steps import head_features
from ui.words import t

LARGEST = 16 * 2**20  # bytes kept in all


def with_heads(experiment: Experiment) -> Experiment:
    """``experiment``, with two heads where it has one and d_out can be shared."""
    if experiment.num_heads > 1:
        return experiment
    try:
        return replace(experiment, num_heads=2)
    except LearnerError:
        return experiment


def _size(views: dict[str, HeadView]) -> int:
    return size(tensor for view in views.values() for tensor in view)


@cached(LRUCache(LARGEST, _size), lock=Lock())
def computed(experiment: Experiment) -> dict[str, HeadView]:
    """What each of the three ways gives, for the same weights and inputs; shared by all sessions: read it only."""
    module, x = experiment.build()
    attention = cast("MultiHeadAttention", module)
    return {name: way(attention, x) for name, way in HEAD_VIEWS.items()}


def way_cards(experiment: Experiment, trace: Trace, views: Mapping[str, HeadView]) -> list[Card]:
    """The merged context of each way."""
    item = reading.item(trace)
    numbers = {name: view.merged_context[item].numpy() for name, view in views.items()}
    tokens = trace.tokens[item]
    return [
        heatmap_card(
            name,
            t(f"steps.{name}.title"),
            values,
            ("query", "merged"),
            tokens,
            signed_scale(*numbers.values()),
            formula=FORMULAS[name],
            shape=tuple(views[name].merged_context.shape),
            labels={"merged": head_features(trace)},
            opens="merged_context",
        )
        for name, values in numbers.items()
    ]


FORMULAS = {
    "stacked_heads": r"[\mathrm{head}_1(X), \dots, \mathrm{head}_H(X)]",
    "one_matrix": r"X \, [W_1, \dots, W_H]",
    "batch_of_heads": r"Q_{bhif} = \sum_d X_{bid} W_{hdf}",
}


class Splits(NamedTuple):
    """Whose number is where: before the split, after the right one, after the wrong one; and what it shows."""

    cards: list[Card]
    equal: bool  # the two splits
    example: str  # how token 3, feature 2 is written
    last: int  # the last token, counted from 1, of which head 1 holds a number after the wrong split


def splits(experiment: Experiment, trace: Trace) -> Splits:
    """Numbers that say where they come from: 3.02 is token 3, feature 2."""
    n, d_out, num_heads = experiment.context_length, experiment.d_out, experiment.num_heads
    rows = labelled_rows(n, d_out)
    right, wrong = (labelled_split(split, n, d_out, num_heads) for split in ("right", "wrong"))
    unsplit = Labels(rows.token[0], rows.feature[0])
    cards = [
        _labelled(experiment, trace, "labelled_rows", unsplit, r"X W_q"),
        _labelled(experiment, trace, "right_split", right, r"\mathrm{view} \to \mathrm{transpose}"),
        _labelled(experiment, trace, "wrong_split", wrong, r"\mathrm{view}"),
    ]
    return Splits(
        cards, right.token.equal(wrong.token), f"{3 + 2 / 10 ** _digits(experiment):g}", int(wrong.token[0].max()) + 1
    )


def _labelled(experiment: Experiment, trace: Trace, name: str, labels: Labels, formula: str) -> Card:
    digits = _digits(experiment)
    values = (labels.token + 1 + (labels.feature + 1) / 10**digits).numpy()
    light, dark, *_ = weight_scale()
    return heatmap_card(
        name,
        t(f"steps.{name}.title"),
        values,
        ("token", "merged") if values.ndim == 2 else ("head", "token", "feature"),
        trace.tokens[reading.item(trace)],
        Scale(light, dark, 0.0, experiment.context_length + 1.0),
        formula=formula,
        across=2 if experiment.num_heads <= 2 else 4,
        labels={"merged": head_features(trace)},
        digits=digits,
    )


def _digits(experiment: Experiment) -> int:
    """How many digits number the features."""
    return 2 if experiment.d_out < 100 else 3
