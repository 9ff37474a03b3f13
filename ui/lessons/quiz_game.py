"""The quizzes of a visit: which question is on, and what was answered. Kept until the browser's tab is closed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from attention import Experiment
from attention.quiz import Question, quiz
from ui import reading
from ui.parameters import QUIZZES
from ui.runs import run


@dataclass
class Game:
    """One quiz. A question is answered once: what is revealed stays as it is."""

    questions: tuple[Question, ...]
    answers: list[int] = field(default_factory=list)  # the options chosen, one for each question revealed
    place: int = 0  # of the question that is on; past the last one at the end

    @property
    def over(self) -> bool:
        return self.place == len(self.questions)

    @property
    def revealed(self) -> bool:
        return len(self.answers) > self.place

    @property
    def right(self) -> bool:
        """Of the question that is on, once it is revealed."""
        return self.revealed and self.answers[self.place] == self.questions[self.place].answer

    def reveal(self) -> None:
        """Callback: the choice counts, unless the question was answered before."""
        chosen = st.session_state.quiz_answer
        if chosen is not None and not self.revealed:
            self.answers.append(chosen)

    def go_on(self) -> None:
        """Callback: the next question, or the end."""
        self.place = min(self.place + 1, len(self.answers))


def current(experiment: Experiment) -> Game:
    """The quiz of this experiment, sentence and quiz seed; where it was left if it was begun before."""
    state, trace = st.session_state, run(experiment)
    item = reading.item(trace)
    games: dict[tuple[Experiment, int, int], Game] = state.setdefault("quiz_games", {})
    asked = (experiment, item, int(state.quiz))
    for other in [other for other, game in games.items() if other != asked and not game.answers]:
        del games[other]
    if asked not in games:
        games[asked] = Game(quiz(experiment, seed=int(state.quiz), item=item, trace=trace))
    game = games[asked]
    if state.get("quiz_on") != (asked, game.place):  # nothing is chosen yet in a question that has just come
        state.quiz_on = (asked, game.place)
        state.quiz_answer = game.answers[game.place] if game.revealed else None
    return game


def score(games: Iterable[Game]) -> tuple[int, int]:
    """How many are right, and how many are answered."""
    marks = [
        chosen == question.answer
        for game in games
        for question, chosen in zip(game.questions, game.answers, strict=False)
    ]
    return sum(marks), len(marks)


def visit() -> list[Game]:
    """All quizzes in which something was answered since the page was opened."""
    return list(st.session_state.quiz_games.values())


def another() -> None:
    """Callback: the quiz of the next seed."""
    st.session_state.quiz = (int(st.session_state.quiz) + 1) % QUIZZES
