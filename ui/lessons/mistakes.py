"""The mistakes lesson: a right run beside a mistaken one, in the same colours, and the figures that prove the harm."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import isnan

import numpy as np
from torch import Tensor

from attention import Cell, Experiment, Trace
from attention.mistakes import Mistake, future_weight, row_sums
from figures import Scale, signed_scale, weight_scale
from figures.charts import Series, bars_spec
from ui import reading
from ui.cards import chart_card
from ui.formula import mathml
from ui.lesson import script
from ui.numbers import number
from ui.panel_table import number_of
from ui.plot import Card
from ui.runs import mistaken
from ui.steps import card
from ui.words import t


def changes(own: Experiment, shown: Experiment) -> str:
    """What was changed in the learner's experiment, and why, sentence by sentence; "" if nothing was."""
    before, after = asdict(own), asdict(shown)
    changed = [name for name in ("num_heads", "d_out", "mask", "mode", "dropout") if before[name] != after[name]]
    values = [{"old": _plain(before[name]), "new": _plain(after[name])} for name in changed]
    reasons = [t(f"mistakes.changes.{name}", **value) for name, value in zip(changed, values, strict=True)]
    return t("mistakes.changed", changes="".join(reasons)) if reasons else ""


def has_heads(mistake: Mistake, right: Trace) -> bool:
    """Whether the mistake is drawn in one head, and not in what the heads give together."""
    return any("head" in right[step].axes for step in mistake.shows)


def pairs(experiment: Experiment, mistake: Mistake, right: Trace, wrong: Trace, head: int) -> list[Card]:
    """Each step in which the mistake shows: the right one, then the mistaken one."""
    cards = []
    for step, formula in mistake.shows.items():
        scale = _shared_scale(experiment, step, right, wrong)
        cards += [
            _side(card(right, step, head=head, scale=scale), t("mistakes.right")),
            _side(card(wrong, step, head=head, scale=scale, labels={}), t("mistakes.mistaken"), formula),
        ]
    return cards


def beside(experiment: Experiment, name: str, item: int, cell: Cell) -> str:
    """What the open cell of the right run is with the mistake."""
    return t("mistakes.beside", value=number(number_of(mistaken(experiment, name), item, cell)))


def bars(mistake: Mistake, right: Trace, wrong: Trace, head: int) -> list[Card]:
    """The figure of each query of one head, right beside mistaken, where the proof is made of such figures."""
    if mistake.proof not in PER_QUERY:
        return []
    name, measured = PER_QUERY[mistake.proof]
    item = reading.item(right)
    heights = [measured(run, item)[head].numpy() for run in (right, wrong)]
    highest = max(float(np.nanmax(each, initial=1.0)) for each in heights)
    series = [
        Series(t("mistakes.right"), heights[0]),
        Series(t("mistakes.mistaken"), heights[1], ink=1),
    ]
    title = t(f"mistakes.bars.{name}")
    figure = bars_spec(
        right.tokens[item],
        series,
        x_title=t("figure.axis_titles.query"),
        y_title=title,
        y_range=(0.0, 1.05 * highest),
    )
    return [chart_card(name, title, figure)]


def differ(one: float, other: float) -> bool:
    """Whether two figures are not the same number, as far as rounding lets one tell."""
    return isnan(one) != isnan(other) or abs(one - other) > 1e-6


def shows_nan(mistake: Mistake, wrong: Trace, item: int) -> bool:
    """Whether a map of the mistaken run has cells that are no numbers."""
    return any(bool(wrong[step].value[item].isnan().any()) for step in mistake.shows)


def program(experiment: Experiment, name: str, item: int) -> str:
    """A program that makes both runs, and prints the figures of both."""
    return (
        f"{script(experiment)}\n"
        "from attention.mistakes import measure, run_mistaken\n\n"
        f"mistaken = run_mistaken({experiment!r}, {name!r})\n"
        f"print(measure(trace, trace, item={item}))\n"
        f"print(measure(mistaken, trace, item={item}))\n"
    )


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _dropped_row_sums(run: Trace, item: int) -> Tensor:
    return row_sums(run, item, "dropped_weights")  # (head, query)


PER_QUERY: Mapping[str, tuple[str, Callable[[Trace, int], Tensor]]] = {
    "row_sums": ("row_sums", row_sums),
    "dropped_row_sums": ("dropped_row_sums", _dropped_row_sums),
    "kept_scale": ("dropped_row_sums", _dropped_row_sums),
    "future_weight": ("future_weight", future_weight),
}


def _side(made: Card, side: str, formula: str = "") -> Card:
    named = made.titled(f"{made.title} · {side}")
    return named._replace(formula=mathml(formula)) if formula else named


def _shared_scale(experiment: Experiment, step: str, right: Trace, wrong: Trace) -> Scale:
    """One range for both runs and all heads; weights keep the range that they have on every page."""
    if step == "weights":
        return weight_scale()
    if step == "dropped_weights":
        return weight_scale(1 / (1 - experiment.dropout))  # also where the mistake drops in eval()
    item = reading.item(right)
    return signed_scale(*(run[step].value[item].numpy() for run in (right, wrong)))
