"""The cards of the dropout lesson: one draw, its row sums, train() beside eval(), and the mean of many draws."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from attention import Experiment, Trace, dropout_draws
from attention.dropout_draws import COUNTS, MeanOfDraws, expected_spread, fate, mean_of_draws
from figures import Scale, Series, bars_spec, lines_spec, signed_scale, weight_scale
from ui import reading
from ui.cards import chart_card, heatmap_card
from ui.lesson import script
from ui.plot import Card
from ui.runs import kept
from ui.steps import card
from ui.words import t

run_draw = kept(dropout_draws.run_draw)


class Dropped(NamedTuple):
    """How many of the weights that are not hidden one draw dropped."""

    dropped: int
    of: int


def dropped_in(trace: Trace, head: int) -> Dropped:
    """What the draw of ``trace`` did to the head's weights in the sentence shown."""
    kept, dropped = fate(*(_of_head(trace, name, head) for name in ("weights", "dropped_weights")))
    return Dropped(int(dropped.sum()), int((kept | dropped).sum()))


def draw_cards(trace: Trace, head: int) -> list[Card]:
    """The weights, the factor that the draw gave to each, the weights after it, and the sums of the rows."""
    before, after = (_of_head(trace, name, head) for name in ("weights", "dropped_weights"))
    kept, dropped = fate(before, after)
    rescale = 1 / (1 - trace.dropout)
    tokens = trace.tokens[reading.item(trace)]
    factors = heatmap_card(
        "dropout_factors",
        t("steps.dropout_factors.title"),
        torch.where(kept, rescale, torch.where(dropped, 0.0, torch.nan)).numpy(),
        ("query", "key"),
        tokens,
        weight_scale(rescale),
        formula=r"D_{ij} \in \{0,\ 1 / (1 - p)\}",
        shape=tuple(trace["weights"].value.shape),
        head=head,
        opens="dropped_weights",
    )
    factors.figure["layout"]["meta"]["gap"] = t("dropout.hidden")
    sums = bars_spec(
        tokens,
        [
            Series(t("dropout.before"), before.sum(dim=-1).numpy(), ink=2),
            Series(t("dropout.after"), after.sum(dim=-1).numpy()),
        ],
        x_title=t("figure.axis_titles.query"),
        y_title=t("dropout.sum"),
        y_range=(0, 1.05 * rescale),  # no draw can give more: the axis stays as it is
    )
    return [
        card(trace, "weights", head=head),
        factors,
        card(trace, "dropped_weights", head=head),
        chart_card("row_sums", t("steps.row_sums.title"), sums, formula=r"\textstyle\sum_j \tilde A_{ij}"),
    ]


def mode_cards(train: Trace, evaluation: Trace, head: int) -> list[Card]:
    """train() at the left, eval() at the right: what dropout hands on, and the context vectors that follow."""
    runs = {"train": train, "eval": evaluation}
    contexts = [run["context"].value[reading.item(train)].numpy() for run in runs.values()]
    scales = {"dropped_weights": weight_scale(1 / (1 - train.dropout)), "context": signed_scale(*contexts)}
    return [_mode_card(run, mode, name, head, scale) for name, scale in scales.items() for mode, run in runs.items()]


def mean_cards(experiment: Experiment, trace: Trace, head: int, draws: int) -> list[Card]:
    """The chosen query's weights beside their mean over so many draws; how the spread of such a mean shrinks."""
    weights = _of_head(trace, "weights", head)[reading.query(trace)]
    counts = tuple(sorted({*COUNTS, draws}))
    means = _means(tuple(weights.tolist()), experiment.dropout, experiment.seed, counts)
    place = counts.index(draws)
    row = bars_spec(
        trace.tokens[reading.item(trace)],
        [
            Series(t("dropout.undropped"), weights.numpy(), ink=2),
            Series(t("dropout.mean", draws=draws), means.mean[place].numpy()),
        ],
        x_title=t("figure.axis_titles.key"),
        y_title=t("dropout.weight"),
        y_range=(0, 1.05 * max(float(means.mean.max()), float(weights.max()))),  # the same for all counts
    )
    spread = lines_spec(
        counts,
        [
            Series(t("dropout.measured"), means.spread.numpy()),
            Series(t("dropout.expected"), expected_spread(weights, experiment.dropout, counts).numpy(), 2, dashed=True),
            Series(
                t("dropout.chosen", draws=draws), np.where(np.array(counts) == draws, means.spread.numpy(), np.nan), 1
            ),
        ],
        x_title=t("dropout.count"),
        y_title=t("dropout.spread"),
        log_x=True,
        log_y=True,
    )
    return [
        chart_card("mean_of_draws", t("steps.mean_of_draws.title"), row, formula=r"\frac{1}{n} \sum \tilde A_{ij}"),
        chart_card("spread_of_draws", t("steps.spread_of_draws.title"), spread, formula=r"\sim 1 / \sqrt{n}"),
    ]


def program(experiment: Experiment, draw: int) -> str:
    """A program that gives the numbers of the draw on screen."""
    if draw == 1:
        return script(experiment)
    return script(experiment, f"run_draw({{}}, {draw})", "from attention.dropout_draws import run_draw")


def _of_head(trace: Trace, name: str, head: int) -> torch.Tensor:
    return trace[name].value[reading.item(trace), head]


OPENS = {  # in the pass with dropout; without it, weights are handed on as they are, and no context is that pass's
    "train_dropped_weights": "dropped_weights",
    "train_context": "context",
    "eval_dropped_weights": "weights",
}


def _mode_card(trace: Trace, mode: str, name: str, head: int, scale: Scale) -> Card:
    step = trace[name]
    drawn = f"{mode}_{name}"
    return heatmap_card(
        drawn,
        t(f"steps.{drawn}.title"),
        _of_head(trace, name, head).numpy(),
        step.axes[2:],
        trace.tokens[reading.item(trace)],
        scale,
        formula=r"\tilde A_h = A_h" if (mode, name) == ("eval", "dropped_weights") else step.formula,
        shape=tuple(step.value.shape),
        head=head,
        opens=OPENS.get(drawn),
    )


@lru_cache(maxsize=64)
def _means(row: tuple[float, ...], dropout: float, seed: int, counts: tuple[int, ...]) -> MeanOfDraws:
    """10,000 draws take 0.1 s, and most changes on the page leave the row as it is."""
    return mean_of_draws(torch.tensor(row), dropout, seed, counts)
