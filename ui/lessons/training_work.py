"""Training that learners share: equal recipes are trained once, one after the other, and only while somebody watches.

Nothing runs by itself: each look, whoever takes it, trains the first in line a little. When nobody looks any more,
because the page was left or closed, the work has ended.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import inf
from threading import Lock
from time import monotonic
from typing import NamedTuple

from cachetools import LRUCache

from attention.training import Checkpoint, Recipe, checkpoints_of, train
from ui.server import turn

MOST_BYTES = 48 * 2**20  # of checkpoints in all; what was given up for others is trained again if it is asked for
SLICE = 0.12  # seconds of training at a look
PATIENCE = 3.0  # seconds after which somebody who waited, and does not look again, has left


class Training:
    """One recipe, and its checkpoints so far."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.checkpoints: list[Checkpoint] = []
        self._source: Iterator[Checkpoint] = train(recipe)
        self._busy = Lock()

    def advance(self, number: int, seconds: float = inf) -> None:
        """Train up to a checkpoint, counted from 0, or for so long; not at all if another thread does it already."""
        if not self._busy.acquire(blocking=seconds == inf):
            return
        end = monotonic() + seconds
        try:
            while len(self.checkpoints) <= number and monotonic() < end:
                self.checkpoints.append(next(self._source))
        finally:
            self._busy.release()


class Wait(NamedTuple):
    """When somebody last looked, and the checkpoint that is waited for."""

    looked: float
    goal: int


class Line:
    """Who is trained next, and up to which checkpoint: first come, first served."""

    def __init__(self) -> None:
        self._waits: dict[Recipe, Wait] = {}
        self._lock = Lock()

    def stand(self, recipe: Recipe, goal: int) -> int:
        """Come into the line, or stay there; how many are served first."""
        now = monotonic()
        with self._lock:
            there = self._waits.get(recipe)
            self._waits[recipe] = Wait(now, max(goal, there.goal) if there else goal)  # who is in line keeps the place
            self._waits = {each: wait for each, wait in self._waits.items() if now - wait.looked < PATIENCE}
            return list(self._waits).index(recipe)

    def first(self) -> tuple[Recipe, int]:
        """Who is served now, and its goal."""
        with self._lock:
            recipe, wait = next(iter(self._waits.items()))
            return recipe, wait.goal

    def leave(self, recipe: Recipe) -> None:
        with self._lock:
            self._waits.pop(recipe, None)


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


_trainings: LRUCache[Recipe, Training] = LRUCache(MOST_BYTES, _size)
_lock = Lock()
_line = Line()


def training_of(recipe: Recipe) -> Training:
    """The recipe's training, begun if it was not."""
    untrained(recipe)  # before the lock: it takes a moment
    with _lock:
        if recipe not in _trainings:
            _trainings[recipe] = Training(recipe)
        return _trainings[recipe]


def checkpoints(recipe: Recipe) -> list[Checkpoint]:
    """What there is."""
    with _lock:
        training = _trainings.get(recipe)
    return list(training.checkpoints) if training and training.checkpoints else [untrained(recipe)]


def look(recipe: Recipe, goal: int) -> Look:
    """What there is, after a moment of training for the first in line, unless the checkpoint ``goal`` is there."""
    before = 0
    if len(checkpoints(recipe)) <= goal:
        before = _line.stand(recipe, goal)
        first, its_goal = _line.first()
        training_of(first).advance(its_goal, SLICE)
    found = checkpoints(recipe)
    if len(found) > goal:
        _line.leave(recipe)
    return Look(found, before)


def checkpoint(recipe: Recipe, number: int) -> Checkpoint:
    """One checkpoint, counted from 0. Trained again, which takes seconds, if it was given up since it was looked at."""
    found = checkpoints(recipe)
    if len(found) > number:
        return found[number]
    training = training_of(recipe)
    with turn.left_to_others():
        training.advance(number)
    return training.checkpoints[number]
