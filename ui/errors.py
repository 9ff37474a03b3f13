"""A learner's mistake, in the page's language."""

from attention.errors import LearnerError
from ui.markdown import literal, quoted
from ui.words import t

TYPED = ("text", "token", "value", "file", "folder", "tensor")  # may look like Markdown
OF_A_FILE = ("reason", "found")  # may, too, but are sentences


def message(error: LearnerError) -> str:
    """What is wrong and what would be right, as Markdown; what are not the app's own words is quoted literally."""
    values = dict(error.values)
    values |= {name: literal(str(value)) for name, value in error.values.items() if name in TYPED}
    values |= {name: quoted(str(value)) for name, value in error.values.items() if name in OF_A_FILE}
    if "known" in values:
        values["known"] = f"`{values['known']}`"  # our own words, some with a colon, such as a:red
    return t(f"errors.{error.code}", **values)
