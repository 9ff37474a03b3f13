"""Every number of a trace is put together from the numbers before it."""

import math
from itertools import product
from random import Random

import pytest
import torch

from attention import Cell, Experiment, explain, trace

CHOICES = {
    "book": {},
    "one head": {"variant": "causal", "d_out": 2},
    "bias": {"qkv_bias": True, "seed": 7},
    "dropout": {"dropout": 0.5, "mode": "train", "seed": 3},
    "one head with dropout and bias": {"variant": "causal", "dropout": 0.3, "mode": "train", "qkv_bias": True},
    "batch": {"sentence": "Your journey starts\nstep", "mask": "padding"},
    "wide": {"sentence": "a b a", "embedding": "seeded", "d_in": 5, "d_out": 12, "num_heads": 3, "mask": "none"},
    "window": {"mask": "sliding_window", "window": 1, "positions": "sinusoidal"},
}


def cells(seen, item):
    """Every cell of every step of one sentence, and of its inputs, with its value."""
    for name, step in seen.explained.items():
        value = step.value[item]
        for place in product(*map(range, value.shape)):
            head, row, column = place if len(place) == 3 else (None, *place)
            yield Cell(name, head, row, column), float(value[place])


def anything(seed):
    """The choices of an experiment, drawn at random."""
    draw = Random(seed)
    num_heads, words = draw.choice([1, 2, 3]), ["a", "b", "c", "d", "e"]
    return {
        "sentence": "\n".join(" ".join(draw.choices(words, k=draw.randint(1, 6))) for _ in range(draw.randint(1, 2))),
        "embedding": "seeded",
        "tokenizer": draw.choice(["words", "characters", "byte_pairs"]),
        "positions": draw.choice(["none", "learned", "sinusoidal"]),
        "d_in": draw.randint(1, 9),
        "d_out": num_heads * draw.randint(1, 5),
        "num_heads": num_heads,
        "mask": draw.choice(["causal", "none", "sliding_window", "padding"]),
        "window": draw.randint(1, 4),
        "dropout": draw.choice([0.0, 0.2, 0.7]),
        "mode": draw.choice(["eval", "train"]),
        "qkv_bias": draw.random() < 0.5,
        "seed": draw.randrange(10_000),
        "variant": draw.choice(["multi_head", "causal"]),
    }


@pytest.mark.parametrize("chosen", [*CHOICES.values(), *map(anything, range(25))], ids=[*CHOICES, *range(25)])
def test_the_parts_of_every_cell_give_the_cell(chosen):
    experiment = Experiment(**chosen)
    trace = experiment.run()
    for item in range(len(experiment.sentences)):
        for cell, value in cells(trace, item):
            result = explain(trace, cell, item).result
            assert result == value or math.isclose(result, value, rel_tol=1e-5, abs_tol=2e-6), cell


def test_an_input_is_the_tokens_number_plus_its_positions():
    experiment = Experiment(positions="sinusoidal")
    rows, places = experiment.embedded()
    found = explain(experiment.run(), Cell("inputs", None, 4, 1))
    assert [term.value for term in found.terms] == [float(rows[0, 4, 1]), float(places[0, 4, 1])]


def test_inputs_of_unknown_parts_are_not_explained():
    module, x = Experiment().build()
    assert "inputs" not in trace(module, x).explained


def test_a_score_is_the_sum_over_features_of_query_times_key():
    experiment = Experiment()
    trace = experiment.run()
    found = explain(trace, Cell("scores", 1, 4, 2))
    query, key = trace["queries"].value[0, 1, 4], trace["keys"].value[0, 1, 2]
    assert found.rule == "dot_product" and found.over == "feature"
    assert [term.factors for term in found.terms] == list(zip(query.tolist(), key.tolist(), strict=True))
    assert found.result == pytest.approx(float(query @ key))


def test_a_bias_is_a_term_of_its_own():
    experiment = Experiment(qkv_bias=True)
    trace = experiment.run()
    terms = explain(trace, Cell("keys", 1, 0, 0)).terms
    assert [term.place for term in terms] == [0, 1, 2, None]
    assert terms[-1].value == float(trace.module.W_key.bias.detach()[2])  # head 2 begins at column 2


def test_softmax_shows_the_maximum_it_subtracts_and_hidden_tokens_as_nothing():
    experiment = Experiment()
    trace = experiment.run()
    found = explain(trace, Cell("weights", 0, 2, 0))
    row = trace["scaled_scores"].value[0, 0, 2]
    assert found.numbers["maximum"] == float(row.max())
    assert [term.value for term in found.terms[3:]] == [0.0, 0.0, 0.0]
    assert found.numbers["sum"] == pytest.approx(float(torch.exp(row - row.max()).sum()))


def test_dropout_says_whether_the_weight_was_kept_and_by_how_much_it_grew():
    experiment = Experiment(dropout=0.5, mode="train")
    trace = experiment.run()
    for cell, value in cells(trace, 0):
        if cell.step == "dropped_weights":
            numbers = explain(trace, cell).numbers
            weight = float(trace["weights"].value[0][cell[1:]])
            assert numbers["p"] == 0.5
            assert numbers["kept"] == (value == pytest.approx(2 * weight) != 0)
            assert numbers["weight"] == weight
    calm = Experiment(dropout=0.5)
    assert explain(calm.run(), Cell("dropped_weights", 0, 1, 0)).numbers["p"] == 0  # eval


def test_a_merged_number_names_its_head():
    experiment = Experiment(d_out=6, num_heads=3)
    found = explain(experiment.run(), Cell("merged_context", None, 1, 5))
    assert found.numbers == {"head": 2, "feature": 1}


def test_the_context_of_a_head_that_a_tap_switches_off_is_0_and_says_what_it_would_be():
    kept = torch.tensor([0.0, 1.0]).view(2, 1, 1)  # (head, 1, 1)
    seen = Experiment().run(tap=lambda name, value: value * kept if name == "context" else value)
    whole = Experiment().run()["context"].value[0, 0, 3, 1]
    off = explain(seen, Cell("context", 0, 3, 1))
    assert (off.rule, off.result) == ("switched_off", 0.0)
    assert off.numbers["sum"] == pytest.approx(float(whole))
    assert explain(seen, Cell("context", 1, 3, 1)).rule == "weighted_sum"
