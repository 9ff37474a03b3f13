"""Runs of the last experiments: to open a cell, or the same link a second time, needs no new pass."""

from collections.abc import Iterable
from threading import Lock

from cachetools import LRUCache, cached
from torch import Tensor

from attention import Experiment, Trace

LARGEST = 96 * 2**20  # bytes in all; an experiment above it is run each time
BESIDE = 32 * 2**10  # bytes of what belongs to a run beside its numbers, as measured: so there are 3,000 at most


def size(numbers: Iterable[Tensor]) -> int:
    """What a run with these numbers takes, in bytes."""
    return BESIDE + sum(tensor.nbytes for tensor in numbers)


def trace_size(trace: Trace) -> int:
    """What a trace takes, with the module that it is of, in bytes."""
    return size((*(step.value for step in trace.values()), *trace.module.parameters()))


@cached(LRUCache(LARGEST, trace_size), lock=Lock())
def run(experiment: Experiment) -> Trace:
    """``experiment.run()``, shared by all sessions: read it only."""
    return experiment.run()
