r"""Turning letters round. What is asked for at each token; . where nothing is.

    reverse   a b c d _ _ _ _   -> . . . . d c b a   look at T - 1 - i

The blanks are all the same token: only their positions tell where to look.
"""

import torch
from torch import Generator, Tensor

from attention.training.letters import LETTERS
from attention.training.reading import check_count, ids_of, letters_of
from attention.training.task import Task, TokenSequence, choose, what_stands_there

TO_REVERSE = 6  # letters, and as many blanks
BLANK = len(LETTERS)  # the id of "_"


def look_mirrored(ids: Tensor) -> Tensor:
    mirror = torch.eye(ids.shape[1]).bool().flip(-1)  # (query, key)
    return ((ids == BLANK).unsqueeze(-1) & mirror).unsqueeze(1)  # (batch, 1, query, key)


def draw_letters_and_blanks(count: int, generator: Generator) -> Tensor:
    letters = choose(count, TO_REVERSE, len(LETTERS), generator)  # (batch, letter)
    return torch.cat([letters, torch.full_like(letters, BLANK)], dim=1)  # (batch, token)


def read_letters_to_reverse(text: str) -> TokenSequence:
    """The blanks need not be written."""
    written = letters_of(text)
    last = max((place for place, letter in enumerate(written) if letter != "_"), default=-1)
    texts = written[: last + 1]
    ids = ids_of(texts, LETTERS, "a-z")
    check_count(len(ids), TO_REVERSE, TO_REVERSE)
    return TokenSequence((*texts, *"_" * TO_REVERSE), (*ids, *[BLANK] * TO_REVERSE), LETTERS)


REVERSE = Task(
    name="reverse",
    vocabulary=(*LETTERS, "_"),
    answers=LETTERS,
    length=2 * TO_REVERSE,
    layers=1,
    draw=draw_letters_and_blanks,
    look=look_mirrored,
    say=what_stands_there,
    read=read_letters_to_reverse,
    example="planet",
    steps=100,
    learning_rate=5e-3,
)
