"""What a language model makes of a sentence: the attention of all its layers and heads, and the token it expects next.

A survey is one pass through all layers. It keeps what went into each, so that every step of one layer's attention
can be computed again later from that layer's weights alone. Heads are switched off by a tap: their context is
multiplied by 0, and nothing else changes. Equal runs give equal numbers.

Source: Radford et al. 2019, GPT-2 (predicting the next token); Michel et al. 2019, Are Sixteen Heads Really Better
than One?, section 2.3 (a head multiplied by 0).
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from attention.errors import LearnerError
from attention.head_scores import HEAD_SCORES
from attention.language.models import language_model
from attention.language.run import LanguageRun
from attention.tokens import Tokens
from attention.trace import Tap, Trace, trace

PREDICTIONS = 10

# All passes take turns, in one thread: a pass needs the weights of one layer in float32, and PyTorch keeps working
# memory for each thread that multiplies matrices. So the server needs both once; twenty threads took 70 MB more.
_one_at_a_time = ThreadPoolExecutor(max_workers=1, thread_name_prefix="language")


class Prediction(NamedTuple):
    """A token that may come next, and how likely the model thinks it is."""

    text: str
    id: int
    probability: float


@dataclass(frozen=True, eq=False)
class Survey:
    """One pass: `inputs` (layer, token, d) went into the layers, `weights` (layer, head, query, key) are theirs.

    `probabilities` (vocabulary,) are those of what comes after the last token, `predictions` the most likely of them.
    Read the tensors only: they are shared.
    """

    run: LanguageRun
    tokens: Tokens
    inputs: Tensor
    weights: Tensor
    probabilities: Tensor
    predictions: tuple[Prediction, ...]

    def scores(self, name: str) -> Tensor:
        """One of `HEAD_SCORES` for every head. Shape (layer, head)."""
        ids = torch.tensor(self.tokens.ids)  # (token,)
        return torch.stack([HEAD_SCORES[name](weights, ids) for weights in self.weights])  # (layer, head)


def survey(run: LanguageRun) -> Survey:
    """One pass through all layers. One at a time in the whole process: others wait for their turn.

    Raises `LearnerError` for a folder whose tensors cannot be used.
    """
    return _one_at_a_time.submit(_survey, run).result()


def _survey(run: LanguageRun) -> Survey:
    model = language_model(run.model)
    inputs: list[Tensor] = []
    weights: list[Tensor] = []
    x = model.embed(run.tokens.ids)  # (1, token, d)
    for layer in range(model.num_layers):
        switch_off = _without_heads(run, layer, model.num_heads)

        def listening(name: str, value: Tensor, switch_off: Tap = switch_off) -> Tensor:
            if name == "weights":
                weights.append(value[0])  # (head, query, key)
            return switch_off(name, value)

        inputs.append(x[0])  # (token, d)
        x = model.block(layer)(x, tap=listening)  # (1, token, d)
        if not x.isfinite().all():
            raise LearnerError("model_overflow", layer=layer + 1)
    scores = model.read_out(x[0, -1])  # (vocabulary,)
    probabilities = torch.softmax(scores, dim=-1)  # (vocabulary,)
    best = probabilities.topk(min(PREDICTIONS, len(scores)))  # values and indices, (prediction,) each
    predictions = tuple(
        Prediction(model.token_text(id), id, probability)
        for id, probability in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    )
    return Survey(run, run.tokens, torch.stack(inputs), torch.stack(weights), probabilities, predictions)


def trace_layer(made: Survey, layer: int) -> Trace:
    """Every step of the attention of one layer, counted from 0: the numbers of the survey, from its input.

    The trace's `inputs` are what attention works on, the normed input of the layer. Raises IndexError for a layer
    that the model has not.
    """
    return _one_at_a_time.submit(_trace_layer, made, layer).result()


def _trace_layer(made: Survey, layer: int) -> Trace:
    model = language_model(made.run.model)
    x = made.inputs[layer].unsqueeze(0)  # (1, token, d)
    block = model.block(layer)
    switch_off = _without_heads(made.run, layer, model.num_heads)
    return trace(block.attention, block.attention_norm(x), [made.tokens.texts], switch_off)


def _without_heads(run: LanguageRun, layer: int, num_heads: int) -> Tap:
    """A tap that multiplies the context of this layer's heads by 0 where the run switches them off."""
    is_on = [(layer, head) not in run.off for head in range(num_heads)]
    kept = torch.tensor(is_on).view(-1, 1, 1)  # (head, 1, 1)

    def tap(name: str, value: Tensor) -> Tensor:
        return value if name != "context" or all(is_on) else value * kept  # (batch, head, query, feature)

    return tap
