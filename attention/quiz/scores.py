"""Quiz questions about scores: the dot product, the mask on it, and the division by the root of head_dim."""

from collections.abc import Callable

import torch

from attention.quiz.question import CLOSE, Question, Scene, Values, Word, number, vector, yes_or_no

MAX_BY_HAND = 6  # numbers in a vector that is still printed to be calculated with


def score_value(scene: Scene) -> Question | None:
    """Tempting: the other way round, only the first product, already scaled, all signs lost."""
    if scene.head_dim > MAX_BY_HAND:
        return None
    head, query, key = scene.head(), scene.place(), scene.place()
    one = scene.matrix("queries", head)[query]  # (feature,)
    other = scene.matrix("keys", head)[key]  # (feature,)
    scores = scene.matrix("scores", head)  # (query, key)
    products = one * other  # (feature,)
    right = float(scores[query, key])
    wrong = [float(scores[key, query]), float(products[0]), right / scene.head_dim**0.5, float(products.abs().sum())]
    values: Values = {**_cell(scene, head, query, key), "query_vector": vector(one), "key_vector": vector(other)}
    return scene.ask(values, right, [*wrong, float((one + other).sum()), -right], ("queries", "keys", "scores"))


def masked_value(scene: Scene) -> Question | None:
    """A hidden score becomes -inf; one that may be seen stays. Tempting: 0, and the large negative number."""
    head, query, key = scene.head(), scene.place(), scene.place()
    score = float(scene.matrix("scores", head)[query, key])
    masked = float(scene.matrix("masked_scores", head)[query, key])
    if abs(score) <= CLOSE:  # as good as the option 0
        return None
    wrong = (score, "-inf", "0", "-1e9")
    return scene.ask(_cell(scene, head, query, key), masked, wrong, ("scores", "masked_scores"))


def scaled_value(scene: Scene) -> Question | None:
    """Tempting: divided by head_dim, by the root of d_out, not at all, or multiplied."""
    head, query = scene.head(), scene.place()
    key = scene.pick(~scene.hidden[query])
    if key is None:
        return None
    score = float(scene.matrix("masked_scores", head)[query, key])
    root = scene.head_dim**0.5
    wrong = [score / scene.head_dim, score / scene.experiment.d_out**0.5, score, score * root]
    sizes = {"d_out": scene.experiment.d_out, "num_heads": scene.experiment.num_heads}
    values: Values = {**_cell(scene, head, query, key), "score": number(score), **sizes}
    right = float(scene.matrix("scaled_scores", head)[query, key])
    return scene.ask(values, right, wrong, ("masked_scores", "scaled_scores"))


def scale_effect(scene: Scene) -> Question | None:
    """Dividing brings the scores nearer to one another, and so evens out the weights."""
    head, query = scene.head(), scene.place()
    unscaled = float(torch.softmax(scene.row("masked_scores", head, query), dim=-1).max())
    shrinks_by = unscaled - float(scene.row("weights", head, query).max())
    if 1e-6 < abs(shrinks_by) < 1e-3:  # nobody could see it
        return None
    right = "same" if abs(shrinks_by) <= 1e-6 else "smaller" if shrinks_by > 0 else "larger"
    values: Values = {"head": head + 1, "query": scene.token(query), "head_dim": scene.head_dim}
    return scene.ask(values, Word(right), map(Word, ("larger", "smaller", "same")), ("masked_scores", "weights"))


def scale_keeps_order(scene: Scene) -> Question | None:
    head, query = scene.head(), scene.looker()
    if query is None:
        return None
    weights = scene.row("weights", head, query)  # (key,)
    first, second = weights.topk(2).values.tolist()
    if number(first) == number(second):
        return None
    unscaled = torch.softmax(scene.row("masked_scores", head, query), dim=-1)  # (key,)
    changes = bool(unscaled.argmax() != weights.argmax())
    values: Values = {"head": head + 1, "query": scene.token(query), "head_dim": scene.head_dim}
    return scene.ask(values, yes_or_no(changes), [yes_or_no(not changes)], ("masked_scores", "weights"))


def row_shift(scene: Scene) -> Question | None:
    """Adding the same to a whole row changes no weight: that is all that a key's bias would do."""
    head, query = scene.head(), scene.looker()
    key = None if query is None else scene.pick(~scene.hidden[query])
    if query is None or key is None:
        return None
    shifted = (scene.row("masked_scores", head, query) + 1) / scene.head_dim**0.5  # (key,)
    right = float(torch.softmax(shifted, dim=-1)[key])
    weight = float(scene.row("weights", head, query)[key])
    seen = int((~scene.hidden[query]).sum())
    wrong = [weight + 1, weight + 1 / seen, weight / 2, 1.0]
    values: Values = {**_cell(scene, head, query, key), "weight": number(weight)}
    return scene.ask(values, right, wrong, ("masked_scores", "weights"))


def _cell(scene: Scene, head: int, query: int, key: int) -> dict[str, str | int | float]:
    return {"head": head + 1, "query": scene.token(query), "key": scene.token(key)}


SCORES: dict[str, Callable[[Scene], Question | None]] = {
    "score_value": score_value,
    "masked_value": masked_value,
    "scaled_value": scaled_value,
    "scale_effect": scale_effect,
    "scale_keeps_order": scale_keeps_order,
    "row_shift": row_shift,
}
