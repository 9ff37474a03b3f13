"""Every array on screen is an array of the trace, at its place, with its tokens."""

import numpy as np
import pytest

from attention import BOOK_TOKENS, BOOK_VECTORS, Experiment
from tests.pages.app import OF_AN_EXPERIMENT, choose, experiment_of, open_page, press
from tests.pages.look import components, drawn, figure, figures

MULTI, SINGLE = Experiment().run(), Experiment(variant="causal").run()
SCORES = ("scores", "masked_scores", "scaled_scores")
TOKENS = list(BOOK_TOKENS)
TRACES = {"start": (MULTI, 0), "causal": (SINGLE, None), "multihead": (MULTI, None)}


@pytest.mark.parametrize("name", TRACES)
def test_each_figure_is_its_step(page, name):
    trace, head = TRACES[name]
    steps = [shown.step for shown in figures(page) if shown.step not in ("inputs", "unsplit_queries")]
    assert steps == list(trace)
    for shown in figures(page):
        if shown.step in trace:
            np.testing.assert_array_equal(shown.values, drawn(trace[shown.step], head=head))
            assert shown.card["shape"] == str(tuple(trace[shown.step].value.shape))


@pytest.mark.parametrize("name", OF_AN_EXPERIMENT)
def test_tick_labels_are_the_tokens(page, name):
    for shown in figures(page):
        rows, columns = shown.layout["meta"]["axes"][-2:]
        assert shown.rows == TOKENS
        if columns == "key":
            assert shown.columns == TOKENS
        assert rows in ("query", "key", "token")


@pytest.mark.parametrize("name", OF_AN_EXPERIMENT)
def test_masked_scores_are_empty_above_the_diagonal_and_say_that_they_are_masked(page, name):
    for shown in figures(page):
        assert shown.layout["meta"]["masked"] == (shown.step in ("masked_scores", "scaled_scores"))
        if shown.layout["meta"]["masked"]:
            future = np.broadcast_to(np.triu(np.ones((6, 6), bool), 1), shown.values.shape)
            np.testing.assert_array_equal(np.isnan(shown.values), future)


@pytest.mark.parametrize("name", TRACES)
def test_scores_share_a_range_and_weights_go_from_0_to_1(page, name):
    ranges = {shown.step: shown.range for shown in figures(page)}
    assert len({ranges[step] for step in SCORES}) == 1
    trace = TRACES[name][0]
    assert ranges["scores"][1] == pytest.approx(
        max(trace[step].value[trace[step].value.isfinite()].abs().max() for step in SCORES)
    )
    assert ranges["weights"] == ranges["dropped_weights"] == (0, 1)
    assert all(low == -high for step, (low, high) in ranges.items() if "weights" not in step)


@pytest.mark.parametrize("name", ["tokens"])
def test_the_inputs_are_the_books_table_plus_positions(page, name):
    book = np.array(BOOK_VECTORS, np.float32)
    assert [shown.step for shown in figures(page)] == ["embedding", "positions", "inputs"]
    for shown, expected in zip(figures(page), (book, np.zeros((6, 3)), book), strict=True):
        np.testing.assert_array_equal(shown.values, expected)


def test_the_first_sinusoidal_position_is_0_1_0_and_is_added():
    at = choose(open_page("tokens"), positions="sinusoidal")
    np.testing.assert_allclose(figure(at, "positions").values[0], [0, 1, 0])
    np.testing.assert_allclose(figure(at, "inputs").values[0], np.float32([0.43, 1.15, 0.89]))


@pytest.mark.parametrize("name", ["multihead"])
def test_the_queries_before_the_split_are_one_product(page, name):
    module, x = Experiment().build()
    shown = figure(page, "unsplit_queries")
    np.testing.assert_allclose(shown.values, module.W_query(x)[0].detach().numpy(), atol=1e-6)
    assert shown.columns == ["1·1", "1·2", "2·1", "2·2"]
    assert figure(page, "merged_context").columns == shown.columns


@pytest.mark.parametrize("picked", ["1", "2", "all"])
def test_start_shows_the_head_that_is_picked(picked):
    at = choose(open_page("start"), head=picked)
    head = None if picked == "all" else int(picked) - 1
    for step in MULTI:
        np.testing.assert_array_equal(figure(at, step).values, drawn(MULTI[step], head=head))


def test_heads_of_a_step_have_one_range_whichever_is_shown():
    at = open_page("start")
    first = {shown.step: shown.range for shown in figures(at)}
    assert {shown.step: shown.range for shown in figures(choose(at, head="2"))} == first
    assert {shown.step: shown.range for shown in figures(choose(at, head="all"))} == first


@pytest.mark.parametrize("name", ["causal", "multihead"])
def test_the_books_numbers_are_one_press_away(name):
    at = press(choose(open_page(name), seed=1, dropout=0.3, d_out=8), "lesson.book")
    variant = "causal" if name == "causal" else "multi_head"
    assert experiment_of(at) == Experiment(d_out=2, variant=variant)
    if name == "causal":
        np.testing.assert_allclose(figure(at, "context").values[0], [-0.4519, 0.2216], atol=5e-5)
        np.testing.assert_allclose(figure(at, "context").values[-1], [-0.5299, -0.1081], atol=5e-5)


def test_weights_after_dropout_reach_as_far_as_they_are_scaled():
    at = choose(open_page("multihead"), dropout=0.5, mode="train")
    assert figure(at, "weights").range == (0, 1)
    assert figure(at, "dropped_weights").range == (0, 2)
    assert figure(at, "dropped_weights").values.max() > 1


def test_every_figure_marks_the_same_query_token():
    at = open_page("multihead")
    assert {component["query"] for component in components(at)} == {5}
    assert {component["query"] for component in components(choose(at, query=2))} == {1}
