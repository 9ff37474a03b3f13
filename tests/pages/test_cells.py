"""Any cell opens: where its number comes from, with the numbers of the page."""

import math

import pytest

from attention import Experiment
from tests.pages.app import LANGUAGES, choose, experiment_of, open_page
from tests.pages.look import components
from ui.words import locale

STEPS = [
    "queries.2.5.1",
    "keys.1.1.2",
    "values.2.6.2",
    "scores.1.5.2",
    "masked_scores.1.2.5",
    "scaled_scores.2.4.4",
    "weights.2.6.1",
    "dropped_weights.1.6.3",
    "context.2.3.1",
    "merged_context.4.3",
    "output.5.2",
]


def panels(at: object) -> list[dict]:
    return [component["panel"] for component in components(at) if component["panel"]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cell", STEPS)
def test_a_link_opens_a_cell_and_its_parts_add_up_to_the_number_on_the_page(cell, language):
    chosen = {"dropout": 0.5, "mode": "train", "qkv_bias": True, "seed": 5}
    at = open_page("multihead", cell=cell, lang=language, **chosen)
    (panel,) = panels(at)
    step, *places = cell.split(".")
    value = float(Experiment(**chosen).run()[step].value[0][tuple(int(place) - 1 for place in places)])
    assert panel["value"] == ("-∞" if math.isinf(value) else f"{value:.4f}")
    assert panel["title"].startswith(locale(language)["steps"][step]["title"])
    products = [float(row["numbers"][-1]) for row in panel["rows"]]
    if step == "weights":
        assert products[int(places[2]) - 1] / sum(products) == pytest.approx(value, abs=1e-4)
    elif products:
        assert sum(products) == pytest.approx(value, abs=5e-5 * (len(products) + 1))
    assert "{" not in panel["why"]


def test_the_panel_stands_with_the_figures_of_its_step_and_every_figure_marks_the_cell():
    at = open_page("multihead", cell="context.1.2.1")
    told = components(at)
    assert [bool(component["panel"]) for component in told] == [False, True, False]
    assert {component["cell"]["step"] for component in told} == {"context"}


def test_the_single_head_has_cells_without_a_head():
    (panel,) = panels(open_page("causal", cell="scores.5.2"))
    assert panel["value"] == f"{float(experiment_of(open_page('causal')).run()['scores'].value[0, 4, 1]):.4f}"


def test_a_cell_that_a_shorter_sentence_does_not_have_is_closed():
    at = open_page("start", cell="scores.1.6.6")
    assert panels(at)
    assert not panels(choose(at, sentence="Your journey"))
    assert not at.exception


@pytest.mark.parametrize("cell", ["scores", "scores.0.1.1", "scores.1.2.3.4", "<b>.1.1", "scores.1.1.99999"])
def test_a_link_with_no_cell_is_told_and_the_page_stays(cell):
    at = open_page("start", cell=cell)
    assert "scores.2.5.3" in at.warning[0].value
    assert not panels(at)


@pytest.mark.parametrize("cell", ["scores.9.1.1", "nothing.1.1", "inputs.1.1", "scores.5.2"])
def test_a_cell_that_is_not_on_the_page_opens_nothing(cell):
    at = open_page("start", cell=cell)
    assert not panels(at) and not at.exception and not at.warning


def test_tokens_in_the_panel_show_as_themselves():
    at = open_page("start", sentence="<b> $x$", embedding="seeded", cell="weights.1.2.1")
    (panel,) = panels(at)
    assert "(<)" in panel["title"] or "<b>" in panel["title"]
    assert panel["rows"][0]["label"].startswith("1 · <")
