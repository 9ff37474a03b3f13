"""What a reader looks at, without changing the numbers: which sentence of the batch, which query token."""

from collections.abc import Sequence

import streamlit as st

from attention import Experiment, Tokens
from ui.words import t


def controls(batch: Sequence[Tokens]) -> None:
    """The sentence shown (if there are several) and the query token, both counted from 1."""
    state = st.session_state
    if len(batch) > 1:
        state.item = min(max(1, state.get("item", 1)), len(batch))
        st.number_input(
            t("controls.item.label"), 1, len(batch), 1, key="item", bind="query-params", help=t("controls.item.help")
        )
    longest = max((len(tokens.ids) for tokens in batch), default=1)
    if (state.get("query") or 1) > longest:
        state.query = None
    st.number_input(
        t("controls.query.label"),
        1,
        longest,
        None,
        key="query",
        bind="query-params",
        help=t("controls.query.help"),
        placeholder=t("controls.query.placeholder"),
    )


def item(experiment: Experiment) -> int:
    """The sentence shown, counted from 0."""
    return min(int(st.session_state.get("item", 1)), len(experiment.sentences)) - 1


def query(experiment: Experiment) -> int:
    """The query token, counted from 0: the sentence's last one unless another was chosen."""
    last = len(experiment.tokens[item(experiment)].ids)
    return min(int(st.session_state.get("query") or last), experiment.context_length) - 1


def choose_query(position: int) -> None:
    """Callback of the figures: ``position`` counts from 0."""
    st.session_state.query = position + 1
