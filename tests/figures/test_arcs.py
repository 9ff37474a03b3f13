"""Arcs: from one token to each token that it looks at, the thicker the more."""

import json

import plotly.graph_objects as go
import pytest

from figures import arcs_spec

TOKENS = ["the", "<b>", "the", " it"]
WEIGHTS = [0.6, 0.3, 0.001, 0.099]


def arcs():
    figure = arcs_spec(TOKENS, WEIGHTS, 3, x_title="key")
    *lines, feet = figure["data"]
    return figure, lines, feet


def test_an_arc_leads_from_the_query_to_each_token_with_a_weight_that_can_be_seen():
    _, lines, _ = arcs()
    ends = [(round(line["x"][0], 6), round(line["x"][-1], 6)) for line in lines]
    assert ends[:2] == [(0, 3), (1, 3)]
    assert len(lines) == 3, "0.001 is no arc"
    assert max(lines[2]["y"]) < max(lines[1]["y"]) < max(lines[0]["y"]), "the farther, the higher; itself lowest"


def test_a_larger_weight_is_a_thicker_and_darker_arc():
    _, lines, _ = arcs()
    assert lines[0]["line"]["width"] > lines[1]["line"]["width"] > lines[2]["line"]["width"]
    assert lines[0]["opacity"] > lines[1]["opacity"] > lines[2]["opacity"]


def test_every_weight_can_be_read_at_its_token_and_nothing_is_markup():
    figure, _, feet = arcs()
    assert feet["customdata"] == ["the<br>0.6000", "&lt;b&gt;<br>0.3000", "the<br>0.0010", "␣it<br>0.0990"]
    assert figure["layout"]["xaxis"]["ticktext"] == ["the", "&lt;b&gt;", "the", "<b>␣it</b>"]
    assert feet["x"] == [0, 1, 2, 3]


def test_a_token_without_a_weight_is_refused():
    with pytest.raises(ValueError, match="3 weights do not fit 4 tokens"):
        arcs_spec(TOKENS, WEIGHTS[:3], 3, x_title="key")


def test_plotly_accepts_what_the_app_sends():
    figure, *_ = arcs()
    checked, sent = (json.loads(go.Figure(figure, _validate=validate).to_json()) for validate in (True, False))
    assert checked["data"] == sent["data"]
