"""A learner as the load has them: an experiment of one's own, a page, and which control is moved next."""

from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import urlencode

from attention import Experiment
from ui.words import locale

PAGES = ("start", "multihead", "start", "multihead", "causal", "masks", "scale", "quiz")
WORDS = [
    "the",
    "cat",
    "saw",
    "a",
    "dog",
    "and",
    "one",
    "bird",
    "sang",
    "while",
    "two",
    "old",
    "trees",
    "grew",
    "very",
    "slowly",
    "near",
    "that",
    "quiet",
    "river",
]
LARGE = 12  # every so manieth learner has 32 tokens and 12 heads
MASKS = ("causal", "none", "sliding_window")


class Learner:
    """The learner with this number: the same one in every run of the load."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)
        self.number = number
        self.page = PAGES[number % len(PAGES)]
        large = number % LARGE == 1
        self._tokens = 32 if large else self._random.randint(6, 20)
        heads = 12 if large else self._random.randint(1, 4)
        self.experiment = Experiment(
            sentence=self._sentence(),
            embedding="seeded",
            d_in=16,
            d_out=4 * heads,
            num_heads=heads,
            mask="causal" if self.page == "masks" else self._random.choice(MASKS),
            seed=self._seed(),
            variant="causal" if self.page == "causal" else "multi_head",
        )

    @property
    def path(self) -> str:
        """The page's place in the address."""
        return "" if self.page == "start" else self.page

    def query(self) -> str:
        """What the address says; every third learner has a cell open."""
        own = self.experiment
        chosen = {name: getattr(own, name) for name in ("sentence", "embedding", "d_in", "d_out", "num_heads", "mask")}
        cell = {"cell": "scores.3.2" if own.variant == "causal" else "scores.1.3.2"} if self.number % 3 == 0 else {}
        return urlencode({**chosen, "seed": own.seed, **cell})

    def move(self) -> tuple[str, Any]:
        """Change the experiment in one thing: the control that was moved, and what its widget says now."""
        match self._random.choices(("seed", "sentence", "d_out", "mask"), (5, 2, 2, 1))[0]:
            case "sentence":
                return self._take("sentence", self._sentence())
            case "d_out":
                return self._take("d_out", self.experiment.num_heads * self._random.randint(2, 6))
            case "mask" if self.page != "masks":
                mask = self._random.choice(MASKS)
                return self._take("mask", mask, locale("en")["controls"]["mask"][mask])
            case _:
                return self._take("seed", self._seed())

    def pause(self) -> float:
        """Seconds until the next change."""
        return self._random.uniform(3, 6)

    def _take(self, key: str, value: Any, label: Any = None) -> tuple[str, Any]:
        self.experiment = replace(self.experiment, **{key: value})
        return key, value if label is None else label

    def _seed(self) -> int:
        return self._random.randrange(2**32)

    def _sentence(self) -> str:
        return " ".join([f"reader{self.number}", *self._random.choices(WORDS, k=self._tokens - 1)])
