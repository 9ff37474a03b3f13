"""How many examples each property gets: its share of FUZZ_EXAMPLES, which `make fuzz` sets to 10,000."""

import functools
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy

FEW = 600  # in `make test`: the same ones each time, so that a change is all that can make it fail
ALL = int(os.environ.get("FUZZ_EXAMPLES", FEW))
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)  # whole pages, long texts

ran: Counter[str] = Counter()


def holds_for(percent: float, **drawn: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The property holds for what is ``drawn``: tried with ``percent`` of all examples, and counted."""
    options = settings(
        max_examples=max(1, round(ALL * percent / 100)),
        deadline=None,
        derandomize=ALL == FEW,
        database=None,
        suppress_health_check=SLOW,
    )

    def decorate(promise: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(promise)
        def counted(*args: Any, **values: Any) -> None:
            ran[promise.__name__] += 1
            promise(*args, **values)

        return options(given(**drawn)(counted))

    return decorate
