"""Passes through a language model, shared by all learners: one at a time, and the last ones kept."""

from dataclasses import dataclass
from threading import Lock

import torch
from cachetools import LRUCache, cached

from attention import Trace
from attention.head_scores import HEAD_SCORES
from attention.language import LanguageRun, Survey, survey, trace_layer
from ui.runs import size
from ui.server import turn

LARGEST = 32 * 2**20  # bytes in all


def _size(made: Survey) -> int:
    return size((made.inputs, made.weights))


@cached(LRUCache(LARGEST, _size), lock=Lock())
def surveyed(run: LanguageRun) -> Survey:
    """One pass through all layers, which takes up to a second: meanwhile other learners' pages go on."""
    with turn.left_to_others():
        return survey(run)


@dataclass(frozen=True)
class LayerRun:
    """The pass through the attention of one layer, counted from 0."""

    whole: LanguageRun
    layer: int

    def run(self) -> Trace:
        """Every step, computed from what the survey says went into the layer."""
        return trace_layer(surveyed(self.whole), self.layer)


def ranked(made: Survey, rank: str, query: int, key: int) -> list[tuple[int, int, float]]:
    """(layer, head, score) of all heads, the highest first; those whose score does not exist are left out.

    rank: one of `HEAD_SCORES`, or "word": the weight from the token at ``query`` to the token at ``key``.
    """
    heads = made.weights.shape[1]
    if rank == "word":
        scores = made.weights[..., query, key].flatten()  # (layer * head,)
    else:
        scores = HEAD_SCORES[rank](made.weights.flatten(0, 1), torch.tensor(made.tokens.ids))  # (layer * head,)
    found = [(*divmod(place, heads), score) for place, score in enumerate(scores.tolist()) if score == score]
    return sorted(found, key=lambda each: -each[2])
