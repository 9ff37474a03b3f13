"""Where one token looks: an arc to each token, the thicker the more it looks there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures.labels import escape, short

LEAST = 0.01  # a weight below it is no arc, but can be read in the hover of its token
THINNEST, THICKEST = 1.0, 12  # pixels of a line; THICKEST is a weight of 1
MOST_LEVEL = 10  # tokens whose texts have room side by side
FAINTEST = 0.25  # the opacity for a weight of 0

# Tokens stand 1 apart along x, and y goes from 0 at the tokens to 1.
LOWEST_ARC, HIGHER_A_TOKEN, HIGHEST_ARC = 0.25, 0.12, 1.0
LOOP_WIDTH, LOOP_HEIGHT = 0.36, 0.32
_HALF_CIRCLE = np.linspace(0, np.pi, 25)  # angles, from the left end over the top
_FULL_CIRCLE = 2 * _HALF_CIRCLE - np.pi / 2  # angles, from the lowest point and back to it

XY = tuple[np.ndarray, np.ndarray]


def arcs_spec(
    tokens: Sequence[str], weights: Sequence[float] | np.ndarray, query: int, *, x_title: str
) -> dict[str, Any]:
    """Arcs from the token at place ``query`` to every token, as plain data; ``weights`` (key,) from 0 to 1.

    A token that looks at itself gets a small circle above it. Raises ValueError if a token has no weight.
    """
    if len(weights) != len(tokens):
        raise ValueError(f"{len(weights)} weights do not fit {len(tokens)} tokens: give one for each")
    texts = [escape(short(token, 10)) for token in tokens]
    lines = [
        _line(_loop(query) if key == query else _arc_to(query, key), float(weight))
        for key, weight in enumerate(weights)
        if weight >= LEAST
    ]
    layout = {
        "template": "none",
        "height": 256,
        "margin": {"l": 14, "r": 14, "t": 10, "b": 94},
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": escape(x_title), "standoff": 8},
            "range": [-0.6, len(tokens) - 0.4],
            "tickangle": 0 if len(tokens) <= MOST_LEVEL else -90,  # Plotly would leave out some of slanted ones
            "tickvals": list(range(len(tokens))),
            "ticktext": [f"<b>{text}</b>" if place == query else text for place, text in enumerate(texts)],
            "showgrid": False,
            "zeroline": False,
            "automargin": False,
        },
        "yaxis": {"visible": False, "range": [-0.06, 1.08], "automargin": False, "title": {"text": ""}},
    }
    return {"data": [*lines, _feet(texts, weights)], "layout": layout}


def _arc_to(query: int, key: int) -> XY:
    """Half an ellipse over the tokens between: the farther, the higher."""
    distance = abs(query - key)
    height = min(HIGHEST_ARC, LOWEST_ARC + HIGHER_A_TOKEN * distance)
    return (query + key) / 2 - distance / 2 * np.cos(_HALF_CIRCLE), height * np.sin(_HALF_CIRCLE)


def _loop(query: int) -> XY:
    """A small circle that stands on the token."""
    x = query - LOOP_WIDTH / 2 * np.cos(_FULL_CIRCLE)
    return x, LOOP_HEIGHT / 2 + LOOP_HEIGHT / 2 * np.sin(_FULL_CIRCLE)


def _line(points: XY, weight: float) -> dict[str, Any]:
    """The larger the weight, the thicker and darker."""
    x, y = points
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x.tolist(),
        "y": y.tolist(),
        "line": {"width": max(THINNEST, THICKEST * weight)},
        "opacity": FAINTEST + (1 - FAINTEST) * weight,
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
