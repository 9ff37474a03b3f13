"""The load test, small: it runs, and it does see the numbers of somebody else."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch

from tests.browser.server import serve
from tests.load.crowd import Seen, crowd, look
from tests.load.learner import Learner
from tests.load.tab import Tab


def run(visit: Coroutine[object, object, None]) -> None:
    """In a thread of its own: the browser tests leave a loop running in this one."""
    with ThreadPoolExecutor() as elsewhere:
        elsewhere.submit(asyncio.run, visit).result()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve() as (address, _):
        yield address


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As the server: what two threads add up may differ in the last bit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_every_learner_sees_their_own_numbers(address: str) -> None:
    seen = Seen()
    run(crowd(address, 3, 60, opening=0, most=2, hurry=20, seen=seen))
    assert len(seen.openings) == 3
    assert len(seen.changes) == 6
    assert not seen.errors
    assert not seen.foreign


@pytest.mark.parametrize("number", range(2, 8), ids=lambda number: Learner(number).page)
def test_numbers_of_somebody_else_are_found(address: str, number: int) -> None:
    learner = Learner(number)
    seen = Seen()

    async def visit() -> None:
        tab = await Tab.open(address, learner.path, learner.query())
        look(tab, learner, seen)
        assert not seen.foreign
        learner.experiment = replace(learner.experiment, seed=learner.experiment.seed ^ 1)
        look(tab, learner, seen)
        await tab.close()

    run(visit())
    assert seen.foreign.total() == 1


def test_an_error_on_the_page_is_counted(address: str) -> None:
    learner = Learner(0)
    seen = Seen()

    async def visit() -> None:
        tab = await Tab.open(address, learner.path, learner.query())
        await tab.change("sentence", "")
        look(tab, learner, seen)
        await tab.close()

    run(visit())
    assert seen.errors.total() == 1


def test_controls_that_a_change_does_not_draw_again_can_still_be_moved(address: str) -> None:
    learner, seen = Learner(0), Seen()

    async def visit() -> None:
        tab = await Tab.open(address, learner.path, learner.query())
        for seed in (5, 6):
            await tab.change("seed", seed)
        learner.experiment = replace(learner.experiment, seed=6)
        look(tab, learner, seen)
        await tab.change("sentence", "")
        look(tab, learner, seen)
        await tab.close()

    run(visit())
    assert not seen.foreign and seen.errors.total() == 1
