r"""Going on as before: this word was there already, so say what came after it.

    induction   my red cat sleeps my red cat   -> . . . . red cat sleeps

It takes two layers. A head of the first writes to each token which one came before it (previous token), and a head
of the second looks for the token in front of which the query's own word stood (induction).
Source: Elhage et al. 2021, A Mathematical Framework for Transformer Circuits, Induction Heads; Olsson et al. 2022.
"""

from string import ascii_lowercase

import torch
from torch import Generator, Tensor

from attention.head_scores import after_earlier_copies
from attention.tokens import tokenize
from attention.training.reading import check_count
from attention.training.task import Task, TokenSequence, choose_distinct, what_stands_there

WORDS = tuple(ascii_lowercase)  # what is drawn: the model knows words only as same and different
UNUSED = "–"  # an answer that is none of the learner's own words
LENGTH = 24
SHORTEST, LONGEST = 6, 12  # the block that is there twice


def look_after_earlier_copies(ids: Tensor) -> Tensor:
    return after_earlier_copies(ids).unsqueeze(1)  # (batch, 1, query, key)


def draw_repeated_blocks(count: int, generator: Generator) -> Tensor:
    """Distinct words, but a block of them is there twice. Its length and place differ: positions alone tell nothing."""
    words = choose_distinct(count, LENGTH, len(WORDS), generator)  # (batch, word)
    length = torch.randint(SHORTEST, LONGEST + 1, (count, 1), generator=generator)  # (batch, 1)
    first = (torch.rand(count, 1, generator=generator) * (LENGTH - 2 * length + 1)).long()  # (batch, 1)
    place = torch.arange(LENGTH)  # (token,)
    is_later = place >= first + length  # (batch, token)
    return words.gather(1, torch.where(is_later, place - length, place))  # (batch, token)


def read_words(text: str) -> TokenSequence:
    """Each distinct word gets an id of its own, in the order in which they come."""
    words = tokenize([text], "words")[0]
    check_count(len(words.ids), 2, LENGTH)
    distinct = tuple(dict.fromkeys(words.texts))
    return TokenSequence(words.texts, words.ids, distinct + (UNUSED,) * (len(WORDS) - len(distinct)))


INDUCTION = Task(
    name="induction",
    vocabulary=WORDS,
    answers=WORDS,
    length=LENGTH,
    layers=2,
    draw=draw_repeated_blocks,
    look=look_after_earlier_copies,
    say=what_stands_there,
    read=read_words,
    example="my red cat sees your dog my red cat sees your dog",
    steps=240,
    learning_rate=1.5e-2,
    d_out=64,
    num_heads=2,
)
