"""Tokens on the axes: whole-number positions with the tokens' texts, all of them or an even choice."""

import numpy as np
import pytest

from figures import printable, short
from tests.figures.look import ODD_TOKENS, draw, numbered, ticks


@pytest.mark.parametrize(
    "tokens",
    [
        ["the", "cat", "the"],
        ["1", "20", "1"],
        ["2024-01-02", "2025-01-01", "12:30"],
        ["", " ", "nan"],
        ["true", "1e5", "∅"],
    ],
    ids=["repeated", "numbers", "dates", "empty", "others"],
)
def test_every_token_has_a_row_and_a_column_of_its_own(tokens):
    layout = draw(np.zeros((3, 3)), labels={"query": tokens, "key": tokens}).layout
    expected = dict(enumerate(map(printable, tokens)))
    assert ticks(layout.yaxis) == ticks(layout.xaxis) == expected
    assert all(type(position) is int for axis in (layout.xaxis, layout.yaxis) for position in axis.tickvals)


def test_the_cells_have_no_coordinates_but_their_row_and_column():
    trace = draw(np.zeros((3, 3)), labels={"query": ["1", "20", "1"], "key": ["a", "a", "b"]}).data[0]
    assert trace.x is None
    assert trace.y is None


def test_query_and_key_have_their_own_labels():
    layout = draw(np.zeros((2, 1)), labels={"query": ["a", "b"], "key": ["c"]}).layout
    assert (ticks(layout.yaxis), ticks(layout.xaxis)) == ({0: "a", 1: "b"}, {0: "c"})


def test_an_axis_without_labels_counts_from_1():
    layout = draw(np.zeros((2, 3)), "query feature", labels={"query": ["a", "b"]}).layout
    assert ticks(layout.xaxis) == {0: "1", 1: "2", 2: "3"}


def test_each_map_has_the_labels_at_its_own_place():
    layout = draw(
        np.zeros((3, 2, 2)), "head query key", across=2, labels={"query": ["a", "b"], "key": ["c", "d"]}
    ).layout
    assert ticks(layout.xaxis) == {0: "c", 1: "d", 3: "c", 4: "d"}
    assert ticks(layout.yaxis) == {0: "a", 1: "b", 3: "a", 4: "b"}


@pytest.mark.parametrize("size", [13, 16, 17, 40, 128, 512])
@pytest.mark.parametrize("heads", [1, 3])
def test_many_labels_are_thinned_and_those_left_are_right(size, heads):
    tokens = numbered(size)
    figure = draw(np.zeros((heads, size, size)), "head query key", across=2, labels={"query": tokens, "key": tokens})
    facets = figure.layout.meta["facets"]
    for axis, part in ((figure.layout.yaxis, 0), (figure.layout.xaxis, 1)):
        shown = ticks(axis)
        for start in {corner[part] for corner in facets["corners"]}:
            mine = {position - start: text for position, text in shown.items() if start <= position < start + size}
            assert 4 <= len(mine) <= 8
            assert mine == {i: tokens[i] for i in mine}
            assert 0 in mine
            assert len(set(np.diff(list(mine)))) == 1
            assert size - max(mine) < 2 * (max(mine) / (len(mine) - 1))  # the labels reach the end


def test_up_to_twelve_labels_are_all_shown():
    assert len(draw(np.zeros((12, 12))).layout.xaxis.tickvals) == 12


@pytest.mark.parametrize("token", ODD_TOKENS, ids=ascii)
def test_any_token_is_labelled_as_itself_and_as_no_markup(token):
    figure = draw([[0.0]], labels={"query": [token], "key": [token]})
    assert ticks(figure.layout.xaxis) == ticks(figure.layout.yaxis) == {0: short(token)}
    assert not set("<>$\n\t") & set(figure.layout.xaxis.ticktext[0] + figure.layout.yaxis.ticktext[0])


def test_the_browser_gets_every_label_for_hovering_unescaped():
    tokens = ["<b>", *numbered(39)]
    figure = draw(np.zeros((40, 2)), labels={"query": tokens, "key": ["&amp;", "b"]})
    assert figure.layout.meta["labels"] == {"query": tokens, "key": ["&amp;", "b"]}


def test_axis_titles_say_who_looks():
    layout = draw(np.zeros((2, 2))).layout
    assert layout.yaxis.title.text == "query: the token that looks"
    assert layout.xaxis.title.text == "key: the token looked at"


def test_axis_titles_can_be_in_another_language_and_are_escaped():
    layout = draw(np.zeros((2, 2)), axis_titles={"query": "查询 <i>"}).layout
    assert layout.yaxis.title.text == "查询 &lt;i&gt;"
    assert layout.xaxis.title.text == "key"


def test_long_labels_get_room_at_the_left():
    short_, long = (draw([[0.0]], labels={"query": [token]}).layout.margin.l for token in ("a", "汉" * 6))
    assert long - short_ >= 11 * 5  # eleven letters more, at five pixels or more
