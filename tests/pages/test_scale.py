"""The lesson on scaling: curves against d_k with and without the division, and the learner's own scores."""

from statistics import pstdev

import numpy as np
import pytest

from attention import Experiment
from attention.scaling import WIDTHS, random_scores, scaling_curves
from tests.pages.app import choose, control, experiment_of, go_to, open_page, text
from tests.pages.look import components, drawn, figure, lines

RAW, SCALED = "not divided", "divided by sqrt(d_k)"


@pytest.mark.parametrize(
    ("chart", "curve"), [("score_spread", "spread"), ("largest_weight", "largest"), ("gradient_size", "gradient")]
)
def test_each_chart_shows_what_was_measured_with_and_without_the_division(chart, curve):
    shown = lines(open_page("scale", seed=7), chart)
    curves = scaling_curves(7)
    for name, kind in ((RAW, "raw"), (SCALED, "scaled")):
        assert shown[name]["x"] == list(WIDTHS)
        np.testing.assert_allclose(shown[name]["y"], getattr(curves, f"{kind}_{curve}").numpy())


def test_the_raw_spread_follows_the_dotted_root_of_d_k_and_the_divided_one_stays_at_1():
    raw, scaled, theory = lines(open_page("scale"), "score_spread").values()
    np.testing.assert_allclose(theory["y"], np.sqrt(WIDTHS), rtol=1e-6)
    assert theory["line"]["dash"] == "dot"
    np.testing.assert_allclose(raw["y"], theory["y"], rtol=0.15)
    np.testing.assert_allclose(scaled["y"], np.ones(10), rtol=0.15)


def test_every_line_chart_has_a_logarithmic_axis_of_widths_from_2_to_1024():
    cards = [card for told in components(open_page("scale")) for card in told["cards"] if card["kind"] == "chart"]
    axes = [card["figure"]["layout"]["xaxis"] for card in cards if card["step"] != "softmax_row"]
    assert [(axis["type"], axis["ticktext"][0], axis["ticktext"][-1]) for axis in axes] == [("log", "2", "1,024")] * 3


@pytest.mark.parametrize("d_k", [2, 64, 1024])
def test_the_bars_are_the_softmax_of_one_row_raw_beside_divided(d_k):
    at = choose(open_page("scale"), d_k=d_k)
    bars = lines(at, "softmax_row")
    scores = random_scores(d_k, 123)[0, 0].double().numpy()
    for name, divisor in ((RAW, 1), (SCALED, d_k**0.5)):
        powers = np.exp((scores - scores.max()) / divisor)
        np.testing.assert_allclose(bars[name]["y"], powers / powers.sum(), rtol=1e-3, atol=1e-6)
    assert at.query_params.get("d_k", "64") == str(d_k)
    assert any(f"{d_k:,}" in each.value and f"{d_k**0.5:.3f}" in each.value for each in at.markdown)


@pytest.mark.parametrize("d_k", [2, 100, 1024])
def test_any_d_k_in_a_link_is_used_and_can_be_left(d_k):
    at = open_page("scale", d_k=d_k)
    assert control(at, "d_k").value == d_k
    assert not at.warning
    assert control(choose(at, d_k=8, lang="zh"), "d_k").value == 8
    assert at.query_params["d_k"] == "8"


def test_d_k_goes_with_the_reader_to_another_page_and_back():
    at = choose(open_page("scale"), d_k=256)
    assert go_to(at, "start").query_params["d_k"] == "256"
    assert control(go_to(at, "scale"), "d_k").value == 256


@pytest.mark.parametrize(("num_heads", "root"), [(1, "4.000"), (4, "2.000"), (16, "1.000")])
def test_the_learners_scores_are_divided_by_the_root_of_head_dim(num_heads, root, language):
    at = open_page("scale", lang=language, d_out=16, num_heads=num_heads)
    head_dim, divisor, before, after = (metric.value for metric in at.metric)
    assert (head_dim, divisor) == (str(16 // num_heads), root)
    scores = experiment_of(at).run()["scores"].value[0, 0]
    seen = [float(scores[query, key]) for query in range(6) for key in range(query + 1)]
    assert float(before) == pytest.approx(pstdev(seen), abs=1e-4)
    assert float(after) == pytest.approx(pstdev(seen) / float(root), abs=1e-4)
    (told,) = [each.value for each in at.markdown if "num_heads = " in each.value]
    assert f"**{root}**" in told and "4.000" in told


def test_the_scores_before_and_after_are_those_of_the_head_and_share_a_range():
    at = choose(open_page("scale"), head="2")
    for step in ("masked_scores", "scaled_scores"):
        np.testing.assert_array_equal(figure(at, step).values, drawn(Experiment().run()[step], head=1))
    assert figure(at, "masked_scores").range == figure(at, "scaled_scores").range


def test_it_is_said_what_the_gradient_is_and_that_its_mean_falls_slowly(language):
    at = open_page("scale", lang=language)
    told = text(at, "scale.gradient")
    assert told in "\n".join(each.value for each in at.markdown)
    assert {"en": "falls slowly", "zh": "下降得慢"}[language] in told


@pytest.mark.parametrize(
    "link",
    [
        {"sentence": "step"},
        {"sentence": "Your journey\nstep", "item": 2, "mask": "none"},
        {"sentence": "a " * 512, "num_heads": 16, "d_out": 16},
        {"d_out": 128, "num_heads": 1, "mask": "sliding_window", "window": 1},
    ],
)
def test_any_experiment_has_its_scores(link):
    at = open_page("scale", **link)
    assert not [*at.error, *at.warning]
    assert all(np.isfinite(float(metric.value)) for metric in at.metric)
