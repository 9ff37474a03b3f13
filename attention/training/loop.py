r"""The training loop: predict, compare, follow the gradient downhill, repeat.

    loss = mean of -log p(right answer),   theta <- Adam(theta, d loss / d theta)

Source: Kingma and Ba 2015, Adam, algorithm 1; Raschka, Build a Large Language Model (From Scratch), 2024, section 5.2.
"""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.optim.adam import adam

from attention.multihead import MultiHeadAttention
from attention.randomness import seed_of
from attention.training.checkpoint import Checkpoint, loss_of, take_checkpoint
from attention.training.model import Attend
from attention.training.recipe import Recipe, checkpoint_steps
from attention.training.tasks import TASKS

BATCH = 64  # sequences a step, never the same ones again


def train(recipe: Recipe) -> Iterator[Checkpoint]:
    """Train the recipe's model: the untrained checkpoint, then one after every few steps (`checkpoint_steps`).

    The first parameters are drawn inside `seeded`, all else by a generator of its own: nothing outside is changed, no
    other thread can change a number, and the caller may stop at any checkpoint.
    """
    task = TASKS[recipe.task]
    model = recipe.build()  # no model.train(): all that it would switch on is `nn.Dropout`, see attend_with_dropout
    yield take_checkpoint(recipe, model, step=0, loss=None)

    generator = torch.Generator().manual_seed(seed_of("training batches", recipe.seed, 0))
    attend = attend_with_dropout(recipe.dropout, generator)
    optimiser = Adam(list(model.parameters()))
    stops = checkpoint_steps(recipe.task)
    losses: list[float] = []
    for step in range(1, task.steps + 1):
        ids = task.draw(BATCH, generator)  # (batch, token)
        loss = loss_of(model(ids, attend), task.solve(ids).targets)  # ()
        remaining = 1 - (step - 1) / task.steps  # smaller and smaller steps, to come to rest
        optimiser.step(torch.autograd.grad(loss, optimiser.parameters), task.learning_rate * remaining)
        losses.append(loss.item())
        if step in stops:
            yield take_checkpoint(recipe, model, step, sum(losses) / len(losses))
            losses.clear()


def attend_with_dropout(dropout: float, generator: torch.Generator) -> Attend:
    """Run an attention with weights dropped: D = 0 with probability p, else A / (1 - p), as `nn.Dropout` does.

    But `nn.Dropout` draws from the generator of the whole process, where another thread would change the numbers.
    """

    def drop(name: str, value: Tensor) -> Tensor:
        if name != "dropped_weights" or dropout == 0:
            return value
        kept = torch.rand(value.shape, generator=generator) >= dropout  # (batch, head, query, key)
        return value * kept / (1 - dropout)  # (batch, head, query, key)

    def attend(layer: int, attention: MultiHeadAttention, x: Tensor) -> Tensor:
        output: Tensor = attention(x, drop)  # (batch, token, d_out)
        return output

    return attend


class Adam:
    """PyTorch's Adam without its class `torch.optim.Adam`, which loads a compiler: seconds, and 70 MB."""

    def __init__(self, parameters: list[Tensor]) -> None:
        self.parameters = parameters
        self._means = [torch.zeros_like(parameter) for parameter in parameters]
        self._squares = [torch.zeros_like(parameter) for parameter in parameters]
        self._counts = [torch.tensor(0.0) for _ in parameters]

    @torch.no_grad()
    def step(self, gradients: tuple[Tensor, ...], learning_rate: float) -> None:
        """Move the parameters, in place."""
        adam(
            self.parameters,
            list(gradients),
            self._means,
            self._squares,
            [],
            self._counts,
            foreach=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=learning_rate,
            weight_decay=0.0,
            eps=1e-8,
            maximize=False,
        )
