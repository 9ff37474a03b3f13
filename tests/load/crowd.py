"""Many learners at once: each opens a tab, moves a control every few seconds, and looks for numbers not its own."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random

from websockets.exceptions import WebSocketException

from tests.load.learner import Learner
from tests.load.numbers import foreign
from tests.load.tab import Tab

OPENING = 20  # seconds in which all tabs are opened
STAY = (20, 40)  # seconds after which a tab is closed and another one opened, where they come and go
RETRY = 3  # seconds after a tab that failed


@dataclass
class Seen:
    """What the crowd has met with so far."""

    changes: list[float] = field(default_factory=list)  # seconds from the control to the last byte
    openings: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)


async def crowd(
    address: str,
    sessions: int,
    seconds: float,
    *,
    churn: bool = False,
    opening: float = OPENING,
    most: int | None = None,
    hurry: float = 1,
    seen: Seen,
) -> None:
    """Keep ``sessions`` tabs at work until ``seconds`` are over; what happens goes into ``seen``.

    churn: a tab is closed after half a minute and another learner comes, with another experiment.
    most: changes in a tab; hurry: how much faster than a person, for a short test.
    """
    end = time.perf_counter() + seconds

    async def seat(place: int) -> None:
        """One place in the room, taken by one learner after the other."""
        chance, number = Random(place), place
        await asyncio.sleep(opening * place / sessions)
        while time.perf_counter() < end:
            leave = min(end, time.perf_counter() + chance.uniform(*STAY)) if churn else end
            try:
                await _visit(address, Learner(number), leave, most, hurry, seen)
            except (OSError, TimeoutError, KeyError, WebSocketException) as error:
                seen.errors[f"{type(error).__name__}: {error}"] += 1
                await asyncio.sleep(RETRY)
            if not churn:
                break
            number += sessions

    await asyncio.gather(*map(seat, range(sessions)))


async def _visit(address: str, learner: Learner, leave: float, most: int | None, hurry: float, seen: Seen) -> None:
    begin = time.perf_counter()
    async with _opened(address, learner) as tab:
        seen.openings.append(time.perf_counter() - begin)
        look(tab, learner, seen)
        for _ in count() if most is None else range(most):
            pause = learner.pause() / hurry
            if time.perf_counter() + pause > leave:
                break
            await asyncio.sleep(pause)
            seen.changes.append(await tab.change(*learner.move()))
            look(tab, learner, seen)


@asynccontextmanager
async def _opened(address: str, learner: Learner) -> AsyncIterator[Tab]:
    tab = await Tab.open(address, learner.path, learner.query())
    try:
        yield tab
    finally:
        await tab.close()


def look(tab: Tab, learner: Learner, seen: Seen) -> None:
    """Count what went wrong in the run that just ended."""
    seen.errors.update(tab.errors)
    tab.errors.clear()
    wrong = foreign(tab.data, learner.experiment)
    if wrong:
        seen.foreign[f"{learner.page} of learner {learner.number}: {', '.join(wrong)}"] += 1


async def report(memory: Callable[[], float], seen: Seen, every: float) -> None:
    """Say to stderr, time and again, how much memory the server has; ends when it is cancelled."""
    begin = time.perf_counter()
    while True:
        await asyncio.sleep(every)
        print(
            f"{time.perf_counter() - begin:5.0f} s: {memory():4.0f} MB, {len(seen.openings)} tabs opened, "
            f"{len(seen.changes)} changes, {seen.errors.total()} errors",
            file=sys.stderr,
            flush=True,
        )
