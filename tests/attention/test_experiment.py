"""Every choice is checked when an experiment is made; what could be made can be run."""

import itertools
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
import torch

from attention import (
    EMBEDDINGS,
    MASKS,
    POSITIONS,
    TOKENIZERS,
    VARIANTS,
    Experiment,
    LearnerError,
    causal_mask,
)
from tests.attention import seeds

OWN = tuple((float(i), 1.0, 0.5) for i in range(6))
BATCH = "Your journey starts\nstep"


def test_an_experiment_is_a_value():
    experiment = Experiment(vectors=OWN, sentence="a\nb\ud800'\"", embedding="seeded", dropout=0.1)
    assert eval(repr(experiment), {"Experiment": Experiment}) == experiment
    assert hash(Experiment()) == hash(Experiment())
    assert Experiment() != Experiment(seed=1)
    with pytest.raises(FrozenInstanceError):
        experiment.seed = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Experiment("hello")  # type: ignore[misc]


def test_the_seeds_class_gets_the_same_parameters():
    module, x = Experiment(seed=7, qkv_bias=True).build()
    torch.manual_seed(7)
    seed = seeds.MultiHeadAttention(3, 4, 6, 0.0, 2, True)
    assert all(torch.equal(a, b) for a, b in zip(module.parameters(), seed.parameters(), strict=True))
    torch.testing.assert_close(Experiment(seed=7, qkv_bias=True).run()["output"].value, seed(x), atol=1e-6, rtol=0)


def test_dropout_draws_on_after_the_parameters():
    torch.manual_seed(7)
    seed = seeds.MultiHeadAttention(3, 4, 6, 0.5, 2)
    x = Experiment().inputs()
    expected = seed(x)
    run = Experiment(seed=7, dropout=0.5, mode="train", embedding="book").run()
    torch.testing.assert_close(run["output"].value, expected, atol=1e-6, rtol=0)
    assert not torch.allclose(Experiment(seed=7, dropout=0.5).run()["output"].value, expected)


@pytest.mark.parametrize(
    "choices", list(itertools.product(TOKENIZERS, EMBEDDINGS, POSITIONS, MASKS, VARIANTS, ["eval", "train"]))
)
def test_every_combination_runs_or_says_why_not(choices):
    names = ("tokenizer", "embedding", "positions", "mask", "variant", "mode")
    d_in = {"one_hot": {"words": 4, "characters": 13, "byte_pairs": 4}[choices[0]]}.get(choices[1], 3)
    own = {"sentence": "one two one two one two"} if choices[1] == "own" else {"sentence": BATCH}
    try:
        experiment = Experiment(**dict(zip(names, choices, strict=True)), d_in=d_in, vectors=OWN, dropout=0.2, **own)
    except LearnerError as error:
        assert error.code in {"book_has_no_row", "own_rows", "one_hot_width"}
        assert choices[0] != "words"
        return
    trace = experiment.run()
    assert all(
        step.value.isfinite().all() for name, step in trace.items() if name not in {"masked_scores", "scaled_scores"}
    )
    assert not trace["scaled_scores"].value.isnan().any()


def test_a_shorter_sentence_is_padded_and_its_padding_hidden():
    trace = Experiment(sentence=BATCH).run()
    assert trace.tokens == (("Your", "journey", "starts"), ("step", "[PAD]", "[PAD]"))
    weights = trace["weights"].value
    assert torch.equal(weights[0, 0] > 0, ~causal_mask(3))
    assert (weights[1, 0] > 0).tolist() == [[True, False, False], [True, True, False], [True, False, True]]
    alone = Experiment(sentence="step").run()["output"].value[0, 0]
    torch.testing.assert_close(trace["output"].value[1, 0], alone, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("mask", "first", "second"),
    [
        ("none", ["...", "...", "..."], ["...", "...", "..."]),
        ("padding", ["...", "...", "..."], [".##", "..#", ".#."]),
        ("causal", [".##", "..#", "..."], [".##", "..#", ".#."]),
        ("sliding_window", [".##", "..#", "#.."], [".##", "..#", "##."]),
    ],
)
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_each_mask_hides_what_it_says(variant, mask, first, second):
    weights = Experiment(sentence=BATCH, mask=mask, variant=variant).run()["weights"].value
    weights = weights if weights.dim() == 3 else weights[:, -1]
    assert [["".join("#."[w > 0] for w in row) for row in item] for item in weights.tolist()] == [
        first,
        second,
    ]


def test_window_reaches_the_mask():
    weights = Experiment(mask="sliding_window", window=1).run()["weights"].value
    assert torch.equal(weights, torch.eye(6).expand_as(weights))


def test_a_tap_changes_the_run():
    plain = Experiment().run()
    run = Experiment().run(tap=lambda name, value: torch.zeros_like(value) if name == "context" else value)
    bias = Experiment().build()[0].out_proj.bias.detach()
    assert torch.equal(run["output"].value[0], bias.expand(6, 4))
    assert torch.equal(run["weights"].value, plain["weights"].value)


def test_num_heads_does_not_count_for_one_head():
    assert torch.equal(
        Experiment(variant="causal", d_out=7, num_heads=2).run()["context"].value,
        Experiment(variant="causal", d_out=7, num_heads=5).run()["context"].value,
    )


BAD = [
    ("d_out", 7, "d_out = 7 cannot be shared equally by num_heads = 2"),
    ("dropout", 1.0, "dropout = 1.0 would drop every weight.* 1 / 0"),
    ("dropout", 1, "would drop every weight"),
    ("dropout", 1.5, "dropout = 1.5 is no share"),
    ("dropout", -0.1, "dropout = -0.1 is no share"),
    ("dropout", float("nan"), "dropout = nan is no share"),
    ("dropout", float("inf"), "dropout = inf is no share"),
    ("dropout", "0.1", "dropout = 0.1 should be a number"),
    ("dropout", True, "dropout = True should be a number"),
    ("dropout", np.float64(0.1), "should be a number"),
    ("qkv_bias", 1, "qkv_bias = 1 should be True or False"),
    ("sentence", 5, "sentence = 5 should be text"),
    ("sentence", "", "at least one word"),
    ("sentence", "a " * 2049, "2049 tokens, more than 2048"),
    ("sentence", "Your\n" * 17, "17 sentences"),
    ("vectors", [[1.0]], "tuple of rows"),
    ("vectors", ([1.0],), "tuple of rows"),
    ("vectors", ((1.0, True),), "row 1, column 2: 'True' is not a number"),
    ("vectors", ((1.0,), (float("nan"),)), "row 2, column 1: nan is not a finite"),
    ("vectors", ((10**5000,),), "is too large"),
    ("vectors", ((np.float64(1.0),),), "is not a number"),
    ("vectors", ((),), "no vectors yet"),
]
WHOLE = {"d_in": (1, 64), "d_out": (1, 128), "num_heads": (1, 16), "window": (1, 2048), "seed": (0, 2**32 - 1)}
for _name, (_smallest, _largest) in WHOLE.items():
    BAD += [(_name, value, f"{_name} = .* should be a whole number") for value in (True, 2.0, "2", None, np.int64(2))]
    BAD += [
        (_name, value, f"{_name} = .* is out of range: choose from {_smallest} to {_largest}")
        for value in (_smallest - 1, _largest + 1, -(10**5000))
    ]
for _name in ("tokenizer", "embedding", "positions", "mode", "mask", "variant"):
    BAD += [
        (_name, value, f"{_name} = '.*' is not known: choose one of .*, ") for value in ("x" * 999, None, ["causal"])
    ]


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=[f"{bad[0]}-{i}" for i, bad in enumerate(BAD)])
def test_a_bad_choice_is_refused_by_name(name, value, message):
    with pytest.raises(LearnerError, match=message) as error:
        Experiment(**{name: value})
    assert len(str(error.value)) < 250
    assert all(type(v) in (str, int, float) for v in error.value.values.values())


def test_the_smallest_and_largest_choices_are_allowed():
    for window, seed in ((1, 0), (2048, 2**32 - 1)):
        Experiment(mask="sliding_window", window=window, seed=seed).run()
    Experiment(embedding="seeded", d_in=64, d_out=128, num_heads=16).run()
    Experiment(embedding="seeded", d_in=1, d_out=1, num_heads=1, dropout=0.999, mode="train").run()


def test_a_batch_too_large_for_a_small_server_is_refused():
    text = "a " * 500 + "\n" + "a " * 500
    choices = {"sentence": text, "embedding": "seeded", "d_out": 16}
    with pytest.raises(LearnerError, match="2 x 16 x 500 x 500 = 8000000 "):
        Experiment(num_heads=16, **choices)
    Experiment(num_heads=8, **choices)
    Experiment(num_heads=16, variant="causal", **choices)


def test_the_arguments_are_the_choices_that_others_rely_on():
    names = "sentence tokenizer embedding positions d_in d_out num_heads dropout mode mask window qkv_bias seed"
    assert [field.name for field in fields(Experiment)] == [*names.split(), "vectors", "variant"]
