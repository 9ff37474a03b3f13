"""The experiment's controls, shared by all pages: three groups in the sidebar, bound to the address."""

from typing import Any

import streamlit as st

from attention import Experiment, LearnerError, Tokens, embedding_width
from attention.checks import MAX_D_IN, MAX_D_OUT, MAX_HEADS
from attention.embeddings import BOOK_TOKENS
from attention.experiment_checks import MAX_SEED
from attention.tokens import MAX_TOKENS, split_sentences, tokenize
from ui import own_vectors, reading
from ui.errors import message
from ui.link import LINKED_CHOICES, choice
from ui.words import t

FIRST = Experiment()  # what the first visit shows: the book's sentence
PRESETS = {
    "book": FIRST.sentence,
    "pronoun": "The animal didn't cross the street because it was too tired",
    "repeated": "the cat saw the dog and the dog saw the cat",
    "chinese": "千里之行，始于足下",
    "scripts": "👨‍👩‍👧‍👦 שלום مرحبا 👋🏽 naïve",
    "batch": "Your journey starts with one step\nstep with one journey",
}


def experiment() -> Experiment:
    """Draw the controls; the experiment they describe, or the last one that could be run, with the reason."""
    with st.sidebar:
        chosen = {**_text(), **_embedding(), **_attention()}
        st.button(t("controls.reset"), on_click=_reset, icon=":material/restart_alt:", width="stretch")
    try:
        chosen["vectors"] = own_vectors.chosen() if chosen["embedding"] == "own" else ()
        st.session_state.experiment = Experiment(**chosen)
    except LearnerError as error:
        st.error(message(error), icon=":material/error:")
    last_good: Experiment = st.session_state.setdefault("experiment", FIRST)
    return last_good


def _text() -> dict[str, Any]:
    with st.expander(t("controls.text"), expanded=True):
        st.selectbox(
            t("controls.preset.label"),
            list(PRESETS),
            index=None,
            key="preset",
            format_func=lambda name: t(f"controls.preset.{name}"),
            placeholder=t("controls.preset.placeholder"),
            on_change=_use_preset,
        )
        sentence = st.text_area(
            t("controls.sentence.label"),
            FIRST.sentence,
            key="sentence",
            bind="query-params",
            height=80,
            help=t("controls.sentence.help", tokens=MAX_TOKENS),
            on_change=_fit_embedding,
        )
        if "embedding" not in st.session_state and "embedding" not in st.query_params:
            _fit_embedding()
        chosen = {"sentence": sentence or "", "tokenizer": _pick("tokenizer", on_change=_fit_embedding)}
        reading.controls(_tokens())
        return chosen


def _embedding() -> dict[str, Any]:
    with st.expander(t("controls.embedding_group"), expanded=True):
        embedding = _pick("embedding", on_change=own_vectors.start)
        if embedding == "own":
            own_vectors.controls()
        width = _forced_width(embedding)
        if width is not None:
            st.session_state.d_in = min(width, MAX_D_IN)
        return {
            "embedding": embedding,
            "positions": _pick("positions"),
            "d_in": _slide("d_in", MAX_D_IN, disabled=width is not None),
        }


def _attention() -> dict[str, Any]:
    with st.expander(t("controls.attention"), expanded=True):
        chosen: dict[str, Any] = {
            "d_out": _slide("d_out", MAX_D_OUT),
            "num_heads": _slide("num_heads", MAX_HEADS),
            "mask": (mask := _pick("mask")),
        }
        if mask == "sliding_window":
            chosen["window"] = _slide("window", 16)
        chosen["mode"] = _pick("mode")
        chosen["dropout"] = st.slider(*_named("dropout"), 0.0, 1.0, FIRST.dropout, 0.05, **_linked("dropout"))
        chosen["qkv_bias"] = st.toggle(*_named("qkv_bias"), FIRST.qkv_bias, **_linked("qkv_bias"))
        chosen["seed"] = st.number_input(*_named("seed"), 0, MAX_SEED, FIRST.seed, **_linked("seed"))
        return chosen


def _named(key: str) -> tuple[str]:
    return (t(f"controls.{key}.label"),)


def _linked(key: str) -> dict[str, Any]:
    return {"key": key, "bind": "query-params", "help": t(f"controls.{key}.help")}


def _slide(key: str, largest: int, *, disabled: bool = False) -> int:
    first: int = getattr(FIRST, key)
    return int(st.slider(*_named(key), 1, largest, first, disabled=disabled, **_linked(key)))


def _pick(key: str, **options: Any) -> str:
    def label(name: str) -> str:
        return t(f"controls.{key}.{name}")

    return choice(st.selectbox, key, LINKED_CHOICES[key], label, help=t(f"controls.{key}.help"), **options)


def _tokens() -> list[Tokens]:
    """The tokens of the text as it stands; none while it cannot be used."""
    state = st.session_state
    try:
        return tokenize(split_sentences(state.get("sentence") or ""), state.get("tokenizer", FIRST.tokenizer))
    except LearnerError:
        return []


def _forced_width(embedding: str) -> int | None:
    tokens = _tokens()
    return embedding_width(tokens, embedding, own_vectors.chosen_or_none()) if tokens else None


def _use_preset() -> None:
    state = st.session_state
    if state.preset is not None:
        state.sentence = PRESETS[state.preset]
        state.embedding = "book"
        state.preset = None
        _fit_embedding()


def _fit_embedding() -> None:
    """The book's table has six words only: any other text goes on with the seeded table."""
    state = st.session_state
    words = {text.strip() for tokens in _tokens() for text in tokens.texts}
    if state.get("embedding", FIRST.embedding) == "book" and not words <= set(BOOK_TOKENS):
        state.embedding = "seeded"


def use_book() -> None:
    """Callback: the book's example, whose numbers are printed there."""
    _reset()
    st.session_state.d_out = 2


def _reset() -> None:
    for key in ("sentence", *LINKED_CHOICES, "d_in", "d_out", "num_heads", "window", "dropout", "qkv_bias", "seed"):
        st.session_state[key] = getattr(FIRST, key)
    st.session_state.update(vectors="", query=None, item=1)
