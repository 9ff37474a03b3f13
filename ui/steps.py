"""A trace's step as a card: its heatmap with name, formula and shape."""

from collections.abc import Sequence

from torch import Tensor

from attention import Experiment, Trace, TracedStep
from figures import Scale, printable, signed_scale, weight_scale
from ui import reading
from ui.cards import heatmap_card
from ui.plot import Card
from ui.words import t

SCORES = ("scores", "masked_scores", "scaled_scores")  # one range for the three: scaling shows as paler colours


def card(
    trace: Trace,
    name: str,
    *,
    head: int | None = None,
    across: int = 4,
    scale: Scale | None = None,
    labels: dict[str, Sequence[str]] | None = None,
) -> Card:
    """The step ``name`` (or ``"inputs"``) of the sentence shown: one head, or all where ``head`` is None.

    A head's keys and values are those of its group, where several heads share them.

    scale: where another run is drawn beside it, the colours of both. labels: instead of the features' own names.
    """
    step = trace.inputs if name == "inputs" else trace[name]
    item = reading.item(trace)
    values = step.value[item].numpy()
    axes = step.axes[1:]
    if axes[0] in ("head", "group") and head is not None:
        values, axes = values[trace.place(name, head)], axes[1:]
    return heatmap_card(
        name,
        t(f"steps.{name}.title"),
        values,
        axes,
        trace.tokens[item],
        scale or _scale(trace, name, step, item),
        formula=step.formula,
        shape=tuple(step.value.shape),
        across=across,
        labels={"merged": head_features(trace)} if labels is None and "merged" in axes else labels,
        head=head if {"head", "group"} & {*step.axes} else None,
    )


def vector_card(trace: Trace, name: str, vectors: Tensor, formula: str) -> Card:
    """What the input vectors are made of: (token, d_in) numbers that are no step of the pass."""
    numbers = vectors.numpy()
    tokens = trace.tokens[reading.item(trace)]
    title = t(f"steps.{name}.title")
    axes, scale = ("token", "d_in"), signed_scale(numbers)
    return heatmap_card(name, title, numbers, axes, tokens, scale, formula=formula, opens="inputs")


def unsplit_card(trace: Trace) -> Card:
    """The queries of all heads as the one matrix that W_query gives, before ``view`` and ``transpose``."""
    split = trace["queries"].value  # (batch, head, query, feature)
    unsplit = split.transpose(1, 2).flatten(2)  # (batch, query, merged)
    item = reading.item(trace)
    numbers = unsplit[item].numpy()
    return heatmap_card(
        "unsplit_queries",
        t("steps.unsplit_queries.title"),
        numbers,
        ("query", "unsplit"),
        trace.tokens[item],
        signed_scale(numbers),
        formula=r"X W_q + b_q" if trace.has_bias else r"X W_q",
        shape=tuple(unsplit.shape),
        labels={"unsplit": head_features(trace)},
        opens="queries",
    )


def head_features(trace: Trace) -> list[str]:
    """A name for each of the d_out numbers: its head, and which feature of the head it is."""
    _, num_heads, _, head_dim = trace["queries"].value.shape
    return [f"{head + 1}·{feature + 1}" for head in range(num_heads) for feature in range(head_dim)]


MOST_CELLS = 6_000  # in a step, to show several steps or all heads side by side


def weights_in_a_step(experiment: Experiment) -> int:
    """How many cells a step has in all heads: what a page goes by to show less at once."""
    return experiment.num_heads * experiment.context_length**2


def _scale(trace: Trace, name: str, step: TracedStep, item: int) -> Scale:
    match name:
        case "weights":
            return weight_scale()
        case "dropped_weights":
            return weight_scale(1 / (1 - trace.dropout))
        case _:
            shared = SCORES if name in SCORES else ()
            return signed_scale(*(trace[other].value[item].numpy() for other in shared), step.value[item].numpy())


def strip(tokens: Sequence[str], pieces_of: Sequence[int], title: str) -> dict[str, object]:
    """The sentence as a row of words to choose from; the pieces of a word stand together."""
    groups = [*pieces_of, *range(len(tokens), 2 * len(tokens) - len(pieces_of))]
    return {"title": title, "tokens": [printable(token) for token in tokens], "groups": groups}
