r"""Multi-head attention: several heads look at once, each with its share of the d_out numbers.

    head_h = dropout(softmax(mask(Q_h K_h^T) / sqrt(head_dim))) V_h,   head_dim = d_out / num_heads
    output = [head_1, ..., head_H] W_o + b_o

Source: Vaswani et al. 2017, section 3.2.2; Raschka, Build a Large Language Model (From Scratch), 2024,
section 3.6.2, listing 3.5.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attention.checks import check_heads, check_input
from attention.masks import causal_mask
from attention.trace import Step, Tap, untapped


class MultiHeadAttention(nn.Module):
    """Causal attention in num_heads heads of head_dim = d_out / num_heads numbers each.

    `forward` takes x (batch, token, d_in) and returns (batch, token, d_out).
    Raises `LearnerError` if num_heads does not divide d_out; `forward` raises it if d_in does not fit, or
    if x has more than context_length tokens.
    """

    mask: Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        check_heads(d_out, num_heads)
        self.d_in = d_in
        self.d_out = d_out
        self.context_length = context_length
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))  # (query, key), True = hidden

    steps: ClassVar[tuple[Step, ...]] = (
        Step("queries", "batch head query feature", r"Q_h = X W_{q,h}", bias="b_{q,h}"),
        Step("keys", "batch head key feature", r"K_h = X W_{k,h}", bias="b_{k,h}"),
        Step("values", "batch head key feature", r"V_h = X W_{v,h}", bias="b_{v,h}"),
        Step("scores", "batch head query key", r"S_h = Q_h K_h^\top"),
        Step("masked_scores", "batch head query key", r"M_h = \mathrm{mask}(S_h, {-\infty})"),
        Step("scaled_scores", "batch head query key", r"M_h / \sqrt{d_{head}}"),
        Step("weights", "batch head query key", r"A_h = \mathrm{softmax}(M_h / \sqrt{d_{head}})"),
        Step("dropped_weights", "batch head query key", r"\tilde A_h = \mathrm{dropout}(A_h)"),
        Step("context", "batch head query feature", r"C_h = \tilde A_h V_h"),
        Step("merged_context", "batch query merged", r"C = [C_1, \dots, C_H]"),
        Step("output", "batch query output", r"O = C W_o + b_o"),
    )

    def forward(self, x: Tensor, tap: Tap = untapped) -> Tensor:
        check_input(x, self.d_in, self.context_length)
        batch, n, _ = x.shape
        split = (batch, n, self.num_heads, self.head_dim)
        # First split the last axis, then swap: view alone would mix the tokens.
        queries = tap("queries", self.W_query(x).view(split).transpose(1, 2))  # (batch, head, query, feature)
        keys = tap("keys", self.W_key(x).view(split).transpose(1, 2))  # (batch, head, key, feature)
        values = tap("values", self.W_value(x).view(split).transpose(1, 2))  # (batch, head, key, feature)
        scores = tap("scores", queries @ keys.transpose(-2, -1))  # (batch, head, query, key)
        hidden = self.mask[..., :n, :n]  # (query, key), or (batch, 1, query, key)
        masked_scores = tap("masked_scores", scores.masked_fill(hidden, -torch.inf))  # (batch, head, query, key)
        scaled_scores = tap("scaled_scores", masked_scores / self.head_dim**0.5)  # (batch, head, query, key)
        weights = tap("weights", torch.softmax(scaled_scores, dim=-1))  # (batch, head, query, key)
        dropped_weights = tap("dropped_weights", self.dropout(weights))  # (batch, head, query, key)
        context = tap("context", dropped_weights @ values)  # (batch, head, query, feature)
        merged = context.transpose(1, 2).reshape(batch, n, self.d_out)  # (batch, query, merged)
        merged_context = tap("merged_context", merged)  # (batch, query, merged)
        return tap("output", self.out_proj(merged_context))  # (batch, query, output)
