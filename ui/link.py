"""The address bar carries the experiment: what a link may say, and what is done when it says it wrongly.

Streamlit binds sliders, numbers and texts to the address itself. It would write the *labels* of a choice
there, which differ between languages, so choices are kept here, by their names.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from attention.errors import LearnerError, shown
from attention.experiment_checks import CHOICES, RANGES, check_dropout
from attention.tokens import MAX_SENTENCES, MAX_TOKENS
from ui.errors import message
from ui.markdown import literal
from ui.words import LANGUAGES, browser_language, t

LINKED_CHOICES = {name: CHOICES[name] for name in ("tokenizer", "embedding", "positions", "mask", "mode")}
LINKED_RANGES = {**RANGES, "query": (1, MAX_TOKENS), "item": (1, MAX_SENTENCES)}


def choice(
    widget: Callable[..., Any],
    key: str,
    options: Sequence[str],
    label: Callable[[str], str],
    *,
    default: str | None = None,
    **arguments: Any,
) -> str:
    """A widget for one of ``options``, whose name stands in the address unless it is the default (the first)."""
    default = default or options[0]
    if st.session_state.get(key) not in options:
        named = st.query_params.get(key)
        st.session_state[key] = named if named in options else default
    chosen: str = widget(t(f"controls.{key}.label"), options, key=key, format_func=label, **arguments)
    if chosen != default and st.query_params.get(key) != chosen:
        st.query_params[key] = chosen
    elif chosen == default and key in st.query_params:
        del st.query_params[key]
    return chosen


def choose_language() -> None:
    """The switch between languages. Labels change with it; what was chosen by them must not."""
    choice(
        st.segmented_control,
        "lang",
        tuple(LANGUAGES),
        LANGUAGES.__getitem__,
        default=browser_language(),
        on_change=_keep_choices,
        required=True,
        label_visibility="collapsed",
    )


def _keep_choices() -> None:
    for key in (*LINKED_CHOICES, "head"):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def problems() -> list[str]:
    """What the link that opened this visit asks for and cannot have, in words. Empty after the first run."""
    if "link_read" in st.session_state:
        return []
    st.session_state.link_read = True
    found = []
    for key in st.query_params:
        if key not in _CHECKS:
            found.append(t("link.unknown", name=literal(str(shown(key)))))
            continue
        try:
            _CHECKS[key](key, st.query_params.get_all(key)[-1])
        except LearnerError as error:
            found.append(t("link.ignored", why=message(error)))
    return found


def _any_text(key: str, raw: str) -> None:
    """A sentence is checked where it is used."""


def _known_choice(key: str, raw: str) -> None:
    allowed = LINKED_CHOICES.get(key, tuple(LANGUAGES))
    if raw not in allowed:
        raise LearnerError("unknown_choice", name=key, value=shown(raw), allowed=", ".join(allowed))


def _number_in_range(key: str, raw: str) -> None:
    smallest, largest = LINKED_RANGES[key]
    if not re.fullmatch(r"-?[0-9]+", raw):
        raise LearnerError("not_whole_number", name=key, value=shown(raw), example=smallest)
    if len(raw) > 12 or not smallest <= int(raw) <= largest:
        raise LearnerError("out_of_range", name=key, value=shown(raw), smallest=smallest, largest=largest)


def _probability(key: str, raw: str) -> None:
    try:
        value = float(raw)
    except ValueError:
        raise LearnerError("not_number", name=key, value=shown(raw), example=0.1) from None
    check_dropout(value)


def _true_or_false(key: str, raw: str) -> None:
    if raw.lower() not in ("true", "false"):
        raise LearnerError("not_true_or_false", name=key, value=shown(raw))


_CHECKS: dict[str, Callable[[str, str], None]] = {
    **dict.fromkeys(("sentence", "vectors", "head", "step", "embed", "embed_options"), _any_text),
    **dict.fromkeys((*LINKED_CHOICES, "lang"), _known_choice),
    **dict.fromkeys(LINKED_RANGES, _number_in_range),
    "dropout": _probability,
    "qkv_bias": _true_or_false,
}
