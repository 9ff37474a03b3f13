"""The kinds of attention that an experiment can run: one entry for each class."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import nn

from attention.causal import CausalAttention
from attention.multihead import MultiHeadAttention

if TYPE_CHECKING:
    from attention.experiment import Experiment


@dataclass(frozen=True)
class Variant:
    """A class, and how to build it from an experiment's choices and its context_length."""

    attention: type[nn.Module]
    build: Callable[["Experiment", int], nn.Module]
    has_heads: bool


def _multi_head(chosen: "Experiment", context_length: int) -> MultiHeadAttention:
    return MultiHeadAttention(
        chosen.d_in, chosen.d_out, context_length, chosen.dropout, chosen.num_heads, chosen.qkv_bias
    )


def _causal(chosen: "Experiment", context_length: int) -> CausalAttention:
    return CausalAttention(chosen.d_in, chosen.d_out, context_length, chosen.dropout, chosen.qkv_bias)


VARIANTS: dict[str, Variant] = {
    "multi_head": Variant(MultiHeadAttention, _multi_head, has_heads=True),
    "causal": Variant(CausalAttention, _causal, has_heads=False),
}
