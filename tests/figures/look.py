"""What a figure shows, read from the figure alone."""

import html
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from figures import heatmap, signed_scale

ODD_TOKENS = (
    "<b>",
    "<a href='x'>",
    "&amp;",
    "$x$",
    "\n",
    "\t",
    " ",
    "",
    "\u202e",
    "\u0301",
    "a" * 200,
    "汉" * 40,
    "👨‍👩‍👧‍👦",
)


def draw(values: object, axes: str = "query key", *, make: Callable = heatmap, **options: object) -> Any:
    """A heatmap of ``values``; ``axes`` separated by spaces."""
    array = np.asarray(values, dtype=np.float32)
    return make(array, axes.split(), **{"scale": signed_scale(array), **options})


def shown(figure: go.Figure) -> np.ndarray:
    """The maps that the figure draws: (head, row, column)."""
    facets, z = figure.layout.meta["facets"], figure.data[0].z
    rows, columns = facets["rows"], facets["columns"]
    return np.stack([z[row : row + rows, column : column + columns] for row, column in facets["corners"]])


def ticks(axis: go.layout.XAxis | go.layout.YAxis) -> dict[int, str]:
    """The labels of an axis as a reader sees them, by position."""
    return dict(zip(axis.tickvals, map(html.unescape, axis.ticktext), strict=True))


def numbered(count: int) -> Sequence[str]:
    """As many different tokens."""
    return [f"t{i}" for i in range(count)]
