"""Tables: what the tokenizer made of the sentence, and the learner's own numbers.

Only a page that shows tables imports this file: pandas takes 66 MB and most of a second.
"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from attention import Tokens, format_vectors
from attention.vectors import NUMBER
from figures import printable, short
from ui import own_vectors
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


def vector_editor(tokens: Tokens) -> None:
    """The numbers as a table to edit, a row for each token."""
    rows = own_vectors.chosen_or_none()
    if len(rows) != len(tokens.ids):
        return  # the message above the page says so
    table = pd.DataFrame(
        _texts(rows),
        index=[f"{i} {short(text)}" for i, text in enumerate(tokens.texts, 1)],
        columns=[str(column) for column in range(1, len(rows[0]) + 1)],
    )
    # A column of numbers would take letters for a 0.
    number = st.column_config.TextColumn(validate=rf"^\s*{NUMBER}\s*$", alignment="right", required=True)
    edits = st.session_state.get("edits", 0)
    # A new table after each edit: none is applied twice, or stays when it was refused.
    key = f"editor {edits} {format_vectors(rows)}"
    st.data_editor(
        table,
        key=key,
        column_config=dict.fromkeys(table.columns, number),
        on_change=_take_edit,
        args=(key, rows),
        height=min(len(rows), 8) * 35 + 38,
    )


def _texts(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    return [line.split(",") for line in format_vectors(rows).splitlines()]


def _take_edit(key: str, rows: Sequence[Sequence[float]]) -> None:
    st.session_state.edits = st.session_state.get("edits", 0) + 1
    cells = _texts(rows)
    for row, edits in st.session_state[key]["edited_rows"].items():
        for column, text in edits.items():
            cells[int(row)][int(column) - 1] = text or ""  # Delete empties a cell: its number stays, and it is said why
    own_vectors.take("\n".join(map(",".join, cells)).encode())
    st.rerun()  # with the controls, where the numbers stand, too
