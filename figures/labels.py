"""Tokens as labels: every character visible, long tokens cut, nothing read as markup.

A token is whatever a person typed. On an axis it must show as itself: spaces as marks, control
characters by their code point, ``<b>`` as four characters and not as bold type.
"""

import unicodedata
from functools import lru_cache

import wcwidth

_MARKS = {" ": "␣", "\t": "⇥", "\n": "⏎", "\r": "␍"}
_JOINERS = "\u200c\u200d"  # shape the letters and emoji around them: they must stay
_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))  # spell the flags of Scotland, Wales, England behind a black one
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and marks, but nothing of them is drawn
_WIDE = frozenset("mwMW@%")
_PLOTLY_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})


def _visible(character: str, kept: str) -> str:
    if character in _MARKS:
        return _MARKS[character]
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zs", "Zl", "Zp") or character in _BLANK
    return f"⟨{ord(character):04X}⟩" if hidden and character not in kept else character


def printable(token: str) -> str:
    """The token with every space and control character as a visible mark; ``∅`` for an empty one."""
    kept = _JOINERS + (_TAGS if "🏴" in token else "")
    shown = "".join(_visible(character, kept) for character in token)
    if not shown:
        return "∅"
    alone = unicodedata.category(shown[0])[0] == "M" or shown[0] in _JOINERS
    return f"◌{shown}" if alone else shown


def short(token: str, width: int = 12) -> str:
    """``printable(token)``, cut to ``width`` columns of text (a Chinese character takes two)."""
    longest = 4 * width  # characters: hundreds of combining marks on one letter take a single column
    return _cut(token[: longest + 1], width, longest)


@lru_cache(maxsize=4096)  # the same tokens stand on every figure of a page
def _cut(token: str, width: int, longest: int) -> str:
    shown = printable(token)
    if display_width(shown) <= width and len(shown) <= longest:
        return shown
    cuts = (
        wcwidth.clip(shown[:longest], 0, end, control_codes="ignore", fillchar="") for end in range(width - 1, 0, -1)
    )
    return next(cut for cut in cuts if display_width(cut) <= width - 1).rstrip() + "…"


def display_width(text: str) -> float:
    """How many letters wide ``text`` is, about: a Chinese character or an emoji takes two, a w one and a half."""
    return wcwidth.width(text, control_codes="ignore") + 0.5 * sum(letter in _WIDE for letter in text)


def escape(text: str) -> str:
    """What Plotly must be given for ``text`` to show as itself (it reads ``<b>``, ``&lt;`` and ``$x$``)."""
    return text.translate(_PLOTLY_MARKUP)
