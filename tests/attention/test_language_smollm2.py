"""SmolLM2 in our own classes, against `transformers`: another reading of the same file, and another implementation."""

import gc
import math
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from os import truncate
from subprocess import PIPE
from time import monotonic

import gguf
import pytest
import torch

from attention import Cell, LearnerError, explain
from attention.grouped_query import GroupedQueryAttention
from attention.language import LanguageRun, gguf_file, language_model, smollm2, survey, trace_layer
from attention.language.smollm2 import FILE, smollm2_path

SENTENCES = [
    "The capital of France is",
    "The animal didn't cross the street because it was too tired",
    "你好，世界！今天天气很好",
    "I 😀 emoji 👩‍👩‍👧 and flags 🇫🇷",
    "don't can't it's we'll they've I'm you'd",
    "In 1984, 3.14159 + 42 = 45.14159",
    "Dear Tom,\n\n  I am fine.\nHow are you?",
    "  two leading spaces",
    "x",
    "def add(a, b):\n    return a + b",
]
OFF = {
    "one head": {(13, 8)},
    "heads of several layers": {(0, 0), (0, 4), (1, 8), (16, 0), (29, 3)},
    "a whole layer": {(2, head) for head in range(9)},
}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """As on the server: on two busy cores two threads wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


FOUR_LEARNERS = """
from threading import Thread
import torch
from attention.language import LanguageRun, survey, trace_layer
torch.set_num_threads(1)
most = lambda: int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])  # KiB
before = most()
ask = lambda count: trace_layer(survey(LanguageRun("one" + " more" * (count - 1))), 13)
learners = [Thread(target=ask, args=[count]) for count in (20, 64, 11, 30)]
for learner in learners: learner.start()
for learner in learners: learner.join()
print((most() - before) / 1024)
"""


@pytest.fixture(scope="module")
def four_learners():
    """A process that works while `oracle` is made."""
    with subprocess.Popen([sys.executable, "-c", FOUR_LEARNERS], stdout=PIPE, stderr=PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def oracle(one_thread, four_learners):
    """The tokenizer and the model of `transformers`, all in float32 (540 MB), released at the end."""
    language_model("smollm2")
    reader = without_arrays()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        # The package would read the file three times, and map the names of its tensors 397 times, for seconds each.
        patch.setattr(gguf, "GGUFReader", lambda path: reader)
        patch.setattr(gguf, "get_tensor_name_map", cache(gguf.get_tensor_name_map))
        gc.disable()  # while 200,000 small objects are made
        tokenizer, model = from_transformers()
        gc.enable()
    yield tokenizer, model
    del model
    gc.collect()


def without_arrays():
    """The package's reader. `transformers` takes the vocabulary and the merges by a reader of its own."""
    reader = gguf_file._reader(smollm2_path())
    for name, field in list(reader.fields.items()):
        if field.types and field.types[0] == gguf.GGUFValueType.ARRAY:
            del reader.fields[name]
    return reader


def from_transformers():
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = str(smollm2_path().parent)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=FILE)
    # From a GGUF, `transformers` forgets that SmolLM2 cuts off each digit first, as llama.cpp does ("smollm").
    cut = Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    tokenizer.backend_tokenizer.pre_tokenizer = cut
    choices = {"gguf_file": FILE, "dtype": torch.float32, "attn_implementation": "eager"}
    return tokenizer, AutoModelForCausalLM.from_pretrained(folder, **choices).eval()


surveyed = cache(survey)


@pytest.fixture(scope="module")
def kept_layers():
    return cache(language_model("smollm2").block)


@pytest.fixture
def layers_once(monkeypatch, kept_layers):
    """Each layer becomes float32 once for many passes (540 MB)."""
    monkeypatch.setattr(smollm2.SmolLM2, "block", lambda _, layer: kept_layers(layer))


def expected(model, ids):
    """(scores of the next token, weights of all layers)."""
    with torch.no_grad():
        found = model(torch.tensor([ids]), output_attentions=True)
    return found.logits[0, -1], torch.cat(found.attentions)


def scores(found):
    """The scores behind a survey's predictions, for all tokens."""
    model = language_model("smollm2")
    last = len(found.inputs) - 1
    off = {head for layer, head in found.run.off if layer == last}
    kept = torch.tensor([head not in off for head in range(9)]).view(-1, 1, 1)
    tap = lambda name, value: value * kept if name == "context" else value  # noqa: E731
    return model.read_out(model.block(last)(found.inputs[last].unsqueeze(0), tap=tap)[0, -1])


@pytest.mark.parametrize("sentence", SENTENCES)
def test_attention_and_the_next_token_are_those_of_transformers(oracle, layers_once, sentence):
    tokenizer, model = oracle
    found = surveyed(LanguageRun(sentence))
    assert list(found.tokens.ids) == tokenizer(sentence, add_special_tokens=False)["input_ids"]
    logits, weights = expected(model, found.tokens.ids)
    assert found.weights.shape == weights.shape == (30, 9, len(found.tokens.ids), len(found.tokens.ids))
    torch.testing.assert_close(found.weights, weights, rtol=0, atol=1e-4)
    likely = logits.softmax(-1).topk(5)
    assert [each.id for each in found.predictions[:5]] == likely.indices.tolist()
    assert [each.probability for each in found.predictions[:5]] == pytest.approx(likely.values.tolist(), abs=1e-4)


def test_the_scores_of_all_tokens_are_those_of_transformers(oracle, layers_once):
    _, model = oracle
    found = surveyed(LanguageRun(SENTENCES[1]))
    torch.testing.assert_close(scores(found), expected(model, found.tokens.ids)[0], rtol=0, atol=1e-3)


@pytest.mark.parametrize("off", OFF.values(), ids=OFF)
def test_a_head_is_off_as_if_its_part_of_the_output_matrix_were_0(oracle, layers_once, off):
    _, model = oracle
    run = LanguageRun(SENTENCES[1], off=off)
    whole = {layer: model.model.layers[layer].self_attn.o_proj.weight for layer, _ in off}
    before = {layer: weight.detach().clone() for layer, weight in whole.items()}
    try:
        with torch.no_grad():
            for layer, head in off:
                whole[layer][:, 64 * head : 64 * (head + 1)] = 0
        logits, weights = expected(model, run.tokens.ids)
    finally:
        with torch.no_grad():
            for layer, weight in before.items():
                whole[layer].copy_(weight)
    found, plain = surveyed(run), surveyed(LanguageRun(SENTENCES[1]))
    torch.testing.assert_close(found.weights, weights, rtol=0, atol=1e-4)
    assert [each.id for each in found.predictions[:5]] == logits.topk(5).indices.tolist()
    assert found.predictions != plain.predictions


def test_tokens_are_those_of_transformers(oracle):
    tokenizer, _ = oracle
    model = language_model("smollm2")
    draw = random.Random(5)
    pieces = [*"aeé'sStT 0123ⅣⅧ½²,.!?-_\n\t\r", "  ", "   ", " the", "ing", "n't", "'ll", "'", "你", "好", "世界", "한"]
    pieces += ["😀", "👩‍👩‍👧", "ß", "Ω", "\u200b", "\u00a0", "\x04", "\U00040000", "<|im_start|>", "ﬁ", "e\u0301"]
    drawn = ["".join(draw.choices(pieces, k=draw.randint(1, 30))) for _ in range(1500)]
    odd = ["\0", "a\0b", " " * 64, "\n" * 64, "שלום \u202eعليكم\u202c", "e\u0301" * 3 + "Z\u0351\u036b\u0343"]
    for text in [*SENTENCES, *odd, *drawn]:
        texts = text.split("<|im_start|>")  # which is text here, and not a mark of the chat's
        if len(texts) == 1:
            assert list(model.encode(text).ids) == tokenizer(text, add_special_tokens=False)["input_ids"], repr(text)
        else:
            assert 1 not in model.encode(text).ids


def test_what_tokens_show_is_the_sentence():
    model = language_model("smollm2")
    tokens = model.encode("  It's 12\n\n3 ok")
    assert tokens.texts == (" ", " It", "'s", " ", "1", "2", "\n\n", "3", " ok")
    assert all(after - before in (0, 1) for before, after in pairwise(tokens.pieces_of))
    assert model.encode("你").texts == ("<E4-BD>", "<A0>")
    assert model.encode("\ud83d! \udc00\ud800").texts == model.encode("\ufffd! \ufffd\ufffd").texts
    assert model.encode("\ud83d\ude00") == model.encode("😀")
    assert "".join(model.encode("<|im_start|>").texts) == "<|im_start|>" and model.token_text(49_152) == "<id 49152>"
    assert model.token_text(2) == "<|im_end|>"


@pytest.mark.parametrize("off", [frozenset(), *OFF.values()], ids=["none", *OFF])
def test_a_layers_steps_are_those_of_the_survey(off):
    found = surveyed(LanguageRun(SENTENCES[1], off=off))
    for layer in (0, 2, 16, 29):
        steps = trace_layer(found, layer)
        assert isinstance(steps.module, GroupedQueryAttention)
        assert steps.tokens == (found.tokens.texts,)
        assert torch.equal(steps["weights"].value[0], found.weights[layer])
        silent = {head for head in range(9) if not steps["context"].value[0, head].any()}
        assert silent == {head for each, head in off if each == layer}
        if layer < 29:
            block = language_model("smollm2").block(layer)
            attended = found.inputs[layer] + steps["output"].value[0]
            assert torch.equal(attended + block.mlp(block.mlp_norm(attended)), found.inputs[layer + 1])


def test_every_step_of_a_layer_opens():
    steps = trace_layer(surveyed(LanguageRun(SENTENCES[0])), 16)
    draw = random.Random(1)
    for name, step in steps.items():
        for _ in range(12):
            place = [draw.randrange(size) for size in step.value.shape[1:]]
            cell = Cell(name, *(place if len(place) == 3 else [None, *place]))
            value, result = float(step.value[0][tuple(place)]), explain(steps, cell)
            size = sum(abs(term.value) for term in result.terms) or abs(value)
            assert result.result == value or math.isclose(result.result, value, abs_tol=1e-5 * max(size, 0.1)), cell


def test_equal_runs_give_equal_numbers_also_side_by_side_and_draw_nothing():
    runs = [LanguageRun(SENTENCES[1], off=OFF["one head"]), LanguageRun(SENTENCES[0])] * 2
    before = torch.get_rng_state()
    alone = [surveyed(run) for run in runs[:2]]  # made before, mostly
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(survey, runs))
    assert torch.equal(torch.get_rng_state(), before)
    for one, other in zip(alone * 2, together, strict=True):
        assert torch.equal(one.inputs, other.inputs) and torch.equal(one.weights, other.weights)
        assert one.predictions == other.predictions


def test_runs_are_values():
    one, other = LanguageRun("a b", off=[(1, 2), (0, 0)]), LanguageRun("a b", off=frozenset({(0, 0), (1, 2)}))
    assert one == other and hash(one) == hash(other) and one != LanguageRun("a b")


def refused(sentence="a", **choices):
    with pytest.raises(LearnerError) as error:
        LanguageRun(sentence, **choices)
    return error.value.code, error.value.values


def test_what_cannot_be_run_is_refused():
    assert refused("")[0] == "no_sentence"
    assert refused("\x04")[0] == "no_tokens"
    assert refused(7)[0] == "not_text"
    assert refused("word " * 70)[1] == {"sentence": 1, "text": "word word word word…", "count": 71, "limit": 64}
    assert refused("x" * 10_000) == ("too_many_characters", {"count": 10_000, "limit": 9_999})
    assert refused(model="gpt5")[0] == "unknown_choice"
    assert refused(off=[(30, 0)]) == ("out_of_range", {"name": "layer", "value": 31, "smallest": 1, "largest": 30})
    assert refused(off=[(0, 9)]) == ("out_of_range", {"name": "head", "value": 10, "smallest": 1, "largest": 9})
    assert refused(off=[(-1, 0)])[0] == "out_of_range"
    assert refused(off=[(True, 0)])[0] == "not_whole_number"
    for off in (5, "ab", [5], [(1, 2, 3)], [[1, 2]]):
        assert refused(off=off)[0] == "not_a_head"
    assert LanguageRun("\n").tokens.texts == ("\n",)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["x", "你", " ", "\n", "'", "7", "👩‍👩‍👧", "ab ", "x\n"])
def test_9999_characters_are_refused_and_do_not_hang(text):
    assert refused((text * 9_999)[:9_999])[0] in ("too_many_tokens", "no_tokens")


def test_64_tokens_are_not_too_many():
    assert len(LanguageRun("word" + " word" * 63).tokens.ids) == 64


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_server_grows_by_less_than_250_megabytes(four_learners):
    """In a process of its own: the most it ever took, for four learners at once."""
    written, complaints = four_learners.communicate(timeout=100)
    assert four_learners.returncode == 0, complaints
    assert 100 < float(written) < 250  # MiB; the file itself is 94


HEADER, WHOLE = 1_785_664, 98_362_432  # bytes before the weights, and in all


def number(name, value):
    """An entry of the header as the file has it: a whole number of 32 bits."""
    return name.encode() + (4).to_bytes(4, "little") + value.to_bytes(4, "little")


DAMAGED = {
    "empty": (0, b"", b"", r"it is cut off or damaged|empty"),
    "cut in the first numbers": (10, b"", b"", "it is cut off or damaged"),
    "cut in the vocabulary": (10**6, b"", b"", "it is cut off or damaged"),
    "cut before the weights": (HEADER - 1000, b"", b"", "it is cut off or damaged"),
    "cut in the weights": (5 * 10**7, b"", b"", "it is cut off or damaged"),
    "one byte too few": (WHOLE - 100, b"", b"", "it is cut off or damaged"),
    "another kind of file": (WHOLE, b"GGUF", b"GGML", "it is cut off or damaged"),
    "a tensor is missing": (WHOLE, b"blk.3.attn_q.weight", b"blk.3.attn_p.weight", "no tensor 'blk.3.attn_q.weight'"),
    "the last one, too": (WHOLE, b"output_norm.weight", b"output_form.weight", "no tensor 'output_norm.weight'"),
    "a billion layers": (
        WHOLE,
        number("llama.block_count", 30),
        number("llama.block_count", 10**9),
        "no tensor 'blk.30.attn_norm.weight'",
    ),
    "no heads": (
        WHOLE,
        number("llama.attention.head_count", 9),
        number("llama.attention.head_count", 0),
        "llama.attention.head_count = 0 cannot be used here, it should be 1 or more",
    ),
    "wider vectors": (
        WHOLE,
        number("llama.embedding_length", 576),
        number("llama.embedding_length", 10**9),
        r"'token_embd.weight' is Q8_0 \(49152, 576\), not .* \(49152, 1000000000\)",
    ),
    "no size": (WHOLE, b"llama.vocab_size", b"llama.vocab_sise", "llama.vocab_size = None"),
    "no vocabulary": (WHOLE, b"ggml.tokens", b"ggml.tokems", "no vocabulary of 49152 tokens"),
    "no merges": (WHOLE, b"ggml.merges", b"ggml.merfes", "no vocabulary of 49152 tokens"),
    "a merge of one": (WHOLE, "\u0120 t".encode(), b"Gent", "its vocabulary: 'Gent ' makes a token that"),
}


@pytest.mark.parametrize(("size", "old", "new", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_one_clear_error(monkeypatch, tmp_path, size, old, new, message):
    path = tmp_path / FILE
    with smollm2_path().open("rb") as whole:
        header = whole.read(HEADER)
    assert old in header
    path.write_bytes(header.replace(old, new)[:size])
    truncate(path, size)  # with zeros for the weights, which take no place
    monkeypatch.setattr(smollm2, "smollm2_path", lambda: path)
    start = monotonic()
    with pytest.raises(LearnerError, match=message) as error:
        smollm2.SmolLM2()
    assert error.value.values["file"] == FILE
    assert monotonic() - start < 5  # seconds; it takes less than one


def test_where_the_packages_are_missing_it_says_what_to_do(monkeypatch):
    from attention.language import available, models

    assert "smollm2" in available()
    for module in (models, smollm2):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert available() == ()
    with pytest.raises(LearnerError, match="SmolLM2 is not installed here: stop the app, and start it with make run"):
        smollm2.SmolLM2()
