"""The heads lesson: the split of d_out, three ways to the same numbers, and the wrong view."""

import re

import numpy as np
import pytest

from attention import Experiment
from tests.pages.app import choose, open_page, text
from tests.pages.look import drawn, figure

WAYS = ("stacked_heads", "one_matrix", "batch_of_heads")


def prose(at: object) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_split_queries_are_the_columns_of_the_unsplit_ones(language):
    at = open_page("heads", d_out=12, num_heads=3, lang=language)
    whole, split = figure(at, "unsplit_queries"), figure(at, "queries")
    np.testing.assert_array_equal(np.concatenate(list(split.values), axis=1), whole.values)
    np.testing.assert_array_equal(split.values, drawn(Experiment(d_out=12, num_heads=3).run()["queries"]))
    assert whole.columns[3:5] == ["1·4", "2·1"]
    assert "12 = 3 x 4" in prose(at)


@pytest.mark.parametrize("link", [{}, {"d_out": 12, "num_heads": 3}, {"qkv_bias": True}, {"mask": "none", "seed": 7}])
def test_the_three_ways_are_beside_each_other_and_their_largest_difference_is_told(link):
    at = open_page("heads", **link)
    expected = Experiment(**link).run()["merged_context"].value[0].numpy()
    maps = [figure(at, way).values for way in WAYS]
    for shown in maps:
        np.testing.assert_allclose(shown, expected, atol=1e-6)
    assert len({figure(at, way).range for way in WAYS}) == 1
    told = re.search(r"of the three is \*\*(.*?)\*\*", prose(at))[1]
    apart = max(float(np.abs(one - other).max()) for one in maps for other in maps)
    assert told == f"{apart:.2g}"


def test_in_train_mode_the_three_ways_are_equal_too():
    at = open_page("heads", mode="train", dropout=0.5)
    for way in WAYS:
        np.testing.assert_allclose(figure(at, way).values, drawn(Experiment().run()["merged_context"]), atol=1e-6)


def numbers(at: object, step: str) -> list:
    """Each cell as it is printed."""
    assert figure(at, step).card["figure"]["data"][0]["texttemplate"] == "%{z:.2f}"
    return np.char.mod("%.2f", figure(at, step).values.astype(float)).tolist()


def test_numbers_say_their_token_and_feature_before_and_after_both_splits():
    at = open_page("heads", sentence="a b c")
    assert numbers(at, "labelled_rows")[2] == ["3.01", "3.02", "3.03", "3.04"]
    right, wrong = numbers(at, "right_split"), numbers(at, "wrong_split")
    assert right == [
        [["1.01", "1.02"], ["2.01", "2.02"], ["3.01", "3.02"]],
        [["1.03", "1.04"], ["2.03", "2.04"], ["3.03", "3.04"]],
    ]
    assert wrong == [
        [["1.01", "1.02"], ["1.03", "1.04"], ["2.01", "2.02"]],
        [["2.03", "2.04"], ["3.01", "3.02"], ["3.03", "3.04"]],
    ]
    assert text(at, "heads.wrong", last=2, tokens=3) in prose(at)


def test_a_hundred_features_are_numbered_with_three_digits():
    at = open_page("heads", d_out=128, num_heads=16)
    assert "3.002" in prose(at)
    assert figure(at, "labelled_rows").values[5, 127] == pytest.approx(6.128, abs=1e-5)
    assert figure(at, "right_split").layout["meta"]["digits"] == 3


def test_one_head_is_replaced_by_two_where_d_out_allows():
    at = open_page("heads", num_heads=1)
    assert [caption.value for caption in at.caption] == [text(at, "heads.two_instead")]
    assert figure(at, "right_split").values.shape == (2, 6, 2)
    at = choose(at, d_out=3)
    assert [caption.value for caption in at.caption] == [text(at, "heads.only_one")]
    np.testing.assert_array_equal(figure(at, "right_split").values, figure(at, "wrong_split").values)
    assert [info.value for info in at.info] == [text(at, "heads.equal")]


@pytest.mark.parametrize(
    "link",
    [
        {"sentence": "a", "d_out": 1, "num_heads": 1},
        {"sentence": "a", "d_out": 4, "num_heads": 2},
        {"sentence": "a b c\nd", "item": 2, "d_out": 4, "num_heads": 4, "mask": "none"},
        {"sentence": "a " * 512, "d_out": 128, "num_heads": 16},
    ],
)
def test_one_token_a_batch_and_the_largest_experiment_are_drawn(link):
    at = open_page("heads", **link)
    assert figure(at, "wrong_split").values.shape[-2:] == figure(at, "right_split").values.shape[-2:]
    assert not [*at.warning, *at.error]
