"""What a task is: which cells are right to look at. The answer is what stands there.

Nobody tells the model where to look. It is trained on the answers only, and the right cells are there to see
whether its weights found them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Generator, Tensor

NONE = -1  # no key to look at, no answer asked for


class Solution(NamedTuple):
    """What is asked for. A part is one answer: only a task that asks for two things at once has two.

    `targets`: a row of the task's `answers`, from 0; NONE where nothing is asked. `right`: True where to look.
    """

    targets: Tensor  # (batch, query, part)
    right: Tensor  # (batch, part, query, key)


class TokenSequence(NamedTuple):
    """A sequence with its texts; the first two are equally long.

    `texts`: what each token shows. `ids`: its row in the embedding. `answers`: what each row of the read-out says.
    """

    texts: tuple[str, ...]
    ids: tuple[int, ...]
    answers: tuple[str, ...]

    @property
    def batch(self) -> Tensor:
        """The ids as a batch of one. Shape (1, token)."""
        return torch.tensor([self.ids])  # (1, token)


@dataclass(frozen=True)
class Task:
    """One task. `draw(count, generator)` gives ids (count, length), always the same for the same generator.

    `look(ids)` gives the right cells of ids (batch, token), bool (batch, part, query, key), and `say(found)` turns the
    ids found there into answers, both (batch, query, part). `read(text)` gives a learner's own sequence, or raises
    `LearnerError`.
    """

    name: str
    vocabulary: tuple[str, ...]  # what each id shows
    answers: tuple[str, ...]  # what each target shows
    length: int  # tokens of a drawn sequence, the most that a learner's own may have
    layers: int
    draw: Callable[[int, Generator], Tensor]
    look: Callable[[Tensor], Tensor]
    say: Callable[[Tensor], Tensor]
    read: Callable[[str], TokenSequence]
    example: str  # a text to `read`
    steps: int  # of training
    learning_rate: float
    d_out: int = 32
    num_heads: int = 1
    parts: int = 1

    def solve(self, ids: Tensor) -> Solution:
        """The right answers to ids (batch, token), and where they stand: where keys are several, all say the same."""
        right = self.look(ids)  # (batch, part, query, key)
        key = torch.arange(ids.shape[1])  # (key,)
        last = torch.where(right, key, NONE).amax(dim=-1).transpose(1, 2)  # (batch, query, part): the last right key
        each = ids.unsqueeze(-1).expand(last.shape)  # (batch, token, part)
        found = each.gather(1, last.clamp(min=0))  # (batch, query, part)
        targets = torch.where(last == NONE, NONE, self.say(found))  # (batch, query, part)
        return Solution(targets, right)


def what_stands_there(found: Tensor) -> Tensor:
    """The answer is the token found itself. Shape (batch, query, part), both."""
    return found


def choose(count: int, length: int, symbols: int, generator: Generator) -> Tensor:
    """Ids below `symbols`, any number of times each. Shape (count, length)."""
    return torch.randint(symbols, (count, length), generator=generator)  # (count, length)


def choose_distinct(count: int, length: int, symbols: int, generator: Generator) -> Tensor:
    """Ids below `symbols`, none of them twice in a row. Shape (count, length)."""
    return torch.rand(count, symbols, generator=generator).argsort(dim=-1)[:, :length]  # (count, length)
