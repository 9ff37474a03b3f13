"""The text as it stands in the controls, and which vectors it allows."""

import streamlit as st

from attention import BOOK_TOKENS, LearnerError, Tokens, split_sentences, tokenize


def tokens() -> list[Tokens]:
    """The tokens of each sentence; none while the text cannot be used."""
    try:
        return tokenize(split_sentences(st.session_state.sentence or ""), st.session_state.tokenizer)
    except LearnerError:
        return []


def fit_embedding() -> None:
    """The book's table has six words only: any other text goes on with the seeded table."""
    if lacks_book_rows():
        st.session_state.embedding = "seeded"


def lacks_book_rows() -> bool:
    """True if the book's table is chosen for a text with other words."""
    if st.session_state.embedding != "book":
        return False
    return not {text.strip() for sentence in tokens() for text in sentence.texts} <= set(BOOK_TOKENS)
