"""What a reader looks at, without changing the numbers: which sentence of the batch, which query token."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from attention import MAX_TOKENS, Experiment, Tokens
from ui.words import t


def controls(batch: Sequence[Tokens]) -> None:
    """The sentence shown (if there are several) and the query token, both counted from 1."""
    state = st.session_state
    if len(batch) > 1:
        state.item = min(state.item, len(batch))
        _number("item", len(batch))
    longest = max((len(tokens.ids) for tokens in batch), default=MAX_TOKENS)
    if (state.query or 1) > longest:
        state.query = None
    _number("query", longest, value=None, placeholder=t("controls.query.placeholder"))


def _number(key: str, largest: int, **options: Any) -> None:
    label, help = t(f"controls.{key}.label"), t(f"controls.{key}.help")
    st.number_input(label, 1, largest, key=key, help=help, persist_state="session", **options)


def item(experiment: Experiment) -> int:
    """The sentence shown, counted from 0."""
    return min(int(st.session_state.item), len(experiment.sentences)) - 1


def query(experiment: Experiment) -> int:
    """The query token, counted from 0: the sentence's last one unless another was chosen."""
    last = len(experiment.tokens[item(experiment)].ids)
    return min(int(st.session_state.query or last), experiment.context_length) - 1


def choose_query(position: int) -> None:
    """Callback of the figures: ``position`` counts from 0."""
    st.session_state.query = position + 1
