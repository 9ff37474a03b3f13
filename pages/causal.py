"""CausalAttention, the single head, step by step."""

from functools import partial

import streamlit as st

from attention import CausalAttention, Experiment
from ui import controls, door
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, script
from ui.plot import plots
from ui.runs import run
from ui.steps import SCORES, card
from ui.words import t

PARTS = {
    "project": ("inputs", "queries", "keys", "values"),
    "score": SCORES,
    "weigh": ("weights", "dropped_weights"),
    "context": ("context",),
}


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    numbers = {
        "d_out": experiment.d_out,
        "root": experiment.d_out**0.5,
        "rescale": 1 / (1 - experiment.dropout),
    }
    open_lesson("causal", **numbers)
    st.button(t("lesson.book"), on_click=controls.use_book, help=t("lesson.book_help"))
    say_untrained()

    for part, names in PARTS.items():
        st.subheader(t(f"causal.part_{part}"), anchor=False)
        st.markdown(t(f"causal.{part}", **numbers))
        plots(
            [card(trace, name) for name in names],
            trace,
            key=f"causal_{part}",
            across=max(2, len(names)),
            opens=True,
        )
    foot(partial(run, experiment))
    programs(script(experiment))


door.show(lesson)
close_lesson("causal", CausalAttention)
