"""What every page begins with: the address read, the language, the pages, the experiment's controls."""

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime.pages_manager import PagesManager

from attention import Experiment
from ui import controls, lesson, link
from ui.words import t


def come_in() -> Page:
    """Open the app; the page that was asked for, to be run next."""
    if PagesManager.uses_pages_directory:
        lesson.navigation()  # ends that: from now on, every run begins with app.py
        st.rerun()
    problems = link.read()
    st.set_page_config(page_title=t("app.title"), page_icon="static/icon.png", layout="wide")
    with st.sidebar:
        controls.language()
    page = lesson.navigation()
    for problem in problems:
        st.warning(problem, icon=":material/link_off:")
    st.session_state.entered = controls.experiment()
    return page


def experiment() -> Experiment:
    """For a page: the experiment that the controls describe.

    Until ``st.navigation`` was called once, Streamlit runs the files of ``pages/`` by themselves, unless the server
    was started with ``ui.server.lifespan``. Such a page comes in here.
    """
    if "entered" not in st.session_state:
        come_in()
    entered: Experiment = st.session_state.pop("entered")
    return entered
