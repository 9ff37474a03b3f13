"""All heads of all layers as one picture: a small map each, layers from left to right, heads from top to bottom."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures.facets import Facets
from figures.heatmap import map_background, plain_axis
from figures.labels import short
from figures.scales import Scale

MAP_HEIGHT = 44  # pixels: nine heads fill half a screen


def grid_spec(
    maps: np.ndarray,
    *,
    scale: Scale,
    tokens: Sequence[str],
    layer_title: str,
    head_title: str,
    chosen: tuple[int, int],
) -> dict[str, Any]:
    """The maps (layer, head, query, key) as plain data that ``go.Figure`` takes.

    chosen: the layer and the head whose map is outlined, counted from 0.
    In ``layout.meta``, a map is known by its place in the order of reading: all layers of head 1, then of head 2.
    """
    layers, heads, rows, columns = maps.shape
    facets = Facets(layers * heads, rows, columns, layers)
    corners = list(facets.corners())
    ordered = maps.swapaxes(0, 1).reshape(-1, rows, columns)  # (head * layer, query, key)
    trace = {
        "type": "heatmap",
        "z": facets.pack(ordered),
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": scale.colors,
        "hoverongaps": False,
    }
    labels = [short(token) for token in tokens]
    layout = {
        "template": "none",
        "height": heads * MAP_HEIGHT + 74,
        "margin": {"l": 44, "r": 8, "t": 8, "b": 66},
        "xaxis": _axis([c for _, c in corners[:layers]], columns, facets.shape[1], layer_title),
        "yaxis": _axis([r for r, _ in corners[::layers]], rows, facets.shape[0], head_title, downward=True),
        "shapes": [map_background(r, c, rows, columns) for r, c in corners],
        "annotations": [],
        "meta": {
            "axes": ["head", "query", "key"],
            "facets": {"corners": corners, "rows": rows, "columns": columns},
            "dark": scale.dark_colors,
            "masked": False,
            "labels": {"query": labels, "key": labels},
            "digits": None,
            "maps": [
                f"{layer_title} {layer + 1} · {head_title} {head + 1}"
                for head in range(heads)
                for layer in range(layers)
            ],
            "chosen": chosen[1] * layers + chosen[0],
        },
    }
    return {"data": [trace], "layout": layout}


def _axis(starts: Sequence[int], size: int, end: int, title: str, *, downward: bool = False) -> dict[str, object]:
    span = (end - 0.5, -0.5) if downward else (-0.5, end - 0.5)
    return plain_axis(title, span, [(start + (size - 1) / 2, str(place)) for place, start in enumerate(starts, 1)])
