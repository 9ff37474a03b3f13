"""A heatmap shows the numbers it is given, each at its place, over one range."""

import numpy as np
import pytest

from figures import heatmap, signed_scale, weight_scale
from tests.figures.look import draw, shown

HEADS = np.random.default_rng(1).normal(size=(3, 4, 5)).astype(np.float32)


def test_one_map_is_the_array():
    figure = draw(HEADS[0])
    np.testing.assert_array_equal(figure.data[0].z, HEADS[0])
    assert figure.data[0].z.dtype == np.float32


@pytest.mark.parametrize("across", [1, 2, 3, 8])
def test_all_heads_are_one_trace_that_holds_every_number(across):
    figure = draw(HEADS, "head query key", across=across)
    assert [trace.type for trace in figure.data] == ["heatmap"]
    np.testing.assert_array_equal(shown(figure), HEADS)


def test_heads_are_told_apart_by_titles_above_their_maps():
    figure = draw(HEADS, "head query key", across=2, head_title="头 {} <b>")
    assert [note.text for note in figure.layout.annotations] == [f"头 {i} &lt;b&gt;" for i in (1, 2, 3)]
    corners = figure.layout.meta["facets"]["corners"]
    assert [(note.y + 0.5, note.x - 2) for note in figure.layout.annotations] == [(r, c) for r, c in corners]


def test_a_single_map_has_no_head_title():
    assert not draw(HEADS[0]).layout.annotations


def test_all_heads_share_the_range_of_the_scale():
    heads = np.stack([np.full((2, 2), 0.01), np.full((2, 2), -9.0)])
    trace = draw(heads, "head query key").data[0]
    assert (trace.zmin, trace.zmax) == (-9, 9)
    trace = draw(heads, "head query key", scale=weight_scale()).data[0]
    assert (trace.zmin, trace.zmax) == (0, 1)


def test_both_themes_have_their_colours():
    scale = weight_scale()
    figure = draw([[0.5]], scale=scale)
    assert figure.data[0].colorscale == scale.colors
    assert figure.layout.meta["dark"] == scale.dark_colors


def test_masked_cells_have_no_colour_and_the_figure_says_that_they_are_masked():
    figure = draw([[1.0, -np.inf], [2.0, 3.0]])
    np.testing.assert_array_equal(figure.data[0].z, [[1, np.nan], [2, 3]])
    assert figure.layout.meta["masked"] is True


@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[1.0, np.nan]], [[1.0, np.inf]]])
def test_only_minus_infinity_is_masked(values):
    assert draw(values).layout.meta["masked"] is False


def test_a_quiet_fill_lies_below_every_map_and_only_there():
    figure = draw(HEADS, "head query key", across=2)
    corners = figure.layout.meta["facets"]["corners"]
    assert [(s.y0, s.y1, s.x0, s.x1) for s in figure.layout.shapes] == [
        (r - 0.5, r + 3.5, c - 0.5, c + 4.5) for r, c in corners
    ]
    colors = {color for scale in (weight_scale(), signed_scale()) for _, color in scale.colors + scale.dark_colors}
    assert {s.layer for s in figure.layout.shapes} == {"below"}
    assert not {s.fillcolor for s in figure.layout.shapes} & colors


def test_the_first_row_is_at_the_top_and_every_cell_is_in_sight():
    figure = draw(HEADS, "head query key", across=2)
    rows, columns = figure.data[0].z.shape
    layout = figure.to_plotly_json()["layout"]
    assert list(layout["yaxis"]["range"]) == [rows - 0.5, -0.5]
    assert list(layout["xaxis"]["range"]) == [-0.5, columns - 0.5]


@pytest.mark.parametrize(("size", "printed"), [(1, True), (12, True), (13, False), (40, False)])
@pytest.mark.parametrize("shape", ["square", "wide", "tall"])
def test_numbers_are_printed_while_they_fit(size, printed, shape):
    rows, columns = {"square": (size, size), "wide": (1, size), "tall": (size, 1)}[shape]
    template = draw(np.zeros((rows, columns))).data[0].texttemplate
    assert template == ("%{z:.2f}" if printed else None)


def test_drawing_does_not_change_the_numbers_it_draws():
    values = np.array([[1.0, -np.inf]], dtype=np.float32)
    draw_me = values.copy()
    heatmap(draw_me, ["query", "key"], scale=signed_scale(draw_me))
    np.testing.assert_array_equal(draw_me, values)


@pytest.mark.parametrize("options", [{}, {"axes": "head query key"}])
def test_the_height_is_fixed_whatever_the_numbers_and_the_tokens(options):
    def height(values: np.ndarray, labels: object = None) -> float:
        values = np.stack([values, values]) if options else values
        return draw(values, **options, labels=labels).layout.height

    expected = height(np.zeros((2, 2)))
    assert expected > 0
    assert height(np.full((2, 2), -np.inf)) == height(np.full((30, 40), 1e9)) == expected
    assert height(np.zeros((1, 1)), {"query": ["a" * 200], "key": ["汉" * 99]}) == expected


def test_rows_of_maps_are_equally_high():
    heights = [draw(np.zeros((n, 2, 2)), "head query key", across=1).layout.height for n in (1, 2, 3, 4)]
    assert len(set(np.diff(heights))) == 1 and heights[1] > heights[0]


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((2, 2), "query"), ((2, 2), "head query key"), ((2, 2, 2), "query key"), ((2,), "key"), ((1, 1, 2, 2), "a b c d")],
)
def test_axes_that_do_not_name_every_axis_are_refused(shape, axes):
    with pytest.raises(ValueError, match="cannot be named"):
        draw(np.zeros(shape), axes)


def test_the_figure_says_which_axes_it_has():
    assert draw(HEADS, "head query key").layout.meta["axes"] == ["head", "query", "key"]
    assert draw(HEADS[0], "token d_in").layout.meta["axes"] == ["token", "d_in"]


@pytest.mark.parametrize("count", [3, 6])
def test_labels_that_do_not_fit_the_cells_are_refused(count):
    with pytest.raises(ValueError, match=f"{count} labels do not fit 5 cells along 'key'"):
        heatmap(HEADS[0], ("query", "key"), scale=weight_scale(), labels={"key": ["a"] * count})
