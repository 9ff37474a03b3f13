"""The cards of the training lesson: how well the model does, where its heads look, and what it answers."""

from collections.abc import Sequence

import numpy as np

from attention import Trace
from attention.training import NONE, TASKS, Checkpoint, Recipe, checkpoint_steps
from figures import Series, bars_spec, lines_spec, weight_scale
from ui.cards import chart_card, heatmap_card
from ui.lessons.training_work import TrainedRun
from ui.plot import Card
from ui.steps import card
from ui.words import t

SCORES = ("right_cell", "previous", "induction", "first", "self")


def learned_cards(recipe: Recipe, seen: Sequence[Checkpoint], number: int) -> tuple[list[Card], Trace]:
    """How it stands at a checkpoint: the heads' weights on the example, and the curves up to there; and a trace."""
    example = TrainedRun(recipe, number, "", 0)
    _, traces = example.answers()
    seen = seen[: number + 1]
    loss = [Series(t("training.loss"), _so_far(recipe, [each.loss for each in seen]))]
    accuracy = [Series(t("training.accuracy"), _so_far(recipe, [each.accuracy for each in seen]), ink=1)]
    cards = [
        *_by_layer([_example_card(trace) for trace in traces]),
        _lines(recipe, "loss", loss, formula=r"\mathrm{mean}(-\log p)"),
        _lines(recipe, "accuracy", accuracy, highest=1.05, formula=r"\mathrm{mean}([\hat y = y])"),
        right_card(example),
        *_by_layer([_score_card(recipe, seen, layer) for layer in range(len(traces))]),
    ]
    return cards, traces[0]


def _example_card(trace: Trace) -> Card:
    made = card(trace, "weights", across=2)
    return made.titled(t("steps.learned_weights.title"))._replace(step="learned_weights")


def right_card(run: TrainedRun) -> Card:
    """How sure the model is of the right answer, for each token that is asked for one."""
    probabilities, _ = run.answers()  # (token, part, answer)
    targets = TASKS[run.recipe.task].solve(run.sequence.batch).targets[0]  # (token, part)
    right = probabilities.gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)  # (token, part)
    heights = right.masked_fill(targets == NONE, 0.0).T.numpy()  # (part, token)
    labels = [
        f"{text}→{''.join(run.sequence.answers[target] for target in parts)}" if NONE not in parts else text
        for text, parts in zip(run.sequence.texts, targets.tolist(), strict=True)
    ]
    names = [t("training.part", part=part) for part in range(1, len(heights) + 1)]
    series = [Series(name, each, ink) for ink, (name, each) in enumerate(zip(names, heights, strict=True))]
    axes = {"x_title": t("training.answer_axis"), "y_title": t("training.probability")}
    figure = bars_spec(labels, series, y_range=(0, 1.05), **axes)
    return chart_card("right_answer", t("steps.right_answer.title"), figure, formula=r"p(\text{right})")


def answer_cards(run: TrainedRun) -> list[Card]:
    """The probability of every answer at every token, for each of the answer's parts."""
    probabilities, _ = run.answers()  # (token, part, answer)
    parts = probabilities.unbind(1)
    return [
        heatmap_card(
            "answers",
            t("steps.answers.title") + (f" · {t('training.part', part=part)}" if len(parts) > 1 else ""),
            numbers.numpy(),
            ("token", "answer"),
            run.sequence.texts,
            weight_scale(),
            formula=r"\mathrm{softmax}(\mathrm{norm}(x) U + b)",
            labels={"answer": run.sequence.answers},
        )
        for part, numbers in enumerate(parts, 1)
    ]


def _by_layer(cards: list[Card]) -> list[Card]:
    """Where there is more than one layer, each card says which one it is."""
    if len(cards) == 1:
        return cards
    names = [t("training.layer", layer=layer) for layer in range(1, len(cards) + 1)]
    return [made.titled(f"{made.title} · {name}") for made, name in zip(cards, names, strict=True)]


def _score_card(recipe: Recipe, seen: Sequence[Checkpoint], layer: int) -> Card:
    def best(name: str) -> np.ndarray:
        numbers = np.stack([each.scores[name][layer].numpy() for each in seen])  # (checkpoint, head)
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


def program(chosen: TrainedRun) -> str:
    """A program that trains the same model, and prints the numbers on screen."""
    return (
        "from itertools import islice\n\n"
        "from attention.training import TASKS, Recipe, restore, trace_layers, train\n\n"
        f"recipe = {chosen.recipe!r}\n"
        f"checkpoint = next(islice(train(recipe), {chosen.number}, None))\n"
        "print(checkpoint.step, checkpoint.loss, checkpoint.accuracy, checkpoint.scores)\n\n"
        f"sequence = TASKS[recipe.task].read({chosen.written!r})\n"
        "logits, traces = trace_layers(restore(recipe, checkpoint), sequence.batch, [sequence.texts])\n"
        f"for name, step in traces[{chosen.layer}].items():\n    print(name, step.axes, step.value)\n"
    )
