"""The evidence of each channel for a query: words, names, times, persons, and meaning, where there is an embedder."""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clock import DAY, to_micros
from ..embed import Embedder, check
from ..errors import EmbeddingError
from ..lang.pack import union
from ..lang.when import Window
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import SECTION, labelled
from ..store.vectors import VectorIndex
from ..store.words import WordIndex
from ..text.analyse import asking_terms, raw_words, search_text, stop_terms, terms
from . import hits
from .lexical import Floats, match
from .plan import READ_CHARS, Reading
from .rank import Evidence, Word

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


#: The query asks what the assistant said.
ASKS_ASSISTANT = re.compile(
    rf"\b(?:{union('recall', 'assistant')})\b.{{0,40}}\b(?:{union('recall', 'assistant_said')})", re.I
)
#: The query asks about the one who asks, so that what he said himself answers it.
ASKS_SELF = re.compile(union("recall", "self"), re.I)
_YEAR = re.compile(r"\d{4}")
_MONTHS = re.compile(union("recall", "months"), re.I)
#: What a message in the right month counts when the query names a day.
SAME_MONTH = 0.4
#: Of so few rows it says nothing how many lie in a window.
FEW = 20


def gather(
    store: Store, vector: VectorChannel, space: str, query: str, reading: Reading, columns: Columns,
    mask: NDArray[np.bool_], lap: Callable[[str], None],
) -> tuple[Evidence, str | None]:  # fmt: skip
    """Evidence of all channels, and why the vector channel took no (full) part."""
    named, names = speakers(query, columns)
    wanted = [t for t in reading.plan.terms if t not in names] or list(reading.plan.terms)
    wanted = [t for t in wanted if t not in asking_terms(home=True)] or wanted
    vectors, vocabulary = vector.indexes(space)
    cosine, why = vector.similarities(vectors, vocabulary, columns, None if mask.all() else mask, query)
    lap("vector")
    related = vector.relatives(vocabulary, query, wanted) if cosine is not None else {}
    lap("relatives")
    every = list(dict.fromkeys([*wanted, *names, *(other for kin in related.values() for other in kin)]))
    found = match(store, space, columns, every)
    if not mask.all():
        for term in found.terms:  # what may not be seen must not speak for its neighbours either
            term.keep(mask)
    known = {term.text: term for term in found.terms}
    echoes = hits.echoes(columns, [known[t] for t in dict.fromkeys([*wanted, *names])])
    words = [
        Word(
            known[t],
            [(known[other], weight) for other, weight in related.get(t, {}).items() if len(known[other].places)],
        )
        for t in wanted
    ]
    said = [word for word in words if len(word.term.places) or word.term.text not in asking_terms()]
    words = said or words
    lap("lexical")
    dated, sections = fit(columns, reading.windows), labelled(columns, SECTION)
    if dated is not None and sections is not None:
        dated[sections] = 0  # a document was not said at the time of its file
    evidence = Evidence(
        words=words,
        names=[known[t] for t in names if t not in wanted],
        cosine=cosine,
        named=None if named is None else named & mask,
        dated=dated,
        asks_assistant=bool(ASKS_ASSISTANT.search(query)),
        asks_self=bool(ASKS_SELF.search(query)),
        only_names=bool(names) and all(t in names for t in reading.plan.terms),
        vectors=vectors if cosine is not None else None,
        echoes=echoes,
    )
    return evidence, why


def speakers(query: str, columns: Columns) -> tuple[NDArray[np.bool_] | None, list[str]]:
    """Rows spoken by someone whom the query names, and the query terms that are those names."""
    asked = dict.fromkeys(terms(query))
    names: dict[str, None] = {}
    codes: list[int] = []
    for code, name in enumerate(columns.names["speaker"]):
        own = [t for t in terms(name) if t in asked] if name else []
        if own:
            names.update(dict.fromkeys(own))
            codes.append(code)
    return (np.isin(columns.speaker, codes), list(names)) if codes else (None, [])


def fit(columns: Columns, windows: tuple[Window, ...]) -> Floats | None:
    """How well the time of each row fits the times named in a query: 1 inside, 0.4 in the right month, 0 elsewhere.

    A month or day named without a year means that of any year: people ask about "May" long after. A time that most rows
    fall into tells little ("in the past three months", "lately"): all of it counts as much less as rows lie in it.
    """
    if not windows or not columns.n:
        return None
    out = np.zeros(columns.n, dtype=np.float32)
    at = columns.event_time
    months: NDArray[np.int64] | None = None
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        if (
            window.granularity in ("day", "month")
            and not _YEAR.search(window.text)
            and window.direction == "past"
            and _MONTHS.search(window.text)
        ):
            if months is None:
                months = at.astype("datetime64[us]").astype("datetime64[M]").astype(np.int64) % 12 + 1
            inside = months == window.start.month
            if window.granularity == "month":
                out[inside] = 1.0
                continue
            days = (
                at.astype("datetime64[us]").astype("datetime64[D]")
                - at.astype("datetime64[us]").astype("datetime64[M]")
            ).astype(np.int64) + 1
            out[inside] = np.maximum(out[inside], SAME_MONTH)
            out[inside & (np.abs(days - window.start.day) <= 1)] = 1.0
            continue
        near = DAY if window.granularity == "day" else 0
        out[(at >= start - near) & (at < end + near)] = 1.0
    inside = np.count_nonzero(out > SAME_MONTH)
    return out * np.float32(1 - inside / (columns.n + FEW))
