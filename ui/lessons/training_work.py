"""Training that learners share: equal recipes are trained once, one after the other, and only while somebody watches.

Nothing runs by itself: each look at a training computes a little of it. When nobody looks any more, because the page
was left or closed, the work has ended.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from threading import Lock
from time import monotonic
from typing import NamedTuple

from cachetools import LRUCache, cached
from torch import Tensor

from attention import Trace
from attention.training import (
    TASKS,
    AttentionModel,
    Checkpoint,
    Recipe,
    TokenSequence,
    checkpoints_of,
    restore,
    trace_layers,
    train,
)

LARGEST = 48 * 2**20  # bytes of checkpoints in all; what was given up for others is trained again if it is asked for
SLICE = 0.12  # seconds of one look
PATIENCE = 3.0  # seconds after which somebody who waited, and does not look again, has left


class Training:
    """One recipe, and its checkpoints so far."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.checkpoints: list[Checkpoint] = []
        self._source = train(recipe)
        self._one_at_a_time = Lock()

    def advance(self, number: int, seconds: float = inf) -> None:
        """Train up to a checkpoint, counted from 0, or for so long."""
        end = monotonic() + seconds
        with self._one_at_a_time:
            while len(self.checkpoints) <= number and monotonic() < end:
                self.checkpoints.append(next(self._source))


class Line:
    """Who is trained next: first come, first served."""

    def __init__(self) -> None:
        self._last_look: dict[Recipe, float] = {}
        self._lock = Lock()

    def before(self, recipe: Recipe) -> int:
        """How many are served first; also the way to stand in line, and to stay there."""
        now = monotonic()
        with self._lock:
            self._last_look[recipe] = now  # who is in line keeps the place
            self._last_look = {each: look for each, look in self._last_look.items() if now - look < PATIENCE}
            return list(self._last_look).index(recipe)

    def leave(self, recipe: Recipe) -> None:
        with self._lock:
            self._last_look.pop(recipe, None)


class Look(NamedTuple):
    """What there is of a training; ``before``: how many others are trained first."""

    checkpoints: list[Checkpoint]
    before: int


@lru_cache(maxsize=32)
def untrained(recipe: Recipe) -> Checkpoint:
    """The first checkpoint, which needs no training."""
    return next(train(recipe))


def _size(training: Training) -> int:
    return untrained(training.recipe).nbytes * checkpoints_of(training.recipe.task)


_trainings: LRUCache[Recipe, Training] = LRUCache(LARGEST, _size)
_lock = Lock()
_line = Line()


@cached(_trainings, key=lambda recipe: recipe, lock=_lock)
def training_of(recipe: Recipe) -> Training:
    """The recipe's training, begun if it was not."""
    return Training(recipe)


def checkpoints(recipe: Recipe) -> list[Checkpoint]:
    """What there is."""
    with _lock:
        training = _trainings.get(recipe)
    return list(training.checkpoints) if training and training.checkpoints else [untrained(recipe)]


def look(recipe: Recipe, goal: int) -> Look:
    """Train on towards the checkpoint ``goal`` for a moment, unless it is there, or others come first."""
    if len(checkpoints(recipe)) <= goal:
        before = _line.before(recipe)
        if before:
            return Look(checkpoints(recipe), before)
        training_of(recipe).advance(goal, SLICE)
    found = checkpoints(recipe)
    if len(found) > goal:
        _line.leave(recipe)
    return Look(found, 0)


@dataclass(frozen=True)
class TrainedRun:
    """A pass through one layer of a model at a checkpoint, for a learner's text; empty: the task's example.

    Raises `LearnerError` if the text is no sequence of the task.
    """

    recipe: Recipe
    number: int
    text: str
    layer: int

    def __post_init__(self) -> None:
        TASKS[self.recipe.task].read(self.written)

    @property
    def sequence(self) -> TokenSequence:
        """The text as tokens, ids and possible answers."""
        return TASKS[self.recipe.task].read(self.written)

    @property
    def written(self) -> str:
        """What the learner wrote, or the example."""
        return self.text or TASKS[self.recipe.task].example

    def model(self) -> AttentionModel:
        """The whole model at that checkpoint."""
        found = checkpoints(self.recipe)
        if len(found) <= self.number:  # given up for others since it was looked at
            training_of(self.recipe).advance(self.number)
            found = checkpoints(self.recipe)
        return restore(self.recipe, found[self.number])

    def answers(self) -> tuple[Tensor, tuple[Trace, ...]]:
        """Probabilities (token, part, answer), and the trace of every layer."""
        logits, traces = trace_layers(self.model(), self.sequence.batch, [self.sequence.texts])
        return logits[0].softmax(dim=-1), traces  # (token, part, answer)

    def run(self) -> Trace:
        """The layer's attention."""
        return self.answers()[1][self.layer]
