"""What is done once for the whole server, before the first page."""

import gc

import streamlit as st


@st.cache_resource
def settle() -> None:
    """Take what the imports left out of the garbage collector's sight: with torch loaded, each look at it costs
    over 100 ms, and Streamlit would take one after every rerun (``postScriptGC`` in its configuration)."""
    gc.collect()
    gc.freeze()
