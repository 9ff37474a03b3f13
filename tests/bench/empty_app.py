"""A Streamlit app that does nothing but write a number that was moved: the floor that every figure is compared with."""

import streamlit as st

st.set_page_config(layout="wide")
st.write(st.sidebar.slider("d_in", 1, 64, 16, key="d_in"))
