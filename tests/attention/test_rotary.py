"""Queries and keys are turned by their positions."""

import cmath

import pytest
import torch

from attention import LearnerError
from attention.rotary import rotary_angles, rotate


def turned(vector, position, base):
    """An oracle in complex numbers: each pair times e^{i angle}."""
    d = len(vector)
    pairs = [complex(*vector[i : i + 2]) * cmath.exp(1j * position / base ** (i / d)) for i in range(0, d, 2)]
    return [part for pair in pairs for part in (pair.real, pair.imag)]


@pytest.mark.parametrize("base", [10.0, 10_000.0, 100_000.0])
def test_each_pair_of_neighbours_is_multiplied_by_e_to_the_i_times_its_angle(base):
    x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(1))
    found = rotate(x, rotary_angles(5, 8, base))
    expected = [[turned(vector, position, base) for position, vector in enumerate(item.tolist())] for item in x]
    torch.testing.assert_close(found, torch.tensor(expected), rtol=1e-5, atol=1e-6)


def test_the_first_token_is_not_turned_and_no_vector_changes_its_length():
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(2))
    found = rotate(x, rotary_angles(6, 4, 100.0))
    assert torch.equal(found[0], x[0])
    assert not torch.allclose(found[1:], x[1:])
    torch.testing.assert_close(found.norm(dim=-1), x.norm(dim=-1))


def test_a_score_depends_on_the_distance_only():
    query, key = torch.randn(2, 6, generator=torch.Generator().manual_seed(3))
    angles = rotary_angles(40, 6, 100.0)
    scores = rotate(query.expand(40, 6), angles) @ rotate(key.expand(40, 6), angles).T
    for distance in (-7, 0, 3):
        line = scores.diagonal(distance)
        torch.testing.assert_close(line, line[:1].expand_as(line), rtol=1e-4, atol=1e-4)
    assert not torch.isclose(scores[0, 0], scores[0, 3])


def test_an_odd_head_cannot_be_paired():
    with pytest.raises(LearnerError, match="head_dim = 5 is odd"):
        rotary_angles(3, 5, 100.0)
