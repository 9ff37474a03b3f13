"""Four and eight bits become numbers as the package `gguf` computes them."""

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType, GGUFReader, quants

from attention.language.gguf_file import read_gguf
from attention.language.quantized import KINDS, dequantize
from attention.language.smollm2 import smollm2_path


@pytest.mark.parametrize(("kind", "block"), [("Q4_1", 20), ("Q8_0", 34)])
def test_the_numbers_are_exactly_those_of_the_package(kind, block):
    draw = np.random.default_rng(1)
    stored = draw.integers(0, 256, (6, 3, block), dtype=np.uint8)
    scales = draw.normal(size=(6, 3, 2)).astype(np.float16)  # random bytes would be NaN now and then
    stored[..., :4] = scales.view(np.uint8)
    stored = stored.reshape(6, 3 * block)
    expected = quants.dequantize(stored, GGMLQuantizationType[kind])
    assert torch.equal(dequantize(torch.from_numpy(stored), kind), torch.from_numpy(expected))


@pytest.fixture(scope="module")
def files():
    return read_gguf(smollm2_path()), {tensor.name: tensor for tensor in GGUFReader(smollm2_path()).tensors}


def test_every_tensor_is_where_the_package_says(files):
    ours, theirs = files
    assert ours.places.keys() == theirs.keys()
    assert {place.kind for place in ours.places.values()} == KINDS.keys()
    for name in ("blk.0.attn_k.weight", "blk.29.ffn_down.weight", "token_embd.weight"):
        rows = torch.from_numpy(quants.dequantize(theirs[name].data[-70:], theirs[name].tensor_type))
        last = ours.places[name].rows
        assert torch.equal(ours.rows(name, last - 70), rows)
        assert torch.equal(ours.rows(name, last - 70, last - 60), rows[:10])
        assert torch.equal(ours.rows_at(name, torch.tensor([last - 1, last - 70])), rows[[-1, 0]])
    assert torch.equal(ours.vector("output_norm.weight"), torch.from_numpy(theirs["output_norm.weight"].data.copy()))


def test_the_metadata_is_read(files):
    about = files[0].metadata
    assert (about["llama.block_count"], about["general.name"]) == (30, "Smollm2 135M 8k Lc100K Mix1 Ep2")
    assert len(about["tokenizer.ggml.tokens"]) == about["llama.vocab_size"] == 49_152
    assert about["tokenizer.ggml.merges"][:2] and all(" " in merge for merge in about["tokenizer.ggml.merges"])
