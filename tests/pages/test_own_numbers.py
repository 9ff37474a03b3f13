"""The learner's own vectors: started from those on screen, typed, uploaded, edited; refused with a reason."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention import BOOK_VECTORS, Experiment
from tests.pages.app import choose, control, edit, experiment_of, open_page, run
from tests.pages.look import drawn, figure, figures

THREE = "1,2\n3,4\n5,6\n"
ROWS = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))
EXPECTED = Experiment(sentence="one two three", embedding="own", d_in=2, vectors=ROWS)
BAD = {
    "two rows for three tokens": ("1,2\n3,4", ["rows of your vectors: 2", "tokens of the sentence: 3"]),
    "uneven": ("1,2\n3\n5,6", ["row 2"]),
    "words": ("1,2\n3,four\n5,6", ["row 2, column 2", "` four `"]),
    "a header": ("x,y\n1,2\n3,4\n5,6", ["row 1, column 1", "` x `"]),
    "nan": ("1,2\n3,4\nnan,6", ["row 3, column 1", "finite"]),
    "infinity": ("1,-inf\n3,4\n5,6", ["row 1, column 2", "finite"]),
    "overflow": ("1,1e999\n3,4\n5,6", ["row 1, column 2"]),
    "too large": ("1,2\n3,4\n5,1e30", ["row 3, column 2", "1000000"]),
    "mixed separators": ("1,2\n3;4,0\n5,6", ["row 2"]),
    "decimal commas in quotes": ('1,2\n3,"0,5"\n5,6', ["row 2, column 2", "` 0,5 `"]),
    "markup": ("1,2\n3,:red[x]\n5,6", ["` :red[x] `"]),
    "nothing": ("", ["no vectors"]),
    "too wide": ("\n".join([",".join("1" * 65)] * 3), ["65", "64"]),
}


def three_tokens() -> AppTest:
    return open_page("start", sentence="one two three", embedding="own", vectors=THREE)


def upload(at: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    control(at, "upload").set_value((name, content, "text/csv"))
    return run(at)


def test_typed_numbers_are_the_inputs():
    at = three_tokens()
    assert experiment_of(at) == EXPECTED
    np.testing.assert_array_equal(figure(at, "inputs").values, ROWS)
    np.testing.assert_array_equal(figure(at, "output").values, drawn(EXPECTED.run()["output"]))
    assert (control(at, "d_in").value, control(at, "d_in").disabled) == (2, True)


def test_a_learner_starts_from_the_numbers_on_screen():
    at = choose(open_page("start"), embedding="own")
    assert experiment_of(at) == Experiment(embedding="own", vectors=BOOK_VECTORS)
    at = choose(open_page("start", sentence="hello"), embedding="own")
    np.testing.assert_allclose(
        figure(at, "inputs").values, Experiment(sentence="hello", embedding="seeded").inputs()[0], atol=0.005
    )


def test_positions_are_not_added_twice_to_the_numbers_on_screen():
    at = open_page("start", positions="sinusoidal")
    before = figure(at, "inputs").values
    np.testing.assert_allclose(figure(choose(at, embedding="own"), "inputs").values, before, atol=0.005)


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("way", ["typed", "uploaded"])
def test_a_table_that_cannot_be_used_gets_a_reason_and_the_picture_stays(case, way):
    table, told = BAD[case]
    at = three_tokens()
    before = figures(at)
    choose(at, vectors=table) if way == "typed" else upload(at, table.encode())
    (message,) = [error.value for error in at.error]
    assert all(each in message for each in told), message
    for old, new in zip(before, figures(at), strict=True):
        np.testing.assert_array_equal(new.values, old.values)


@pytest.mark.parametrize(
    "content",
    ["7,8\n9,10\n0.5,-1e-3\n", "\ufeff7;8\r\n9;10\r\n\r\n0.5;-1e-3", "7\t8\n9\t10\n0.5\t-1e-3"],
    ids=["comma", "semicolon", "tab"],
)
def test_an_uploaded_table_replaces_the_numbers(content):
    at = upload(three_tokens(), content.encode())
    assert not at.error
    assert experiment_of(at).vectors == ((7, 8), (9, 10), (0.5, -0.001))
    assert control(at, "vectors").value == "7,8\n9,10\n0.5,-0.001\n"


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe\x89PNG", "一,二".encode(), b"1,2\n" * 5000], ids=ascii)
def test_a_file_that_is_no_table_gets_a_reason_and_the_numbers_stay(content):
    at = upload(three_tokens(), content)
    assert len(at.error) == 1
    assert experiment_of(at) == EXPECTED


def test_a_good_file_after_a_bad_one_is_taken():
    at = upload(upload(three_tokens(), b"x"), b"0,0\n0,0\n1,1")
    assert not at.error
    assert experiment_of(at).vectors == ((0, 0), (0, 0), (1, 1))


def test_numbers_for_a_batch_are_refused():
    at = choose(three_tokens(), sentence="one two three\none")
    assert "one sentence" in at.error[0].value
    assert experiment_of(at) == EXPECTED


def test_the_table_to_edit_has_a_row_for_each_token():
    at = open_page("tokens", sentence="one <b> one", embedding="own", vectors="1,2\n3,4\n5,6\n7,8\n9,10\n")
    (table,) = at.data_editor
    assert list(table.value.index) == ["1 one", "2 <", "3 b", "4 >", "5 one"]
    np.testing.assert_array_equal(table.value.astype(float), np.arange(1, 11).reshape(5, 2))


def test_an_edited_cell_changes_that_number_only():
    at = open_page("tokens", sentence="one two three", embedding="own", vectors=THREE)
    edit(at, {1: {"2": " .25"}})
    assert experiment_of(at).vectors == ((1, 2), (3, 0.25), (5, 6))
    np.testing.assert_array_equal(figure(at, "inputs").values, [[1, 2], [3, 0.25], [5, 6]])


@pytest.mark.parametrize(
    "number, reason",
    [("1e30", "too large"), ("-1e7", "too large"), ("abc", "not a number"), (None, "row 3, column 1 is empty")],
)
def test_an_edit_that_cannot_be_used_gets_a_reason(number, reason):
    at = open_page("tokens", sentence="one two three", embedding="own", vectors=THREE)
    edit(at, {2: {"1": number}})
    assert reason in at.error[0].value
    assert experiment_of(at) == EXPECTED
