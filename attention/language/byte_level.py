"""The byte pairs of a model: its own vocabulary and merges, cut and shown as GPT-2's are (see byte_pairs.py).

Source: Sennrich et al. 2016 (byte pair encoding); Radford et al. 2019, GPT-2, section 2.2 (on bytes).
"""

from collections.abc import Iterable, Mapping

import regex  # type: ignore[import-untyped]
import tiktoken

from attention.byte_pairs import byte_of_each_letter, token_text
from attention.errors import shown
from attention.surrogates import without_surrogates
from attention.tokens import Tokens

# SmolLM2 cuts off each digit before all else; whitespace before a digit stays together.
DIGIT_BY_DIGIT = r"\p{N}|'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?[^\s\p{L}\p{N}]++|\s+(?![^\s\p{N}])|\s"


def unnamed(id: int) -> str:
    """What an id shows without a token in the vocabulary: some models have more rows, up to a round number."""
    return f"<id {id}>"


class ByteLevelTokenizer:
    """Sentence -> tokens, by a vocabulary (token -> id) and merges (pairs of tokens, the first is merged first).

    Both are written in GPT-2's letters, one for each byte. A byte that the vocabulary does not have (in SmolLM2's a few
    control characters) gives no token, and what stood around it may merge.
    Raises ValueError if a merge makes what is not in the vocabulary.
    """

    def __init__(self, vocabulary: Mapping[str, int], merges: Iterable[tuple[str, str]], pre_split: str) -> None:
        self._byte_of = byte_of_each_letter()
        self._pre_split = regex.compile(pre_split)
        ids = {self._bytes(token): id for token, id in vocabulary.items()}
        self._tokens = {id: token for token, id in ids.items()}
        ranks = {bytes([byte]): byte for byte in range(256)}
        for left, right in merges:
            merged = self._bytes(left + right)
            if merged not in ids:
                raise ValueError(f"'{shown(left)} {shown(right)}' makes a token that the vocabulary does not have")
            ranks.setdefault(merged, len(ranks))
        self._unknown = bytes(byte for byte in range(256) if bytes([byte]) not in ids)
        self._id_of_rank = [ids.get(token) for token in ranks]
        self._encoding = tiktoken.Encoding("own", pat_str=pre_split, mergeable_ranks=ranks, special_tokens={})

    def split(self, sentence: str) -> Tokens:
        """The tokens of a sentence; leading spaces and newlines stay in their texts."""
        found = [
            (id, word)
            for word, piece in enumerate(self._pre_split.findall(without_surrogates(sentence)))
            for rank in self._ranks(piece)
            if (id := self._id_of_rank[rank]) is not None
        ]
        ids = tuple(id for id, _ in found)
        return Tokens(tuple(map(self.text, ids)), ids, tuple(word for _, word in found))

    def text(self, id: int) -> str:
        """What a token shows: its bytes, such as <F0-9F>, when it is only a part of a character."""
        return token_text(self._tokens[id]) if id in self._tokens else unnamed(id)

    def _ranks(self, piece: str) -> list[int]:
        """The ranks of a word's tokens. tiktoken's public methods take text only; without some bytes it is none."""
        known = piece.encode("utf-8").translate(None, self._unknown)
        return self._encoding._encode_single_piece(known) if known else []

    def _bytes(self, token: str) -> bytes:
        """What GPT-2's letters stand for; a token with another letter is a text of its own, such as a control mark."""
        if all(letter in self._byte_of for letter in token):
            return bytes(self._byte_of[letter] for letter in token)
        return token.encode("utf-8", "surrogatepass")
