"""What is done once for the whole server, before the first page."""

import gc
import sys

import streamlit as st
import torch


@st.cache_resource
def settle() -> None:
    """Three settings of the whole process.

    What the imports left goes out of the garbage collector's sight: with torch loaded, each look at it costs over
    100 ms, and Streamlit would take one after every rerun (``postScriptGC`` in its configuration).
    A rerun keeps the interpreter until it waits or has had 50 ms, so that its messages leave together: the browser
    builds the page anew for every 10 ms in which some arrive.
    One thread for torch: every rerun is a new thread of Python's, and for each the first parallel step makes workers
    of its own. That took 11 ms, the whole attention of a short sentence 0.8 ms.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(0.05)
    torch.set_num_threads(1)
