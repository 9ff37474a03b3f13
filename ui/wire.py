"""What goes to the browser: a JSON text, and behind it the bytes of its arrays, without a detour over letters."""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

_EVEN = 4  # a browser reads float32 only where a multiple of 4 begins


def message(told: Mapping[str, Any]) -> bytes:
    """The text's length, the text, the bytes; an array or bytes in ``told`` stands there as its place behind the text.

    Raises TypeError for what is neither of them nor JSON.
    """
    parts: list[bytes] = []

    def put(value: object) -> dict[str, int]:
        if not isinstance(value, np.ndarray | bytes):
            raise TypeError(f"{type(value).__name__} cannot be sent")
        data = value.tobytes() if isinstance(value, np.ndarray) else value
        parts.append(data + bytes(-len(data) % _EVEN))
        return {"at": sum(map(len, parts[:-1])), "length": len(data)}

    text = json.dumps(told, default=put, allow_nan=False).encode()
    text += b" " * (-len(text) % _EVEN)
    return b"".join([struct.pack("<I", len(text)), text, *parts])
