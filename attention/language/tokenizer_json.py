"""tokenizer.json, the one file in which newer models keep vocabulary and merges together.

The format can describe many kinds of tokenizers. Only GPT-2's kind is read: byte pairs, cut and written as GPT-2's are.
Source: huggingface/tokenizers, the file that `Tokenizer.save` writes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attention.byte_pairs import byte_of_each_letter
from attention.errors import LearnerError, shown
from attention.language.folder import broken, one_of, read_json

# What each entry must be: a missing one means the first value. Others would give other tokens.
MODEL: dict[str, tuple[object, ...]] = {
    "type": ("BPE",),
    "dropout": (None,),
    "continuing_subword_prefix": (None, ""),
    "end_of_word_suffix": (None, ""),
    "byte_fallback": (False,),
    "ignore_merges": (False,),
}
CUT: dict[str, tuple[object, ...]] = {"add_prefix_space": (False,), "use_regex": (True,)}


def read_tokenizer_json(path: Path) -> tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]:
    """The vocabulary (token -> id), the special tokens (likewise), and the merges. The ids are not checked.

    Raises `LearnerError` if it is no tokenizer of GPT-2's kind.
    """
    found = read_json(path)
    model, cut = found.get("model"), found.get("pre_tokenizer")
    if not isinstance(model, dict):
        raise LearnerError("model_config", file=path.name, name="model", value=shown(model), expected='"BPE"')
    for name, allowed in MODEL.items():
        one_of(model, path.name, name, allowed)
    kind = cut.get("type") if isinstance(cut, dict) else cut
    if not isinstance(cut, dict) or kind != "ByteLevel":
        expected = '"ByteLevel", as in a GPT-2'
        raise LearnerError("model_config", file=path.name, name="pre_tokenizer", value=shown(kind), expected=expected)
    for name, allowed in CUT.items():
        one_of(cut, path.name, name, allowed)
    one_of(found, path.name, "normalizer", (None,))
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict):
        raise broken(path, "its vocab is not an object, { ... }")
    if not byte_of_each_letter().keys() <= vocabulary.keys():  # else there is no unknown byte
        one_of(model, path.name, "unk_token", (None,))
    return vocabulary, _special(found, path), _merges(model, path)


def _merges(model: Mapping[str, Any], path: Path) -> list[tuple[str, str]]:
    """The merges: each is ["t", "h"], or "t h" in older files."""
    written = model.get("merges")
    if not isinstance(written, list):
        raise broken(path, "its merges are not a list, [ ... ]")
    pairs = []
    for merge in written:
        pair = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) and each for each in pair)):
            raise broken(path, f"the merge {shown(merge)} is not a pair of tokens")
        pairs.append((pair[0], pair[1]))
    return pairs


def _special(found: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The tokens that no sentence gives, such as <|endoftext|>, but that the model may expect."""
    special = {}
    written = found.get("added_tokens") or []
    if not isinstance(written, list):
        raise broken(path, "its added_tokens are not a list, [ ... ]")
    for added in written:
        if not isinstance(added, dict) or not isinstance(added.get("content"), str):
            raise broken(path, f"the added token {shown(added)} has no content")
        if added.get("special") is not True:
            value, expected = shown(added["content"]), "special tokens only"
            raise LearnerError("model_config", file=path.name, name="added_tokens", value=value, expected=expected)
        special[added["content"]] = added.get("id")
    return special
