"""Numbers as a reader sees them, with as many digits as the figures' hover shows."""

from math import inf, isnan


def number(value: float | str) -> str:
    """Four decimals; infinities by their sign, NaN by its name; a text as it is."""
    if isinstance(value, str):
        return value
    if value in (inf, -inf):
        return "inf" if value > 0 else "-inf"
    return "NaN" if isnan(value) else f"{value:z.4f}"
