"""MultiHeadAttention: all heads of each step side by side, split, merged and projected."""

from functools import partial

import streamlit as st

from attention import Experiment, MultiHeadAttention
from ui import controls, door
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, script
from ui.pick import pick
from ui.plot import plots
from ui.runs import run
from ui.steps import MOST_CELLS, SCORES, card, unsplit_card, weights_in_a_step
from ui.words import t

PARTS = {
    "split": ("inputs", "queries", "keys", "values"),
    "attend": (*SCORES, "weights", "dropped_weights", "context"),
    "merge": ("merged_context", "output"),
}


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    numbers = {
        "d_out": experiment.d_out,
        "num_heads": experiment.num_heads,
        "head_dim": experiment.head_dim,
    }
    open_lesson("multihead", **numbers)
    st.button(t("lesson.book"), on_click=controls.use_book, help=t("lesson.book_help"))
    say_untrained()

    for part, names in PARTS.items():
        st.subheader(t(f"multihead.part_{part}"), anchor=False)
        st.markdown(t(f"multihead.{part}", **numbers))
        if part == "attend" and weights_in_a_step(experiment) > MOST_CELLS:
            st.caption(t("multihead.large"))
            names = (pick("step", names),)
        cards = [card(trace, name) for name in names]
        if part == "split":
            cards.insert(1, unsplit_card(trace))
        plots(
            cards,
            trace,
            key=f"multihead_{part}",
            across=2 if experiment.num_heads < 3 else 1,
            opens=True,
        )
    foot(partial(run, experiment))
    programs(script(experiment))


door.show(lesson)
close_lesson("multihead", MultiHeadAttention)
