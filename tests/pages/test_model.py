"""A real model: all its heads at once, each of which opens and can be switched off, and what it expects next."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from attention.head_scores import HEAD_SCORES
from attention.language import LanguageRun, survey, trace_layer
from tests.pages.app import choose, control, go_to, open_page, press, run, text
from tests.pages.look import charts, components, drawn, figure, figures, lines
from ui import runs
from ui.lessons import model_choice, model_runs

PRONOUN = "The animal didn't cross the street because it was too tired"
REPEATED = "the cat saw the dog and the dog saw the cat"


def open_lesson(sentence=PRONOUN, **link):
    return open_page("model", sentence=sentence, **link)


def steps_of(layer, sentence=PRONOUN, off=()):
    return trace_layer(survey(LanguageRun(sentence, frozenset(off))), layer)


def test_the_next_tokens_are_the_models():
    at = open_lesson("The capital of France is")
    made = survey(LanguageRun("The capital of France is"))
    (bars,) = lines(at, "next_token").values()
    np.testing.assert_allclose(bars["y"], [each.probability for each in made.predictions])
    assert bars["customdata"][0] == "␣Paris" and bars["y"][0] > 0.5


def test_every_head_of_every_layer_is_a_map_of_one_picture():
    at = open_lesson()
    made = survey(LanguageRun(PRONOUN))
    shown = figure(at, "all_heads").values  # (head * layer, query, key)
    expected = made.weights.numpy().swapaxes(0, 1).reshape(-1, 12, 12)
    np.testing.assert_allclose(shown, expected, atol=0.005)  # sent as levels of colour
    assert figure(at, "all_heads").layout["meta"]["maps"][31] == "Layer 2 · Head 2"


def test_a_head_shows_its_own_numbers_and_the_keys_of_its_group():
    at = open_lesson(layer=14, head=9)
    for step in ("queries", "rotated_queries", "scores", "weights", "context"):
        np.testing.assert_allclose(figure(at, step).values, drawn(steps_of(13)[step], head=8), atol=1e-5)
    for step in ("keys", "values", "rotated_keys"):  # heads 7, 8 and 9 share those of the third group
        np.testing.assert_allclose(figure(at, step).values, steps_of(13)[step].value[0, 2], atol=1e-5)
    assert figure(at, "all_heads").layout["meta"]["chosen"] == 8 * 30 + 13


CELLS = ["keys.3.2.5", "rotated_keys.3.4.1", "rotated_queries.9.9.2", "scores.9.9.2", "output.9.7"]


@pytest.mark.parametrize("cell", CELLS)
def test_any_cell_of_a_layer_opens_with_its_arithmetic(cell, language):
    at = open_lesson(layer=14, head=9, cell=cell, lang=language)
    (panel,) = [each["panel"] for each in components(at) if each["panel"]]
    step, *places = cell.split(".")
    value = steps_of(13)[step].value[(0, *(int(place) - 1 for place in places))]
    assert float(panel["value"].replace("−", "-")) == pytest.approx(float(value), abs=1e-3)
    assert not at.warning


def test_a_map_is_found_by_its_place_in_the_picture(monkeypatch):
    state = {}
    monkeypatch.setattr(model_choice.st, "session_state", SimpleNamespace(update=state.update))
    model_choice.look_at_map(30, place=8 * 30 + 13, row=0, column=0)
    assert state == {"layer": 14, "head": "9"}


def test_the_pronoun_looks_at_its_noun():
    at = press(open_page("model"), "model.pronoun")
    assert text(at, "model.ranked", layer=14, head=9, score="0.75") == at.button(key="ranked_0").label
    arcs = [line for line in charts_of(at, "arcs")[0]["figure"]["data"] if line["mode"] == "lines"]
    assert max(arcs, key=lambda arc: arc["line"]["width"])["x"][0] == pytest.approx(1), "from 'it' to 'animal'"


def charts_of(at, step):
    return [card for card in charts(at) if card["step"] == step]


def test_a_head_that_is_switched_off_changes_what_comes_next_and_is_in_the_address():
    at = press(open_lesson("The capital of France is", layer=1, head=1), "model.layer_off")
    before, after = lines(at, "next_token").values()
    off = frozenset((0, head) for head in range(9))
    whole, made = (survey(LanguageRun("The capital of France is", each)) for each in (frozenset(), off))
    ids = {each.text: each.id for each in (*whole.predictions, *made.predictions)}
    shown = [ids[name.replace("␣", " ")] for name in after["customdata"]]
    np.testing.assert_allclose(before["y"], whole.probabilities[shown])
    np.testing.assert_allclose(after["y"], made.probabilities[shown])
    assert before["y"] != after["y"]
    assert at.query_params["off"] == "-".join(f"1.{head}" for head in range(1, 10))
    assert np.abs(figure(at, "context").values).max() == 0
    on = press(at, "model.all_on")
    assert "off" not in on.query_params and len(lines(on, "next_token")) == 1


@pytest.mark.parametrize("rank", HEAD_SCORES)
def test_heads_are_ranked_by_a_score_and_open(rank):
    at = choose(open_lesson(REPEATED), rank=rank)
    made = survey(LanguageRun(REPEATED))
    scores = {
        (layer, head): float(HEAD_SCORES[rank](made.weights[layer], torch.tensor(made.tokens.ids))[head])
        for layer in range(30)
        for head in range(9)
    }
    layer, head = max(scores, key=scores.get)
    said = text(at, "model.ranked", layer=layer + 1, head=head + 1, score=f"{scores[layer, head]:.2f}")
    assert at.button(key="ranked_0").label == said
    at.button(key="ranked_0").click()
    run(at)
    assert (at.session_state["layer"], at.session_state["head"]) == (layer + 1, str(head + 1))


def test_without_a_repeated_word_there_is_no_induction_to_rank(language):
    at = choose(open_lesson("one two three", lang=language), rank="induction")
    assert text(at, "model.no_repeat") in [each.value for each in at.caption]


def test_a_number_of_a_head_that_is_off_says_so(language):
    at = open_lesson(layer=2, head=3, off="2.3", cell="context.3.4.5", lang=language)
    (panel,) = [each["panel"] for each in components(at) if each["panel"]]
    whole = steps_of(1)["context"].value[0, 2, 3, 4]
    assert float(panel["value"]) == 0
    assert panel["why"] == text(at, "cell.switched_off", sum=f"{float(whole):.4f}")


def test_heads_are_ranked_by_the_weight_from_one_word_to_another():
    at = choose(open_lesson(query=9, rank="word"), target_word=4)
    weights = survey(LanguageRun(PRONOUN)).weights[..., 8, 4]
    layer, head = divmod(int(weights.argmax()), 9)
    said = text(at, "model.ranked", layer=layer + 1, head=head + 1, score=f"{weights.max():.2f}")
    assert at.button(key="ranked_0").label == said
    assert at.query_params["target"] == "5"


def test_a_sentence_that_is_too_long_is_refused_and_the_last_one_stays(language):
    at = choose(open_lesson(lang=language), sentence="word" + " word" * 99)
    (error,) = at.error
    assert "100" in error.value and "64" in error.value
    assert len(figure(at, "weights").rows) == 12


def test_where_the_first_sentence_is_too_long_the_first_example_stands_and_the_page_says_so(language):
    at = open_lesson("word" + " word" * 99, lang=language)
    (error,) = at.error
    assert error.value.endswith(text(at, "controls.kept_first", why="§").split("§")[1])
    assert figure(at, "weights").rows == ["Your", "␣journey", "␣starts", "␣with", "␣one", "␣step"]
    assert len(figure(choose(at, sentence="one two"), "weights").rows) == 2


def test_without_the_model_the_page_says_which_command_adds_it(monkeypatch, language):
    monkeypatch.setattr(model_choice, "available", lambda: ())
    at = open_page("model", lang=language)
    (info,) = at.info
    assert "make run MODEL=1" in info.value
    assert not at.error
    assert figures(go_to(at, "multihead"))


@pytest.mark.parametrize("off", ["1", "0.1", "1.99", "99.1", "1.1-", "a.b", "1.1.1", "31.1", "1.10"])
def test_heads_that_a_link_says_wrongly_are_left_out(off):
    at = open_lesson(off=off)
    (warning,) = at.warning
    assert off in warning.value
    assert len(lines(at, "next_token")) == 1


def test_the_layer_and_the_head_go_with_the_address():
    at = choose(open_lesson(), layer=30, head="7")
    assert (at.query_params["layer"], at.query_params["head"]) == ("30", "7")
    assert control(go_to(go_to(at, "start"), "model"), "layer").value == 30


@pytest.fixture
def gpt2(tmp_path, monkeypatch):
    """A small GPT-2 with random weights, in a folder that the server was started with."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(1)
    size = {"n_layer": 2, "n_head": 4, "n_embd": 16, "n_positions": 32, "vocab_size": 50257}
    GPT2LMHeadModel(GPT2Config(**size)).save_pretrained(tmp_path)
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(tmp_path))
    model_runs._surveyed.cache.clear()  # a server has one folder, and tests have several
    runs.forget()
    return tmp_path


def test_the_gpt2_of_a_folder_opens_the_same_way(gpt2, language):
    at = open_lesson("one two three", model="folder", layer=2, head=3, cell="scores.3.3.2", lang=language)
    trace = trace_layer(survey(LanguageRun("one two three", model="folder")), 1)
    for step in ("queries", "scores", "weights"):
        np.testing.assert_allclose(figure(at, step).values, drawn(trace[step], head=2), atol=1e-6)
    assert any(each["panel"] for each in components(at))
    assert not [*at.warning, *at.error]


def test_a_folder_that_cannot_be_used_says_why_and_the_other_model_still_works(tmp_path, monkeypatch, language):
    (tmp_path / "config.json").write_text("{")
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(tmp_path))
    at = open_lesson(model="folder", lang=language)
    (error,) = at.error
    assert "config.json" in error.value
    assert not figures(at)
    assert figures(choose(at, model="smollm2"))


def test_a_visitor_cannot_name_a_folder(tmp_path):
    at = open_lesson(model=str(tmp_path))
    assert len(at.warning) == 1
    assert len(figure(at, "all_heads").layout["meta"]["maps"]) == 270


def test_a_tensor_that_is_not_finite_is_named_and_nothing_breaks(gpt2, language):
    tensors = load_file(gpt2 / "model.safetensors")
    tensors["transformer.h.1.mlp.c_fc.weight"][0, 0] = torch.nan
    save_file(tensors, gpt2 / "model.safetensors")
    at = open_lesson("one two three", model="folder", lang=language)
    (error,) = at.error
    assert "h.1.mlp.c_fc.weight" in error.value
    assert not figures(at)


def test_the_sentence_is_the_one_shown_whatever_else_in_the_sidebar_does_not_fit():
    at = choose(open_lesson("one two"), num_heads=3)
    at = choose(at, sentence="one two\nthree four five", item=2)
    assert figure(at, "weights").rows == ["three", "␣four", "␣five"]


def test_equal_passes_are_computed_once_however_many_ask_at_the_same_time(monkeypatch):
    asked = []

    def slowly(run):
        asked.append(run)
        time.sleep(0.2)
        return survey(run)

    monkeypatch.setattr(model_runs, "survey", slowly)
    run_ = LanguageRun("asked for by many at once")
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(model_runs.surveyed, [run_] * 4))
    assert len(asked) == 1 and all(each is made[0] for each in made)


@pytest.mark.parametrize("sentence", ["", "\n\n", "   "])
def test_without_a_sentence_the_first_example_stands_there_as_is_said(sentence, language):
    at = open_lesson(sentence, lang=language)
    assert len(at.error) == 1
    assert figure(at, "weights").rows[0] == "Your"
