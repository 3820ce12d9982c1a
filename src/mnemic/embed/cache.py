"""Embed a text once: a cache by content around any embedder."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from mnemic.errors import EmbeddingError

from .base import Embedder, Kind, Vectors, checked, embed_each

_log = logging.getLogger(__name__)


class VectorCache(Protocol):
    """Where vectors are kept by key. Keys are 16 bytes; a key never means another text, model or kind.

    Both methods may be called from many threads. A cache may forget what it likes. One that raises costs
    speed, not the call: the text is embedded again.
    """

    def get(self, keys: list[bytes]) -> Mapping[bytes, Vectors]:
        """The vectors known among ``keys``, each of shape ``(dimension,)``."""
        ...

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep these."""
        ...


class MemoryCache:
    """The last ``limit`` vectors used, in memory (512 numbers are 2 KB each)."""

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._kept: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, keys: list[bytes]) -> dict[bytes, Vectors]:
        """See :class:`VectorCache`."""
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
            return found

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        """See :class:`VectorCache`."""
        with self._lock:
            for key, vector in vectors.items():
                self._kept[key] = np.array(vector, dtype=np.float32)
                self._kept.move_to_end(key)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


class Cached:
    """An embedder that asks another one only for texts it has not seen.

    It has the other's name, dimension and limits, so it fills and reads the same vector generation.

    Args:
        embedder: the one to ask.
        cache: where to look first.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache

    def __repr__(self) -> str:
        return f"Cached({self._embedder!r})"

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def max_chars(self) -> int:
        return self._embedder.max_chars

    @property
    def multilingual(self) -> bool:
        return self._embedder.multilingual

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See :class:`mnemic.embed.Embedder`."""
        checked(texts, kind)
        keys, known, missing = self._look(texts, kind)
        if missing:
            fresh = dict(zip(missing, self._embedder.embed(list(missing.values()), kind=kind), strict=True))
            self._keep(fresh)
            known.update(fresh)
        if not keys:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([known[key] for key in keys])

    def embed_each(self, texts: Sequence[str], *, kind: Kind) -> list[Vectors | EmbeddingError]:
        """See :func:`mnemic.embed.embed_each`: what is known comes from the cache, what is refused is not kept."""
        checked(texts, kind)
        keys, known, missing = self._look(texts, kind)
        answers: dict[bytes, Vectors | EmbeddingError] = dict(known)
        if missing:
            fresh = dict(zip(missing, embed_each(self._embedder, list(missing.values()), kind), strict=True))
            self._keep({key: row for key, row in fresh.items() if not isinstance(row, EmbeddingError)})
            answers.update(fresh)
        return [answers[key] for key in keys]

    def _look(self, texts: Sequence[str], kind: Kind) -> tuple[list[bytes], dict[bytes, Vectors], dict[bytes, str]]:
        """The keys of all texts, the vectors known, and the texts that are not, each once."""
        keys = [self._key(text, kind) for text in texts]
        known: dict[bytes, Vectors] = {}
        if keys:
            try:
                known = {key: row for key, row in self._cache.get(list(dict.fromkeys(keys))).items() if self._good(row)}
            except Exception:
                _log.warning("the vector cache could not be read", exc_info=True)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        return keys, known, missing

    def _good(self, row: Vectors) -> bool:
        return row.shape == (self.dimension,) and bool(abs(float(row @ row) - 1.0) < 1e-3)

    def _keep(self, fresh: Mapping[bytes, Vectors]) -> None:
        try:
            self._cache.put(fresh)
        except Exception:
            _log.warning("the vector cache could not be written", exc_info=True)

    def _key(self, text: str, kind: Kind) -> bytes:
        about = f"{self.name}\0{kind}\0".encode()
        return hashlib.blake2b(about + text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
