"""MultiHeadAttention: all heads of each step side by side, split, merged and projected."""

from functools import partial

import streamlit as st

from attention import Experiment, MultiHeadAttention
from ui import door
from ui.controls import offer_book
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, script, section, sizes
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
    for part, names in PARTS.items():
        section("multihead", part, **sizes(experiment))
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


open_lesson("multihead")
offer_book()
say_untrained()
door.show(lesson)
close_lesson("multihead", MultiHeadAttention)
