"""Lines and bars: Plotly accepts them as they are sent, and their axes say which numbers they show."""

import json
import math

import plotly.graph_objects as go
import pytest

from figures import Series, bars_spec, lines_spec

TITLES = {"x_title": "n", "y_title": "<y>"}
CHARTS = {
    "one line": lines_spec([1, 2], [Series("a", [0.5, 1.5])], **TITLES),
    "dotted on logarithmic axes": lines_spec(
        [1, 10], [Series("a", [1, math.nan]), Series("b", [1, 2], 2, dashed=True)], log_x=True, log_y=True, **TITLES
    ),
    "bars": bars_spec(["the", "the"], [Series("a", [0.1, 0.2]), Series("b", [0, 1], 2)], y_range=(0, 1), **TITLES),
}


@pytest.mark.parametrize("name", CHARTS)
def test_plotly_accepts_what_the_app_sends_and_changes_nothing(name):
    checked, sent = (json.loads(go.Figure(CHARTS[name], _validate=validate).to_json()) for validate in (True, False))
    for figure in (checked, sent):
        figure["layout"].pop("template")  # 'none' is a name for an empty one
    assert checked == sent


@pytest.mark.parametrize(
    ("x", "written"),
    [
        ([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], "2 4 8 16 32 64 128 256 512 1,024"),
        ([1, 3, 10, 30, 100, 300, 500, 1000, 3000, 10_000], "1 3 10 30 100 300 1,000 3,000 10,000"),
        ([7], "7"),
    ],
)
def test_a_logarithmic_axis_writes_its_numbers_unless_they_would_run_into_one_another(x, written):
    axis = lines_spec(x, [Series("a", x)], log_x=True, **TITLES)["layout"]["xaxis"]
    assert axis["ticktext"] == written.split()
    assert [f"{value:,.0f}" for value in axis["tickvals"]] == axis["ticktext"]


def test_a_line_has_a_gap_where_there_is_no_number():
    assert lines_spec([1, 2], [Series("a", [math.nan, 1])], **TITLES)["data"][0]["y"] == [None, 1.0]


def test_equal_tokens_have_a_bar_each():
    (first, second) = CHARTS["bars"]["data"]
    assert first["x"] == second["x"] == [0, 1]
    assert CHARTS["bars"]["layout"]["xaxis"]["ticktext"] == ["the", "the"]


def test_as_many_labels_as_bars():
    with pytest.raises(ValueError, match="2 labels do not fit 1 bars of 'a'"):
        bars_spec(["a", "b"], [Series("a", [1])], **TITLES)
