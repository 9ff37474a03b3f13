r"""Weights stored in four or eight bits: blocks of 32 numbers that share a scale.

    Q4_1:  w_i = d q_i + m,   q_i = 0 ... 15        20 bytes: d, m, then sixteen bytes, each with q_i and q_{i+16}
    Q8_0:  w_i = d q_i,       q_i = -128 ... 127    34 bytes: d, then 32 bytes

d and m are float16. Source: the file format GGUF of ggml (ggml-org/ggml, docs/gguf.md); Frantar et al. 2023, GPTQ,
section 3 (why so few bits are enough).
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from mmap import ACCESS_COPY, mmap

import torch
from torch import Tensor

if sys.platform == "linux":
    from mmap import MADV_HUGEPAGE

BLOCK = 32  # numbers


def dequantize(stored: Tensor, kind: str) -> Tensor:
    """The numbers of a matrix from its stored bytes, uint8 (row, byte). float32 (row, column).

    Raises KeyError for a kind that is not in `KINDS`.
    """
    return KINDS[kind](stored)  # (row, column)


def _float32(stored: Tensor) -> Tensor:
    return stored.view(torch.float32)  # (row, column)


def _four_bits(stored: Tensor) -> Tensor:
    rows = stored.shape[0]
    blocks = stored.view(-1, 20)  # (block, byte)
    scale_and_least = blocks[:, :4].contiguous().view(torch.float16).to(torch.float32)  # (block, 2)
    pairs = blocks[:, 4:]  # (block, 16): bytes, two numbers in each
    weights = _fresh(len(blocks))  # (block, 32)
    weights[:, :16] = pairs & 15  # (block, 16): the lower four bits of each byte
    weights[:, 16:] = pairs >> 4  # (block, 16): the upper four
    weights.mul_(scale_and_least[:, :1]).add_(scale_and_least[:, 1:])  # (block, 32)
    return weights.view(rows, -1)  # (row, column)


def _eight_bits(stored: Tensor) -> Tensor:
    rows = stored.shape[0]
    blocks = stored.view(-1, 34)  # (block, byte)
    scale = blocks[:, :2].contiguous().view(torch.float16).to(torch.float32)  # (block, 1)
    weights = _fresh(len(blocks))  # (block, 32)
    weights.copy_(blocks[:, 2:].view(torch.int8)).mul_(scale)  # (block, 32)
    return weights.view(rows, -1)  # (row, column)


def _fresh(blocks: int) -> Tensor:
    """Memory to fill in place, which goes back to the system with its tensor. float32 (block, BLOCK), all 0.

    Megabytes of usual memory (malloc), layer after layer, left gaps: a server grew by up to 140 MB more. Large pages,
    where the system has them, take a third off the time of a pass.
    """
    memory = mmap(-1, 4 * BLOCK * blocks, access=ACCESS_COPY)
    if sys.platform == "linux":
        with suppress(OSError):
            memory.madvise(MADV_HUGEPAGE)
    return torch.frombuffer(memory, dtype=torch.float32).view(blocks, BLOCK)  # (block, BLOCK)


KINDS: dict[str, Callable[[Tensor], Tensor]] = {"F32": _float32, "Q4_1": _four_bits, "Q8_0": _eight_bits}
