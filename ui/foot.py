"""The foot of a page: the open cell's arithmetic, the walk through the steps, the sentence as a strip of words.

It is a fragment: to open a cell runs nothing of the page again but this.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import streamlit as st

from attention import Cell, Trace
from figures import short
from ui import reading, selection
from ui.panel import panel
from ui.plot import AXES, component, nothing
from ui.words import language, text


@st.fragment
def foot(
    seen: Callable[[], Trace],
    *,
    head: int | None = None,
    strip: dict[str, Any] | None = None,
    on_query: Callable[[], None] = nothing,
    remark: Callable[[Cell], str] | None = None,
) -> None:
    """Everything about the open cell. ``seen`` gives the trace, which a fragment should not keep for each learner.

    strip: of ``ui.steps.strip``. head: the only one that the page shows. on_query: called when another query token was
    chosen here, by a page that shows more of it than a mark. remark: what the page adds to a cell's explanation.
    """
    trace = seen()
    item = reading.item(trace)
    cell = selection.cell(trace, item)
    if cell is None and st.session_state.cell.partition(".")[0] in trace.explained:
        st.session_state.cell = ""  # a shorter sentence or fewer heads have no such place
    told = panel(trace, item, cell) if cell else None
    if told and cell and remark:
        told["why"] += " " + remark(cell)
    component(
        trace,
        key="foot",
        strip=strip,
        walk=_walk(trace, item, head),
        panel=told,
        on_query=on_query,
    )


class _Said(NamedTuple):
    """The words of a walk: its buttons, the axes, the steps' titles."""

    controls: dict[str, str]
    axes: dict[str, str]
    titles: dict[str, str]


@cache
def _said(language: str, steps: tuple[str, ...]) -> _Said:
    controls = {name: text(language, f"walk.{name}") for name in ("back", "play", "pause", "next", "slider", "hint")}
    axes = {axis: text(language, f"figure.axes.{axis}") for axis in ("head", *AXES)}
    return _Said(controls, axes, {name: text(language, f"steps.{name}.title") for name in steps})


def _walk(trace: Trace, item: int, head: int | None) -> dict[str, Any]:
    said = _said(language(), tuple(trace.explained))
    steps = [{"step": name, "title": title, **_sides(trace, name)} for name, title in said.titles.items()]
    tokens = [f"{place} · {short(token)}" for place, token in enumerate(trace.tokens[item], 1)]
    width = trace["queries"].value.shape[-1]
    return {"steps": steps, "tokens": tokens, "only": head, "axes": said.axes, "width": width, **said.controls}


def _sides(trace: Trace, name: str) -> dict[str, Any]:
    """A step's axes and their sizes; a group's numbers are found by each of its heads."""
    step = trace.explained[name]
    sizes = dict(zip(step.axes, step.value.shape, strict=True))
    heads = trace["queries"].value.shape[1]
    sides = {"head" if axis == "group" else axis: heads if axis == "group" else size for axis, size in sizes.items()}
    del sides["batch"]
    return {"axes": tuple(sides), "sizes": tuple(sides.values())}
