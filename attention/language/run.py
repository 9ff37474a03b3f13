"""What a learner asks a language model: a sentence, and which heads are switched off. Checked before it is run."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from attention.errors import LearnerError, shown
from attention.language.models import language_model
from attention.tokens import MAX_CHARACTERS, Tokens


@dataclass(frozen=True)
class LanguageRun:
    """A sentence for one of `MODELS`. To make one loads that model if nobody has (SmolLM2: 98 MB), to count its tokens.

    Raises `LearnerError` if the model is not there, or cannot run the sentence. Newlines are part of a sentence.
    `off`: the heads that are switched off, as (layer, head), both counted from 0. A layer is off if all its heads are.
    Any collection of pairs will do; it is kept as a frozenset.
    """

    sentence: str
    off: frozenset[tuple[int, int]] = frozenset()
    model: str = "smollm2"

    def __post_init__(self) -> None:
        if type(self.sentence) is not str:
            raise LearnerError("not_text", name="sentence", value=shown(self.sentence))
        if len(self.sentence) > MAX_CHARACTERS:
            raise LearnerError("too_many_characters", count=len(self.sentence), limit=MAX_CHARACTERS)
        if not self.sentence:
            raise LearnerError("no_sentence")
        object.__setattr__(self, "off", _checked_off(self.off, self.model))
        count, limit = len(self.tokens.ids), language_model(self.model).context_length
        if count == 0:
            raise LearnerError("no_tokens", sentence=1, text=shown(self.sentence))
        if count > limit:
            raise LearnerError("too_many_tokens", sentence=1, text=shown(self.sentence), count=count, limit=limit)

    @property
    def tokens(self) -> Tokens:
        """The model's tokens of the sentence."""
        return _tokens_of(self.sentence, self.model)


def _checked_off(off: object, model: str) -> frozenset[tuple[int, int]]:
    shape = {"layer": language_model(model).num_layers, "head": language_model(model).num_heads}
    pairs = list(off) if isinstance(off, Collection) else [off]
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise LearnerError("not_a_head", value=shown(pair))
        for (name, size), number in zip(shape.items(), pair, strict=True):
            if type(number) is not int:
                raise LearnerError("not_whole_number", name=name, value=shown(number), example=1)
            if not 0 <= number < size:  # learners count from 1
                raise LearnerError("out_of_range", name=name, value=shown(number + 1), smallest=1, largest=size)
    return frozenset(cast("list[tuple[int, int]]", pairs))


@lru_cache(maxsize=32)
def _tokens_of(sentence: str, model: str) -> Tokens:
    return language_model(model).encode(sentence)
