"""What is done once for the whole server, before the first page."""

import gc
import sys

import streamlit as st


@st.cache_resource
def settle() -> None:
    """Two settings of the whole process.

    What the imports left goes out of the garbage collector's sight: with torch loaded, each look at it costs over
    100 ms, and Streamlit would take one after every rerun (``postScriptGC`` in its configuration).
    A rerun keeps the interpreter until it waits or has had 50 ms, so that its messages leave together: the browser
    builds the page anew for every 10 ms in which some arrive.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(0.05)
