"""Learners' tables: read exactly, or refused at the row and column that is wrong."""

import pytest

from attention import BOOK_VECTORS, LearnerError, format_vectors, parse_vectors

ROWS = ((0.43, 0.15), (-1.0, 2e-07))


@pytest.mark.parametrize(
    "text",
    [
        "0.43,0.15\n-1,2e-7",
        "\ufeff0.43, 0.15\r\n\r\n-1 , 2E-7\r\n",
        "0.43;0.15\n-1.;+.0000002\n\n",
        "0.43\t0.15\n-1\t2e-07",
        "  0.43  0.15\n -1 2e-7",
        "0.43，0.15\n-1 ， 2e-7",
        '"0.43","0.15"\n"-1", " 2e-7 "',
    ],
)
def test_columns_may_be_apart_in_any_usual_way(text):
    assert parse_vectors(text) == ROWS


def test_what_is_written_is_read_back_exactly():
    rows = ((0.1, 1 / 3, -0.0), (1e6, 5e-324, 12.0))
    assert parse_vectors(format_vectors(rows)) == rows
    assert format_vectors(((1.0, 0.5), (-2.0, 1e-07))) == "1,0.5\n-2,1e-07\n"
    assert parse_vectors(format_vectors(BOOK_VECTORS)) == BOOK_VECTORS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no vectors yet"),
        ("\ufeff \n\t\n", "no vectors yet"),
        ("x,y\n1,2", "row 1, column 1: 'x' is not a number"),
        ("1,2\n\n3,four", "row 3, column 2: 'four' is not a number"),
        ("0,5;0,7", "row 1 uses both ',' and ';'"),
        ("0,5\t0,7", "row 1 uses both ',' and '⇥'"),
        ("1,2\n0,5 0,7", "row 2 uses both ',' and '␣'"),
        ("1,,2", "row 1, column 2 is empty"),
        ("1,2,\n3,4,", "row 1, column 3 is empty: write a number there, or take the separator away"),
        ("1_000,2", "'1_000' is not a number"),
        ("1,NaN", "row 1, column 2: NaN is not a finite"),
        ("1\n-inf", "row 2, column 1: -inf is not a finite"),
        ("1e999", "1e999 is not a finite"),
        ("9" * 9000, "is not a finite"),
        ("1000001", "row 1, column 1: 1000001.0 is too large: choose from -1000000 to 1000000"),
        ("1,2\n3", "columns in row 2: 1, in the rows above: 2"),
        ('1,2\n"0,5","0,7"', "row 2, column 1: '0,5' has a decimal comma: write decimals with a point"),
        ('"1";"2"3', "row 1, column 2"),
        ('1,"2', "row 1, column 2"),
        ('"1";" "', "row 1, column 2 is empty"),
        ("1\n" * 2049, "2049 rows, more than 2048"),
        ("1," * 64 + "1", "row 1 has 65 columns, more than 64"),
        ("=SUM(A1:A9999999999999)", "'=SUM(A1:A9999999999…'"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_where_it_is_wrong(text, message):
    with pytest.raises(LearnerError) as error:
        parse_vectors(text)
    assert message in str(error.value)
