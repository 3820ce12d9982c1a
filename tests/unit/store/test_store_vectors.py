"""Vectors: exact and by sign bits, filtered before ranking, erased for good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic import Config, Memory
from mnemic.embed import Vectors
from mnemic.store import vectors
from mnemic.store.vectors import VectorIndex, decode, encode


def clustered(count: int, dimension: int, seed: int = 0, clusters: int = 40) -> NDArray[np.float32]:
    """Unit vectors around common centres, not around the origin, as embedders give them."""
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(clusters, dimension))
    rows = centres[draw.integers(clusters, size=count)] + 0.7 * draw.normal(size=(count, dimension)) + 0.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def filled(data: NDArray[np.float32], *, tail: int = 0, chunk: int = 1_024) -> VectorIndex:
    index = VectorIndex(data.shape[1])
    packed = len(data) - tail
    for number, start in enumerate(range(0, packed, chunk), 1):
        part = data[start : min(start + chunk, packed)]
        index.add_chunk(
            number, np.arange(start, start + len(part), dtype="<i8").tobytes(), part.astype("<f2").tobytes()
        )
    index.set_tail(list(range(packed, len(data))), [encode(row) for row in data[packed:]], (tail, None))
    return index


def top(index: VectorIndex, query: NDArray[np.float32], k: int, allowed: NDArray[np.bool_] | None = None) -> list[int]:
    rows = index.rows() if allowed is None else index.rows()[allowed]
    return [int(row) for row in rows[np.argsort(-index.similarities(query, allowed), kind="stable")[:k]]]


@pytest.mark.parametrize("dimension", [64, 100, 256])
def test_bits_find_what_exact_search_finds(monkeypatch: Any, dimension: int) -> None:
    data = clustered(6_000, dimension)
    noise = np.random.default_rng(1).normal(size=(40, dimension)) / np.sqrt(dimension)
    queries = (data[:40] + 0.4 * noise).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    index = filled(data, tail=100)
    exact = [set(top(index, q, 20)) for q in queries]
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 500)
    monkeypatch.setattr(vectors, "RESCORED", 600)
    recall = [len(wanted & set(top(index, q, 20))) / 20 for wanted, q in zip(exact, queries, strict=True)]
    assert np.mean(recall) >= 0.95


@pytest.mark.parametrize("exact_up_to", [5_000_000, 50])
@pytest.mark.parametrize("share", [0.0005, 0.02, 0.7])
def test_filters_are_applied_before_ranking(monkeypatch: Any, exact_up_to: int, share: float) -> None:
    monkeypatch.setattr(vectors, "EXACT_UP_TO", exact_up_to)
    monkeypatch.setattr(vectors, "RESCORED", 300)
    data = clustered(5_000, 64)
    index = filled(data, tail=10)
    allowed = np.random.default_rng(2).random(5_000) < share
    allowed[[7, 4_995]] = True
    found = top(index, data[0], 10, allowed)
    assert len(found) == min(10, int(allowed.sum()))
    assert all(allowed[row] for row in found)
    best = max(np.flatnonzero(allowed), key=lambda row: float(data[row] @ data[0]))
    assert found[0] == best


def test_what_is_far_away_is_estimated_and_what_is_near_exact(monkeypatch: Any) -> None:
    data = clustered(6_000, 256)
    index = filled(data, tail=100)
    allowed = np.random.default_rng(4).random(6_000) < 0.5
    exact = index.similarities(data[3], None)
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 5_000)
    monkeypatch.setattr(vectors, "RESCORED", 500)
    found = index.similarities(data[3], None)
    assert found.shape == exact.shape
    near = np.argsort(-exact)[:100]
    assert np.abs(found[near] - exact[near]).max() < 1e-5
    assert np.abs(found - exact).mean() < 0.1
    assert np.corrcoef(found, exact)[0, 1] > 0.8
    assert np.abs(index.similarities(data[3], allowed) - exact[allowed]).mean() < 0.1


def test_nothing_allowed_and_nothing_there() -> None:
    index = filled(clustered(50, 16))
    assert top(index, clustered(1, 16)[0], 5, np.zeros(50, dtype=bool)) == []
    assert top(VectorIndex(16), clustered(1, 16)[0], 5) == []


def test_growing_keeps_what_was_there() -> None:
    data = clustered(3_000, 32)
    index = filled(data[:1_000])
    assert top(index, data[5], 1) == [5]
    for number, start in enumerate(range(1_000, 3_000, 500), 10):
        index.add_chunk(
            number,
            np.arange(start, start + 500, dtype="<i8").tobytes(),
            data[start : start + 500].astype("<f2").tobytes(),
        )
        assert top(index, data[start + 3], 1) == [start + 3]
        assert top(index, data[5], 1) == [5]


def test_stored_form_is_close_to_the_vector() -> None:
    data = clustered(20, 512)
    assert np.abs(decode(b"".join(map(encode, data)), 512) - data).max() < 1e-3


class Spread:
    """One direction for each number in the text."""

    name, dimension, max_chars, multilingual = "test:spread", 32, 500, False

    def embed(self, texts: Any, *, kind: str) -> Vectors:
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            number = int("0" + "".join(c for c in text if c.isdigit()))
            row[number % 31], row[31] = 1.0, 0.2
            row /= np.linalg.norm(row)
        return out


@pytest.mark.parametrize("count", [40, 1_100])  # unpacked, and in chunks
def test_erased_rows_leave_the_index_and_the_file(count: int) -> None:
    with Memory(":memory:", embedder=Spread(), config=Config(background=False, embed_batch=500)) as memory:
        ids = [memory.observe(f"n{i}", session=str(i // 100), ack="accepted").id for i in range(count)]
        assert memory.flush() == count
        index = memory._store.vectors("default", "test:spread")
        assert index is not None
        assert len(index) == count
        gone = memory._store.rows_of("default", ids[:3])
        for id_ in ids[:3]:
            assert memory.erase(item=id_)["vectors"] == 1
        after = memory._store.vectors("default", "test:spread")
        assert after is not None
        assert len(after) == count - 3
        assert not set(gone.values()) & set(after.rows().tolist())
        held = memory.status()["generations"]
        assert [g["vectors"] for g in held] == [count - 3]
        assert ids[0] not in [hit.node.id for hit in memory.recall("n0", limit=count).hits]


def test_the_nearest_by_count_are_those_of_a_sort() -> None:
    draw = np.random.default_rng(3)
    for size, count in [(1, 5), (50, 50), (1_000, 30), (1_000, 999)]:
        distance = draw.integers(0, 40, size=size).astype(np.uint16)
        wanted = np.sort(np.argsort(distance, kind="stable")[:count])
        assert vectors.nearest(distance, count).tolist() == wanted.tolist()
    assert vectors.nearest(np.zeros(9, dtype=np.uint16), 4).tolist() == [0, 1, 2, 3]


def test_stored_numbers_are_widened_exactly() -> None:
    every = np.arange(1 << 16, dtype="<u2").view("<f2")
    finite = every[np.isfinite(every)]
    assert np.array_equal(vectors.widened(finite), finite.astype(np.float32))


@pytest.mark.parametrize("searched", [False, True])
def test_a_row_with_several_parts_has_their_mean(searched: bool) -> None:
    data = clustered(9, 64)
    index = VectorIndex(64)
    rows = np.array([4, 4, 7, 9, 9, 9], dtype="<i8")
    index.add_chunk(1, rows.tobytes(), data[:6].astype("<f2").tobytes())
    index.set_tail([4, 11, 11], [encode(row) for row in data[6:]], (3, 11))
    if searched:
        index.similarities(data[0], None)
    mine = np.array([*rows.tolist(), 4, 11, 11])
    means = index.means(np.array([7, 11, 4, 5, 9]))
    for row, mean in zip([7, 11, 4, 5, 9], means, strict=True):
        total = data.astype("<f2").astype(np.float32)[mine == row].sum(axis=0)
        assert np.allclose(mean, total / max(float(np.linalg.norm(total)), 1e-9), atol=1e-5)
