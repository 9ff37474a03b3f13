r"""Grouped-query attention with rotary positions: several query heads share the keys and values of one group.

    head_h = dropout(softmax(mask(R(Q_h) R(K_g)^T) / sqrt(head_dim))) V_g,   g = floor(h num_groups / num_heads)
    output = [head_1, ..., head_H] W_o

R turns queries and keys by their positions (see rotary.py). With as many groups as heads each head has keys of its
own, as in multi-head attention; with one group all heads share one set. The output has no bias b_o, as in the models
that attend like this: Llama, Mistral, Qwen, SmolLM2.

Source: Ainslie et al. 2023, GQA, section 2.2; Su et al. 2021, RoFormer, section 3.4.2; Raschka, Build a Large
Language Model (From Scratch), 2024, the bonus code of chapter 5 (Llama).
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attention.checks import check_groups, check_heads, check_input, check_pairs
from attention.masks import causal_mask
from attention.rotary import rotary_angles, rotate
from attention.trace import Step, Tap, untapped


class GroupedQueryAttention(nn.Module):
    """Causal attention in num_heads heads of head_dim = d_out / num_heads numbers, with num_groups sets of keys.

    `forward` takes x (batch, token, d_in) and returns (batch, token, d_out). Token 0 stands at position 0.
    Raises `LearnerError` if num_heads does not divide d_out, num_groups not num_heads, or if head_dim is odd;
    `forward` raises it if d_in does not fit, or if x has more than context_length tokens.
    """

    mask: Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        num_groups: int,
        qkv_bias: bool = False,
        rotary_base: float = 10_000.0,
    ) -> None:
        super().__init__()
        check_heads(d_out, num_heads)
        check_groups(num_heads, num_groups)
        check_pairs(d_out // num_heads)
        self.d_in = d_in
        self.d_out = d_out
        self.context_length = context_length
        self.num_heads = num_heads
        self.num_groups = num_groups
        self.head_dim = d_out // num_heads
        self.rotary_base = rotary_base
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_groups * self.head_dim, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_groups * self.head_dim, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))  # (query, key), True = hidden

    steps: ClassVar[tuple[Step, ...]] = (
        Step("queries", "batch head query feature", r"Q_h = X W_{q,h}", bias="b_{q,h}"),
        Step("keys", "batch group key feature", r"K_g = X W_{k,g}", bias="b_{k,g}"),
        Step("values", "batch group key feature", r"V_g = X W_{v,g}", bias="b_{v,g}"),
        Step("rotated_queries", "batch head query feature", r"R(Q_h)"),
        Step("rotated_keys", "batch group key feature", r"R(K_g)"),
        Step("scores", "batch head query key", r"S_h = R(Q_h) R(K_g)^\top"),
        Step("masked_scores", "batch head query key", r"M_h = \mathrm{mask}(S_h, {-\infty})"),
        Step("scaled_scores", "batch head query key", r"M_h / \sqrt{d_{head}}"),
        Step("weights", "batch head query key", r"A_h = \mathrm{softmax}(M_h / \sqrt{d_{head}})"),
        Step("dropped_weights", "batch head query key", r"\tilde A_h = \mathrm{dropout}(A_h)"),
        Step("context", "batch head query feature", r"C_h = \tilde A_h V_g"),
        Step("merged_context", "batch query merged", r"C = [C_1, \dots, C_H]"),
        Step("output", "batch query output", r"O = C W_o"),
    )

    def forward(self, x: Tensor, tap: Tap = untapped) -> Tensor:
        check_input(x, self.d_in, self.context_length)
        batch, n, _ = x.shape
        in_heads = (batch, n, self.num_heads, self.head_dim)
        in_groups = (batch, n, self.num_groups, self.head_dim)
        heads_each = self.num_heads // self.num_groups
        # First split the last axis, then swap: view alone would mix the tokens.
        queries = tap("queries", self.W_query(x).view(in_heads).transpose(1, 2))  # (batch, head, query, feature)
        keys = tap("keys", self.W_key(x).view(in_groups).transpose(1, 2))  # (batch, group, key, feature)
        values = tap("values", self.W_value(x).view(in_groups).transpose(1, 2))  # (batch, group, key, feature)
        angles = rotary_angles(n, self.head_dim, self.rotary_base)  # (token, pair)
        rotated_queries = tap("rotated_queries", rotate(queries, angles))  # (batch, head, query, feature)
        rotated_keys = tap("rotated_keys", rotate(keys, angles))  # (batch, group, key, feature)
        keys_of_heads = rotated_keys.repeat_interleave(heads_each, dim=1)  # (batch, head, key, feature)
        scores = tap("scores", rotated_queries @ keys_of_heads.transpose(-2, -1))  # (batch, head, query, key)
        hidden = self.mask[:n, :n]  # (query, key)
        masked_scores = tap("masked_scores", scores.masked_fill(hidden, -torch.inf))  # (batch, head, query, key)
        scaled_scores = tap("scaled_scores", masked_scores / self.head_dim**0.5)  # (batch, head, query, key)
        weights = tap("weights", torch.softmax(scaled_scores, dim=-1))  # (batch, head, query, key)
        dropped_weights = tap("dropped_weights", self.dropout(weights))  # (batch, head, query, key)
        values_of_heads = values.repeat_interleave(heads_each, dim=1)  # (batch, head, key, feature)
        context = tap("context", dropped_weights @ values_of_heads)  # (batch, head, query, feature)
        merged = context.transpose(1, 2).reshape(batch, n, self.d_out)  # (batch, query, merged)
        merged_context = tap("merged_context", merged)  # (batch, query, merged)
        return tap("output", self.out_proj(merged_context))  # (batch, query, output)
