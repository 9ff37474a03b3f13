"""A link carries the whole experiment, from page to page and from reader to reader."""

from dataclasses import replace

import numpy as np
import pytest
from streamlit.runtime.state import QueryParamsProxy

from attention import Experiment
from tests.pages.app import (
    OF_AN_EXPERIMENT,
    choose,
    control,
    experiment_of,
    go_back,
    go_to,
    link_to,
    open_page,
    text,
)
from tests.pages.look import components, drawn, figure

EXPERIMENTS = {
    "first": Experiment(),
    "all choices": Experiment(
        sentence="the cat saw\nthe dog", tokenizer="byte_pairs", embedding="seeded", positions="learned", d_in=5,
        d_out=12, num_heads=3, dropout=0.25, mode="train", mask="sliding_window", window=3, qkv_bias=True,
        seed=2**32 - 1,
    ),
    "one-hot": Experiment(sentence="一二一", tokenizer="characters", embedding="one_hot", d_in=2, mask="none"),
    "own": Experiment(sentence="a b", embedding="own", d_in=2, vectors=((0.1, -2.5), (1e-05, 3.0)), mask="padding"),
    "odd text": Experiment(sentence="<b> & = ? # % + 👨‍👩‍👧‍👦 \\ 'q' \"q\"", embedding="seeded", seed=0),
}  # fmt: skip
FIRST = EXPERIMENTS["first"]


@pytest.mark.parametrize("case", EXPERIMENTS)
def test_a_link_opens_the_experiment_that_it_was_copied_from(case):
    experiment = EXPERIMENTS[case]
    at = open_page("multihead", **link_to(experiment))
    assert experiment_of(at) == experiment
    assert not [*at.error, *at.warning]
    for step, traced in experiment.run().items():
        np.testing.assert_array_equal(figure(at, step).values, drawn(traced))


@pytest.mark.parametrize("name", OF_AN_EXPERIMENT)
def test_a_link_opens_on_each_page(name):
    expected = replace(EXPERIMENTS["all choices"], variant="causal" if name == "causal" else "multi_head")
    lesson = {"lesson_mask": expected.mask} if name == "masks" else {}  # it has a mask of its own
    assert experiment_of(open_page(name, **link_to(expected), **lesson)) == expected


def test_a_link_needs_to_say_only_what_is_not_the_default():
    assert experiment_of(open_page("start", d_out=8)) == replace(FIRST, d_out=8)
    at = open_page("start", sentence="any other words")
    assert experiment_of(at) == Experiment(sentence="any other words", embedding="seeded")


@pytest.mark.parametrize("case", EXPERIMENTS)
def test_the_address_of_a_page_opens_the_same_page_elsewhere(case, language):
    at = open_page("multihead", **link_to(EXPERIMENTS[case]))
    at = choose(at, lang=language, qkv_bias=True, seed=77, query=2)
    elsewhere = open_page("multihead", **at.query_params)
    assert experiment_of(elsewhere) == experiment_of(at) == replace(EXPERIMENTS[case], qkv_bias=True, seed=77)
    assert components(elsewhere) == components(at)
    assert not [*elsewhere.error, *elsewhere.warning]


def test_the_address_says_choices_by_their_names_in_every_language_and_leaves_defaults_out(language):
    assert open_page("start", lang=language).query_params == ({} if language == "en" else {"lang": "zh"})
    at = choose(open_page("start", lang=language), mask="none", mode="train", head="2", tokenizer="characters")
    told = {"mask": "none", "mode": "train", "head": "2", "tokenizer": "characters", "embedding": "seeded"}
    assert at.query_params == told | ({} if language == "en" else {"lang": "zh"})
    assert "mask" not in choose(at, mask="causal").query_params


def test_a_link_keeps_the_language_the_head_the_query_and_the_sentence_shown():
    at = open_page("start", lang="zh", head="2", query=2, item=2, sentence="Your journey\nstarts with one")
    assert at.title[0].value == text(at, "start.title")
    assert text(at, "start.title") != "Attention, every number of it"
    assert [at.session_state[key] for key in ("head", "query", "item")] == ["2", 2, 2]


def test_a_link_for_one_page_goes_with_the_reader_to_the_next():
    at = open_page("start", **link_to(EXPERIMENTS["all choices"]))
    assert experiment_of(go_to(at, "tokens")) == EXPERIMENTS["all choices"]


def test_going_back_in_the_browser_goes_back_to_the_experiment_of_that_address():
    at = choose(open_page("start", seed=5), d_out=8)
    go_back(at, seed=5, num_heads=4)
    assert experiment_of(at) == replace(FIRST, seed=5, num_heads=4)
    assert control(at, "num_heads").value == 4
    assert experiment_of(go_back(at)) == FIRST


def test_an_address_from_before_the_last_change_changes_nothing_back():
    """A browser sends it with the next change if the new address is still on its way."""
    at = choose(open_page("start", seed=5), d_out=8)
    at.query_params = {"seed": "5"}
    assert experiment_of(choose(at, num_heads=4)) == replace(FIRST, seed=5, d_out=8, num_heads=4)
    assert at.query_params == {"seed": "5", "d_out": "8", "num_heads": "4"}


def test_the_experiment_stays_when_the_next_page_comes_without_an_address():
    at = choose(open_page("start"), d_out=8)
    at.query_params = {}
    assert experiment_of(go_to(at, "multihead")) == replace(FIRST, d_out=8)
    assert at.query_params == {"d_out": "8"}


def test_an_address_that_a_run_has_not_seen_yet_is_corrected(monkeypatch):
    sent = []
    write = QueryParamsProxy.from_dict
    monkeypatch.setattr(QueryParamsProxy, "from_dict", lambda self, link: (sent.append(dict(link)), write(self, link)))
    at = choose(open_page("causal"), seed=124)
    at.query_params.clear()  # the next run was asked for before that address came to the browser
    choose(at, seed=123)
    assert sent == [{"seed": "124"}, {}]
