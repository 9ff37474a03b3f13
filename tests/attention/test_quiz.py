"""Every question has exactly one right option, and it is what plain torch gives."""

import math
import subprocess
import sys
from functools import cache
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from attention import Experiment, MultiHeadAttention, seeded, trace
from attention.quiz import KINDS, Text, quiz

ROOT = Path(__file__).parents[2]
CHOICES = {
    "book": {},
    "one head": {"num_heads": 1},
    "wide": {"sentence": "a b a c b", "embedding": "seeded", "d_in": 5, "d_out": 12, "num_heads": 4},
    "no mask": {"mask": "none", "seed": 5},
    "window": {"mask": "sliding_window", "window": 2, "positions": "sinusoidal"},
    "dropout": {"dropout": 0.5, "mode": "train"},
    "much dropout": {"dropout": 0.25, "mode": "train", "mask": "none", "qkv_bias": True},
    "dropout in eval": {"dropout": 0.2, "qkv_bias": True},
    "batch": {"sentence": "Your journey starts with\nstep", "mask": "padding", "d_out": 2},
    "padding that is seen": {"sentence": "one step\nYour journey starts with one step", "mask": "none"},
    "causal batch": {"sentence": "one step\nYour journey starts with one step"},
    "one token": {"sentence": "one"},
    "one number": {"d_out": 1, "num_heads": 1},
    "repeated, no mask": {"sentence": "b a b a", "embedding": "one_hot", "d_in": 2, "mask": "none"},
    "repeated, with positions": {"sentence": "b a b a", "embedding": "seeded", "positions": "learned"},
    "zeros": {"sentence": "a b", "embedding": "own", "d_in": 2, "vectors": ((0.0, 0.0), (0.0, 0.0))},
    "far apart": {"sentence": "a b c", "embedding": "own", "d_in": 1, "vectors": ((-1e6,), (1e6,), (9e5,))},
}
SEEDS = range(4)
EXPERIMENTS = {name: Experiment(**chosen) for name, chosen in CHOICES.items()}


@cache
def asked(experiment):
    """Many questions about every sentence, with the sentence's number."""
    places = product(range(len(experiment.sentences)), SEEDS)
    return [(item, question) for item, seed in places for question in quiz(experiment, seed, 60, item)]


def recomputed(experiment, item):
    """The pass once more, from the parameters on, in plain operations."""
    built, x = experiment.build()
    with seeded(experiment.seed), torch.no_grad():
        sizes = (experiment.d_in, experiment.d_out, experiment.context_length)
        module = MultiHeadAttention(*sizes, experiment.dropout, experiment.num_heads, experiment.qkv_bias)
        heads = [slice(h * module.head_dim, (h + 1) * module.head_dim) for h in range(module.num_heads)]
        queries = torch.stack([module.W_query(x)[..., columns] for columns in heads], dim=1)
        keys = torch.stack([module.W_key(x)[..., columns] for columns in heads], dim=1)
        values = torch.stack([module.W_value(x)[..., columns] for columns in heads], dim=1)
        scores = torch.einsum("bhqf,bhkf->bhqk", queries, keys)
        hidden = built.mask.expand(scores.shape)
        masked = torch.where(hidden, torch.tensor(-math.inf), scores)
        scaled = masked / math.sqrt(module.head_dim)
        weights = scaled.exp() / scaled.exp().sum(-1, keepdim=True) if scaled.max() < 50 else scaled.softmax(-1)
        dropped = torch.nn.functional.dropout(weights, experiment.dropout, training=experiment.mode == "train")
        context = torch.einsum("bhqk,bhkf->bhqf", dropped, values)
        merged = torch.cat(list(context.unbind(1)), dim=-1)
        output = module.out_proj(merged)
    shapes = {"queries": queries, "scores": scores, "weights": weights, "context": context}
    shapes |= {"merged_context": merged, "output": output}
    n = len(experiment.tokens[item].texts)
    real = {"scores": scores, "masked": masked, "scaled": scaled, "weights": weights, "dropped": dropped}
    facts = {name: value[item, :, :n, :n] for name, value in real.items()}
    facts |= {"rows": weights[item], "dropped_rows": dropped[item], "hidden": hidden[item, 0, :n, :n], "n": n}
    facts |= {"queries": queries[item], "context": context[item], "merged": merged[item]}
    facts |= {"module": built, "item": item, "x": torch.randn(x.shape, generator=torch.Generator().manual_seed(1))}
    return SimpleNamespace(**facts, shapes={name: tuple(value.shape) for name, value in shapes.items()})


def place(token):
    return int(token.partition(" · ")[0]) - 1


def near(text, number):
    if math.isnan(number) or math.isinf(number):
        return text == str(float(number))
    return float(text) == pytest.approx(float(number), rel=1e-3, abs=2e-4)


def cell(seen, step, values):
    return float(getattr(seen, step)[values["head"] - 1, place(values["query"]), place(values["key"])])


def row(seen, step, values):
    return getattr(seen, step)[values["head"] - 1, place(values["query"])]


def is_largest(seen, values, text):
    weights = row(seen, "weights", values)
    return bool((weights <= weights[place(text)] + 1e-7).all())


def is_smallest(seen, values, text):
    seen_keys = ~seen.hidden[place(values["query"])]
    weights = row(seen, "weights", values)
    return bool(seen_keys[place(text)]) and bool((weights[seen_keys] >= weights[place(text)] - 1e-7).all())


def is_strongest(seen, values, text):
    weights = seen.weights[:, place(values["query"]), place(values["key"])]
    return bool((weights <= weights[int(text) - 1] + 1e-7).all())


def is_hidden(seen, values, text):
    return bool(seen.hidden[tuple(map(place, text.split(" → ")))])


def positions(text):
    for span in text.split(", "):
        first, _, last = span.partition("–")
        yield from range(int(first), int(last or first) + 1)


def feels_the_change(seen, values, text):
    """Really changes the token's vector, without dropout, among vectors that are all different."""
    module, other = seen.module.eval(), seen.x.clone()
    other[seen.item, place(values["token"])] += torch.linspace(0.5, 2, other.shape[-1])
    with torch.no_grad():
        moved = (module(seen.x) - module(other))[seen.item, : seen.n].abs().amax(dim=-1) > 0
    return {*positions(text)} == {int(i) + 1 for i in moved.nonzero()}


def divides(seen, values, text):
    found = trace(seen.module, seen.x)
    before, after = (found[step].value[seen.item, 0, 0, 0] for step in ("masked_scores", "scaled_scores"))
    return near(text.rpartition("= ")[2], float(before / after))


def is_where_it_came_from(seen, values, text):
    """A tap makes each context vector say where it stands."""
    heads, _, features = seen.context.shape
    names = torch.tensor([[100.0 * (head + 1) + feature + 1 for feature in range(features)] for head in range(heads)])
    found = trace(
        seen.module, seen.x, tap=lambda name, value: names[:, None] + 0 * value if name == "context" else value
    )
    head, feature = map(int, text.strip("()").split(", "))
    return float(found["merged_context"].value[seen.item, 0, values["column"] - 1]) == 100 * head + feature


def says(true):
    return "yes" if true else "no"


def are_equal(vectors, values):
    first, second = vectors[..., place(values["first"]), :], vectors[..., place(values["second"]), :]
    return says(torch.allclose(first, second, atol=1e-4))


def dropped_count(seen, values):
    return int((~seen.hidden[place(values["query"])]).sum() - (row(seen, "dropped", values) > 0).sum())


def kept_grew_by(seen):
    kept = seen.dropped_rows > 0
    return float((seen.dropped_rows[kept] / seen.rows[kept]).mean())


def numbers_in(layer):
    return sum(parameter.numel() for parameter in layer.parameters())


def effect_of_scaling(seen, values):
    weights = row(seen, "rows", values)
    smaller = (weights.log() * seen.module.head_dim**0.5).softmax(-1).max() - weights.max()
    return "smaller" if smaller > 1e-4 else "same" if smaller > -1e-4 else "larger"


RIGHT = {
    "largest_weight": is_largest,
    "smallest_visible_weight": is_smallest,
    "strongest_head": is_strongest,
    "hidden_pair": is_hidden,
    "hidden_count": lambda seen, values, text: int(text) == int(seen.hidden[place(values["query"])].sum()),
    "who_feels_a_change": feels_the_change,
    "equal_queries": lambda seen, values, text: text == are_equal(seen.queries, values),
    "equal_contexts": lambda seen, values, text: text == are_equal(seen.merged, values),
    "score_value": lambda seen, values, text: near(text, cell(seen, "scores", values)),
    "masked_value": lambda seen, values, text: near(text, cell(seen, "masked", values)),
    "scaled_value": lambda seen, values, text: near(text, cell(seen, "scaled", values)),
    "scale_keeps_order": lambda seen, values, text: text == "no",
    "row_shift": lambda seen, values, text: near(text, cell(seen, "weights", values)),
    "row_sum": lambda seen, values, text: near(text, row(seen, "rows", values).sum()),
    "column_sum": lambda seen, values, text: near(
        text, seen.weights[values["head"] - 1][:, place(values["key"])].sum()
    ),
    "first_row_weight": lambda seen, values, text: near(text, seen.weights[values["head"] - 1, 0, 0]),
    "hidden_weight": lambda seen, values, text: text == "0.0000",
    "diagonal_hidden": lambda seen, values, text: text == "nan",
    "context_value": lambda seen, values, text: near(text, row(seen, "context", values)[values["feature"] - 1]),
    "dropout_acts": lambda seen, values, text: text == says(values["mode"] == "train" and values["p"] > 0),
    "row_sum_after_dropout": lambda seen, values, text: near(text, row(seen, "dropped_rows", values).sum()),
    "rescale": lambda seen, values, text: near(text, kept_grew_by(seen)),
    "dropped_count": lambda seen, values, text: int(text) == dropped_count(seen, values),
    "head_dim": lambda seen, values, text: int(text) == seen.context.shape[-1],
    "divisor": divides,
    "feature_of_head": is_where_it_came_from,
    "query_parameters": lambda seen, values, text: int(text) == numbers_in(seen.module.W_query),
    "output_parameters": lambda seen, values, text: int(text) == numbers_in(seen.module.out_proj),
    "scale_effect": lambda seen, values, text: text == effect_of_scaling(seen, values),
}


def is_right(seen, question, text):
    if question.kind.startswith("shape_"):
        return text == str(seen.shapes[question.kind.removeprefix("shape_")])
    return RIGHT[question.kind](seen, question.values, text)


def shown(option):
    return option.text if isinstance(option, Text) else option.key


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_plain_torch_agrees_with_the_answer_and_with_nothing_else(experiment):
    facts = [recomputed(experiment, item) for item in range(len(experiment.sentences))]
    checked = 0
    for item, question in asked(experiment):
        if question.kind in RIGHT or question.kind.startswith("shape_"):
            right = [is_right(facts[item], question, shown(option)) for option in question.options]
            assert right == [place == question.answer for place in range(len(right))], question
            checked += 1
    assert checked > 50


def test_only_one_kind_is_left_to_its_own_test():
    assert KINDS.keys() - RIGHT.keys() - {kind for kind in KINDS if kind.startswith("shape_")} == {"mask_after_softmax"}


def test_hiding_after_softmax_leaves_the_rest_of_the_row():
    experiment = EXPERIMENTS["book"]
    with torch.no_grad():
        module, x = experiment.build()
        module.mask = torch.zeros_like(module.mask)
        weights = {}
        module(x, tap=lambda name, value: weights.setdefault(name, value))
    found = [question for _, question in asked(experiment) if question.kind == "mask_after_softmax"]
    assert found
    for question in found:
        query = place(question.values["query"])
        left = weights["weights"][0, question.values["head"] - 1, query, : query + 1].sum()
        assert near(question.options[question.answer].text, left)


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_options_are_distinct_and_steps_are_the_traces_own(experiment):
    steps = {*experiment.run(), "inputs"}
    for _, question in asked(experiment):
        options = [shown(option) for option in question.options]
        assert 2 <= len(options) <= 5 and len({*options}) == len(options)
        assert 0 <= question.answer < len(options)
        assert question.steps and {*question.steps} <= steps
        assert all(type(value) in (str, int, float) for value in question.values.values())


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_the_padding_is_never_named(experiment):
    assert "PAD" not in repr([question for _, question in asked(experiment)])


def test_at_least_twenty_kinds_can_be_reached_from_one_sentence_and_all_from_a_few():
    reached = {name: {question.kind for _, question in asked(made)} for name, made in EXPERIMENTS.items()}
    assert len(KINDS) >= 22
    assert all(len(kinds) >= 20 for name, kinds in reached.items() if name != "one token")
    assert len(reached["one token"]) >= 10
    assert set().union(*reached.values()) == KINDS.keys()


def test_the_right_one_is_not_always_in_the_same_place():
    places = [question.answer for _, question in asked(EXPERIMENTS["book"])]
    assert all(places.count(place) > 15 for place in range(4))


def test_all_kinds_come_once_before_one_comes_again():
    questions = quiz(EXPERIMENTS["book"], 1, 60)
    kinds = [question.kind for question in questions]
    distinct = len({*kinds})
    assert len({*kinds[:distinct]}) == distinct < len(kinds)
    assert quiz(EXPERIMENTS["book"], 1) == questions[:10]
    assert all((one.kind, one.values) != (other.kind, other.values) for one, other in combinations(questions, 2))


def test_the_same_seed_gives_the_same_quiz_and_another_seed_another():
    quizzes = [quiz(Experiment(), seed) for seed in (1, 1, 2, 2**32 - 1)]
    assert quizzes[0] == quizzes[1]
    assert len({repr(questions) for questions in quizzes}) == 3


def test_another_process_gives_the_same_quiz():
    code = "from attention import Experiment; from attention.quiz import quiz; print(quiz(Experiment(), 4))"
    command = [sys.executable, "-X", "utf8", "-c", code]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert run.stdout.strip() == repr(quiz(Experiment(), 4)), run.stderr


def test_a_token_goes_through_as_it_is_typed_and_its_position_tells_two_equal_ones_apart():
    experiment = Experiment(sentence="<b>$x$ <b>", embedding="seeded", tokenizer="characters")
    texts = experiment.tokens[0].texts
    named = {f"{position} · {text}" for position, text in enumerate(texts, start=1)}
    found = {
        shown(option)
        for _, question in asked(experiment)
        if question.kind == "largest_weight"
        for option in question.options
    }
    assert found and found <= named


def test_an_option_that_names_tokens_says_which():
    experiment = Experiment(sentence="→ · a → b", embedding="seeded")
    named = {f"{position} · {text}" for position, text in enumerate(experiment.tokens[0].texts, start=1)}
    for _, question in asked(experiment):
        for option in question.options:
            tokens = getattr(option, "tokens", ())
            assert {*tokens} <= named
            assert not tokens or option.text == " → ".join(tokens)
            wanted = {"hidden_pair": 2, "largest_weight": 1, "smallest_visible_weight": 1}.get(question.kind, 0)
            assert len(tokens) == wanted


def test_a_pass_that_was_run_already_gives_the_same_quiz():
    assert quiz(Experiment(), 1, trace=Experiment().run()) == quiz(Experiment(), 1)


def test_a_long_sentence_still_gives_twenty_kinds():
    experiment = Experiment(sentence="a b c d " * 128, embedding="seeded", d_in=8, d_out=16, num_heads=8)
    questions = quiz(experiment, 1, 60)
    assert len({question.kind for question in questions}) >= 20
    assert all(len(question.options) <= 5 for question in questions)
