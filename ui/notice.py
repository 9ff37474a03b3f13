"""What is wrong, over the upper edge of the page: seen from wherever a control was moved, and nothing below jumps."""

import streamlit as st


def place() -> None:
    """Make room for this run's messages. An empty place, too: what follows keeps its number on the page."""
    st.session_state.notice = st.container(key="notice")


def error(text: str) -> None:
    """Something cannot be computed as asked."""
    st.session_state.notice.error(text, icon=":material/error:")


def warn(text: str) -> None:
    """A part of a link was left out."""
    st.session_state.notice.warning(text, icon=":material/link_off:")
