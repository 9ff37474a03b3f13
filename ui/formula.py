"""A step's formula, which the package writes as LaTeX, as MathML, which every browser can draw."""

from functools import cache

from latex2mathml.converter import convert


@cache
def mathml(latex: str) -> str:
    """MathML for ``latex``."""
    return str(convert(latex))
