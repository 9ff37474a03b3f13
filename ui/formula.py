"""A step's formula, which the package writes as LaTeX, as MathML, which every browser can draw."""

from functools import lru_cache

from latex2mathml.converter import convert


@lru_cache(maxsize=1024)  # an open cell's formula has its numbers in it
def mathml(latex: str) -> str:
    """MathML for ``latex``."""
    return str(convert(latex))
