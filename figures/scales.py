"""Colour scales that colour-blind readers can tell apart, with ranges that can be compared."""

from typing import NamedTuple

import numpy as np

Stops = tuple[tuple[float, str], ...]

# One hue, more of it for more weight (ColorBrewer's Blues); on a dark page Cividis (Nunez, Anderton and
# Renslow, 2018), from dark to light. Both rise evenly in lightness, so colour-blind eyes read them too.
_SEQUENTIAL: Stops = (
    (0.0, "#f3f7fc"), (0.125, "#dbe8f6"), (0.25, "#bcd7ec"), (0.375, "#92c4de"), (0.5, "#62a8d2"),
    (0.625, "#3b8bc2"), (0.75, "#1c6bb0"), (0.875, "#084d96"), (1.0, "#08306b"),
)  # fmt: skip
_SEQUENTIAL_DARK: Stops = (
    (0.0, "#00224e"), (0.125, "#123570"), (0.25, "#3b496c"), (0.375, "#575d6d"), (0.5, "#707173"),
    (0.625, "#8a8678"), (0.75, "#a59c74"), (0.875, "#c3b369"), (1.0, "#fee838"),
)  # fmt: skip

# Blue for negative, red for positive, the page's own lightness at zero (ColorBrewer's RdBu, reversed).
_DIVERGING: Stops = (
    (0.0, "#2166ac"), (0.125, "#4393c3"), (0.25, "#92c5de"), (0.375, "#d1e5f0"), (0.5, "#f7f7f7"),
    (0.625, "#fddbc7"), (0.75, "#f4a582"), (0.875, "#d6604d"), (1.0, "#b2182b"),
)  # fmt: skip
_DIVERGING_DARK: Stops = (
    (0.0, "#8fc7ff"), (0.125, "#5fa3e6"), (0.25, "#3d7cba"), (0.375, "#2c5078"), (0.5, "#2a2d35"),
    (0.625, "#7a3d35"), (0.75, "#bb5745"), (0.875, "#e67c62"), (1.0, "#ffb09a"),
)  # fmt: skip


class Scale(NamedTuple):
    """How a number becomes a colour: colour stops for a light and a dark page, the numbers at the two ends."""

    colors: Stops
    dark_colors: Stops
    low: float
    high: float


def weight_scale(highest: float = 1.0) -> Scale:
    """Attention weights, from 0 to 1 (to 1/(1-p) after dropout): the same for every head and sentence."""
    return Scale(_SEQUENTIAL, _SEQUENTIAL_DARK, 0.0, highest)


def signed_scale(*arrays: np.ndarray) -> Scale:
    """Numbers of either sign: one range for all ``arrays``, centred on 0, infinities and NaN left out."""
    finite = [np.abs(a[np.isfinite(a)]).max(initial=0.0) for a in map(np.asarray, arrays)]
    largest = float(max(finite, default=0.0)) or 1.0
    return Scale(_DIVERGING, _DIVERGING_DARK, -largest, largest)
