"""Training finds the pattern, and equal recipes give equal checkpoints, whatever others do meanwhile."""

import threading
from dataclasses import replace
from itertools import islice

import pytest
import torch
from torch.nn.functional import cross_entropy

from attention import Experiment, seeded
from attention.training import NONE, TASKS, Recipe, checkpoint_steps, recommended, restore, trace_layers, train
from attention.training.checkpoint import held_out
from attention.training.loop import Adam, attend_with_dropout

DROPPED = Recipe("previous", 32, 2, 0.5, 7)


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    """As on the server: two threads sum in another order, and wait for one another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def trained():
    """All checkpoints of the quickest task."""
    return list(train(recommended("previous")))


def same(one, other):
    numbers = [(one.step, one.loss, one.accuracy), (other.step, other.loss, other.accuracy)]
    return numbers[0] == numbers[1] and all(
        torch.equal(getattr(one, part)[name], tensor)
        for part in ("parameters", "scores")
        for name, tensor in getattr(other, part).items()
        if not tensor.isnan().any()
    )


def test_training_finds_the_previous_token(trained):
    assert trained[0].accuracy < 0.2
    assert trained[-1].accuracy >= 0.99
    assert trained[-1].loss < 0.5 < trained[0].loss
    assert trained[0].scores["previous"].max() < 0.5
    assert trained[-1].scores["previous"].max() > 0.95
    assert trained[-1].scores["right_cell"].max() > 0.95


def test_training_finds_a_pattern_that_no_position_tells():
    *_, last = train(recommended("largest"))
    assert last.accuracy >= 0.99
    assert last.scores["right_cell"].max() > 0.9


def test_the_checkpoints_are_those_announced(trained):
    assert tuple(checkpoint.step for checkpoint in trained) == checkpoint_steps("previous")


@pytest.mark.parametrize("task", TASKS)
def test_there_is_enough_to_measure_on_and_every_head_is_scored(task):
    assert (held_out(task)[1].targets != NONE).all(dim=-1).sum() >= 512
    first = next(train(recommended(task)))
    shape = (TASKS[task].layers, recommended(task).num_heads)
    assert set(first.scores) == {"previous", "induction", "first", "self", "right_cell"}
    assert all(score.shape == shape for score in first.scores.values())


def test_accuracy_loss_and_right_cell_are_what_their_names_say():
    recipe = recommended("two")
    first = next(train(recipe))
    ids, solution = held_out("two")
    logits, traces = trace_layers(restore(recipe, first), ids)
    asked = [(item, query) for item in range(len(ids)) for query in range(2, ids.shape[1])]
    right = [logits[cell].argmax(-1).tolist() == solution.targets[cell].tolist() for cell in asked]
    assert first.accuracy == pytest.approx(sum(right) / len(right))
    losses = torch.stack([cross_entropy(logits[cell], solution.targets[cell]) for cell in asked])
    assert first.loss == pytest.approx(losses.mean().item(), rel=1e-5)
    weights = traces[0]["weights"].value
    for head in range(2):
        on = [[weights[item, head, query, query - back].item() for item, query in asked] for back in (1, 2)]
        expected = max(sum(each) / len(each) for each in on)
        assert first.scores["right_cell"][0, head].item() == pytest.approx(expected, rel=1e-4)


def test_a_checkpoint_is_a_copy_from_which_the_model_comes_back(trained):
    recipe, first, last = recommended("previous"), trained[0], trained[-1]
    fresh = recipe.build()
    assert all(torch.equal(first.parameters[name], each) for name, each in fresh.named_parameters())
    model = restore(recipe, last)
    assert not model.training
    assert all(torch.equal(last.parameters[name], each) for name, each in model.named_parameters())
    logits, _ = trace_layers(model, held_out("previous")[0])
    asked = held_out("previous")[1].targets != NONE
    hits = (logits.argmax(-1) == held_out("previous")[1].targets)[asked]
    assert hits.float().mean().item() == last.accuracy
    assert all(each.dtype == torch.float32 and not each.requires_grad for each in last.parameters.values())
    assert last.nbytes == 4 * sum(each.numel() for each in last.parameters.values())


def test_a_model_comes_back_without_a_draw_or_a_turn_at_the_generator_of_the_process(trained):
    restored = []
    thread = threading.Thread(target=lambda: restored.append(restore(recommended("previous"), trained[-1])))
    state = torch.get_rng_state()
    with seeded(1):
        thread.start()
        thread.join(10)
        assert restored, "it waits for others who draw"
    restore(recommended("previous"), trained[0])
    assert torch.equal(torch.get_rng_state(), state)
    with pytest.raises(RuntimeError, match="size mismatch"):
        restore(Recipe("previous", 64, 1), trained[-1])


def test_equal_recipes_give_equal_checkpoints_whatever_others_draw_meanwhile():
    alone = list(islice(train(DROPPED), 6))
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            with seeded(1):
                torch.rand(3)
            Experiment(mode="train", dropout=0.5).run()

    disturber = threading.Thread(target=disturb)
    disturber.start()
    try:
        in_a_thread = []
        trainer = threading.Thread(target=lambda: in_a_thread.extend(islice(train(DROPPED), 6)))
        trainer.start()
        here = list(islice(train(DROPPED), 6))
        trainer.join()
    finally:
        stop.set()
        disturber.join()
    assert len(in_a_thread) == len(here) == 6
    assert all(map(same, alone, here))
    assert all(map(same, alone, in_a_thread))


def test_draws_from_the_generator_of_the_process_change_no_checkpoint():
    alone = list(islice(train(DROPPED), 4))
    disturbed = []
    for checkpoint in islice(train(DROPPED), 4):
        disturbed.append(checkpoint)
        torch.rand(5)
    assert all(map(same, alone, disturbed))


def test_dropout_in_training_is_that_of_the_formula():
    attention = DROPPED.build().attentions[0]
    x = torch.randn(64, 10, 32, generator=torch.Generator().manual_seed(1))
    attend = attend_with_dropout(0.25, torch.Generator().manual_seed(2))
    dropped = []

    class Spied:
        def __call__(self, x, tap):
            return attention(x, lambda name, value: self.keep(name, value, tap(name, value)))

        def keep(self, name, before, after):
            if name == "dropped_weights":
                dropped.extend((before, after))
            return after

    attend(0, Spied(), x)
    weights, after = dropped
    seen = weights > 0
    kept = after[seen] > 0
    assert kept.float().mean().item() == pytest.approx(0.75, abs=0.02)
    torch.testing.assert_close(after[seen][kept], weights[seen][kept] / 0.75)


def test_without_dropout_training_runs_the_plain_attention():
    attention = DROPPED.build().attentions[0]
    x = torch.randn(2, 10, 32, generator=torch.Generator().manual_seed(1))
    assert torch.equal(attend_with_dropout(0, torch.Generator())(0, attention, x), attention(x))


def test_dropout_and_seed_change_what_is_learned():
    def third(recipe):
        return list(islice(train(recipe), 3))[-1]

    other = [replace(DROPPED, seed=8), replace(DROPPED, dropout=0.0)]
    assert not any(same(third(DROPPED), third(recipe)) for recipe in other)


def test_training_changes_nothing_outside_and_holds_nothing_between_checkpoints():
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    training = train(DROPPED)
    for _ in range(3):
        next(training)
        entered = threading.Event()

        def enter(entered=entered):
            with seeded(1):
                entered.set()

        thread = threading.Thread(target=enter)
        thread.start()
        assert entered.wait(10)
        thread.join()
        assert torch.is_grad_enabled()
    training.close()
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads


def test_the_optimiser_is_adam_of_the_paper():
    """Kingma and Ba 2015, algorithm 1, number by number."""
    parameter, gradients, rate = torch.tensor([1.0, -2.0]), [[0.3, -4.0], [0.1, 5.0], [-2.0, 0.0]], 0.01
    optimiser = Adam([parameter])
    expected, mean, square = [1.0, -2.0], [0.0, 0.0], [0.0, 0.0]
    for step, gradient in enumerate(gradients, start=1):
        optimiser.step((torch.tensor(gradient),), rate)
        for i, g in enumerate(gradient):
            mean[i] = 0.9 * mean[i] + 0.1 * g
            square[i] = 0.999 * square[i] + 0.001 * g * g
            corrected = mean[i] / (1 - 0.9**step), square[i] / (1 - 0.999**step)
            expected[i] -= rate * corrected[0] / (corrected[1] ** 0.5 + 1e-8)
        assert parameter.tolist() == pytest.approx(expected, rel=1e-5)
