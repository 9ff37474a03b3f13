"""The front: the script that draws the figures in the browser. It does without torch, which takes a second to load."""

import json
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_FRONT = Path(__file__).parents[1] / "static" / "front"
# Streamlit sends this text with every change, so it is short. The front itself is fetched once: its files become one
# module, in the order of their names, and are never older than the server's ("no-cache" asks each time).
_ENTRY = r"""
const own = document.querySelector('script[src*="static/js/"]').src; // also right behind a base path
const get = async (name) => (await fetch(new URL(`../../app/static/front/${name}`, own), { cache: "no-cache" })).text();
const module = (text) => import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
const style = (text) => document.head.appendChild(document.createElement("style")).textContent = text;
window.attentionFront ??= Promise.all([get("plot.css"), ...%s.map(get)]).then(([css, ...files]) => {
  style(css);
  return module(files.join("\n"));
});
export default (await window.attentionFront).default;
"""


def front() -> ComponentRenderer:
    """The component, to be mounted."""
    return st.components.v2.component("attention_plots", js=_entry(), isolate_styles=False)


def fetch() -> None:
    """Let the browser fetch the front, and plotly.js with it, while the server still loads torch: 0.6 s earlier."""
    with st.sidebar:
        front()(key="front")


@cache
def _entry() -> str:
    return _ENTRY % json.dumps(sorted(file.name for file in _FRONT.glob("*.js")))
