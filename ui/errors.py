"""A learner's mistake, in the page's language."""

from attention.errors import LearnerError
from ui.markdown import literal
from ui.words import t

QUOTED = ("text", "token", "value", "reason", "file", "folder", "tensor", "found")  # may look like Markdown


def message(error: LearnerError) -> str:
    """What is wrong and what would be right, as Markdown; what are not the app's own words is quoted literally."""
    values = {name: literal(str(v)) if name in QUOTED else v for name, v in error.values.items()}
    if "known" in values:
        values["known"] = f"`{values['known']}`"  # our own words, some with a colon, such as a:red
    return t(f"errors.{error.code}", **values)
