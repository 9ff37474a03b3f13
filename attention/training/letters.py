r"""Three tasks on letters. What is asked for at each token; . where nothing is.

    previous   a b c d     -> . a b c          look at i - 1
    two        a b c d     -> . . ab bc        look at i - 2 and, for a second answer, at i - 1
    vowel      t r a i n s -> . . a i i i      look at the last vowel so far

With two answers there must be two heads, each of which looks at one token.
"""

from functools import partial
from string import ascii_lowercase

import torch
from torch import Generator, Tensor

from attention.masks import causal_mask
from attention.training.reading import check_count, ids_of, letters_of
from attention.training.task import Task, TokenSequence, choose, what_stands_there

LETTERS = tuple(ascii_lowercase)
VOWELS = tuple("aeiou")
LENGTH = 10
VOWEL_IDS = torch.tensor([LETTERS.index(vowel) for vowel in VOWELS])  # (vowel,)


def steps_back(ids: Tensor, *backs: int) -> Tensor:
    """The key so many steps back, a part for each of `backs`. Shape (batch, part, query, key)."""
    place = torch.arange(ids.shape[1])  # (token,)
    parts = torch.stack([place.unsqueeze(-1) - back == place for back in backs])  # (part, query, key)
    return parts.expand(len(ids), -1, -1, -1)  # (batch, part, query, key)


def look_one_back(ids: Tensor) -> Tensor:
    return steps_back(ids, 1)  # (batch, 1, query, key)


def look_two_and_one_back(ids: Tensor) -> Tensor:
    """Where there are two tokens to look back at: not at query 1."""
    has_two = torch.arange(ids.shape[1]) > 1  # (query,)
    return steps_back(ids, 2, 1) & has_two.unsqueeze(-1)  # (batch, 2, query, key)


def look_at_last_vowel(ids: Tensor) -> Tensor:
    is_vowel = torch.isin(ids, VOWEL_IDS)  # (batch, key)
    vowels = is_vowel.cumsum(dim=1)  # (batch, token): so many up to here
    no_vowel_between = vowels.unsqueeze(-1) == vowels.unsqueeze(-2)  # (batch, query, key)
    seen = ~causal_mask(ids.shape[1])  # (query, key)
    return (is_vowel.unsqueeze(1) & no_vowel_between & seen).unsqueeze(1)  # (batch, 1, query, key)


def draw_letters(count: int, generator: Generator) -> Tensor:
    return choose(count, LENGTH, len(LETTERS), generator)  # (batch, token)


def draw_words(count: int, generator: Generator) -> Tensor:
    """Letters of which about every other is a vowel, as in words."""
    letters = choose(count, LENGTH, len(LETTERS), generator)  # (batch, token)
    vowels = VOWEL_IDS[choose(count, LENGTH, len(VOWELS), generator)]  # (batch, token)
    is_vowel = torch.rand(count, LENGTH, generator=generator) < 0.3  # (batch, token)
    return torch.where(is_vowel, vowels, letters)  # (batch, token)


def read_letters(text: str, smallest: int = 2) -> TokenSequence:
    texts = letters_of(text)
    ids = ids_of(texts, LETTERS, "a-z")
    check_count(len(ids), smallest, LENGTH)
    return TokenSequence(tuple(texts), tuple(ids), LETTERS)


PREVIOUS = Task(
    name="previous",
    vocabulary=LETTERS,
    answers=LETTERS,
    length=LENGTH,
    layers=1,
    draw=draw_letters,
    look=look_one_back,
    say=what_stands_there,
    read=read_letters,
    example="jackdaws",
    steps=60,
    learning_rate=1e-2,
)
TWO = Task(
    name="two",
    vocabulary=LETTERS,
    answers=LETTERS,
    length=LENGTH,
    layers=1,
    draw=draw_letters,
    look=look_two_and_one_back,
    say=what_stands_there,
    read=partial(read_letters, smallest=3),
    example="blackbird",
    steps=300,
    learning_rate=2e-3,  # slow: at every position, the heads have to agree who looks where
    d_out=64,
    num_heads=2,
    parts=2,
)
VOWEL = Task(
    name="vowel",
    vocabulary=LETTERS,
    answers=LETTERS,
    length=LENGTH,
    layers=1,
    draw=draw_words,
    look=look_at_last_vowel,
    say=what_stands_there,
    read=read_letters,
    example="strawberry",
    steps=160,
    learning_rate=2e-2,
)
