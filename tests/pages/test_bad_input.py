"""Input that cannot be used gets a message, and the last good picture stays."""

import re

import numpy as np
import pytest

from attention import Experiment
from figures import short
from tests.pages.app import LANGUAGES, OF_AN_EXPERIMENT, choose, experiment_of, go_to, open_page, text
from tests.pages.look import drawn, figure, figures
from ui.words import locale

ODD = "<b>x</b> <a href='//y'> &amp; $x$ :red[x] `code` [x](//y) {} %s \\n e\u0301 \u202e שלום مرحبا 👋🏽\t|"
CASES = {
    "heads do not divide": ({"d_out": 7}, ["7", "2", "6", "8"]),
    "too many heads": ({"num_heads": 5}, ["4", "5"]),
    "dropout of one": ({"dropout": 1.0}, ["1 / 0", "1.0"]),
    "empty": ({"sentence": ""}, []),
    "blank": ({"sentence": " \n\t \n"}, []),
    "invisible": ({"sentence": "\u200b\ufeff"}, []),
    "10,000 characters": ({"sentence": "a " * 5000}, ["10000", "9999"]),
    "2,100 tokens": ({"sentence": "a " * 2100}, ["2100", "2048"]),
    "too many sentences": ({"sentence": "a\n" * 17}, ["17", "16"]),
    "a word the book lacks": ({"sentence": "hello", "embedding": "book"}, ["hello"]),
    "one-hot too wide": ({"sentence": " ".join(map(str, range(65))), "embedding": "one_hot"}, ["65", "64"]),
}


@pytest.mark.parametrize(
    ("case", "language"), [*((case, "en") for case in CASES), ("heads do not divide", "zh"), ("2,100 tokens", "zh")]
)
def test_a_message_says_what_is_wrong_and_the_picture_stays(case, language):
    values, told = CASES[case]
    at = open_page("start", lang=language, seed=5)
    *before, last = values.items()
    choose(at, **dict(before))
    good, shown = experiment_of(at), figures(at)
    choose(at, **dict([last]))
    (message,) = [error.value for error in at.error]
    assert all(re.search(rf"(?<![0-9]){re.escape(each)}(?![0-9])", message) for each in told), message
    assert bool(re.search("[\u4e00-\u9fff]", message)) == (language == "zh")
    assert experiment_of(at) == good
    for old, new in zip(shown, figures(at), strict=True):
        np.testing.assert_array_equal(new.values, old.values)
        assert (new.step, new.rows, new.columns) == (old.step, old.rows, old.columns)


def test_every_page_keeps_its_picture(name):
    at = open_page(name)
    before = figures(at)
    choose(at, sentence="")
    assert len(at.error) == 1
    for old, new in zip(before, figures(at), strict=True):
        np.testing.assert_array_equal(new.values, old.values)


def test_the_single_head_has_nothing_to_divide_and_the_other_pages_still_say_so():
    at = choose(open_page("causal"), d_out=7)
    assert not at.error
    np.testing.assert_array_equal(
        figure(at, "queries").values, drawn(Experiment(variant="causal", d_out=7).run()["queries"])
    )
    assert len(go_to(at, "multihead").error) == 1
    assert experiment_of(at) == Experiment(d_out=7, num_heads=1)
    assert text(at, "controls.kept_one_head", why="") in at.error[0].value


def test_a_message_says_whose_picture_is_shown():
    for key, at in (
        ("controls.kept_first", open_page("start", d_out=7)),
        ("controls.kept", choose(open_page("start"), d_out=7)),
    ):
        assert at.error[0].value.endswith(text(at, key, why=""))


def test_a_mistake_put_right_goes_on_as_if_nothing_had_been():
    at = choose(open_page("multihead"), d_out=7, num_heads=7)
    assert not at.error
    trace = Experiment(d_out=7, num_heads=7).run()
    np.testing.assert_array_equal(figure(at, "weights").values, drawn(trace["weights"]))


def test_dropout_of_one_says_why_not():
    message = choose(open_page("start"), dropout=1.0).error[0].value
    assert "drop every weight" in message
    assert "less than 1" in message


def test_as_many_tokens_as_the_limit_states_can_be_shown():
    at = choose(open_page("start"), num_heads=1, d_out=1, sentence="a " * 2048)
    assert not at.error
    assert figure(at, "weights").values.shape == (2048, 2048)
    assert "2048" in at.text_area(key="sentence").help


ALONE = [(each, "start") for each in ("汉", "👨‍👩‍👧‍👦", ".")] + [("step", name) for name in OF_AN_EXPERIMENT]


@pytest.mark.parametrize(("sentence", "name"), ALONE)
def test_one_token_is_enough(sentence, name):
    at = choose(open_page(name), sentence=sentence)
    assert not at.error
    for shown in figures(at):
        assert shown.rows == [sentence]
        if shown.step == "weights":
            assert shown.values.flatten().tolist() == [1.0] * shown.values.size


@pytest.mark.parametrize("name", OF_AN_EXPERIMENT)
def test_odd_tokens_are_computed_and_labelled_like_any_other(name):
    at = choose(open_page(name), sentence=ODD, tokenizer="characters")
    assert not at.error
    assert experiment_of(at).sentence == ODD
    labels = [
        short(token) for token in Experiment(sentence=ODD, tokenizer="characters", embedding="seeded").tokens[0].texts
    ]
    assert all(shown.layout["meta"]["labels"][shown.layout["meta"]["axes"][-2]] == labels for shown in figures(at))


@pytest.mark.parametrize(("seed", "said"), [(None, "not_whole_number"), (-5, "out_of_range"), (2**32, "out_of_range")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seed_that_is_emptied_or_out_of_range_is_told_and_the_last_picture_stays(seed, said, language):
    at = open_page("causal", lang=language)
    before = figure(at, "queries").values
    choose(at, seed=seed)
    (error,) = at.error
    told = locale(language)["errors"][said].split("{value}")[1].split("{")[0]
    assert told in error.value and "seed" in error.value
    np.testing.assert_array_equal(figure(at, "queries").values, before)
    assert at.query_params.get("seed", "None") == str(seed)
    assert not choose(at, seed=9).error
