"""Maps side by side in one array: where each lies, and what is between them."""

import numpy as np
import pytest

from figures import Facets

_ = np.nan


def test_maps_fill_the_rows_from_the_left_with_gaps_of_nothing_between_them():
    packed = Facets(count=3, rows=2, columns=2, across=2).pack(np.arange(12.0).reshape(3, 2, 2))
    np.testing.assert_array_equal(
        packed,
        [
            [0, 1, _, 4, 5],
            [2, 3, _, 6, 7],
            [_, _, _, _, _],
            [8, 9, _, _, _],
            [10, 11, _, _, _],
        ],
    )
    assert packed.dtype == np.float32


@pytest.mark.parametrize(
    ("count", "rows", "columns", "across"),
    [(1, 1, 1, 1), (1, 3, 2, 4), (2, 2, 5, 2), (5, 1, 4, 3), (12, 6, 6, 4), (16, 40, 30, 5), (4, 3, 1, 1)],
)
def test_what_was_packed_can_be_unpacked_and_the_rest_is_nan(count, rows, columns, across):
    facets = Facets(count, rows, columns, across)
    values = np.random.default_rng(0).normal(size=(count, rows, columns)).astype(np.float32)
    packed = facets.pack(values)
    np.testing.assert_array_equal(facets.unpack(packed), values)
    assert packed.shape == facets.shape
    assert np.isfinite(packed).sum() == values.size


def test_infinities_become_nan_in_the_picture_only():
    values = np.array([[[1.0, -np.inf], [np.inf, 2.0]]], dtype=np.float32)
    packed = Facets(1, 2, 2, 1).pack(values)
    np.testing.assert_array_equal(packed, [[1, _], [_, 2]])
    assert np.isinf(values).sum() == 2


def test_a_single_map_of_numbers_is_not_copied():
    values = np.ones((1, 3, 2), dtype=np.float32)
    assert np.shares_memory(Facets(1, 3, 2, 1).pack(values), values)


def test_a_map_too_many_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        Facets(1, 2, 2, 1).pack(np.zeros((2, 2, 2)))


@pytest.mark.parametrize("size", [1, 6, 12, 128, 512])
def test_maps_never_touch(size):
    columns = sorted({column for _, column in Facets(4, size, size, 2).corners()})
    rows = sorted({row for row, _ in Facets(4, size, size, 2).corners()})
    assert columns[1] - columns[0] > size
    assert rows[1] - rows[0] > size
