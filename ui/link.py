"""The address bar carries the whole experiment: reading it, writing it.

(Streamlit can bind a widget to the address itself, but writes the labels of choices, drops wrong values without a
word, and costs 5 ms a widget.)
"""

from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention import LearnerError
from attention.errors import shown
from ui.errors import message
from ui.markdown import literal
from ui.parameters import PARAMETERS, choice
from ui.text import fit_embedding, lacks_book_rows
from ui.words import LANGUAGES, browser_language, t

MOST_NAMED = 5  # unknown parameters that the message names
LONG = ("sentence", "vectors", "sequence")  # parameters that a text too long for a link is in
LONGEST = 30_000  # letters: servers refuse an address of 64 KB


def read() -> list[str]:
    """Take over what a new address says; why parts of it are left out, in words.

    An address is new to a new visitor, and after Back or Forward. Any other run has one that was written here, or the
    one before it, if a control was moved while that was on its way.
    """
    state, link = st.session_state, st.query_params.to_dict()
    if state.get("link_was_read") and not went_back():
        return []
    state.link_was_read = True
    named = link.pop("lang", None)
    state.lang = named if named in LANGUAGES else state.get("lang") or browser_language()
    problems = [*_unknown(link), *_twice(link)]
    try:
        if named is not None:
            choice("lang", tuple(LANGUAGES), named)
    except LearnerError as error:
        problems.append(t("link.ignored", why=message(error)))
    state.asked = {}
    for key, parameter in PARAMETERS.items():
        state[key] = parameter.default
        try:
            if key in link:
                state[key] = state.asked[key] = parameter.read(link[key])
        except LearnerError as error:
            problems.append(t("link.ignored", why=message(error)))
    if "embedding" not in link:
        fit_embedding()
    if "head" not in link:
        state.head = _head_of(state.cell)
    return problems


def _head_of(cell: str) -> str:
    """The head that an address means where it names none: a page that shows one head shows the open cell's."""
    return cell.split(".")[1] if cell.count(".") == 3 else str(PARAMETERS["head"].default)


def went_back() -> bool:
    """Whether this run shows an address that the browser kept."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _unknown(link: dict[str, str]) -> list[str]:
    unknown = [literal(str(shown(key))) for key in link if key not in PARAMETERS]
    more = " …" if len(unknown) > MOST_NAMED else ""
    return [t("link.unknown", name=", ".join(unknown[:MOST_NAMED]) + more)] if unknown else []


def _twice(link: dict[str, str]) -> list[str]:
    return [
        t("link.twice", name=key, value=literal(str(shown(value))))
        for key, value in link.items()
        if key in PARAMETERS and len(st.query_params.get_all(key)) > 1
    ]


def asks_for(key: str) -> bool:
    """Whether a link that was just opened says something about this parameter."""
    return key in st.session_state.get("asked", {})


def will_be_met(key: str) -> None:
    """What the link asks for here takes a while: it is not missing."""
    st.session_state.asked.pop(key, None)


def unmet() -> list[str]:
    """What the last link asked for and the page, now that it is drawn, does not have; said once."""
    state = st.session_state
    asked, state.asked = state.get("asked", {}), {}
    return [
        t("link.not_here", name=key, value=literal(str(shown(value))))
        for key, value in asked.items()
        if state.get(key, PARAMETERS[key].default) != value
    ]


def write() -> bool:
    """Let the address say what the controls say; False if the text is too long for that."""
    state = st.session_state.to_dict()
    said = {key: state.get(key) for key in PARAMETERS}
    link = {key: str(value) for key, value in said.items() if value not in (None, PARAMETERS[key].default)}
    link.pop("head", None)
    if state["head"] != _head_of(state["cell"]):
        link["head"] = str(state["head"])
    if "embedding" in state and lacks_book_rows():
        link["embedding"] = state["embedding"]  # left out, it would not be asked for
    if state["lang"] != "en" or browser_language() != "en":
        link["lang"] = state["lang"]
    fits = len(urlencode(link)) <= LONGEST
    if not fits:
        link = {key: value for key, value in link.items() if key not in LONG}
    twice = any(len(st.query_params.get_all(key)) > 1 for key in link)
    # A run that was asked for before the last address arrived brings the one from before it.
    last = st.session_state.setdefault("address", {"sent": st.query_params.to_dict()})
    if twice or st.query_params.to_dict() != link or last["sent"] != link:
        st.query_params.from_dict(link)
        last["sent"] = link  # a newer run may break this one off at any use of the state, but not between these two
    return fits


def reset() -> None:
    """Callback: everything as on the first visit."""
    for key, parameter in PARAMETERS.items():
        st.session_state[key] = parameter.default
