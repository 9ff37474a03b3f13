"""The tokens of a GPT-2: from vocab.json and merges.txt or the tokenizer.json of its folder, or GPT-2's own byte pairs.

Source: Radford et al. 2019, GPT-2, section 2.2.
"""

from collections.abc import Mapping
from os.path import exists, getsize, lexists  # `lexists`: a link to nowhere is no reason to take other tokens
from pathlib import Path
from typing import Any

from attention.byte_pairs import PRE_SPLIT, gpt2_encoding, token_text
from attention.errors import LearnerError, shown
from attention.language.byte_level import ByteLevelTokenizer, unnamed
from attention.language.folder import broken, read_json, read_lines
from attention.language.tokenizer_json import read_tokenizer_json
from attention.surrogates import without_surrogates
from attention.tokens import Tokens, byte_pair_tokens

END_OF_TEXT = "<|endoftext|>"  # the last id of GPT-2, after its byte pairs
BYTES_A_TOKEN = 1000  # in a file with its merge; GPT-2's take 40


class GPT2Tokenizer:
    """GPT-2's own byte pairs, for a model with rows for the ids 0 to vocabulary - 1."""

    def __init__(self, vocabulary: int) -> None:
        self._vocabulary = vocabulary

    def split(self, sentence: str) -> Tokens:
        """Raises `LearnerError` for a token that the model has no row for."""
        tokens = byte_pair_tokens(without_surrogates(sentence))
        for text, id in zip(tokens.texts, tokens.ids, strict=True):
            if id >= self._vocabulary:
                raise LearnerError("model_no_row", token=shown(text), id=id, largest=self._vocabulary - 1)
        return tokens

    def text(self, id: int) -> str:
        last = gpt2_encoding().max_token_value
        if id <= last:
            return token_text(gpt2_encoding().decode_single_token_bytes(id))
        return END_OF_TEXT if id == last + 1 else unnamed(id)


def own_tokenizer(folder: Path, vocabulary: int) -> ByteLevelTokenizer | None:
    """The tokenizer of vocab.json and merges.txt, else of tokenizer.json; None if none of them is there.

    Raises `LearnerError` for files that cannot be used, or if an id that a sentence can give is not below `vocabulary`.
    """
    ids_path, merges_path, both_path = folder / "vocab.json", folder / "merges.txt", folder / "tokenizer.json"
    for path in (ids_path, merges_path, both_path):
        _check_size(path, vocabulary)
    if lexists(ids_path) or lexists(merges_path):
        ids = read_json(ids_path)
        _check_ids(ids, ids_path, vocabulary)
        return _tokenizer(ids, _merges(merges_path), merges_path)
    if lexists(both_path):
        ids, special, merges = read_tokenizer_json(both_path)
        _check_ids(ids, both_path, vocabulary)
        _check_ids(special, both_path)
        return _tokenizer(special | ids, merges, both_path)
    return None


def _check_size(path: Path, vocabulary: int) -> None:
    """A file that is far too large for the vocabulary is not even read: a million tokens would take seconds."""
    largest = 100_000 + BYTES_A_TOKEN * vocabulary
    if exists(path) and getsize(path) > largest:
        raise broken(path, f"it has {getsize(path)} bytes, far too many for vocab_size = {vocabulary} tokens")


def _check_ids(ids: Mapping[str, Any], path: Path, vocabulary: int | None = None) -> None:
    for token, id in ids.items():
        if type(id) is not int or id < 0:
            raise broken(path, f"the id of '{shown(token)}' is {shown(id)}, not a whole number from 0 on")
    largest = max(ids.values(), default=0)
    if vocabulary is not None and largest >= vocabulary:
        raise LearnerError("model_ids", file=path.name, id=shown(largest), vocabulary=vocabulary)


def _tokenizer(ids: Mapping[str, int], merges: list[tuple[str, str]], path: Path) -> ByteLevelTokenizer:
    try:
        return ByteLevelTokenizer(ids, merges, PRE_SPLIT)
    except ValueError as error:
        raise broken(path, str(error)) from error


def _merges(path: Path) -> list[tuple[str, str]]:
    """The pairs of merges.txt, one a line. Blank lines and the version in the first line are skipped."""
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line or (number == 1 and line.startswith("#version")):
            continue
        left, space, right = line.partition(" ")
        if not (left and space and right) or " " in right:
            raise broken(path, f"line {number}, '{shown(line)}', is not two tokens with a space between them")
        pairs.append((left, right))
    return pairs
