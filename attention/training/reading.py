"""A learner's own sequence: text -> symbols -> ids."""

import re
from collections.abc import Sequence

from attention.errors import LearnerError, shown
from attention.tokens import tokenize
from attention.words import is_invisible


def letters_of(text: str) -> list[str]:
    """Each visible character, in lower case: 'Abc' and 'a b c' are the same. Raises `LearnerError` as `tokenize`."""
    return [letter for letter in tokenize([text.lower()], "characters")[0].texts if not is_invisible(letter)]


def symbols_of(text: str) -> list[str]:
    """What stands between spaces or commas, in lower case. Raises `LearnerError` as `tokenize`."""
    characters = "".join(tokenize([text.lower()], "characters")[0].texts)
    return [symbol for symbol in re.split(r"[\s,，、]+", characters) if not is_invisible(symbol)]


def ids_of(symbols: Sequence[str], known: Sequence[str], said: str) -> list[int]:
    """The place of each symbol in `known`. Raises `LearnerError` for others; `said` tells which there are."""
    places = {symbol: id for id, symbol in enumerate(known)}
    for symbol in symbols:
        if symbol not in places:
            raise LearnerError("token_unknown", token=shown(symbol), known=said)
    return [places[symbol] for symbol in symbols]


def check_count(count: int, smallest: int, largest: int) -> None:
    """Raise `LearnerError` if a sequence has too few or too many symbols."""
    if count < smallest:
        raise LearnerError("sequence_too_short", count=count, smallest=smallest)
    if count > largest:
        raise LearnerError("sequence_too_long", count=count, largest=largest)


def check_distinct(symbols: Sequence[str], code: str = "token_repeated") -> None:
    """Raise `LearnerError` with this code if a symbol is there twice."""
    for place, symbol in enumerate(symbols):
        if symbol in symbols[:place]:
            raise LearnerError(code, token=shown(symbol))
