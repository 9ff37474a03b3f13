"""Training: the same MultiHeadAttention finds a pattern in seconds, and the learner's own sequence runs through it."""

from functools import partial

import streamlit as st

from attention import MultiHeadAttention
from attention.training import TASKS, model, train
from ui import door
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, section
from ui.lessons import training_controls as controls
from ui.lessons.training import answer_cards, learned_cards, program
from ui.lessons.training_runs import TrainedRun, answers_of, layer_trace
from ui.lessons.training_work import look
from ui.plot import plots
from ui.steps import card
from ui.words import t

experiment = door.experiment()
open_lesson("training")
recipe = controls.choose(experiment)
task = TASKS[recipe.task]
st.markdown(t(f"training.why.{task.name}", example=task.example))
controls.buttons(recipe)
drawn = st.session_state.checkpoint
trains = controls.watch().tick is not None


@st.fragment
def learned() -> None:
    """What the model has learned so far. While it trains, this alone runs again and again."""
    found = look(recipe, controls.watch().goal or st.session_state.checkpoint)
    controls.follow(found)
    number = st.session_state.checkpoint
    tick = controls.watch().tick
    if (tick is not None) != trains or (not trains and number != drawn):
        st.rerun()  # it begins or ends: what stands below follows
    controls.progress_or_slider(recipe, found)
    answers = answers_of(TrainedRun(recipe, number, ""))
    plots(
        learned_cards(recipe, found.checkpoints[: number + 1], answers),
        answers.traces[0],
        key="learned",
        across=3,
        tick=tick,
    )


learned()

if controls.watch().goal is None:
    section("training", "own")
    layer = controls.pick_layer(task.layers)
    own = controls.own_run(recipe)
    answers, trace = answers_of(own), layer_trace(own, layer)
    cards = [card(trace, name, across=2) for name in ("inputs", *trace)]
    plots([*answer_cards(own.sequence, answers), *cards], trace, key="training_steps", across=2, opens=True)
    foot(partial(layer_trace, own, layer))
    programs(program(own, layer))
    door.leave()
    close_lesson("training", MultiHeadAttention, model, train)
