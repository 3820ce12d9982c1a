"""The vector channel: cosine of a query with every row that has a vector (the best of its parts)."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..embed import Embedder, check
from ..errors import EmbeddingError
from ..store.columns import Columns
from ..store.sqlite import SqliteStore
from ..text.analyse import raw_words, search_text, stop_terms
from .expand import relatives
from .plan import READ_CHARS

log = logging.getLogger("mnemic.recall")

KEPT_QUERIES = 1_024


class VectorChannel:
    """Embeds queries (the last 1,024 are remembered) and compares them with one generation of vectors."""

    def __init__(self, store: SqliteStore, embedder: Embedder | None) -> None:
        self._store, self._embedder = store, embedder
        self._queries: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

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

    def similarities(
        self, space: str, columns: Columns, mask: NDArray[np.bool_] | None, query: str
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        """Cosine of every row (0 where a row has no vector or is filtered out), and why not where there is none.

        Returns:
            (array of ``columns.n`` or ``None``, reason for ``degraded`` or ``None``).
        """
        if self._embedder is None:
            return None, "vector: no embedder is set, search goes by words (pip install 'mnemic[local]')"
        index = self._store.vectors(space, self._embedder.name)
        if index is None or not len(index):
            return (None, self._why_none(columns)) if columns.n else (None, None)
        try:
            vector = self.embed_many([query, *self._strange_words(space, query)])[0]  # one call for both
            if len(vector) != index.dimension:
                raise EmbeddingError("the query's vector and the stored ones differ in dimension")
        except Exception as error:
            log.warning("the query could not be embedded: %s", type(error).__name__)
            return None, f"vector: the embedder failed ({type(error).__name__})"
        places = columns.index(index.rows())
        allowed = places >= 0
        if mask is not None:
            allowed &= mask[np.maximum(places, 0)]
        found, cosines = index.similarities(vector, None if allowed.all() else allowed)
        out = np.zeros(columns.n, dtype=np.float32)
        np.maximum.at(out, places[found], cosines)
        there = np.zeros(columns.n, dtype=bool)
        there[places[places >= 0]] = True
        missing = columns.n - int(np.count_nonzero(there))
        return out, f"vector: {missing} of {columns.n} memories are not embedded yet" if missing else None

    def means(self, space: str, rows: NDArray[np.int64]) -> NDArray[np.float32] | None:
        """Mean vector of each row; ``None`` where this space has none."""
        index = None if self._embedder is None else self._store.vectors(space, self._embedder.name)
        return None if index is None or not len(index) else index.means(rows)

    def relatives(self, space: str, query: str, asked: Sequence[str]) -> dict[str, Mapping[str, float]]:
        """Related terms of each query term that has any (see :mod:`.expand`); none without an embedder."""
        if self._embedder is None:
            return {}
        index = self._store.words(space, self._embedder.name)
        if index is None or not len(index):
            return {}
        surfaces = query_surfaces(query)
        vectors = {t: index.vector(t) for t in asked if t in surfaces}
        unknown = [t for t, vector in vectors.items() if vector is None]
        try:
            vectors.update(zip(unknown, self.embed_many([surfaces[t] for t in unknown]), strict=True))
        except Exception as error:  # the words themselves are still searched
            log.warning("the words of a query could not be embedded: %s", type(error).__name__)
        return relatives(index, {t: vector for t, vector in vectors.items() if vector is not None})

    def _strange_words(self, space: str, query: str) -> list[str]:
        """Words of a query that have no vector in this space yet."""
        assert self._embedder is not None
        index = self._store.words(space, self._embedder.name)
        if index is None or not len(index):
            return []
        return [word for term, word in query_surfaces(query).items() if index.vector(term) is None]

    def _why_none(self, columns: Columns) -> str:
        assert self._embedder is not None
        try:
            mine = f"{self._embedder.name} ({self._embedder.dimension})"
        except Exception as error:  # a server that is down cannot even say that
            return f"vector: the embedder failed ({type(error).__name__})"
        others = [
            f"{name} ({dimension})"
            for _, name, dimension in self._store.ask("generations")
            if name != self._embedder.name
        ]
        if others:
            return f"vector: search off, {', '.join(others)} stored, {mine} configured: run `mnemic reembed`"
        return f"vector: {columns.n} memories are not embedded yet"


def query_surfaces(query: str) -> dict[str, str]:
    """Term → word as written, for the words of a query that can have relatives."""
    stop = stop_terms()
    words = raw_words(query[:READ_CHARS])
    found = {search_text(word): word.casefold() for word in words if word.isalpha() and len(word) >= 3}
    return {term: word for term, word in found.items() if term not in stop}
