"""Passes through a language model, shared by all learners: one at a time, and the last ones kept."""

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Condition

from cachetools import LRUCache, cached

from attention import Trace
from attention.language import LanguageModel, LanguageRun, Survey, language_model, survey, trace_layer
from ui.runs import size
from ui.server import turn

MOST_BYTES = 32 * 2**20  # in all


def _size(made: Survey) -> int:
    return size((made.inputs, made.weights))


@cached(LRUCache[Hashable, Survey](MOST_BYTES, _size), condition=Condition())  # equal passes wait for the first one
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


@dataclass(frozen=True)
class LayerRun:
    """The pass through the attention of one layer, counted from 0."""

    whole: LanguageRun
    layer: int

    def run(self) -> Trace:
        """Every step, computed from what the survey says went into the layer."""
        made = surveyed(self.whole)
        with turn.left_to_others():  # it waits for others' passes, too
            return trace_layer(made, self.layer)
