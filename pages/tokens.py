"""From a sentence to vectors: tokens, ids, the table, positions."""

from functools import partial

import streamlit as st

from attention import Experiment, embeddings, positions
from ui import door, reading
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, script
from ui.plot import plots
from ui.runs import run
from ui.steps import card, strip, vector_card
from ui.tables import token_table, vector_editor
from ui.words import t


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    item = reading.item(trace)
    tokens = experiment.tokens[item]

    plots(
        [],
        trace,
        key="tokens_strip",
        strip=strip(trace.tokens[item], tokens.pieces_of, t("tokens.strip")),
    )
    st.caption(t("tokens.count", tokens=len(tokens.ids), distinct=len(set(tokens.ids))))
    if len(experiment.sentences) > 1:
        st.info(t("tokens.batch", item=item + 1, count=len(experiment.sentences)), icon=":material/info:")

    st.subheader(t("tokens.table"), anchor=False)
    token_table(tokens)
    if experiment.embedding == "own":
        st.caption(t("tokens.edit"))
        vector_editor(tokens)
    if experiment.embedding == "one_hot":
        st.caption(t("tokens.one_hot_note", width=experiment.d_in))

    rows, places = experiment.embedded()
    plots(
        [
            vector_card(trace, "embedding", rows[item], r"\mathrm{table}[\mathrm{id}]"),
            vector_card(trace, "positions", places[item], r"P"),
            card(trace, "inputs"),
        ],
        trace,
        key="tokens",
        across=3,
        opens=True,
    )
    foot(partial(run, experiment))
    programs(script(experiment))


open_lesson("tokens")
door.show(lesson)
close_lesson("tokens", embeddings, positions)
