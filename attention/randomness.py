"""Randomness that belongs to one experiment only.

PyTorch's default generator is shared by the whole process. On a server, two learners who draw from it
at the same time would change one another's numbers. So every draw here is either made inside `seeded`
(one learner at a time, and the generator is put back afterwards) or from a generator of its own.
"""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

_one_at_a_time = threading.RLock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Inside the block, PyTorch draws on the CPU what it would draw after `torch.manual_seed(seed)`.

    The default dtype is float32 inside, as in a fresh process. Generator and dtype are restored at the
    end, also after an error, and a thread that wants the same waits for its turn.
    """
    with _one_at_a_time, torch.random.fork_rng(devices=[]):
        dtype = torch.get_default_dtype()
        torch.set_default_dtype(torch.float32)
        torch.default_generator.manual_seed(seed)
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)


def drawn_row(table: str, seed: int, row: int, width: int) -> Tensor:
    """Row `row` of an untrained table: `width` draws from N(0, 1), float32, shape (width,).

    The row depends on its table's name, the seed and its own number only, so that a longer text or
    another row changes nothing in it.
    """
    generator = torch.Generator().manual_seed(seed_of(table, seed, row))
    return torch.randn(width, generator=generator, dtype=torch.float32)  # (width,)


def seed_of(name: str, seed: int, number: int) -> int:
    """A seed for the number-th of what `name` draws with `seed`.

    The CPU generator (mt19937) uses 32 bits of a seed, hence the hash.
    """
    digest = hashlib.sha256(f"{name} {seed} {number}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
