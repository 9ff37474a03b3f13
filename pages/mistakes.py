"""Ten common mistakes: the line one typed, what it breaks beside the right run, the figure that proves it."""

from functools import partial

import streamlit as st

from attention import Experiment, LearnerError
from attention.mistakes import MISTAKES, diff, measure, run_mistaken, showing, source
from ui import door, notice, reading, selection
from ui.errors import message
from ui.foot import foot
from ui.lesson import close_lesson, open_lesson, programs, say_untrained, sizes
from ui.lessons.mistakes import bars, beside, changes, differ, has_heads, pairs, program, shows_nan
from ui.numbers import number
from ui.pick import pick, pick_head
from ui.plot import plots
from ui.runs import mistaken, run
from ui.words import t


def lesson(own: Experiment) -> None:
    name = pick("mistake", list(MISTAKES), {name: t(f"mistakes.{name}.name") for name in MISTAKES})
    mistake = MISTAKES[name]
    try:
        experiment = showing(own, name)
    except LearnerError as error:  # two heads are too many for this batch
        notice.error(t("mistakes.two_heads", why=message(error)))
        experiment = own
    right, wrong = run(experiment), mistaken(experiment, name)
    item = reading.item(right)
    numbers = {
        **sizes(experiment),
        "root": experiment.head_dim**0.5,
        "p": experiment.dropout,
        "rescale": 1 / (1 - experiment.dropout),
        "kept": 1 - experiment.dropout,
    }

    st.markdown(t("mistakes.typed", sentence=t(f"mistakes.{name}.typed")))
    st.code(diff(mistake), language="diff")
    st.markdown(t("mistakes.broken", sentence=t(f"mistakes.{name}.broken", **numbers)))
    if changes(own, experiment):
        st.caption(changes(own, experiment))
    head, one_head = 0, has_heads(mistake, right)
    if one_head and experiment.num_heads > 1:
        head = pick_head(experiment.num_heads)
        selection.move_to(right, head)

    st.markdown(t("mistakes.proof", figure=t(f"mistakes.proofs.{mistake.proof}")))
    expected, figures = (measure(each, right, item)[mistake.proof] for each in (right, wrong))
    with st.container(horizontal=True):
        for side, figure in (("right", expected), ("mistaken", figures)):
            said = str(figure) if mistake.proof == "nan_count" else number(figure)
            st.metric(t(f"mistakes.{side}").capitalize(), said)
    if not differ(expected, figures):
        st.info(t("mistakes.same"))
    plots(pairs(experiment, mistake, right, wrong, head), right, key="mistakes_steps", across=2, opens=True)
    if per_query := bars(mistake, right, wrong, head):
        plots(per_query, right, key="mistakes_bars", across=1)
    if shows_nan(mistake, wrong, item):
        st.caption(t("mistakes.nan"))
    st.markdown(t("mistakes.notice", sentence=t(f"mistakes.{name}.notice")))
    other_run = partial(beside, experiment, name, item)
    foot(partial(run, experiment), head=head if one_head else None, remark=other_run)
    programs(program(experiment, name, item), source(mistake))


open_lesson("mistakes")
door.show(lesson)
say_untrained()
close_lesson("mistakes", run_mistaken)
