r"""What a head looks at, as one number a head: 1 if it does nothing else, 0 if it never does.

    previous token   mean over i >= 1 of A_{i, i-1}
    first token      mean over i >= 1 of A_{i, 0}
    self             mean over i >= 1 of A_{i, i}
    induction        mean over i with J_i not empty of sum_{j in J_i} A_{i, j+1},
                     J_i = {j : t_j = t_i, j + 1 < i}, the earlier occurrences of the query's own token t_i

A is the weights, counted from 0. The query at 0 sees only itself, so that it tells nothing about a head.
Source: Olsson et al. 2022, In-context Learning and Induction Heads (induction, there called prefix matching, and
previous token); Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks (first token).
"""

from collections.abc import Callable

import torch
from torch import Tensor


def previous_token_score(weights: Tensor, ids: Tensor) -> Tensor:
    """How much the head looks at the token before. Shapes and errors as for every score of `HEAD_SCORES`."""
    _check(weights, ids)
    return _mean(weights.diagonal(offset=-1, dim1=-2, dim2=-1))  # (head,)


def first_token_score(weights: Tensor, ids: Tensor) -> Tensor:
    """How much the head rests on the first token."""
    _check(weights, ids)
    return _mean(weights[..., 1:, 0])  # (head,)


def self_score(weights: Tensor, ids: Tensor) -> Tensor:
    """How much the head looks at the query's own token."""
    _check(weights, ids)
    return _mean(weights.diagonal(dim1=-2, dim2=-1)[..., 1:])  # (head,)


def induction_score(weights: Tensor, ids: Tensor) -> Tensor:
    """How much the head looks at the tokens that came right after earlier occurrences of the query's token."""
    _check(weights, ids)
    targets = after_earlier_copies(ids)  # (..., query, key)
    on_targets = (weights * targets.unsqueeze(-3)).sum(dim=-1)  # (..., head, query)
    qualifying = targets.any(dim=-1).sum()  # (): queries that have a target; the others add 0
    return _by_head(on_targets).sum(dim=0) / qualifying  # (head,)


HEAD_SCORES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "previous": previous_token_score,
    "induction": induction_score,
    "first": first_token_score,
    "self": self_score,
}
"""Each takes weights (..., head, query, key) and ids (..., token), and gives one number a head: (head,).

The mean is over all queries that qualify, of all sentences in front of the head; NaN if there are none.
ValueError if the shapes do not belong together.
"""


def best_heads(scores: Tensor) -> list[tuple[int, int, float]]:
    """(layer, head, score) of all heads, the highest score first; those whose score is NaN are left out.

    scores is (layer, head); layers and heads are counted from 0.
    """
    found = [(layer, head, score) for layer, row in enumerate(scores.tolist()) for head, score in enumerate(row)]
    return sorted((each for each in found if each[2] == each[2]), key=lambda each: -each[2])


def after_earlier_copies(ids: Tensor) -> Tensor:
    """True at (i, j + 1) where t_j = t_i and j + 1 < i. ids is (..., token); shape (..., query, key)."""
    same = ids.unsqueeze(-1) == ids.unsqueeze(-2)  # (..., query, key)
    same_before = same.roll(1, dims=-1)  # (..., query, key): key j + 1 has what key j had
    has_before = torch.arange(ids.shape[-1]) > 0  # (key,): the first has nothing before it, but got the last one's
    return (same_before & has_before).tril(diagonal=-1)  # (..., query, key)


def _mean(numbers: Tensor) -> Tensor:
    """The mean over all axes but the head's. numbers is (..., head, query); shape (head,)."""
    return _by_head(numbers).mean(dim=0)  # (head,)


def _by_head(numbers: Tensor) -> Tensor:
    """(..., head, query) -> (... * query, head)."""
    return numbers.transpose(-2, -1).flatten(0, -2)  # (... * query, head)


def _check(weights: Tensor, ids: Tensor) -> None:
    n = ids.shape[-1]
    if weights.dim() != ids.dim() + 2 or weights.shape[-2:] != (n, n) or weights.shape[:-3] != ids.shape[:-1]:
        raise ValueError(
            f"weights {tuple(weights.shape)} and ids {tuple(ids.shape)} do not belong together: "
            "give (..., head, query, key) and (..., token)"
        )
