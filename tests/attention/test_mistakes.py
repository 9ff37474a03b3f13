"""Every mistake is a change of the real source, and breaks what the lesson says it breaks."""

from inspect import getsource
from math import isnan
from typing import get_args

import pytest
import torch

from attention import Experiment, LearnerError, MultiHeadAttention, masks, multihead
from attention.mistakes import (
    MISTAKES,
    Proof,
    diff,
    future_weight,
    measure,
    row_sums,
    run_mistaken,
    showing,
    source,
)

DROPPING = {"dropout_in_eval": {"dropout": 0.5}, "dropout_without_rescale": {"dropout": 0.5, "mode": "train"}}
BATCH = "Your journey starts with one step\nstep one"


@pytest.fixture(params=list(MISTAKES))
def mistake(request):
    return MISTAKES[request.param]


def both(name, **choices):
    """The mistaken and the right values, by step."""
    experiment = Experiment(**DROPPING.get(name, {}), **choices)
    runs = run_mistaken(experiment, name), experiment.run()
    return tuple({step: traced.value for step, traced in run.items()} for run in runs)


def test_the_diff_turns_the_real_source_into_what_is_run(mistake):
    real, lines = getsource(mistake.where), diff(mistake).split("\n")
    assert real.count(mistake.right) == 1
    old = [line[1:].strip() for line in lines if line[0] in " -"]
    new = [line[1:].strip() for line in lines if line[0] in " +"]
    source = [line.strip() for line in real.splitlines()]
    start = source.index(old[0])
    assert source[start : start + len(old)] == old  # one hunk, without gaps
    changed = [line.strip() for line in real.replace(mistake.right, mistake.wrong).splitlines()]
    assert changed == source[:start] + new + source[start + len(old) :]
    removed, added = (sum(line[0] == sign for line in lines) for sign in "-+")
    assert removed == added == 1
    assert len(lines) == len(old) + added  # nothing but ' ', '-' and '+'


def test_the_proof_differs_from_the_right_run(mistake):
    experiment = Experiment(sentence=BATCH, **DROPPING.get(mistake.name, {}))
    wrong, right = run_mistaken(experiment, mistake.name), experiment.run()
    figures, expected = measure(wrong, right, 0), measure(right, right, 0)
    assert list(figures) == list(expected) == list(get_args(Proof))
    assert abs(figures[mistake.proof] - expected[mistake.proof]) > 1e-3
    assert wrong.tokens == right.tokens
    assert all(torch.equal(wrong[step].value, right[step].value) for step in ("queries", "keys", "values"))


def test_the_right_run_and_everybody_s_numbers_stay_as_they_are(mistake):
    experiment = Experiment(**DROPPING.get(mistake.name, {}))
    before, state = experiment.run(), torch.get_rng_state()
    real = [dict(vars(owner)) for owner in (MultiHeadAttention, masks, multihead)]
    first, second = (run_mistaken(experiment, mistake.name) for _ in range(2))
    assert real == [dict(vars(owner)) for owner in (MultiHeadAttention, masks, multihead)]
    assert torch.equal(state, torch.get_rng_state())
    after = experiment.run()
    for step in before:
        assert torch.equal(after[step].value, before[step].value)
        torch.testing.assert_close(first[step].value, second[step].value, atol=0, rtol=0, equal_nan=True)


def test_the_scores_are_transposed_or_divided_by_the_wrong_number_or_by_none():
    wrong, right = both("keys_queries_swapped")
    torch.testing.assert_close(wrong["scores"], right["scores"].transpose(2, 3))
    wrong, right = both("sqrt_d_out", mask="none", d_out=6, num_heads=3)
    torch.testing.assert_close(wrong["scaled_scores"], right["scores"] / 6**0.5)
    wrong, right = both("no_scaling", mask="none")
    assert torch.equal(wrong["scaled_scores"], right["scores"])


def test_a_mask_after_softmax_leaves_rows_short_and_the_wrong_axis_normalises_columns():
    wrong, right = both("mask_after_softmax")
    torch.testing.assert_close(wrong["weights"], torch.softmax(right["scores"] / 2**0.5, dim=-1).tril())
    assert (wrong["weights"].sum(-1)[:, :, :-1] < 0.99).all()
    wrong, _ = both("softmax_axis")
    torch.testing.assert_close(wrong["weights"].sum(dim=-2), torch.ones(1, 2, 6))


def test_tril_shows_the_future_only_and_diagonal_zero_blinds_the_first_query():
    wrong, _ = both("tril")
    seen = torch.tensor([[key > query + 1 for key in range(6)] for query in range(4)])
    assert torch.equal(wrong["weights"][0, :, :4] > 0, seen.expand(2, 4, 6))
    assert wrong["weights"][:, :, 4:].isnan().all()  # nothing is left to see
    wrong, _ = both("diagonal_zero")
    assert torch.equal(wrong["weights"][0, 0, 1:] > 0, torch.ones(5, 6).tril().bool())
    assert wrong["output"].isnan().all(dim=-1).tolist() == [[True] + [False] * 5]


@pytest.mark.parametrize("name", ["tril", "diagonal_zero"])
def test_a_wrong_causal_mask_keeps_window_and_padding_and_changes_no_other_mask(name):
    wrong, _ = both(name, sentence=BATCH, mask="sliding_window", window=3)
    sees = {"tril": lambda query, key: key > query + 1, "diagonal_zero": lambda query, key: query - 3 < key < query}
    for item, length, query in ((item, (6, 2)[item], query) for item in (0, 1) for query in range(6)):
        seen = [key for key in range(length) if sees[name](query, key)] + [query] * (query >= length)
        row = wrong["weights"][item, 0, query]
        assert row.isnan().all() if not seen else (row > 0).nonzero().flatten().tolist() == seen
    for mask in ("none", "padding"):
        wrong, right = both(name, sentence=BATCH, mask=mask)
        assert all(torch.equal(wrong[step], right[step]) for step in right)


def test_without_the_transpose_tokens_are_mixed():
    wrong, right = both("no_transpose_on_merge")
    numbers = right["context"].flatten().tolist()  # head by head, and in it token by token
    assert wrong["merged_context"][0].tolist() == [numbers[row * 4 : row * 4 + 4] for row in range(6)]


def test_dropout_drops_in_eval_what_train_would_drop_or_keeps_weights_as_they_were():
    wrong, _ = both("dropout_in_eval")
    assert torch.equal(wrong["dropped_weights"], Experiment(dropout=0.5, mode="train").run()["dropped_weights"].value)
    wrong, right = both("dropout_without_rescale")
    assert torch.equal(wrong["dropped_weights"], right["weights"].masked_fill(right["dropped_weights"] == 0, 0))


def test_figures_leave_out_what_is_not_a_number():
    experiment, one = Experiment(), Experiment(sentence="one")
    wrong, right = run_mistaken(experiment, "diagonal_zero"), experiment.run()
    for rows in (row_sums(wrong, 0), future_weight(wrong, 0)):
        assert rows.isnan().tolist() == [[True] + [False] * 5] * 2
    differences = (wrong["output"].value - right["output"].value)[0, 1:].abs()
    figures, nothing = measure(wrong, right, 0), measure(run_mistaken(one, "diagonal_zero"), one.run(), 0)
    assert (figures["nan_count"], figures["future_weight"]) == (4, 0)
    assert figures["largest_difference"] == differences.max().item()
    assert [name for name, figure in nothing.items() if not isnan(figure)] == ["nan_count"]


def test_figures_by_hand():
    run = Experiment(mask="none", dropout=0.75, mode="train", sentence=BATCH).run()
    figures, values = measure(run, run, 1), {step: traced.value[1] for step, traced in run.items()}
    beyond = [sum(row[place % 6 + 1 :]) for place, row in enumerate(values["weights"].flatten(0, 1).tolist())]
    assert figures["future_weight"] == pytest.approx(sum(beyond) / 12)
    sums = [sum(row) for row in values["dropped_weights"].flatten(0, 1).tolist()]
    assert figures["dropped_row_sums"] == pytest.approx(max(sums, key=lambda total: abs(total - 1)))
    assert (figures["row_sums"], figures["kept_scale"]) == (pytest.approx(1), pytest.approx(4))
    scores = values["scaled_scores"].flatten().tolist()
    variance = sum((score - sum(scores) / 72) ** 2 for score in scores) / 72
    assert figures["scaled_spread"] == pytest.approx(variance**0.5)


def test_only_known_mistakes_run_and_only_in_multi_head_attention():
    with pytest.raises(KeyError, match="import os"):
        run_mistaken(Experiment(), "import os")
    with pytest.raises(ValueError, match="runs 'causal'"):
        run_mistaken(Experiment(variant="causal"), "tril")


@pytest.mark.parametrize(
    ("name", "own", "needed"),
    [
        ("sqrt_d_out", {"num_heads": 1}, {"num_heads": 2}),
        ("no_transpose_on_merge", {"num_heads": 1, "d_out": 7}, {"num_heads": 2, "d_out": 8}),
        ("sqrt_d_out", {"num_heads": 7, "d_out": 7}, {}),
        ("mask_after_softmax", {"mask": "none"}, {"mask": "causal"}),
        ("tril", {"mask": "padding"}, {"mask": "causal"}),
        ("diagonal_zero", {"mask": "sliding_window"}, {}),
        ("dropout_in_eval", {"mode": "train"}, {"mode": "eval", "dropout": 0.5}),
        ("dropout_without_rescale", {"dropout": 0.2}, {"mode": "train"}),
        ("softmax_axis", {"mask": "none", "num_heads": 1, "mode": "train"}, {}),
    ],
)
def test_an_experiment_is_changed_as_little_as_it_takes_for_harm(name, own, needed):
    experiment = showing(Experiment(**own), name)
    assert experiment == Experiment(**{**own, **needed})
    right, proof = experiment.run(), MISTAKES[name].proof
    assert measure(run_mistaken(experiment, name), right, 0)[proof] != measure(right, right, 0)[proof]


def test_two_heads_may_be_too_many_for_a_large_batch():
    batch = Experiment(sentence="\n".join([" ".join(["one"] * 512)] + ["one"] * 15), num_heads=1)
    with pytest.raises(LearnerError, match="attention weights"):
        showing(batch, "sqrt_d_out")


def test_a_mistake_shows_in_the_steps_that_are_named_for_it(mistake):
    experiment = showing(Experiment(), mistake.name)
    wrong, right = run_mistaken(experiment, mistake.name), experiment.run()
    assert mistake.shows
    assert not any(torch.equal(wrong[step].value, right[step].value) for step in mistake.shows)


@pytest.mark.parametrize("name", ["sqrt_d_out", "no_scaling", "mask_after_softmax", "dropout_without_rescale"])
def test_the_formula_of_a_mistaken_step_is_what_it_holds(name):
    experiment = showing(Experiment(d_out=6, num_heads=3), name)
    wrong, right = run_mistaken(experiment, name), experiment.run()
    masked = right["masked_scores"].value
    holds = {
        "sqrt_d_out": ("weights", torch.softmax(masked / 6**0.5, dim=-1)),
        "no_scaling": ("weights", torch.softmax(masked, dim=-1)),
        "mask_after_softmax": ("weights", torch.softmax(right["scores"].value / 2**0.5, dim=-1).tril()),
        "dropout_without_rescale": ("dropped_weights", 0.5 * right["dropped_weights"].value),
    }
    step, expected = holds[name]
    assert MISTAKES[name].shows[step]
    torch.testing.assert_close(wrong[step].value, expected)


def test_the_source_is_the_real_functions_own(mistake):
    real = [line.strip() for line in getsource(mistake.where).splitlines()]
    assert [line.strip() for line in source(mistake).splitlines()] == real
    assert source(mistake).startswith("def ")
