"""What runs again after a change: the lesson alone where nothing else follows from it, else the whole page.

To draw the controls again costs Streamlit more than the attention of a short sentence.
"""

from collections.abc import Callable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.server import turn

LESSON = "lesson"


def show(lesson: Callable[[], None]) -> None:
    """Run ``lesson``, again and again: `lesson_only` and the elements in it run it without the rest of the page."""

    @st.fragment(key=LESSON)
    def again() -> None:
        with turn:
            lesson()

    again()
    st.session_state.drawn_page = _page()


def begin() -> None:
    """The page is drawn anew, and not complete until `show` has ended."""
    st.session_state.drawn_page = None


def lesson_only() -> None:
    """Callback of a control that no other control depends on."""
    page = _page()
    if page is not None and page == st.session_state.drawn_page:
        st.rerun(LESSON)


def _page() -> str | None:
    """The page that is asked for, once ``st.navigation`` has named it: links in a lesson need that."""
    context = get_script_run_ctx()
    if context is None or context.page_script_hash not in context.pages_manager.get_pages():
        return None
    return context.page_script_hash
