"""What the properties of this folder have found, each as one example."""

import numpy as np
import pytest
import torch

from attention import Experiment, LearnerError, format_vectors, parse_vectors
from attention.checks import MAX_D_IN
from attention.tokens import MAX_TOKENS
from attention.vectors import MAX_CHARACTERS
from figures import printable
from figures.levels import FINE, decode, encode
from tests.pages.app import choose, experiment_of, open_page
from tests.pages.look import components
from ui.lesson import ORDER

LONG = {
    "digits": "1" * 1_000_000,
    "digits and a letter": "1" * 1_000_000 + "x",
    "points": "1." * 500_000,
    "powers": "1e" * 500_000,
    "spaces and letters": "1" + " x" * 500_000,
    "commas": "1," * 500_000,
    "lines": "1\n" * 500_000,
    "nan": "nan" * 300_000,
    "longer than any table": " " * (MAX_CHARACTERS + 1),
}


@pytest.mark.parametrize("case", LONG)
def test_a_long_paste_is_refused_at_once(case):
    with pytest.raises(LearnerError):
        parse_vectors(LONG[case])


def test_the_largest_table_with_all_its_digits_can_be_read():
    row = (-123456.78901234567,) * MAX_D_IN
    rows = (row,) * MAX_TOKENS
    assert parse_vectors(format_vectors(rows)) == rows


@pytest.mark.parametrize("vectors", [np.ones((2, 2)), np.ones(0), torch.ones(2, 2), [], None, 0])
def test_vectors_that_are_no_tuple_of_rows_are_refused_in_words(vectors):
    with pytest.raises(LearnerError, match="tuple of rows"):
        Experiment(vectors=vectors)


@pytest.mark.parametrize("letter", "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U000e0061")
def test_a_letter_of_which_nothing_is_drawn_shows_its_number(letter):
    assert printable(f"a{letter}b") == f"a⟨{ord(letter):04X}⟩b"


@pytest.mark.parametrize("mark", "\ufe0f\u20dd\u0903\u180b\U000e0100")
def test_a_mark_without_a_letter_stands_on_a_circle(mark):
    assert printable(mark) == f"◌{mark}"


def test_the_smallest_numbers_of_float32_have_levels_like_any_others():
    z = np.float32([[-1e-40, 0.0, 1e-40]])
    low, high = float(z.min()), float(z.max())
    np.testing.assert_allclose(decode(encode(z, low, high, FINE), z.shape, low, high, FINE), z, atol=1e-42)


@pytest.mark.parametrize("d_out", [1, 3, 7])
def test_the_page_of_a_single_head_does_not_ask_how_heads_share_d_out(d_out):
    at = open_page("causal", d_out=d_out, num_heads=16)
    assert not at.error
    assert experiment_of(at) == Experiment(variant="causal", d_out=d_out, num_heads=16)


def test_an_address_asks_again_for_the_books_table_where_it_does_not_fit():
    at = choose(open_page("start", sentence="hello"), embedding="book")
    assert at.query_params == {"sentence": "hello", "embedding": "book"}
    assert "hello" in open_page("start", **at.query_params).error[0].value
    assert choose(at, sentence="one step").query_params == {"sentence": "one step"}


def test_a_cell_of_a_head_that_no_experiment_has_is_told_and_not_written_into_the_next_address():
    at = open_page("quiz", cell="queries.26.1.1")
    assert "queries.26.1.1" in at.warning[0].value
    assert at.query_params == {}
    assert open_page("quiz", cell="queries.25.1.1").query_params == {"cell": "queries.25.1.1"}


@pytest.mark.parametrize("page, cell", [("tokens", "queries.2.1.1"), ("start", "rotated_queries.2.1.1")])
def test_an_address_names_the_head_that_is_shown_where_the_open_cell_is_of_another(page, cell):
    at = open_page(page, head="1", cell=cell)
    assert at.query_params == {"cell": cell, "head": "1"}
    again = open_page(page, **at.query_params)
    assert again.query_params == at.query_params
    assert again.session_state["head"] == "1"


@pytest.mark.parametrize("page", ORDER)
def test_a_cell_of_a_head_that_is_not_there_opens_the_same_from_the_next_address(page):
    at = open_page(page, vectors="1,2\n3,4\n", sentence="", cell="queries.3.1.1")
    again = open_page(page, **at.query_params)
    assert again.query_params == at.query_params
    assert components(again) == components(at)
