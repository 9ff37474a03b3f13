"""What a language model makes of a sentence: the attention of all its layers and heads, and the token it expects next.

A survey is one pass through all layers. It keeps what went into each, so that every step of one layer's attention
can be computed again later from that layer's weights alone. Heads are switched off by a tap: their context is
multiplied by 0, and nothing else changes. Equal runs give equal numbers.

Source: Radford et al. 2019, GPT-2 (predicting the next token); Michel et al. 2019, Are Sixteen Heads Really Better
than One?, section 2.3 (a head multiplied by 0).
"""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

import torch
from torch import Tensor

from attention.errors import LearnerError, shown
from attention.head_scores import HEAD_SCORES
from attention.language.models import language_model
from attention.tokens import MAX_CHARACTERS, Tokens
from attention.trace import Tap, Trace, trace

PREDICTIONS = 10

# All passes take turns, in one thread: a pass needs the weights of one layer in float32, and PyTorch keeps working
# memory for each thread that multiplies matrices. So the server needs both once; twenty threads took 70 MB more.
_one_at_a_time = ThreadPoolExecutor(max_workers=1, thread_name_prefix="language")


@dataclass(frozen=True)
class LanguageRun:
    """A sentence, newlines and all, for one of `MODELS`. Raises `LearnerError` if it cannot be run.

    `off`: the heads that are switched off, as (layer, head), both counted from 0. A layer is off if all its heads are.
    Any collection of pairs will do; it is kept as a frozenset.
    """

    sentence: str
    off: frozenset[tuple[int, int]] = frozenset()
    model: str = "smollm2"

    def __post_init__(self) -> None:
        if type(self.sentence) is not str:
            raise LearnerError("not_text", name="sentence", value=shown(self.sentence))
        if len(self.sentence) > MAX_CHARACTERS:
            raise LearnerError("too_many_characters", count=len(self.sentence), limit=MAX_CHARACTERS)
        if not self.sentence:
            raise LearnerError("no_sentence")
        object.__setattr__(self, "off", _checked_off(self.off, self.model))
        count, limit = len(self.tokens.ids), language_model(self.model).context_length
        if count == 0:
            raise LearnerError("no_tokens", sentence=1, text=shown(self.sentence))
        if count > limit:
            raise LearnerError("too_many_tokens", sentence=1, text=shown(self.sentence), count=count, limit=limit)

    @property
    def tokens(self) -> Tokens:
        """The model's tokens of the sentence."""
        return _tokens_of(self.sentence, self.model)


class Prediction(NamedTuple):
    """A token that may come next, and how likely the model thinks it is."""

    text: str
    id: int
    probability: float


@dataclass(frozen=True, eq=False)
class Survey:
    """One pass: `inputs` (layer, token, d) went into the layers, `weights` (layer, head, query, key) are theirs.

    `predictions`: what comes after the last token, the most likely first. Read the tensors only: they are shared.
    """

    run: LanguageRun
    tokens: Tokens
    inputs: Tensor
    weights: Tensor
    predictions: tuple[Prediction, ...]

    def scores(self, name: str) -> Tensor:
        """One of `HEAD_SCORES` for every head. Shape (layer, head)."""
        ids = torch.tensor(self.tokens.ids)  # (token,)
        return torch.stack([HEAD_SCORES[name](weights, ids) for weights in self.weights])  # (layer, head)


def survey(run: LanguageRun) -> Survey:
    """One pass through all layers. One at a time in the whole process: others wait for their turn.

    Raises `LearnerError` for a checkpoint whose tensors cannot be used.
    """
    return _one_at_a_time.submit(_survey, run).result()


def _survey(run: LanguageRun) -> Survey:
    model = language_model(run.model)
    inputs: list[Tensor] = []
    weights: list[Tensor] = []
    x = model.embed(run.tokens.ids)  # (1, token, d)
    for layer in range(model.num_layers):
        off = _without_heads(_heads_off(run, layer), model.num_heads)

        def listening(name: str, value: Tensor, off: Tap = off) -> Tensor:
            if name == "weights":
                weights.append(value[0])
            return off(name, value)

        inputs.append(x[0])
        x = model.block(layer)(x, tap=listening)  # (1, token, d)
        if not x.isfinite().all():
            raise LearnerError("model_overflow", layer=layer + 1)
    scores = model.read_out(x[0, -1])  # (vocabulary,)
    best = torch.softmax(scores, dim=-1).topk(min(PREDICTIONS, len(scores)))
    predictions = tuple(
        Prediction(model.token_text(id), id, probability)
        for id, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    )
    return Survey(run, run.tokens, torch.stack(inputs), torch.stack(weights), predictions)


def trace_layer(survey: Survey, layer: int) -> Trace:
    """Every step of the attention of one layer, counted from 0: the numbers of the survey, from its input.

    The trace's `inputs` are what attention works on, the normed input of the layer. Raises IndexError for a layer
    that the model has not.
    """
    return _one_at_a_time.submit(_trace_layer, survey, layer).result()


def _trace_layer(survey: Survey, layer: int) -> Trace:
    model = language_model(survey.run.model)
    x = survey.inputs[layer].unsqueeze(0)  # (1, token, d)
    block = model.block(layer)
    off = _without_heads(_heads_off(survey.run, layer), model.num_heads)
    return trace(block.attention, block.attention_norm(x), [survey.tokens.texts], off)


def _without_heads(off: Collection[int], num_heads: int) -> Tap:
    """A tap that multiplies the context of the heads `off` by 0."""
    kept = torch.tensor([head not in off for head in range(num_heads)]).view(-1, 1, 1)  # (head, 1, 1)

    def tap(name: str, value: Tensor) -> Tensor:
        return value * kept if name == "context" and off else value

    return tap


def _heads_off(run: LanguageRun, layer: int) -> list[int]:
    return [head for each, head in run.off if each == layer]


def _checked_off(off: object, model: str) -> frozenset[tuple[int, int]]:
    shape = {"layer": language_model(model).num_layers, "head": language_model(model).num_heads}
    pairs = list(off) if isinstance(off, Collection) else [off]
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise LearnerError("not_a_head", value=shown(pair))
        for (name, size), number in zip(shape.items(), pair, strict=True):
            if type(number) is not int:
                raise LearnerError("not_whole_number", name=name, value=shown(number), example=1)
            if not 0 <= number < size:  # learners count from 1
                raise LearnerError("out_of_range", name=name, value=shown(number + 1), smallest=1, largest=size)
    return frozenset(cast("list[tuple[int, int]]", pairs))


@lru_cache(maxsize=32)
def _tokens_of(sentence: str, model: str) -> Tokens:
    return language_model(model).encode(sentence)
