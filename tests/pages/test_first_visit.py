"""What stands on each page, in each language, before anything was touched."""

import html
import inspect
import re
from textwrap import dedent
from xml.etree import ElementTree

import pytest

from attention import (
    CausalAttention,
    Experiment,
    MultiHeadAttention,
    dropout_draws,
    embeddings,
    positions,
    scaling,
)
from attention.grouped_query import GroupedQueryAttention
from attention.head_views import as_one_matrix, right_split, wrong_split
from attention.language import trace_layer
from attention.masked_run import zeroed_after_softmax
from attention.masks import causal_mask
from attention.quiz import quiz
from attention.training import train
from tests.pages.app import OF_AN_EXPERIMENT, TRAINED, experiment_of, text
from tests.pages.look import components, figures
from ui.lesson import ORDER

CODE = {
    "start": [MultiHeadAttention],
    "tokens": [embeddings, positions],
    "causal": [CausalAttention],
    "multihead": [MultiHeadAttention],
    "heads": [right_split, wrong_split, as_one_matrix],
    "masks": [causal_mask, zeroed_after_softmax],
    "mistakes": [MultiHeadAttention.forward],
    "scale": [scaling],
    "dropout": [dropout_draws],
    "quiz": [quiz],
    "training": [MultiHeadAttention, train],
    "model": [GroupedQueryAttention, trace_layer],
}
OTHERWISE = {"causal": {"variant": "causal"}, "dropout": {"mode": "train", "dropout": 0.5}}  # the lesson needs it


def page_links(page):
    """(page, label) of every link to another page."""
    return [(link.proto.page, link.proto.label) for link in page.get("page_link")]


def test_the_title_and_the_lesson_are_in_the_language_of_the_page(page, name, language):
    assert [title.value for title in page.title] == [text(page, f"{name}.title")]
    assert bool(re.search("[\u4e00-\u9fff]", page.title[0].value)) == (language == "zh")
    prose = "\n".join(markdown.value for markdown in page.markdown)
    parts = ("lesson.program", "lesson.look_for", f"{name}.look_for", "lesson.code", "lesson.try", f"{name}.try")
    places = [prose.find(text(page, part)) for part in parts]
    assert -1 not in places and places == sorted(places)


def test_the_first_paint_has_figures_and_no_complaint(page):
    assert figures(page)
    assert not [*page.error, *page.warning]


def test_the_code_panel_shows_the_source_of_what_ran(page, name):
    shown = [code.value for code in page.code]
    for piece in CODE[name]:
        assert dedent(inspect.getsource(piece)).strip() in [each.strip() for each in shown]


@pytest.mark.parametrize("name", OF_AN_EXPERIMENT)
def test_the_script_of_the_code_panel_is_the_experiment(page, name):
    assert experiment_of(page) == Experiment(**OTHERWISE.get(name, {}))


def test_the_script_of_the_code_panel_runs_and_prints_every_step(page, name, capsys):
    (script,) = [code.value for code in page.code if "    print(name, step.axes, step.value)" in code.value]
    exec(script, {})
    printed = capsys.readouterr().out
    attention = {"causal": CausalAttention, "model": GroupedQueryAttention}.get(name, MultiHeadAttention)
    assert all(f"{step.name} (" in printed for step in attention.steps)


def test_the_next_button_leads_to_the_next_page(page, name):
    links = page_links(page)
    following = ORDER[ORDER.index(name) + 1 :][:1]
    expected = [(page_, text(page, "lesson.next", title=text(page, f"{page_}.nav"))) for page_ in following]
    assert links[len(links) - len(following) :] == expected


def test_untrained_weights_are_called_untrained_beside_a_link_to_the_training(page, name):
    labelled = text(page, "lesson.untrained") in [caption.value for caption in page.caption]
    assert labelled == ("weights" in [shown.step for shown in figures(page)] and name not in TRAINED)
    assert labelled == (("training", text(page, "lesson.to_training")) in page_links(page))


def test_every_figure_has_its_name_its_formula_its_shape_and_a_text_for_blind_readers(page):
    for shown in figures(page):
        assert shown.card["title"].startswith(text(page, f"steps.{shown.step}.title"))
        assert ElementTree.fromstring(shown.card["formula"]).tag.endswith("math")
        assert shown.card["title"] in shown.card["alt"]
        assert re.fullmatch(r"\((\d+, )+\d+\)", shown.card["shape"])


def test_axis_titles_say_who_looks_in_the_language_of_the_page(page):
    titles = {axis: text(page, f"figure.axis_titles.{axis}") for axis in ("query", "key", "token")}
    seen = set()
    for shown in figures(page):
        if "maps" in shown.layout["meta"]:
            continue  # so many that only layers and heads have room for a name
        for axis, where in zip(shown.layout["meta"]["axes"][-2:], ("yaxis", "xaxis"), strict=True):
            if axis in titles:
                seen.add(axis)
                assert html.unescape(shown.layout[where]["title"]["text"]) == titles[axis]
    assert seen


def test_the_browser_has_a_word_for_every_axis(page):
    (words,) = {tuple(component["words"]["axes"]) for component in components(page)}
    for shown in figures(page):
        assert set(shown.layout["meta"]["axes"]) - {"head"} <= {*words}


def test_the_sidebar_is_three_groups_each_control_with_help(page):
    groups = [text(page, f"controls.{key}") for key in ("text", "embedding_group", "attention")]
    assert [heading.value.strip("*") for heading in page.sidebar.markdown] == groups
    for kind in ("selectbox", "slider", "number_input", "text_area", "toggle"):
        for widget in getattr(page.sidebar, kind):
            if widget.key != "preset":
                assert widget.help == text(page, f"controls.{widget.key}.help", tokens=2048), widget.key


@pytest.mark.parametrize("key", ["sentence", "seed"])
def test_labels_of_controls_are_in_the_language_of_the_page(page, key):
    labels = [widget.label for widget in (*page.text_area, *page.number_input)]
    assert text(page, f"controls.{key}.label") in labels
