"""An experiment run with any mask, and what becomes of the weights if the mask comes too late.

    weights = softmax(mask(scores, -inf))        the hidden keys take no part: every row sums to 1
    zeroed  = mask(softmax(scores), 0)           they took part in the denominator: the rows sum to less

A row in which every key is hidden is not refused here. It is softmax(-inf, ..., -inf) = 0 / 0 = NaN, in PyTorch too.
"""

from typing import cast

import torch
from torch import Tensor

from attention.experiment import Experiment
from attention.trace import Trace


def run_with_mask(experiment: Experiment, hidden: Tensor) -> Trace:
    """`experiment.run()` with another mask: the same parameters, inputs and draws of dropout.

    hidden: bool (query, key), True = hidden. In a batch the padding is hidden too, whatever the experiment's own mask.
    Raises ValueError if it is not as large as the longest sentence.
    """
    n = experiment.context_length
    if hidden.shape != (n, n) or hidden.dtype != torch.bool:
        raise ValueError(f"the mask is {hidden.dtype} {tuple(hidden.shape)}, but should be torch.bool {(n, n)}")
    fitted = experiment.with_padding_hidden(hidden)
    return experiment.run(alter=lambda module: setattr(module, "mask", fitted))


def hidden_cells(trace: Trace, item: int) -> Tensor:
    """What was hidden in the pass, of one batch item. Shape (query, key)."""
    mask = _mask(trace)  # (query, key), or (batch, ..., query, key)
    return mask if mask.dim() == 2 else mask[item].view(mask.shape[-2:])  # (query, key)


def hidden_rows(trace: Trace, item: int) -> list[int]:
    """The queries of one batch item, counted from 0, that may look at nothing."""
    return hidden_cells(trace, item).all(dim=-1).nonzero().flatten().tolist()


def zeroed_after_softmax(trace: Trace) -> Tensor:
    """The weights if nothing is hidden before the softmax, and the hidden cells are set to 0 after it.

    Shape (batch, head, query, key), or (batch, query, key).
    """
    scaled_scores = trace["scores"].value / trace["queries"].value.shape[-1] ** 0.5  # (..., query, key)
    weights = torch.softmax(scaled_scores, dim=-1)  # (..., query, key)
    return weights.masked_fill(_mask(trace), 0.0)  # (..., query, key)


def _mask(trace: Trace) -> Tensor:
    return cast("Tensor", trace.module.mask)
