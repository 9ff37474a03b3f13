"""The picture of any step of any experiment holds its numbers and its tokens, also as it is sent to the browser."""

import html
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
from hypothesis import strategies as st

from attention import Experiment, LearnerError
from figures import heatmap_spec, short, signed_scale, weight_scale
from tests.fuzz.choices import fitting
from tests.fuzz.examples import holds_for
from tests.pages.look import as_sent, figures
from ui.plot import Card
from ui.wire import message

AXES = ("query", "key", "token")


@holds_for(8, chosen=fitting(), which=st.integers(0, 11), item=st.integers(0, 15))
def test_a_picture_holds_the_numbers_and_the_tokens_and_no_markup(chosen, which, item):
    try:
        trace = Experiment(**chosen).run()
    except LearnerError:
        return
    name, step = [*trace.items(), ("inputs", trace.inputs)][which % (len(trace) + 1)]
    tokens = trace.tokens[item % len(trace.tokens)]
    values = step.value[item % len(trace.tokens)].numpy()
    scale = weight_scale() if name == "weights" else signed_scale(values)
    spec = heatmap_spec(values, step.axes[1:], scale=scale, labels=dict.fromkeys(AXES, tokens))
    expected = np.where(np.isinf(values), np.nan, values)
    facets, z = spec["layout"]["meta"]["facets"], spec["data"][0]["z"]
    maps = [z[row : row + facets["rows"], column : column + facets["columns"]] for row, column in facets["corners"]]
    np.testing.assert_array_equal(np.stack(maps), expected if values.ndim == 3 else expected[np.newaxis])
    _labels_are_the_tokens(spec["layout"], step.axes[-2:], tokens)
    if values.size < 300:
        go.Figure(spec)  # refuses what Plotly does not know
    sent = message({"cards": [Card(name, "", "", "", "", spec).told()]})
    (arrived,) = figures(SimpleNamespace(get=lambda kind: [SimpleNamespace(proto=SimpleNamespace(bytes=sent))]))
    np.testing.assert_array_equal(np.isnan(arrived.values), np.isnan(expected))
    np.testing.assert_array_equal(arrived.values, as_sent(expected, arrived))
    np.testing.assert_allclose(arrived.values, expected, atol=(arrived.range[1] - arrived.range[0]) / 2, rtol=0)


def _labels_are_the_tokens(layout: dict, axes: tuple[str, ...], tokens: tuple[str, ...]) -> None:
    for axis, side in zip(axes, ("yaxis", "xaxis"), strict=True):
        labels, ticks = layout["meta"]["labels"][axis], layout[side]["ticktext"]
        if axis in AXES:
            assert labels == [short(token) for token in tokens]
        assert not {"<", ">", "$"} & set("".join(ticks))
        assert {html.unescape(tick) for tick in ticks} <= set(labels)
        assert max(map(len, labels)) < 60
