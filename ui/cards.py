"""Cards: a heading in the page's language, and under it a heatmap or a chart."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from figures import Scale, heatmap_spec
from ui.formula import mathml
from ui.plot import Card
from ui.words import language, t, text

PER_TOKEN = ("query", "key", "token")


class _Said(NamedTuple):
    """What a heatmap says of its axes: in a sentence, on each of them, over a head's map."""

    axes: str
    titles: dict[str, str]
    head: str


def heatmap_card(
    name: str,
    title: str,
    values: np.ndarray,
    axes: Sequence[str],
    tokens: Sequence[str],
    scale: Scale,
    *,
    formula: str = "",
    shape: tuple[int, ...] | None = None,
    across: int = 4,
    picks: bool = False,
    labels: dict[str, Sequence[str]] | None = None,
    digits: int | None = None,
    head: int | None = None,
    opens: str | None = None,
) -> Card:
    """``values`` (row, column) or (head, row, column) as a heatmap; ``labels`` for axes that are not tokens.

    shape: what the heading says, the whole tensor's; that of ``values`` if it is not given. head, opens: see `Card`.
    """
    said = _said(language(), tuple(axes))
    return Card(
        step=name,
        title=title,
        formula=mathml(formula) if formula else "",
        shape=str(shape or values.shape),
        alt=t("figure.alt", title=title, axes=said.axes, shape=" x ".join(map(str, values.shape))),
        figure=heatmap_spec(
            values,
            axes,
            scale=scale,
            labels={**dict.fromkeys(PER_TOKEN, tokens), **(labels or {})},
            axis_titles=said.titles,
            head_title=said.head,
            across=across,
            digits=digits,
        ),
        head=head,
        picks=picks,
        opens=opens,
    )


@cache  # every map of a page says the same: to ask the session for its language each time took 3 ms of 20
def _said(language: str, axes: tuple[str, ...]) -> _Said:
    sentence = " x ".join(text(language, f"figure.axes.{axis}") for axis in axes)
    titles = {axis: text(language, f"figure.axis_titles.{axis}") for axis in axes}
    return _Said(sentence, titles, text(language, "figure.head"))


def grid_card(name: str, title: str, figure: dict[str, Any], formula: str, shape: tuple[int, ...]) -> Card:
    """``figures.grid_spec`` under a heading; a click on one of its maps is told to the page."""
    alt = t("figure.grid_alt", title=title, layers=shape[0], heads=shape[1])
    return Card(name, title, mathml(formula), str(shape), alt, figure, picks=True)


def chart_card(name: str, title: str, figure: dict[str, Any], *, formula: str = "") -> Card:
    """``figures.lines_spec`` or ``figures.bars_spec`` under a heading."""
    alt = t("figure.chart_alt", title=title, series=", ".join(line["name"] for line in figure["data"]))
    return Card(name, title, mathml(formula) if formula else "", "", alt, figure, kind="chart")
