"""Halves of surrogate pairs never reach what has to be written as UTF-8."""

import pytest

from attention.surrogates import without_surrogates

CASES = [
    ("a? b", "a? b"),
    ("\ud83d", "\ufffd"),
    ("\ude00\ud83d", "\ufffd\ufffd"),
    ("a\ud83db", "a\ufffdb"),
    ("\ud83d\ude00", "😀"),
    ("\ud83d\ud83d\ude00\ude00", "\ufffd😀\ufffd"),
    ("\ufeff你 😀\0", "\ufeff你 😀\0"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=range(len(CASES)))
def test_a_half_alone_is_replaced_and_all_else_stays(text, expected):
    assert without_surrogates(text) == expected
    expected.encode("utf-8")
