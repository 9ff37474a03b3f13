r"""Three ways to compute the same heads, and the one wrong way to split them.

    stacked heads     Q_h = X W_h                      num_heads small matrices W_h, one after the other
    one big matrix    Q = X [W_1, ..., W_H]            head h reads the columns h head_dim ... (h + 1) head_dim of Q
    batch of heads    Q_bhif = sum_d X_bid W_hdf       all heads at once

All give the same numbers, up to rounding, for the same weights. They are computed without dropout, as in eval mode:
in training, each way would draw other weights to drop.
Source: Raschka, Build a Large Language Model (From Scratch), 2024, sections 3.6.1 and 3.6.2.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention as attend

from attention.causal import CausalAttention
from attention.checks import check_heads, check_input
from attention.multihead import MultiHeadAttention
from attention.randomness import seeded


class HeadView(NamedTuple):
    """What one way gave."""

    queries: Tensor  # (batch, query, merged)
    merged_context: Tensor  # (batch, query, merged)


def stacked_heads(module: MultiHeadAttention) -> list[CausalAttention]:
    """Single heads, in eval mode, whose weights are slices of the module's: the book's MultiHeadAttentionWrapper."""
    return [_single_head(module, head) for head in range(module.num_heads)]


@torch.no_grad()
def as_stacked_heads(module: MultiHeadAttention, x: Tensor) -> HeadView:
    """Each head on its own, x (batch, token, d_in). Raises `LearnerError` if x does not fit the module."""
    heads = stacked_heads(module)
    context = torch.cat([head(x) for head in heads], dim=-1)  # (batch, query, merged)
    return HeadView(torch.cat([head.W_query(x) for head in heads], dim=-1), context)  # (batch, query, merged)


@torch.no_grad()
def as_one_matrix(module: MultiHeadAttention, x: Tensor) -> HeadView:
    """One product for all heads, then a loop over slices of its columns. x and errors as above."""
    hidden = _single_mask(module, x)  # (query, key), or (batch, query, key)
    queries, keys, values = module.W_query(x), module.W_key(x), module.W_value(x)  # (batch, token, merged)
    contexts = []
    for head in range(module.num_heads):
        share = (..., _share(module, head))
        context = attend(queries[share], keys[share], values[share], attn_mask=~hidden)  # (batch, query, feature)
        contexts.append(context)
    return HeadView(queries, torch.cat(contexts, dim=-1))  # (batch, query, merged)


@torch.no_grad()
def as_batch_of_heads(module: MultiHeadAttention, x: Tensor) -> HeadView:
    """The weights viewed as (head, feature, d_in), and all heads at once. x and errors as above."""
    hidden = _single_mask(module, x).unsqueeze(-3)  # (1, query, key), or (batch, 1, query, key)
    queries, keys, values = (
        _per_head(module, linear, x) for linear in (module.W_query, module.W_key, module.W_value)
    )  # (batch, head, token, feature)
    context = attend(queries, keys, values, attn_mask=~hidden)  # (batch, head, query, feature)
    return HeadView(queries.transpose(1, 2).flatten(2), context.transpose(1, 2).flatten(2))  # (batch, query, merged)


HEAD_VIEWS: dict[str, Callable[[MultiHeadAttention, Tensor], HeadView]] = {
    "stacked_heads": as_stacked_heads,
    "one_matrix": as_one_matrix,
    "batch_of_heads": as_batch_of_heads,
}


def largest_difference(views: Iterable[HeadView]) -> float:
    """How far the merged contexts of `views` are apart, at the number where it is most."""
    contexts = torch.stack([view.merged_context for view in views])  # (view, batch, query, merged)
    return (contexts.amax(dim=0) - contexts.amin(dim=0)).max().item()


def right_split(x: Tensor, num_heads: int) -> Tensor:
    """x (batch, token, merged), contiguous, cut along its last axis. Shape (batch, head, token, feature).

    Raises `LearnerError` if num_heads does not divide the last axis; so does `wrong_split`.
    """
    check_heads(x.shape[-1], num_heads)
    batch, n, width = x.shape
    return x.view(batch, n, num_heads, width // num_heads).transpose(1, 2)  # (batch, head, token, feature)


def wrong_split(x: Tensor, num_heads: int) -> Tensor:
    """The same shape at once: each head gets the next n * head_dim numbers in memory, about n / num_heads tokens.

    Shape (batch, head, row, column).
    """
    check_heads(x.shape[-1], num_heads)
    batch, n, width = x.shape
    return x.view(batch, num_heads, n, width // num_heads)  # (batch, head, row, column)


SPLITS: dict[str, Callable[[Tensor, int], Tensor]] = {"right": right_split, "wrong": wrong_split}


class Labels(NamedTuple):
    """Whose number each one is: integers of one shape, counted from 0."""

    token: Tensor
    feature: Tensor


def labelled_rows(n: int, d_out: int) -> Labels:
    """Recognisable tokens: the number at [0, i, f] belongs to token i, feature f. Both (1, token, merged)."""
    token = torch.arange(n).view(1, n, 1).repeat(1, 1, d_out)  # (1, token, merged)
    feature = torch.arange(d_out).repeat(1, n, 1)  # (1, token, merged)
    return Labels(token, feature)


def labelled_split(split: str, n: int, d_out: int, num_heads: int) -> Labels:
    """Where the numbers of `labelled_rows` are after a split, one of `SPLITS`. Both (head, row, column).

    Raises KeyError for an unknown split, `LearnerError` if num_heads does not divide d_out.
    """
    token, feature = (SPLITS[split](numbers, num_heads)[0] for numbers in labelled_rows(n, d_out))
    return Labels(token, feature)  # (head, row, column)


def _share(module: MultiHeadAttention, head: int) -> slice:
    return slice(head * module.head_dim, (head + 1) * module.head_dim)


def _single_head(module: MultiHeadAttention, head: int) -> CausalAttention:
    share, has_bias = _share(module, head), module.W_query.bias is not None
    with seeded(0):  # the drawn weights are thrown away: they must not change the numbers of others
        single = CausalAttention(module.d_in, module.head_dim, module.context_length, module.dropout.p, has_bias)
    for name in ("W_query", "W_key", "W_value"):
        big, small = getattr(module, name), getattr(single, name)
        small.weight = nn.Parameter(big.weight[share].detach().clone())  # (feature, d_in)
        small.bias = nn.Parameter(big.bias[share].detach().clone()) if has_bias else None  # (feature,)
    single.mask = module.mask.squeeze(1) if module.mask.dim() == 4 else module.mask
    return single.eval()


def _single_mask(module: MultiHeadAttention, x: Tensor) -> Tensor:
    """What is hidden from one head. Shape (query, key), or (batch, query, key)."""
    check_input(x, module.d_in, module.context_length)
    n = x.shape[1]
    mask = module.mask.squeeze(1) if module.mask.dim() == 4 else module.mask  # (query, key), or (batch, query, key)
    return mask[..., :n, :n]  # (query, key), or (batch, query, key)


def _per_head(module: MultiHeadAttention, linear: nn.Linear, x: Tensor) -> Tensor:
    weight = linear.weight.view(module.num_heads, module.head_dim, module.d_in)  # (head, feature, d_in)
    products = torch.einsum("bid,hfd->bhif", x, weight)  # (batch, head, token, feature)
    if linear.bias is None:
        return products
    return products + linear.bias.view(module.num_heads, 1, module.head_dim)  # (batch, head, token, feature)
