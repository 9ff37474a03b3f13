"""Runs of the last experiments: to open a cell, or the same link a second time, needs no new pass."""

from collections.abc import Hashable, Iterable
from threading import Lock
from typing import Protocol

from cachetools import LRUCache, cached
from torch import Tensor

from attention import Trace

LARGEST = 96 * 2**20  # bytes in all; a run above it is made each time
BESIDE = 32 * 2**10  # bytes of what belongs to a run beside its numbers, as measured: so there are 3,000 at most


def size(numbers: Iterable[Tensor]) -> int:
    """What a run with these numbers takes, in bytes."""
    return BESIDE + sum(tensor.nbytes for tensor in numbers)


def _size(trace: Trace) -> int:
    return size((*(step.value for step in trace.values()), *trace.module.parameters()))


class Runnable(Hashable, Protocol):
    """An ``Experiment``, or anything else that stands for one pass and equals what gives the same numbers."""

    def run(self) -> Trace: ...


@cached(LRUCache(LARGEST, _size), lock=Lock())
def run(chosen: Runnable) -> Trace:
    """``chosen.run()``, shared by all sessions: read it only."""
    return chosen.run()
