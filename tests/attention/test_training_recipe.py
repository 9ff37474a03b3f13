"""Every choice of a training run is checked, and what it takes is known beforehand."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from attention import MAX_D_OUT, MAX_HEADS, MAX_SEED, LearnerError
from attention.training import TASKS, Recipe, checkpoint_steps, checkpoints_of, recommended
from attention.training.recipe import CHECKPOINTS

WRONG = [
    ({"task": "sorting"}, "unknown_choice"),
    ({"task": None}, "unknown_choice"),
    ({"d_out": 0}, "out_of_range"),
    ({"d_out": MAX_D_OUT + 1}, "out_of_range"),
    ({"d_out": 32.0}, "not_whole_number"),
    ({"num_heads": 0}, "out_of_range"),
    ({"num_heads": MAX_HEADS + 1}, "out_of_range"),
    ({"num_heads": True}, "not_whole_number"),
    ({"num_heads": 3}, "heads_do_not_divide"),
    ({"dropout": 1}, "dropout_of_one"),
    ({"dropout": -0.1}, "dropout_out_of_range"),
    ({"dropout": float("nan")}, "dropout_out_of_range"),
    ({"dropout": "0.1"}, "not_number"),
    ({"seed": -1}, "out_of_range"),
    ({"seed": MAX_SEED + 1}, "out_of_range"),
    ({"seed": "1"}, "not_whole_number"),
]


@pytest.mark.parametrize(("choices", "code"), WRONG, ids=range(len(WRONG)))
def test_choices_that_cannot_be_trained_are_refused(choices, code):
    with pytest.raises(LearnerError) as refused:
        Recipe(**({"task": "previous", "d_out": 32, "num_heads": 1} | choices))
    assert refused.value.code == code


def test_a_recipe_is_a_key():
    recipe = Recipe("sort", 32, 1, 0.0, 5)
    assert {recipe: 1}[recommended("sort", seed=5)] == 1
    assert hash(replace(recipe, seed=6)) != hash(recipe)
    with pytest.raises(AttributeError):
        recipe.seed = 1


@pytest.mark.parametrize("task", TASKS)
def test_the_checkpoints_are_known_beforehand(task):
    steps = checkpoint_steps(task)
    assert steps[0] == 0
    assert steps[-1] == TASKS[task].steps
    assert list(steps) == sorted(set(steps))
    assert len(steps) == checkpoints_of(task) <= 1 + CHECKPOINTS
    gaps = {after - before for before, after in pairwise(steps)}
    assert len(gaps - {steps[-1] - steps[-2]}) <= 1  # only the last gap may be shorter


def test_an_unknown_task_has_no_recommended_recipe():
    with pytest.raises(LearnerError, match="task = 'chess' is not known"):
        recommended("chess")


def test_the_first_parameters_follow_from_the_seed():
    def embedding(seed):
        return recommended("previous", seed).build().embedding.weight

    assert torch.equal(embedding(1), embedding(1))
    assert not torch.equal(embedding(1), embedding(2))
