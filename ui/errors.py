"""A learner's mistake, in the page's language."""

from attention.errors import LearnerError
from ui.markdown import literal
from ui.words import t

TYPED = ("text", "token", "value")  # the values that a person typed; the others are the app's own


def message(error: LearnerError) -> str:
    """What is wrong and what would be right, as Markdown; texts a person typed are quoted literally."""
    values = {name: literal(str(v)) if name in TYPED else v for name, v in error.values.items()}
    return t(f"errors.{error.code}", **values)
