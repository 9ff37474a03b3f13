"""Lines and bars: a number against a number, or one number for each token.

Bars stand at whole numbers with labels on them, never at token strings: a repeated word would be one bar.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from figures.heatmap import MOST_TICKS, PRINTED
from figures.labels import escape, short

CLOSEST = 0.08  # two labels of a logarithmic axis, as a share of its length
_LAYOUT: dict[str, Any] = {
    "template": "none",
    "height": 280,
    "margin": {"l": 62, "r": 14, "t": 34, "b": 52},
    "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": 12}},
    "hovermode": "closest",
}


class Series(NamedTuple):
    """One line, or one bar for each token. ``ink``: 0 to 4, a colour that it shares with its like elsewhere."""

    name: str
    y: Sequence[float] | np.ndarray
    ink: int = 0
    dashed: bool = False


def lines_spec(
    x: Sequence[float] | np.ndarray,
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Lines over the same ``x``, as plain data that ``go.Figure`` takes. NaN leaves a gap.

    The ranges are those of the numbers, unless they are given: a line that still grows then moves nothing.
    log_x: equal factors are equal steps, and the numbers of ``x`` are written below their places.
    """
    data = [
        {
            "type": "scatter",
            "mode": "lines" if line.dashed else "lines+markers",
            "name": escape(line.name),
            "x": _numbers(x),
            "y": _numbers(line.y),
            "line": {"dash": "dot" if line.dashed else "solid", "width": 4 if line.dashed else 2},
            "marker": {"size": 7},
            "meta": {"ink": line.ink},
            "hovertemplate": f"{escape(x_title)} %{{x}}<br>%{{y:.4f}}<extra>{escape(line.name)}</extra>",
        }
        for line in series
    ]
    axes: dict[str, dict[str, Any]] = {
        name: {"title": {"text": escape(title)}, "type": "log" if log else "linear", "automargin": False}
        for name, title, log in (("xaxis", x_title, log_x), ("yaxis", y_title, log_y))
    }
    axes["yaxis"] |= {"tickformat": "~g"} if log_y else {"rangemode": "tozero"}
    axes["xaxis"] |= {"range": list(x_range)} if x_range else {}
    axes["yaxis"] |= {"range": list(y_range)} if y_range else {}
    if log_x:
        places = _apart(x)
        texts = [f"{place:,}" for place in places]
        axes["xaxis"] |= {"tickvals": _numbers(places), "ticktext": texts, "tickangle": 0, "tickfont": {"size": 11}}
    return {"data": data, "layout": {**_LAYOUT, "showlegend": len(data) > 1, **axes}}


def bars_spec(
    labels: Sequence[str],
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    y_range: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Bars side by side for each of ``labels`` (tokens, shown as themselves). Raises ValueError if counts differ."""
    for bars in series:
        if len(bars.y) != len(labels):
            raise ValueError(f"{len(labels)} labels do not fit {len(bars.y)} bars of '{bars.name}'")
    texts = [escape(short(label)) for label in labels]
    step = 1 if len(texts) <= 2 * PRINTED else -(-len(texts) // MOST_TICKS)
    data = [
        {
            "type": "bar",
            "name": escape(bars.name),
            "x": list(range(len(texts))),
            "y": _numbers(bars.y),
            "customdata": texts,
            "meta": {"ink": bars.ink},
            "hovertemplate": f"%{{customdata}}<br>%{{y:.4f}}<extra>{escape(bars.name)}</extra>",
        }
        for bars in series
    ]
    x_axis = {
        "title": {"text": escape(x_title), "standoff": 8},  # below slanted labels, too
        "tickvals": list(range(0, len(texts), step)),
        "ticktext": [escape(short(label, 8)) for label in labels[::step]],
        "range": [-0.5, len(texts) - 0.5],
        "automargin": False,
    }
    y_axis = {"title": {"text": escape(y_title)}, "automargin": False, **({"range": list(y_range)} if y_range else {})}
    layout = {**_LAYOUT, "margin": {**_LAYOUT["margin"], "b": 84}, "showlegend": len(data) > 1}
    return {"data": data, "layout": {**layout, "xaxis": x_axis, "yaxis": y_axis}}


def _apart(x: Sequence[float] | np.ndarray) -> list[float]:
    """The numbers of a logarithmic axis, without those that would be written into the one before."""
    apart = [x[0]]
    for number in x[1:]:
        if np.log(number / apart[-1]) > CLOSEST * np.log(x[-1] / x[0]):
            apart.append(number)
    return apart


def _numbers(values: Sequence[float] | np.ndarray) -> list[float | None]:
    """Numbers as JSON can hold them: what is not finite is left out."""
    return [float(value) if np.isfinite(value) else None for value in np.asarray(values, dtype=float)]
