"""The cell a reader opened: in the address as "scores.2.5.3" (step, head, row, column, counted from 1)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from attention import Cell, Trace

BEFORE_OR_AFTER = {"queries": "unsplit", "context": "merged"}  # the axis where all heads' features are one row


def move_to(trace: Trace, head: int) -> None:
    """The open cell goes with the reader into the head that the page shows."""
    name, *places = st.session_state.cell.split(".")
    if len(places) == 3 and name in trace:
        st.session_state.cell = ".".join([name, str(trace.place(name, head) + 1), *places[1:]])


def cell(trace: Trace, item: int) -> Cell | None:
    """The open cell, if the pass has it."""
    name, *places = st.session_state.cell.split(".")
    if name not in trace.explained:
        return None
    shape = trace.explained[name].value[item].shape
    numbers = [0, *(int(place) - 1 for place in places)][-len(shape) :]  # a single head's cell is head 1's
    if not all(0 <= number < size for number, size in zip(numbers, shape, strict=True)):
        return None
    return Cell(name, numbers[0] if len(shape) == 3 else None, *numbers[-2:])


def told(trace: Trace, item: int) -> dict[str, Any] | None:
    """The open cell for the browser: its step, and its place along each axis that it has or comes from.

    A group's cell is that of the head which the page shows: a page never shows several heads of a group.
    """
    found = cell(trace, item)
    if found is None:
        return None
    numbers = [number for number in found[1:] if number is not None]
    places = dict(zip(trace.explained[found.step].axes[1:], numbers, strict=True))
    if "token" in places:
        places["query"] = places["token"]
    if "group" in places:
        del places["group"]
        places["head"] = int(st.session_state.head) - 1
    width = trace["queries"].value.shape[-1]
    if "merged" in places:
        places["head"], places["feature"] = divmod(places["merged"], width)
    elif found.step in BEFORE_OR_AFTER and "head" in places:
        places[BEFORE_OR_AFTER[found.step]] = places["head"] * width + places["feature"]
    return {"step": found.step, "places": places}


def query(trace: Trace, item: int) -> int | None:
    """The query token, counted from 0, that the open cell is about; None if none is open, or a key's or a value's."""
    opened = told(trace, item)
    return None if opened is None else opened["places"].get("query")


class Places(NamedTuple):
    """What a click is read by. A session keeps it until its next run, so it has none of the pass's numbers."""

    axes: Mapping[str, tuple[str, ...]]  # of each step that opens
    heads_each: int  # query heads of a group
    width: int  # features of a head


def places_of(trace: Trace) -> Places:
    """The places of a pass."""
    axes = {name: step.axes[1:] for name, step in trace.explained.items()}
    heads, groups = (trace[name].value.shape[1] for name in ("queries", "keys"))
    return Places(axes, heads // groups, trace["queries"].value.shape[-1])


def choose(known: Places, cell: dict[str, Any] | None, query: int | None) -> None:
    """Callback of the figures: the cell clicked, or None to close the panel, and the query token as it is then."""
    if query is not None:
        st.session_state.query = int(query) + 1
    if cell is None or cell["step"] not in known.axes:
        st.session_state.cell = ""
        return
    step, places = cell["step"], cell["places"]
    if "unsplit" in places:
        head, feature = divmod(int(places["unsplit"]), known.width)
        places = {**places, "head": head, "feature": feature}
    if "group" in known.axes[step]:
        places = {**places, "group": int(places["head"]) // known.heads_each}
    st.session_state.cell = ".".join([step, *(str(int(places[axis]) + 1) for axis in known.axes[step])])
