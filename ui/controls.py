"""The experiment's controls, shared by all pages: three groups in the sidebar, each value also in the address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from attention import Experiment, LearnerError, embedding_width
from attention.checks import MAX_D_IN
from attention.experiment_checks import CHOICES, RANGES
from attention.tokens import MAX_TOKENS
from ui import notice, own_vectors, reading, text
from ui.errors import message
from ui.link import reset
from ui.parameters import FIRST
from ui.rerun import lesson_only
from ui.words import LANGUAGES, t

PRESETS = {
    "book": FIRST.sentence,
    "pronoun": "The animal didn't cross the street because it was too tired",
    "repeated": "the cat saw the dog and the dog saw the cat",
    "chinese": "千里之行，始于足下",
    "scripts": "👨‍👩‍👧‍👦 שלום مرحبا 👋🏽 naïve",
    "batch": "Your journey starts with one step\nstep with one journey",
}
NOT_ALWAYS_THERE = {"window", "vectors", "variant"}  # what the sidebar has a control for at times, or none
CHOSEN = {field.name for field in fields(Experiment)} - NOT_ALWAYS_THERE
OF_A_PAGE = ("head", "step", "lesson_mask", "mistake", "task", "training_layer", "model", "rank", "quiz_answer")


def language() -> None:
    """The switch between languages."""
    st.radio(
        t("controls.lang.label"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key="lang",
        horizontal=True,
        label_visibility="collapsed",
        on_change=_keep_choices,
    )


def draw(*, one_head: bool) -> None:
    """The controls, in the sidebar. one_head: for a page on the class that has one, whatever num_heads says."""
    with st.sidebar:
        _text()
        _embedding()
        _attention(one_head)
        st.button(t("controls.reset"), on_click=reset, icon=":material/restart_alt:", width="stretch")


def experiment(variant: str) -> Experiment:
    """The experiment that the controls describe, or the last one that could be run, with the reason."""
    state = st.session_state
    good: dict[str, Experiment] = state.setdefault("good", {})
    chosen: dict[str, Any] = {name: "" if state[name] is None else state[name] for name in CHOSEN}  # an emptied field
    if chosen["mask"] == "sliding_window":
        chosen["window"] = state.window
    try:
        chosen["vectors"] = own_vectors.chosen() if chosen["embedding"] == "own" else ()
        good[variant] = Experiment(**chosen, variant=variant)
        shown = good[variant]
    except LearnerError as error:
        shown = _last_good(good, variant, message(error))
    st.session_state.experiment = shown
    return shown


def _last_good(good: dict[str, Experiment], variant: str, why: str) -> Experiment:
    """What is shown while the controls ask for what cannot be; ``why`` is said, and what stands there instead."""
    if variant in good:
        notice.error(t("controls.kept", why=why))
        return good[variant]
    if good:  # from a page of the other variant: with one head, what runs there runs here
        notice.error(t("controls.kept_one_head", why=why))
        (other,) = good.values()
        return replace(other, variant=variant, num_heads=1)
    notice.error(t("controls.kept_first", why=why))
    return replace(FIRST, variant=variant)


def _text() -> None:
    with _group("text"):
        st.selectbox(
            t("controls.preset.label"),
            list(PRESETS),
            index=None,
            key="preset",
            format_func=lambda name: t(f"controls.preset.{name}"),
            placeholder=t("controls.preset.placeholder"),
            help=t("controls.preset.help"),
            on_change=_use_chosen_preset,
        )
        st.text_area(
            t("controls.sentence.label"),
            key="sentence",
            height=80,
            help=t("controls.sentence.help", tokens=MAX_TOKENS),
            on_change=text.fit_embedding,
        )
        _pick("tokenizer", text.fit_embedding)
        reading.controls(text.tokens())


def _embedding() -> None:
    with _group("embedding_group"):
        _pick("embedding", own_vectors.start)
        if st.session_state.embedding == "own":
            own_vectors.controls()
        width = _forced_width(st.session_state.embedding)
        if width is not None:
            st.session_state.d_in = min(width, MAX_D_IN)
        _pick("positions", lesson_only)
        _slide("d_in", disabled=width is not None)


def _attention(one_head: bool) -> None:
    with _group("attention"):
        _count("d_out")
        _slide("num_heads", disabled=one_head)
        _pick("mask")
        if st.session_state.mask == "sliding_window":
            longest = max((len(sentence.ids) for sentence in text.tokens()), default=0)
            _slide("window", largest=max(longest, st.session_state.window, 2))
        if st.session_state.mask == "none" and len({len(sentence.ids) for sentence in text.tokens()}) > 1:
            st.caption(t("controls.mask.padding_seen"))
        _pick("mode", lesson_only)
        label = t("controls.dropout.label")
        st.slider(label, 0.0, 1.0, step=0.05, format="%g", **_keyed("dropout", lesson_only))
        st.toggle(t("controls.qkv_bias.label"), **_keyed("qkv_bias", lesson_only))
        _count("seed")


@contextmanager
def _group(name: str) -> Iterator[None]:
    with st.container(border=True):  # an expander would cost as much as five widgets, at every change
        st.markdown(f"**{t(f'controls.{name}')}**")
        yield


def _keyed(key: str, on_change: Callable[[], None] | None = None) -> dict[str, Any]:
    return {"key": key, "help": t(f"controls.{key}.help"), "persist_state": "session", "on_change": on_change}


def _slide(key: str, *, largest: int | None = None, disabled: bool = False) -> None:
    smallest, most = RANGES[key]
    given = _keyed(key, lesson_only)
    st.slider(t(f"controls.{key}.label"), smallest, largest or most, disabled=disabled, **given)


def _count(key: str) -> None:
    """A number that is typed or stepped: d_out and seed have too many values for a slider.

    It has no range, and no value to fall back to: the experiment says what is wrong, in the page's language.
    """
    st.number_input(t(f"controls.{key}.label"), value=None, step=1, **_keyed(key, lesson_only))


def _pick(key: str, on_change: Callable[[], None] | None = None) -> None:
    """A list; without ``on_change``, the other controls follow what is chosen."""

    def label(name: str) -> str:
        return t(f"controls.{key}.{name}")

    st.selectbox(label("label"), CHOICES[key], format_func=label, **_keyed(key, on_change))


def _forced_width(embedding: str) -> int | None:
    batch = text.tokens()
    return embedding_width(batch, embedding, own_vectors.chosen_or_none()) if batch else None


def _keep_choices() -> None:
    """Callback: labels change with the language; what was chosen by them must not."""
    for key in (*CHOICES, *OF_A_PAGE):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def _use_chosen_preset() -> None:
    if st.session_state.preset is not None:
        use_preset(st.session_state.preset)


def use_preset(name: str) -> None:
    """Callback: one of the example texts, with vectors that it can have."""
    st.session_state.update(sentence=PRESETS[name], embedding="book", preset=None)
    text.fit_embedding()


def offer_book() -> None:
    """For a lesson on one of the book's classes: a button for the book's example, whose numbers are printed there."""
    st.button(t("lesson.book"), on_click=_use_book, help=t("lesson.book_help"))


def use_batch() -> None:
    """Callback of a lesson: two sentences, of which the shorter, padded one is shown."""
    use_preset("batch")
    st.session_state.item = 2
    st.rerun()  # with the controls


def _use_book() -> None:
    reset()
    st.session_state.d_out = 2
