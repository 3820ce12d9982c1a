"""``hash:256``: vectors from the letters alone, without a model.

For tests and for installs where nothing may be downloaded: texts that share words or parts of words are near, and
nothing is understood (no synonyms, no other language). The same text gives the same vector in every process, on every
machine and for good: a release that changed it would be another model, by another name.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from mnemic.errors import InvalidInput

from .base import Kind, Vectors, embed_parts

DEFAULT_DIMENSION = 256

_WORD = re.compile(r"\w+")
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.5


class HashEmbedder:
    """Feature hashing of words and of three-letter parts of words, with signs, into a fixed number of places.

    Args:
        dimension: numbers in a vector, 8 to 65,536. With fewer than about 128 unrelated words often share a place.
    """

    multilingual = False
    max_chars = 2_000

    def __init__(self, dimension: int = DEFAULT_DIMENSION) -> None:
        if not 8 <= dimension <= 65_536:
            raise InvalidInput("dimension", f"{dimension} is out of range", "8 to 65536")
        self.dimension = dimension
        self.name = f"hash:{dimension}"

    def __repr__(self) -> str:
        return f"HashEmbedder({self.dimension})"

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`. About 2,000 messages a second; never fails."""
        return embed_parts(
            texts, kind=kind, dimension=lambda: self.dimension, max_chars=self.max_chars, run=self._vectors
        )

    def _vectors(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        out = np.zeros((len(texts), self.dimension))
        for row, text in zip(out, texts, strict=True):
            counts = Counter(_features(text))
            for (feature, weight), count in counts.items():
                place, sign = _hashed(feature)
                row[place % self.dimension] += sign * weight * (1.0 + np.log(count))
            if not row.any():  # the features cancelled out, or there are only invisible characters
                row[_hashed(text)[0] % self.dimension] = 1.0
        return out


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Yield the (feature, weight) pairs of a text; at least one for any text that is not blank."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    words = _WORD.findall(folded)
    if not words:  # only punctuation or emoji: each sign is a word
        yield from ((sign, _WORD_WEIGHT) for sign in folded if not sign.isspace())
        return
    for word in words:
        yield word, _WORD_WEIGHT
        framed = f"<{word}>"
        for start in range(len(framed) - 2):
            yield framed[start : start + 3], _TRIGRAM_WEIGHT


@lru_cache(maxsize=65_536)
def _hashed(feature: str) -> tuple[int, float]:
    """A feature's place (to be taken modulo the dimension) and sign."""
    digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:7], "little"), 1.0 if digest[7] & 1 else -1.0


def create(model: str, dimension: int | None, env: Mapping[str, str]) -> HashEmbedder:
    """``hash``, ``hash:512``."""
    del env
    if model and dimension:
        raise InvalidInput("embedder", "two dimensions given", "write hash:256")
    if not model.isdigit() and model:
        raise InvalidInput("embedder", f"hash has no model {model!r}", "write hash or hash:256")
    return HashEmbedder(int(model) if model else dimension or DEFAULT_DIMENSION)
