"""What the training lesson remembers: the task, the checkpoint shown, and the one it is trained towards."""

from time import monotonic

import streamlit as st

from attention import Experiment, LearnerError
from attention.training import TASKS, Recipe, checkpoint_steps, checkpoints_of, recommended
from ui import notice
from ui.errors import message
from ui.lessons.training_work import Look, TrainedRun, checkpoints
from ui.pick import pick
from ui.words import t

TICK = 0.2  # seconds between two pictures
PACE = 2  # checkpoints from one picture to the next, where they are there already


def recipe(experiment: Experiment) -> Recipe:
    """The chosen task with the experiment's d_out, heads, dropout and seed; another one begins untrained."""
    state = st.session_state
    state.setdefault("training_goal", None)
    task = pick("task", list(TASKS), {name: t(f"controls.task.{name}") for name in TASKS})
    chosen = Recipe(task, experiment.d_out, experiment.num_heads, float(experiment.dropout), experiment.seed)
    if state.get("training_recipe") not in (None, chosen):
        state.checkpoint, state.training_goal = 0, None
    if state.get("training_task") not in (None, task):
        state.sequence = ""
    state.training_recipe, state.training_task = chosen, task
    last = checkpoints_of(task) - 1
    if state.pop("training_start", False):
        _go(0, last)
    state.checkpoint = min(state.checkpoint, last)
    if goal() is None and state.checkpoint >= len(checkpoints(chosen)):  # of a link, or given up for others
        state.get("asked", {}).pop("checkpoint", None)
        _go(0, state.checkpoint)
    return chosen


def buttons(chosen: Recipe) -> None:
    """Train with what the task was tried with, train with the learner's own choices, or stop."""
    tried = recommended(chosen.task)
    own = (chosen.d_out, chosen.num_heads) == (tried.d_out, tried.num_heads)
    busy, icon = goal() is not None, ":material/play_arrow:"
    with st.container(horizontal=True):
        if not own:
            label = t("training.train_tried", d_out=tried.d_out, num_heads=tried.num_heads)
            st.button(label, on_click=_use, args=(tried,), type="primary", disabled=busy, icon=icon)
        label = t("training.train") if own else t("training.train_own", d_out=chosen.d_out, num_heads=chosen.num_heads)
        st.button(label, on_click=_start, type="primary" if own else "secondary", disabled=busy, icon=icon, key="train")
        st.button(t("training.stop"), on_click=_stop, disabled=not busy, icon=":material/stop:", key="stop")


def goal() -> int | None:
    """The checkpoint that is trained towards; None while nothing is trained."""
    found: int | None = st.session_state.training_goal
    return found


def move(found: Look) -> bool:
    """Show the next checkpoints; False once the goal is reached."""
    state, end = st.session_state, goal()
    if end is None:
        return False
    state.checkpoint = min(end, state.checkpoint + PACE, len(found.checkpoints) - 1)
    if state.checkpoint == end:
        state.training_goal = None
    return goal() is not None


def time(chosen: Recipe, found: Look) -> None:
    """How far the training is; or, once it stands still, a slider over the checkpoints there are."""
    with st.container(key="training_time"):  # as high as the slider, in both cases
        if goal() is not None:
            _progress(chosen, found)
        elif len(found.checkpoints) == 1:
            st.progress(0.0, t("training.untrained"))
        else:
            _replay(chosen, len(found.checkpoints))


def _progress(chosen: Recipe, found: Look) -> None:
    state, steps, end = st.session_state, checkpoint_steps(chosen.task), goal() or 1
    done = state.checkpoint / end
    if found.before:
        text = t("training.waiting", before=found.before)
    elif not done:
        text = t("training.begins")
    else:
        left = (monotonic() - state.training_began) * (1 - done) / done
        text = t("training.progress", step=steps[state.checkpoint], steps=steps[end], seconds=f"{left:.0f}")
    st.progress(done, text)


def _replay(chosen: Recipe, reached: int) -> None:
    steps = checkpoint_steps(chosen.task)
    st.select_slider(
        t("controls.checkpoint.label"),
        range(reached),
        format_func=lambda number: str(steps[number]),
        key="checkpoint",
        help=t("controls.checkpoint.help"),
        persist_state="session",
    )


def own_run(chosen: Recipe, layer: int) -> TrainedRun:
    """The learner's own sequence through the checkpoint shown; the last good one while it cannot be read."""
    state = st.session_state
    label, help = t("controls.sequence.label"), t(f"training.sequence.{chosen.task}")
    st.text_input(label, key="sequence", help=help, placeholder=TASKS[chosen.task].example, persist_state="session")
    good: dict[str, str] = state.setdefault("training_texts", {})
    try:
        made = TrainedRun(chosen, state.checkpoint, state.sequence.strip(), layer)
        good[chosen.task] = made.text
    except LearnerError as error:
        notice.error(t("training.kept", why=message(error)))
        made = TrainedRun(chosen, state.checkpoint, good.get(chosen.task, ""), layer)
    return made


def _go(start: int, end: int) -> None:
    st.session_state.update(checkpoint=start, training_goal=end, training_began=monotonic())


def _start() -> None:
    st.session_state.training_start = True


def _stop() -> None:
    st.session_state.training_goal = None


def _use(tried: Recipe) -> None:
    """Callback: begin with what the task was tried with."""
    st.session_state.update(d_out=tried.d_out, num_heads=tried.num_heads, training_start=True)


def layer_of(layers: int) -> int:
    """Which layer's steps are shown, counted from 0."""
    if layers == 1:
        return 0
    st.session_state.layer = min(st.session_state.layer, layers)
    label = t("controls.layer.label")
    return st.radio(label, range(1, layers + 1), key="layer", horizontal=True, persist_state="session") - 1
