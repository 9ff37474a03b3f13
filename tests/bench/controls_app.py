"""The explorer's sidebar and nothing else: what remains of a change when no figure is drawn and nothing computed."""

import streamlit as st

from ui import controls, link, notice

link.read()
st.set_page_config(layout="wide")
with st.sidebar:
    controls.language()
notice.place()
controls.experiment("multi_head")
link.write()
