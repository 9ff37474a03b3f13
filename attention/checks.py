"""Checks that several kinds of attention share."""

from torch import Tensor

from attention.errors import LearnerError

MAX_D_IN = 64
MAX_D_OUT = 128
MAX_HEADS = 16


def check_heads(d_out: int, num_heads: int) -> None:
    """Raise `LearnerError` unless num_heads heads can share d_out numbers equally."""
    if num_heads < 1:
        raise LearnerError("out_of_range", name="num_heads", value=num_heads, smallest=1, largest=MAX_HEADS)
    if d_out % num_heads != 0:
        smaller = max(d_out // num_heads, 1) * num_heads
        if d_out <= MAX_D_OUT < smaller + num_heads:  # never suggest what an experiment would refuse
            smaller -= num_heads
        raise LearnerError(
            "heads_do_not_divide",
            d_out=d_out,
            num_heads=num_heads,
            smaller=smaller,
            larger=smaller + num_heads,
        )


def check_groups(num_heads: int, num_groups: int) -> None:
    """Raise `LearnerError` unless num_groups groups can share num_heads heads equally."""
    if not 1 <= num_groups <= num_heads:
        raise LearnerError("out_of_range", name="num_groups", value=num_groups, smallest=1, largest=num_heads)
    if num_heads % num_groups != 0:
        raise LearnerError("groups_do_not_divide", num_heads=num_heads, num_groups=num_groups)


def check_pairs(head_dim: int) -> None:
    """Raise `LearnerError` if head_dim is odd, so that its numbers cannot be paired for the rotation."""
    if head_dim % 2 != 0:
        raise LearnerError("rotary_odd", head_dim=head_dim)


def check_input(x: Tensor, d_in: int, context_length: int) -> None:
    """Raise `LearnerError` unless x is (batch, token, d_in) with at most context_length tokens."""
    if x.dim() != 3:
        raise LearnerError("input_not_three_axes", shape=str(tuple(x.shape)))
    _, tokens, width = x.shape
    if width != d_in:
        raise LearnerError("input_width", width=width, d_in=d_in)
    if tokens > context_length:
        raise LearnerError("input_too_long", tokens=tokens, context_length=context_length)
