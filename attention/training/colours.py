r"""Looking something up: which colour has this letter?

    colour   a:red b:blue c:green b? a?   -> . . . blue red   look where the letter got its colour

A key is found by what the query asks for (the letter), and another part of it is fetched (the colour).
"""

import torch
from torch import Generator, Tensor

from attention.masks import causal_mask
from attention.training.reading import check_count, check_distinct, ids_of, symbols_of
from attention.training.task import Task, TokenSequence, choose_distinct

LETTERS = tuple("abcdef")
COLOURS = ("red", "green", "blue", "gold")
COLOURED = tuple(f"{letter}:{colour}" for letter in LETTERS for colour in COLOURS)
ASKED = tuple(f"{letter}?" for letter in LETTERS)
SYMBOLS = (*COLOURED, *ASKED)
LENGTH = 10
FEWEST, MOST = 2, 6  # letters with a colour; the rest of the sequence asks for them


def look_where_coloured(ids: Tensor) -> Tensor:
    is_question = ids >= len(COLOURED)  # (batch, token)
    letter = torch.where(is_question, ids - len(COLOURED), ids // len(COLOURS))  # (batch, token)
    same_letter = letter.unsqueeze(-1) == letter.unsqueeze(-2)  # (batch, query, key)
    question_and_answer = is_question.unsqueeze(-1) & ~is_question.unsqueeze(-2)  # (batch, query, key)
    seen = ~causal_mask(ids.shape[1])  # (query, key)
    return (same_letter & question_and_answer & seen).unsqueeze(1)  # (batch, 1, query, key)


def say_colour(found: Tensor) -> Tensor:
    return found % len(COLOURS)  # (batch, query, part)


def draw_colours(count: int, generator: Generator) -> Tensor:
    """FEWEST to MOST letters, each with a colour, and questions for those letters only."""
    letters = choose_distinct(count, len(LETTERS), len(LETTERS), generator)  # (batch, letter)
    colours = torch.randint(len(COLOURS), letters.shape, generator=generator)  # (batch, letter)
    coloured = letters * len(COLOURS) + colours  # (batch, letter)
    length = torch.randint(FEWEST, MOST + 1, (count, 1), generator=generator)  # (batch, 1)
    which = (torch.rand(count, LENGTH, generator=generator) * length).long()  # (batch, token)
    asked = letters.gather(1, which) + len(COLOURED)  # (batch, token)
    place = torch.arange(LENGTH)  # (token,)
    told = coloured.gather(1, place.clamp(max=len(LETTERS) - 1).expand(count, -1))  # (batch, token)
    return torch.where(place < length, told, asked)  # (batch, token)


def read_colours(text: str) -> TokenSequence:
    """A letter may be asked for again, but not coloured again."""
    texts = symbols_of(text)
    ids = ids_of(texts, SYMBOLS, ", ".join(SYMBOLS))
    check_count(len(ids), 2, LENGTH)
    check_distinct([text.partition(":")[0] for text in texts if text in COLOURED], "letter_coloured_twice")
    return TokenSequence(tuple(texts), tuple(ids), COLOURS)


COLOUR = Task(
    name="colour",
    vocabulary=SYMBOLS,
    answers=COLOURS,
    length=LENGTH,
    layers=1,
    draw=draw_colours,
    look=look_where_coloured,
    say=say_colour,
    read=read_colours,
    example="a:red b:blue c:green d:gold b? d? a? c?",
    steps=160,
    learning_rate=1e-2,
)
