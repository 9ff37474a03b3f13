"""True hides. Small masks, written out."""

import pytest
import torch

from attention import (
    LearnerError,
    causal_mask,
    hide_padding,
    no_mask,
    padding_mask,
    refuse_hidden_rows,
    sliding_window_mask,
)


def drawn(mask):
    """'.' can be seen, '#' is hidden."""
    return ["".join(".#"[hidden] for hidden in row) for row in mask.tolist()]


def test_masks_hide_what_they_say():
    assert drawn(no_mask(2)) == ["..", ".."]
    assert drawn(causal_mask(3)) == [".##", "..#", "..."]
    assert drawn(sliding_window_mask(4, 2)) == [".###", "..##", "#..#", "##.."]
    assert drawn(sliding_window_mask(3, 1)) == [".##", "#.#", "##."]
    assert [drawn(item) for item in padding_mask([3, 1], 3)] == [["..."], [".##"]]
    masks = (no_mask(2), causal_mask(2), sliding_window_mask(2, 1), padding_mask([1], 2))
    assert all(mask.dtype == torch.bool for mask in masks)
    assert padding_mask([3, 1], 3).shape == (2, 1, 3)


def test_a_wide_window_is_the_causal_mask():
    assert torch.equal(sliding_window_mask(5, 5), causal_mask(5))
    assert torch.equal(sliding_window_mask(5, 500), causal_mask(5))


@pytest.mark.parametrize("window", [0, -3])
def test_a_window_in_which_nothing_can_be_seen_is_refused(window):
    with pytest.raises(LearnerError, match=f"window = {window} is too small"):
        sliding_window_mask(4, window)


def test_padding_is_hidden_but_from_itself():
    padded = hide_padding(sliding_window_mask(4, 1), [4, 2])
    assert drawn(padded[0]) == [".###", "#.##", "##.#", "###."]
    assert drawn(padded[1]) == [".###", "#.##", "##.#", "###."]
    assert drawn(hide_padding(no_mask(3), [1])[0]) == [".##", "..#", ".#."]
    assert drawn(hide_padding(causal_mask(3), [2])[0]) == [".##", "..#", "..."]


def test_a_query_that_may_look_at_nothing_is_refused_by_its_number():
    for mask in (no_mask(3), causal_mask(3), hide_padding(sliding_window_mask(3, 1), [1, 3])):
        refuse_hidden_rows(mask)
    with pytest.raises(LearnerError, match="query 1 may look at nothing"):
        refuse_hidden_rows(torch.ones(3, 3).triu(0).bool())
    batch = no_mask(3).repeat(2, 1, 1, 1)
    batch[1, 0, 2] = True
    with pytest.raises(LearnerError) as error:
        refuse_hidden_rows(batch)
    assert (error.value.code, error.value.values) == ("hidden_row", {"query": 3})
