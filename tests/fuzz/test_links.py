"""Any address: the page has its figures, each the experiment that the code panel says, and can be opened again."""

import numpy as np
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from attention.experiment_checks import CHOICES
from tests.fuzz.examples import holds_for
from tests.fuzz.typed import sendable, texts
from tests.pages.app import experiment_of, open_page, text
from tests.pages.look import as_sent, components, drawn, figures
from ui.lesson import ORDER
from ui.parameters import PARAMETERS, STEPS

PLAIN = ("start", "causal", "multihead")  # their figures are the experiment itself
WORDS = (
    "all",
    "True",
    "false",
    "0",
    "1",
    "3",
    "16",
    "0.5",
    "1.0",
    "-1",
    "1e-9",
    "٤",
    "01-00",
    "drawn",
    "zh",
    "nan",
    "",
)
NAMES = st.sampled_from([*PARAMETERS, "lang"])
CELLS = st.builds(
    lambda step, places: ".".join([step, *map(str, places)]),
    st.sampled_from(STEPS),
    st.lists(st.integers(1, 5) | st.integers(0, 9999), min_size=2, max_size=3),
)
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from([name for names in CHOICES.values() for name in names]),
    CELLS,
    st.integers(-1, 20).map(str) | st.integers().map(str),
    st.floats().map(str),
    texts(sendable),
)
ANYTHING = st.dictionaries(NAMES | texts(sendable), VALUES | st.lists(VALUES, min_size=2, max_size=3), max_size=6)
SMALL = ("d_in", "d_out", "num_heads", "window", "item", "query", "draw", "draws", "prefix", "d_k", "quiz", "seed")
REASONABLE = st.fixed_dictionaries(
    {},
    optional={
        "sentence": texts(sendable) | st.sampled_from(["one step", "step\none step", "a b c d e"]),
        **{name: st.sampled_from(allowed) for name, allowed in CHOICES.items() if name in PARAMETERS},
        **{name: st.integers(1, 16).map(str) for name in SMALL},
        "head": st.sampled_from(["all", "1", "2", "3", "16"]),
        "step": st.sampled_from(STEPS),
        "cell": CELLS,
        "dropout": st.floats(0, 1).map(str),
        "vectors": st.sampled_from(["1,2\n3,4\n", "1e-40\n1e-40", "1000000,-1000000\n0.0,-0.0"]),
        "lang": st.sampled_from(["en", "zh"]),
    },
)


@holds_for(7, name=st.sampled_from(ORDER), link=ANYTHING | REASONABLE)
def test_any_address_opens_a_right_picture_or_says_why_not_and_writes_one_that_opens_the_same(name, link):
    at = open_page(name, **link)
    assert len(at.warning) <= 1 + 2 * len(link) and len(at.error) <= 1 + (name == "model")
    assert all(len(each.value) < 600 for each in [*at.warning, *at.error])
    assert figures(at) or name == "quiz"
    for shown in figures(at):
        explained = shown.layout["meta"]["masked"] or "gap" in shown.layout["meta"] or name == "mistakes"
        assert explained or np.isfinite(shown.values).all(), shown.step
    if name in PLAIN:
        _figures_are_the_experiments(at)
    if text(at, "link.too_long") in [warning.value for warning in at.warning]:
        return  # the address says so: it has everything but the text
    again = open_page(name, **at.query_params)
    assert not again.warning
    assert [error.value for error in again.error] == [error.value for error in at.error]
    assert [code.value for code in again.code] == [code.value for code in at.code]
    assert components(again) == components(at)
    assert again.query_params == at.query_params


def _figures_are_the_experiments(at: AppTest) -> None:
    experiment = experiment_of(at)
    trace = experiment.run()
    item = min(at.session_state["item"], len(experiment.sentences)) - 1
    for shown in figures(at):
        if shown.step in trace:
            values = drawn(trace[shown.step], item, shown.card["head"])
            np.testing.assert_array_equal(shown.values, as_sent(values, shown))
