"""Where one token looks: an arc to each token, the thicker the more it looks there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures.labels import escape, short

THICKEST = 12  # pixels of a weight of 1
LEAST = 0.01  # a weight below it is no arc, but can be read in the hover of its token
_HALF_CIRCLE = np.linspace(0, np.pi, 25)


def arcs_spec(
    tokens: Sequence[str], weights: Sequence[float] | np.ndarray, query: int, *, x_title: str
) -> dict[str, Any]:
    """Arcs from the token at place ``query`` to every token, as plain data; ``weights`` (key,) from 0 to 1.

    A token that looks at itself gets a small circle above it. Raises ValueError if a token has no weight.
    """
    if len(weights) != len(tokens):
        raise ValueError(f"{len(weights)} weights do not fit {len(tokens)} tokens: give one for each")
    texts = [escape(short(token, 10)) for token in tokens]
    data = [_arc(query, key, float(weight)) for key, weight in enumerate(weights) if weight >= LEAST] + [
        _feet(texts, weights)
    ]
    layout = {
        "template": "none",
        "height": 240,
        "margin": {"l": 14, "r": 14, "t": 10, "b": 78},
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": escape(x_title), "standoff": 8},
            "range": [-0.6, len(tokens) - 0.4],
            "tickvals": list(range(len(tokens))),
            "ticktext": [f"<b>{text}</b>" if place == query else text for place, text in enumerate(texts)],
            "showgrid": False,
            "zeroline": False,
            "automargin": False,
        },
        "yaxis": {"visible": False, "range": [-0.06, 1.08], "automargin": False, "title": {"text": ""}},
    }
    return {"data": data, "layout": layout}


def _arc(query: int, key: int, weight: float) -> dict[str, Any]:
    width = abs(query - key)
    middle, radius = ((query + key) / 2, width / 2) if width else (query, 0.18)
    height = min(1.0, 0.25 + 0.12 * width) if width else 0.16
    angles = _HALF_CIRCLE if width else 2 * _HALF_CIRCLE - np.pi / 2
    lift = 0.0 if width else height
    return {
        "type": "scatter",
        "mode": "lines",
        "x": (middle - radius * np.cos(angles)).tolist(),
        "y": (lift + height * np.sin(angles)).tolist(),
        "line": {"width": max(1.0, THICKEST * weight)},
        "opacity": 0.25 + 0.75 * weight,
        "meta": {"ink": 0},
        "hoverinfo": "skip",
        "name": "",
    }


def _feet(texts: Sequence[str], weights: Sequence[float] | np.ndarray) -> dict[str, Any]:
    """A point at each token, with its weight to hover."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "",
        "x": list(range(len(texts))),
        "y": [0.0] * len(texts),
        "customdata": [f"{text}<br>{weight:.4f}" for text, weight in zip(texts, weights, strict=True)],
        "marker": {"size": 9},
        "meta": {"ink": 1},
        "hovertemplate": "%{customdata}<extra></extra>",
    }
