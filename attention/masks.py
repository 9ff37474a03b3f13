"""Which key is hidden from which query: bool tensors, True = hidden.

Masks are joined with `|`: what either hides is hidden.
Source: Vaswani et al. 2017, section 3.2.3 (causal); Beltagy et al. 2020, Longformer (sliding window);
Raschka, Build a Large Language Model (From Scratch), 2024, section 3.5.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention.errors import LearnerError

MASKS = ("causal", "none", "sliding_window", "padding")
LESSON_MASKS = (*MASKS, "prefix", "drawn")  # the last one by hand
MOST_DRAWN = 16  # tokens of a mask drawn by hand: each of its cells is kept as a letter


def no_mask(n: int) -> Tensor:
    """Nothing is hidden. Shape (query, key)."""
    return torch.zeros(n, n, dtype=torch.bool)  # (query, key)


def causal_mask(n: int) -> Tensor:
    """hidden[i, j] = j > i: a token sees itself and what came before. Shape (query, key)."""
    return torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)  # (query, key)


def sliding_window_mask(n: int, window: int) -> Tensor:
    """hidden[i, j] = j > i or j <= i - window: a token sees itself and the window - 1 before it.

    Shape (query, key). Raises `LearnerError` if window < 1.
    """
    if window < 1:
        raise LearnerError("window_too_small", window=window)
    too_old = torch.ones(n, n, dtype=torch.bool).tril(diagonal=-window)  # (query, key)
    return causal_mask(n) | too_old  # (query, key)


def prefix_mask(n: int, prefix: int) -> Tensor:
    """hidden[i, j] = j > i and j >= prefix: the first `prefix` tokens see one another, the rest is causal.

    Shape (query, key). Source: Raffel et al. 2020, T5, section 3.2.1 (prefix language model).
    """
    mask = causal_mask(n)  # (query, key)
    mask[:, :prefix] = False  # (query, key)
    return mask


def drawn_mask(text: str) -> Tensor:
    """A mask drawn by hand: a row of 0 and 1 (1 = hidden) for each query, as in "01-00". Shape (query, key)."""
    return torch.tensor([[int(cell) for cell in row] for row in text.split("-")]).bool()  # (query, key)


def mask_text(mask: Tensor) -> str:
    """The inverse of `drawn_mask`."""
    return "-".join("".join(map(str, row)) for row in mask.int().tolist())


def padding_mask(lengths: Sequence[int], n: int) -> Tensor:
    """hidden[b, 0, j] = j >= lengths[b]: nobody looks at the padding. Shape (batch, 1, key)."""
    is_padding = torch.arange(n) >= torch.tensor(lengths).unsqueeze(-1)  # (batch, key)
    return is_padding.unsqueeze(1)  # (batch, 1, key)


def hide_padding(mask: Tensor, lengths: Sequence[int]) -> Tensor:
    """`mask` (query, key), with the padding of each batch item hidden too. Shape (batch, query, key).

    A padded position may see itself: its row means nothing, but it must not be all hidden.
    """
    n = mask.shape[-1]
    hidden = mask | padding_mask(lengths, n)  # (batch, query, key)
    padded_itself = torch.eye(n, dtype=torch.bool) & padding_mask(lengths, n)  # (batch, query, key)
    return hidden & ~padded_itself  # (batch, query, key)


def refuse_hidden_rows(mask: Tensor) -> None:
    """Raise `LearnerError` if a query (counted from 1) may look at nothing. `mask` is (..., query, key)."""
    all_hidden = mask.all(dim=-1)  # (..., query)
    if all_hidden.any():
        query = int(all_hidden.nonzero()[0, -1]) + 1  # learners count from 1
        raise LearnerError("hidden_row", query=query)
