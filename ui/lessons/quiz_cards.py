"""The figures of a question: what it can be worked out from, and, once it is revealed, the numbers that answer it."""

from attention import Experiment, Trace
from attention.quiz import Question, Text
from ui.plot import Card
from ui.steps import MOST_CELLS, card, weights_in_a_step

ROWS = {"query": "query", "key": "key", "token": "query", "first": "query"}  # where a value that names a token stands
ALIKE = ("hidden_pair", "hidden_count", "who_feels_a_change", "divisor")  # the same in every head


def cards(experiment: Experiment, trace: Trace, question: Question, revealed: bool) -> list[Card]:
    """The question's steps but for the last one, which gives the answer away. Without any, the input vectors."""
    *given, answering = question.steps
    names = [*(given or ["inputs"]), *([answering] if revealed else [])]
    head, across = _head(experiment, question), 1 if experiment.num_heads < 3 else 2
    return [card(trace, name, head=head, across=across) for name in names]


def marked(question: Question, revealed: bool) -> dict[str, int]:
    """Where to look, counted from 0: the query and the key asked about, and those of the answer once it is revealed."""
    places = {axis: _place(question.values[name]) for name, axis in ROWS.items() if name in question.values}
    right = question.options[question.answer]
    if revealed and isinstance(right, Text) and right.tokens:
        places.update(zip(("key", "query"), map(_place, reversed(right.tokens)), strict=False))
    head = int(question.values.get("head", 1)) - 1
    if revealed and question.kind == "strongest_head" and isinstance(right, Text):
        head = int(right.text) - 1
    return {"head": head, **places}


def _head(experiment: Experiment, question: Question) -> int | None:
    """The head that the question names; else all, unless one can stand for them."""
    if "head" in question.values:
        return int(question.values["head"]) - 1
    if question.kind not in ALIKE and weights_in_a_step(experiment) <= MOST_CELLS:
        return None
    return marked(question, revealed=True)["head"]


def _place(named: str | int | float) -> int:
    return int(str(named).partition(" ")[0]) - 1
