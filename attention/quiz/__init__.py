"""Predict, then reveal: questions on the learner's own numbers, drawn anew from a seed.

No answer is stored. Each kind of question is one small function that reads the trace of the experiment, works out the
right answer, and sets beside it what one gets from a common mistake. The same seed and experiment give the same
quiz on every machine, so that a teacher can send a class one link.
"""

from collections.abc import Callable
from random import Random

from attention.experiment import Experiment
from attention.quiz.dropout import DROPOUT
from attention.quiz.looks import LOOKS
from attention.quiz.question import Option, Question, Scene, Text, Word
from attention.quiz.scores import SCORES
from attention.quiz.shapes import SHAPES
from attention.quiz.weights import WEIGHTS
from attention.trace import Trace

__all__ = ["KINDS", "Option", "Question", "Scene", "Text", "Word", "quiz"]

KINDS: dict[str, Callable[[Scene], Question | None]] = {**LOOKS, **SCORES, **WEIGHTS, **DROPOUT, **SHAPES}
TRIES = 4  # other heads and tokens, where the first that were drawn give no question


def quiz(
    experiment: Experiment, seed: int, count: int = 10, item: int = 0, trace: Trace | None = None
) -> tuple[Question, ...]:
    """`count` questions about sentence `item`, each of another kind as long as there are kinds left.

    For the variant 'multi_head' only. Fewer than `count` come back if the experiment gives no more.
    trace: what ``experiment.run()`` gives, where it is known already.
    """
    trace = trace or experiment.run()
    kinds = list(KINDS)
    Random(seed).shuffle(kinds)
    questions: list[Question] = []
    turn, before = 0, -1
    while before < len(questions) < count:
        before = len(questions)
        for kind in kinds:
            # Its own dice: a kind that has nothing to ask must not change the others.
            scene = Scene(kind, trace, experiment, item, Random(f"{seed} {kind} {turn}"))
            question = _first_new(scene, questions)
            if question is not None:
                questions.append(question)
        turn += 1
    return tuple(questions[:count])


def _first_new(scene: Scene, asked: list[Question]) -> Question | None:
    """A question that was not asked yet; None after a few tries."""
    known = [question.values for question in asked if question.kind == scene.kind]
    for _ in range(TRIES):
        question = KINDS[scene.kind](scene)
        if question is not None and question.values not in known:
            return question
    return None
