"""Quiz questions about dropout: when it acts, what it sets to 0, and what it does to the weights that are kept."""

from collections.abc import Callable

from attention.quiz.question import Question, Scene, Values, yes_or_no


def dropout_acts(scene: Scene) -> Question | None:
    acts = _share(scene) > 0
    values: Values = {"mode": scene.experiment.mode, "p": scene.experiment.dropout}
    return scene.ask(values, yes_or_no(acts), [yes_or_no(not acts)], ("weights", "dropped_weights"))


def rescale(scene: Scene) -> Question | None:
    """Tempting: not at all, 1 - p, 1 + p, 1 / p."""
    p = float(scene.experiment.dropout)
    if p == 0:
        return None
    values: Values = {"mode": scene.experiment.mode, "p": p}
    right = 1 / (1 - _share(scene))
    return scene.ask(values, right, [1.0, 1 / (1 - p), 1 - p, 1 + p, 1 / p], ("weights", "dropped_weights"))


def row_sum_after_dropout(scene: Scene) -> Question | None:
    """Tempting: still 1, the sum of the kept weights without their rescaling, 1 - p, 1 / (1 - p)."""
    p = scene.experiment.dropout
    if p == 0:
        return None
    head, query = scene.head(), scene.place()
    right = float(scene.row("dropped_weights", head, query).sum())
    values: Values = {"head": head + 1, "query": scene.token(query), "mode": scene.experiment.mode, "p": p}
    return scene.ask(values, right, [1.0, right * (1 - p), 1 - p, 1 / (1 - p)], ("weights", "dropped_weights"))


def dropped_count(scene: Scene) -> Question | None:
    """Tempting: always the share p, the ones that were kept, and counting the hidden ones, too."""
    if _share(scene) == 0:
        return None
    head, query = scene.head(), scene.place()
    weights = scene.matrix("weights", head)[query]  # (key,)
    seen = ~scene.hidden[query]  # (key,)
    if (weights[seen] == 0).any():  # too small for float32: nobody can say whether it was dropped
        return None
    zero = scene.matrix("dropped_weights", head)[query] == 0  # (key,)
    count, total = int((zero & seen).sum()), int(seen.sum())
    tempting = (round(_share(scene) * total), total - count, int(zero.sum()), 0, count + 1)
    values: Values = {"head": head + 1, "query": scene.token(query), "count": total, "p": scene.experiment.dropout}
    wrong = [number for number in tempting if number <= scene.n]
    return scene.ask(values, count, wrong, ("weights", "dropped_weights"))


def _share(scene: Scene) -> float:
    """The probability with which a weight is dropped in this very pass."""
    return float(scene.experiment.dropout) if scene.experiment.mode == "train" else 0.0


DROPOUT: dict[str, Callable[[Scene], Question | None]] = {
    "dropout_acts": dropout_acts,
    "rescale": rescale,
    "row_sum_after_dropout": row_sum_after_dropout,
    "dropped_count": dropped_count,
}
