r"""Where a token stands, as numbers to add to its vector: without them and a mask, attention does not know their order.

    sinusoidal:  PE(p, 2i) = sin(p / 10000^{2i/d_in}),   PE(p, 2i + 1) = cos(p / 10000^{2i/d_in})

Source: Vaswani et al. 2017, section 3.5; Raschka, Build a Large Language Model (From Scratch), 2024, section 2.8.
"""

import torch
from torch import Tensor

from attention.randomness import drawn_row

POSITIONS = ("none", "learned", "sinusoidal")


def no_positions(n: int, d_in: int) -> Tensor:
    """Add nothing. Shape (token, d_in)."""
    return torch.zeros(n, d_in, dtype=torch.float32)  # (token, d_in)


def learned_positions(n: int, d_in: int, seed: int) -> Tensor:
    """The rows of a position table before training: draws from N(0, 1). Shape (token, d_in).

    As large as the token vectors, because `nn.Embedding`, which the book uses for both, starts like this.
    """
    return torch.stack([drawn_row("position", seed, position, d_in) for position in range(n)])  # (token, d_in)


def sinusoidal_positions(n: int, d_in: int) -> Tensor:
    """Waves from fast (first columns) to slow (last columns). Shape (token, d_in)."""
    position = torch.arange(n, dtype=torch.float32).unsqueeze(-1)  # (token, 1)
    column = torch.arange(d_in)  # (d_in,)
    pair = (column - column % 2) / d_in  # (d_in,)
    angle = position / 10000.0**pair  # (token, d_in)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())  # (token, d_in)
