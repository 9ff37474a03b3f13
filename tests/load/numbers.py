"""Are the numbers that a tab was sent those of its own experiment? Computed here once more, and compared bit by bit."""

import json
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from attention import Experiment, TracedStep
from figures import short
from figures.facets import Facets


def foreign(data: Iterable[bytes], experiment: Experiment) -> list[str]:
    """The steps in what was sent that are not the experiment's own; "nothing" if none was there to compare."""
    trace = experiment.run()
    own = {"inputs": trace.inputs, **trace}
    compared = {
        card["step"]: _same(card, rest, own[card["step"]], trace.tokens[0])
        for card, rest in _cards(data)
        if card["step"] in own
    }
    return [step for step, same in compared.items() if not same] if compared else ["nothing"]


def _cards(data: Iterable[bytes]) -> Iterator[tuple[dict[str, Any], memoryview]]:
    """The heatmaps that were sent as numbers, each with the bytes in which its numbers lie (see ``ui.wire``)."""
    for message in data:
        (length,) = struct.unpack_from("<I", message)
        told = json.loads(message[4 : 4 + length])
        for card in told["cards"]:
            if card["kind"] == "heatmap":
                yield card, memoryview(message)[4 + length :]


def _same(card: dict[str, Any], rest: memoryview, step: TracedStep, texts: Iterable[str]) -> bool:
    """Are the card's numbers and tokens those of ``step``?"""
    figure = card["figure"]
    sent = figure["data"][0]["z"]
    place = sent["numbers"]
    numbers = np.frombuffer(rest[place["at"] : place["at"] + place["length"]], "<f4").reshape(sent["shape"])
    values = step.value[0].numpy()
    if "head" in step.axes and card["head"] is not None:
        values = values[card["head"]]
    maps = values if values.ndim == 3 else values[np.newaxis]
    count, rows, columns = maps.shape
    across = max(1, -(-count // _down(figure)))
    tokens = [short(text) for text in texts]
    labels = figure["layout"]["meta"]["labels"]
    return all(labels[axis] == tokens for axis in ("query", "key", "token") if axis in labels) and np.array_equal(
        numbers, Facets(count, rows, columns, across).pack(maps), equal_nan=True
    )


def _down(figure: dict[str, Any]) -> int:
    """How many rows of maps the figure has."""
    return len({row for row, _ in figure["layout"]["meta"]["facets"]["corners"]})
