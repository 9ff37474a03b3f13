"""Quiz questions about who looks at whom: the largest weights, the mask, and equal tokens."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from attention.quiz.question import Question, Scene, Values, is_same, yes_or_no


def largest_weight(scene: Scene) -> Question | None:
    """Tempting: the largest score though it is hidden, the token itself, the first one."""
    head, query = scene.head(), scene.place()
    weights = scene.matrix("weights", head)[query]  # (key,)
    best = _largest(weights)
    tempting = [int(scene.matrix("scores", head)[query].argmax()), query, 0, *scene.places()]
    return _which_key(scene, head, query, best, _apart(weights, best, tempting), ("masked_scores", "weights"))


def smallest_visible_weight(scene: Scene) -> Question | None:
    """Tempting: a hidden token, whose weight is 0 but which is not seen at all."""
    head, query = scene.head(), scene.looker()
    if query is None:
        return None
    hidden = scene.hidden[query]  # (key,)
    weights = scene.matrix("weights", head)[query].masked_fill(hidden, torch.inf)  # (key,)
    least = _largest(-weights)
    unseen = scene.pick(hidden)
    tempting = [*([] if unseen is None else [unseen]), query, int(weights.masked_fill(hidden, 0).argmax())]
    wrong = _apart(weights, least, tempting + scene.places())
    return _which_key(scene, head, query, least, wrong, ("masked_scores", "weights"))


def strongest_head(scene: Scene) -> Question | None:
    query = scene.place()
    key = scene.pick(~scene.hidden[query])
    if key is None:  # padding is all that it sees
        return None
    weights = scene.trace["weights"].value[scene.item, :, query, key]  # (head,)
    best = _largest(weights)
    heads = scene.random.sample(range(len(weights)), len(weights))
    values: Values = {"query": scene.token(query), "key": scene.token(key)}
    return scene.ask(values, best + 1, [head + 1 for head in _apart(weights, best, heads)], ("weights",))


def hidden_pair(scene: Scene) -> Question | None:
    """Tempting: the same two tokens the other way round, for who mixes up rows and columns."""
    hidden = scene.hidden  # (query, key)
    query = scene.pick(hidden.any(dim=-1))
    key = None if query is None else scene.pick(hidden[query])
    if query is None or key is None:
        return None
    tempting = [(key, query), (query, query), *zip(scene.places(), scene.places(), strict=True)]
    return scene.ask(
        {},
        scene.choice(query, key),
        [scene.choice(*pair) for pair in tempting if not hidden[pair]],
        ("masked_scores",),
    )


def hidden_count(scene: Scene) -> Question | None:
    """Tempting: the number of tokens seen, and one more or less."""
    query = scene.place()
    count = int(scene.hidden[query].sum())
    wrong = [tokens for tokens in (scene.n - count, count + 1, count - 1, 0) if 0 <= tokens <= scene.n]
    return scene.ask({"query": scene.token(query), "count": scene.n}, count, wrong, ("masked_scores",))


def who_feels_a_change(scene: Scene) -> Question | None:
    """A changed token changes the output of itself and of all that look at it."""
    changed, everyone = scene.place(), range(scene.n)
    seen = ~scene.hidden[:, changed]  # (query,)
    feels = [place for place in everyone if seen[place] or place == changed]
    tempting = [everyone, [changed], range(changed + 1), range(changed, scene.n), [*everyone[:changed]], feels[1:]]
    values: Values = {"token": scene.token(changed), "count": scene.n}
    return scene.ask(values, _spans(feels), [_spans(places) for places in tempting if places], ("masked_scores",))


def equal_queries(scene: Scene) -> Question | None:
    """Yes without positions: a query is made of its own token's vector alone."""
    return _of_two_equal_tokens(scene, lambda place: scene.trace["queries"].value[scene.item, :, place], "queries")


def equal_contexts(scene: Scene) -> Question | None:
    """No as soon as the two see different tokens."""
    return _of_two_equal_tokens(
        scene, lambda place: scene.trace["merged_context"].value[scene.item, place], "merged_context"
    )


def _of_two_equal_tokens(scene: Scene, vector_at: Callable[[int], Tensor], step: str) -> Question | None:
    places: dict[int, list[int]] = {}
    for place, id in enumerate(scene.experiment.tokens[scene.item].ids):
        places.setdefault(id, []).append(place)
    repeated = [found for found in places.values() if len(found) > 1]
    if not repeated:
        return None
    first, second = sorted(scene.random.sample(scene.random.choice(repeated), 2))
    same = is_same(vector_at(first), vector_at(second))
    if same is None:
        return None
    values: Values = {"first": scene.token(first), "second": scene.token(second)}
    return scene.ask(values, yes_or_no(same), [yes_or_no(not same)], ("inputs", step))


def _which_key(
    scene: Scene, head: int, query: int, right: int, wrong: Iterable[int], steps: tuple[str, ...]
) -> Question | None:
    values: Values = {"head": head + 1, "query": scene.token(query)}
    return scene.ask(values, scene.choice(right), map(scene.choice, wrong), steps)


def _largest(numbers: Tensor) -> int:
    """The first place of the largest number; another machine must not break a tie by its own rounding."""
    return int((numbers >= numbers.max() - 1e-6).nonzero()[0])


def _apart(numbers: Tensor, right: int, places: Iterable[int]) -> list[int]:
    """The places whose number differs in the four decimals shown: a tie would make two options right."""
    return [place for place in places if abs(float(numbers[place] - numbers[right])) > 1e-4]


def _spans(places: Iterable[int]) -> str:
    """Places as positions counted from 1: '2–5, 7'."""
    runs: list[list[int]] = []
    for position in (place + 1 for place in places):
        if runs and runs[-1][-1] == position - 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


LOOKS: dict[str, Callable[[Scene], Question | None]] = {
    "largest_weight": largest_weight,
    "smallest_visible_weight": smallest_visible_weight,
    "strongest_head": strongest_head,
    "hidden_pair": hidden_pair,
    "hidden_count": hidden_count,
    "who_feels_a_change": who_feels_a_change,
    "equal_queries": equal_queries,
    "equal_contexts": equal_contexts,
}
