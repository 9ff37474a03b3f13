"""Raw scores grow with d_k; divided by sqrt(d_k) they do not, and softmax goes on learning."""

from statistics import pstdev

import pytest
import torch

from attention import Experiment, LearnerError
from attention.scaling import (
    MAX_WIDTH,
    SENTENCES,
    TOKENS,
    WIDTHS,
    gradient_size,
    random_scores,
    row_weights,
    scaling_curves,
    seen_spreads,
)


@pytest.fixture(scope="module")
def curves():
    return scaling_curves(123)


def test_the_widths_double_from_2_to_1024(curves):
    assert curves.widths == WIDTHS == (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
    assert all(curve.shape == (10,) for curve in curves[1:])


@pytest.mark.parametrize("seed", [0, 123, 2**32 - 1])
def test_the_raw_spread_is_the_square_root_of_d_k_and_the_scaled_spread_is_1(seed):
    curves = scaling_curves(seed)
    root = torch.tensor(WIDTHS).sqrt()
    torch.testing.assert_close(curves.raw_spread, root, rtol=0.15, atol=0)
    torch.testing.assert_close(curves.scaled_spread, torch.ones(10), rtol=0.15, atol=0)
    torch.testing.assert_close(curves.raw_spread / curves.scaled_spread, root)


def test_unscaled_softmax_ends_at_one_key_and_scaled_softmax_stays_where_it_was(curves):
    assert 1 / TOKENS < curves.raw_largest[0] < 0.4
    assert 0.9 < curves.raw_largest[-1] <= 1
    assert (curves.scaled_largest > 1 / TOKENS).all()
    assert curves.scaled_largest.max() < 1.2 * curves.scaled_largest.min()


def test_the_gradient_shrinks_without_the_division_only(curves):
    assert curves.raw_gradient[-1] < 0.25 * curves.raw_gradient[0]
    assert curves.scaled_gradient.max() < 1.1 * curves.scaled_gradient.min()


def test_the_curves_are_means_over_the_rows_of_the_scores():
    curves = scaling_curves(5, [8])
    rows = random_scores(8, 5).reshape(-1, TOKENS)
    assert len(rows) == SENTENCES * TOKENS
    for scores, spread, largest, gradient in (
        (rows, curves.raw_spread, curves.raw_largest, curves.raw_gradient),
        (rows / 8**0.5, curves.scaled_spread, curves.scaled_largest, curves.scaled_gradient),
    ):
        weights = scores.softmax(dim=-1)
        sizes = [float(gradient_size(row)) for row in weights]
        assert float(spread) == pytest.approx(float(scores.flatten().std()), rel=1e-4)
        assert float(largest) == pytest.approx(sum(row.max().item() for row in weights) / len(rows), rel=1e-4)
        assert float(gradient) == pytest.approx(sum(sizes) / len(rows), rel=1e-4)


def test_the_size_of_the_gradient_is_that_of_autograd():
    scores = torch.tensor([0.5, -1.0, 2.0, 0.0])
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(dim=-1), scores)
    torch.testing.assert_close(gradient_size(scores.softmax(dim=-1)), torch.linalg.matrix_norm(jacobian))


def test_a_decided_softmax_has_no_gradient_and_an_even_one_has_a_known_one():
    weights = torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0.0, 0.0]])
    torch.testing.assert_close(gradient_size(weights), torch.tensor([0.0, 3**0.5 / 4, 0.5]))


@pytest.mark.parametrize("d_k", [2, 16, MAX_WIDTH])
def test_the_bars_are_the_first_row_of_what_the_curves_measure(d_k):
    scores = random_scores(d_k, 123)[0, 0].double()
    for weights, divisor in zip(row_weights(d_k, 123), (1, d_k**0.5), strict=True):
        powers = (scores / divisor - scores.max() / divisor).exp()
        torch.testing.assert_close(weights.double(), powers / powers.sum(), rtol=1e-4, atol=1e-6)


def test_a_larger_d_k_adds_numbers_to_the_same_vectors():
    """So the scores of the first half go along with those of the whole, and not with those of another seed."""

    def correlation(a, b):
        return float(torch.corrcoef(torch.stack([a.flatten(), b.flatten()]))[0, 1])

    whole = random_scores(64, 1)
    assert correlation(random_scores(32, 1), whole) == pytest.approx(0.5**0.5, abs=0.1)
    assert correlation(random_scores(32, 2), whole) == pytest.approx(0, abs=0.1)


def test_a_seed_gives_the_same_scores_and_leaves_the_process_as_it_was():
    before = torch.get_rng_state()
    assert torch.equal(random_scores(4, 1), random_scores(4, 1))
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("d_k", [0, -2, MAX_WIDTH + 1])
def test_a_d_k_that_was_not_drawn_is_refused(d_k):
    for refused in (lambda: row_weights(d_k, 1), lambda: scaling_curves(1, [2, d_k])):
        with pytest.raises(LearnerError, match=f"d_k = {d_k} is out of range: choose from 1 to {MAX_WIDTH}"):
            refused()


@pytest.mark.parametrize(("num_heads", "head_dim"), [(1, 4), (2, 2), (4, 1)])
def test_the_spread_of_a_run_shrinks_by_the_root_of_head_dim_and_not_of_d_out(num_heads, head_dim):
    trace = Experiment(d_out=4, num_heads=num_heads).run()
    scores = trace["scores"].value[0, 0]
    raw, scaled = seen_spreads(scores, trace["scaled_scores"].value[0, 0])
    seen = [float(scores[query, key]) for query in range(6) for key in range(query + 1)]
    assert raw == pytest.approx(pstdev(seen), rel=1e-4)
    assert raw / scaled == pytest.approx(head_dim**0.5, rel=1e-4)


def test_a_single_score_has_no_spread():
    assert seen_spreads(torch.ones(1, 1), torch.ones(1, 1)) == (0, 0)
