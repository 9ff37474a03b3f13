"""All heads of a step in one array: small maps side by side, with NaN gaps between them.

One heatmap trace draws twelve heads as fast as one; twelve subplots take four times as long.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Facets:
    """Where each head's map lies in the packed array.

    count: heads; rows, columns: size of one map in cells; across: maps side by side.
    """

    count: int
    rows: int
    columns: int
    across: int

    @property
    def gap(self) -> int:
        """Cells between two maps side by side: enough to be seen at any size."""
        return max(1, round(self.columns / 12))

    @property
    def gap_below(self) -> int:
        """Cells between two maps one above the other: room for the lower one's title."""
        return max(1, round(self.rows / 6))

    @property
    def down(self) -> int:
        """Rows of maps."""
        return -(-self.count // self.across)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the packed array."""
        return (
            self.down * (self.rows + self.gap_below) - self.gap_below,
            self.across * (self.columns + self.gap) - self.gap,
        )

    def corners(self) -> Iterator[tuple[int, int]]:
        """(row, column) of the first cell of each map, in the order of the heads."""
        for head in range(self.count):
            down, across = divmod(head, self.across)
            yield down * (self.rows + self.gap_below), across * (self.columns + self.gap)

    def pack(self, values: np.ndarray) -> np.ndarray:
        """(head, row, column) -> one float32 array; infinities become NaN, which is drawn as no colour.

        A single map without any is not copied: of a long sentence it takes megabytes. Read it only.
        """
        if values.shape == (1, *self.shape) and values.dtype == np.float32 and not np.isinf(values).any():
            alone: np.ndarray = values[0]
            return alone
        packed = np.full(self.shape, np.nan, dtype=np.float32)
        for head, (row, column) in zip(values, self.corners(), strict=True):
            packed[row : row + self.rows, column : column + self.columns] = head
        packed[np.isinf(packed)] = np.nan
        return packed

    def unpack(self, packed: np.ndarray) -> np.ndarray:
        """The inverse of ``pack``, infinities aside: (head, row, column)."""
        return np.stack([packed[r : r + self.rows, c : c + self.columns] for r, c in self.corners()])
