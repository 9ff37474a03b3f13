"""``make load``: a class at the same server. Ends with one line of JSON; everything else goes to stderr."""

import argparse
import asyncio
import json
import os
import statistics
import sys

import psutil
import torch

from tests.browser.server import SHIPPED, serve
from tests.load.cpu import milliseconds
from tests.load.crowd import Seen, crowd, report

MEGABYTE = 2**20


async def load(sessions: int, seconds: float, *, churn: bool) -> dict[str, int]:
    """The load on a server of its own, and what came of it."""
    seen, before = Seen(), sum(os.times()[:2])
    with serve() as (address, process):
        server = psutil.Process(process.pid)

        def memory() -> float:
            return float(server.memory_info().rss / MEGABYTE)

        said = asyncio.create_task(report(memory, seen, every=30 if churn else 15))
        await crowd(address, sessions, seconds, churn=churn, seen=seen)
        said.cancel()
        used, busy = memory(), sum(server.cpu_times()[:2]) / seconds
    if min(len(seen.openings), len(seen.changes)) < 2:
        sys.exit(f"only {len(seen.changes)} changes were made within {seconds:g} seconds: too few for a p95")
    for what, times in (("opening a tab", seen.openings), ("a change", seen.changes)):
        half, most = statistics.median(times), _p95(times)
        say(f"{what}: median {1000 * half:.0f} ms, p95 {1000 * most:.0f} ms, longest {1000 * max(times):.0f} ms")
    own = sum(os.times()[:2]) - before
    say(f"CPUs: server {busy:.2f}, this client {own / seconds:.2f}; load average {os.getloadavg()[0]:.1f}")
    for what, found in (("error", seen.errors), ("foreign", seen.foreign)):
        for text, count in found.most_common(5):
            say(f"{what}, {count} times: {text[:300]}")
    return {
        "sessions": sessions,
        "changes": len(seen.changes),
        "errors": seen.errors.total(),
        "foreign_numbers": seen.foreign.total(),
        "p95_ms": round(1000 * _p95(seen.changes)),
        "rss_mb": round(used),
    }


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=100, help="tabs open at the same time")
    parser.add_argument("--seconds", type=float, default=75, help="until no further change is made")
    parser.add_argument("--churn", action="store_true", help="close tabs after half a minute and open others")
    chosen = parser.parse_args()
    torch.set_num_threads(1)  # as the server: two threads sum in another order, and the last bit differs
    if not chosen.churn:
        say("CPU of a change, 32 tokens x 12 heads, beside an empty app's")
        for settings, arguments in (("these settings", ()), ("Streamlit's settings", SHIPPED)):
            ours, empty = asyncio.run(milliseconds(*arguments))
            say(f"{settings:>20}: {ours:.1f} ms, {empty:.1f} ms: {ours / empty:.2f} times")
    print(json.dumps(asyncio.run(load(chosen.sessions, chosen.seconds, churn=chosen.churn))))


if __name__ == "__main__":
    main()
