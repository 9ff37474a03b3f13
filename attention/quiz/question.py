"""What a quiz question is, and the pass that it asks about.

A question is language neutral: `kind` names its text, which `values` fill, and its options are `Text` or `Word`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from attention.experiment import Experiment
from attention.trace import Trace

MAX_OPTIONS = 5
CLOSE = 0.002  # who calculates by hand rounds: two options must not be nearer than that, as a share of numbers over 1


@dataclass(frozen=True)
class Text:
    """An option that reads the same in every language, as it is: '3 · the', '0.2500', '(1, 2, 6, 2)'."""

    text: str
    tokens: tuple[str, ...] = ()  # the tokens that it names, as `Scene.token` does: typed by a person


@dataclass(frozen=True)
class Word:
    """An option that is a word of the locale: 'yes', 'smaller'."""

    key: str


Option = Text | Word
Offer = Option | str | float | tuple[int, ...]  # what `Scene.ask` makes an option of
Values = Mapping[str, str | int | float]


@dataclass(frozen=True)
class Question:
    """One question with its options; `options[answer]` is the right one, and `steps` are drawn when it is revealed."""

    kind: str
    values: Values
    options: tuple[Option, ...]
    answer: int
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """One sentence of a pass, and the dice. Only its real tokens are asked about, never the padding."""

    kind: str
    trace: Trace
    experiment: Experiment
    item: int
    random: Random

    @property
    def n(self) -> int:
        """The number of real tokens."""
        return len(self.experiment.tokens[self.item].texts)

    @property
    def head_dim(self) -> int:
        return self.trace["queries"].value.shape[-1]

    @property
    def hidden(self) -> Tensor:
        """True where a query must not look at a key. Shape (query, key)."""
        return self.matrix("masked_scores", 0).isneginf()  # (query, key)

    def matrix(self, step: str, head: int) -> Tensor:
        """What the real tokens have in one head: (query, key), or (token, feature)."""
        value = self.trace[step].value[self.item, head]  # (query, key) or (token, feature)
        columns = self.n if self.trace[step].axes[-1] == "key" else value.shape[-1]
        return value[: self.n, :columns]  # (query, key) or (token, feature)

    def row(self, step: str, head: int, query: int) -> Tensor:
        """One whole row, with the padding: what softmax sees. Shape (key,)."""
        return self.trace[step].value[self.item, head, query]  # (key,)

    def token(self, place: int) -> str:
        """A token with its position, counted from 1: a sentence may use it twice."""
        return f"{place + 1} · {self.experiment.tokens[self.item].texts[place]}"

    def choice(self, *places: int) -> Text:
        """An option that names tokens: one, or the query and the key of a pair."""
        names = tuple(map(self.token, places))
        return Text(" → ".join(names), names)

    def head(self) -> int:
        return self.random.randrange(self.experiment.num_heads)

    def place(self) -> int:
        return self.random.randrange(self.n)

    def places(self) -> list[int]:
        """A few places in random order, to fill up the options."""
        return self.random.sample(range(self.n), min(self.n, 2 * MAX_OPTIONS))

    def pick(self, wanted: Tensor) -> int | None:
        """Any place where `wanted` (token,) is true; None if there is none."""
        found = wanted.nonzero().flatten()  # (found,)
        return int(found[self.random.randrange(len(found))]) if len(found) else None

    def looker(self) -> int | None:
        """Any query that sees at least two tokens; None if there is none."""
        return self.pick((~self.hidden).sum(dim=-1) >= 2)

    def ask(self, values: Values, right: Offer, wrong: Iterable[Offer], steps: tuple[str, ...]) -> Question | None:
        """The question, its options shuffled; the most tempting wrong ones go first. None if nothing wrong is left."""
        offered = [_option(right), *(_option(offer) for offer in wrong if not _too_close(right, offer))]
        options = list(dict.fromkeys(offered))[:MAX_OPTIONS]
        if len(options) < 2:
            return None
        self.random.shuffle(options)
        return Question(self.kind, values, tuple(options), options.index(_option(right)), steps)


def number(value: float) -> str:
    """A number as the quiz shows it: four decimals, and no minus before a zero."""
    text = f"{value:.4f}" if abs(value) < 1e5 else f"{value:.4e}"
    return text.removeprefix("-") if float(text) == 0 else text


def vector(numbers: Tensor) -> str:
    """Numbers (feature,) as the quiz shows them: '(0.5000, -1.2000)'."""
    return f"({', '.join(map(number, numbers.tolist()))})"


def yes_or_no(true: bool) -> Word:
    return Word("yes") if true else Word("no")


def is_same(one: Tensor, other: Tensor) -> bool | None:
    """Whether two vectors are equal but for rounding; None if they are so near that nobody could tell."""
    size = torch.maximum(one.abs(), other.abs()).max().clamp(min=1)  # ()
    distance = float((one - other).abs().max() / size)
    return None if 1e-5 < distance < 1e-3 else distance <= 1e-5


def _option(offer: Offer) -> Option:
    if isinstance(offer, Text | Word):
        return offer
    return Text(number(offer) if isinstance(offer, float) else str(offer))


def _too_close(right: Offer, wrong: Offer) -> bool:
    return isinstance(right, float) and isinstance(wrong, float) and abs(right - wrong) <= CLOSE * max(1, abs(wrong))
