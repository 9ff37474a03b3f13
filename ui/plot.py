"""Several figures in one component that keeps them alive: no blank, no jump, one mark over all of them."""

import base64
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from attention import Experiment, Trace
from ui import reading, selection
from ui.panel import panel
from ui.words import t

AXES = ("query", "key", "token", "feature", "d_in", "merged", "output")
_FRONT = Path(__file__).parent / "front"


class Card(NamedTuple):
    """A figure with its heading: the step's name, its formula as MathML, its shape, a text for blind readers."""

    step: str
    title: str
    formula: str
    shape: str
    alt: str
    figure: dict[str, Any]  # as figures.heatmap_spec gives it
    head: int | None = None  # the one head shown of a step that has several

    def to_json(self) -> dict[str, Any]:
        (trace,) = self.figure["data"]
        return {**self._asdict(), "figure": {**self.figure, "data": [{**trace, "z": _typed_array(trace["z"])}]}}


def _typed_array(numbers: np.ndarray) -> dict[str, str]:
    """Plotly's own way to send an array: float32, base64."""
    return {
        "dtype": "f4",
        "bdata": base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii"),
        "shape": ", ".join(map(str, numbers.shape)),
    }


def plots(
    cards: Sequence[Card],
    experiment: Experiment,
    trace: Trace,
    *,
    key: str,
    across: int = 4,
    strip: dict[str, Any] | None = None,
) -> None:
    """Show ``cards`` in rows of ``across``; under them ``strip`` (see ``ui.steps.strip``) and the open cell's panel."""
    component = st.components.v2.component("attention_plots", js=_front("js"), css=_front("css"), isolate_styles=False)
    item = reading.item(experiment)
    cell = selection.cell(trace, item)
    opened = panel(experiment, trace, item, cell) if cell and cell.step in [card.step for card in cards] else None
    words = {
        "masked": t("figure.masked"),
        "head": t("figure.head"),
        "axes": {axis: t(f"figure.axes.{axis}") for axis in AXES},
    }
    component(
        data={  # tuples: to see whether a list or a dict is a table, Streamlit would load pandas, 66 MB
            "cards": tuple({**card.to_json(), "opens": card.step in trace} for card in cards),
            "strip": (strip,),
            "query": reading.query(experiment),
            "cell": (cell and {**cell._asdict(), "keyed": trace[cell.step].axes[-1] == "key"},),
            "panel": (opened,),
            "across": across,
            "words": (words,),
        },
        key=key,
        on_query_change=lambda: reading.choose_query(int(st.session_state[key]["query"])),
        on_cell_change=lambda: selection.choose(st.session_state[key]["cell"]["place"]),
    )


@cache
def _front(ending: str) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(_FRONT.glob(f"*.{ending}")))
