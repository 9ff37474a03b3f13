"""A Streamlit app that does nothing but rerun: the floor that every figure is compared with."""

import streamlit as st

st.set_page_config(layout="wide")
st.sidebar.number_input("seed", 0, 1000, 123, key="seed")
