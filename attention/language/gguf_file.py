"""A GGUF file: what it says about the model, and its tensors, each read when it is asked for.

The file is mapped into memory, so that the system can take back what has not been used for a while, and the
numbers stay in their four or eight bits until a layer needs them. Source: ggml-org/ggml, docs/gguf.md.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from struct import unpack_from
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention.language.folder import broken
from attention.language.quantized import KINDS, dequantize


class Place(NamedTuple):
    """Where a tensor is in the file, and how its numbers are stored."""

    offset: int  # bytes
    rows: int
    columns: int
    row_bytes: int
    kind: str


@dataclass(frozen=True, eq=False)
class GGUFFile:
    """`metadata`: the entries of the file by their names. `places`: its tensors by theirs."""

    stored: Tensor  # (byte,), uint8, the whole file
    metadata: Mapping[str, Any]
    places: Mapping[str, Place]

    def check(self, path: Path, expected: Iterable[tuple[str, tuple[int, int]]]) -> None:
        """Raise `LearnerError` about `path` unless each tensor is there with its (row, column), in a known kind."""
        for name, (rows, columns) in expected:
            place = self.places.get(name)
            if place is None:
                raise broken(path, f"it has no tensor '{name}'")
            if (place.rows, place.columns) != (rows, columns) or place.kind not in KINDS:
                found = f"{place.kind} ({place.rows}, {place.columns})"
                raise broken(path, f"the tensor '{name}' is {found}, not {' or '.join(KINDS)} ({rows}, {columns})")

    def without(self, prefix: str) -> "GGUFFile":
        """The same file, without the metadata whose names begin so."""
        kept = {name: value for name, value in self.metadata.items() if not name.startswith(prefix)}
        return replace(self, metadata=kept)

    def vector(self, name: str) -> Tensor:
        """A tensor with one axis. float32 (number,)."""
        return self.rows(name).flatten()  # (number,)

    def rows(self, name: str, first: int = 0, last: int | None = None) -> Tensor:
        """The rows first to last - 1 of a matrix, all if not said. float32 (row, column)."""
        return dequantize(self._stored_rows(name)[first:last], self.places[name].kind)  # (row, column)

    def rows_at(self, name: str, numbers: Tensor) -> Tensor:
        """The rows with these numbers. float32 (row, column)."""
        return dequantize(self._stored_rows(name)[numbers], self.places[name].kind)  # (row, column)

    def _stored_rows(self, name: str) -> Tensor:
        place = self.places[name]
        size = place.rows * place.row_bytes
        return self.stored[place.offset : place.offset + size].view(place.rows, place.row_bytes)  # (row, byte)


def read_gguf(path: Path) -> GGUFFile:
    """Read the names and the metadata; the tensors are only mapped. Raises `LearnerError` if it cannot be read.

    Of the arrays in the metadata, those of strings are read.
    """
    try:
        return _read(path)
    except OSError as error:
        raise broken(path, error.strerror or type(error).__name__) from error
    except Exception as error:  # the package checks little, and stumbles in many ways over a damaged file
        raise broken(path, "it is cut off or damaged") from error


def _read(path: Path) -> GGUFFile:
    reader = _reader(path)
    metadata: dict[str, Any] = {}
    for name, field in reader.fields.items():
        if field.types and field.types[0].name == "ARRAY":
            metadata[name] = _strings(field.parts[field.data[0]].data)
        else:
            metadata[name] = field.contents()
    places = {}
    for tensor in reader.tensors:
        if tensor.data_offset % reader.alignment != 0:
            raise ValueError(f"{tensor.name} is not aligned")
        rows = int(tensor.shape[1]) if len(tensor.shape) > 1 else 1
        row_bytes = int(tensor.n_bytes) // rows
        columns = int(tensor.shape[0])
        places[tensor.name] = Place(int(tensor.data_offset), rows, columns, row_bytes, tensor.tensor_type.name)
    stored = torch.from_file(str(path), shared=False, size=path.stat().st_size, dtype=torch.uint8)  # (byte,)
    return GGUFFile(stored, metadata, places)


def _reader(path: Path) -> Any:
    """The package's reader, with each array in one piece.

    By itself it makes two NumPy arrays for each string. For a vocabulary and its merges that took 2.5 s and 170 MB,
    of which a server's thread did not give all back.
    """
    from gguf import GGUFReader, GGUFValueType  # not installed everywhere

    class Reader(GGUFReader):
        def _get_field_parts(self, orig_offs: int, raw_type: int) -> tuple[int, list[Any], list[int], list[Any]]:
            if raw_type != GGUFValueType.ARRAY:
                return super()._get_field_parts(orig_offs, raw_type)
            size = _array_size(self.data[orig_offs:].data)
            return size, [self.data[orig_offs : orig_offs + size]], [0], [GGUFValueType.ARRAY]

    return Reader(path)


STRING = 8  # the numbers by which GGUF names the types of metadata
BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # numbers and bool


def _array_size(array: memoryview) -> int:
    """How many bytes the array takes that starts here: type, count, then its values."""
    kind, count = unpack_from("<IQ", array)
    if kind != STRING:
        return 12 + int(count) * BYTES[kind]
    at = 12
    for _ in range(count):
        at += 8 + unpack_from("<Q", array, at)[0]  # each string: its length, then its bytes
    return at


def _strings(array: memoryview) -> list[str]:
    """The strings of an array; none if it has numbers in it."""
    kind, count = unpack_from("<IQ", array)
    strings, at = [], 12
    for _ in range(count if kind == STRING else 0):
        end = at + 8 + unpack_from("<Q", array, at)[0]
        strings.append(str(array[at + 8 : end], encoding="utf-8"))
        at = end
    return strings
