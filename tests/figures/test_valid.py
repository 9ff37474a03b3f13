"""Plotly itself accepts every figure. The app sends them unchecked, for speed: these tests make up for it."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from figures import heatmap, heatmap_spec, weight_scale
from tests.figures.look import ODD_TOKENS, draw, numbered

FIGURES: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "one cell": ([[0.0]], "query key", {}),
    "one map": (np.eye(6), "query feature", {}),
    "heads": (np.zeros((5, 6, 6)), "head query key", {"across": 2, "head_title": "头 {}"}),
    "weights": (np.eye(6), "query key", {"scale": weight_scale(2.0)}),
    "masked": ([[1.0, -np.inf], [np.nan, np.inf]], "query key", {}),
    "all masked": (np.full((2, 2), -np.inf), "query key", {}),
    "large": (np.zeros((2, 40, 40)), "head query key", {"labels": {"key": numbered(40)}}),
    "odd tokens": (np.eye(len(ODD_TOKENS)), "query key", {"labels": {"query": ODD_TOKENS, "key": ODD_TOKENS}}),
    "own titles": (np.eye(2), "query key", {"axis_titles": {"query": "a<b>", "key": ""}}),
}


@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_what_the_app_sends_and_changes_nothing(name):
    values, axes, options = FIGURES[name]
    sent = draw(values, axes, make=heatmap_spec, **options)
    assert _content(go.Figure(sent)) == _content(go.Figure(sent, _validate=False))


@pytest.mark.parametrize("name", FIGURES)
def test_a_notebook_shows_what_the_app_sends(name):
    values, axes, options = FIGURES[name]
    figure = draw(values, axes, make=heatmap, **options)
    assert _content(figure) == _content(go.Figure(draw(values, axes, make=heatmap_spec, **options), _validate=False))
    assert "plotly" in figure.to_html(include_plotlyjs=False)
    assert len(figure.layout.xaxis.range) == len(figure.layout.yaxis.range) == 2


def _content(figure: go.Figure) -> object:
    content = json.loads(figure.to_json())
    content["layout"].pop("template")  # 'none' is a name for an empty one
    content["layout"]["annotations"] = content["layout"].get("annotations", [])
    return content


def test_this_check_would_find_a_property_that_plotly_does_not_know():
    spoiled = draw([[0.0]], make=heatmap_spec)
    spoiled["layout"]["xaxis"]["tickvalues"] = [1]
    with pytest.raises(ValueError, match="tickvalues"):
        go.Figure(spoiled)
