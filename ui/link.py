"""The address bar carries the whole experiment: what it may say, reading it, writing it.

Choices stand there by their names, which no language changes. (Streamlit can bind a widget to the address
itself, but writes the labels of choices, drops wrong values without a word, and costs 5 ms a widget.)
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from attention import MAX_SENTENCES, MAX_TOKENS, Experiment, LearnerError
from attention.errors import shown
from attention.experiment_checks import CHOICES, RANGES, check_dropout
from ui.errors import message
from ui.markdown import literal
from ui.text import fit_embedding
from ui.words import LANGUAGES, browser_language, t

MOST_NAMED = 5  # unknown parameters that the message names
FIRST = Experiment()  # what the first visit shows: the book's sentence


class Parameter(NamedTuple):
    """``default`` is left out of the address; ``read`` raises `LearnerError` for what cannot be."""

    default: Any
    read: Callable[[str], Any]


def _choice(name: str, allowed: Sequence[str], raw: str) -> str:
    if raw not in allowed:
        raise LearnerError("unknown_choice", name=name, value=shown(raw), allowed=", ".join(allowed))
    return raw


def _whole_number(name: str, smallest: int, largest: int, raw: str) -> int:
    if not re.fullmatch(r"-?[0-9]+", raw):
        raise LearnerError("not_whole_number", name=name, value=shown(raw), example=smallest)
    if len(raw) > 12 or not smallest <= int(raw) <= largest:
        raise LearnerError("out_of_range", name=name, value=shown(raw), smallest=smallest, largest=largest)
    return int(raw)


def _probability(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        raise LearnerError("not_number", name="dropout", value=shown(raw), example=0.1) from None
    if value != 1:  # the experiment says what is wrong with 1, beside the control
        check_dropout(value)
    return value


def _true_or_false(name: str, raw: str) -> bool:
    if raw.lower() not in ("true", "false"):
        raise LearnerError("not_true_or_false", name=name, value=shown(raw))
    return raw.lower() == "true"


def _cell(raw: str) -> str:
    if not re.fullmatch(r"[a-z_]{1,20}([.][1-9][0-9]{0,3}){2,3}", raw):
        raise LearnerError("not_a_cell", value=shown(raw))
    return raw


PARAMETERS: dict[str, Parameter] = {
    "sentence": Parameter(FIRST.sentence, str),
    **{
        name: Parameter(getattr(FIRST, name), partial(_choice, name, CHOICES[name]))
        for name in ("tokenizer", "embedding", "positions", "mask", "mode")
    },
    **{
        name: Parameter(getattr(FIRST, name), partial(_whole_number, name, *RANGES[name]))
        for name in ("d_in", "d_out", "num_heads", "window", "seed")
    },
    "dropout": Parameter(FIRST.dropout, _probability),
    "qkv_bias": Parameter(FIRST.qkv_bias, partial(_true_or_false, "qkv_bias")),
    "vectors": Parameter("", str),
    "item": Parameter(1, partial(_whole_number, "item", 1, MAX_SENTENCES)),
    "query": Parameter(None, partial(_whole_number, "query", 1, MAX_TOKENS)),
    "cell": Parameter("", _cell),
    "head": Parameter("1", str),
    "step": Parameter("weights", str),
}


def read() -> list[str]:
    """Take over what a new address says; why parts of it are left out, in words.

    An address that was written here, or that Streamlit emptied because the page changes, is no news.
    """
    state, link = st.session_state, st.query_params.to_dict()
    if "link" in state and link in (state.link, {}):
        return []
    named = link.pop("lang", None)
    state.lang = named if named in LANGUAGES else state.get("lang") or browser_language()
    unknown = [literal(str(shown(key))) for key in link if key not in PARAMETERS]
    more = " …" if len(unknown) > MOST_NAMED else ""
    problems = [t("link.unknown", name=", ".join(unknown[:MOST_NAMED]) + more)] if unknown else []
    try:
        if named is not None:
            _choice("lang", tuple(LANGUAGES), named)
    except LearnerError as error:
        problems.append(t("link.ignored", why=message(error)))
    for key, parameter in PARAMETERS.items():
        state[key] = parameter.default
        try:
            if key in link:
                state[key] = parameter.read(link[key])
        except LearnerError as error:
            problems.append(t("link.ignored", why=message(error)))
    if "embedding" not in link:
        fit_embedding()
    return problems


def write() -> None:
    """Let the address say what the controls say."""
    state = st.session_state
    link = {key: str(state[key]) for key, (default, _) in PARAMETERS.items() if state.get(key, default) != default}
    if state.lang != browser_language():
        link["lang"] = state.lang
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)
    state.link = link


def reset() -> None:
    """Callback: everything as on the first visit."""
    for key, parameter in PARAMETERS.items():
        st.session_state[key] = parameter.default
