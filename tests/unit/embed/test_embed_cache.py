"""The cache by content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from mnemic.embed import Cached, HashEmbedder, Kind, MemoryCache, TextRefused, Vectors, embed_each
from mnemic.errors import EmbeddingError


class Counting(HashEmbedder):
    def __init__(self, dimension: int = 32) -> None:
        super().__init__(dimension)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        self.asked += texts
        if "bad" in texts:
            raise EmbeddingError("no")
        return super().embed(texts, kind=kind)


def test_a_text_is_embedded_once() -> None:
    inner = Counting()
    cached = Cached(inner, MemoryCache())
    first = cached.embed(["a", "b", "a"], kind="document")
    second = cached.embed(["b", "c", "a"], kind="document")
    assert inner.asked == ["a", "b", "c"]
    np.testing.assert_array_equal(first[[1, 0]], second[[0, 2]])
    assert (cached.name, cached.dimension) == (inner.name, inner.dimension)


def test_queries_and_documents_and_models_are_kept_apart() -> None:
    cache = MemoryCache()
    inner, other = Counting(), Counting(64)
    Cached(inner, cache).embed(["a"], kind="document")
    Cached(inner, cache).embed(["a"], kind="query")
    assert Cached(other, cache).embed(["a"], kind="document").shape == (1, 64)
    assert inner.asked == ["a", "a"]
    assert other.asked == ["a"]


def test_one_bad_text_costs_only_itself_and_is_not_kept() -> None:
    inner = Counting()
    cached = Cached(inner, MemoryCache())
    for _ in range(2):
        rows = embed_each(cached, ["x", "bad", "y"], "document")
        assert [isinstance(row, TextRefused) for row in rows] == [False, True, False]
    assert inner.asked.count("bad") > 1


def test_vectors_that_cannot_be_right_are_embedded_again() -> None:
    class Rotten:
        def get(self, keys: list[bytes]) -> Mapping[bytes, Vectors]:
            wrong = [np.zeros(32), np.ones(16), np.full(32, np.nan)]
            return {key: row.astype(np.float32) for key, row in zip(keys, wrong, strict=False)}

        def put(self, vectors: Mapping[bytes, Vectors]) -> None:
            pass

    rows = Cached(Counting(), Rotten()).embed(["a", "b", "c"], kind="document")
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_a_cache_that_fails_costs_speed_only(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def get(self, keys: list[bytes]) -> Mapping[bytes, Vectors]:
            raise OSError("disk")

        def put(self, vectors: Mapping[bytes, Vectors]) -> None:
            raise OSError("disk")

    rows = Cached(Counting(), Broken()).embed(["secret"], kind="document")
    assert rows.shape == (1, 32)
    assert "cache" in caplog.text
    assert "secret" not in caplog.text


def test_memory_cache_forgets_what_was_used_longest_ago() -> None:
    cache = MemoryCache(2)
    row = np.ones(2, dtype=np.float32)
    cache.put({b"1": row, b"2": row})
    cache.get([b"1"])
    cache.put({b"3": row})
    assert set(cache.get([b"1", b"2", b"3"])) == {b"1", b"3"}
    assert len(cache) == 2
