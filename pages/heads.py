"""d_out split into heads: three ways to the same numbers, and the one wrong way to split."""

from functools import partial

import streamlit as st

from attention import Experiment
from attention.head_views import (
    as_batch_of_heads,
    as_one_matrix,
    as_stacked_heads,
    largest_difference,
    right_split,
    stacked_heads,
    wrong_split,
)
from ui import door, reading
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, script, section, sizes
from ui.lessons.heads import computed, splits, way_cards, with_heads
from ui.plot import plots
from ui.runs import run
from ui.steps import card, strip, unsplit_card
from ui.words import t

PIECES = (right_split, wrong_split, stacked_heads, as_stacked_heads, as_one_matrix, as_batch_of_heads)


def lesson(chosen: Experiment) -> None:
    experiment = with_heads(chosen)
    trace = run(experiment)
    numbers = sizes(experiment)
    if chosen.num_heads == 1:
        st.caption(t("heads.two_instead") if experiment.num_heads > 1 else t("heads.only_one"))
    few = experiment.num_heads <= 2

    section("heads", "split", **numbers)
    queries = [unsplit_card(trace), card(trace, "queries")]
    plots(queries, trace, key="heads_split", across=2 if few else 1, opens=True)

    views = computed(experiment)
    section("heads", "ways", difference=largest_difference(views.values()), **numbers)
    plots(way_cards(experiment, trace, views), trace, key="heads_ways", across=3, opens=True)

    split = splits(experiment, trace)
    section("heads", "view", example=split.example)
    item = reading.item(trace)
    words = strip(trace.tokens[item], experiment.tokens[item].pieces_of, t("heads.strip"))
    plots(split.cards, trace, key="heads_view", across=3 if few else 1)
    if split.equal:
        st.info(t("heads.equal"))
    else:
        st.markdown(t("heads.wrong", last=split.last, tokens=experiment.context_length))
    foot(partial(run, experiment), strip=words)
    programs(script(experiment))


open_lesson("heads")
door.show(lesson)
close_lesson("heads", *PIECES)
