r"""Dropout, drawn again and again: the mean of many draws comes back to the undropped weights.

    D_j = 0 with probability p, else w_j / (1 - p);   E[D_j] = w_j,   Var[D_j] = w_j^2 p / (1 - p)
    spread(n) = sqrt(mean_j E[(mean of n draws of D_j - w_j)^2]) = sqrt(p / (1 - p) * mean_j w_j^2 / n)

Source: Srivastava et al. 2014, Dropout, sections 4 (the test scales) and 10 (training scales, as here and in PyTorch);
Raschka, Build a Large Language Model (From Scratch), 2024, section 3.5.2.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import dropout as drop

from attention.experiment import Experiment
from attention.experiment_checks import check_dropout
from attention.randomness import seed_of, seeded
from attention.tokens import MAX_TOKENS
from attention.trace import Trace

COUNTS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000)
MAX_DRAWS = 10_000
SIDE_BY_SIDE = 512  # numbers of one draw, or a longer row's
DRAWS_AT_ONCE = 250  # half a megabyte, or two for the longest row


class MeanOfDraws(NamedTuple):
    """The mean of the first n draws, and how far such a mean is from the undropped weights, for each n of `counts`."""

    counts: tuple[int, ...]
    mean: Tensor  # (count, key)
    spread: Tensor  # (count,)


class Fate(NamedTuple):
    """What dropout did to each weight. A weight of 0 (a hidden key's) is neither kept nor dropped: False in both."""

    kept: Tensor
    dropped: Tensor


def run_draw(experiment: Experiment, draw: int) -> Trace:
    """The experiment's run with the draw-th draw of its dropout. Draw 1 is what `experiment.run()` draws.

    A later draw drops the same weights by numbers of its own, which come from the experiment's seed and from `draw`.
    In eval mode nothing is drawn, so that every draw is the same run. Raises ValueError if draw is less than 1.
    """
    if draw < 1:
        raise ValueError(f"draw = {draw}: draws count from 1")
    weights: list[Tensor] = []

    def draw_again(name: str, value: Tensor) -> Tensor:
        if name == "weights":
            weights.append(value)
        if name != "dropped_weights" or draw == 1:
            return value
        with seeded(seed_of("dropout draw", experiment.seed, draw)):
            return drop(weights[0], experiment.dropout, training=experiment.mode == "train")  # (..., query, key)

    return experiment.run(draw_again)


def mean_of_draws(weights: Tensor, dropout: float, seed: int, counts: Sequence[int] = COUNTS) -> MeanOfDraws:
    """Drop one row of attention weights (key,) as training does, again and again.

    `mean` follows one learner who goes on drawing; the first draw is what `torch.nn.functional.dropout` gives
    after `torch.manual_seed(seed)`. One such path is noisy if the row is short. So SIDE_BY_SIDE // keys learners
    draw side by side, and `spread` is the root mean square of mean - weights over all of them and all keys
    (hidden keys too: they are 0 away). It is an estimate, off from the formula by about a tenth; by more where
    a few of many keys have most of the weight.

    Raises `LearnerError` if dropout is not 0 or more and less than 1; ValueError if weights is not one row of at
    most MAX_TOKENS keys, or if counts does not rise within 1 to MAX_DRAWS.
    """
    check_dropout(dropout)
    if weights.dim() != 1 or not 1 <= len(weights) <= MAX_TOKENS:
        raise ValueError(f"weights has the shape {tuple(weights.shape)}: give one row of 1 to {MAX_TOKENS} keys")
    if not counts or list(counts) != sorted(set(counts)) or counts[0] < 1 or counts[-1] > MAX_DRAWS:
        raise ValueError(f"counts = {tuple(counts)} should rise, from 1 or more to at most {MAX_DRAWS}")
    learners = max(1, SIDE_BY_SIDE // len(weights))
    row = weights.detach().repeat(learners)  # (learner * key,)
    total = torch.zeros_like(row)  # (learner * key,)
    drawn, differences = 0, []
    with seeded(seed):
        for count in counts:
            while drawn < count:
                now = min(count - drawn, DRAWS_AT_ONCE)
                dropped = drop(row.expand(now, -1), dropout, training=True)  # (draw, learner * key)
                total = total + (dropped - row).sum(dim=0)  # (learner * key,): exactly 0 without dropout
                drawn += now
            differences.append(total / count)
    difference = torch.stack(differences).view(len(counts), learners, -1)  # (count, learner, key)
    mean = weights.detach() + difference[:, 0]  # (count, key)
    spread = difference.square().mean(dim=(1, 2)).sqrt()  # (count,)
    return MeanOfDraws(tuple(counts), mean, spread)


def expected_spread(weights: Tensor, dropout: float, counts: Sequence[int] = COUNTS) -> Tensor:
    """sqrt(p / (1 - p) * mean_j w_j^2 / n) for weights (key,) and each n of counts. Shape (count,).

    Raises `LearnerError` if dropout is not 0 or more and less than 1.
    """
    check_dropout(dropout)
    variance = dropout / (1 - dropout) * weights.square().mean()  # ()
    return (variance / torch.tensor(counts)).sqrt()  # (count,)


def fate(weights: Tensor, dropped_weights: Tensor) -> Fate:
    """Which weights were kept and which were dropped: bool, of the shape that both steps of a trace have.

    A weight of 0 is 0 before and after, whatever was drawn for it: False in both.
    """
    had_weight = weights != 0  # (..., query, key)
    survived = dropped_weights != 0  # (..., query, key)
    return Fate(kept=had_weight & survived, dropped=had_weight & ~survived)
