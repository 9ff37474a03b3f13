"""A real language model: the learner's sentence through all its layers and heads, each of which opens."""

from functools import partial

import streamlit as st

from attention import Experiment
from attention.language import trace_layer
from ui import door, reading, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, section
from ui.lessons import model_choice as choice
from ui.lessons.model import all_heads_card, arcs_card, has_bytes, next_card, program
from ui.lessons.model_runs import layer_trace
from ui.plot import plots
from ui.rerun import lesson_only
from ui.steps import card, strip
from ui.words import t


def lesson(experiment: Experiment) -> None:
    name = choice.model_name()
    if name is None:
        st.info(t("model.missing"))
    passed = choice.passed(name, experiment) if name else None
    if name is None or passed is None:
        return

    made, trace, head, layer = passed.made, passed.trace, passed.head, passed.layer
    sizes = {"layers": passed.model.num_layers, "heads": passed.model.num_heads}
    query = reading.query(trace)
    selection.move_to(trace, head)
    st.markdown(t(f"model.about.{name}", **sizes))

    section("model", "next", tokens=len(made.tokens.ids))
    if has_bytes(made):
        st.caption(t("model.bytes"))
    plots([next_card(passed.untouched, made)], trace, key="model_next", across=1)

    section("model", "all", **sizes)
    pick = partial(choice.look_at_map, sizes["layers"])
    plots([all_heads_card(made, layer, head)], trace, key="model_all", across=1, on_pick=pick)
    choice.ranking(made, query)

    st.subheader(t("model.part_one", layer=layer + 1, head=head + 1), anchor=False)
    plots([arcs_card(trace, head, query)], trace, key="model_arcs", across=1)
    words = strip(made.tokens.texts, made.tokens.pieces_of, t("model.strip"))
    steps = [card(trace, step, head=head) for step in ("inputs", *trace)]
    plots(steps, trace, key="model_steps", across=2, opens=True)
    foot(partial(layer_trace, made.run, layer), head=head, strip=words, on_query=lesson_only)
    programs(program(made.run, layer), type(trace.module))


open_lesson("model")
door.show(lesson)
close_lesson("model", trace_layer)
