"""What a link says wrongly is left out, with a reason; nothing that a link says is ever run."""

import re

import pytest

from attention import Experiment
from tests.pages.app import choose, experiment_of, link_to, open_page
from tests.pages.look import figures

FIRST = Experiment()
WRONG = {
    "unknown": ({"colour": "red"}, "colour"),
    "choice": ({"mask": "future"}, "future"),
    "choice in capitals": ({"mode": "Train"}, "Train"),
    "label for a name": ({"mask": "None: everything is seen"}, "None:"),
    "language": ({"lang": "klingon"}, "lang"),
    "word for a number": ({"d_out": "four"}, "four"),
    "fraction": ({"num_heads": "1.5"}, "1.5"),
    "empty": ({"d_out": ""}, "d_out"),
    "too small": ({"d_out": "0"}, "d_out"),
    "too large": ({"num_heads": "17"}, "17"),
    "negative": ({"seed": "-1"}, "-1"),
    "huge": ({"seed": "9" * 5000}, "9999"),
    "infinite d_in": ({"d_in": "inf"}, "inf"),
    "infinite seed": ({"seed": "1e999"}, "1e999"),
    "infinite query": ({"query": "-inf"}, "-inf"),
    "other digits": ({"d_out": "٤"}, "d_out"),
    "dropout nan": ({"dropout": "nan"}, "nan"),
    "dropout below": ({"dropout": "-0.5"}, "-0.5"),
    "dropout words": ({"dropout": "half"}, "half"),
    "bias": ({"qkv_bias": "maybe"}, "maybe"),
    "query": ({"query": "0"}, "query"),
    "query beyond the sentence": ({"query": "400"}, "400"),
    "item": ({"item": "99"}, "99"),
    "head": ({"head": "99"}, "99"),
    "head beyond the experiment": ({"head": "7"}, "7"),
    "d_in that the book's table has not": ({"d_in": "5"}, "5"),
    "item beyond the batch": ({"item": "9"}, "9"),
    "step": ({"step": "<b>"}, "<b>"),
    "vectors": ({"vectors": "1,2"}, None),
    "twice": ({"d_out": ["8", "4"]}, "4"),
    "dropout above": ({"dropout": "1.5"}, "no share"),
    "embedded": ({"embed": "true"}, None),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_link_says_wrongly_is_left_out_with_a_reason(case):
    wrong, told = WRONG[case]
    at = open_page("start", **wrong)
    warnings = [warning.value for warning in at.warning]
    assert len(warnings) == (told is not None), warnings
    assert all(told in warning for warning in warnings)
    assert experiment_of(at) == FIRST
    assert len(figures(at)) == len(FIRST.run()) + 1
    assert not choose(at, seed=5).warning, "said once"


@pytest.mark.parametrize(
    "wrong", [{"d_out": "7"}, {"num_heads": "3"}, {"sentence": ""}, {"embedding": "own"}, {"dropout": "1.0"}]
)
def test_a_link_whose_parts_do_not_fit_gets_a_message_and_the_first_picture(wrong):
    at = open_page("start", **wrong)
    assert len(at.error) == 1
    assert experiment_of(at) == FIRST


def test_a_window_that_no_control_offers_is_used_or_told_but_not_changed_in_silence():
    at = open_page("start", mask="sliding_window", window="17")
    assert experiment_of(at).window == 17 or "17" in at.warning[0].value


HOSTILE = (
    "<script>alert(1)</script>",
    "';--",
    ":red[x]",
    "\x00",
    "`",
    "{0.__class__}",
    "%s",
    "../..",
    "\u202e",
    "1" * 20_000,
    "𝟜",
)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: ascii(value[:12]))
def test_hostile_values_change_nothing_and_run_nothing(value):
    keys = [key for key in link_to(FIRST) if key != "sentence"]
    at = open_page("start", **dict.fromkeys([*keys, "query", "item", "head", "step", "lang", value], value))
    assert experiment_of(at) == FIRST
    assert len(at.warning) == len(keys) + 6
    assert all(len(warning.value) < 300 for warning in at.warning)
    outside = [re.sub("(`+) .*? \\1", "", warning.value) for warning in at.warning]
    assert not [each for each in outside if "<" in each or ":red" in each or "__class__" in each]


def test_hostile_texts_are_sentences_like_any_other(name):
    at = open_page(name, sentence="\n".join(HOSTILE[:-2]), vectors=HOSTILE[0])
    assert not [*at.warning, *at.error]


def test_a_hundred_unknown_parameters_do_no_harm():
    at = open_page("start", **{f"x{i}": i for i in range(100)})
    assert experiment_of(at) == FIRST


def test_an_unknown_language_is_told_with_those_there_are():
    (warning,) = [each.value for each in open_page(lang="klingon").warning]
    assert "klingon" in warning
    assert "en, zh" in warning


def test_what_was_said_twice_stands_once_in_the_address_afterwards():
    at = open_page("start", d_out=["6", "8"])
    assert at.query_params == {"d_out": "8"}


def test_many_unknown_parameters_are_one_message():
    at = open_page("start", **{f"nonsense{i}": i for i in range(300)})
    assert len(at.warning) == 1
    assert "nonsense4" in at.warning[0].value and at.warning[0].value.endswith("….")
