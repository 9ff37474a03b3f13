"""Sentence -> tokens -> ids.

Source: Raschka, Build a Large Language Model (From Scratch), 2024, sections 2.2 to 2.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from attention.byte_pairs import split_byte_pairs
from attention.errors import LearnerError, shown
from attention.surrogates import without_surrogates
from attention.words import is_invisible, split_characters, split_words, word_of_each

TOKENIZERS = ("words", "characters", "byte_pairs")
MAX_TOKENS = 2048  # in each sentence; so many fit one head only
MAX_SENTENCES = 16
MAX_CHARACTERS = 9_999  # in all


@dataclass(frozen=True)
class Tokens:
    """The tokens of one sentence; the three tuples are equally long.

    `texts`: what each token shows. `ids`: its row in the vocabulary. `pieces_of`: the number of the word it is
    a piece of, from 0.
    """

    texts: tuple[str, ...]
    ids: tuple[int, ...]
    pieces_of: tuple[int, ...]


def split_sentences(text: str) -> tuple[str, ...]:
    """One sentence a line; lines in which nothing can be seen are dropped.

    Raises `LearnerError` if no line is left, or if the text is too long.
    """
    _check_size(len(text), MAX_CHARACTERS, "too_many_characters")
    sentences = tuple(line for line in text.splitlines() if not is_invisible(line))
    if not sentences:
        raise LearnerError("no_sentence")
    return sentences


def tokenize(sentences: Sequence[str], tokenizer: str) -> list[Tokens]:
    """The tokens of each sentence, by one of `TOKENIZERS`.

    The ids of byte pairs are GPT-2's. Words and characters are numbered in the order in which this text first
    uses them, so that a word added at the end changes no earlier id.
    Raises `LearnerError` for an unknown tokenizer, a sentence without tokens, or a text over the limits above.
    """
    _check_size(len(sentences), MAX_SENTENCES, "too_many_sentences")
    _check_size(sum(map(len, sentences)), MAX_CHARACTERS, "too_many_characters")
    clean = [without_surrogates(sentence) for sentence in sentences]
    vocabulary: dict[str, int] = {}
    match tokenizer:
        case "words":
            tokens = [_numbered(words, range(len(words)), vocabulary) for words in map(split_words, clean)]
        case "characters":
            tokens = [_numbered(letters, word_of_each(letters), vocabulary) for letters in map(split_characters, clean)]
        case "byte_pairs":
            tokens = [byte_pair_tokens(sentence) for sentence in clean]
        case _:
            raise LearnerError(
                "unknown_choice", name="tokenizer", value=shown(tokenizer), allowed=", ".join(TOKENIZERS)
            )
    for number, (sentence, found) in enumerate(zip(clean, tokens, strict=True), start=1):
        if not found.ids:
            raise LearnerError("no_tokens", sentence=number, text=shown(sentence))
        _check_size(len(found.ids), MAX_TOKENS, "too_many_tokens", sentence=number, text=shown(sentence))
    return tokens


def _numbered(texts: Sequence[str], pieces_of: Sequence[int], vocabulary: dict[str, int]) -> Tokens:
    ids = tuple(vocabulary.setdefault(text, len(vocabulary)) for text in texts)
    return Tokens(tuple(texts), ids, tuple(pieces_of))


def byte_pair_tokens(sentence: str) -> Tokens:
    """GPT-2's byte pairs of a sentence without halves of surrogate pairs. There is no limit, and no error."""
    pairs = split_byte_pairs(sentence)
    return Tokens(
        tuple(pair.text for pair in pairs), tuple(pair.id for pair in pairs), tuple(pair.word for pair in pairs)
    )


def _check_size(count: int, limit: int, code: str, **where: str | float) -> None:
    if count > limit:
        raise LearnerError(code, count=count, limit=limit, **where)
