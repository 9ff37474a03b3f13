"""One learner's numbers are never another's."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from attention import Experiment, seeded
from attention.randomness import drawn_row


def test_the_block_draws_what_manual_seed_draws():
    with seeded(123):
        inside = torch.rand(5)
    assert torch.equal(inside, torch.rand(5, generator=torch.Generator().manual_seed(123)))


def global_state():
    return (
        torch.get_rng_state().tolist(),
        torch.get_default_dtype(),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_no_global_state_changes_even_after_an_error(dtype):
    torch.set_default_dtype(dtype)
    try:
        before = global_state()
        trace = Experiment(mode="train", dropout=0.5, positions="learned").run()
        assert trace["output"].value.dtype == torch.float32
        with pytest.raises(KeyError), seeded(1):
            torch.rand(3)
            raise KeyError
        assert global_state() == before
    finally:
        torch.set_default_dtype(torch.float32)


def test_equal_experiments_give_equal_numbers_whatever_happened_before():
    experiment = Experiment(mode="train", dropout=0.5)
    first = experiment.run()
    torch.manual_seed(99)
    torch.rand(7)
    again = Experiment(mode="train", dropout=0.5).run()
    assert all(torch.equal(first[name].value, again[name].value) for name in first)
    other = Experiment(mode="train", dropout=0.5, seed=124).run()
    assert not torch.equal(first["queries"].value, other["queries"].value)


def test_learners_in_other_threads_change_nothing():
    experiments = [Experiment(mode="train", dropout=0.5, seed=seed) for seed in range(4)]
    expected = [experiment.run()["output"].value for experiment in experiments]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda i: experiments[i % 4].run()["output"].value, range(80)))
    assert all(torch.equal(result, expected[i % 4]) for i, result in enumerate(results))


def test_a_second_thread_waits_for_its_turn():
    inside, log = threading.Event(), []

    def second():
        inside.wait()
        with seeded(2):
            log.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with seeded(1), seeded(1):  # one thread may nest
        inside.set()
        thread.join(0.05)
        log.append("first")
    thread.join()
    assert log == ["first", "second"]


def test_a_row_depends_on_its_table_its_seed_and_its_number_only():
    row = drawn_row("token", 1, 2, 4)
    assert torch.equal(row, drawn_row("token", 1, 2, 4))
    others = [drawn_row("position", 1, 2, 4), drawn_row("token", 2, 2, 4), drawn_row("token", 1, 3, 4)]
    assert not any(torch.equal(row, other) for other in others)
    far = drawn_row("token", 1, 2 + 2**32, 4)  # mt19937 itself would confuse the two
    assert not torch.equal(row, far)
