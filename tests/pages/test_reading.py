"""What a reader looks at: the query token, the head, one step of a large experiment. It changes no numbers."""

import numpy as np
import pytest

from attention import Experiment
from tests.pages.app import OF_AN_EXPERIMENT, choose, control, experiment_of, go_to, open_page, press, text
from tests.pages.look import as_sent, components, drawn, figure, figures

LARGE = {"sentence": "a " * 80, "num_heads": 16, "d_out": 16}  # 16 x 80 x 80 weights: more than 100,000


def queries(at: object) -> set[int]:
    return {component["query"] for component in components(at)}


@pytest.mark.parametrize("name", [name for name in OF_AN_EXPERIMENT if name != "quiz"])  # whose questions choose
def test_the_query_token_is_the_last_one_unless_another_is_chosen(name):
    at = open_page(name)
    assert queries(at) == {5}
    assert queries(choose(at, query=1)) == {0}
    assert experiment_of(at).run().tokens == Experiment().run().tokens


def test_the_query_token_goes_with_the_reader_to_the_next_page():
    assert queries(go_to(choose(open_page("causal"), query=3), "start")) == {2}


def test_a_query_beyond_a_shorter_sentence_falls_back_to_its_last_token():
    at = choose(open_page("start"), query=6, sentence="Your journey")
    assert queries(at) == {1}
    assert not at.error


def test_the_strip_is_the_sentence_and_pieces_of_a_word_stand_together():
    at = open_page("start", sentence="attention untangles <b>", tokenizer="byte_pairs")
    (strip,) = [component["strip"] for component in components(at) if component["strip"]]
    tokens = Experiment(sentence="attention untangles <b>", tokenizer="byte_pairs", embedding="seeded").tokens[0]
    assert strip["tokens"] == [text.replace(" ", "␣") for text in tokens.texts]
    assert tuple(strip["groups"]) == tokens.pieces_of
    assert len(set(strip["groups"])) < len(strip["tokens"])


def test_what_a_reader_looks_at_stays_while_the_text_cannot_be_used():
    at = choose(open_page("start", sentence="Your journey\nstarts with one"), item=2, query=2)
    for change in ({"sentence": ""}, {"seed": 5}):
        choose(at, **change)
        assert len(at.error) == 1
        assert figure(at, "inputs").rows == ["starts", "with", "one"]
        assert queries(at) == {1}


def test_a_large_experiment_shows_one_step_at_a_time():
    at = open_page("multihead", **LARGE)
    trace = Experiment(embedding="seeded", **LARGE).run()
    for step in ("weights", "scores", "context"):
        choose(at, step=step)
        attend = [shown.step for shown in figures(at)[5:-2]]
        assert attend == [step]
        shown = figure(at, step)
        np.testing.assert_array_equal(shown.values, as_sent(drawn(trace[step]), shown))


def test_a_large_experiment_starts_with_the_weights_and_says_why_one_step_is_shown():
    at = open_page("multihead", **LARGE)
    assert control(at, "step").value == "weights"
    assert "one step is drawn at a time" in " ".join(caption.value for caption in at.caption)


def test_a_large_experiment_has_no_picture_of_all_heads_on_the_first_page():
    assert "all" in control(open_page("start"), "head").options
    assert "all" not in control(open_page("start", **LARGE), "head").options


def test_the_first_page_leaves_all_heads_when_the_experiment_becomes_large():
    at = choose(open_page("start", num_heads=16, d_out=16), head="all", sentence=LARGE["sentence"])
    assert not at.error
    assert figure(at, "weights").values.shape == (80, 80)


def test_a_small_experiment_shows_all_steps():
    with pytest.raises(KeyError):
        control(open_page("multihead"), "step")


def test_a_head_that_is_gone_is_not_shown():
    at = choose(open_page("start", num_heads=4), head="4", num_heads=2)
    assert control(at, "head").value in ("1", "2")
    shown = int(control(at, "head").value) - 1
    np.testing.assert_array_equal(figure(at, "weights").values, drawn(Experiment().run()["weights"], head=shown))


def test_a_text_too_long_for_an_address_stays_out_of_it_and_that_is_told():
    at = choose(open_page("start", seed=5), num_heads=1, sentence="字" * 500)
    assert "sentence" in at.query_params and not at.warning
    choose(at, sentence="\n".join(["😀" * 500] * 8))
    assert "sentence" not in at.query_params and at.query_params["seed"] == "5"
    assert [warning.value for warning in at.warning] == [text(at, "link.too_long")]
    assert "sentence" in choose(at, sentence="short again").query_params


def test_reset_forgets_the_query_token():
    assert queries(press(choose(open_page("start"), query=2), "controls.reset")) == {5}


@pytest.mark.parametrize("head, key", [("1", "strip"), ("all", "strip_all")])
def test_the_strip_says_what_its_shades_are_where_all_heads_are_shown(head, key):
    at = open_page("start", head=head)
    (strip,) = [component["strip"] for component in components(at) if component["strip"]]
    assert strip["title"] == text(at, f"start.{key}")
