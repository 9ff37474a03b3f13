"""Large maps as levels of colour: what the eye can tell apart, in a quarter of the bytes and less.

level = 1 + round(count * (z - low) / (high - low))         0: no number
level = 1 + round(count * sqrt(z / high))                   where low = 0, so that small weights differ, too;
                                                            at least 2 for z > 0: 1 says that it is 0, as if masked
"""

import zlib

import numpy as np

LARGE = 20_000  # cells; from here on a map is sent and drawn as levels
FINE, COARSE = 254, 20
MOST_FINE = 2_000_000  # numbers; more of them would take more than 1.5 MB in fine levels


def levels_for(z: np.ndarray, low: float) -> int:
    """How many levels above the lowest one."""
    told = ~np.isnan(z) if low else z > 0
    return FINE if np.count_nonzero(told) <= MOST_FINE else COARSE


def encode(z: np.ndarray, low: float, high: float, count: int) -> bytes:
    """The levels of ``z``, row after row, deflated: a masked half takes next to nothing."""
    share = (z - np.float32(low)) / np.float32(high - low)  # 1 / (high - low) may be too large for float32
    if low == 0:
        np.sqrt(share, out=share)
    share *= count
    share += 1.5
    if low == 0:
        np.maximum(share, 2, out=share, where=z > 0)
    np.fmax(share, 0, out=share)  # of NaN and 0 it takes the 0
    # Neighbours are equal in the masked half only: runs are found faster than repeated words, and there are more.
    packer = zlib.compressobj(level=1, strategy=zlib.Z_RLE)
    return packer.compress(share.astype(np.uint8).tobytes()) + packer.flush()


def decode(levels: bytes, shape: tuple[int, int], low: float, high: float, count: int) -> np.ndarray:
    """The numbers again, about: off by half a level at most, by one next to 0."""
    read = np.frombuffer(zlib.decompress(levels), np.uint8).reshape(shape)
    share = (read.astype(np.float32) - 1) / count
    numbers = low + (high - low) * (share**2 if low == 0 else share)
    return np.where(read == 0, np.nan, numbers)
