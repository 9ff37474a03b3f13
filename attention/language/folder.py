"""A folder as Hugging Face lays it out: config.json and model.safetensors, read with suspicion and never unpickled.

Whatever is wrong with it is a `LearnerError` that names the file or the tensor, and what was expected.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os.path import exists, isdir  # False where `Path` raises, as for a folder that may not be entered
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attention.errors import LearnerError, shown

FLOATS = ("F32", "F16", "BF16")  # as safetensors calls them
MAX_ENTRY = 10**9  # far above what any size of a model can be


def read_json(path: Path) -> dict[str, Any]:
    """A file that holds one JSON object."""
    text = _text(path)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise broken(path, f"it is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise broken(path, "it does not hold one JSON object, { ... }")
    return found


def read_lines(path: Path) -> list[str]:
    """The lines of a text file."""
    return _text(path).splitlines()


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            raise LearnerError("model_file_missing", folder=path.parent.name, file=path.name)
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise broken(path, "it is not UTF-8 text") from error
    except OSError as error:
        raise broken(path, error.strerror or type(error).__name__) from error


def broken(path: Path, reason: str) -> LearnerError:
    return LearnerError("model_file_broken", file=path.name, reason=reason)


@dataclass(frozen=True, eq=False)
class Weights:
    """The tensors of model.safetensors, mapped into memory: `file` is what `safe_open` gives."""

    file: Any
    names: Mapping[str, str]  # without the prefix -> as the file has it

    def check(self, expected: Iterable[tuple[str, tuple[int, ...]]]) -> None:
        """Raise `LearnerError` unless each tensor is there with its shape, in floating-point numbers."""
        for name, shape in expected:
            wanted = f"{' or '.join(FLOATS)} {shape}"
            if name not in self.names:
                raise LearnerError("model_tensor_missing", tensor=name, expected=wanted)
            stored = self.file.get_slice(self.names[name])
            kind, size = stored.get_dtype(), tuple(stored.get_shape())
            if kind not in FLOATS or size != shape:
                raise LearnerError("model_tensor_wrong", tensor=name, found=f"{kind} {size}", expected=wanted)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def tensor(self, name: str) -> Tensor:
        """A tensor in float32, of its own shape. Raises `LearnerError` if it has NaN or infinity in it."""
        return self._finite(name, self.file.get_tensor(self.names[name]))

    def rows(self, name: str, first: int, last: int) -> Tensor:
        """The rows first to last - 1 of a matrix. float32 (row, column). Raises `LearnerError` as above."""
        return self._finite(name, self.file.get_slice(self.names[name])[first:last])

    def _finite(self, name: str, stored: Tensor) -> Tensor:
        if not stored.isfinite().all():
            raise LearnerError("model_tensor_not_finite", tensor=name)
        return stored.to(torch.float32)  # of the same shape


def read_weights(folder: Path, prefix: str) -> Weights:
    """Map the weights of a folder; `prefix` may stand in front of the names or not."""
    from safetensors import SafetensorError, safe_open  # not installed everywhere

    path = folder / "model.safetensors"
    if isdir(path):
        raise broken(path, "it is a folder")
    if not exists(path):
        if any(each != path for each in folder.glob("model*.safetensors*")):
            raise LearnerError("model_in_parts", folder=folder.name, file=path.name)
        if any(folder.glob("*.bin")):
            raise LearnerError("model_pickled", folder=folder.name, file=path.name)
        raise LearnerError("model_file_missing", folder=folder.name, file=path.name)
    try:
        path.open("rb").close()  # safetensors would call a file that may not be read missing
        file: Any = safe_open(path, framework="pt")
    except OSError as error:
        raise broken(path, error.strerror or type(error).__name__) from error
    except SafetensorError as error:
        raise broken(path, f"it is no safetensors file, or only a part of one: {error}") from error
    return Weights(file, {name.removeprefix(prefix): name for name in file.keys()})  # noqa: SIM118


def whole_number(config: Mapping[str, Any], file: str, name: str) -> int:
    """An entry that must be 1 or more, and at most `MAX_ENTRY`."""
    value = config.get(name)
    if type(value) is not int or not 1 <= value <= MAX_ENTRY:
        expected = f"at most {MAX_ENTRY}" if type(value) is int and value > MAX_ENTRY else "1 or more"
        raise LearnerError("model_config", file=file, name=name, value=shown(value), expected=expected)
    return value


def positive_number(config: Mapping[str, Any], file: str, name: str) -> float:
    """An entry that must be above 0, and not infinite."""
    value = config.get(name)
    if type(value) is not float or not 0 < value < math.inf:
        raise LearnerError("model_config", file=file, name=name, value=shown(value), expected="a number above 0")
    return value


def one_of(config: Mapping[str, Any], file: str, name: str, allowed: tuple[object, ...]) -> None:
    """Check an entry whose other values would need other maths; the first one allowed is what a missing entry means."""
    value = config.get(name, allowed[0])
    if not any(type(value) is type(each) and value == each for each in allowed):
        expected = " or ".join(json.dumps(each) for each in allowed)
        raise LearnerError("model_config", file=file, name=name, value=shown(value), expected=expected)
