"""Predict, then reveal: questions about the learner's own numbers, one at a time."""

import streamlit as st

from attention import Experiment
from attention import quiz as questions
from ui import door, reading
from ui.lesson import close_lesson, open_lesson, programs
from ui.lessons import quiz_game
from ui.lessons.quiz_cards import cards, marked
from ui.lessons.quiz_texts import ask, option, program, standing, summary, why
from ui.parameters import QUIZZES
from ui.plot import plots
from ui.runs import run
from ui.words import t


def lesson(experiment: Experiment) -> None:
    trace, state = run(experiment), st.session_state

    with st.container(horizontal=True, vertical_alignment="bottom"):
        label, help = t("controls.quiz.label"), t("controls.quiz.help")
        st.number_input(label, 0, QUIZZES - 1, key="quiz", help=help, persist_state="session", width=200)
        st.button(t("quiz.another"), on_click=quiz_game.another, icon=":material/skip_next:")
    dull = experiment.mode == "eval" or not experiment.dropout
    st.caption(f"{t('quiz.restart')} {t('quiz.more_kinds') if dull else ''}")

    game = quiz_game.current(experiment)
    st.markdown(standing(game))
    if game.over:
        st.markdown(summary(game))
    else:
        question = game.questions[game.place]
        left, right = st.columns([1, 2], gap="medium")
        with left:
            st.subheader(t("quiz.number", number=game.place + 1, count=len(game.questions)), anchor=False)
            st.markdown(ask(question))
            st.radio(
                t("quiz.prediction"),
                range(len(question.options)),
                format_func=lambda place: option(question.options[place]),
                key="quiz_answer",
                index=None,
                disabled=game.revealed,
                persist_state="session",
            )
            with st.container(horizontal=True):
                chosen = state.quiz_answer is not None
                st.button(t("quiz.reveal"), on_click=game.reveal, disabled=not chosen or game.revealed, type="primary")
                st.button(t("quiz.next"), on_click=game.go_on, disabled=not game.revealed, type="primary")
            if game.right:
                st.success(f"**{t('quiz.right')}** {why(question)}", icon=":material/check:")
            elif game.revealed:
                st.error(f"**{t('quiz.wrong')}** {why(question)}", icon=":material/close:")
        with right:
            figures = cards(experiment, trace, question, game.revealed)
            plots(figures, trace, key="quiz_steps", across=2, marked=marked(question, game.revealed))
    shown = [questions.KINDS[question.kind]] if not game.over and game.revealed else []
    programs(program(experiment, state.quiz, reading.item(trace)), *shown)


open_lesson("quiz", kinds=len(questions.KINDS))
door.show(lesson)
close_lesson("quiz", questions.quiz)
