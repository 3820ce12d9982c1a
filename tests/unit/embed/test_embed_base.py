"""The arithmetic shared by all embedders, and the rescue of a batch from one bad text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from mnemic.embed import Kind, TextRefused, Vectors, blank, check, embed_each
from mnemic.embed.base import cut, embed_parts, looks_multilingual, mean, prefix, readable
from mnemic.embed.local import HashEmbedder
from mnemic.errors import EmbeddingError, InvalidInput, MissingExtra


@pytest.mark.parametrize(
    ("vectors", "problem"),
    [
        ([[1.0, math.nan]], "NaN"),
        ([[math.inf, 1.0]], "NaN or infinity"),
        ([[0.0, 0.0]], "zeros"),
        ([[1.0, 0.0, 0.0]], "shape"),
        ([[1.0, 0.0], [0.0, 1.0]], "shape"),
        ([], "shape"),
        ([1.0, 0.0], "shape"),
        ([["a", "b"]], "table of numbers"),
        ([[1.0], [1.0, 2.0]], "table of numbers"),
        ([[10**400, 1]], "table of numbers"),
        (None, "shape|NaN"),
    ],
)
def test_vectors_that_would_poison_an_index_are_refused(vectors: object, problem: str) -> None:
    """R37"""
    with pytest.raises(EmbeddingError, match=problem) as caught:
        check(vectors, 1, 2)
    assert not caught.value.retryable


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e300])
def test_vectors_are_scaled_to_length_one(scale: float) -> None:
    rows = check(np.array([[3.0, 4.0]]) * scale, 1, 2)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8]], rtol=1e-6)


def test_no_rows_are_fine_when_none_are_expected() -> None:
    assert check([], 0, 4).shape == (0, 4)


@pytest.mark.parametrize("dimension", [1, 2, 7, 512])
def test_blank_is_a_unit_vector(dimension: int) -> None:
    assert np.linalg.norm(blank(dimension)) == pytest.approx(1.0, abs=1e-6)


def test_cut_keeps_the_first_numbers() -> None:
    assert cut([[1, 2, 3]], 2).tolist() == [[1, 2]]
    assert cut([[1, 2, 3]], 5).tolist() == [[1, 2, 3]]


def test_the_mean_of_opposite_vectors_is_the_first() -> None:
    rows = np.array([[1.0, 0.0], [-1.0, 0.0]], dtype=np.float32)
    assert mean(rows).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("text", ["", "  \n", "\0\x01", "\ud800", "\u200b\ufeff", "\u0301"])
def test_nothing_to_read(text: str) -> None:
    assert readable(text) == ""


@pytest.mark.parametrize(
    ("text", "read"), [("a\0b", "a b"), (" x\ud83d ", "x"), ("😀", "😀"), ("...", "..."), ("a\tb\n", "a\tb")]
)
def test_what_is_read(text: str, read: str) -> None:
    assert readable(text) == read


def test_equal_texts_are_asked_once_and_from_short_to_long() -> None:
    asked: list[list[str]] = []

    def run(parts: list[str]) -> Vectors:
        asked.append(parts)
        return np.array([[len(part), 1.0] for part in parts], dtype=np.float32)

    rows = embed_parts(["bbb", "a", "bbb", "", "cc"], kind="document", dimension=lambda: 2, max_chars=10, run=run)
    assert asked == [["a", "cc", "bbb"]]
    assert rows[0].tolist() == rows[2].tolist()
    assert rows[3].tolist() == blank(2).tolist()


def test_prefixes_are_those_the_models_were_trained_with() -> None:
    assert prefix("nomic-embed-text", "query") == "search_query: "
    assert prefix("text-embedding-nomic-embed-text-v1.5", "document") == "search_document: "
    assert prefix("intfloat/multilingual-e5-large", "document") == "passage: "
    assert prefix("intfloat/multilingual-e5-large-instruct", "document") == ""
    assert prefix("text-embedding-3-small", "query") == ""
    assert looks_multilingual("bge-m3")
    assert not looks_multilingual("BAAI/bge-small-en-v1.5")


# --- one bad text


class Fussy(HashEmbedder):
    """Fails on some texts, or always; counts its calls."""

    def __init__(self, bad: Sequence[str] = (), error: Exception | None = None) -> None:
        super().__init__(32)
        self.bad = set(bad)
        self.error = error or EmbeddingError("cannot read this")
        self.calls = 0
        self.dies_after = 10**9

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        self.calls += 1
        if self.calls > self.dies_after or self.bad & set(texts):
            raise self.error
        return super().embed(texts, kind=kind)


TEXTS = [f"message number {number}" for number in range(64)]


@pytest.mark.parametrize("retryable", [False, True])
def test_one_bad_text_does_not_cost_the_other_63(retryable: bool) -> None:
    """B114, R37: whatever the embedder says of it."""
    embedder = Fussy([TEXTS[41]], EmbeddingError("no", retryable=retryable))
    rows = embed_each(embedder, TEXTS, "document")
    bad = [index for index, row in enumerate(rows) if isinstance(row, EmbeddingError)]
    assert bad == [41]
    refused = rows[41]
    assert isinstance(refused, TextRefused)
    assert refused.retryable is retryable
    expected = HashEmbedder(32).embed(TEXTS, kind="document")
    for index in set(range(64)) - {41}:
        np.testing.assert_allclose(rows[index], expected[index], atol=1e-6)
    assert embedder.calls <= 16


def test_several_bad_texts_in_several_batches() -> None:
    bad = [TEXTS[0], TEXTS[1], TEXTS[31], TEXTS[63]]
    rows = embed_each(Fussy(bad), TEXTS, "document", batch=20)
    assert [i for i, row in enumerate(rows) if isinstance(row, TextRefused)] == [0, 1, 31, 63]


def test_a_service_that_is_down_is_asked_twice_and_no_text_is_blamed() -> None:
    embedder = Fussy(error=EmbeddingError("down", retryable=True))
    embedder.dies_after = 0
    rows = embed_each(embedder, TEXTS * 4, "document")
    assert embedder.calls == 2
    assert all(isinstance(row, EmbeddingError) and not isinstance(row, TextRefused) for row in rows)


def test_a_service_that_dies_midway_keeps_what_it_gave_and_blames_nobody() -> None:
    embedder = Fussy([TEXTS[5]], EmbeddingError("down", retryable=True))
    embedder.dies_after = 9
    rows = embed_each(embedder, TEXTS, "document", batch=16)
    kept = [row for row in rows if not isinstance(row, EmbeddingError)]
    assert kept
    assert not any(isinstance(row, TextRefused) for row in rows[16:])


def test_an_answer_with_nan_for_one_text_costs_only_that_text() -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
            rows = super().embed(texts, kind=kind)
            rows[[text == "bad" for text in texts]] = math.nan
            return rows

    rows = embed_each(Broken(16), ["good", "bad", "fine"], "document")
    assert [isinstance(row, TextRefused) for row in rows] == [False, True, False]


def test_foreign_errors_become_embedding_errors_without_their_message() -> None:
    rows = embed_each(Fussy(["secret plan"], ValueError("secret plan")), ["a", "secret plan"], "document")
    assert isinstance(rows[1], TextRefused)
    assert "secret" not in str(rows[1])


def test_a_missing_package_is_not_a_bad_text() -> None:
    with pytest.raises(MissingExtra):
        embed_each(Fussy(["a"], MissingExtra("x", "local")), ["a"], "document")


def test_no_texts_ask_nothing() -> None:
    embedder = Fussy()
    assert embed_each(embedder, [], "document") == []
    assert embedder.calls == 0


def test_a_string_is_not_a_list_of_texts() -> None:
    with pytest.raises(InvalidInput, match="list of strings"):
        embed_each(Fussy(), "hello", "document")
