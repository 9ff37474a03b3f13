"""A sequence through a model at a checkpoint."""

from dataclasses import dataclass
from functools import cached_property

from attention import Trace
from attention.training import TASKS, Answers, Recipe, TokenSequence, answer, restore
from ui.lessons.training_work import checkpoint


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

    def answers(self) -> Answers:
        """What the model answers, and the trace of every layer."""
        return answer(restore(self.recipe, checkpoint(self.recipe, self.number)), self.sequence)


@dataclass(frozen=True)
class TrainedLayer:
    """The attention of one layer, counted from 0."""

    whole: TrainedRun
    layer: int

    def run(self) -> Trace:
        """Every step."""
        return self.whole.answers().traces[self.layer]
