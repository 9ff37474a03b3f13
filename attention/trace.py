r"""A forward pass with every intermediate kept and named.

A module's `forward(x, tap=untapped)` hands each intermediate to `tap(name, value)` and goes on with what
the tap returns. `untapped` returns the value unchanged; `trace` listens and keeps it; another function may
return something else, and so change everything that follows:

    def without_head_0(name, value):
        return value * torch.tensor([0.0, 1.0]).view(2, 1, 1) if name == "context" else value

The idea is that of hook points in TransformerLens (Nanda and Bloom, 2022), reduced to one function.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

PADDING = "[PAD]"

Tap = Callable[[str, Tensor], Tensor]


class Step(NamedTuple):
    """One step of a forward pass, as its class declares it: `Step("scores", "batch query key", r"S = Q K^\\top")`."""

    name: str
    axes: str  # names separated by spaces
    formula: str  # LaTeX
    bias: str = ""  # LaTeX: what qkv_bias adds to the formula


class TracedStep(NamedTuple):
    """What one step gave: a detached tensor, and a name for each of its axes."""

    value: Tensor
    axes: tuple[str, ...]
    formula: str


def untapped(name: str, value: Tensor) -> Tensor:
    """Listen to nothing, change nothing."""
    return value


class Trace(Mapping[str, TracedStep]):
    """The steps of one forward pass in order, name -> `TracedStep`. Read-only.

    `module`: what was run. `inputs`: x itself. `tokens`: for each batch item the texts that label its tokens (empty if
    unknown), and `lengths`: how many of them are no padding. `made_of`: the vectors of the tokens and those of their
    positions, of which x is the sum (empty if unknown).
    """

    def __init__(
        self,
        module: nn.Module,
        steps: Mapping[str, Step],
        values: dict[str, Tensor],
        x: Tensor,
        tokens: Sequence[Sequence[str]],
        made_of: tuple[Tensor, ...],
    ) -> None:
        items, n, _ = x.shape
        self.module = module
        self._declared = steps
        self._values = values
        self.inputs = TracedStep(x.detach(), ("batch", "token", "d_in"), "X")
        self.tokens = tuple((*texts, *[PADDING] * (n - len(texts))) for texts in tokens)
        self.lengths = tuple(map(len, tokens)) or (n,) * items
        self.made_of = made_of

    @cached_property
    def _steps(self) -> dict[str, TracedStep]:
        return {name: self._step(self._declared[name], value) for name, value in self._values.items()}

    def _step(self, declared: Step, value: Tensor) -> TracedStep:
        bias = f" + {declared.bias}" if declared.bias and self.has_bias else ""
        return TracedStep(value.detach(), tuple(declared.axes.split()), declared.formula + bias)

    @cached_property
    def explained(self) -> dict[str, TracedStep]:
        """All steps, and before them x itself, "inputs", if it is known what it is made of."""
        return {**({"inputs": self.inputs} if self.made_of else {}), **self}

    @property
    def has_bias(self) -> bool:
        """Whether queries, keys and values have a bias added: qkv_bias."""
        projection = self.module.W_query
        assert isinstance(projection, nn.Linear)
        return projection.bias is not None

    @property
    def dropout(self) -> float:
        """The probability with which a weight was dropped: 0 in a pass in evaluation mode."""
        dropout = self.module.dropout
        assert isinstance(dropout, nn.Dropout)
        return dropout.p if self.module.training else 0.0

    def place(self, name: str, head: int) -> int:
        """Where a head's numbers of a step are: at its own place, or at its group's where heads share them."""
        step = self[name]
        if "group" not in step.axes:
            return head
        heads, groups = self["queries"].value.shape[1], step.value.shape[1]
        return head * groups // heads

    def __getitem__(self, name: str) -> TracedStep:
        return self._steps[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Trace({', '.join(f'{name} {tuple(value.shape)}' for name, value in self._values.items())})"


def trace(
    module: nn.Module,
    x: Tensor,
    tokens: Sequence[Sequence[str]] = (),
    tap: Tap = untapped,
    made_of: tuple[Tensor, ...] = (),
) -> Trace:
    """Run `module` on x (batch, token, d_in) and keep every step.

    `tokens`: a text for each token of each item; a shorter item was padded at its end.
    `tap` may change values on the way; what is kept is what the pass went on with. `made_of`: see `Trace`.
    Raises ValueError, naming the step, if the steps tapped are not those that the module declares.
    """
    values: dict[str, Tensor] = {}

    def keep(name: str, value: Tensor) -> Tensor:
        if name in values:
            raise ValueError(f"step '{name}' is tapped twice")
        used = tap(name, value)
        values[name] = used.detach() if used.requires_grad else used  # shares memory: nothing is copied
        return used

    module(x, tap=keep)
    declared = cast("tuple[Step, ...]", module.steps)
    steps = _checked(declared, tuple(values), tuple([value.shape for value in values.values()]))
    lengths = [len(texts) for texts in tokens]
    if lengths and (len(lengths), max(lengths)) != tuple(x.shape[:2]):
        raise ValueError(f"tokens do not label x of shape {tuple(x.shape)}: give one text for each token of each item")
    return Trace(module, steps, values, x, tokens, made_of)


@lru_cache(maxsize=256)  # it depends on names and shapes only, and those repeat from pass to pass
def _checked(declared: tuple[Step, ...], names: tuple[str, ...], shapes: tuple[torch.Size, ...]) -> Mapping[str, Step]:
    """The declared steps by name, if they are what was tapped. See `trace` for what is raised if not."""
    for position, name in enumerate(names):
        expected = declared[position].name if position < len(declared) else "nothing more"
        if name != expected:
            raise ValueError(f"step {position + 1} tapped is '{name}', but '{expected}' was declared")
    if len(declared) > len(names):
        raise ValueError(f"step '{declared[len(names)].name}' was declared, but never tapped")
    sizes: dict[str, int] = {}
    for step, shape in zip(declared, shapes, strict=True):
        axes = step.axes.split()
        if len(axes) != len(shape):
            raise ValueError(f"step '{step.name}' declares '{step.axes}', but its value has the shape {tuple(shape)}")
        for axis, size in zip(axes, shape, strict=True):
            if sizes.setdefault(axis, size) != size:
                raise ValueError(f"step '{step.name}' has {size} along '{axis}', but before it was {sizes[axis]}")
    return {step.name: step for step in declared}
