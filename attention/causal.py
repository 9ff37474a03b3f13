r"""Causal attention: one head, in which a token looks at itself and at what came before.

    Attention(Q, K, V) = dropout(softmax(mask(Q K^T) / sqrt(d_out))) V,   Q = X W_q,  K = X W_k,  V = X W_v

`nn.Linear` keeps the transposed matrix: W_q is `W_query.weight.T`; with qkv_bias, a bias b_q is added.

Source: Raschka, Build a Large Language Model (From Scratch), 2024, section 3.5.3, listing 3.3.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attention.checks import check_input
from attention.masks import causal_mask
from attention.trace import Step, Tap, untapped


class CausalAttention(nn.Module):
    """Scaled dot-product attention with trainable weights, a causal mask and dropout.

    `forward` takes x (batch, token, d_in) and returns the context vectors (batch, token, d_out).
    It raises `LearnerError` if d_in does not fit, or if x has more than context_length tokens.
    """

    mask: Tensor

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.d_in = d_in
        self.d_out = d_out
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))  # (query, key), True = hidden

    steps: ClassVar[tuple[Step, ...]] = (
        Step("queries", "batch query feature", r"Q = X W_q", bias="b_q"),
        Step("keys", "batch key feature", r"K = X W_k", bias="b_k"),
        Step("values", "batch key feature", r"V = X W_v", bias="b_v"),
        Step("scores", "batch query key", r"S = Q K^\top"),
        Step("masked_scores", "batch query key", r"M = \mathrm{mask}(S, {-\infty})"),
        Step("scaled_scores", "batch query key", r"M / \sqrt{d_{out}}"),
        Step("weights", "batch query key", r"A = \mathrm{softmax}(M / \sqrt{d_{out}})"),
        Step("dropped_weights", "batch query key", r"\tilde A = \mathrm{dropout}(A)"),
        Step("context", "batch query feature", r"C = \tilde A V"),
    )

    def forward(self, x: Tensor, tap: Tap = untapped) -> Tensor:
        check_input(x, self.d_in, self.context_length)
        n = x.shape[1]
        queries = tap("queries", self.W_query(x))  # (batch, query, feature)
        keys = tap("keys", self.W_key(x))  # (batch, key, feature)
        values = tap("values", self.W_value(x))  # (batch, key, feature)
        scores = tap("scores", queries @ keys.transpose(-2, -1))  # (batch, query, key)
        hidden = self.mask[..., :n, :n]  # (query, key), or one for each batch item
        masked_scores = tap("masked_scores", scores.masked_fill(hidden, -torch.inf))  # (batch, query, key)
        scaled_scores = tap("scaled_scores", masked_scores / self.d_out**0.5)  # (batch, query, key)
        weights = tap("weights", torch.softmax(scaled_scores, dim=-1))  # (batch, query, key)
        dropped_weights = tap("dropped_weights", self.dropout(weights))  # (batch, query, key)
        return tap("context", dropped_weights @ values)  # (batch, query, feature)
