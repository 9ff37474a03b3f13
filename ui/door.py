"""What every page begins with: the address read, the language, the pages, the experiment's controls."""

from collections.abc import Callable
from datetime import timedelta

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime.pages_manager import PagesManager

from attention import Experiment
from ui import controls, lesson, link, notice, rerun
from ui.words import t


def come_in() -> Page:
    """Open the app; the page that was asked for, to be run next."""
    if PagesManager.uses_pages_directory:
        lesson.navigation()  # ends that: from now on, every run begins with app.py
        st.rerun()
    rerun.begin()
    st.session_state.problems = link.read()
    st.set_page_config(page_title=t("app.title"), page_icon="static/icon.png", layout="wide")
    with st.sidebar:
        _reconnect()
        controls.language()
    page = lesson.navigation()
    variant = "causal" if page.url_path == "causal" else "multi_head"
    controls.draw(one_head=variant == "causal")
    st.session_state.entered = variant
    return page


@st.fragment(run_every=timedelta(days=1))
def _reconnect() -> None:
    """Does nothing, once a day: so that a browser whose server came back, or was replaced, asks for the page at once.

    Streamlit's browser does that only for a page that runs by itself. On any other, the learner's first click would
    open the new session, which reads the address from before that click.
    """


def show(lesson: Callable[[Experiment], None]) -> None:
    """For a page: run ``lesson`` with the experiment that the controls describe, and again when they change."""
    variant = _enter()

    def again() -> None:
        lesson(_experiment(variant))
        leave()

    rerun.show(again)


def experiment() -> Experiment:
    """For a page that runs as a whole: the experiment that the controls describe."""
    return _experiment(_enter())


def leave() -> None:
    """At the end of such a page: the address says what was chosen; what it asked for in vain is said."""
    fits = link.write()
    for problem in [*link.unmet(), *([] if fits else [t("link.too_long")])]:
        notice.warn(problem)


def _enter() -> str:
    """The class of attention that the page is about.

    Until ``st.navigation`` was called once, Streamlit runs the files of ``pages/`` by themselves, unless the server
    was started with ``ui.server.lifespan``. Such a page comes in here.
    """
    if "entered" not in st.session_state:
        come_in()
    variant: str = st.session_state.pop("entered")
    return variant


def _experiment(variant: str) -> Experiment:
    notice.place()
    for problem in st.session_state.pop("problems", []):
        notice.warn(problem)
    return controls.experiment(variant)
