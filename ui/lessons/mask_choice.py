"""The masks lesson: which mask, the controls that it alone has, the drawing by hand, and the run that follows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st
from torch import Tensor

from attention import (
    MASKS,
    Experiment,
    Trace,
    causal_mask,
    hide_padding,
    no_mask,
    padding_mask,
    sliding_window_mask,
)
from attention.masked_run import run_with_mask
from attention.masks import MOST_DRAWN, drawn_mask, mask_text, prefix_mask
from ui.controls import use_batch
from ui.lesson import script
from ui.runs import kept, run
from ui.words import t

Sources = tuple[str | Callable[..., Any], ...]
SOURCES: dict[str, Callable[..., Any]] = {
    "causal": causal_mask,
    "none": no_mask,
    "sliding_window": sliding_window_mask,
    "padding": no_mask,
    "prefix": prefix_mask,
    "drawn": drawn_mask,
}


class MaskedRun(NamedTuple):
    """The pass with the mask that was chosen; ``code``: a program that gives its numbers, and the mask's source."""

    trace: Trace
    code: Sources


def controls(name: str, experiment: Experiment) -> None:
    """What the mask ``name`` needs to be told."""
    n = experiment.context_length
    match name:
        case "sliding_window" if st.session_state.mask == name:  # the sidebar has the slider already
            st.caption(t("masks.window_in_the_sidebar"))
        case "sliding_window":
            _slider("window", n)
        case "prefix":
            _slider("prefix", n)
        case "padding" if not experiment.padded:
            st.caption(t("masks.no_padding"))
            st.button(t("masks.load_batch"), on_click=use_batch)
        case "drawn" if n > MOST_DRAWN:
            st.caption(t("masks.too_long", most=MOST_DRAWN, tokens=n))
        case "drawn":
            st.caption(t("masks.draw"))
            causal, nothing = st.columns([1, 1], width=420)
            causal.button(t("masks.from_causal"), on_click=_draw, args=(causal_mask(n),), width="stretch")
            nothing.button(t("masks.from_nothing"), on_click=_draw, args=(no_mask(n),), width="stretch")


def masked_run(name: str, experiment: Experiment) -> MaskedRun:
    """Run ``experiment`` with the mask ``name``."""
    state, n = st.session_state, experiment.context_length
    padded: Sources = (hide_padding, padding_mask) if experiment.padded else ()
    if name in MASKS:
        window = state.window if name == "sliding_window" else experiment.window
        chosen = replace(experiment, mask=name, window=window)
        return MaskedRun(run(chosen), (script(chosen), SOURCES[name], *(() if name == "none" else padded)))
    if name == "prefix":
        trace, call = _prefix_run(experiment, state.prefix), f"prefix_mask({n}, {state.prefix})"
    else:
        hidden = drawn(n)  # (query, key)
        trace = _drawn_run(experiment, state.drawn)
        call = f'drawn_mask("{mask_text(hidden)}")' if n <= MOST_DRAWN else f"causal_mask({n})"
    program = script(
        experiment,
        f"run_with_mask({{}}, {call})",
        "from attention.masked_run import run_with_mask",
        f"from attention.masks import {call.partition('(')[0]}",
    )
    return MaskedRun(trace, (program, SOURCES[name], run_with_mask, *padded))


@kept
def _prefix_run(experiment: Experiment, prefix: int) -> Trace:
    return run_with_mask(experiment, prefix_mask(experiment.context_length, prefix))


@kept
def _drawn_run(experiment: Experiment, text: str) -> Trace:
    return run_with_mask(experiment, drawn_mask(text) if text else causal_mask(experiment.context_length))


def drawn(n: int) -> Tensor:
    """The mask drawn by hand; the causal one until something is drawn, or if the drawing has another size."""
    text = str(st.session_state.drawn)
    if text and (n > MOST_DRAWN or text.count("-") != n - 1):
        st.session_state.drawn = text = ""
    return drawn_mask(text) if text else causal_mask(n)  # (query, key)


def toggle(n: int, length: int, head: int, row: int, column: int) -> None:
    """Callback of the mask's picture: what was hidden is seen, and the other way round. Padding stays hidden.

    n: the tokens of the longest sentence. length: those of the one shown.
    """
    hidden = drawn(n)  # (query, key)
    if column < length:
        hidden[row, column] = ~hidden[row, column]
        _draw(hidden)


def _draw(hidden: Tensor) -> None:
    n = len(hidden)
    st.session_state.drawn = "" if hidden.equal(causal_mask(n)) else mask_text(hidden)


def _slider(key: str, n: int) -> None:
    """From 1 to ``n``; what is more means the same as ``n``."""
    st.session_state[key] = min(st.session_state[key], max(n, 2))
    label, help = t(f"controls.{key}.label"), t(f"controls.{key}.help")
    st.slider(label, 1, max(n, 2), key=key, help=help, persist_state="session", width=420)
