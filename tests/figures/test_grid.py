"""All heads of all layers as one picture: every map is where its layer and head say."""

import json

import numpy as np
import plotly.graph_objects as go

from figures import grid_spec, weight_scale
from figures.facets import Facets

MAPS = np.arange(3 * 2 * 4 * 4, dtype=np.float32).reshape(3, 2, 4, 4)  # (layer, head, query, key)


def grid():
    tokens, titles = ["a", "<b>", "a", " "], {"layer_title": "L", "head_title": "H"}
    return grid_spec(MAPS, scale=weight_scale(100.0), tokens=tokens, chosen=(2, 1), **titles)


def test_every_map_is_in_the_column_of_its_layer_and_the_row_of_its_head():
    figure = grid()
    z, corners = figure["data"][0]["z"], figure["layout"]["meta"]["facets"]["corners"]
    columns = sorted({column for _, column in corners})
    rows = sorted({row for row, _ in corners})
    assert (len(columns), len(rows)) == (3, 2)
    for layer, column in enumerate(columns):
        for head, row in enumerate(rows):
            np.testing.assert_array_equal(z[row : row + 4, column : column + 4], MAPS[layer, head])


def test_a_map_is_found_by_its_place_and_the_chosen_one_is_named():
    meta = grid()["layout"]["meta"]
    assert meta["maps"] == ["L 1 · H 1", "L 2 · H 1", "L 3 · H 1", "L 1 · H 2", "L 2 · H 2", "L 3 · H 2"]
    assert meta["maps"][meta["chosen"]] == "L 3 · H 2"
    assert meta["labels"]["key"] == ["a", "<b>", "a", "␣"]


def test_the_ticks_are_the_numbers_of_layers_and_heads_in_the_middle_of_their_maps():
    layout = grid()["layout"]
    facets = Facets(6, 4, 4, 3)
    assert layout["xaxis"]["ticktext"] == ["1", "2", "3"] and layout["yaxis"]["ticktext"] == ["1", "2"]
    assert layout["xaxis"]["tickvals"] == [column + 1.5 for _, column in list(facets.corners())[:3]]


def test_plotly_accepts_what_the_app_sends():
    checked, sent = (json.loads(go.Figure(grid(), _validate=validate).to_json()) for validate in (True, False))
    assert checked["data"] == sent["data"]
