"""Cards: a heading in the page's language, and under it a heatmap or a chart."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures import Scale, heatmap_spec
from ui.formula import mathml
from ui.plot import Card
from ui.words import t

PER_TOKEN = ("query", "key", "token")


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
) -> Card:
    """``values`` (row, column) or (head, row, column) as a heatmap; ``labels`` for axes that are not tokens.

    shape: what the heading says, the whole tensor's; that of ``values`` if it is not given.
    """
    return Card(
        step=name,
        title=title,
        formula=mathml(formula) if formula else "",
        shape=str(shape or values.shape),
        alt=t(
            "figure.alt",
            title=title,
            axes=" x ".join(t(f"figure.axes.{axis}") for axis in axes),
            shape=" x ".join(map(str, values.shape)),
        ),
        figure=heatmap_spec(
            values,
            axes,
            scale=scale,
            labels={**dict.fromkeys(PER_TOKEN, tokens), **(labels or {})},
            axis_titles={axis: t(f"figure.axis_titles.{axis}") for axis in axes},
            head_title=t("figure.head"),
            across=across,
            digits=digits,
        ),
        picks=picks,
    )


def grid_card(name: str, title: str, figure: dict[str, Any], formula: str, shape: tuple[int, ...]) -> Card:
    """``figures.grid_spec`` under a heading; a click on one of its maps is told to the page."""
    alt = t("figure.grid_alt", title=title, layers=shape[0], heads=shape[1])
    return Card(name, title, mathml(formula), str(shape), alt, figure, picks=True)


def chart_card(name: str, title: str, figure: dict[str, Any], *, formula: str = "") -> Card:
    """``figures.lines_spec`` or ``figures.bars_spec`` under a heading."""
    alt = t("figure.chart_alt", title=title, series=", ".join(line["name"] for line in figure["data"]))
    return Card(name, title, mathml(formula) if formula else "", "", alt, figure, kind="chart")
