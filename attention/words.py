r"""Cutting a sentence into words, or into characters.

A reader's character is a *grapheme cluster* (Unicode Standard Annex 29, `\X`): a letter with its accents, or
a whole family emoji, is one. Words are runs of letters and digits, and punctuation stands apart, as in
Raschka, Build a Large Language Model (From Scratch), 2024, section 2.2. Chinese, Japanese, Thai, Lao, Khmer
and Burmese put no spaces between words: there each character is a token, or a sentence would be one word.
"""

import regex  # type: ignore[import-untyped]

_NO_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー]"
# A letter or digit, with the marks and the joiners that follow it. `*+` and `++` never go back: linear time.
_LETTER = rf"(?:(?!{_NO_SPACES})[\p{{L}}\p{{N}}][\p{{M}}\u200c\u200d]*+)"
_WORD = regex.compile(rf"{_LETTER}++(?:['’]{_LETTER}++)*+|\X")  # don't is one word
_CLUSTER = regex.compile(r"\X")
# Whitespace, control characters, and what Unicode says to draw as nothing (zero-width space, BOM ...).
_INVISIBLE = regex.compile(r"[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*+")


def is_invisible(text: str) -> bool:
    """True if a reader would see nothing."""
    return _INVISIBLE.fullmatch(text) is not None


def split_words(sentence: str) -> list[str]:
    """The words and punctuation marks; whitespace and invisible characters are dropped."""
    return [word for word in _WORD.findall(sentence) if not is_invisible(word)]


def split_characters(sentence: str) -> list[str]:
    """The grapheme clusters; spaces are kept."""
    characters: list[str] = _CLUSTER.findall(sentence)
    return characters


def word_of_each(characters: list[str]) -> list[int]:
    """For each character, the number of its word. A space belongs to the word after it, as in byte pairs."""
    numbers: list[int] = []
    word = 0
    for before, character in zip(["", *characters], characters, strict=False):
        if character.isspace() and before and not before.isspace():
            word += 1
        numbers.append(word)
    return numbers
