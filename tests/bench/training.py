"""``make bench-training``: does every task find its pattern with every seed, and how long does it take?"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from attention.training import TASKS, Checkpoint, Recipe, recommended, train

ROOT = Path(__file__).parents[2]
SEEDS = (1, 2, 3, 4, 5)


def best(checkpoint: Checkpoint, score: str, layer: int) -> float:
    """The score of the layer's best head."""
    return round(checkpoint.scores[score][layer].max().item(), 3)


def measure(recipe: Recipe) -> dict[str, str | int | float | None]:
    """One training run. `solved_at`: the step of the first of the checkpoints that stay at 99 % or more."""
    begin = time.perf_counter()
    training = train(recipe)
    checkpoints = [next(training)]
    first = time.perf_counter() - begin
    checkpoints.extend(training)
    seconds = time.perf_counter() - begin
    last = checkpoints[-1]
    unsolved = [checkpoint.step for checkpoint in checkpoints if checkpoint.accuracy < 0.99]
    layers = TASKS[recipe.task].layers
    row: dict[str, str | int | float | None] = {
        "task": recipe.task,
        "seed": recipe.seed,
        "steps": last.step,
        "solved_at": next((each.step for each in checkpoints if each.step > max(unsolved, default=-1)), None),
        "first_s": round(first, 3),
        "seconds": round(seconds, 2),
        "accuracy": round(last.accuracy, 4),
        "right_cell": best(last, "right_cell", layers - 1),
        "bytes": last.nbytes,
    }
    if layers == 2:
        row |= {"previous": best(last, "previous", 0), "induction": best(last, "induction", 1)}
    return row


def main(seeds: Sequence[int] = SEEDS) -> None:
    torch.set_num_threads(1)  # as the server
    rows = []
    print("task        seed steps  99 % at  first s  seconds  accuracy  right cell  previous  induction   bytes")
    for task in TASKS:
        for seed in seeds:
            row = measure(recommended(task, seed))
            rows.append(row)
            print(
                f"{task:10} {seed:5} {row['steps']:5} {row['solved_at'] or '-':>8} {row['first_s']:8}"
                f" {row['seconds']:8} {row['accuracy']:9.4f} {row['right_cell']:11.3f} {row.get('previous', ''):>9}"
                f" {row.get('induction', ''):>10} {row['bytes']:7}",
                flush=True,
            )
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "bench-training.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or SEEDS)
