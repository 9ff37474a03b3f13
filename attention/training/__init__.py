"""Attention that learns where to look: eight small tasks, and the package's own `MultiHeadAttention` in the loop.

Start with task.py, model.py and loop.py.
"""

from attention.training.checkpoint import Checkpoint, restore
from attention.training.loop import train
from attention.training.model import Answers, AttentionModel, answer, right_probabilities, trace_layers
from attention.training.recipe import Recipe, checkpoint_steps, checkpoints_of, recommended
from attention.training.task import NONE, Solution, Task, TokenSequence
from attention.training.tasks import TASKS

__all__ = [
    "NONE",
    "TASKS",
    "Answers",
    "AttentionModel",
    "Checkpoint",
    "Recipe",
    "Solution",
    "Task",
    "TokenSequence",
    "answer",
    "checkpoint_steps",
    "checkpoints_of",
    "recommended",
    "restore",
    "right_probabilities",
    "trace_layers",
    "train",
]
