r"""Rotary positions: a query and a key are turned by their places, so that their score knows how far apart they are.

    angle_{p,i} = p / base^{2i/d},   i = 0 ... d/2 - 1,   p = the position, d = head_dim
    x'_{2i}     = x_{2i} cos(angle_{p,i}) - x_{2i+1} sin(angle_{p,i})
    x'_{2i+1}   = x_{2i} sin(angle_{p,i}) + x_{2i+1} cos(angle_{p,i})

Two vectors turned by the angles of p and r have the dot product that they would have at p - r and 0.

The pairs are neighbours, (0, 1), (2, 3) ..., as in the paper and in GGUF files. Hugging Face's Llama pairs i with
i + d/2 and has the rows of W_query and W_key in that order; a conversion to GGUF reorders the rows, and the scores
are the same. Source: Su et al. 2021, RoFormer, section 3.4.2.
"""

import torch
from torch import Tensor

from attention.checks import check_pairs


def rotary_angles(n: int, head_dim: int, base: float) -> Tensor:
    """The angle, in radians, of each pair at each position from 0 to n - 1. Shape (token, pair).

    Raises `LearnerError` if head_dim is odd: its numbers could not be paired.
    """
    check_pairs(head_dim)
    position = torch.arange(n, dtype=torch.float32).unsqueeze(-1)  # (token, 1)
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim  # (pair,)
    return position / base**exponent  # (token, pair)


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """x (..., token, feature), each pair of neighbouring features turned by its angle (token, pair). Shape of x."""
    even, odd = x[..., 0::2], x[..., 1::2]  # (..., token, pair)
    cos, sin = angles.cos(), angles.sin()  # (token, pair)
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)  # (..., token, pair, 2)
    return turned.flatten(-2)  # (..., token, feature)
