"""The tokens of a GPT-2: from the vocab.json and merges.txt of its folder, or GPT-2's own byte pairs.

Source: Radford et al. 2019, GPT-2, section 2.2.
"""

from pathlib import Path

from attention.byte_pairs import PRE_SPLIT, gpt2_encoding, split_byte_pairs, token_text
from attention.errors import LearnerError, shown
from attention.language.byte_level import ByteLevelTokenizer, without_surrogates
from attention.language.checkpoint import broken, read_json, read_lines
from attention.tokens import Tokens

END_OF_TEXT = "<|endoftext|>"  # the last id of GPT-2, after its byte pairs


class GPT2Tokenizer:
    """GPT-2's own byte pairs. Raises `LearnerError` if the model has fewer rows than they have ids."""

    def __init__(self, vocabulary: int) -> None:
        largest = gpt2_encoding().max_token_value
        if largest >= vocabulary:
            raise LearnerError("model_ids", file="GPT-2", id=largest, vocabulary=vocabulary)

    def split(self, sentence: str) -> Tokens:
        pairs = split_byte_pairs(without_surrogates(sentence))
        texts, ids, pieces_of = (tuple(each) for each in zip(*pairs, strict=True))
        return Tokens(texts, ids, pieces_of)

    def text(self, id: int) -> str:
        if id > gpt2_encoding().max_token_value:
            return END_OF_TEXT
        return token_text(gpt2_encoding().decode_single_token_bytes(id))


def own_tokenizer(folder: Path, vocabulary: int) -> ByteLevelTokenizer | None:
    """The tokenizer of vocab.json and merges.txt; None if neither is there.

    Raises `LearnerError` for files that cannot be used, or if an id is not below `vocabulary`.
    """
    ids_path, merges_path = folder / "vocab.json", folder / "merges.txt"
    if not ids_path.exists() and not merges_path.exists():
        return None
    ids = read_json(ids_path)
    for token, id in ids.items():
        if type(id) is not int or id < 0:
            raise broken(ids_path, f"the id of '{shown(token)}' is {shown(id)}, not a whole number from 0 on")
        if id >= vocabulary:
            raise LearnerError("model_ids", file=ids_path.name, id=shown(id), vocabulary=vocabulary)
    merges = _merges(merges_path)
    try:
        return ByteLevelTokenizer(ids, merges, PRE_SPLIT)
    except ValueError as error:
        raise broken(merges_path, str(error)) from error


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
