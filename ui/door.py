"""What every page begins with: the address read, the language, the pages, the experiment's controls."""

from datetime import timedelta

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime.pages_manager import PagesManager

from attention import Experiment
from ui import controls, lesson, link, notice
from ui.words import t


def come_in() -> Page:
    """Open the app; the page that was asked for, to be run next."""
    if PagesManager.uses_pages_directory:
        lesson.navigation()  # ends that: from now on, every run begins with app.py
        st.rerun()
    problems = link.read()
    st.set_page_config(page_title=t("app.title"), page_icon="static/icon.png", layout="wide")
    with st.sidebar:
        _reconnect()
        controls.language()
    page = lesson.navigation()
    notice.place()
    for problem in problems:
        notice.warn(problem)
    st.session_state.entered = controls.experiment("causal" if page.url_path == "causal" else "multi_head")
    return page


@st.fragment(run_every=timedelta(days=1))
def _reconnect() -> None:
    """Does nothing, once a day: so that a browser whose server came back, or was replaced, asks for the page at once.

    Streamlit's browser does that only for a page that runs by itself. On any other, the learner's first click would
    open the new session, which reads the address from before that click.
    """


def experiment() -> Experiment:
    """For a page: the experiment that the controls describe.

    Until ``st.navigation`` was called once, Streamlit runs the files of ``pages/`` by themselves, unless the server
    was started with ``ui.server.lifespan``. Such a page comes in here.
    """
    if "entered" not in st.session_state:
        come_in()
    entered: Experiment = st.session_state.pop("entered")
    return entered
