"""A model at one moment of its training: how well it does, where its heads look, and its parameters."""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from attention.given_weights import with_weights
from attention.head_scores import HEAD_SCORES
from attention.randomness import seed_of
from attention.training.model import AttentionModel, trace_layers
from attention.training.recipe import Recipe
from attention.training.task import NONE, Solution
from attention.training.tasks import TASKS

HELD_OUT = 128  # sequences, with a generator of their own


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """`loss`: mean over the training batches since the last checkpoint; at step 0, over the sequences below.

    `accuracy`: the share of right answers on HELD_OUT sequences, the same ones for every recipe of a task.
    `scores`: name -> (layer, head), those of `HEAD_SCORES` and `right_cell`, on the same sequences.
    `parameters`: name -> a copy, float32.
    """

    step: int
    loss: float
    accuracy: float
    scores: dict[str, Tensor]
    parameters: dict[str, Tensor]

    @property
    def nbytes(self) -> int:
        """What the parameters take in memory, in bytes."""
        return sum(parameter.nbytes for parameter in self.parameters.values())


def restore(recipe: Recipe, checkpoint: Checkpoint) -> AttentionModel:
    """The model with the checkpoint's parameters, which are not copied: to look at, not to train on. In eval mode."""
    task = TASKS[recipe.task]
    return with_weights(lambda: AttentionModel(task, recipe.d_out, recipe.num_heads), checkpoint.parameters)


def take_checkpoint(recipe: Recipe, model: AttentionModel, step: int, loss: float | None) -> Checkpoint:
    """Measure the model, and copy its parameters. loss None: that of the held-out sequences."""
    ids, solution = held_out(recipe.task)  # ids: (batch, token)
    logits, traces = trace_layers(model, ids)  # logits: (batch, token, part, answer)
    weights = [trace["weights"].value for trace in traces]  # (batch, head, query, key) for each layer
    scores = {name: torch.stack([score(layer, ids) for layer in weights]) for name, score in HEAD_SCORES.items()}
    scores["right_cell"] = torch.stack([right_cell_score(layer, solution) for layer in weights])  # (layer, head), all
    asked = (solution.targets != NONE).all(dim=-1)  # (batch, query)
    hits = (logits.argmax(dim=-1) == solution.targets).all(dim=-1)  # (batch, query)
    return Checkpoint(
        step=step,
        loss=loss_of(logits, solution.targets).item() if loss is None else loss,
        accuracy=hits[asked].float().mean().item(),
        scores=scores,
        parameters={name: parameter.detach().clone() for name, parameter in model.named_parameters()},
    )


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """The mean of -log p(right answer), where one is asked for. Shape ()."""
    return cross_entropy(logits.flatten(0, 2), targets.flatten(), ignore_index=NONE)  # ()


def right_cell_score(weights: Tensor, solution: Solution) -> Tensor:
    """The mean weight on the right cells of a query, for each head: weights (batch, head, query, key) -> (head,).

    If there are two answers, it is that at which the head looks more.
    """
    right = solution.right.to(weights.dtype)  # (batch, part, query, key)
    on_right = torch.einsum("bhij,bpij->bihp", weights, right)  # (batch, query, head, part)
    asked = (solution.targets != NONE).all(dim=-1)  # (batch, query)
    return on_right[asked].mean(dim=0).amax(dim=-1)  # (head,)


@cache
def held_out(task: str) -> tuple[Tensor, Solution]:
    """The sequences of a task on which every model is measured, (batch, token), and their solution."""
    generator = torch.Generator().manual_seed(seed_of(f"held out for {task}", 0, 0))
    ids = TASKS[task].draw(HELD_OUT, generator)  # (batch, token)
    return ids, TASKS[task].solve(ids)
