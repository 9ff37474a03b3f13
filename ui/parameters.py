"""What an address may say: each parameter by its name, its default, and how its text is read.

Choices stand there by their names, which no language changes.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from attention import MAX_SENTENCES, MAX_TOKENS, Experiment, LearnerError, MultiHeadAttention
from attention.dropout_draws import MAX_DRAWS
from attention.errors import shown
from attention.experiment_checks import CHOICES, RANGES, check_dropout
from attention.grouped_query import GroupedQueryAttention
from attention.head_scores import HEAD_SCORES
from attention.language.models import MODELS
from attention.masks import LESSON_MASKS, MOST_DRAWN
from attention.mistakes import MISTAKES
from attention.scaling import WIDTHS
from attention.training import TASKS
from attention.training.recipe import CHECKPOINTS

_AXES = {step.name: step.axes.split() for kind in (MultiHeadAttention, GroupedQueryAttention) for step in kind.steps}
STEPS = tuple(_AXES)
PER_HEAD = {name for name, axes in _AXES.items() if {"head", "group"} & {*axes}}
MOST_LAYERS, MOST_HEADS = 48, 25  # GPT-2 XL's
RANKS = (*HEAD_SCORES, "word")  # what the heads of a model are ranked by
LONGEST_SEQUENCE = 400  # characters for a task
QUIZZES = 10_000  # quiz seeds, from 0
FIRST = Experiment()  # what the first visit shows: the book's sentence


_HEADS = r"([1-9][0-9]?[.][1-9][0-9]?)(-[1-9][0-9]?[.][1-9][0-9]?)*"


class Parameter(NamedTuple):
    """``default`` is left out of the address; ``read`` raises `LearnerError` for what cannot be."""

    default: Any
    read: Callable[[str], Any]


def choice(name: str, allowed: Sequence[str], raw: str) -> str:
    if raw not in allowed:
        raise LearnerError("unknown_choice", name=name, value=shown(raw), allowed=", ".join(allowed))
    return raw


def _whole_number(name: str, smallest: int, largest: int, raw: str) -> int:
    if not re.fullmatch(r"-?[0-9]+", raw):
        raise LearnerError("not_whole_number", name=name, value=shown(raw), example=smallest)
    if len(raw) > 12 or not smallest <= int(raw) <= largest:
        raise LearnerError("out_of_range", name=name, value=shown(raw), smallest=smallest, largest=largest)
    return int(raw)


def _probability(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        raise LearnerError("not_number", name="dropout", value=shown(raw), example=0.1) from None
    if value != 1:  # the experiment says what is wrong with 1, beside the control
        check_dropout(value)
    return value


def _true_or_false(name: str, raw: str) -> bool:
    if raw.lower() not in ("true", "false"):
        raise LearnerError("not_true_or_false", name=name, value=shown(raw))
    return raw.lower() == "true"


def _cell(raw: str) -> str:
    found = re.fullmatch(rf"(inputs|{'|'.join(STEPS)})([.][1-9][0-9]?)?([.][1-9][0-9]{{0,3}}){{2}}", raw)
    if not found or (found[2] and (found[1] not in PER_HEAD or int(found[2][1:]) > MOST_HEADS)):
        raise LearnerError("not_a_cell", value=shown(raw))
    return raw


def _sequence(raw: str) -> str:
    if len(raw) > LONGEST_SEQUENCE:
        raise LearnerError("too_many_characters", count=len(raw), limit=LONGEST_SEQUENCE)
    return raw


def _off(raw: str) -> str:
    heads = [tuple(map(int, place.split("."))) for place in raw.split("-")] if re.fullmatch(_HEADS, raw) else []
    if not heads or any(layer > MOST_LAYERS or head > MOST_HEADS for layer, head in heads):
        raise LearnerError("not_heads", value=shown(raw))
    return raw


def _drawn(raw: str) -> str:
    rows = raw.split("-")
    if not re.fullmatch("[01-]+", raw) or len(rows) > MOST_DRAWN or any(len(row) != len(rows) for row in rows):
        raise LearnerError("not_a_mask", value=shown(raw))
    return raw


PARAMETERS: dict[str, Parameter] = {
    "sentence": Parameter(FIRST.sentence, str),
    **{
        name: Parameter(getattr(FIRST, name), partial(choice, name, CHOICES[name]))
        for name in ("tokenizer", "embedding", "positions", "mask", "mode")
    },
    **{
        name: Parameter(getattr(FIRST, name), partial(_whole_number, name, *RANGES[name]))
        for name in ("d_in", "d_out", "num_heads", "window", "seed")
    },
    "dropout": Parameter(FIRST.dropout, _probability),
    "qkv_bias": Parameter(FIRST.qkv_bias, partial(_true_or_false, "qkv_bias")),
    "vectors": Parameter("", str),
    "item": Parameter(1, partial(_whole_number, "item", 1, MAX_SENTENCES)),
    "query": Parameter(None, partial(_whole_number, "query", 1, MAX_TOKENS)),
    "cell": Parameter("", _cell),
    "head": Parameter("1", partial(choice, "head", ("all", *map(str, range(1, MOST_HEADS + 1))))),
    "step": Parameter("weights", partial(choice, "step", STEPS)),
    "draw": Parameter(1, partial(_whole_number, "draw", 1, MAX_DRAWS)),
    "draws": Parameter(10, partial(_whole_number, "draws", 1, MAX_DRAWS)),
    "lesson_mask": Parameter("causal", partial(choice, "lesson_mask", LESSON_MASKS)),
    "prefix": Parameter(2, partial(_whole_number, "prefix", 1, MAX_TOKENS)),
    "drawn": Parameter("", _drawn),
    "d_k": Parameter(64, partial(_whole_number, "d_k", WIDTHS[0], WIDTHS[-1])),
    "mistake": Parameter("sqrt_d_out", partial(choice, "mistake", tuple(MISTAKES))),
    "task": Parameter("previous", partial(choice, "task", tuple(TASKS))),
    "checkpoint": Parameter(0, partial(_whole_number, "checkpoint", 0, CHECKPOINTS)),
    "sequence": Parameter("", _sequence),
    "training_layer": Parameter("1", partial(choice, "training_layer", ("1", "2"))),
    "layer": Parameter(1, partial(_whole_number, "layer", 1, MOST_LAYERS)),
    "model": Parameter("smollm2", partial(choice, "model", MODELS)),
    "off": Parameter("", _off),
    "rank": Parameter(RANKS[0], partial(choice, "rank", RANKS)),
    "target": Parameter(None, partial(_whole_number, "target", 1, MAX_TOKENS)),
    "quiz": Parameter(1, partial(_whole_number, "quiz", 0, QUIZZES - 1)),
}
