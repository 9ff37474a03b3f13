"""Any mask can be run, a fully hidden row is NaN, and a mask after the softmax leaves rows short."""

import pytest
import torch

from attention import Experiment, causal_mask, no_mask, sliding_window_mask
from attention.masked_run import hidden_cells, hidden_rows, run_with_mask, zeroed_after_softmax
from attention.masks import drawn_mask, mask_text, prefix_mask

BATCH = "Your journey starts with one step\nstep one"
SAME = {
    "causal": (causal_mask(6), {}),
    "padding": (no_mask(6), {}),
    "sliding_window": (sliding_window_mask(6, 3), {"window": 3}),
}


@pytest.mark.parametrize("variant", ["multi_head", "causal"])
@pytest.mark.parametrize("sentence", [BATCH, BATCH.split("\n")[0]])
@pytest.mark.parametrize("mask", SAME)
def test_with_the_mask_of_an_experiment_it_is_that_experiment_in_train_mode_too(mask, sentence, variant):
    hidden, more = SAME[mask]
    chosen = {"sentence": sentence, "variant": variant, "mode": "train", "dropout": 0.5, "qkv_bias": True, **more}
    expected = Experiment(mask=mask, **chosen).run()
    found = run_with_mask(Experiment(mask="none", **chosen), hidden)  # its own mask does not count
    assert found.tokens == expected.tokens
    assert list(found) == list(expected)
    assert all(torch.equal(found[step].value, expected[step].value) for step in expected)


def test_what_is_hidden_gets_no_weight_and_every_row_sums_to_one():
    run = run_with_mask(Experiment(), prefix_mask(6, 3))
    weights = run["weights"].value[0]
    seen = torch.tensor([[key <= query or key < 3 for key in range(6)] for query in range(6)])
    assert torch.equal(weights > 0, seen.expand(2, 6, 6))
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 6))
    assert torch.equal(hidden_cells(run, 0), ~seen)
    assert hidden_rows(run, 0) == []


def test_a_fully_hidden_row_is_nan_and_spoils_no_other():
    hidden = causal_mask(6)
    hidden[2] = True
    run, right = run_with_mask(Experiment(), hidden), Experiment().run()
    others = [0, 1, 3, 4, 5]
    for step in ("weights", "context"):
        found, expected = run[step].value[0], right[step].value[0]
        assert found[:, 2].isnan().all()
        assert torch.equal(found[:, others], expected[:, others])
    assert run["output"].value[0].isnan().all(dim=-1).tolist() == [query == 2 for query in range(6)]
    assert hidden_rows(run, 0) == [2]


def test_in_a_batch_only_the_item_whose_keys_are_hidden_has_a_hidden_row():
    hidden = no_mask(6)
    hidden[1, :2] = True  # the second sentence has two tokens
    run = run_with_mask(Experiment(sentence=BATCH), hidden)
    assert [hidden_rows(run, item) for item in (0, 1)] == [[], [1]]
    assert hidden_cells(run, 1)[0].tolist() == [False] * 2 + [True] * 4  # padding
    assert run["weights"].value[1].isnan().any(dim=-1).tolist() == [[query == 1 for query in range(6)]] * 2


@pytest.mark.parametrize("hidden", [no_mask(5), no_mask(7), no_mask(6).float(), no_mask(6)[None]])
def test_another_size_or_kind_of_mask_is_refused(hidden):
    with pytest.raises(ValueError, match=r"should be torch.bool \(6, 6\)"):
        run_with_mask(Experiment(), hidden)


def test_the_shared_generator_and_the_experiment_stay_as_they_are():
    experiment = Experiment(mode="train", dropout=0.5)
    state, before = torch.get_rng_state(), experiment.run()["output"].value
    run_with_mask(experiment, no_mask(6))
    assert torch.equal(state, torch.get_rng_state())
    assert torch.equal(experiment.run()["output"].value, before)


@pytest.mark.parametrize("variant", ["multi_head", "causal"])
def test_zero_after_the_softmax_keeps_the_unmasked_weights_and_rows_fall_short_by_what_is_hidden(variant):
    unmasked = Experiment(mask="none", variant=variant).run()["weights"].value
    zeroed = zeroed_after_softmax(run_with_mask(Experiment(variant=variant), causal_mask(6)))
    seen = torch.ones(6, 6).tril().bool()
    torch.testing.assert_close(zeroed, unmasked * seen)
    torch.testing.assert_close(1 - zeroed.sum(dim=-1), (unmasked * ~seen).sum(dim=-1))
    assert (zeroed.sum(dim=-1)[..., :-1] < 0.99).all()


def test_a_hidden_row_is_zero_and_not_nan_if_it_is_hidden_after_the_softmax():
    zeroed = zeroed_after_softmax(run_with_mask(Experiment(sentence=BATCH), torch.ones(6, 6).bool()))
    assert torch.equal(zeroed[0], torch.zeros(2, 6, 6))


@pytest.mark.parametrize("text", ["0", "01-00", "011-001-000", "1" * 16 + ("-" + "0" * 16) * 15])
def test_a_drawn_mask_is_a_row_of_digits_for_each_query(text):
    mask = drawn_mask(text)
    assert mask.dtype == torch.bool
    assert [[str(int(cell)) for cell in row] for row in mask.tolist()] == [list(row) for row in text.split("-")]
    assert mask_text(mask) == text
