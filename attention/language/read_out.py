r"""What comes next: a score for each token of the vocabulary.

    scores = x U^T,   U has a row for each token, in many models the row of the embedding

Source: Press and Wolf 2017, Using the Output Embedding to Improve Language Models, section 2 (one matrix for both).
"""

from collections.abc import Callable

import torch
from torch import Tensor

ROWS_AT_ONCE = 4096  # 9 MB of float32 for rows of 576 numbers


def next_token_scores(x: Tensor, rows: Callable[[int, int], Tensor], vocabulary: int) -> Tensor:
    """Scores (..., vocabulary) from the normed output of the last layer, x (..., d).

    `rows(first, last)` gives the rows first to last - 1 of U, (row, d), as far as there are so many. They are read
    part by part: the whole matrix is larger than several layers.
    """
    parts = [
        x @ rows(first, first + ROWS_AT_ONCE).T  # (..., row)
        for first in range(0, vocabulary, ROWS_AT_ONCE)
    ]
    return torch.cat(parts, dim=-1)  # (..., vocabulary)
