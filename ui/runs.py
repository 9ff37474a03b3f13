"""Runs of the last experiments: to open a cell, or the same link a second time, needs no new pass."""

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from threading import Lock
from typing import ParamSpec

from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from torch import Tensor

from attention import Experiment, Trace
from attention.mistakes import run_mistaken

LARGEST = 96 * 2**20  # bytes in all; an experiment above it is run each time
BESIDE = 32 * 2**10  # bytes of what belongs to a run beside its numbers, as measured: so there are 3,000 at most


def size(numbers: Iterable[Tensor]) -> int:
    """What a run with these numbers takes, in bytes."""
    return BESIDE + sum(tensor.nbytes for tensor in numbers)


def trace_size(trace: Trace) -> int:
    """What a trace takes, with the module that it is of, in bytes."""
    return size((*(step.value for step in trace.values()), *trace.module.parameters()))


Choices = ParamSpec("Choices")
_last: LRUCache[Hashable, Trace] = LRUCache(LARGEST, trace_size)
_lock = Lock()


def kept(make: Callable[Choices, Trace]) -> Callable[Choices, Trace]:
    """A way to run an experiment whose last runs are kept, all ways together within LARGEST: read them only."""
    return cached(_last, key=partial(hashkey, make), lock=_lock)(make)


def forget() -> None:
    """Keep nothing of what was run until now."""
    with _lock:
        _last.clear()


mistaken = kept(run_mistaken)


@kept
def run(experiment: Experiment) -> Trace:
    """``experiment.run()``."""
    return experiment.run()
