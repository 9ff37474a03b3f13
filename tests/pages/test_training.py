"""The training lesson: it trains step by step, stops, can be replayed, and takes the learner's own sequence."""

import time
from itertools import islice

import numpy as np
import pytest
import torch

from attention.training import TASKS, Recipe, checkpoint_steps, recommended, restore, trace_layers, train
from tests.pages.app import choose, control, go_back, go_to, open_page, press, run, text
from tests.pages.look import charts, drawn, figure, figures, lines
from ui.lessons import training_controls, training_runs, training_work
from ui.lessons.training_work import Line, checkpoints, look

LAST = len(checkpoint_steps("previous")) - 1


@pytest.fixture(autouse=True)
def nothing_trained(monkeypatch):
    """What one test has trained, or waits for, would be there for the next one."""
    training_work._trainings.clear()
    monkeypatch.setattr(training_work, "_line", Line())


def open_lesson(task="previous", **link):
    tried = recommended(task)
    return open_page("training", **{"task": task, "d_out": tried.d_out, "num_heads": tried.num_heads, **link})


def trained(at):
    """Press Train, and look again as a browser does, until it is over."""
    at.button(key="train").click()
    run(at)
    for _ in range(200):
        if at.session_state["training"].goal is None:
            return at
        run(at)
    raise AssertionError("it does not end")


def test_the_first_paint_shows_the_untrained_heads_and_says_so(language):
    at = open_lesson(lang=language)
    assert text(at, "training.untrained") in [bar.proto.text for bar in at.get("progress")]
    (first,) = islice(train(recommended("previous")), 1)
    assert lines(at, "accuracy")[text(at, "training.accuracy")]["y"][0] == pytest.approx(first.accuracy)


def test_train_trains_what_the_sidebar_says_until_the_accuracy_is_there():
    at = trained(open_lesson(seed=5, num_heads=2, dropout=0.1))
    recipe = Recipe("previous", 32, 2, 0.1, 5)
    expected = list(train(recipe))
    shown = lines(at, "accuracy")[text(at, "training.accuracy")]
    assert shown["x"] == list(checkpoint_steps("previous"))
    np.testing.assert_allclose(shown["y"], [each.accuracy for each in expected])
    np.testing.assert_allclose(lines(at, "loss")[text(at, "training.loss")]["y"], [each.loss for each in expected])
    assert shown["y"][-1] > 0.99
    assert at.query_params["checkpoint"] == str(LAST)


def test_every_score_of_the_best_head_is_drawn_for_each_layer():
    at = open_lesson("induction")
    (first,) = islice(train(recommended("induction")), 1)
    drawn_scores = [card for card in charts(at) if card["step"] == "head_scores"]
    assert len(drawn_scores) == 2
    for layer, shown in enumerate(drawn_scores):
        for name in ("right_cell", "previous", "induction", "first", "self"):
            (line,) = [line for line in shown["figure"]["data"] if line["name"] == text(at, f"training.score.{name}")]
            assert line["y"][0] == pytest.approx(float(first.scores[name][layer].max()))


def test_the_weights_and_every_step_are_those_of_the_checkpoint_shown():
    at = choose(trained(open_lesson()), checkpoint=3)
    checkpoint = next(islice(train(recommended("previous")), 3, None))
    example = TASKS["previous"].read(TASKS["previous"].example)
    logits, (trace,) = trace_layers(restore(recommended("previous"), checkpoint), example.batch, [example.texts])
    for step in ("weights", "queries", "output"):
        np.testing.assert_allclose(figure(at, step).values, drawn(trace[step]), atol=1e-6)
    np.testing.assert_allclose(figure(at, "answers").values, torch.softmax(logits, dim=-1)[0, :, 0].numpy(), atol=1e-6)


def test_the_slider_goes_back_and_the_address_keeps_the_step():
    at = choose(trained(open_lesson()), checkpoint=3)
    assert at.query_params["checkpoint"] == "3"
    again = open_lesson(checkpoint=3)
    for _ in range(50):
        if again.session_state["training"].goal is None:
            break
        run(again)
    assert not again.warning
    assert again.session_state["checkpoint"] == 3
    np.testing.assert_array_equal(figure(again, "weights").values, figure(at, "weights").values)


def test_stop_keeps_what_was_learned_so_far(monkeypatch):
    monkeypatch.setattr(training_work, "SLICE", 0.02)
    at = press(press(open_lesson(), "training.train"), "training.stop")
    reached = at.session_state["checkpoint"]
    assert 0 < reached < LAST
    assert at.session_state["training"].goal is None
    assert run(at).session_state["checkpoint"] == reached


def test_nothing_is_trained_that_nobody_looks_at(monkeypatch):
    monkeypatch.setattr(training_work, "SLICE", 0.02)
    at = press(open_lesson(), "training.train")
    while len(checkpoints(recommended("previous"))) == 1:  # on a busy machine, one look may not get so far
        run(at)
    there = len(checkpoints(recommended("previous")))
    assert 1 < there <= LAST
    go_to(at, "start")
    time.sleep(0.5)
    assert len(checkpoints(recommended("previous"))) == there


def test_another_choice_begins_untrained():
    at = trained(open_lesson())
    assert choose(at, num_heads=2).session_state["checkpoint"] == 0
    assert choose(at, task="reverse").session_state["checkpoint"] == 0


def test_a_button_takes_what_the_task_was_tried_with():
    at = open_page("training", task="two")
    (button,) = [each for each in at.button if each.proto.type == "primary"]
    button.click()
    run(at)
    assert (at.session_state["d_out"], at.session_state["num_heads"]) == (TASKS["two"].d_out, 2)
    assert at.session_state["training"].goal is not None


def test_a_learners_own_sequence_runs_through_the_model():
    at = choose_text(open_lesson(), "abc")
    assert figure(at, "queries").rows == ["a", "b", "c"]
    assert at.query_params["sequence"] == "abc"


def choose_text(at, words):
    (field,) = at.text_input
    field.set_value(words)
    return run(at)


def test_a_sequence_that_cannot_be_read_leaves_the_last_one(language):
    at = choose_text(choose_text(open_lesson(lang=language), "abc"), "a1")
    (error,) = at.error
    assert "1" in error.value
    assert figure(at, "queries").rows == ["a", "b", "c"]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_its_example_and_says_why_it_needs_attention(task, language):
    at = open_lesson(task, lang=language)
    assert any(TASKS[task].example in each.value for each in at.markdown)
    assert control(at, "task").value == task
    steps = [shown.step for shown in figures(at)]
    assert steps.count("learned_weights") == TASKS[task].layers
    assert not at.error


def test_the_second_layer_opens_too():
    at = choose(open_lesson("induction"), training_layer="2")
    checkpoint = next(train(recommended("induction")))
    example = TASKS["induction"].read(TASKS["induction"].example)
    _, traces = trace_layers(restore(recommended("induction"), checkpoint), example.batch, [example.texts])
    np.testing.assert_allclose(figure(at, "queries").values, drawn(traces[1]["queries"]), atol=1e-6)


def test_equal_recipes_are_trained_once_and_others_wait(monkeypatch):
    monkeypatch.setattr(training_work, "SLICE", 0.02)
    first, other = recommended("previous", seed=1), recommended("previous", seed=2)
    assert look(first, LAST).before == 0
    assert look(other, LAST).before == 1
    assert len(checkpoints(other)) == 1, "it was not trained meanwhile"
    while len(checkpoints(first)) <= LAST:
        look(other, LAST)  # also who waits trains the first one
    assert look(first, LAST).before == 0
    assert look(other, LAST).before == 0
    while len(checkpoints(other)) == 1:  # on a busy machine, one look may not get as far as the next checkpoint
        assert look(other, LAST).before == 0


def test_who_does_not_look_again_loses_the_place(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(training_work, "monotonic", lambda: now[0])
    line = Line()
    assert [line.stand(name, 9) for name in ("a", "b", "c")] == [0, 1, 2]
    now[0] = training_work.PATIENCE - 0.5
    assert line.stand("c", 9) == 2
    now[0] = training_work.PATIENCE + 0.1
    assert line.stand("c", 9) == 0


def test_what_is_kept_is_bounded_by_what_it_really_takes():
    recipe = recommended("previous")
    training = training_work.training_of(recipe)
    training.advance(LAST)
    taken = sum(parameter.nbytes for each in training.checkpoints for parameter in each.parameters.values())
    assert training_work._trainings.currsize == pytest.approx(taken, rel=0.01)
    wide = [Recipe("induction", 128, 16, 0.0, seed) for seed in range(3)]
    for each in wide:
        training_work.training_of(each)
    assert checkpoints(recipe) == [training_work.untrained(recipe)], "given up for others"


def test_a_training_given_up_for_others_is_trained_again_to_the_same_numbers():
    at = choose(trained(open_lesson()), checkpoint=5)
    before = figure(at, "weights").values
    training_work._trainings.clear()
    training_runs.answers_of.cache.clear()
    for _ in range(50):
        if run(at).session_state["training"].goal is None:
            break
    assert at.session_state["checkpoint"] == 5
    np.testing.assert_array_equal(figure(at, "weights").values, before)


def test_a_link_that_is_opened_later_brings_its_own_step_and_sequence():
    at = open_lesson()
    go_back(at, task="reverse", checkpoint=3, sequence="abcdef")
    for _ in range(50):
        if run(at).session_state["training"].goal is None:
            break
    assert not at.warning
    assert (at.session_state["checkpoint"], at.session_state["sequence"]) == (3, "abcdef")
    assert figure(at, "queries").rows[:6] == list("abcdef")


def test_the_seconds_left_do_not_count_the_time_in_line(monkeypatch):
    now = [0.0]
    for module in (training_work, training_controls):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(training_work, "SLICE", 1e9)
    training_work._line.stand(recommended("reverse"), 1)  # others come first
    at = press(open_lesson(), "training.train")
    assert text(at, "training.waiting", before=1) in [bar.proto.text for bar in at.get("progress")]
    now[0] = 100.0  # they have left
    run(at)
    now[0] = 101.0
    run(at)
    shown = at.session_state["checkpoint"]
    said = {"step": checkpoint_steps("previous")[shown], "steps": checkpoint_steps("previous")[LAST]}
    left = (LAST - shown) / (shown - 0)
    assert [bar.proto.text for bar in at.get("progress")] == [
        text(at, "training.progress", seconds=f"{left:.0f}", **said)
    ]


def test_a_sequence_beyond_the_limit_is_left_out_of_a_link():
    at = open_lesson(sequence="a" * 401)
    (warning,) = at.warning
    assert "401" in warning.value and "400" in warning.value
