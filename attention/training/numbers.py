r"""Two tasks on numbers.

    largest   3 1 7 2 9      -> 3 3 7 7 9     look at the largest number so far
    sort      7 2 9 > 2 7    -> . . . 2 7 9   look at the next larger number in front of the >

What is sorted already is there to be read, as in a text that a language model writes: it continues it.
"""

import torch
from torch import Generator, Tensor

from attention.masks import causal_mask
from attention.training.reading import check_count, check_distinct, ids_of, symbols_of
from attention.training.task import Task, TokenSequence, choose_distinct, what_stands_there

NUMBERS = tuple(str(number) for number in range(20))  # the id of a number is the number itself
LENGTH = 12
DIGITS = NUMBERS[:10]  # what is sorted
SORTED = len(DIGITS)  # the id of ">": from here on it is sorted
PADDING_ID = SORTED + 1  # the id of "_", behind a drawn sequence that is shorter than others
FEWEST, MOST = 2, 6  # numbers to sort


def look_at_largest(ids: Tensor) -> Tensor:
    largest = ids.cummax(dim=1).values  # (batch, query)
    seen = ~causal_mask(ids.shape[1])  # (query, key)
    return ((ids.unsqueeze(1) == largest.unsqueeze(-1)) & seen).unsqueeze(1)  # (batch, 1, query, key)


def look_at_next_larger(ids: Tensor) -> Tensor:
    """The smallest of the unsorted numbers that are larger than the query; for > the smallest of all."""
    is_unsorted = (ids == SORTED).cumsum(dim=1) == 0  # (batch, token)
    than = torch.where(ids == SORTED, -1, ids).unsqueeze(-1)  # (batch, query, 1)
    is_larger = is_unsorted.unsqueeze(1) & (ids.unsqueeze(1) > than)  # (batch, query, key)
    next_larger = torch.where(is_larger, ids.unsqueeze(1), PADDING_ID).amin(dim=-1, keepdim=True)  # (batch, query, 1)
    is_next = is_larger & (ids.unsqueeze(1) == next_larger)  # (batch, query, key)
    return (is_next & ~is_unsorted.unsqueeze(-1)).unsqueeze(1)  # (batch, 1, query, key)


def draw_numbers(count: int, generator: Generator) -> Tensor:
    return choose_distinct(count, LENGTH, len(NUMBERS), generator)  # (batch, token)


def draw_to_sort(count: int, generator: Generator) -> Tensor:
    """FEWEST to MOST numbers, >, and the same numbers sorted but for the last, which nothing follows."""
    numbers = choose_distinct(count, MOST, len(DIGITS), generator)  # (batch, number)
    length = torch.randint(FEWEST, MOST + 1, (count, 1), generator=generator)  # (batch, 1)
    absent = torch.arange(MOST) >= length  # (batch, number)
    in_order = numbers.masked_fill(absent, PADDING_ID).sort(dim=-1).values  # (batch, number)
    place = torch.arange(2 * MOST)  # (token,)
    rest = in_order.gather(1, (place - length - 1).clamp(0, MOST - 1))  # (batch, token)
    both = torch.where(place < length, numbers.repeat(1, 2), rest)  # (batch, token)
    ids = both.masked_fill(place == length, SORTED)  # (batch, token)
    return ids.masked_fill(place >= 2 * length, PADDING_ID)  # (batch, token)


def read_numbers(text: str) -> TokenSequence:
    texts = symbols_of(text)
    ids = ids_of(texts, NUMBERS, "0-19")
    check_count(len(ids), 2, LENGTH)
    return TokenSequence(tuple(texts), tuple(ids), NUMBERS)


def read_numbers_to_sort(text: str) -> TokenSequence:
    """Only the numbers are written; > and what comes behind it follow from them."""
    texts = symbols_of(text)
    ids = ids_of(texts, DIGITS, "0-9")
    check_count(len(ids), FEWEST, MOST)
    check_distinct(texts)
    in_order = sorted(ids)[:-1]
    return TokenSequence((*texts, ">", *[DIGITS[id] for id in in_order]), (*ids, SORTED, *in_order), DIGITS)


LARGEST_SO_FAR = Task(
    name="largest",
    vocabulary=NUMBERS,
    answers=NUMBERS,
    length=LENGTH,
    layers=1,
    draw=draw_numbers,
    look=look_at_largest,
    say=what_stands_there,
    read=read_numbers,
    example="3 1 7 2 9 4 12 8",
    steps=240,
    learning_rate=1e-2,
)
SORT = Task(
    name="sort",
    vocabulary=(*DIGITS, ">", "_"),
    answers=DIGITS,
    length=2 * MOST,
    layers=1,
    draw=draw_to_sort,
    look=look_at_next_larger,
    say=what_stands_there,
    read=read_numbers_to_sort,
    example="7 2 9 1 4",
    steps=240,
    learning_rate=2e-2,
)
