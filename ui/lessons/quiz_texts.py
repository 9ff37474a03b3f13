"""Questions, options and verdicts of the quiz as Markdown. Tokens are typed by people: they show as themselves."""

from attention import Experiment
from attention.quiz import Option, Question, Word
from figures.labels import short
from ui.lesson import script
from ui.lessons.quiz_game import Game, score, visit
from ui.markdown import literal
from ui.words import t

TOKENS = ("query", "key", "token", "first", "second")  # values that name a token: '3 · the'
WIDTH = 24  # columns of text of the longest token


def ask(question: Question) -> str:
    """The question with its values."""
    values = {name: _value(name, value) for name, value in question.values.items()}
    return t(f"quiz.questions.{question.kind}", **values)


def option(choice: Option) -> str:
    """An option: a word, tokens, or numbers."""
    if isinstance(choice, Word):
        return t(f"quiz.words.{choice.key}")
    return " → ".join(map(_token, choice.tokens)) if choice.tokens else choice.text


def why(question: Question) -> str:
    """What is right, and the rule behind it."""
    return t("quiz.answer", answer=option(question.options[question.answer])) + " " + t(f"quiz.whys.{question.kind}")


def standing(game: Game) -> str:
    """The score of this quiz, and of the whole visit if there was another."""
    (right, answered), (right_in_all, in_all) = score([game]), score(visit())
    text = t("quiz.score", right=right, answered=answered)
    return text if in_all == answered else f"{text} · {t('quiz.visit', right=right_in_all, answered=in_all)}"


def summary(game: Game) -> str:
    """The end of a quiz: the questions that were answered wrongly, with the right answer."""
    wrong = [
        f"- {ask(question)} **{t('quiz.answer', answer=option(question.options[question.answer]))}**"
        for question, chosen in zip(game.questions, game.answers, strict=True)
        if chosen != question.answer
    ]
    return "\n".join([t("quiz.done"), "", *([t("quiz.again"), *wrong] if wrong else [])])


def program(experiment: Experiment, seed: int, item: int) -> str:
    """A program that asks the same questions."""
    return (
        f"{script(experiment)}\nfrom attention.quiz import quiz\n\n"
        f"for question in quiz({experiment!r}, seed={seed}, item={item}):\n"
        "    print(question.kind, question.values, question.options, question.answer)\n"
    )


def _value(name: str, value: str | int | float) -> str:
    return _token(str(value)) if name in TOKENS else str(value)


def _token(named: str) -> str:
    position, _, text = named.partition(" · ")
    return f"{position}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}{literal(short(text, WIDTH))}"
