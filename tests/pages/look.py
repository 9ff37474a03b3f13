"""What the figures of a page show, read from what the browser is told."""

import html
import json
from typing import Any, NamedTuple

import numpy as np
from streamlit.testing.v1 import AppTest

from attention import TracedStep
from figures.levels import decode, encode


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
    """What the drawing component is told, each time it is on the page; once it is there only to be fetched."""
    return [told(each.proto.bytes) for each in at.get("bidi_component") if each.proto.bytes]


def told(message: bytes) -> dict[str, Any]:
    """A message as a browser reads it: its text must be JSON, and each array is found at its place behind it."""
    end = 4 + int.from_bytes(message[:4], "little")

    def with_arrays(found: dict[str, Any]) -> Any:
        if found.keys() != {"at", "length"}:
            return found
        assert (end + found["at"]) % 4 == 0, "a browser reads float32 where a multiple of 4 begins"
        return message[end + found["at"] :][: found["length"]]

    return json.loads(message[4:end], parse_constant=_refuse, object_hook=with_arrays)


def figures(at: AppTest) -> list[Shown]:
    """All heatmaps of the page from top to bottom."""
    return [_shown(card) for component in components(at) for card in component["cards"] if card["kind"] != "chart"]


def charts(at: AppTest) -> list[dict[str, Any]]:
    """All lines and bars of the page from top to bottom, as their cards."""
    return [card for component in components(at) for card in component["cards"] if card["kind"] == "chart"]


def lines(at: AppTest, step: str) -> dict[str, dict[str, Any]]:
    """The lines or bars of the chart called ``step``, by their names."""
    (card,) = [card for card in charts(at) if card["step"] == step]
    return {html.unescape(line["name"]): line for line in card["figure"]["data"]}


def figure(at: AppTest, step: str) -> Shown:
    (found,) = [shown for shown in figures(at) if shown.step == step]
    return found


def drawn(step: TracedStep, item: int = 0, head: int | None = None) -> np.ndarray:
    """What a figure of this step has to hold: its numbers, and nothing where they are infinite."""
    values = step.value[item].numpy()
    if head is not None and step.axes[1] == "head":
        values = values[head]
    return np.where(np.isinf(values), np.nan, values)


def as_sent(values: np.ndarray, shown: Shown) -> np.ndarray:
    """``values`` as ``shown`` can show them: a large map's are rounded to its levels."""
    z = shown.card["figure"]["data"][0]["z"]
    if "levels" not in z:
        return values
    rows = values.reshape(-1, values.shape[-1]).astype(np.float32)
    return decode(encode(rows, *shown.range, z["count"]), rows.shape, *shown.range, z["count"]).reshape(values.shape)


def _shown(card: dict[str, Any]) -> Shown:
    figure, meta = card["figure"], card["figure"]["layout"]["meta"]
    grid = _grid(figure["data"][0])
    rows, columns, corners = (meta["facets"][name] for name in ("rows", "columns", "corners"))
    maps = np.stack([grid[r : r + rows, c : c + columns] for r, c in corners])
    labels = [
        [html.unescape(text) for at, text in zip(axis["tickvals"], axis["ticktext"], strict=True) if at < size]
        for axis, size in ((figure["layout"]["yaxis"], rows), (figure["layout"]["xaxis"], columns))
    ]
    return Shown(card["step"], maps if len(meta["axes"]) == 3 else maps[0], *labels, card)


def _grid(trace: dict[str, Any]) -> np.ndarray:
    z = trace["z"]
    if "levels" in z:
        return decode(z["levels"], z["shape"], trace["zmin"], trace["zmax"], z["count"])
    return np.frombuffer(z["numbers"], "<f4").reshape(z["shape"])


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
