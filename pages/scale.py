"""Why scores are divided by the square root of d_k: what happens without the division, and the learner's own scores."""

from functools import partial

import streamlit as st

from attention import Experiment, scaling
from ui import door, selection
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, script, section, sizes
from ui.lessons.scale import gradient_card, largest_card, own_spreads, row_card, spread_card
from ui.pick import head_picked, pick_head, slide
from ui.plot import plots
from ui.runs import run
from ui.steps import card
from ui.words import t


def lesson(experiment: Experiment) -> None:
    trace = run(experiment)
    head = head_picked(experiment.num_heads)
    selection.move_to(trace, head)
    seed = experiment.seed
    roots = {"root": experiment.head_dim**0.5, "root_d_out": experiment.d_out**0.5}

    section("scale", "spread", rows=scaling.SENTENCES * scaling.TOKENS, keys=scaling.TOKENS)
    plots([spread_card(seed)], trace, key="scale_spread", across=1)

    d_k = st.session_state.d_k
    section("scale", "softmax", d_k=d_k, root=d_k**0.5)
    slide("d_k", scaling.WIDTHS)
    plots([row_card(d_k, seed), largest_card(seed)], trace, key="scale_softmax", across=2)

    section("scale", "gradient")
    plots([gradient_card(seed)], trace, key="scale_gradient", across=1)

    section("scale", "own", **sizes(experiment), **roots)
    pick_head(experiment.num_heads)
    before, after = own_spreads(experiment, trace, head)
    with st.container(horizontal=True):
        st.metric(t("scale.metric_head_dim"), experiment.head_dim)
        st.metric(t("scale.metric_root"), f"{roots['root']:.3f}")
        st.metric(t("scale.metric_before"), f"{before:.4f}")
        st.metric(t("scale.metric_after"), f"{after:.4f}")
    plots(
        [card(trace, name, head=head) for name in ("masked_scores", "scaled_scores")],
        trace,
        key="scale_own",
        across=2,
        opens=True,
    )
    foot(partial(run, experiment), head=head)
    programs(script(experiment))


open_lesson("scale")
door.show(lesson)
close_lesson("scale", scaling)
