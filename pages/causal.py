"""CausalAttention, the single head, step by step."""

from functools import partial

from attention import CausalAttention, Experiment
from ui import door
from ui.controls import offer_book
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, script, section
from ui.plot import plots
from ui.runs import run
from ui.steps import SCORES, card

PARTS = {
    "project": ("inputs", "queries", "keys", "values"),
    "score": SCORES,
    "weigh": ("weights", "dropped_weights"),
    "context": ("context",),
}


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    numbers = {
        "d_out": experiment.d_out,
        "root": experiment.d_out**0.5,
        "rescale": 1 / (1 - experiment.dropout),
    }
    for part, names in PARTS.items():
        section("causal", part, **numbers)
        plots(
            [card(trace, name) for name in names],
            trace,
            key=f"causal_{part}",
            across=max(2, len(names)),
            opens=True,
        )
    foot(partial(run, experiment))
    programs(script(experiment))


open_lesson("causal")
offer_book()
say_untrained()
door.show(lesson)
close_lesson("causal", CausalAttention)
