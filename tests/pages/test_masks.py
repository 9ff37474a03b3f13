"""The masks lesson: six masks, a drawing in the link, a row with nothing to see, -inf before against 0 after."""

import numpy as np
import pytest

from attention import Experiment
from attention.masks import LESSON_MASKS
from tests.pages.app import choose, control, go_to, open_page, press, text
from tests.pages.look import components, drawn, figure, figures

BATCH = "Your journey starts with one step\nstep with one journey"
BLIND = "111111-001111-000111-000011-000001-000000"  # the causal mask, but the first token sees nothing


def seen_by(rule) -> np.ndarray:
    return np.array([[float(not rule(query, key)) for key in range(1, 7)] for query in range(1, 7)])


RULES = {  # which key a query sees, both counted from 1
    "causal": lambda query, key: key <= query,
    "none": lambda query, key: True,
    "sliding_window": lambda query, key: query - 2 < key <= query,
    "padding": lambda query, key: True,
    "prefix": lambda query, key: key <= max(query, 2),
    "drawn": lambda query, key: key <= query,
}


def mask(at: object) -> list[list[float]]:
    return figure(at, "mask").values.tolist()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", LESSON_MASKS)
def test_each_mask_hides_what_its_rule_says_and_all_figures_follow(name, language):
    at = open_page("masks", lesson_mask=name, lang=language)
    hidden = seen_by(RULES[name])
    np.testing.assert_array_equal(figure(at, "mask").values, hidden)
    scores = Experiment(mask="none").run()["scaled_scores"].value[0, 0].numpy()
    np.testing.assert_array_equal(np.isnan(figure(at, "masked_scores").values), hidden == 1)
    shares = np.exp(scores) * (1 - hidden)
    weights = shares / shares.sum(axis=1, keepdims=True)
    for step in ("weights", "inf_before"):
        np.testing.assert_allclose(figure(at, step).values, weights, atol=1e-6)
    values = Experiment().run()["values"].value[0, 0].numpy()
    np.testing.assert_allclose(figure(at, "context").values, weights @ values, atol=1e-6)
    zeroed = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True) * (1 - hidden)
    np.testing.assert_allclose(figure(at, "zero_after").values, zeroed, atol=1e-6)
    assert text(at, f"masks.about.{name}") in [markdown.value for markdown in at.markdown]
    assert not [*at.warning, *at.error, *at.info]


def test_the_bars_are_the_sums_of_the_rows():
    at = open_page("masks")
    (chart,) = [card for component in components(at) for card in component["cards"] if card["kind"] == "chart"]
    before, after = (bars["y"] for bars in chart["figure"]["data"])
    np.testing.assert_allclose(before, 1, atol=1e-6)
    np.testing.assert_allclose(after, figure_sums(at, "zero_after"), atol=1e-6)
    assert f"**{min(after):.3f}**" in "".join(markdown.value for markdown in at.markdown)


def figure_sums(at: object, step: str) -> np.ndarray:
    return figure(at, step).values.sum(axis=1)


def test_the_head_is_chosen():
    at = choose(open_page("masks"), head="2")
    np.testing.assert_array_equal(figure(at, "weights").values, drawn(Experiment().run()["weights"], head=1))
    np.testing.assert_array_equal(figure(at, "inf_before").values, figure(at, "weights").values)


def test_the_slider_of_the_window_stands_in_one_place_only_and_both_say_the_same():
    at = choose(open_page("masks", lesson_mask="sliding_window"), window=3)
    assert mask(at)[5] == [1, 1, 1, 0, 0, 0]
    at = choose(at, mask="sliding_window")  # in the sidebar, which has the slider now
    assert [slider.value for slider in at.slider if slider.key == "window"] == [3]
    assert text(at, "masks.window_in_the_sidebar") in [caption.value for caption in at.caption]
    assert mask(choose(at, window=1))[5] == [1, 1, 1, 1, 1, 0]
    assert at.query_params["window"] == "1"


def test_the_prefix_is_in_the_link_and_fits_a_shorter_sentence():
    at = choose(open_page("masks", lesson_mask="prefix"), prefix=5)
    assert mask(at)[0] == [0, 0, 0, 0, 0, 1]
    assert at.query_params["prefix"] == "5"
    assert mask(choose(at, sentence="Your journey"))[0] == [0, 0]


def test_padding_asks_for_a_batch_and_loads_one_whose_shorter_sentence_is_shown():
    at = open_page("masks", lesson_mask="padding")
    assert text(at, "masks.no_padding") in [caption.value for caption in at.caption]
    press(at, "masks.load_batch")
    assert control(at, "sentence").value == BATCH
    assert mask(at)[0] == [0, 0, 0, 0, 1, 1]
    assert mask(at)[5] == [0, 0, 0, 0, 1, 0]  # a padding sees itself
    assert text(at, "masks.no_padding") not in [caption.value for caption in at.caption]
    expected = Experiment(sentence=BATCH, mask="padding").run()["weights"]
    np.testing.assert_array_equal(figure(at, "weights").values, drawn(expected, item=1, head=0))
    assert mask(choose(at, lesson_mask="none"))[0] == [0] * 6
    assert mask(choose(at, lesson_mask="prefix"))[0] == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fully_hidden_row_is_shown_as_nan_and_explained_with_its_token(language):
    at = open_page("masks", lesson_mask="drawn", drawn=BLIND, lang=language)
    assert np.isnan(figure(at, "weights").values[0]).all()
    assert np.isnan(figure(at, "context").values[0]).all()
    assert not np.isnan(figure(at, "context").values[1:]).any()
    assert not figure(at, "weights").layout["meta"]["masked"]  # so that the hover says NaN
    (info,) = at.info
    assert "` Your `" in info.value and "NaN" in info.value
    assert figure_sums(at, "zero_after")[0] == 0


def test_a_token_that_looks_like_markup_is_named_as_itself():
    tokens = figure(open_page("masks", sentence="**a**"), "mask").rows
    at = open_page("masks", sentence="**a**", lesson_mask="drawn", drawn="-".join(["1" * len(tokens)] * len(tokens)))
    assert all(f"` {token} `" in at.info[0].value for token in tokens)


def test_the_drawing_starts_anew_where_another_sentence_has_another_size():
    at = open_page("masks", lesson_mask="drawn", drawn=BLIND)
    assert mask(at)[0] == [1] * 6
    assert mask(choose(at, sentence="Your journey starts")) == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert "drawn" not in at.query_params
    assert mask(choose(at, sentence="Your journey starts with one step"))[0] == [0, 1, 1, 1, 1, 1]


def test_the_buttons_start_the_drawing_from_causal_or_from_nothing_hidden():
    at = open_page("masks", lesson_mask="drawn", drawn=BLIND)
    assert mask(press(at, "masks.from_nothing")) == [[0] * 6] * 6
    assert at.query_params["drawn"] == "-".join(["000000"] * 6)
    assert mask(press(at, "masks.from_causal"))[0] == [0, 1, 1, 1, 1, 1]
    assert "drawn" not in at.query_params


def test_only_the_drawn_mask_can_be_switched_and_only_up_to_16_tokens():
    switches = {name: toggles(open_page("masks", lesson_mask=name)) for name in LESSON_MASKS}
    assert [name for name, there in switches.items() if there] == ["drawn"]
    assert toggles(open_page("masks", lesson_mask="drawn", sentence="a " * 16))
    long = open_page("masks", lesson_mask="drawn", sentence="a " * 17)
    assert not toggles(long)
    assert text(long, "masks.too_long", most=16, tokens=17) in [caption.value for caption in long.caption]
    assert mask(long) == np.triu(np.ones((17, 17)), 1).tolist()


def toggles(at: object) -> bool:
    return any(card["picks"] for component in components(at) for card in component["cards"])


@pytest.mark.parametrize("raw", ["012", "01", "01-0", "0-1", "01-00-11", "", "-", "-".join(["0" * 17] * 17)])
def test_a_link_with_no_square_of_0_and_1_is_told(raw):
    at = open_page("masks", lesson_mask="drawn", drawn=raw)
    assert "drawn" in at.warning[0].value
    assert mask(at)[0] == [0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "link", [{"lesson_mask": name} for name in LESSON_MASKS] + [{"lesson_mask": "drawn", "drawn": BLIND}]
)
def test_the_program_of_the_code_panel_gives_the_numbers_on_screen(link):
    at = open_page("masks", **link)
    names: dict[str, object] = {}
    exec(at.code[0].value, names)
    np.testing.assert_array_equal(figure(at, "weights").values, names["trace"]["weights"].value[0, 0].numpy())


def test_train_mode_shows_what_dropout_leaves():
    at = open_page("masks", mode="train", dropout=0.5)
    expected = Experiment(mode="train", dropout=0.5).run()
    np.testing.assert_array_equal(figure(at, "dropped_weights").values, drawn(expected["dropped_weights"], head=0))
    assert "dropped_weights" not in [shown.step for shown in figures(open_page("masks"))]


@pytest.mark.parametrize("name", LESSON_MASKS)
@pytest.mark.parametrize(
    "link",
    [{"sentence": "a", "d_out": 1, "num_heads": 1}, {"sentence": "a b c\nd", "item": 2}, {"sentence": "a " * 512}],
)
def test_one_token_a_batch_and_the_longest_sentence_are_drawn(name, link):
    at = open_page("masks", lesson_mask=name, **link)
    shown = figure(at, "weights")
    assert np.isfinite(shown.values).all()
    off = 0.1 if "levels" in shown.card["figure"]["data"][0]["z"] else 1e-5  # 512 rounded numbers
    np.testing.assert_allclose(figure_sums(at, "weights"), 1, atol=off)


def test_the_mask_goes_with_the_reader_and_through_a_change_of_the_language():
    at = choose(open_page("masks"), lesson_mask="prefix", prefix=4)
    assert mask(choose(at, lang="zh"))[0] == [0, 0, 0, 0, 1, 1]
    assert mask(go_to(go_to(at, "start"), "masks"))[0] == [0, 0, 0, 0, 1, 1]
