"""What is looked at in a language model: the sentence, the layer and the head, and which heads are switched off."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from attention import Experiment, LearnerError, Trace, split_sentences
from attention.head_scores import best_heads
from attention.language import LanguageModel, LanguageRun, Survey, available
from figures import printable
from ui import notice
from ui.controls import use_preset
from ui.errors import message
from ui.lessons.model_runs import layer_trace, loaded, surveyed
from ui.parameters import FIRST, RANKS
from ui.pick import pick
from ui.words import t

BEST = 5  # heads that a ranking shows

Heads = frozenset[tuple[int, int]]


def model_name() -> str | None:
    """The model that is shown; None if there is none."""
    there = available()
    if len(there) < 2:
        return there[0] if there else None
    return pick("model", there, {name: t(f"controls.model.{name}") for name in there})


def use_pronoun() -> None:
    """Callback: a sentence in which a head looks from a pronoun to its noun."""
    use_preset("pronoun")
    st.session_state.update(item=1, layer=14, head="9", rank="word", query=9, target=2)
    st.rerun()  # with the controls


class Passed(NamedTuple):
    """What the page shows: the pass, the same one with all heads on, and one layer's attention."""

    model: LanguageModel
    made: Survey
    untouched: Survey
    layer: int
    head: int
    trace: Trace


def passed(name: str, experiment: Experiment) -> Passed | None:
    """The sentence through the model; the last one that could be run, with the reason, where it cannot."""
    good: dict[str, LanguageRun] = st.session_state.setdefault("good_language_runs", {})
    try:
        model = loaded(name)
        layer, head = chosen_head(model)
        run = _run(name, good.get(name), experiment)
        with st.spinner(t("model.computing")):
            made = surveyed(run)
            untouched = surveyed(replace(run, off=frozenset())) if run.off else made
            trace = layer_trace(run, layer)
    except LearnerError as error:
        notice.error(f"{message(error)}.")
        return None
    good[name] = run
    return Passed(model, made, untouched, layer, head, trace)


def _run(name: str, last: LanguageRun | None, experiment: Experiment) -> LanguageRun:
    """The sentence shown, of the text in the controls; the last one, or the first, while it cannot be read."""
    kept = last and replace(last, off=heads_off())
    try:
        sentences = split_sentences(st.session_state.sentence or "")
    except LearnerError:  # the controls say why, and which one stands there instead
        return kept or LanguageRun(experiment.sentences[0], heads_off(), name)
    try:
        return LanguageRun(sentences[min(int(st.session_state.item), len(sentences)) - 1], heads_off(), name)
    except LearnerError as error:
        notice.error(t("controls.kept" if kept else "controls.kept_first", why=message(error)))
        return kept or LanguageRun(FIRST.sentence, heads_off(), name)


def heads_off() -> Heads:
    """The heads that are switched off, as (layer, head), counted from 0."""
    places = [place.split(".") for place in st.session_state.off.split("-") if place]
    return frozenset((int(layer) - 1, int(head) - 1) for layer, head in places)


def switch(heads: Heads) -> None:
    """Callback: these heads on if all of them are off, else off."""
    off = heads_off()
    _write(off - heads if heads <= off else off | heads)


def all_on() -> None:
    """Callback."""
    _write(frozenset())


def _write(off: Collection[tuple[int, int]]) -> None:
    st.session_state.off = "-".join(f"{layer + 1}.{head + 1}" for layer, head in sorted(off))


def look_at(layer: int, head: int) -> None:
    """Callback: look at this head, both counted from 0."""
    st.session_state.update(layer=layer + 1, head=str(head + 1))


def look_at_map(layers: int, place: int, row: int, column: int) -> None:
    """Callback of the picture of all heads: its maps are counted from left to right, all layers of head 1 first."""
    head, layer = divmod(place, layers)
    look_at(layer, head)


def chosen_head(model: LanguageModel) -> tuple[int, int]:
    """The layer and the head that are looked at, counted from 0, and the switches beside them."""
    state = st.session_state
    state.layer = min(state.layer, model.num_layers)
    _write({each for each in heads_off() if each[0] < model.num_layers and each[1] < model.num_heads})
    if not state.head.isdigit() or int(state.head) > model.num_heads:
        state.head = "1"
    layers, heads = range(1, model.num_layers + 1), [str(head) for head in range(1, model.num_heads + 1)]
    st.button(t("model.pronoun"), on_click=use_pronoun, help=t("model.pronoun_help"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = st.selectbox(t("controls.layer.label"), layers, key="layer", persist_state="session", width=110) - 1
        head = int(st.selectbox(t("controls.head.label"), heads, key="head", persist_state="session", width=110)) - 1
        for name, which in (
            ("head", frozenset({(layer, head)})),
            ("layer", frozenset((layer, each) for each in range(model.num_heads))),
        ):
            label = t(f"model.{name}_{'on' if which <= heads_off() else 'off'}")
            st.button(label, on_click=switch, args=(which,), key=f"switch_{name}")
        st.button(t("model.all_on"), on_click=all_on, disabled=not heads_off(), key="all_on")
    st.caption(_said_off(model.num_heads))
    return layer, head


def _said_off(num_heads: int) -> str:
    """Which heads are off, in words; a layer that is off as a whole is named once."""
    off = sorted(heads_off())
    whole = {layer for layer, count in Counter(layer for layer, _ in off).items() if count == num_heads}
    names = [t("model.named_layer", layer=layer + 1) for layer in sorted(whole)]
    names += [t("model.named", layer=layer + 1, head=head + 1) for layer, head in off if layer not in whole]
    return t("model.are_off", heads=", ".join(names)) if names else t("model.none_off")


def ranking(made: Survey, query: int) -> None:
    """The heads that do most of something, as buttons that open them."""
    rank = pick("rank", RANKS, {name: t(f"controls.rank.{name}") for name in RANKS})
    key = _pick_words(made.tokens.texts, query) if rank == "word" else 0
    scores = made.weights[..., query, key] if rank == "word" else made.scores(rank)  # (layer, head)
    best = best_heads(scores)[:BEST]
    if not best:
        st.caption(t("model.no_repeat"))
    with st.container(horizontal=True):
        for place, (layer, head, score) in enumerate(best):
            label = t("model.ranked", layer=layer + 1, head=head + 1, score=f"{score:.2f}")
            st.button(label, on_click=look_at, args=(layer, head), key=f"ranked_{place}")


def _pick_words(texts: Sequence[str], query: int) -> int:
    """Two lists: the word that looks, which is the query token, and the one looked at; its place, from 0."""
    state = st.session_state
    if (state.target or 1) > len(texts):
        state.target = None
    chosen = {"query": query, "target": (state.target or 1) - 1}
    with st.container(horizontal=True):
        for name, place in chosen.items():
            state[f"{name}_word"] = place  # the figures choose it, too
            st.selectbox(
                t(f"model.{name}_word"),
                range(len(texts)),
                format_func=lambda place: f"{place + 1} · {printable(texts[place])}",
                key=f"{name}_word",
                on_change=partial(_keep_word, name),
                width=220,
            )
    return chosen["target"]


def _keep_word(name: str) -> None:
    """Callback: the list's choice as the address and the figures know it, counted from 1."""
    st.session_state[name] = st.session_state[f"{name}_word"] + 1
