"""What the tokenizer made of the sentence, as a table."""

import pandas as pd
import streamlit as st

from attention import Tokens
from figures import printable
from ui.words import t


def token_table(tokens: Tokens) -> None:
    """One row a token: its position, text, id, and the word it is a piece of."""
    table = pd.DataFrame(
        {
            t("tokens.position"): range(1, len(tokens.ids) + 1),
            t("tokens.token"): [printable(text) for text in tokens.texts],
            t("tokens.id"): tokens.ids,
            t("tokens.word"): [word + 1 for word in tokens.pieces_of],
        }
    )
    st.dataframe(table, hide_index=True, height=min(len(table), 8) * 35 + 38)
