"""Training: the same MultiHeadAttention finds a pattern in seconds, and the learner's own sequence runs through it."""

import streamlit as st

from attention import MultiHeadAttention
from attention.training import TASKS, model, train
from ui import door
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson
from ui.lessons import training_controls as controls
from ui.lessons.training import answer_cards, learned_cards, program
from ui.lessons.training_work import look
from ui.plot import plots
from ui.runs import run
from ui.steps import card
from ui.words import t

experiment = door.experiment()
open_lesson("training")
recipe = controls.recipe(experiment)
task = TASKS[recipe.task]
st.markdown(t(f"training.why.{task.name}", example=task.example))
controls.buttons(recipe)
drawn = st.session_state.checkpoint


def learned() -> None:
    """What the model has learned so far. While it trains, this alone runs again and again."""
    found = look(recipe, controls.goal() or st.session_state.checkpoint)
    trains = controls.move(found)
    if not trains and st.session_state.checkpoint != drawn:
        st.rerun()  # what stands below follows
    controls.time(recipe, found)
    cards, trace = learned_cards(recipe, found.checkpoints, st.session_state.checkpoint)
    plots(cards, trace, key="training_learned", across=3)


st.fragment(learned, run_every=controls.TICK if controls.goal() is not None else None)()

if controls.goal() is None:
    st.subheader(t("training.part_own"), anchor=False)
    st.markdown(t("training.own"))
    layer = controls.layer_of(task.layers)
    own = controls.own_run(recipe, layer)
    trace = run(own)
    cards = [card(trace, name, across=2) for name in ("inputs", *trace)]
    plots([*answer_cards(own), *cards], trace, key="training_steps", across=2, opens=True)
    foot(own)
    close_lesson("training", program(own), MultiHeadAttention, model, train)
