r"""Why scores are divided by sqrt(d_k): without it they grow with d_k, and softmax looks at one key only.

    q, k ~ N(0, 1):   q . k = sum_i q_i k_i has mean 0 and variance d_k, so its spread is sqrt(d_k)
    a = softmax(s),   da_i / ds_j = J_ij = a_i [i = j] - a_i a_j,   size of the gradient = sqrt(sum_ij J_ij^2)

Where a is nearly one-hot, J is nearly 0: what is learned through this row is next to nothing. The mean over rows
falls more slowly than a typical row does, because the few rows with two nearly equal winners carry it.
Source: Vaswani et al. 2017, section 3.2.1 and its footnote 4.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention.errors import LearnerError
from attention.randomness import drawn_row

WIDTHS = tuple(2**power for power in range(1, 11))  # 2 to 1,024
MAX_WIDTH = WIDTHS[-1]
SENTENCES = 16  # a spread measured on one sentence's few vectors would be off by a tenth and more at d_k = 2
TOKENS = 16


class ScalingCurves(NamedTuple):
    """One number for each d_k of `widths`, measured on raw scores and on scores / sqrt(d_k). Tensors (width,)."""

    widths: tuple[int, ...]
    raw_spread: Tensor  # standard deviation of the scores
    scaled_spread: Tensor
    raw_largest: Tensor  # largest weight of a row, mean over rows
    scaled_largest: Tensor
    raw_gradient: Tensor  # size of the softmax's gradient, mean over rows
    scaled_gradient: Tensor


class Spreads(NamedTuple):
    """The standard deviation of a run's scores, before and after the division."""

    raw: float
    scaled: float


class RowWeights(NamedTuple):
    """The softmax of one query's scores, as they are and divided by sqrt(d_k). Both (key,)."""

    raw: Tensor
    scaled: Tensor


def random_scores(d_k: int, seed: int) -> Tensor:
    """Scores of queries and keys drawn from N(0, 1). Shape (sentence, query, key).

    A larger d_k only adds numbers to the same vectors. Raises `LearnerError` unless 1 <= d_k <= MAX_WIDTH.
    """
    if not 1 <= d_k <= MAX_WIDTH:
        raise LearnerError("out_of_range", name="d_k", value=d_k, smallest=1, largest=MAX_WIDTH)
    queries = _vectors("scaling query", seed)[..., :d_k]  # (sentence, query, d_k)
    keys = _vectors("scaling key", seed)[..., :d_k]  # (sentence, key, d_k)
    return queries @ keys.transpose(-2, -1)  # (sentence, query, key)


def scaling_curves(seed: int, widths: Sequence[int] = WIDTHS) -> ScalingCurves:
    """What the division does at each d_k of widths. Raises `LearnerError` unless all are in 1 to MAX_WIDTH."""
    raw = torch.stack([random_scores(d_k, seed) for d_k in widths])  # (width, sentence, query, key)
    scaled = raw / torch.tensor(widths).view(-1, 1, 1, 1).sqrt()  # (width, sentence, query, key)
    raw_weights = torch.softmax(raw, dim=-1)  # (width, sentence, query, key)
    scaled_weights = torch.softmax(scaled, dim=-1)  # (width, sentence, query, key)
    return ScalingCurves(
        widths=tuple(widths),
        raw_spread=raw.std(dim=(1, 2, 3)),  # (width,)
        scaled_spread=scaled.std(dim=(1, 2, 3)),  # (width,)
        raw_largest=raw_weights.amax(dim=-1).mean(dim=(1, 2)),  # (width,)
        scaled_largest=scaled_weights.amax(dim=-1).mean(dim=(1, 2)),  # (width,)
        raw_gradient=gradient_size(raw_weights).mean(dim=(1, 2)),  # (width,)
        scaled_gradient=gradient_size(scaled_weights).mean(dim=(1, 2)),  # (width,)
    )


def row_weights(d_k: int, seed: int) -> RowWeights:
    """The weights of the first query of what `scaling_curves` measures. Raises `LearnerError` as above."""
    scores = random_scores(d_k, seed)[0, 0]  # (key,)
    raw = torch.softmax(scores, dim=-1)  # (key,)
    scaled = torch.softmax(scores / d_k**0.5, dim=-1)  # (key,)
    return RowWeights(raw, scaled)


def seen_spreads(scores: Tensor, scaled_scores: Tensor) -> Spreads:
    """How far scores (..., query, key) of a run scatter, before and after the division by sqrt(head_dim).

    Both are measured where the scaled score is finite: at the keys that their queries may see. A single such score
    has the spread 0.
    """
    seen = scaled_scores.isfinite()  # (..., query, key)
    return Spreads(*(float(each[seen].std(correction=0)) for each in (scores, scaled_scores)))


def gradient_size(weights: Tensor) -> Tensor:
    """The Frobenius norm of J, for each row of softmax weights (..., key), by what went into softmax. Shape (...)."""
    outer = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., key, key)
    jacobian = torch.diag_embed(weights) - outer  # (..., key, key)
    return jacobian.square().sum(dim=(-2, -1)).sqrt()  # (...)


def _vectors(table: str, seed: int) -> Tensor:
    """The same numbers for every d_k, which takes the first d_k of each. Shape (sentence, token, MAX_WIDTH)."""
    numbers = drawn_row(table, seed, 0, SENTENCES * TOKENS * MAX_WIDTH)  # (sentence * token * MAX_WIDTH,)
    return numbers.view(SENTENCES, TOKENS, MAX_WIDTH)  # (sentence, token, MAX_WIDTH)
