"""The cards of the training lesson: how well the model does, where its heads look, and what it answers."""

from collections.abc import Sequence

import numpy as np

from attention import Trace
from attention.head_scores import HEAD_SCORES
from attention.training import (
    NONE,
    TASKS,
    Answers,
    Checkpoint,
    Recipe,
    Task,
    TokenSequence,
    checkpoint_steps,
    right_probabilities,
)
from figures import Series, bars_spec, lines_spec, weight_scale
from ui.cards import chart_card, heatmap_card
from ui.lesson import print_steps
from ui.lessons.training_runs import TrainedRun
from ui.plot import Card
from ui.steps import card
from ui.words import t

SCORES = ("right_cell", *HEAD_SCORES)


def learned_cards(recipe: Recipe, past: Sequence[Checkpoint], answers: Answers) -> list[Card]:
    """How the last checkpoint of ``past`` does: the heads' weights on the example, and the curves up to there."""
    loss = [Series(t("training.loss"), _so_far(recipe, [each.loss for each in past]))]
    accuracy = [Series(t("training.accuracy"), _so_far(recipe, [each.accuracy for each in past]), ink=1)]
    task = TASKS[recipe.task]
    return [
        *_by_layer([_example_card(trace) for trace in answers.traces]),
        _lines(recipe, "loss", loss, formula=r"\mathrm{mean}(-\log p)"),
        _lines(recipe, "accuracy", accuracy, highest=1.05, formula=r"\mathrm{mean}([\hat y = y])"),
        right_card(task, task.read(task.example), answers),
        *_by_layer([_score_card(recipe, past, layer) for layer in range(task.layers)]),
    ]


def right_card(task: Task, sequence: TokenSequence, answers: Answers) -> Card:
    """How sure the model is of the right answer, for each token that is asked for one."""
    targets = task.solve(sequence.batch).targets[0]  # (token, part)
    heights = right_probabilities(answers.probabilities, targets).T.numpy()  # (part, token)
    labels = [
        f"{text}→{''.join(sequence.answers[target] for target in parts)}" if NONE not in parts else text
        for text, parts in zip(sequence.texts, targets.tolist(), strict=True)
    ]
    names = [t("training.part", part=part) for part in range(1, len(heights) + 1)]
    series = [Series(name, each, ink) for ink, (name, each) in enumerate(zip(names, heights, strict=True))]
    axes = {"x_title": t("training.answer_axis"), "y_title": t("training.probability")}
    figure = bars_spec(labels, series, y_range=(0, 1.05), **axes)
    return chart_card("right_answer", t("steps.right_answer.title"), figure, formula=r"p(\text{right})")


def answer_cards(sequence: TokenSequence, answers: Answers) -> list[Card]:
    """The probability of every answer at every token, for each of the answer's parts."""
    parts = answers.probabilities.unbind(1)  # (token, answer) each
    return [
        heatmap_card(
            "answers",
            t("steps.answers.title") + (f" · {t('training.part', part=part)}" if len(parts) > 1 else ""),
            numbers.numpy(),
            ("token", "answer"),
            sequence.texts,
            weight_scale(),
            formula=r"\mathrm{softmax}(\mathrm{norm}(x) U + b)",
            labels={"answer": sequence.answers},
        )
        for part, numbers in enumerate(parts, 1)
    ]


def _example_card(trace: Trace) -> Card:
    made = card(trace, "weights", across=2)
    return made.titled(t("steps.learned_weights.title"))._replace(step="learned_weights")


def _by_layer(cards: list[Card]) -> list[Card]:
    """Where there is more than one layer, each card says which one it is."""
    if len(cards) == 1:
        return cards
    names = [t("training.layer", layer=layer) for layer in range(1, len(cards) + 1)]
    return [made.titled(f"{made.title} · {name}") for made, name in zip(cards, names, strict=True)]


def _score_card(recipe: Recipe, past: Sequence[Checkpoint], layer: int) -> Card:
    def best(name: str) -> np.ndarray:
        numbers = np.stack([each.scores[name][layer].numpy() for each in past])  # (checkpoint, head)
        return _so_far(recipe, numbers.max(axis=1))

    series = [Series(t(f"training.score.{name}"), best(name), ink) for ink, name in enumerate(SCORES)]
    return _lines(recipe, "head_scores", series, highest=1.05, formula=r"\max_h")


def _so_far(recipe: Recipe, numbers: Sequence[float] | np.ndarray) -> np.ndarray:
    """``numbers`` of the checkpoints there are, and NaN for those to come."""
    whole = np.full(len(checkpoint_steps(recipe.task)), np.nan)
    whole[: len(numbers)] = numbers
    return whole


def _lines(recipe: Recipe, name: str, series: Sequence[Series], *, highest: float | None = None, formula: str) -> Card:
    steps = checkpoint_steps(recipe.task)
    figure = lines_spec(
        steps,
        series,
        x_title=t("training.step"),
        y_title=t(f"training.{name}"),
        x_range=(-0.02 * steps[-1], 1.02 * steps[-1]),
        y_range=(0, highest) if highest else None,
    )
    return chart_card(name, t(f"steps.{name}.title"), figure, formula=formula)


def program(chosen: TrainedRun, layer: int) -> str:
    """A program that trains the same model, and prints the numbers on screen."""
    return (
        "from itertools import islice\n\n"
        "import torch\n\n"
        "from attention.training import TASKS, Recipe, answer, restore, train\n\n"
        "torch.set_num_threads(1)  # as here: with more, sums are added up in another order\n"
        f"recipe = {chosen.recipe!r}\n"
        f"checkpoint = next(islice(train(recipe), {chosen.number}, None))\n"
        "print(checkpoint.step, checkpoint.loss, checkpoint.accuracy, checkpoint.scores)\n\n"
        f"answers = answer(restore(recipe, checkpoint), TASKS[recipe.task].read({chosen.written!r}))\n"
        "print(answers.probabilities)\n"
        f"{print_steps(f'answers.traces[{layer}]')}"
    )
