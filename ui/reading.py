"""What a reader looks at, without changing the numbers: which sentence of the batch, which query token."""

from collections.abc import Sequence

import streamlit as st

from attention import Tokens, Trace
from ui import selection
from ui.words import t


def controls(batch: Sequence[Tokens]) -> None:
    """The sentence shown, counted from 1, if there are several."""
    state = st.session_state
    state.item = min(state.item, len(batch) or state.item)
    if len(batch) > 1:
        label, help = t("controls.item.label"), t("controls.item.help")
        st.number_input(label, 1, len(batch), key="item", help=help, persist_state="session")
        st.caption(t("controls.item.batch"))


def item(trace: Trace) -> int:
    """The sentence shown, counted from 0."""
    return min(int(st.session_state.item), len(trace.lengths)) - 1


def query(trace: Trace) -> int:
    """The query token, counted from 0: the one chosen, else the open cell's, else the sentence's last one."""
    last, chosen = trace.lengths[item(trace)], st.session_state.query
    if (chosen or last) > max(trace.lengths):
        st.session_state.query = chosen = None
    if chosen is None:
        of_cell = selection.query(trace, item(trace))
        return last - 1 if of_cell is None else of_cell
    return int(chosen) - 1


def choose_query(position: int) -> None:
    """Callback of the figures: ``position`` counts from 0."""
    st.session_state.query = int(position) + 1
