"""The learner's own input vectors: typed, uploaded or edited, always kept as one CSV text."""

import streamlit as st

from attention import LearnerError, format_vectors, parse_vectors
from ui import text
from ui.errors import message
from ui.words import t

LARGEST_UPLOAD = 1  # megabytes


def chosen() -> tuple[tuple[float, ...], ...]:
    """The numbers as they stand. Raises `LearnerError` if the text is no table of numbers."""
    return parse_vectors(st.session_state.get("vectors") or "")


def chosen_or_none() -> tuple[tuple[float, ...], ...]:
    """The numbers as they stand, or none while they cannot be used."""
    try:
        return chosen()
    except LearnerError:
        return ()


def start() -> None:
    """Callback: a learner who turns to own numbers starts from those on screen."""
    state = st.session_state
    if state.embedding == "own" and not state.get("vectors") and "experiment" in state:
        rows = state.experiment.embedded()[0][0].tolist()  # without the positions, which are added later
        state.vectors = format_vectors([[round(number, 2) for number in row] for row in rows])


def controls() -> None:
    """The text of the table, and an upload that replaces it."""
    st.text_area(
        t("controls.vectors.label"),
        key="vectors",
        height=140,
        help=t("controls.vectors.help"),
        persist_state="session",
    )
    st.file_uploader(
        t("controls.upload.label"),  # of any type: what is wrong with a file is said in the page's language
        key="upload",
        max_upload_size=LARGEST_UPLOAD,
        help=t("controls.upload.help"),
        on_change=_take_upload,
    )
    if "vectors_problem" in st.session_state:
        st.error(st.session_state.pop("vectors_problem"), icon=":material/error:")


def _take_upload() -> None:
    file = st.session_state.upload
    if file is None:
        return
    take(file.getvalue())


def take(file: bytes) -> None:
    """Take a table over as the numbers, or keep the old ones and say beside them what is wrong with it."""
    try:
        rows = parse_vectors(_decoded(file))
        batch = text.tokens()
        if len(batch) == 1 and len(batch[0].ids) != len(rows):
            raise LearnerError("own_rows", rows=len(rows), tokens=len(batch[0].ids))
        st.session_state.vectors = format_vectors(rows)
    except LearnerError as error:
        st.session_state.vectors_problem = message(error)


def _decoded(file: bytes) -> str:
    try:
        decoded = file.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LearnerError("vectors_not_utf8") from None
    if "\0" in decoded:  # UTF-16 without its mark
        raise LearnerError("vectors_not_utf8")
    return decoded
