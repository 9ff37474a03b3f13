"""Dropout: one draw and what it does, train() beside eval(), and the mean of many draws."""

from dataclasses import replace
from functools import partial

import streamlit as st

from attention import Experiment, dropout_draws
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, section
from ui.lessons.dropout import draw_cards, dropped_in, mean_cards, mode_cards, program, run_draw
from ui.markdown import literal
from ui.pick import pick_head, slide
from ui.plot import plots
from ui.rerun import lesson_only
from ui.runs import run
from ui.steps import strip
from ui.words import t

ASSUMED = 0.5  # where the experiment has no dropout


def draw_again() -> None:
    """Callback: the next draw; after the last one that a link can say comes the first."""
    st.session_state.draw = st.session_state.draw % dropout_draws.MAX_DRAWS + 1


def lesson(entered: Experiment) -> None:
    experiment = replace(entered, mode="train", dropout=entered.dropout or ASSUMED)
    draw = st.session_state.draw
    evaluation = run(replace(experiment, mode="eval"))
    trace = run_draw(experiment, draw)  # last: of a long sentence only one run is kept, and the foot asks for this
    item, query = reading.item(trace), reading.query(trace)
    tokens = experiment.tokens[item]
    numbers = {"p": experiment.dropout, "rescale": 1 / (1 - experiment.dropout)}

    st.caption(t("dropout.own", **numbers) if entered.dropout else t("dropout.assumed", **numbers))
    head = pick_head(experiment.num_heads)
    selection.move_to(trace, head)

    section("dropout", "draw", **numbers)
    count = dropped_in(trace, head)
    with st.container(horizontal=True):
        st.metric(t("dropout.metric_p"), f"{numbers['p']:g}")
        st.metric(t("dropout.metric_rescale"), f"{numbers['rescale']:.3f}")
        st.metric(t("dropout.metric_number"), draw)
        st.metric(t("dropout.metric_dropped", of=count.of), f"{count.dropped:,}")
    st.button(t("controls.draw.label"), on_click=draw_again, help=t("controls.draw.help"), icon=":material/casino:")
    plots(draw_cards(trace, head), trace, key="dropout_draw", across=2, opens=True)

    section("dropout", "modes")
    plots(mode_cards(trace, evaluation, head), trace, key="dropout_modes", across=2, opens=True)

    draws = st.session_state.draws
    section("dropout", "many", draws=draws, query=literal(trace.tokens[item][query]))
    slide("draws", dropout_draws.COUNTS)
    plots(mean_cards(experiment, trace, head, draws), trace, key="dropout_many", across=2)
    words = strip(trace.tokens[item], tokens.pieces_of, t("dropout.strip"))
    foot(partial(run_draw, experiment, draw), head=head, strip=words, on_query=lesson_only)
    programs(program(experiment, draw))


open_lesson("dropout")
say_untrained()
door.show(lesson)
close_lesson("dropout", dropout_draws)
