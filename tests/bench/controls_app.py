"""The explorer's sidebar and nothing else: what is added where other controls follow from a change."""

import streamlit as st

from ui import controls, link, notice, rerun

rerun.begin()
link.read()
st.set_page_config(layout="wide")
with st.sidebar:
    controls.language()
controls.draw(one_head=False)
notice.place()
controls.experiment("multi_head")
link.write()
