"""What the training lesson remembers: the checkpoint shown, and the one that it is trained towards."""

from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal

import streamlit as st

from attention import Experiment, LearnerError
from attention.training import TASKS, Recipe, checkpoint_steps, checkpoints_of, recommended
from ui import link, notice
from ui.errors import message
from ui.lessons.training_runs import TrainedRun
from ui.lessons.training_work import Look, checkpoints
from ui.parameters import LONGEST_SEQUENCE
from ui.pick import pick
from ui.words import t

TICK = 0.05  # seconds from one picture, once it is drawn, until the next is asked for
WAITING = 1.0  # the same while others are trained first
PACE = 2  # checkpoints from one picture to the next, where they are there already


@dataclass(frozen=True)
class Watch:
    """What a learner watches. ``goal``: the checkpoint that it is trained towards; None while nothing is trained.

    ``waits``: others are trained first. ``began``: when the training came to it, and the checkpoint shown then.
    """

    recipe: Recipe
    goal: int | None = None
    waits: bool = False
    began: tuple[float, int] | None = None

    @property
    def tick(self) -> float | None:
        """Seconds until the next look."""
        if self.goal is None:
            return None
        return WAITING if self.waits else TICK


def watch() -> Watch:
    """The one of this visitor."""
    found: Watch = st.session_state.training
    return found


def _change(**what: object) -> None:
    st.session_state.training = replace(watch(), **what)  # type: ignore[arg-type]


def choose(experiment: Experiment) -> Recipe:
    """The chosen task with the experiment's d_out, heads, dropout and seed; what is watched follows."""
    task = pick("task", list(TASKS), {name: t(f"controls.task.{name}") for name in TASKS})
    recipe = Recipe(task, experiment.d_out, experiment.num_heads, float(experiment.dropout), experiment.seed)
    _forget(recipe)
    state, last = st.session_state, checkpoints_of(task) - 1
    if state.pop("training_start", False):
        _go(state.checkpoint if state.checkpoint < last else 0, last)
    state.checkpoint = min(state.checkpoint, last)
    if watch().goal is None and state.checkpoint >= len(checkpoints(recipe)):  # of a link, or given up for others
        link.will_be_met("checkpoint")
        _go(0, state.checkpoint)
    return recipe


def _forget(recipe: Recipe) -> None:
    """Another recipe begins untrained, another task without a sequence; unless a link says otherwise."""
    state = st.session_state
    old: Recipe | None = watch().recipe if "training" in state else None
    if old == recipe:
        return
    if old is not None and not link.asks_for("checkpoint"):
        state.checkpoint = 0
    if old is not None and old.task != recipe.task and not link.asks_for("sequence"):
        state.sequence = ""
    state.training = Watch(recipe)


def buttons(recipe: Recipe) -> None:
    """Train with what the task was tried with, train with the learner's own choices, or stop."""
    tried = recommended(recipe.task)
    as_tried = (recipe.d_out, recipe.num_heads) == (tried.d_out, tried.num_heads)
    begun = 0 < st.session_state.checkpoint < checkpoints_of(recipe.task) - 1
    busy, icon = watch().goal is not None, ":material/play_arrow:"
    with st.container(horizontal=True):
        if not as_tried:
            label = t("training.train_tried", d_out=tried.d_out, num_heads=tried.num_heads)
            help = t("training.tried_help")
            st.button(label, on_click=_use, args=(tried,), type="primary", disabled=busy, icon=icon, help=help)
        own = t("training.train_own", d_out=recipe.d_out, num_heads=recipe.num_heads)
        label = t("training.go_on") if begun else t("training.train") if as_tried else own
        kind: Literal["primary", "secondary"] = "primary" if as_tried else "secondary"
        st.button(label, on_click=_start, type=kind, disabled=busy, icon=icon, key="train")
        st.button(t("training.stop"), on_click=_stop, disabled=not busy, icon=":material/stop:", key="stop")


def follow(found: Look) -> None:
    """Show the next checkpoints, up to the goal."""
    state, now = st.session_state, watch()
    if now.goal is None:
        if state.checkpoint >= len(found.checkpoints):  # given up for others since the page was drawn
            _go(0, state.checkpoint)
        return
    if found.before == 0 and now.began is None:
        _change(began=(monotonic(), state.checkpoint))
    state.checkpoint = min(now.goal, state.checkpoint + PACE, len(found.checkpoints) - 1)
    _change(waits=found.before > 0, goal=None if state.checkpoint == now.goal else now.goal)


def progress_or_slider(recipe: Recipe, found: Look) -> None:
    """How far the training is; or, once it stands still, a slider over the checkpoints there are."""
    with st.container(key="training_time"):  # as high as the slider, in both cases
        if watch().goal is not None:
            _progress(recipe, found)
        elif len(found.checkpoints) == 1:
            st.progress(0.0, t("training.untrained"))
        else:
            _replay(recipe, len(found.checkpoints))


def _progress(recipe: Recipe, found: Look) -> None:
    number, steps, goal = st.session_state.checkpoint, checkpoint_steps(recipe.task), watch().goal or 1
    since, first = watch().began or (0.0, number)
    if found.before:
        text = t("training.waiting", before=found.before)
    elif number == first:
        text = t("training.begins")
    else:
        left = (monotonic() - since) * (goal - number) / (number - first)
        text = t("training.progress", step=steps[number], steps=steps[goal], seconds=f"{left:.0f}")
    st.progress(number / goal, text)


def _replay(recipe: Recipe, reached: int) -> None:
    steps = checkpoint_steps(recipe.task)
    st.select_slider(
        t("controls.checkpoint.label"),
        range(reached),
        format_func=lambda number: str(steps[number]),
        key="checkpoint",
        help=t("controls.checkpoint.help"),
        persist_state="session",
    )


def own_run(recipe: Recipe) -> TrainedRun:
    """The learner's own sequence through the checkpoint shown; the last good one while it cannot be read."""
    state = st.session_state
    st.text_input(
        t("controls.sequence.label"),
        key="sequence",
        help=t(f"training.sequence.{recipe.task}"),
        placeholder=TASKS[recipe.task].example,
        max_chars=LONGEST_SEQUENCE,
        persist_state="session",
    )
    good: dict[str, str] = state.setdefault("training_texts", {})
    try:
        made = TrainedRun(recipe, state.checkpoint, state.sequence.strip())
        good[recipe.task] = made.text
    except LearnerError as error:
        notice.error(t("training.kept", why=message(error)))
        made = TrainedRun(recipe, state.checkpoint, good.get(recipe.task, ""))
    return made


def pick_layer(layers: int) -> int:
    """Which layer's steps are shown, counted from 0."""
    if layers == 1:
        return 0
    return int(pick("training_layer", [str(layer) for layer in range(1, layers + 1)])) - 1


def _go(start: int, end: int) -> None:
    st.session_state.checkpoint = start
    _change(goal=end, waits=False, began=None)


def _start() -> None:
    """Callback: begin, once the page knows the recipe, which the same press may change."""
    st.session_state.training_start = True


def _stop() -> None:
    _change(goal=None)


def _use(tried: Recipe) -> None:
    """Callback: begin with what the task was tried with."""
    st.session_state.update(d_out=tried.d_out, num_heads=tried.num_heads)
    _start()
