"""Draws scatter around the undropped weights, as far as the formula says."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from attention import Experiment, LearnerError, causal_mask, seeded
from attention.dropout_draws import COUNTS, expected_spread, fate, mean_of_draws, run_draw

ROW = torch.tensor([0.4, 0.3, 0.2, 0.1, 0.0])


@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9])
def test_the_first_draw_is_the_dropout_of_training(dropout):
    with seeded(7):
        first = torch.nn.functional.dropout(ROW, dropout)
    torch.testing.assert_close(mean_of_draws(ROW, dropout, 7, [1]).mean[0], first)


def test_each_mean_continues_the_draws_before_it():
    """A mean times n is a whole number of survivors, and between two counts no more survive than are drawn."""
    counts = torch.tensor([1, 3, 300, 301, 1000])
    mean = mean_of_draws(ROW[:4], 0.3, 1, counts.tolist()).mean
    survivors = mean / ROW[:4] * (1 - 0.3) * counts.unsqueeze(-1)
    torch.testing.assert_close(survivors, survivors.round(), rtol=0, atol=0.01)
    more = survivors.round().diff(dim=0)
    assert (more >= 0).all() and (more <= counts.diff().unsqueeze(-1)).all()
    assert (more[1] > 0).all() and (more[1] < 297).all()


def test_the_mean_comes_back_to_the_undropped_weights():
    draws = mean_of_draws(ROW, 0.5, 123)
    assert draws.counts == COUNTS
    assert (draws.mean[0] - ROW).abs().max() >= 0.1
    torch.testing.assert_close(draws.mean[-1], ROW, rtol=0.05, atol=0)
    assert (draws.mean[:, -1] == 0).all()


@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9])
def test_the_measured_spread_is_the_expected_one_at_every_count(dropout):
    measured = mean_of_draws(ROW, dropout, 123).spread
    torch.testing.assert_close(measured, expected_spread(ROW, dropout), rtol=0.2, atol=0)


def test_at_one_half_a_single_draw_is_off_by_each_weight_itself():
    size = ROW.square().mean().sqrt().unsqueeze(0)
    torch.testing.assert_close(mean_of_draws(ROW, 0.5, 1, [1]).spread, size)
    torch.testing.assert_close(expected_spread(ROW, 0.5, [1]), size)


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_the_expected_spread_is_that_of_all_possible_draws(draws):
    weights, p = torch.tensor([0.7, 0.3]), 0.2
    mean_square = 0.0
    for kept in product([0, 1], repeat=2 * draws):
        chance = (1 - p) ** sum(kept) * p ** (2 * draws - sum(kept))
        mean = torch.tensor(kept).view(draws, 2).float().mean(dim=0) * weights / (1 - p)
        mean_square += chance * float((mean - weights).square().mean())
    assert float(expected_spread(weights, p, [draws])) == pytest.approx(mean_square**0.5, rel=1e-5)


def test_without_dropout_every_draw_is_the_row_itself():
    draws = mean_of_draws(ROW, 0, 1)
    assert torch.equal(draws.mean, ROW.expand(len(COUNTS), -1))
    assert not draws.spread.any() and not expected_spread(ROW, 0).any()


def test_a_seed_gives_its_own_draws_and_leaves_the_process_as_it_was():
    before = torch.get_rng_state()
    first, again, other = (mean_of_draws(ROW, 0.5, seed, [300]).mean for seed in (1, 1, 2))
    assert torch.equal(first, again) and not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("dropout", [1.0, -0.1, float("nan"), "a tenth"])
def test_a_dropout_that_an_experiment_refuses_is_refused(dropout):
    with pytest.raises(LearnerError, match="dropout = "):
        mean_of_draws(ROW, dropout, 1)
    with pytest.raises(LearnerError, match="dropout = "):
        expected_spread(ROW, dropout)


def test_what_would_not_be_bounded_is_refused():
    for counts in ([], [0, 1], [3, 1], [2, 2], [10_001]):
        with pytest.raises(ValueError, match="should rise"):
            mean_of_draws(ROW, 0.5, 1, counts)
    for shape in ((2, 3), (0,), (2049,)):
        with pytest.raises(ValueError, match="give one row"):
            mean_of_draws(torch.ones(shape), 0.5, 1)


def test_a_weight_is_kept_or_dropped_and_a_hidden_one_neither():
    trace = Experiment(mode="train", dropout=0.5).run()
    weights, dropped_weights = trace["weights"].value, trace["dropped_weights"].value
    kept, dropped = fate(weights, dropped_weights)
    assert torch.equal(kept ^ dropped, ~causal_mask(6).expand_as(kept))
    assert not (kept & dropped).any() and kept.any() and dropped.any()
    torch.testing.assert_close(dropped_weights[kept], 2 * weights[kept])
    assert not dropped_weights[dropped].any()


def test_in_eval_nothing_is_dropped():
    trace = Experiment(mode="eval", dropout=0.5, mask="none").run()
    kept, dropped = fate(trace["weights"].value, trace["dropped_weights"].value)
    assert kept.all() and not dropped.any()


@pytest.mark.parametrize("variant", ["multi_head", "causal"])
def test_the_first_draw_of_an_experiment_is_its_run(variant):
    experiment = Experiment(mode="train", dropout=0.5, variant=variant)
    first, run = run_draw(experiment, 1), experiment.run()
    assert all(torch.equal(first[name].value, run[name].value) for name in run)


def test_a_later_draw_drops_the_same_weights_by_other_numbers_that_come_again():
    experiment = Experiment(mode="train", dropout=0.5)
    draws = [run_draw(experiment, draw) for draw in (1, 2, 3)]
    dropped = [trace["dropped_weights"].value for trace in draws]
    assert len({tuple(each.flatten().tolist()) for each in dropped}) == 3
    assert torch.equal(run_draw(experiment, 3)["dropped_weights"].value, dropped[2])
    for trace, each in zip(draws, dropped, strict=True):
        weights = trace["weights"].value
        assert torch.equal(weights, experiment.run()["weights"].value)
        kept = fate(weights, each).kept
        torch.testing.assert_close(each, 2 * weights * kept)
        torch.testing.assert_close(trace["context"].value, each @ trace["values"].value)
    other = run_draw(replace(experiment, seed=124), 2)
    assert not torch.equal(fate(weights, other["dropped_weights"].value).kept, fate(weights, dropped[1]).kept)


def test_about_the_share_p_of_the_weights_is_dropped_over_many_draws():
    experiment = Experiment(mode="train", dropout=0.25)
    runs = [run_draw(experiment, draw) for draw in range(1, 101)]
    dropped = [fate(run["weights"].value, run["dropped_weights"].value).dropped for run in runs]
    assert float(torch.stack(dropped).sum()) / (100 * 2 * 21) == pytest.approx(0.25, abs=0.02)


def test_in_eval_every_draw_is_the_same_run():
    experiment = Experiment(mode="eval", dropout=0.5)
    torch.testing.assert_close(run_draw(experiment, 7)["output"].value, experiment.run()["output"].value)


@pytest.mark.parametrize("draw", [0, -1])
def test_draws_count_from_1(draw):
    with pytest.raises(ValueError, match="count from 1"):
        run_draw(Experiment(), draw)
