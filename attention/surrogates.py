"""Halves of surrogate pairs: a Python text may hold them, but they are no characters and cannot be written as UTF-8."""


def without_surrogates(text: str) -> str:
    """Two halves that stand together become their character, and one alone U+FFFD, the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
