"""A GPT-2 from a folder, against `transformers`; and each way in which a folder can be wrong."""

import json
import shutil
from os import geteuid, truncate

import pytest
import torch
from safetensors.torch import load_file, save_file

from attention import LearnerError, MultiHeadAttention
from attention.language import LanguageRun, available, language_model, survey, trace_layer
from attention.language.gpt2 import GPT2

LAYERS, HEADS, D, POSITIONS = 3, 2, 8, 20
LETTERS = [chr(code) for code in range(33, 127)]
VOCABULARY = {letter: id for id, letter in enumerate([*LETTERS, "Ġ", "th", "the", "Ġthe", "<|endoftext|>"])}
MERGES = "#version: 0.2\nt h\nth e\n\nĠ the\n"


@pytest.fixture(scope="module")
def transformers():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        import transformers
    return transformers


def saved(transformers, folder, **choices):
    """A small GPT-2 with weights large enough to look at something, and its folder."""
    config = transformers.GPT2Config(
        n_layer=LAYERS, n_head=HEADS, n_embd=D, n_positions=POSITIONS, attn_implementation="eager", **choices
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.5 * torch.randn(parameter.shape, generator=generator))
    model.save_pretrained(folder)
    return model


@pytest.fixture(scope="module")
def small(transformers, tmp_path_factory):
    """With a vocabulary of its own."""
    folder = tmp_path_factory.mktemp("gpt2") / "small"
    model = saved(transformers, folder, vocab_size=len(VOCABULARY))
    (folder / "vocab.json").write_text(json.dumps(VOCABULARY), encoding="utf-8")
    (folder / "merges.txt").write_text(MERGES, encoding="utf-8")
    return model, folder


@pytest.fixture
def folder(small, tmp_path, monkeypatch):
    """A copy of the small one, to be spoiled; it is the folder that the server was given."""
    copy = tmp_path / "mine"
    shutil.copytree(small[1], copy)
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(copy))
    return copy


def expected(model, ids):
    with torch.no_grad():
        found = model(torch.tensor([ids]), output_attentions=True, output_hidden_states=True)
    return found.logits[0, -1], torch.cat(found.attentions), torch.cat(found.hidden_states)


def agree(model, found):
    logits, weights, states = expected(model, found.tokens.ids)
    assert found.weights.shape == weights.shape
    torch.testing.assert_close(found.weights, weights, rtol=0, atol=1e-4)
    torch.testing.assert_close(found.inputs, states[:-1], rtol=0, atol=1e-4)
    likely = logits.softmax(-1).topk(10)
    assert [each.id for each in found.predictions] == likely.indices.tolist()
    assert [each.probability for each in found.predictions] == pytest.approx(likely.values.tolist(), abs=1e-4)


@pytest.mark.parametrize("sentence", ["the other theme", "x", "a\u00e9b", "12 'the' the!"])
def test_it_computes_what_transformers_computes(small, folder, sentence):
    agree(small[0], survey(LanguageRun(sentence, model="folder")))


def test_the_tokens_are_those_of_its_own_merges(folder):
    tokens = LanguageRun("the other theé", model="folder").tokens
    assert tokens.texts == ("the", " ", "o", "the", "r", " the")  # é is not in the vocabulary
    assert tokens.ids == tuple(VOCABULARY[text.replace(" ", "Ġ")] for text in tokens.texts)
    assert tokens.pieces_of == (0, 1, 1, 1, 1, 2)


def test_the_one_file_of_newer_checkpoints_gives_the_same(small, folder):
    merges = [line.split() for line in MERGES.splitlines()[1:] if line]
    model = {"type": "BPE", "vocab": VOCABULARY, "merges": merges}
    cut = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    (folder / "tokenizer.json").write_text(json.dumps({"pre_tokenizer": cut, "model": model}), encoding="utf-8")
    (folder / "vocab.json").unlink()
    (folder / "merges.txt").unlink()
    found = survey(LanguageRun("the other theé", model="folder"))
    assert found.tokens.texts == ("the", " ", "o", "the", "r", " the")
    agree(small[0], found)


def test_without_a_vocabulary_the_tokens_are_gpt2s(transformers, tmp_path, monkeypatch):
    model = saved(transformers, tmp_path / "large", vocab_size=50_257)
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(tmp_path / "large"))
    found = survey(LanguageRun("Hello, my 你 friend", model="folder"))
    assert found.tokens.ids == (15496, 11, 616, 220, 19526, 254, 1545)
    assert found.tokens.texts[-3:] == ("<E4-BD>", "<A0>", " friend")
    agree(model, found)
    assert language_model("folder").token_text(50_256) == "<|endoftext|>"
    assert LanguageRun("\ud83d", model="folder").tokens == LanguageRun("\ufffd", model="folder").tokens
    with pytest.raises(LearnerError, match="has 5000 tokens, more than 20"):
        LanguageRun(" x" * 4999 + "y", model="folder")  # 9,999 characters


def test_a_small_model_without_a_vocabulary_runs_what_it_has_rows_for(transformers, tmp_path, monkeypatch):
    model = saved(transformers, tmp_path / "small", vocab_size=1000)
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(tmp_path / "small"))
    found = survey(LanguageRun("! the a", model="folder"))
    assert found.tokens.ids == (0, 262, 257)
    agree(model, found)
    with pytest.raises(LearnerError) as error:
        LanguageRun("! Hello", model="folder")
    assert error.value.values == {"token": " Hello", "id": 18435, "largest": 999}


def test_an_id_that_the_vocabulary_does_not_have_is_shown_as_such(transformers, small, tmp_path, monkeypatch):
    """As where the rows of a model were filled up to a round number."""
    for name, rows, last in (("own", 128, "<|endoftext|>"), ("gpt2", 50_304, "<|endoftext|>")):
        saved(transformers, tmp_path / name, vocab_size=rows)
        if name == "own":
            for file in ("vocab.json", "merges.txt"):
                shutil.copy(small[1] / file, tmp_path / name)
        model = GPT2(tmp_path / name)
        known = len(VOCABULARY) if name == "own" else 50_257
        assert model.token_text(known - 1) == last
        assert [model.token_text(id) for id in range(known, rows)] == [f"<id {id}>" for id in range(known, rows)]


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("prefix", ["", "transformer."])
def test_names_may_have_the_prefix_or_not_and_numbers_sixteen_bits(small, folder, prefix, kind):
    model, _ = small
    weights = load_file(folder / "model.safetensors")
    renamed = {prefix + name.removeprefix("transformer."): weight.to(kind) for name, weight in weights.items()}
    save_file(renamed | {prefix + "h.0.attn.bias": torch.ones(1, 1, 20, 20)}, folder / "model.safetensors")
    half = {name: weight.to(kind).float() for name, weight in model.state_dict().items()}
    other = type(model)(model.config).eval()
    other.load_state_dict(half)
    agree(other, survey(LanguageRun("the other", model="folder")))


def test_a_read_out_of_its_own_is_used(transformers, small, folder):
    weights = load_file(folder / "model.safetensors")
    own = 0.5 * torch.randn(len(VOCABULARY), D, generator=torch.Generator().manual_seed(2))
    save_file(weights | {"lm_head.weight": own}, folder / "model.safetensors")
    found = survey(LanguageRun("the other", model="folder"))
    _, _, states = expected(small[0], found.tokens.ids)
    likely = (states[-1][-1] @ own.T).softmax(-1).topk(10)  # the last state is normed already
    assert [each.id for each in found.predictions] == likely.indices.tolist()


def test_a_head_is_off_as_if_its_part_of_the_output_matrix_were_0(transformers, small, folder):
    off = {(0, 1), (2, 0)}
    spoiled = transformers.GPT2LMHeadModel(small[0].config).eval()
    spoiled.load_state_dict(small[0].state_dict())
    with torch.no_grad():
        for layer, head in off:
            spoiled.transformer.h[layer].attn.c_proj.weight[4 * head : 4 * (head + 1)] = 0
    agree(spoiled, survey(LanguageRun("the other theme", off=off, model="folder")))


def test_a_layers_steps_are_those_of_the_survey(folder):
    found = survey(LanguageRun("the other theme", off=[(1, 0)], model="folder"))
    for layer in range(LAYERS):
        steps = trace_layer(found, layer)
        assert isinstance(steps.module, MultiHeadAttention)
        assert torch.equal(steps["weights"].value[0], found.weights[layer])
        assert [bool(head.any()) for head in steps["context"].value[0]] == [layer != 1, True]


def test_a_sentence_may_be_as_long_as_the_model_allows(folder):
    assert survey(LanguageRun("x" * POSITIONS, model="folder")).weights.shape[-1] == POSITIONS
    with pytest.raises(LearnerError, match="has 21 tokens, more than 20"):
        LanguageRun("x" * 21, model="folder")
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(folder / "model.safetensors")
    name = "transformer.wpe.weight"
    save_file(weights | {name: weights[name].repeat(5, 1)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config | {"n_positions": 100}))
    assert GPT2(folder).context_length == 64


def configured(**choices):
    def spoil(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | choices))

    return spoil


def stored(**changed):
    """Change tensors by name (`__` for a dot); None takes one away."""

    def spoil(folder):
        weights = load_file(folder / "model.safetensors")
        for name, change in changed.items():
            full = "transformer." + name.replace("__", ".")
            weight = weights.pop(full)
            if change is not None:
                weights[full] = change(weight).contiguous()
        save_file(weights, folder / "model.safetensors")

    return spoil


def written(name, text):
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def renamed(name, other):
    return lambda folder: (folder / name).rename(folder / other)


def cut(size):
    def spoil(folder):
        path = folder / "model.safetensors"
        path.write_bytes(path.read_bytes()[:size])

    return spoil


def linked(name):
    def spoil(folder):
        (folder / name).unlink()
        (folder / name).symlink_to(folder / "nowhere")

    return spoil


def foldered(name):
    def spoil(folder):
        (folder / name).unlink()
        (folder / name).mkdir()

    return spoil


def header(change):
    """Change the place of one tensor in the header of the weights: its first byte, and the one after its last."""

    def spoil(folder):
        path = folder / "model.safetensors"
        stored = path.read_bytes()
        size = int.from_bytes(stored[:8], "little")
        about = json.loads(stored[8 : 8 + size])
        place = about["transformer.h.1.attn.c_attn.weight"]
        place["data_offsets"] = change(place["data_offsets"])
        text = json.dumps(about).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + stored[8 + size :])

    return spoil


WRONG = {
    "no folder": (shutil.rmtree, "there is no folder 'mine'"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "the folder 'mine' has no config.json"),
    "bad JSON": (written("config.json", '{"n_layer": '), r"config.json cannot be read \(it is not JSON"),
    "deep JSON": (written("config.json", "[" * 100_000), "config.json cannot be read"),
    "a list": (written("config.json", "[1]"), "config.json cannot be read .*one JSON object"),
    "bytes": (lambda folder: (folder / "config.json").write_bytes(b"\xff\xfe"), "config.json cannot be read .*UTF-8"),
    "another kind": (configured(model_type="llama"), 'config.json: model_type = llama .* should be "gpt2"'),
    "no layers": (configured(n_layer=0), "config.json: n_layer = 0 .* should be 1 or more"),
    "text for a number": (configured(n_embd="8"), "config.json: n_embd = 8 .* should be 1 or more"),
    "heads": (configured(n_head=3), "config.json: n_embd = 8 .* a multiple of n_head = 3"),
    "another activation": (configured(activation_function="relu"), 'activation_function = relu .*"gelu_new"'),
    "another scale": (configured(scale_attn_by_inverse_layer_idx=True), "scale_attn_by_inverse_layer_idx = True"),
    "eps": (configured(layer_norm_epsilon="small"), "layer_norm_epsilon = small"),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "'mine' has no model.safetensors"),
    "in parts": (renamed("model.safetensors", "model-00001-of-00002.safetensors"), "in several parts"),
    "pickled": (renamed("model.safetensors", "pytorch_model.bin"), r"in a .bin file.* again as model.safetensors"),
    "empty": (cut(0), "model.safetensors cannot be read .*no safetensors file, or only a part"),
    "cut header": (cut(100), "model.safetensors cannot be read .*no safetensors file, or only a part"),
    "cut off": (cut(-10), "model.safetensors cannot be read .*no safetensors file, or only a part"),
    "a tensor is missing": (stored(h__2__ln_2__bias=None), r"no tensor 'h.2.ln_2.bias', which should be F32.*\(8,\)"),
    "more layers": (configured(n_layer=10**9), "no tensor 'h.3.ln_1.weight'"),
    "a wrong shape": (
        stored(h__1__attn__c_attn__weight=torch.t),
        r"'h.1.attn.c_attn.weight' is F32 \(24, 8\), but config.json asks for .*\(8, 24\)",
    ),
    "a wider MLP": (configured(n_inner=10), r"'h.0.mlp.c_fc.weight' is F32 \(8, 32\), .*\(8, 10\)"),
    "whole numbers": (stored(wpe__weight=torch.Tensor.int), r"'wpe.weight' is I32 \(20, 8\)"),
    "NaN in a layer": (
        stored(h__1__mlp__c_proj__weight=lambda w: w.index_fill(0, torch.tensor([3]), torch.nan)),
        "'h.1.mlp.c_proj.weight' has numbers in it that are NaN",
    ),
    "infinity in the embedding": (stored(wte__weight=lambda w: w / 0), "'wte.weight' has numbers in it that are NaN"),
    "NaN in the last norm": (stored(ln_f__bias=lambda w: w * torch.nan), "'ln_f.bias' has numbers in it that are NaN"),
    "no merges": (lambda folder: (folder / "merges.txt").unlink(), "'mine' has no merges.txt"),
    "no vocabulary": (lambda folder: (folder / "vocab.json").unlink(), "'mine' has no vocab.json"),
    "an id too large": (
        written("vocab.json", json.dumps(VOCABULARY | {"zz": 99_999})),
        r"vocabulary \(vocab.json\) goes up to the id 99999, but the model has only vocab_size = 99 tokens",
    ),
    "an id that is text": (written("vocab.json", '{"a": "0"}'), "the id of 'a' is 0, not a whole number"),
    "a line of merges": (
        written("merges.txt", "#version: 0.2\nt h e\n"),
        "merges.txt cannot be read .*line 2, 't h e'",
    ),
    "a merge that makes nothing": (written("merges.txt", "q q\n"), "merges.txt cannot be read .*'q q' makes a token"),
    "a vocabulary far too large to be read": (
        lambda folder: truncate(folder / "vocab.json", 10**7),
        r"vocab.json cannot be read \(it has 10000000 bytes, far too many for vocab_size = 99 tokens",
    ),
    "the largest of some ids too large": (
        written("vocab.json", json.dumps({"a": 100, "b": 120, "c": 110})),
        r"vocabulary \(vocab.json\) goes up to the id 120",
    ),
    "half a surrogate pair": (written("vocab.json", '{"\\ud83d": -1}'), "the id of '\ufffd' is -1"),
    "a link to nowhere": (linked("config.json"), "the folder 'mine' has no config.json: put it there"),
    "weights that are a link to nowhere": (linked("model.safetensors"), "'mine' has no model.safetensors"),
    "a vocabulary that is a link to nowhere": (linked("vocab.json"), "'mine' has no vocab.json"),
    "a folder of weights": (foldered("model.safetensors"), r"model.safetensors cannot be read \(it is a folder\)"),
    "a folder of choices": (foldered("config.json"), "'mine' has no config.json"),
    "no heads": (configured(n_head=0), "n_head = 0 .* should be 1 or more"),
    "a billion heads": (configured(n_head=10**9), "n_embd = 8 .* a multiple of n_head"),
    "wide vectors": (configured(n_embd=10**9), r"'wte.weight' is F32 \(99, 8\), but .* \(99, 1000000000\)"),
    "wider vectors": (configured(n_embd=10**12), "n_embd = 1000000000000 .* should be at most 1000000000"),
    "wider than any number": (configured(n_embd=10**4000), r"n_embd = 2\^13287\.\.\. .* should be at most 1000000000"),
    "many tokens": (configured(vocab_size=10**9), r"'wte.weight' is F32 \(99, 8\)"),
    "many positions": (configured(n_positions=10**9), r"'wpe.weight' is F32 \(20, 8\)"),
    "a wide MLP": (configured(n_inner=10**9), r"'h.0.mlp.c_fc.weight' is F32 \(8, 32\)"),
    "true layers": (configured(n_layer=True), "n_layer = True"),
    "a header beyond the file": (
        header(lambda place: [place[0], place[1] + 10**12]),
        "model.safetensors cannot be read",
    ),
    "a header that turns back": (header(lambda place: place[::-1]), "model.safetensors cannot be read"),
    "a header with a hole": (header(lambda place: [place[0] + 4, place[1] + 4]), "model.safetensors cannot be read"),
    "numbers too large for a layer": (
        stored(h__1__mlp__c_proj__weight=lambda w: w * 1e38, h__1__mlp__c_fc__weight=lambda w: w * 1e38),
        "layer 2 of the model gives numbers that are NaN or infinite",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_folder_is_one_clear_error(folder, spoil, message):
    spoil(folder)
    with pytest.raises(LearnerError, match=message) as error:
        survey(LanguageRun("the other", model="folder"))
    str(error.value).encode("utf-8")


@pytest.mark.skipif(geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.json", "merges.txt", "."])
def test_what_may_not_be_read_is_one_clear_error(folder, name):
    path = folder / name
    path.chmod(0)
    try:
        with pytest.raises(LearnerError, match=r"cannot be read \(Permission denied\)"):
            LanguageRun("the other", model="folder")
    finally:
        path.chmod(0o700)


@pytest.mark.parametrize("place", ["~nobody_of_this_name/gpt2", "/nowhere/" + "x" * 300, "x" * 10_000])
def test_a_folder_that_cannot_be_is_one_clear_error(monkeypatch, place):
    monkeypatch.setenv("ATTENTION_MODEL_DIR", place)
    with pytest.raises(LearnerError, match="there is no folder '"):
        LanguageRun("the other", model="folder")


ODD = {
    "NUL": "\0the\0",
    "halves of surrogate pairs": "the \ud83d\ude00 \udc00\ud800",
    "spaces": " " * 20,
    "newlines": "\n" * 20,
    "right to left": "שלום \u202eعليكم\u202c",
    "combining marks": "e\u0301" * 3 + "Z\u0351\u036b\u0343",
    "a mark of a chat": "<|im_start|>",
    "the end": "<|endoftext|>",
}


@pytest.mark.parametrize("sentence", ODD.values(), ids=ODD)
@pytest.mark.parametrize("own", [True, False], ids=["own", "gpt2"])
def test_odd_sentences_run_or_are_one_clear_error(odd_folders, monkeypatch, own, sentence):
    monkeypatch.setenv("ATTENTION_MODEL_DIR", str(odd_folders[own]))
    for text in (sentence, (sentence * 9_999)[:9_999]):
        try:
            found = survey(LanguageRun(text, model="folder"))
        except LearnerError as error:
            assert error.code in ("no_tokens", "too_many_tokens")
            str(error).encode("utf-8")
        else:
            assert found.weights.isfinite().all() and text == sentence
            "".join(found.tokens.texts).encode("utf-8")


@pytest.fixture(scope="module")
def odd_folders(transformers, small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpt2") / "large"
    saved(transformers, folder, vocab_size=50_257)
    return {True: small[1], False: folder}


def test_a_folder_is_there_only_where_the_server_was_given_one(folder, monkeypatch):
    assert "folder" in available()
    for none in (None, ""):
        monkeypatch.delenv("ATTENTION_MODEL_DIR") if none is None else monkeypatch.setenv("ATTENTION_MODEL_DIR", none)
        assert "folder" not in available()
        with pytest.raises(LearnerError, match="GPT-2 is not installed here"):
            LanguageRun("a", model="folder")
