"""A choice that belongs to one page: which head, which step."""

from collections.abc import Mapping, Sequence

import streamlit as st

from ui.parameters import PARAMETERS
from ui.words import t


def pick(key: str, options: Sequence[str], labels: Mapping[str, str] | None = None) -> str:
    """One of ``options``; what is no longer among them falls back to the default, or to the first."""
    _settle(key, options)
    return st.radio(
        t(f"controls.{key}.label"),
        options,
        format_func=lambda name: (labels or {}).get(name, name),
        key=key,
        horizontal=True,
        persist_state="session",
    )


def _settle(key: str, options: Sequence[str]) -> str:
    if st.session_state.get(key) not in options:
        default = PARAMETERS[key].default
        st.session_state[key] = default if default in options else options[0]
    chosen: str = st.session_state[key]
    return chosen


def pick_head(num_heads: int) -> int:
    """One of the heads, counted from 0."""
    return int(pick("head", _heads(num_heads))) - 1


def head_picked(num_heads: int) -> int:
    """The head that `pick_head` shows, for what stands above it on the page."""
    return int(_settle("head", _heads(num_heads))) - 1


def _heads(num_heads: int) -> list[str]:
    return [str(head) for head in range(1, num_heads + 1)]


def slide(key: str, numbers: Sequence[int]) -> None:
    """One of ``numbers`` on a slider with even steps, or the number between them that a link said."""
    options = sorted({*numbers, int(st.session_state[key])})
    label, help = t(f"controls.{key}.label"), t(f"controls.{key}.help")
    st.select_slider(label, options, format_func="{:,}".format, key=key, help=help, persist_state="session")
