"""The cell a reader opened: in the address as "scores.2.5.3" (step, head, row, column, counted from 1)."""

from typing import Any

import streamlit as st

from attention import Cell, Trace


def cell(trace: Trace, item: int) -> Cell | None:
    """The open cell, if the steps on this page have it."""
    name, *places = st.session_state.cell.split(".")
    if name not in trace:
        return None
    shape = trace[name].value[item].shape
    numbers = [int(place) - 1 for place in places]
    if len(numbers) != len(shape) or not all(0 <= n < size for n, size in zip(numbers, shape, strict=True)):
        return None
    head = numbers[0] if len(numbers) == 3 else None
    return Cell(name, head, *numbers[-2:])


def choose(place: dict[str, Any] | None) -> None:
    """Callback of the figures: the cell clicked, or None to close the panel. Its query token is chosen with it."""
    if place is None:
        st.session_state.cell = ""
        return
    numbers = [place[axis] for axis in ("head", "row", "column") if place[axis] is not None]
    st.session_state.cell = ".".join([place["step"], *(str(number + 1) for number in numbers)])
    if place["query"] is not None:
        st.session_state.query = place["query"] + 1
