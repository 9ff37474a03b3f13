"""Passes through a language model, shared by all learners: one at a time, and the last ones kept."""

from collections.abc import Hashable
from threading import Condition, Lock

from cachetools import LRUCache, cached

from attention import Trace
from attention.language import LanguageModel, LanguageRun, Survey, language_model, survey, trace_layer
from ui.runs import size, trace_size
from ui.server import turn

PASSES = 20 * 2**20  # bytes in all: two passes of the longest sentence, with heads off and without
LAYERS = 12 * 2**20  # bytes in all


def _size(made: Survey) -> int:
    return size((made.inputs, made.weights, made.probabilities))


@cached(LRUCache[Hashable, Survey](PASSES, _size), condition=Condition())  # equal passes wait for the first one
def _surveyed(run: LanguageRun) -> Survey:
    return survey(run)


def surveyed(run: LanguageRun) -> Survey:
    """One pass through all layers, which takes up to a second: meanwhile other learners' pages go on."""
    with turn.left_to_others():
        return _surveyed(run)


def loaded(name: str) -> LanguageModel:
    """The model; the first time, that takes a second."""
    with turn.left_to_others():
        return language_model(name)


@cached(LRUCache[Hashable, Trace](LAYERS, trace_size), lock=Lock())
def layer_trace(run: LanguageRun, layer: int) -> Trace:
    """Every step of the attention of one layer, counted from 0, from what the pass says went into it."""
    made = surveyed(run)
    with turn.left_to_others():  # it waits for others' passes, too
        return trace_layer(made, layer)
