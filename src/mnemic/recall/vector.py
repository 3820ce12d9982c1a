"""The vector channel: cosine of a query with every row that has a vector (the best of its parts)."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..embed import Embedder, check
from ..errors import EmbeddingError
from ..store.base import Store
from ..store.columns import Columns
from ..store.vectors import VectorIndex
from ..store.words import WordIndex
from ..text.analyse import raw_words, search_text, stop_terms
from .plan import READ_CHARS

log = logging.getLogger("mnemic.recall")

KEPT_QUERIES = 1_024
LIKE = 0.5  # likeness of two words below this says nothing
RELATED = 0.8  # a relative counts less than the word itself


@dataclass(frozen=True, slots=True)
class _Placed:
    """The rows of a space that vectors belong to: place of each vector (-1: none), and how many rows have no vector."""

    index: VectorIndex
    columns: Columns
    places: NDArray[np.int64]
    all_here: bool
    missing: int


class VectorChannel:
    """Embeds queries (the last 1,024 are remembered) and compares them with one generation of vectors."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store, self._embedder = store, embedder
        self._queries: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()
        self._placed: _Placed | None = None  # of the space asked last

    @property
    def can_embed(self) -> bool:
        """Whether there is an embedder."""
        return self._embedder is not None

    def embed_many(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Unit vectors of queries or query words."""
        assert self._embedder is not None
        with self._lock:
            found = {text: self._queries[text] for text in texts if text in self._queries}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            cut = [text[: self._embedder.max_chars] for text in missing]
            vectors = check(self._embedder.embed(cut, kind="query"), len(cut), self._embedder.dimension)
            found.update(zip(missing, vectors, strict=True))
        with self._lock:
            for text in texts:
                self._queries[text] = found[text]
                self._queries.move_to_end(text)
            while len(self._queries) > KEPT_QUERIES:
                self._queries.popitem(last=False)
        return [found[text] for text in texts]

    def indexes(self, space: str) -> tuple[VectorIndex | None, WordIndex | None]:
        """The vectors of a space and its vocabulary, as of now; ``None`` for what there is none of."""
        if self._embedder is None:
            return None, None
        vectors = self._store.vectors(space, self._embedder.name)
        vocabulary = self._store.words(space, self._embedder.name)
        return vectors if vectors is not None and len(vectors) else None, vocabulary if vocabulary else None

    def similarities(
        self, index: VectorIndex | None, vocabulary: WordIndex | None, columns: Columns,
        mask: NDArray[np.bool_] | None, query: str,
    ) -> tuple[NDArray[np.float32] | None, str | None]:  # fmt: skip
        """Cosine of every row (0 where a row has no vector or is filtered out), and why not where there is none.

        Returns:
            (array of ``columns.n`` or ``None``, reason for ``degraded`` or ``None``).
        """
        if self._embedder is None:
            return None, "vector: no embedder is set, search goes by words (pip install 'mnemic[local]')"
        if index is None:
            return (None, self._why_none(columns)) if columns.n else (None, None)
        try:
            vector = self.embed_many([query, *_strange_words(vocabulary, query)])[0]  # one call for both
            if len(vector) != index.dimension:
                raise EmbeddingError("the query's vector and the stored ones differ in dimension")
        except Exception as error:
            log.warning("the query could not be embedded: %s", type(error).__name__)
            return None, f"vector: the embedder failed ({type(error).__name__})"
        placed = self._where(index, columns)
        allowed = None if placed.all_here else placed.places >= 0
        if mask is not None:
            seen = mask[placed.places]  # (-1 reads the last one, and is left out by ``allowed``)
            allowed = seen if allowed is None else allowed & seen
        cosines = index.similarities(vector, allowed)
        out = np.zeros(columns.n, dtype=np.float32)
        np.maximum.at(out, placed.places if allowed is None else placed.places[allowed], cosines)
        missing = placed.missing
        return out, f"vector: {missing} of {columns.n} memories are not embedded yet" if missing else None

    def _where(self, index: VectorIndex, columns: Columns) -> _Placed:
        """Where the vectors belong; kept for the next query, since neither changes but by being replaced."""
        last = self._placed
        if last is None or last.index is not index or last.columns is not columns:
            places = columns.index(index.rows())
            there = np.zeros(columns.n, dtype=bool)
            there[places[places >= 0]] = True
            missing = columns.n - int(np.count_nonzero(there))
            last = self._placed = _Placed(index, columns, places, bool((places >= 0).all()), missing)
        return last

    def relatives(
        self, vocabulary: WordIndex | None, query: str, asked: Sequence[str]
    ) -> dict[str, Mapping[str, float]]:
        """Related terms of each query term that has any (see :mod:`.expand`); none without a vocabulary."""
        if vocabulary is None:
            return {}
        surfaces = query_surfaces(query)
        vectors = {t: vocabulary.vector(t) for t in asked if t in surfaces}
        unknown = [t for t, vector in vectors.items() if vector is None]
        try:
            vectors.update(zip(unknown, self.embed_many([surfaces[t] for t in unknown]), strict=True))
        except Exception as error:  # the words themselves are still searched
            log.warning("the words of a query could not be embedded: %s", type(error).__name__)
        return relatives(vocabulary, {t: vector for t, vector in vectors.items() if vector is not None})

    def _why_none(self, columns: Columns) -> str:
        assert self._embedder is not None
        try:
            mine = f"{self._embedder.name} ({self._embedder.dimension})"
        except Exception as error:  # a server that is down cannot even say that
            return f"vector: the embedder failed ({type(error).__name__})"
        others = [
            f"{name} ({dimension})" for _, name, dimension in self._store.generations() if name != self._embedder.name
        ]
        if others:
            return f"vector: search off, {', '.join(others)} stored, {mine} configured: run `mnemic reembed`"
        return f"vector: {columns.n} memories are not embedded yet"


def _strange_words(vocabulary: WordIndex | None, query: str) -> list[str]:
    """Words of a query that have no vector in this space yet."""
    if vocabulary is None:
        return []
    return [word for term, word in query_surfaces(query).items() if vocabulary.vector(term) is None]


def query_surfaces(query: str) -> dict[str, str]:
    """Term → word as written, for the words of a query that can have relatives."""
    stop = stop_terms()
    words = raw_words(query[:READ_CHARS])
    found = {search_text(word): word.casefold() for word in words if word.isalpha() and len(word) >= 3}
    return {term: word for term, word in found.items() if term not in stop}


def relatives(index: WordIndex, vectors: Mapping[str, NDArray[np.float32]]) -> dict[str, Mapping[str, float]]:
    """For each query term its relatives → weight in 0…0.8, growing with likeness.

    Relatives are terms of the same space that an embedder holds to be close ("flat" – "apartment", and across
    languages).
    """
    found = index.nearest({term: v for term, v in vectors.items() if not term.isdigit()}, least=LIKE)
    return {
        term: {
            other: RELATED * (likeness - LIKE) / (1 - LIKE)
            for other, likeness in found.get(term, ())
            if not other.isdigit()
        }
        for term in vectors
    }
