"""What a person typed, inside Markdown: shown as itself, never read as markup."""

import re

from figures.labels import printable


def literal(text: str) -> str:
    """``text`` as a code span: Streamlit reads no bold, ``:red[]``, emoji, formula or link inside one."""
    return _code(printable(text))


def quoted(sentence: str) -> str:
    """The same for words of another program: the spaces between them stay."""
    return _code(" ".join(map(printable, sentence.split())))


def _code(shown: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence} {shown} {fence}"
