r"""The smallest model around attention: what it is trained in.

    x = E[ids] + P                           a vector for each token, and one for each position
    x = x + attention(norm(x))               once for each layer
    logits = norm(x) U + b                   one number for each answer, of each part

There is no MLP: what the model does, attention does. E and P start from N(0, 1), as in `nn.Embedding`.
Source: Vaswani et al. 2017, section 3; Elhage et al. 2021, A Mathematical Framework for Transformer Circuits
(attention-only transformers); Xiong et al. 2020, On Layer Normalization in the Transformer Architecture (norm first).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from attention.multihead import MultiHeadAttention
from attention.trace import Trace, trace
from attention.training.task import NONE, Task, TokenSequence

# (layer, attention, x) -> what the attention gives: x and the result are (batch, token, d_out)
Attend = Callable[[int, MultiHeadAttention, Tensor], Tensor]


def attend_only(layer: int, attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """Run the attention of one layer, and nothing more."""
    output: Tensor = attention(x)  # (batch, token, d_out)
    return output


class AttentionModel(nn.Module):
    """Embedding, `task.layers` layers of `MultiHeadAttention`, read-out.

    `forward` takes ids (batch, token) and returns logits (batch, token, part, answer). Each layer, counted from 0, is
    run by `attend(layer, attention, x)`, where another function may read or change what happens.
    Nothing is dropped here: the training loop does that. Raises `LearnerError` if num_heads does not divide d_out;
    `forward` raises IndexError for more tokens than task.length.
    """

    def __init__(self, task: Task, d_out: int, num_heads: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(task.vocabulary), d_out)
        self.positions = nn.Embedding(task.length, d_out)
        self.norms = nn.ModuleList(nn.LayerNorm(d_out) for _ in range(task.layers))
        self.attentions = nn.ModuleList(
            MultiHeadAttention(d_out, d_out, task.length, dropout=0.0, num_heads=num_heads) for _ in range(task.layers)
        )
        self.last_norm = nn.LayerNorm(d_out)
        self.read_out = nn.Linear(d_out, task.parts * len(task.answers))
        self.parts = task.parts

    def forward(self, ids: Tensor, attend: Attend = attend_only) -> Tensor:
        x = self.embedding(ids) + self.positions(torch.arange(ids.shape[1]))  # (batch, token, d_out)
        for layer, (norm, attention) in enumerate(zip(self.norms, self.attentions, strict=True)):
            x = x + attend(layer, cast("MultiHeadAttention", attention), norm(x))  # (batch, token, d_out)
        logits: Tensor = self.read_out(self.last_norm(x))  # (batch, token, part * answer)
        return logits.view(*ids.shape, self.parts, -1)  # (batch, token, part, answer)


@torch.no_grad()
def trace_layers(
    model: AttentionModel, ids: Tensor, tokens: Sequence[Sequence[str]] = ()
) -> tuple[Tensor, tuple[Trace, ...]]:
    """One pass in which every layer's attention is traced: logits (batch, token, part, answer), and a trace a layer.

    ids is (batch, token), and tokens are the texts that label them.
    """
    traces: list[Trace] = []

    def keep(layer: int, attention: MultiHeadAttention, x: Tensor) -> Tensor:
        traces.append(trace(attention, x, tokens))
        return traces[layer]["output"].value  # (batch, token, d_out)

    logits = model(ids, keep)  # (batch, token, part, answer)
    return logits, tuple(traces)


class Answers(NamedTuple):
    """`probabilities` (token, part, answer) of what stands where; `traces`: the attention of every layer."""

    probabilities: Tensor
    traces: tuple[Trace, ...]


def answer(model: AttentionModel, sequence: TokenSequence) -> Answers:
    """Run one sequence through the model."""
    logits, traces = trace_layers(model, sequence.batch, [sequence.texts])  # logits: (1, token, part, answer)
    return Answers(logits[0].softmax(dim=-1), traces)  # (token, part, answer)


def right_probabilities(probabilities: Tensor, targets: Tensor) -> Tensor:
    """That of the right answer, and 0 where none is asked for: targets and result are (token, part)."""
    right = probabilities.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)  # (token, part)
    return right.masked_fill(targets == NONE, 0.0)  # (token, part)
