"""What the figures of a page show, read from what the browser is told."""

import base64
import html
import json
from typing import Any, NamedTuple

import numpy as np
from streamlit.testing.v1 import AppTest

from attention import TracedStep


class Shown(NamedTuple):
    """A figure of the page: its numbers, (row, column) or (head, row, column), and what stands around them."""

    step: str
    values: np.ndarray
    rows: list[str]
    columns: list[str]
    card: dict[str, Any]

    @property
    def layout(self) -> dict[str, Any]:
        return self.card["figure"]["layout"]

    @property
    def range(self) -> tuple[float, float]:
        trace = self.card["figure"]["data"][0]
        return trace["zmin"], trace["zmax"]


def components(at: AppTest) -> list[dict[str, Any]]:
    """What the drawing component is told, each time it is on the page; it must be JSON that a browser can read."""
    told = [json.loads(each.proto.json, parse_constant=_refuse) for each in at.get("bidi_component")]
    return [{**one, **{name: one[name][0] for name in ("words", "strip", "panel", "cell")}} for one in told]


def figures(at: AppTest) -> list[Shown]:
    """All figures of the page from top to bottom."""
    return [_shown(card) for component in components(at) for card in component["cards"]]


def figure(at: AppTest, step: str) -> Shown:
    (found,) = [shown for shown in figures(at) if shown.step == step]
    return found


def drawn(step: TracedStep, item: int = 0, head: int | None = None) -> np.ndarray:
    """What a figure of this step has to hold: its numbers, and nothing where they are infinite."""
    values = step.value[item].numpy()
    if head is not None and step.axes[1] == "head":
        values = values[head]
    return np.where(np.isinf(values), np.nan, values)


def _shown(card: dict[str, Any]) -> Shown:
    figure, meta = card["figure"], card["figure"]["layout"]["meta"]
    z = figure["data"][0]["z"]
    assert z["dtype"] == "f4"
    grid = np.frombuffer(base64.b64decode(z["bdata"]), "<f4").reshape([int(size) for size in z["shape"].split(",")])
    rows, columns, corners = (meta["facets"][name] for name in ("rows", "columns", "corners"))
    maps = np.stack([grid[r : r + rows, c : c + columns] for r, c in corners])
    labels = [
        [html.unescape(text) for at, text in zip(axis["tickvals"], axis["ticktext"], strict=True) if at < size]
        for axis, size in ((figure["layout"]["yaxis"], rows), (figure["layout"]["xaxis"], columns))
    ]
    return Shown(card["step"], maps if len(meta["axes"]) == 3 else maps[0], *labels, card)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
