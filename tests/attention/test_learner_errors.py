"""An error that can be read, and said in another language."""

import string

import pytest

from attention import MESSAGES, LearnerError
from attention.errors import shown


def test_the_message_is_the_template_with_the_values():
    error = LearnerError("window_too_small", window=0)
    assert isinstance(error, ValueError)
    assert (error.code, error.values) == ("window_too_small", {"window": 0})
    assert str(error) == MESSAGES["window_too_small"].format(window=0)


def test_a_learners_braces_are_text():
    assert "{0.__class__}" in str(LearnerError("book_has_no_row", token="{0.__class__}", known="a"))


@pytest.mark.parametrize("template", MESSAGES.values(), ids=list(MESSAGES))
def test_templates_have_named_places_only(template):
    names = [name for _, name, spec, _ in string.Formatter().parse(template) if name is not None and not spec]
    assert all(name.isidentifier() for name in names)


SHORT = [
    (3, 3),
    (0.5, 0.5),
    (True, "True"),
    (None, "None"),
    ("a" * 20, "a" * 20),
    ("a" * 21, "a" * 19 + "…"),
    (2**100, "2^100..."),
    (-(10**5000), "-2^16609..."),
]


@pytest.mark.parametrize(("value", "expected"), SHORT, ids=range(len(SHORT)))
def test_values_are_shown_short(value, expected):
    assert shown(value) == expected
    assert type(shown(value)) is type(expected)
