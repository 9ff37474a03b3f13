"""The door: page set-up, language, the experiment's controls, then the page that was asked for."""

import streamlit as st

from ui import controls, lesson, link, server
from ui.words import t

st.set_page_config(page_title=t("app.title"), page_icon="static/icon.png", layout="wide")
server.settle()
with st.sidebar:
    link.choose_language()
page = lesson.navigation()
for problem in link.problems():
    st.warning(problem, icon=":material/link_off:")
lesson.come_in(controls.experiment())
page.run()
