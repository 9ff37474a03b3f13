"""Tables of numbers that learners write, paste or upload: CSV text <-> rows of numbers."""

import math
import re
from collections.abc import Sequence

from attention.checks import MAX_D_IN
from attention.errors import LearnerError, shown
from attention.tokens import MAX_TOKENS

MAX_SIZE = 1_000_000  # of one number: its products still fit into float32
MAX_CHARACTERS = 25 * MAX_D_IN * MAX_TOKENS  # of the text: the largest table, each number with all its digits

_SEPARATOR = re.compile(r"\s*[,;，；]\s*|\s+")
# For Python and for browsers; only one way to read each digit: linear time, also for a million digits and a letter.
NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
_NUMBER = re.compile(NUMBER)
_QUOTED = re.compile(r'"([^"]*)"')
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def parse_vectors(text: str) -> tuple[tuple[float, ...], ...]:
    """Rows of numbers from CSV text: one row a line, columns apart by comma, semicolon, tab or spaces.

    Numbers may stand in double quotes. A byte order mark and blank lines are skipped. Raises `LearnerError`, naming
    the row (the line) and the column, for anything that is not a table of finite numbers.
    """
    if len(text) > MAX_CHARACTERS:
        raise LearnerError("too_many_characters", count=len(text), limit=MAX_CHARACTERS)
    lines = [(number, line.strip()) for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1)]
    filled = [(number, line) for number, line in lines if line]
    if len(filled) > MAX_TOKENS:
        raise LearnerError("vectors_too_many_rows", count=len(filled), limit=MAX_TOKENS)
    rows = [_parse_row(number, line) for number, line in filled]
    _check_rows(rows, [number for number, _ in filled])
    return tuple(rows)


def format_vectors(rows: Sequence[Sequence[float]]) -> str:
    """CSV text that `parse_vectors` reads back exactly, with no digit too many."""
    return "".join(",".join(repr(float(value)).removesuffix(".0") for value in row) + "\n" for row in rows)


def check_vectors(rows: object) -> None:
    """Raise `LearnerError` unless `rows` is a tuple of equally long tuples of finite numbers."""
    if type(rows) is not tuple or any(type(row) is not tuple for row in rows):
        raise LearnerError("vectors_not_rows")
    if len(rows) > MAX_TOKENS:
        raise LearnerError("vectors_too_many_rows", count=len(rows), limit=MAX_TOKENS)
    _check_rows(rows, range(1, len(rows) + 1))


def _parse_row(number: int, line: str) -> tuple[float, ...]:
    quoted = iter(_QUOTED.findall(line))  # set aside: a comma in them separates nothing
    line = _QUOTED.sub('"', line)
    kinds = list(dict.fromkeys(_kind(separator) for separator in _SEPARATOR.findall(line)))
    if len(kinds) > 1:  # 0,5;0,7 and 0,5 0,7 would be read as four numbers
        raise LearnerError("vectors_mixed_separators", row=number, one=kinds[0], other=kinds[1])
    cells = [next(quoted, cell).strip() if cell == '"' else cell for cell in _SEPARATOR.split(line)]
    return tuple(_parse_cell(cell, number, column) for column, cell in enumerate(cells, start=1))


def _parse_cell(cell: str, row: int, column: int) -> float:
    if not cell:
        raise LearnerError("vectors_empty_cell", row=row, column=column)
    if _DECIMAL_COMMA.fullmatch(cell):  # in quotes
        raise LearnerError("vectors_decimal_comma", row=row, column=column, text=shown(cell))
    if not _NUMBER.fullmatch(cell) and not _NOT_FINITE.fullmatch(cell):
        raise LearnerError("vectors_not_number", row=row, column=column, text=shown(cell))
    if not math.isfinite(float(cell)):
        raise LearnerError("vectors_not_finite", row=row, column=column, text=shown(cell))
    return float(cell)


def _kind(separator: str) -> str:
    """',' for ', ': what separates, as a mark that can be seen."""
    return separator.strip() or ("⇥" if "\t" in separator else "␣")


def _check_rows(rows: Sequence[Sequence[float]], numbers: Sequence[int]) -> None:
    if not rows or not rows[0]:
        raise LearnerError("vectors_empty")
    for number, row in zip(numbers, rows, strict=True):
        if len(row) > MAX_D_IN:
            raise LearnerError("vectors_too_many_columns", row=number, count=len(row), limit=MAX_D_IN)
        if len(row) != len(rows[0]):
            raise LearnerError("vectors_uneven", row=number, columns=len(row), expected=len(rows[0]))
        for column, value in enumerate(row, start=1):
            _check_number(value, number, column)


def _check_number(value: object, row: int, column: int) -> None:
    if type(value) not in (int, float):
        raise LearnerError("vectors_not_number", row=row, column=column, text=shown(value))
    assert isinstance(value, int | float)
    if isinstance(value, float) and not math.isfinite(value):
        raise LearnerError("vectors_not_finite", row=row, column=column, text=str(value))
    if abs(value) > MAX_SIZE:
        raise LearnerError("vectors_too_large", row=row, column=column, text=shown(value), limit=MAX_SIZE)
