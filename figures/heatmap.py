"""A step of the computation as a heatmap: every head a map, all maps one trace.

Rows and columns are whole numbers with token labels on them, never token strings: a repeated word
would otherwise merge two rows into one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from figures.facets import Facets
from figures.labels import display_width, escape, short
from figures.scales import Scale

AXIS_TITLES = {"query": "query: the token that looks", "key": "key: the token looked at"}
PRINTED = 12  # values are printed in maps of at most this many rows and columns
MOST_TICKS = 8  # per map and axis, where the labels are too many to show all
QUIET = "rgba(128,128,128,0.16)"  # fill of a masked cell: a colour of no scale, quiet in light and dark
_MARGIN = {"r": 8, "t": 24, "b": 66}
_LETTER = 6.8  # pixels of a letter in a tick label
_MAP_HEIGHT = 196


def heatmap(values: np.ndarray, axes: Sequence[str], **options: Any) -> go.Figure:
    """``heatmap_spec`` with the same arguments, as a figure that a notebook shows."""
    return go.Figure(heatmap_spec(values, axes, **options))


def heatmap_spec(
    values: np.ndarray,
    axes: Sequence[str],
    *,
    scale: Scale,
    labels: Mapping[str, Sequence[str]] | None = None,
    axis_titles: Mapping[str, str] = AXIS_TITLES,
    head_title: str = "head {}",
    across: int = 4,
    digits: int | None = None,
) -> dict[str, Any]:
    """The figure as plain data (``go.Figure`` takes it, but to check it costs more than the attention).

    Draws ``values`` of shape (row, column), or (head, row, column) as facets.

    axes: the name of each axis of ``values``, such as ``("head", "query", "key")``; kept in
    ``layout.meta``, so that whoever shows several figures can link them.
    labels: for an axis name its tokens; an axis without labels counts 1, 2, 3 ...
    across: maps side by side, at most.
    digits: behind the point, where 2 in a cell and 4 in its hover would be wrong, as in whole numbers.
    Cells that are infinite or NaN get no colour: the quiet fill below them shows.
    Raises ValueError when ``axes`` does not name every axis of ``values``.
    """
    if values.ndim != len(axes) or values.ndim not in (2, 3):
        raise ValueError(f"{values.ndim} axes cannot be named {list(axes)}: name 2 or 3, one for each")
    maps = values if values.ndim == 3 else values[np.newaxis]
    count, rows, columns = maps.shape
    facets = Facets(count, rows, columns, min(count, across))
    row_axis, column_axis = axes[-2:]
    sides = ((row_axis, rows), (column_axis, columns))
    texts = {
        axis: [short(token) for token in (labels or {}).get(axis, [])] or [str(i + 1) for i in range(size)]
        for axis, size in sides
    }
    for axis, size in sides:
        if len(texts[axis]) != size:
            raise ValueError(f"{len(texts[axis])} labels do not fit {size} cells along '{axis}': give one for each")
    titles = [head_title.format(i + 1) for i in range(count)] if values.ndim == 3 else []
    row_title, column_title = (axis_titles.get(axis, axis) for axis in (row_axis, column_axis))
    printed, hovered = (2, 4) if digits is None else (digits, digits)
    trace = {
        "type": "heatmap",
        "z": facets.pack(maps),
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": scale.colors,
        "hoverongaps": False,
        "hovertemplate": f"{row_axis} %{{y}}<br>{column_axis} %{{x}}<br>%{{z:.{hovered}f}}<extra></extra>",
    }
    if max(rows, columns) <= PRINTED:
        trace["texttemplate"] = f"%{{z:.{printed}f}}"
    corners = list(facets.corners())
    layout = {
        "template": "none",
        "height": facets.down * _MAP_HEIGHT + _MARGIN["t"] + _MARGIN["b"],
        "margin": {"l": 30 + round(_LETTER * max(map(display_width, texts[row_axis]))), **_MARGIN},
        "xaxis": _axis({c for _, c in corners}, texts[column_axis], (-0.5, facets.shape[1] - 0.5), column_title),
        "yaxis": _axis({r for r, _ in corners}, texts[row_axis], (facets.shape[0] - 0.5, -0.5), row_title),
        "shapes": [map_background(r, c, rows, columns) for r, c in corners],
        "annotations": [_map_title(r, c, columns, title) for (r, c), title in zip(corners, titles, strict=False)],
        "meta": {
            "axes": list(axes),
            "facets": {"corners": corners, "rows": rows, "columns": columns},
            "dark": scale.dark_colors,
            "masked": bool(np.isneginf(values).any()),
            "labels": texts,
            "digits": digits,
        },
    }
    return {"data": [trace], "layout": layout}


def _axis(starts: set[int], texts: Sequence[str], span: tuple[float, float], title: str) -> dict[str, object]:
    step = 1 if len(texts) <= PRINTED else -(-len(texts) // MOST_TICKS)
    shown = [(start + i, texts[i]) for start in sorted(starts) for i in range(0, len(texts), step)]
    return plain_axis(title, span, shown)


def plain_axis(title: str, span: tuple[float, float], ticks: Sequence[tuple[float, str]]) -> dict[str, object]:
    """An axis of a picture: ``ticks`` (place, text), and no lines."""
    return {
        "title": {"text": escape(title)},
        "range": span,
        "tickvals": [place for place, _ in ticks],
        "ticktext": [escape(text) for _, text in ticks],
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
    }


def map_background(row: int, column: int, rows: int, columns: int) -> dict[str, object]:
    edges = {"x0": column - 0.5, "x1": column + columns - 0.5, "y0": row - 0.5, "y1": row + rows - 0.5}
    return {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": QUIET, **edges}


def _map_title(row: int, column: int, columns: int, title: str) -> dict[str, object]:
    place = {"x": column + (columns - 1) / 2, "y": row - 0.5, "xanchor": "center", "yanchor": "bottom"}
    return {"text": escape(title), "showarrow": False, **place}
