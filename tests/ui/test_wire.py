"""What Python sends is what a browser reads."""

import numpy as np
import pytest

from tests.pages.look import told
from ui.wire import message


def test_arrays_and_bytes_stand_behind_the_text_at_the_places_it_names():
    one, other = np.arange(6, dtype="<f4"), b"abc"
    back = told(message({"word": "词", "deep": [{"one": one}, {"other": other}], "again": one[:1]}))
    assert back["word"] == "词"
    np.testing.assert_array_equal(np.frombuffer(back["deep"][0]["one"], "<f4"), one)
    assert back["deep"][1]["other"] == b"abc"
    np.testing.assert_array_equal(np.frombuffer(back["again"], "<f4"), [0])


@pytest.mark.parametrize("value", [{1, 2}, object(), 1j])
def test_what_cannot_be_sent_is_refused(value):
    with pytest.raises(TypeError, match="cannot be sent"):
        message({"value": value})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_has_not_are_refused(value):
    with pytest.raises(ValueError):
        message({"value": value})
