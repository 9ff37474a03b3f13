"""Every choice of a training run, frozen and checked. Equal recipes give equal checkpoints."""

from dataclasses import dataclass

from attention.checks import MAX_D_OUT, MAX_HEADS, check_heads
from attention.experiment_checks import MAX_SEED, check_choice, check_dropout, check_whole_number
from attention.randomness import seeded
from attention.training.model import AttentionModel
from attention.training.tasks import TASKS

CHECKPOINTS = 32  # at most, after that of the untrained model


@dataclass(frozen=True)
class Recipe:
    """What is trained, and how. Raises `LearnerError` if the choices do not fit together.

    task: one of `TASKS`. d_out: the numbers of a token's vector, in every layer. dropout: of attention weights, in
    training only. seed: of the first parameters, the batches and the dropout.
    """

    task: str
    d_out: int
    num_heads: int
    dropout: float = 0.0
    seed: int = 123

    def __post_init__(self) -> None:
        check_choice("task", self.task, tuple(TASKS))
        check_whole_number("d_out", self.d_out, 1, MAX_D_OUT)
        check_whole_number("num_heads", self.num_heads, 1, MAX_HEADS)
        check_whole_number("seed", self.seed, 0, MAX_SEED)
        check_dropout(self.dropout)
        check_heads(self.d_out, self.num_heads)

    def build(self) -> AttentionModel:
        """The untrained model, its parameters drawn with the seed. In eval mode."""
        with seeded(self.seed):
            return AttentionModel(TASKS[self.task], self.d_out, self.num_heads).eval()


def recommended(task: str, seed: int = 123) -> Recipe:
    """The recipe that finds the task's pattern. Raises `LearnerError` for an unknown task."""
    check_choice("task", task, tuple(TASKS))
    return Recipe(task, TASKS[task].d_out, TASKS[task].num_heads, seed=seed)


def checkpoint_steps(task: str) -> tuple[int, ...]:
    """The steps after which there is a checkpoint: 0, then evenly up to the last one."""
    steps = TASKS[task].steps
    every = -(-steps // CHECKPOINTS)  # rounded up
    return (*range(0, steps, every), steps)


def checkpoints_of(task: str) -> int:
    """How many checkpoints a training run gives, the untrained one included."""
    return len(checkpoint_steps(task))
