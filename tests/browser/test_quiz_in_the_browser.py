"""Questions are answered with the mouse and the keyboard; a class with one link sees one quiz."""

import re

import numpy as np
from playwright.sync_api import expect

from attention import Experiment
from attention.quiz import quiz
from tests.browser.look import drawn_values
from ui.words import locale

SAYS = locale("en")["quiz"]


def options(page):
    return page.locator(".st-key-quiz_answer [role=radiogroup] label")


def verdict(page):
    return page.get_by_test_id("stAlert")


def press(page, name):
    page.get_by_role("button", name=SAYS[name]).click()


def answer(page, place):
    options(page).nth(place).click()
    press(page, "reveal")


def wrong(question):
    return next(place for place in range(len(question.options)) if place != question.answer)


def test_two_questions_are_answered_revealed_and_counted(open_page):
    first, second, *_ = quiz(Experiment(), 3)
    page = open_page("quiz?quiz=3", height=1400)
    expect(page.get_by_role("button", name=SAYS["reveal"])).to_be_disabled()
    expect(options(page)).to_have_count(len(first.options))
    assert page.locator(f'[data-step="{first.steps[-1]}"]').count() == 0
    answer(page, first.answer)
    expect(verdict(page)).to_contain_text(SAYS["right"])
    expect(page.get_by_text(SAYS["score"].format(right=1, answered=1))).to_be_visible()
    page.wait_for_selector(f'[data-step="{first.steps[-1]}"]')
    expected = Experiment().run()[first.steps[-1]].value[0, int(first.values["head"]) - 1].numpy()
    np.testing.assert_array_equal(drawn_values(page, first.steps[-1]), expected)
    press(page, "next")
    expect(page.get_by_text(SAYS["number"].format(number=2, count=10))).to_be_visible()
    expect(verdict(page)).to_have_count(0)
    expect(page.locator(".st-key-quiz_answer input:checked")).to_have_count(0)
    answer(page, wrong(second))
    expect(verdict(page)).to_contain_text(SAYS["wrong"])
    expect(page.get_by_text(SAYS["score"].format(right=1, answered=2))).to_be_visible()


def test_the_same_link_shows_the_same_question_to_another_visitor(open_page):
    address = "quiz?quiz=11&seed=5&mask=none"
    pages = [open_page(address), open_page(address, width=390)]
    asked = [page.locator(".st-key-quiz_answer").inner_text() for page in pages]
    assert asked[0] == asked[1]
    assert len(asked[0].splitlines()) > 2


def test_another_quiz_is_in_the_address_and_the_visits_score_stays(open_page):
    page = open_page("quiz?quiz=3", height=1400)
    answer(page, quiz(Experiment(), 3)[0].answer)
    expect(verdict(page)).to_be_visible()
    press(page, "another")
    page.wait_for_url(re.compile("quiz=4"))
    expect(page.get_by_text(SAYS["visit"].format(right=1, answered=1))).to_be_visible()
    expect(verdict(page)).to_have_count(0)


def test_the_question_stays_where_it_is_when_its_answer_is_revealed(open_page):
    page = open_page("quiz?quiz=3", height=1400)
    before = [page.get_by_role("button", name=SAYS[name]).bounding_box() for name in ("reveal", "next")]
    answer(page, 0)
    expect(verdict(page)).to_be_visible()
    assert [page.get_by_role("button", name=SAYS[name]).bounding_box() for name in ("reveal", "next")] == before


def test_typed_tokens_are_never_read_as_markup(open_page):
    sentence = "%3Cb%3E **bold** :red[x] $x$ [a](http://b)"
    page = open_page(f"quiz?quiz=1&embedding=seeded&sentence={sentence}", height=1400)
    for question in quiz(Experiment(sentence="<b> **bold** :red[x] $x$ [a](http://b)", embedding="seeded"), 1):
        expect(options(page)).to_have_count(len(question.options))
        block = page.locator("[data-testid=stColumn]").first
        assert block.locator("strong:not([role] strong), a, .katex, b").count() == 0
        answer(page, question.answer)
        expect(verdict(page)).to_contain_text(SAYS["right"])
        press(page, "next")
        expect(verdict(page)).to_have_count(0)
