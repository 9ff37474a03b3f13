"""The server's CPU time for one change of a control, beside the same in an app that does nothing."""

import asyncio
import statistics

import psutil

from attention.checks import MAX_D_IN
from tests.browser.server import ROOT, serve
from tests.load.learner import Learner
from tests.load.tab import Tab

APP, EMPTY = ROOT / "app.py", ROOT / "tests" / "bench" / "empty_app.py"
LARGE = Learner(1)  # all heads of 32 tokens x 12 heads
CHANGES = 20  # of d_in, in a row
ROUNDS = 5  # one app, then the other
REST = 2.0  # seconds: a server that has just loaded torch is busy for a while


async def milliseconds(*arguments: str) -> tuple[float, float]:
    """CPU milliseconds of a change, here and in the empty app, both served with ``arguments``: medians over rounds."""
    with serve(APP, *arguments) as (address, app), serve(EMPTY, *arguments) as (empty, floor):
        await asyncio.sleep(REST)
        tabs = await Tab.open(address, LARGE.path, LARGE.query()), await Tab.open(empty, "", "")
        servers = psutil.Process(app.pid), psutil.Process(floor.pid)
        rounds = [
            [await _round(tab, server, turn) for tab, server in zip(tabs, servers, strict=True)]
            for turn in range(ROUNDS + 1)
        ]
        for tab in tabs:
            await tab.close()
    ours, theirs = (statistics.median(times) for times in zip(*rounds[1:], strict=True))
    return ours, theirs


async def _round(tab: Tab, server: psutil.Process, turn: int) -> float:
    before = server.cpu_times()
    for change in range(CHANGES):
        await tab.change("d_in", 1 + (turn * CHANGES + change) % MAX_D_IN)
    after = server.cpu_times()
    return float(1000 * (after.user + after.system - before.user - before.system) / CHANGES)
