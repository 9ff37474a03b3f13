"""A sequence through a model at a checkpoint."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from cachetools import LRUCache, cached

from attention import Trace
from attention.training import TASKS, Answers, Recipe, TokenSequence, answer, restore
from ui.lessons.training_work import checkpoint
from ui.runs import size, trace_size

MOST_BYTES = 8 * 2**20  # of passes in all


@dataclass(frozen=True)
class TrainedRun:
    """What a learner wrote, or the task's example where that is empty. Raises `LearnerError` if it is no sequence."""

    recipe: Recipe
    number: int  # of the checkpoint, from 0
    text: str

    def __post_init__(self) -> None:
        _ = self.sequence

    @cached_property
    def sequence(self) -> TokenSequence:
        """The text as tokens, ids and possible answers."""
        return TASKS[self.recipe.task].read(self.written)

    @property
    def written(self) -> str:
        return self.text or TASKS[self.recipe.task].example


def _size(made: Answers) -> int:
    return size((made.probabilities,)) + sum(map(trace_size, made.traces))


@cached(LRUCache[Hashable, Answers](MOST_BYTES, _size), lock=Lock())
def answers_of(run: TrainedRun) -> Answers:
    """What the model answers, and the trace of every layer."""
    return answer(restore(run.recipe, checkpoint(run.recipe, run.number)), run.sequence)


def layer_trace(run: TrainedRun, layer: int) -> Trace:
    """Every step of the attention of one layer, counted from 0."""
    return answers_of(run).traces[layer]
