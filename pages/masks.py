"""The six masks, one of them drawn by hand; a row with nothing to see; and why -inf comes before the softmax."""

from functools import partial

import streamlit as st

from attention import Experiment
from attention.masked_run import hidden_rows, zeroed_after_softmax
from attention.masks import LESSON_MASKS, MOST_DRAWN
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, section
from ui.lessons import mask_choice
from ui.lessons.masks import before_and_after, mask_card
from ui.markdown import literal
from ui.pick import pick, pick_head
from ui.plot import plots
from ui.steps import card, strip
from ui.words import t


def lesson(experiment: Experiment) -> None:
    name = pick("lesson_mask", LESSON_MASKS, {each: t(f"controls.lesson_mask.{each}") for each in LESSON_MASKS})
    st.markdown(t(f"masks.about.{name}"))
    left, right = st.columns([1, 2])  # side by side: the figures stay where they are when the mask changes
    with left:
        head = pick_head(experiment.num_heads)
    with right:
        mask_choice.controls(name, experiment)
    trace, code = mask_choice.masked_run(name, experiment)
    item = reading.item(trace)
    selection.move_to(trace, head)
    drops = experiment.mode == "train" and experiment.dropout > 0
    steps = ("masked_scores", "weights", *(("dropped_weights",) if drops else ()), "context")
    draws = name == "drawn" and experiment.context_length <= MOST_DRAWN
    plots(
        [
            mask_card(trace, name, head, picks=draws),
            *(card(trace, step, head=head) for step in steps),
        ],
        trace,
        key="masks_steps",
        across=2,
        opens=True,
        on_pick=partial(mask_choice.toggle, experiment.context_length, trace.lengths[item]),
    )
    blind = hidden_rows(trace, item)
    if blind:
        st.info(t("masks.hidden_row", tokens=", ".join(literal(trace.tokens[item][query]) for query in blind)))

    zeroed = zeroed_after_softmax(trace)
    section("masks", "why", least=zeroed[item, head].sum(dim=-1).min().item())
    plots(before_and_after(trace, zeroed, head), trace, key="masks_why", across=3, opens=True)
    st.markdown(t("masks.because"))
    words = strip(trace.tokens[item], experiment.tokens[item].pieces_of, t("masks.strip"))
    foot(lambda: mask_choice.masked_run(name, experiment).trace, head=head, strip=words)
    programs(*code)


open_lesson("masks")
say_untrained()
door.show(lesson)
close_lesson("masks", zeroed_after_softmax)
