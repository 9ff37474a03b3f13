"""Attention that learns where to look: eight small tasks, and the package's own `MultiHeadAttention` in the loop.

Start with task.py, model.py and loop.py.
"""

from attention.training.checkpoint import Checkpoint, restore
from attention.training.loop import train
from attention.training.model import AttentionModel, trace_layer, trace_layers
from attention.training.recipe import Recipe, checkpoint_steps, checkpoints_of, recommended, steps_of
from attention.training.task import NONE, Solution, Task, TokenSequence
from attention.training.tasks import TASKS

__all__ = [
    "NONE",
    "TASKS",
    "AttentionModel",
    "Checkpoint",
    "Recipe",
    "Solution",
    "Task",
    "TokenSequence",
    "checkpoint_steps",
    "checkpoints_of",
    "recommended",
    "restore",
    "steps_of",
    "trace_layer",
    "trace_layers",
    "train",
]
