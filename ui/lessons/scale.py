"""The cards of the lesson on scaling: what the division by sqrt(d_k) does at each d_k, and in the learner's own run."""

from functools import lru_cache

import torch

from attention import Experiment, Trace
from attention.scaling import Spreads, row_weights, scaling_curves, seen_spreads
from figures import Series, bars_spec, lines_spec
from ui import reading
from ui.cards import chart_card
from ui.plot import Card
from ui.words import t

_curves = lru_cache(maxsize=64)(scaling_curves)  # 0.04 s for a seed
_row = lru_cache(maxsize=64)(row_weights)


def spread_card(seed: int) -> Card:
    """The spread of the scores against d_k; both axes are logarithmic, so that sqrt(d_k) is a straight line."""
    curves = _curves(seed)
    theory = Series(t("scale.theory"), torch.tensor(curves.widths).sqrt().numpy(), ink=2, dashed=True)
    series = [*_both(curves.raw_spread, curves.scaled_spread), theory]
    return _lines("score_spread", r"\sigma(q \cdot k) = \sqrt{d_k}", curves.widths, series, log_y=True)


def largest_card(seed: int) -> Card:
    """How much of a row its largest weight takes, against d_k."""
    curves = _curves(seed)
    series = _both(curves.raw_largest, curves.scaled_largest)
    return _lines("largest_weight", r"\max_j a_j", curves.widths, series)


def gradient_card(seed: int) -> Card:
    """The size of the softmax's gradient against d_k."""
    curves = _curves(seed)
    series = _both(curves.raw_gradient, curves.scaled_gradient)
    formula = r"\sqrt{\textstyle\sum_{ij} (\partial a_i / \partial s_j)^2}"
    return _lines("gradient_size", formula, curves.widths, series)


def row_card(d_k: int, seed: int) -> Card:
    """One query's weights at this d_k: of the raw scores beside those of the divided ones."""
    weights = _row(d_k, seed)
    bars = bars_spec(
        [str(key) for key in range(1, len(weights.raw) + 1)],
        _both(weights.raw, weights.scaled),
        x_title=t("figure.axes.key"),
        y_title=t("scale.weight"),
        y_range=(0, 1.02),
    )
    return chart_card("softmax_row", t("steps.softmax_row.title"), bars, formula=r"\mathrm{softmax}(s)")


def own_spreads(experiment: Experiment, trace: Trace, head: int) -> Spreads:
    """How far the head's scores scatter in the sentence shown, before and after the division."""
    item = reading.item(trace)
    return seen_spreads(*(trace[name].value[item, head] for name in ("scores", "scaled_scores")))


def _both(raw: torch.Tensor, scaled: torch.Tensor) -> list[Series]:
    return [Series(t("scale.raw"), raw.numpy(), ink=1), Series(t("scale.scaled"), scaled.numpy())]


def _lines(name: str, formula: str, widths: tuple[int, ...], series: list[Series], *, log_y: bool = False) -> Card:
    title = t(f"steps.{name}.title")
    figure = lines_spec(widths, series, x_title="d_k", y_title=title, log_x=True, log_y=log_y)
    return chart_card(name, title, figure, formula=formula)
