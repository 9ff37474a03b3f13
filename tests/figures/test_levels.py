"""Large maps as levels of colour: about the same numbers, in few bytes."""

import numpy as np
import pytest

from figures.levels import FINE, MOST_BYTES, decode, encode, fitted


@pytest.mark.parametrize("count", [FINE, 20])
def test_signed_numbers_come_back_within_half_a_level(count):
    z = np.linspace(-3, 3, 1001, dtype=np.float32).reshape(7, 143)
    back = decode(encode(z, -3.0, 3.0, count), z.shape, -3.0, 3.0, count)
    assert np.abs(back - z).max() <= 6 / count / 2 + 1e-6


def test_small_weights_keep_more_of_their_digits_than_large_ones():
    z = np.array([[0.0, 0.001, 0.002, 0.5, 1.0]], dtype=np.float32)
    back = decode(encode(z, 0.0, 1.0, FINE), z.shape, 0.0, 1.0, FINE)
    assert (back[0, 0], back[0, -1]) == (0.0, 1.0)
    assert np.abs(back - z)[0, 1:3].max() < 2e-4
    assert np.abs(back - z).max() <= 1 / FINE


def test_of_the_weights_of_512_tokens_neighbours_differ_and_the_masked_half_takes_nothing():
    scores = np.random.default_rng(0).normal(size=(12 * 512, 512)).astype(np.float32)
    weights = np.exp(scores) * np.tile(np.tri(512, dtype=np.float32), (12, 1))
    weights /= weights.sum(1, keepdims=True)
    levels, count = fitted(weights, 0.0, 1.0)
    assert count == FINE and len(levels) < 1_000_000
    assert len(np.unique(decode(levels, weights.shape, 0.0, 1.0, FINE)[511])) > 10


@pytest.mark.parametrize("count", [FINE, 20])
def test_a_weight_is_0_again_only_if_it_was(count):
    z = np.array([[0.0, 1e-9, 1e-4, np.nan]], dtype=np.float32)
    back = decode(encode(z, 0.0, 1.0, count), z.shape, 0.0, 1.0, count)
    assert (back[0] == 0).tolist() == [True, False, False, False]


def test_a_cell_without_a_number_stays_without():
    z = np.array([[np.nan, -1.0], [1.0, np.nan]], dtype=np.float32)
    np.testing.assert_array_equal(np.isnan(decode(encode(z, -1.0, 1.0, FINE), z.shape, -1.0, 1.0, FINE)), np.isnan(z))


def test_a_masked_half_takes_next_to_nothing():
    noise = np.random.default_rng(0).normal(size=(256, 256)).astype(np.float32)
    half = np.where(np.tri(256, dtype=bool), noise, np.nan)
    assert len(encode(half, -4.0, 4.0, FINE)) < 0.55 * len(encode(noise, -4.0, 4.0, FINE))


def test_twelve_heads_of_512_tokens_take_what_they_may_and_no_level_is_given_away():
    noise = np.random.default_rng(0).normal(size=(12 * 512, 512)).astype(np.float32)
    masked = np.where(np.tile(np.tri(512, dtype=bool), (12, 1)), noise, np.nan)
    for z in (noise, masked):
        levels, count = fitted(z, -4.0, 4.0)
        assert len(levels) <= MOST_BYTES
        assert count == FINE or len(encode(z, -4.0, 4.0, 2 * count)) > MOST_BYTES


def test_small_weights_of_2048_tokens_differ():
    scores = np.random.default_rng(0).normal(scale=0.3, size=(2048, 2048)).astype(np.float32)
    weights = np.exp(scores)
    weights /= weights.sum(1, keepdims=True)
    levels, count = fitted(weights, 0.0, 1.0)
    back = decode(levels, weights.shape, 0.0, 1.0, count)
    assert len(levels) <= MOST_BYTES and len(np.unique(back[0])) > 3
    assert (np.abs(back - weights) <= np.sqrt(weights) / FINE + 1e-4).all()
