"""A cell is opened, moved and closed, with the mouse and with the keyboard."""

import re

import pytest
from playwright.sync_api import expect

from attention import Experiment, MultiHeadAttention
from tests.browser.look import cell, drawn_values, marks, picker


def test_a_click_opens_the_arithmetic_and_marks_the_cell_in_every_map_of_queries_by_keys(open_page):
    page = open_page(height=2600)
    page.mouse.click(*cell(page, "scores", row=4, column=1))
    panel = page.locator(".att-panel")
    expect(panel).to_contain_text(f"{Experiment().run()['scores'].value[0, 0, 4, 1]:.4f}")
    expect(panel).to_contain_text("query 5 (one) · key 2 (journey)")
    assert panel.locator("tbody tr").count() == 2  # head_dim
    page.wait_for_url(re.compile(r"cell=scores\.1\.5\.2"))
    assert marks(page, "scores", "att-cell") == marks(page, "weights", "att-cell") == 1
    assert marks(page, "context", "att-cell") == 0


def test_escape_and_a_second_click_close_it(open_page):
    page = open_page(height=2600)
    place = cell(page, "weights", row=3, column=0)
    panel = page.locator(".att-panel")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(*place)):
        page.mouse.click(*place)
        expect(panel).to_have_count(1)
        close()
        expect(panel).to_have_count(0)
        expect(page.locator(".att-cell")).to_have_count(0)


def test_the_open_cell_is_marked_on_every_heatmap_of_the_page(open_page):
    page = open_page("?cell=weights.1.4.2", height=2600)
    page.wait_for_selector('[data-step="output"] .att-over')
    for step in Experiment().run():
        kinds = ("att-cell", "att-part", "att-chosen")
        assert sum(marks(page, step, kind) for kind in kinds) >= 1, step
    assert marks(page, "keys", "att-part") == marks(page, "values", "att-part") == 1  # the row of the key
    assert marks(page, "scores", "att-cell") == 1


@pytest.mark.parametrize("page_name", ["", "causal", "multihead"])
def test_the_pickers_open_a_cell_without_a_mouse(page_name, open_page):
    page = open_page(page_name, height=1200)
    page.get_by_role("slider", name="Step", exact=True).focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")  # inputs, queries, keys, values, scores
    picker(page, "query").select_option("5 · one")
    picker(page, "key").select_option("2 · journey")
    value = Experiment(variant="causal" if page_name == "causal" else "multi_head").run()["scores"].value[0]
    score = value[4, 1] if page_name == "causal" else value[0, 4, 1]
    expect(page.locator(".att-result")).to_have_text(f"{score:.4f}")
    expect(page.locator(".att-panel")).to_contain_text("query 5 (one) · key 2 (journey)")
    page.wait_for_url(re.compile(r"cell=scores(\.1)?\.5\.2"))


def test_an_input_vector_opens_as_its_tokens_number_plus_its_positions(open_page):
    page = open_page("?positions=sinusoidal", height=1200)
    page.mouse.click(*cell(page, "inputs", row=2, column=1))
    page.wait_for_url(re.compile(r"query=3&cell=inputs\.3\.2"))
    whole = Experiment(positions="sinusoidal").inputs()[0, 2, 1]
    expect(page.locator(".att-result")).to_have_text(f"{whole:.4f}")
    expect(page.locator(".att-panel tbody tr")).to_have_count(2)
    expect(page.locator('[data-step="inputs"] .att-cell')).to_have_count(1)
    picker(page, "token").select_option("5 · one")
    page.wait_for_url(re.compile(r"query=5&cell=inputs\.5\.2"))


def test_a_row_of_weights_shows_its_sum(open_page):
    page = open_page("multihead?cell=dropped_weights.2.4.1&mode=train&dropout=0.5", height=1200)
    row = Experiment(mode="train", dropout=0.5).run()["dropped_weights"].value[0, 1, 3]
    expect(page.locator(".att-panel tfoot")).to_contain_text(f"{float(row.sum()):.4f}")
    assert page.locator(".att-panel tbody tr").count() == 6


def test_play_walks_through_the_steps_with_the_cell_kept_and_pauses(open_page):
    page = open_page("?cell=scores.1.4.2", height=1200)
    steps = ["inputs", *(step.name for step in MultiHeadAttention.steps)]
    page.get_by_role("button", name="Play: walk through the steps").click()
    for step in ("masked_scores", "scaled_scores"):
        page.wait_for_url(re.compile(rf"cell={step}\.1\.4\.2"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play: walk through the steps")).to_be_visible()
    stopped = int(page.get_by_role("slider", name="Step", exact=True).input_value())
    page.wait_for_timeout(2000)  # longer than a beat
    assert int(page.get_by_role("slider", name="Step", exact=True).input_value()) == stopped
    page.get_by_role("button", name="The next step").click()
    expect(page.locator(".att-panel")).to_contain_text("query 4 (with)")
    page.wait_for_url(re.compile(rf"cell={steps[stopped + 1]}\.1\.4\.2"))


def test_a_cell_opened_and_closed_at_once_still_chooses_its_query_token(open_page):
    page = open_page(height=2600)
    page.mouse.click(*cell(page, "weights", row=5, column=0))
    page.wait_for_url(re.compile("cell="))
    page.keyboard.press("Escape")
    page.mouse.dblclick(*cell(page, "weights", row=3, column=0))
    page.wait_for_url(re.compile(r"query=4(?!.*cell=)"))


def test_a_cell_does_not_stay_behind_the_panel_that_it_opened_in_a_map_beside_the_steps(open_page):
    page = open_page("heads", height=700)
    page.locator('[data-step="one_matrix"]').evaluate(
        """(card) => {
          const foot = [...document.querySelectorAll(".att-foot")].find((each) => each.offsetHeight);
          const below = card.getBoundingClientRect().bottom - foot.getBoundingClientRect().top;
          card.closest("[data-testid=stMain]").scrollBy(0, below);
        }"""
    )
    page.mouse.click(*cell(page, "one_matrix", row=5, column=1))
    expect(page.locator(".att-panel")).to_have_count(1)
    page.wait_for_function(
        """() => document.querySelector('[data-step="one_matrix"]').getBoundingClientRect().bottom
                 <= document.querySelector('.att-panel').getBoundingClientRect().top"""
    )


@pytest.mark.parametrize(
    ("link", "width", "height"),
    [
        ("?cell=weights.1.4.2", 1400, 1000),
        ("multihead?cell=weights.2.5.2", 390, 844),
        ("multihead?cell=output.6.2", 390, 844),
        ("causal?cell=weights.6.2", 390, 844),
        ("dropout?cell=dropped_weights.1.5.2", 390, 844),
    ],
)
def test_a_cell_that_a_link_opens_is_in_sight(link, width, height, open_page):
    page = open_page(link, width=width, height=height)
    (step,) = re.findall("cell=([a-z_]+)", link)
    expect(page.locator(f'[data-step="{step}"] .att-cell')).to_be_in_viewport(ratio=0.999)
    page.wait_for_function(
        f"document.querySelector('[data-step={step}] .att-cell').getBoundingClientRect().bottom"
        " < document.querySelector('.att-foot:not([hidden])').getBoundingClientRect().top"
    )


@pytest.mark.parametrize("tokens, column, width, height", [(60, 40, 1400, 1000), (6, 4, 1366, 700), (36, 12, 390, 844)])
def test_in_a_row_the_cells_own_line_and_the_sum_are_in_sight(tokens, column, width, height, open_page):
    sentence = "+".join(f"w{i}" for i in range(tokens))
    link = f"?sentence={sentence}&embedding=seeded&cell=weights.1.{tokens}.{column}"
    page = open_page(link, width=width, height=height)
    page.wait_for_selector(".att-panel .att-own")
    panel, own, total = (
        page.locator(f".att-panel{part}").first.bounding_box() for part in ("", " .att-own", " tfoot td")
    )
    assert panel["y"] <= own["y"] and own["y"] + own["height"] <= total["y"] + 1
    assert total["y"] + total["height"] <= min(panel["y"] + panel["height"], height) + 1


def test_an_arrow_key_at_the_edge_of_a_map_leaves_the_cell_open(open_page):
    page = open_page("multihead?cell=scores.1.6.3", height=1200)
    scores = page.locator('[data-step="scores"] .att-gd')
    scores.scroll_into_view_if_needed()
    expect(page.locator('[data-step="scores"] .att-cell')).to_have_count(1)  # it hears keys once it is drawn
    scores.press("ArrowDown")
    scores.press("ArrowLeft")
    page.wait_for_url(re.compile(r"cell=scores\.1\.6\.2"))
    scores.press("ArrowDown")
    page.wait_for_timeout(300)
    expect(page.locator(".att-panel")).to_contain_text("query 6 (step) · key 2 (journey)")


def test_the_open_cell_goes_along_when_another_token_is_chosen_in_the_strip(open_page):
    page = open_page("?cell=weights.1.5.3", height=1200)
    page.get_by_role("radio", name="journey").click()
    page.wait_for_url(re.compile(r"query=2.*cell=weights\.1\.2\.3"))
    expect(page.locator(".att-panel")).to_contain_text("query 2 (journey) · key 3 (starts)")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile(r"query=1&cell=weights\.1\.1\.3"))
    expect(page.get_by_role("radio", name="Your")).to_have_attribute("aria-checked", "true")


def test_the_strip_of_the_tokens_knows_the_cell_that_is_open_below_it(open_page):
    page = open_page("tokens?cell=inputs.3.1", height=1400)
    page.mouse.click(*cell(page, "inputs", row=3, column=2))
    page.wait_for_url(re.compile(r"query=4&cell=inputs\.4\.3"))
    page.get_by_role("radio", name="journey").click()
    page.wait_for_url(re.compile(r"query=2&cell=inputs\.2\.3"))
    page.keyboard.press("Escape")
    expect(page.locator(".att-panel")).to_have_count(0)
    page.get_by_role("radio", name="Your").click()
    page.wait_for_url(re.compile("query=1$"))
    expect(page.locator(".att-panel")).to_have_count(0)


def test_arrow_keys_step_from_the_first_step_on_wherever_nothing_else_has_the_focus(open_page):
    page = open_page(height=1200)
    for step in ("inputs", "queries"):
        page.keyboard.press("ArrowRight")
        page.wait_for_url(re.compile(f"cell={step}"))
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("cell=keys"))
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="The next step").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("cell=inputs"))
    page.get_by_role("textbox", name="Sentence").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")  # in a field, both are the field's own
    page.wait_for_timeout(300)
    expect(page.locator(".att-panel")).to_have_count(1)
    assert "cell=inputs" in page.url


def test_arrow_keys_open_the_next_cell_and_go_on_into_the_next_head(open_page):
    page = open_page("multihead?cell=scores.1.3.6", height=2600)
    page.wait_for_selector('[data-step="scores"] .att-over')
    page.locator('[data-step="scores"] .att-gd').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".att-panel")).to_contain_text("head 2 · query 3 (starts) · key 1 (Your)")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".att-panel")).to_contain_text("head 2 · query 4 (with) · key 1 (Your)")
    page.wait_for_url(re.compile(r"cell=scores\.2\.4\.1"))


BESIDE = [  # a map beside the steps of the pass, a cell in it, the cell of the step that it shows or is a part of
    ("multihead", "unsplit_queries", (3, 2), "queries.2.4.1"),
    ("heads", "one_matrix", (3, 1), "merged_context.4.2"),
    ("masks?lesson_mask=causal", "mask", (4, 5), "masked_scores.1.5.6"),
    ("masks", "inf_before", (4, 1), "weights.1.5.2"),
    ("dropout", "eval_dropped_weights", (4, 1), "weights.1.5.2"),
    ("tokens?positions=sinusoidal", "positions", (2, 1), "inputs.3.2"),
]


@pytest.mark.parametrize(("where", "step", "place", "opened"), BESIDE, ids=[step for _, step, _, _ in BESIDE])
def test_a_map_beside_the_steps_opens_the_cell_of_the_step_that_it_shows(where, step, place, opened, open_page):
    page = open_page(where, height=2600)
    row, column = place
    page.mouse.click(*cell(page, step, row=row, column=column))
    page.wait_for_url(re.compile(f"cell={re.escape(opened)}($|&)"))
    if step not in ("mask", "positions"):  # why, and the sum
        expect(page.locator(".att-result")).to_have_text(f"{drawn_values(page, step)[row, column]:.4f}")
    expect(page.locator(".att-panel")).to_have_count(1)
    expect(page.locator(f'[data-step="{step}"] .att-cell')).to_have_count(1)
    page.locator(f'[data-step="{step}"] .att-gd').press("ArrowUp")
    above = opened.split(".")
    above[-2] = str(int(above[-2]) - 1)
    page.wait_for_url(re.compile(f"cell={re.escape('.'.join(above))}($|&)"))
