"""Anything pasted or uploaded as a table: either rows of finite numbers that can be written down, or a reason."""

import math

import numpy as np
from hypothesis import strategies as st

from attention import Experiment, LearnerError, format_vectors, parse_vectors
from attention.checks import MAX_D_IN
from attention.tokens import MAX_TOKENS
from attention.vectors import MAX_SIZE
from tests.fuzz.examples import holds_for
from tests.fuzz.test_experiments import said
from tests.fuzz.typed import sendable, texts
from tests.pages.app import control, experiment_of, open_page, run
from tests.pages.look import figure

CELL = st.one_of(
    st.floats(-MAX_SIZE, MAX_SIZE).map(repr),
    st.integers(-9, 9).map(str),
    st.sampled_from(
        ["0.5", "1e5", "-.5", "5.", "+1", "1e999", "nan", "-Infinity", "1_0", "0x1", "٤", "", '"1"', "1" * 400]
    ),
)
SEPARATOR = st.sampled_from([",", ";", "\t", " ", ", ", " ;\t", "  ", "|"])
ENDING = st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n", "\x0c", "\u2028"])


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A table as people write one: equally wide rows with one separator, or nearly so."""
    columns, separator, ending = draw(st.integers(1, 5)), draw(SEPARATOR), draw(ENDING)
    cells = draw(st.sampled_from([CELL, st.integers(-9, 9).map(str), st.floats(-1, 1).map(repr)]))
    rows = draw(st.lists(st.lists(cells, min_size=columns, max_size=columns + draw(st.integers(0, 1))), max_size=6))
    return draw(st.sampled_from(["", "\ufeff"])) + ending.join(map(separator.join, rows))


pasted = tables() | st.builds("".join, st.lists(tables() | texts(sendable), max_size=3))
uploaded = st.one_of(
    st.binary(max_size=200),
    pasted.map(str.encode),
    st.builds(str.encode, tables(), st.sampled_from(["utf-16", "utf-16-le", "utf-8-sig"])),
    st.builds(bytes.__add__, tables().map(str.encode), st.binary(max_size=8)),
)


@holds_for(25, text=pasted)
def test_a_table_is_read_as_finite_rows_that_come_back_or_refused_with_a_reason(text):
    try:
        rows = parse_vectors(text)
    except LearnerError as error:
        said(error)
        return
    assert 1 <= len(rows) <= MAX_TOKENS
    assert {len(row) for row in rows} == {len(rows[0])} and 1 <= len(rows[0]) <= MAX_D_IN
    assert all(math.isfinite(number) and abs(number) <= MAX_SIZE for row in rows for number in row)
    assert parse_vectors(format_vectors(rows)) == rows
    sentence = " ".join("a" * len(rows))
    assert Experiment(sentence=sentence, embedding="own", d_in=len(rows[0]), vectors=rows).inputs().isfinite().all()


@holds_for(2, file=uploaded)
def test_an_upload_becomes_the_numbers_or_gets_a_reason_beside_the_old_ones(file):
    at = open_page("start", sentence="a", embedding="own", vectors="1,2")
    before = experiment_of(at)
    control(at, "upload").set_value(("mine.csv", file, "text/csv"))
    run(at)
    assert len(at.error) <= 1
    assert not at.error or experiment_of(at) == before
    np.testing.assert_array_equal(figure(at, "inputs").values, np.float32(experiment_of(at).vectors))
