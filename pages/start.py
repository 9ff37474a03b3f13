"""The whole computation on one screen, in the order in which it flows."""

from functools import partial

import streamlit as st

from attention import Experiment, MultiHeadAttention
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, script
from ui.pick import pick
from ui.plot import plots
from ui.runs import run
from ui.steps import card, strip, weights_in_a_step
from ui.words import t

MOST_CELLS = 100_000  # in a step; beyond it one head is shown at a time


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    item = reading.item(trace)

    heads = [str(head) for head in range(1, experiment.num_heads + 1)]
    options = [*heads, "all"] if weights_in_a_step(experiment) <= MOST_CELLS else heads
    picked = pick("head", options, {"all": t("start.all")})
    if "all" not in options:
        st.caption(t("start.large"))
    head = None if picked == "all" else int(picked) - 1
    if head is not None:
        selection.move_to(trace, head)

    tokens = experiment.tokens[item]
    plots(
        [card(trace, name, head=head, across=2) for name in ("inputs", *trace)],
        trace,
        key="start",
        opens=True,
    )
    title = t("start.strip_all" if head is None and experiment.num_heads > 1 else "start.strip")
    foot(partial(run, experiment), head=head, strip=strip(trace.tokens[item], tokens.pieces_of, title))
    programs(script(experiment))


open_lesson("start")
door.show(lesson)
say_untrained()
close_lesson("start", MultiHeadAttention)
