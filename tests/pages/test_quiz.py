"""The quiz asks about the learner's own numbers, counts each answer once, and gives a class the same questions."""

import inspect
import re
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st

from attention import Experiment
from attention.quiz import KINDS, Text, quiz
from tests.pages.app import LANGUAGES, choose, control, go_to, open_page, press, text
from tests.pages.look import components, drawn, figures
from ui.lessons import quiz_cards, quiz_texts
from ui.words import locale

HOSTILE = "<b> **bold** :red[x] `code` $x$ [a](http://b) 😀 *"
EXPERIMENTS = [
    Experiment(),
    Experiment(dropout=0.5, mode="train"),
    Experiment(sentence="b a b a", embedding="seeded", mask="none", positions="sinusoidal", num_heads=1),
    Experiment(sentence=HOSTILE, embedding="seeded", d_out=12, num_heads=4, mask="sliding_window", window=2),
    Experiment(sentence="Your journey starts\nstep", mask="padding", qkv_bias=True),
    Experiment(sentence="one"),
]


@cache
def asked(experiment):
    """Every kind that the experiment gives, several times."""
    trace = experiment.run()
    return [question for seed in range(3) for question in quiz(experiment, seed, 60, trace=trace)]


def answer(at, question, right=True):
    """Choose the right option, or the first wrong one, and reveal."""
    places = range(len(question.options))
    choose(at, quiz_answer=next(place for place in places if (place == question.answer) == right))
    return press(at, "quiz.reveal")


def verdict(at):
    """What is said of the answer: True for right, False for wrong, None before."""
    told = [*((True, box.value) for box in at.success), *((False, box.value) for box in at.error)]
    assert len(told) <= 1
    for right, said in told:
        assert text(at, "quiz.right" if right else "quiz.wrong") in said
    return told[0][0] if told else None


def standing(at):
    """Right and answered of this quiz, and of the visit where it is another number."""
    said = [each.value for each in at.markdown if each.value.startswith(text(at, "quiz.score")[:5])]
    numbers = [int(number) for number in re.findall(r"\d+", said[0])]
    pairs = [numbers[i : i + 2] for i in range(0, len(numbers), 2)]
    return [tuple(reversed(pair)) if at.session_state["lang"] == "zh" else tuple(pair) for pair in pairs]


def disabled(at, key):
    (button,) = [button for button in at.button if button.label == text(at, key)]
    return button.disabled


def markdown(at):
    return [each.value for each in at.markdown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_asked_answered_and_followed_by_the_next(language):
    first, second, *_ = quiz(Experiment(), 5)
    at = open_page("quiz", quiz=5, lang=language)
    assert at.subheader[0].value == text(at, "quiz.number", number=1, count=10)
    assert control(at, "quiz_answer").value is None
    assert disabled(at, "quiz.reveal") and disabled(at, "quiz.next")
    assert verdict(at) is None and standing(at) == [(0, 0)]
    answer(at, first)
    assert verdict(at) is True and standing(at) == [(1, 1)]
    assert locale(language)["quiz"]["whys"][first.kind] in at.success[0].value
    assert disabled(at, "quiz.reveal") and control(at, "quiz_answer").disabled
    press(at, "quiz.next")
    assert at.subheader[0].value == text(at, "quiz.number", number=2, count=10)
    assert control(at, "quiz_answer").value is None and verdict(at) is None
    answer(at, second, right=False)
    assert verdict(at) is False and standing(at) == [(1, 2)]


def test_a_link_gives_two_visitors_the_same_questions_in_the_same_order():
    visitors = [
        open_page("quiz", quiz=7, seed=5, num_heads=4),
        open_page("quiz", quiz=7, seed=5, num_heads=4, lang="zh"),
    ]
    for question in quiz(Experiment(seed=5, num_heads=4), 7):
        for at in visitors:
            said = locale(at.session_state["lang"])["quiz"]["questions"][question.kind]
            start = re.split("{", said)[0]
            assert any(shown.startswith(start) for shown in markdown(at))
            assert len(control(at, "quiz_answer").options) == len(question.options)
            press(answer(at, question), "quiz.next")
    assert [standing(at) for at in visitors] == [[(10, 10)], [(10, 10)]]


def test_the_end_names_what_was_wrong_with_the_right_answer():
    at = open_page("quiz", quiz=2)
    questions = quiz(Experiment(), 2)
    for place, question in enumerate(questions):
        press(answer(at, question, right=place != 3), "quiz.next")
    assert standing(at) == [(9, 10)]
    (summary,) = [said for said in markdown(at) if said.startswith(text(at, "quiz.done"))]
    assert summary.count("\n- ") == 1
    assert text(at, "quiz.answer", answer=spoken(questions[3].options[questions[3].answer])) in summary
    assert not figures(at)
    press(at, "quiz.another")
    assert at.session_state["quiz"] == 3 and at.query_params["quiz"] == "3"
    assert standing(at) == [(0, 0), (9, 10)]


def spoken(option):
    return quiz_texts.option(option) if isinstance(option, Text) else locale("en")["quiz"]["words"][option.key]


def test_all_right_needs_no_second_look():
    at = open_page("quiz", sentence="one", quiz=1)
    questions = quiz(Experiment(sentence="one"), 1)
    for question in questions:
        press(answer(at, question), "quiz.next")
    assert text(at, "quiz.again") not in "\n".join(markdown(at))
    assert standing(at) == [(len(questions), len(questions))]


def test_the_score_and_the_place_outlive_a_page_switch():
    at = open_page("quiz")
    questions = quiz(Experiment(), 1)
    press(answer(at, questions[0]), "quiz.next")
    answer(at, questions[1], right=False)
    go_to(go_to(at, "masks"), "quiz")
    assert standing(at) == [(1, 2)] and verdict(at) is False
    assert at.subheader[0].value == text(at, "quiz.number", number=2, count=10)
    assert control(at, "quiz_answer").value not in (None, questions[1].answer)


def test_another_language_keeps_the_choice_and_the_score():
    at = open_page("quiz")
    question = quiz(Experiment(), 1)[0]
    choose(at, quiz_answer=question.answer)
    choose(at, lang="zh")
    assert control(at, "quiz_answer").value == question.answer
    press(at, "quiz.reveal")
    assert verdict(at) is True
    choose(at, lang="en")
    assert verdict(at) is True and standing(at) == [(1, 1)]


@pytest.mark.parametrize("change", [{"quiz": 2}, {"seed": 7}, {"mask": "none"}], ids=str)
def test_a_change_begins_a_new_quiz_and_the_same_question_never_counts_twice(change):
    at = open_page("quiz")
    questions = quiz(Experiment(), 1)
    answer(at, questions[0])
    press(at, "quiz.next")
    choose(at, **change)
    assert at.subheader[0].value == text(at, "quiz.number", number=1, count=10)
    assert control(at, "quiz_answer").value is None
    assert standing(at) == [(0, 0), (1, 1)]
    experiment = Experiment(**{name: value for name, value in change.items() if name != "quiz"})
    answer(at, quiz(experiment, change.get("quiz", 1))[0], right=False)
    assert standing(at) == [(0, 1), (1, 2)]
    back = {"quiz": 1, "seed": 123, "mask": "causal"}
    choose(at, **{name: back[name] for name in change})
    assert at.subheader[0].value == text(at, "quiz.number", number=2, count=10)
    assert standing(at) == [(1, 1), (1, 2)]
    answer(at, questions[1])
    assert standing(at) == [(2, 2), (2, 3)]


@pytest.mark.parametrize("chosen", [{}, {"dropout": 0.5, "mode": "train", "num_heads": 4}, {"mask": "none", "seed": 9}])
def test_the_answers_figure_comes_with_the_reveal_and_is_the_traces_own(chosen):
    experiment = Experiment(**chosen)
    trace = experiment.run()
    at = open_page("quiz", quiz=4, **chosen)
    for question in quiz(experiment, 4):
        assert question.steps[-1] not in [shown.step for shown in figures(at)]
        answer(at, question)
        head = int(question.values["head"]) - 1 if "head" in question.values else None
        head = 0 if question.kind in ("hidden_pair", "hidden_count", "who_feels_a_change", "divisor") else head
        steps = {shown.step: shown.values for shown in figures(at)}
        assert {*question.steps} <= steps.keys()
        for step, values in steps.items():
            np.testing.assert_array_equal(values, drawn(trace.inputs if step == "inputs" else trace[step], head=head))
        press(at, "quiz.next")


def test_the_query_of_the_question_is_outlined_whatever_the_reader_chose_elsewhere():
    at = open_page("quiz", query=2, cell="scores.1.3.1")
    for question in quiz(Experiment(), 1):
        (told,) = components(at)
        if "query" in question.values:
            assert told["query"] == int(question.values["query"].split(" ")[0]) - 1
        assert told["cell"] is None or told["cell"]["places"]["key"] == int(question.values["key"].split(" ")[0]) - 1
        press(answer(at, question), "quiz.next")
    assert at.query_params["query"] == "2"


def test_a_revealed_pair_is_the_cell_that_is_outlined():
    question = next(question for question in asked(EXPERIMENTS[3]) if question.kind == "hidden_pair")
    right = question.options[question.answer].text
    places = quiz_cards.marked(question, revealed=True)
    query, key = (int(name) - 1 for name in re.findall(r"(?:^|→ )(\d+) · ", right))
    assert (places["query"], places["key"]) == (query, key)
    assert "key" not in quiz_cards.marked(question, revealed=False)


def test_what_a_person_typed_shows_as_itself():
    at = open_page("quiz", sentence=HOSTILE, embedding="seeded", quiz=3, tokenizer="words")
    experiment = Experiment(sentence=HOSTILE, embedding="seeded")
    for question in quiz(experiment, 3):
        for label in control(at, "quiz_answer").options:
            outside = re.sub(r"(`+) .*? \1", "", label)
            assert not re.search(r"[<*:\[$`]", outside), label
        press(answer(at, question), "quiz.next")
    assert standing(at) == [(10, 10)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_can_be_said_with_its_values_and_drawn(language, monkeypatch):
    monkeypatch.setattr(
        st, "session_state", SimpleNamespace(lang=language, item=1, query=None, get={"lang": language}.get)
    )
    said = set()
    for experiment in EXPERIMENTS:
        trace = experiment.run()
        for question in asked(experiment):
            text = quiz_texts.ask(question)
            for name, value in question.values.items():
                shown = str(value).partition(" · ")[2] if name in quiz_texts.TOKENS else str(value)
                assert shown in text, (question, text)
            options = [quiz_texts.option(option) for option in question.options]
            assert len({*options}) == len(options)
            assert quiz_texts.option(question.options[question.answer]) in quiz_texts.why(question)
            if question.kind not in said:
                revealed = quiz_cards.cards(experiment, trace, question, revealed=True)
                assert [card.step for card in revealed][-len(question.steps) :] == [*question.steps]
            said.add(question.kind)
    assert said == KINDS.keys() and len(said) >= 20


def test_a_tip_is_given_where_dropout_does_nothing():
    for chosen, tip in (({}, True), ({"mode": "train", "dropout": 0.5}, False), ({"mode": "train"}, True)):
        at = open_page("quiz", **chosen)
        captions = " ".join(each.value for each in at.caption)
        assert (text(at, "quiz.more_kinds") in captions) == tip
        assert text(at, "quiz.restart") in captions


def test_the_last_seed_is_followed_by_the_first():
    at = open_page("quiz", quiz=9999)
    assert press(at, "quiz.another").session_state["quiz"] == 0


def test_a_long_sentence_draws_one_head():
    at = open_page("quiz", sentence="a b c d " * 40, embedding="seeded", d_out=16, num_heads=16)
    experiment = Experiment(sentence="a b c d " * 40, embedding="seeded", d_out=16, num_heads=16)
    for question in quiz(experiment, 1):
        answer(at, question)
        assert all(shown.values.ndim == 2 for shown in figures(at))
        press(at, "quiz.next")


def test_what_works_the_answer_out_is_shown_once_it_is_revealed():
    at = open_page("quiz")
    question = quiz(Experiment(), 1)[0]
    source = inspect.getsource(KINDS[question.kind])
    assert source not in [code.value for code in at.code]
    answer(at, question)
    assert source.strip() in [code.value.strip() for code in at.code]
