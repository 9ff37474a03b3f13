"""What tracing costs, and what our class costs beside the one that learners type in."""

import statistics
import time
from collections.abc import Callable

import torch

from attention import MultiHeadAttention, trace
from tests.attention.seeds import MultiHeadAttention as SeedAttention

PAIRS = 300


def pass_ratios() -> dict[str, float]:
    """Medians of ratios over neighbouring runs: 32 tokens, 64 dimensions, 4 heads."""
    torch.manual_seed(123)
    x = torch.randn(1, 32, 64)
    ours, seed = MultiHeadAttention(64, 64, 32, 0.0, 4).eval(), SeedAttention(64, 64, 32, 0.0, 4).eval()
    with torch.no_grad():
        return {
            "traced_over_plain": _ratio(lambda: trace(ours, x), lambda: ours(x)),
            "plain_over_seed": _ratio(lambda: ours(x), lambda: seed(x)),
        }


def _ratio(one: Callable[[], object], other: Callable[[], object]) -> float:
    pairs = [(_seconds(one), _seconds(other)) for _ in range(PAIRS)]
    return round(statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs), 3)


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
