"""Large maps as levels of colour: what the eye can tell apart, in a quarter of the bytes and less.

level = 1 + round(count * (z - low) / (high - low))         0: no number
level = 1 + round(count * sqrt(z / high))                   where low = 0, so that small weights differ, too;
                                                            at least 2 for z > 0: 1 says that it is 0, as if masked
"""

import zlib

import numpy as np

LARGE = 20_000  # cells; from here on a map is sent and drawn as levels
FINE = 254  # levels above the lowest one
MOST_BYTES = 1_400_000  # of a map


def fitted(z: np.ndarray, low: float, high: float) -> tuple[bytes, int]:
    """``z`` in as many levels as MOST_BYTES hold, at most FINE; and how many they are."""
    count = FINE
    levels = encode(z, low, high, count)
    while len(levels) > MOST_BYTES and count > 2:
        told = np.count_nonzero(~np.isnan(z) if low else z > 0)
        bits = 8 * (len(levels) - MOST_BYTES) / told  # too many, for a number; half the levels take one bit less
        count = max(2, int(0.9 * count / 2**bits))
        levels = encode(z, low, high, count)
    return levels, count


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
