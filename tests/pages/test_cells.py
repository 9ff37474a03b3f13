"""Any cell opens: where its number comes from, with the numbers of the page."""

import json
import math

import pytest

from attention import Experiment
from tests.pages.app import LANGUAGES, choose, control, experiment_of, open_page
from tests.pages.look import components, figures
from ui.words import locale

STEPS = [
    "inputs.3.2",
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
DRAWN = "-".join(["000000"] * 3 + ["100000", "101001", "111110"])  # a mask by hand: 1 is hidden


def panels(at: object) -> list[dict]:
    return [component["panel"] for component in components(at) if component["panel"]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cell", STEPS)
def test_a_link_opens_a_cell_and_its_parts_add_up_to_the_number_on_the_page(cell, language):
    chosen = {"dropout": 0.5, "mode": "train", "qkv_bias": True, "seed": 5}
    at = open_page("multihead", cell=cell, lang=language, **chosen)
    (panel,) = panels(at)
    step, *places = cell.split(".")
    value = float(Experiment(**chosen).run().explained[step].value[0][tuple(int(place) - 1 for place in places)])
    assert panel["value"] == ("-inf" if math.isinf(value) else f"{value:.4f}")
    assert panel["title"].startswith(locale(language)["steps"][step]["title"])
    if panel["table"]:
        ends = [float(row["numbers"][-1]) for row in panel["table"]["rows"]]
        total = float(panel["table"]["total"][-1])
        assert sum(ends) == pytest.approx(total, abs=5e-5 * (len(ends) + 1))
        own = ends[int(places[2]) - 1] if step in ("weights", "dropped_weights") else total
        assert own == pytest.approx(value, abs=1e-4)
    assert "{" not in panel["why"]


def test_the_row_of_a_weight_shows_what_its_query_gives_to_every_key_and_what_that_sums_to():
    chosen = {"dropout": 0.5, "mode": "train", "seed": 5}
    trace = Experiment(**chosen).run()
    for step in ("weights", "dropped_weights"):
        (panel,) = panels(open_page("causal", cell=f"{step}.4.1", **chosen))
        row = Experiment(variant="causal", **chosen).run()[step].value[0, 3]
        assert [entry["numbers"][-1] for entry in panel["table"]["rows"]] == [
            f"{weight:.4f}" for weight in row.tolist()
        ]
        assert panel["table"]["total"][-1] == f"{float(row.sum()):.4f}"
        assert panel["table"]["rows"][1]["label"] == f"2 · {trace.tokens[0][1]}"
        assert "4 (with)" in panel["table"]["title"]


@pytest.mark.parametrize("name", ["start", "causal", "multihead"])
def test_the_panel_stands_at_the_foot_and_every_figure_marks_the_cell(name):
    at = open_page(name, cell="context.2.1" if name == "causal" else "context.1.2.1")
    told = components(at)
    assert [bool(component["panel"]) for component in told] == [False] * (len(told) - 1) + [True]
    assert {component["cell"]["step"] for component in told} == {"context"}
    assert told[0]["cell"]["places"] == {"query": 1, "feature": 0} | (
        {} if name == "causal" else {"head": 0, "merged": 0}
    )


@pytest.mark.parametrize(
    ("cell", "places"),
    [
        ("merged_context.4.3", {"query": 3, "merged": 2, "head": 1, "feature": 0}),
        ("context.2.4.1", {"query": 3, "merged": 2, "head": 1, "feature": 0}),
        ("queries.2.4.1", {"query": 3, "unsplit": 2, "head": 1, "feature": 0}),
    ],
)
def test_a_number_of_a_head_tells_where_it_lies_in_all_heads_features(cell, places):
    (told,) = {json.dumps(component["cell"]) for component in components(open_page("multihead", cell=cell))}
    assert json.loads(told)["places"] == places


@pytest.mark.parametrize("name", ["start", "causal", "multihead"])
def test_the_walk_goes_through_every_step_of_the_pass_in_order(name):
    at = open_page(name)
    walk = components(at)[-1]["walk"]
    trace = experiment_of(at).run()
    assert [step["step"] for step in walk["steps"]] == ["inputs", *trace]
    shapes = [tuple(step.value.shape[1:]) for step in trace.explained.values()]
    assert [tuple(step["sizes"]) for step in walk["steps"]] == shapes
    assert walk["tokens"][0] == "1 · Your"


def test_on_a_page_that_shows_one_head_the_open_cell_is_of_that_head():
    at = choose(open_page("start", cell="scores.1.5.2"), head="2")
    (panel,) = panels(at)
    assert [component["cell"]["places"]["head"] for component in components(at)] == [1, 1]
    assert at.query_params["cell"] == "scores.2.5.2"
    assert panel["value"] == f"{float(Experiment().run()['scores'].value[0, 1, 4, 1]):.4f}"


def test_a_link_to_a_cell_shows_its_head():
    at = open_page("start", cell="scores.2.5.2")
    assert control(at, "head").value == "2"
    assert panels(at)[0]["value"] == f"{float(Experiment().run()['scores'].value[0, 1, 4, 1]):.4f}"


def test_the_single_head_has_cells_without_a_head():
    (panel,) = panels(open_page("causal", cell="scores.5.2"))
    assert panel["value"] == f"{float(experiment_of(open_page('causal')).run()['scores'].value[0, 4, 1]):.4f}"


def test_a_cell_that_a_shorter_sentence_does_not_have_is_closed():
    at = open_page("start", cell="scores.1.6.6")
    assert panels(at)
    assert not panels(choose(at, sentence="Your journey"))
    assert not at.exception


@pytest.mark.parametrize(
    "cell",
    [
        "scores",
        "scores.0.1.1",
        "scores.26.1.1",
        "scores.1.2.3.4",
        "<b>.1.1",
        "scores.1.1.99999",
        "nothing.1.1",
        "inputs.1.1.1",  # has no heads
        "output.1.1.1",
        "merged_context.1.1.1",
    ],
)
def test_a_link_with_no_cell_is_told_and_the_page_stays(cell):
    at = open_page("start", cell=cell)
    assert "scores.2.5.3" in at.warning[0].value
    assert not panels(at)


@pytest.mark.parametrize("cell", ["scores.9.1.1", "weights.1.7.1", "output.3.9"])
def test_a_cell_that_the_experiment_has_not_is_told_and_leaves_the_address(cell):
    at = open_page("multihead", cell=cell)
    assert not panels(at)
    assert [cell in warning.value for warning in at.warning] == [True]
    assert "cell" not in choose(at, seed=5).query_params


def test_a_cell_of_the_single_head_is_the_first_heads_on_the_other_pages():
    at = open_page("start", cell="scores.5.2")
    assert panels(at)[0]["value"] == f"{float(Experiment().run()['scores'].value[0, 0, 4, 1]):.4f}"


def test_tokens_in_the_panel_show_as_themselves():
    at = open_page("start", sentence="<b> $x$", embedding="seeded", cell="weights.1.2.1")
    (panel,) = panels(at)
    assert "(<)" in panel["title"] or "<b>" in panel["title"]
    assert panel["table"]["rows"][0]["label"].startswith("1 · <")


@pytest.mark.parametrize(
    ("name", "link", "cell"),
    [
        ("masks", {"lesson_mask": "prefix", "prefix": 3}, "weights.1.2.3"),
        ("masks", {"lesson_mask": "drawn", "drawn": "011111-000000-000000-000000-000000-000000"}, "context.1.2.1"),
        ("masks", {"lesson_mask": "none"}, "masked_scores.1.1.6"),
        ("scale", {"seed": 4}, "scaled_scores.1.5.2"),
        ("dropout", {"draw": 3}, "dropped_weights.1.6.2"),
        ("heads", {"num_heads": 1}, "queries.2.6.1"),
        ("tokens", {"positions": "sinusoidal"}, "inputs.3.2"),
    ],
)
def test_the_maps_of_the_lessons_open_with_the_numbers_that_they_show(name, link, cell):
    at = open_page(name, cell=cell, **link)
    (panel,) = panels(at)
    step, *places = cell.split(".")
    shown = next(each for each in figures(at) if each.step == step).values
    number = shown[tuple(int(place) - 1 for place in places[-shown.ndim :])]  # where one head is shown: without it
    assert panel["value"] == f"{number:.4f}"
    assert any(card["opens"] for component in components(at) for card in component["cards"])


def test_a_cell_of_a_lesson_goes_with_the_reader_into_the_next_head():
    at = choose(open_page("scale", cell="scaled_scores.1.5.2"), head="2")
    assert at.session_state["cell"] == "scaled_scores.2.5.2"
    assert len(panels(at)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "cell",
    [
        "masked_scores.1.1.2",
        "scaled_scores.1.1.2",
        "weights.1.1.1",
        "dropped_weights.1.1.2",
        "context.1.1.2",
        "merged_context.1.3",
        "output.1.4",
    ],
)
@pytest.mark.parametrize("mode", ["eval", "train"])
def test_a_row_that_sees_nothing_opens_and_says_why_it_is_no_number(cell, mode, language):
    blind = "-".join(["111111", *["000000"] * 5])
    link = {"lesson_mask": "drawn", "drawn": blind, "mode": mode, "dropout": 0.5}
    (panel,) = panels(open_page("masks", cell=cell, lang=language, **link))
    step = cell.split(".")[0]
    assert panel["value"] == ("-inf" if "scores" in step else "NaN")
    reason = "nothing_to_see" if step == "weights" else "not_a_number"
    assert "scores" in step or panel["why"] == locale(language)["cell"][reason]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "reason, page, cell, choices",
    [
        ("hidden_future", "multihead", "2.5", {}),
        ("hidden_future", "causal", "2.5", {}),
        ("hidden_past", "multihead", "5.1", {"mask": "sliding_window", "window": 3}),
        ("hidden_future", "multihead", "2.6", {"mask": "sliding_window", "window": 3}),
        ("hidden_padding", "multihead", "2.4", {"sentence": "a b c d\na b", "item": 2}),
        ("hidden_padding", "multihead", "2.3", {"sentence": "a b c d\na b", "item": 2, "mask": "padding"}),
        ("hidden", "masks", "1.4", {"lesson_mask": "prefix", "prefix": 3}),  # it sees others after it
        ("hidden_future", "masks", "4.5", {"lesson_mask": "prefix", "prefix": 3}),
        ("hidden", "masks", "5.1", {"lesson_mask": "drawn", "drawn": DRAWN}),  # it sees 2, 4 and 5
        ("hidden", "masks", "6.1", {"lesson_mask": "drawn", "drawn": DRAWN}),  # it sees itself
        ("hidden", "masks", "4.1", {"lesson_mask": "drawn", "drawn": DRAWN}),  # it sees what comes after it, too
        ("seen", "multihead", "5.2", {}),
    ],
)
def test_a_masked_score_says_why_its_key_is_hidden(reason, page, cell, choices, language):
    choices = {"embedding": "seeded", "d_in": 4, "lang": language, **choices}
    name = f"masked_scores.{cell}" if page == "causal" else f"masked_scores.1.{cell}"
    (panel,) = panels(open_page(page, cell=name, **choices))
    assert panel["why"].endswith(locale(language)["cell"][reason].format(score="§").split("§")[1])


@pytest.mark.parametrize(
    "page, cell, choices, reason",
    [
        ("causal", "scaled_scores.4.2", {}, "scale_one_head"),
        ("multihead", "scaled_scores.1.4.2", {"num_heads": 1}, "scale_one_head"),
        ("multihead", "scaled_scores.1.4.2", {}, "scale"),
    ],
)
def test_a_scaled_score_is_divided_by_the_size_of_a_head_which_may_be_all_of_d_out(page, cell, choices, reason):
    at = open_page(page, cell=cell, **choices)
    head_dim = experiment_of(at).run()["queries"].value.shape[-1]
    assert panels(at)[0]["why"] == locale("en")["cell"][reason].format(head_dim=head_dim)


@pytest.mark.parametrize(
    "cell, query", [("queries.1.4.2", 4), ("weights.2.3.1", 3), ("inputs.2.1", 2), ("keys.1.2.1", None)]
)
def test_a_link_to_a_cell_chooses_its_query_token(cell, query):
    at = open_page("start", cell=cell)
    assert {component["query"] for component in components(at)} == {(query or 6) - 1}
