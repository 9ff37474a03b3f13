"""Quiz questions about weights: what rows and columns sum to, what a hidden token gets, and what the weights add up."""

from collections.abc import Callable

import torch

from attention.masks import causal_mask
from attention.quiz.question import Offer, Question, Scene, Values, Word, vector

MAX_BY_HAND = 4  # summands that are still printed to be added up


def row_sum(scene: Scene) -> Question | None:
    """Tempting: the number of tokens seen, the sum of the column, nothing at all."""
    head, query = scene.head(), scene.place()
    seen = float((~scene.hidden[query]).sum())
    wrong = [float(scene.matrix("weights", head)[:, query].sum()), seen, 0.0, 1 / scene.n]
    values: Values = {"head": head + 1, "query": scene.token(query)}
    return scene.ask(values, float(scene.row("weights", head, query).sum()), wrong, ("weights",))


def column_sum(scene: Scene) -> Question | None:
    """Tempting: 1, for who believes that columns are normalised, too."""
    head, key = scene.head(), scene.place()
    weights = scene.matrix("weights", head)  # (query, key)
    right = float(weights[:, key].sum())
    if abs(right - 1) < 0.01:
        return None
    values: Values = {"head": head + 1, "key": scene.token(key)}
    return scene.ask(values, right, [1.0, 0.0, right / scene.n, float(scene.n)], ("weights",))


def first_row_weight(scene: Scene) -> Question | None:
    """Under a causal mask the first token sees itself only. Tempting: an equal share, the weight without a mask."""
    head = scene.head()
    unmasked = torch.softmax(scene.row("scores", head, 0) / scene.head_dim**0.5, dim=-1)  # (key,)
    right = float(scene.row("weights", head, 0)[0])
    wrong = [1 / scene.n, float(unmasked[0]), 0.0, 1.0, float(scene.row("scaled_scores", head, 0)[0])]
    return scene.ask({"head": head + 1, "token": scene.token(0)}, right, wrong, ("masked_scores", "weights"))


def hidden_weight(scene: Scene) -> Question | None:
    """Exactly 0. Tempting: nearly 0, -inf, and the weight that it would have without a mask."""
    head, query = scene.head(), scene.pick(scene.hidden.any(dim=-1))
    key = None if query is None else scene.pick(scene.hidden[query])
    if query is None or key is None:
        return None
    unmasked = torch.softmax(scene.row("scores", head, query) / scene.head_dim**0.5, dim=-1)  # (key,)
    right = float(scene.row("weights", head, query)[key])
    values: Values = {"head": head + 1, "query": scene.token(query), "key": scene.token(key)}
    wrong: list[Offer] = [Word("nearly_zero"), "-inf", float(unmasked[key]), 1 / scene.n]
    return scene.ask(values, right, wrong, ("masked_scores", "weights"))


def mask_after_softmax(scene: Scene) -> Question | None:
    """Weights set to 0 after softmax leave a row that no longer sums to 1."""
    head, query = scene.head(), scene.pick(scene.hidden.any(dim=-1))
    if query is None:
        return None
    unmasked = torch.softmax(scene.row("scores", head, query) / scene.head_dim**0.5, dim=-1)  # (key,)
    hidden = scene.row("masked_scores", head, query).isneginf()  # (key,)
    right = float(unmasked[~hidden].sum())
    values: Values = {"head": head + 1, "query": scene.token(query)}
    return scene.ask(values, right, [1.0, float(unmasked[hidden].sum()), 0.0], ("scores", "weights"))


def diagonal_hidden(scene: Scene) -> Question | None:
    """triu(diagonal=0) hides a token from itself: the first row has nothing left, and softmax divides 0 by 0."""
    if scene.experiment.mask != "causal":
        return None
    head = scene.head()
    hidden = causal_mask(scene.n) | torch.eye(scene.n, dtype=torch.bool)  # (query, key)
    scores = scene.matrix("scores", head).masked_fill(hidden, -torch.inf)  # (query, key)
    right = float(torch.softmax(scores, dim=-1)[0, 0])
    return scene.ask(
        {"head": head + 1, "token": scene.token(0)}, right, [0.0, 1.0, "-inf", 1 / scene.n], ("masked_scores",)
    )


def context_value(scene: Scene) -> Question | None:
    """Tempting: the mean, the plain sum, the value of the token looked at most, the sum before dropout."""
    head, query = scene.head(), scene.looker()
    if query is None:
        return None
    seen = ~scene.row("masked_scores", head, query).isneginf()  # (key,)
    if seen.sum() > MAX_BY_HAND or seen[scene.n :].any():  # the padding is not shown to anyone
        return None
    feature = scene.random.randrange(scene.head_dim)
    weights = scene.row("dropped_weights", head, query)[seen]  # (seen,)
    undropped = scene.row("weights", head, query)[seen]  # (seen,)
    numbers = scene.matrix("values", head)[seen[: scene.n], feature]  # (seen,)
    tempting = (numbers.mean(), numbers.sum(), numbers[weights.argmax()], undropped @ numbers, weights @ numbers.abs())
    shown = {"weights": vector(weights), "numbers": vector(numbers)}
    values: Values = {"head": head + 1, "query": scene.token(query), "feature": feature + 1, **shown}
    right = float(scene.matrix("context", head)[query, feature])
    return scene.ask(values, right, map(float, tempting), ("dropped_weights", "values", "context"))


WEIGHTS: dict[str, Callable[[Scene], Question | None]] = {
    "row_sum": row_sum,
    "column_sum": column_sum,
    "first_row_weight": first_row_weight,
    "hidden_weight": hidden_weight,
    "mask_after_softmax": mask_after_softmax,
    "diagonal_hidden": diagonal_hidden,
    "context_value": context_value,
}
