"""Each control changes the one thing that it names, on every page, and the figures follow."""

from dataclasses import replace

import numpy as np
import pytest

from attention import Experiment
from figures import short
from tests.pages.app import choose, control, experiment_of, go_to, link_to, open_page, press
from tests.pages.look import drawn, figure
from ui.controls import PRESETS

FIRST = Experiment()
OTHER = Experiment(sentence="hello, world", embedding="seeded")
CHANGES = {
    "sentence": ({"sentence": "step by step"}, {"embedding": "seeded"}),
    "words of the book": ({"sentence": "step one"}, {}),
    "tokenizer characters": ({"tokenizer": "characters"}, {"embedding": "seeded"}),
    "tokenizer byte pairs": ({"tokenizer": "byte_pairs"}, {}),
    "embedding seeded": ({"embedding": "seeded"}, {}),
    "embedding one-hot": ({"embedding": "one_hot"}, {"d_in": 6}),
    "positions learned": ({"positions": "learned"}, {}),
    "positions sinusoidal": ({"positions": "sinusoidal"}, {}),
    "d_in": ({"embedding": "seeded", "d_in": 5}, {}),
    "d_out": ({"d_out": 8}, {}),
    "num_heads": ({"num_heads": 4}, {}),
    "one head": ({"num_heads": 1}, {}),
    "mask none": ({"mask": "none"}, {}),
    "mask padding": ({"mask": "padding"}, {}),
    "mask window": ({"mask": "sliding_window"}, {}),
    "window": ({"mask": "sliding_window", "window": 3}, {}),
    "mode": ({"mode": "train"}, {}),
    "dropout": ({"mode": "train", "dropout": 0.25}, {}),
    "qkv_bias": ({"qkv_bias": True}, {}),
    "seed": ({"seed": 7}, {}),
    "largest seed": ({"seed": 2**32 - 1}, {}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_control_changes_what_it_names_and_the_figures_follow(change):
    values, follows = CHANGES[change]
    at = choose(open_page("multihead"), **values)
    expected = replace(FIRST, **values, **follows)
    assert experiment_of(at) == expected
    trace = expected.run()
    for step in ("queries", "masked_scores", "weights", "dropped_weights", "output"):
        np.testing.assert_array_equal(figure(at, step).values, drawn(trace[step]))
    labels = [short(token) for token in trace.tokens[0]]
    assert figure(at, "weights").layout["meta"]["labels"] == {"query": labels, "key": labels}
    assert not at.error


def test_no_choice_of_the_experiment_is_without_a_control():
    at = choose(open_page("start"), mask="sliding_window", embedding="own")
    for name in link_to(replace(FIRST, vectors=((0.0,) * 3,) * 6, embedding="own")):
        assert control(at, name).value is not None


def test_another_sentence_goes_from_the_books_table_to_the_seeded_one():
    at = choose(open_page("start"), sentence=OTHER.sentence)
    assert experiment_of(at) == OTHER
    assert control(at, "embedding").value == "seeded"
    np.testing.assert_array_equal(figure(at, "inputs").values, OTHER.inputs()[0].numpy())


def test_d_in_is_fixed_where_the_vectors_fix_it():
    at = open_page("start")
    assert (control(at, "d_in").value, control(at, "d_in").disabled) == (3, True)
    choose(at, embedding="one_hot")
    assert (control(at, "d_in").value, control(at, "d_in").disabled) == (6, True)
    choose(at, embedding="seeded")
    assert not control(at, "d_in").disabled


def test_the_window_is_asked_for_only_where_it_counts():
    at = open_page("start")
    with pytest.raises(KeyError):
        control(at, "window")
    assert control(choose(at, mask="sliding_window"), "window").value == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_an_example_fills_in_its_sentence_and_can_be_chosen_again(preset):
    at = choose(open_page("multihead", sentence="hello"), preset=preset)
    assert experiment_of(at).sentence == PRESETS[preset]
    assert experiment_of(at).embedding == ("book" if preset in ("book", "batch") else "seeded")
    assert not at.error
    assert control(at, "preset").value is None


def test_reset_goes_back_to_the_first_visit():
    at = choose(open_page("start"), sentence="hello", positions="learned", mask="sliding_window", window=5)
    choose(at, d_out=12, num_heads=3, mode="train", dropout=0.5, qkv_bias=True, seed=9, query=1)
    assert experiment_of(press(at, "controls.reset")) == FIRST
    assert at.session_state["query"] is None
    for step, traced in FIRST.run().items():
        np.testing.assert_array_equal(figure(at, step).values, drawn(traced, head=0))


def test_choices_go_with_the_reader_from_page_to_page():
    at = choose(open_page("start"), positions="sinusoidal", d_out=6, num_heads=3, qkv_bias=True)
    expected = experiment_of(at)
    for page in ("tokens", "multihead", "start"):
        assert experiment_of(go_to(at, page)) == expected
    assert experiment_of(go_to(at, "causal")) == replace(expected, variant="causal")


def test_the_single_head_has_the_width_of_all_heads():
    at = choose(open_page("causal", num_heads=3), d_out=6)
    assert control(at, "num_heads").disabled and not control(open_page("multihead"), "num_heads").disabled
    trace = Experiment(d_out=6, variant="causal").run()
    np.testing.assert_array_equal(figure(at, "context").values, drawn(trace["context"]))


def test_equal_sessions_on_one_server_do_not_change_one_anothers_numbers():
    one, other = open_page("start"), choose(open_page("start"), seed=5, mode="train", dropout=0.5)
    np.testing.assert_array_equal(figure(open_page("start"), "output").values, figure(one, "output").values)
    again = choose(open_page("start"), seed=5, mode="train", dropout=0.5)
    np.testing.assert_array_equal(figure(again, "output").values, figure(other, "output").values)
