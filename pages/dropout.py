"""Dropout: one draw and what it does, train() beside eval(), and the mean of many draws."""

from dataclasses import replace
from functools import partial

import streamlit as st

from attention import Experiment, Trace, dropout_draws
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained
from ui.lessons.dropout import draw_cards, dropped_in, mean_cards, mode_cards, program
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


def drawn(experiment: Experiment, draw: int) -> Trace:
    """The run with this draw of its dropout."""
    return run(experiment) if draw == 1 else dropout_draws.run_draw(experiment, draw)


def lesson(entered: Experiment) -> None:
    experiment = replace(entered, mode="train", dropout=entered.dropout or ASSUMED)
    draw = st.session_state.draw
    trace = drawn(experiment, draw)
    item, query = reading.item(trace), reading.query(trace)
    tokens = experiment.tokens[item]
    numbers = {"p": experiment.dropout, "rescale": 1 / (1 - experiment.dropout)}

    open_lesson("dropout", **numbers)
    st.caption(t("dropout.own", **numbers) if entered.dropout else t("dropout.assumed", **numbers))
    say_untrained()
    head = pick_head(experiment.num_heads)
    selection.move_to(trace, head)

    st.subheader(t("dropout.part_draw"), anchor=False)
    st.markdown(t("dropout.draw", **numbers))
    count = dropped_in(trace, head)
    for column, name, value in zip(
        st.columns(4),
        ("p", "rescale", "number", "dropped"),
        (f"{numbers['p']:g}", f"{numbers['rescale']:.3f}", draw, f"{count.dropped:,}"),
        strict=True,
    ):
        column.metric(t(f"dropout.metric_{name}", of=count.of), value)
    st.button(t("controls.draw.label"), on_click=draw_again, help=t("controls.draw.help"), icon=":material/casino:")
    plots(draw_cards(trace, head), trace, key="dropout_draw", across=2, opens=True)

    st.subheader(t("dropout.part_modes"), anchor=False)
    st.markdown(t("dropout.modes"))
    evaluation = run(replace(experiment, mode="eval"))
    plots(mode_cards(trace, evaluation, head), trace, key="dropout_modes", across=2)

    st.subheader(t("dropout.part_many"), anchor=False)
    draws = slide("draws", dropout_draws.COUNTS)
    st.markdown(t("dropout.many", draws=draws, query=literal(trace.tokens[item][query])))
    plots(mean_cards(experiment, trace, head, draws), trace, key="dropout_many", across=2)
    words = strip(trace.tokens[item], tokens.pieces_of, t("dropout.strip"))
    foot(partial(drawn, experiment, draw), head=head, strip=words, on_query=lesson_only)
    programs(program(experiment, draw))


door.show(lesson)
close_lesson("dropout", dropout_draws)
