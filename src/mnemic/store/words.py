"""The vocabulary of a space with a vector for each word: which words are relatives of a query word."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .vectors import decode, distances, nearest, pack, words_of

NEAREST = 10
COMPARED = 400  # in full, of those nearest by their signs
SIGNS_FROM = 384  # numbers in a vector: fewer signs miss too many, and fewer numbers are soon compared
KEPT = 4_096

Floats = NDArray[np.float32]
Places = NDArray[np.int64]
Relatives = list[tuple[str, float]]


class _Dense:
    """Vectors, and their signs, which say what is worth comparing in full: of the ten likest of 50,000 words that
    misses one in two hundred (``local``), for a tenth of the time."""

    def __init__(self, dimension: int) -> None:
        self._vectors = np.empty((0, dimension), dtype=np.float32)
        self._signs = np.empty((words_of(dimension), 0), dtype=np.uint64)

    def add(self, new: Floats, start: int) -> None:
        """Put vectors behind the ``start`` that are here."""
        need = start + len(new)
        if need > len(self._vectors):
            size = max(1_024, need * 3 // 2)
            vectors = np.empty((size, self._vectors.shape[1]), dtype=np.float32)
            signs = np.empty((len(self._signs), size), dtype=np.uint64)
            vectors[:start], signs[:, :start] = self._vectors[:start], self._signs[:, :start]
            self._vectors, self._signs = vectors, signs
        self._vectors[start:need] = new
        self._signs[:, start:need] = pack(new > 0)

    def vector(self, place: int) -> Floats:
        """The vector at a place."""
        found: Floats = self._vectors[place]
        return found

    def compared(self, vector: Floats, start: int, end: int, also: Sequence[int]) -> tuple[Places, Floats]:
        """Which places of a range may be among the likest, ascending, and ``also``; and how like they are (cosine)."""
        if self._vectors.shape[1] < SIGNS_FROM or end - start <= COMPARED:
            return np.arange(start, end), self._vectors[start:end] @ vector
        places = start + nearest(distances(self._signs[:, start:end], vector > 0), COMPARED)
        if also:
            places = np.union1d(places, also)
        return places, self._vectors[places] @ vector


class _Sparse:
    """Vectors that are mostly zeros (``hash``), whose signs say nothing: number by number, of which a query needs
    few."""

    def __init__(self, dimension: int) -> None:
        self._numbers = np.empty((dimension, 0), dtype=np.float32)

    def add(self, new: Floats, start: int) -> None:
        """Put vectors behind the ``start`` that are here."""
        need = start + len(new)
        if need > self._numbers.shape[1]:
            numbers = np.empty((len(self._numbers), max(1_024, need * 3 // 2)), dtype=np.float32)
            numbers[:, :start] = self._numbers[:, :start]
            self._numbers = numbers
        self._numbers[:, start:need] = new.T

    def vector(self, place: int) -> Floats:
        """The vector at a place."""
        return self._numbers[:, place].copy()

    def compared(self, vector: Floats, start: int, end: int, also: Sequence[int]) -> tuple[Places, Floats]:
        """All places of a range, and how like they are (cosine)."""
        used = np.flatnonzero(vector)
        return np.arange(start, end), vector[used] @ self._numbers[used, start:end]


class WordIndex:
    """Terms of one space in one vector generation; grows, never shrinks (a rebuild drops it whole)."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.terms: list[str] = []
        self.last = self.last_vector = 0
        self._vectors: _Dense | _Sparse = _Dense(dimension)
        self._place: dict[str, int] = {}
        self._by_prefix: dict[str, list[int]] = {}
        #: Term → how many words it was compared with, and its relatives among those.
        self._found: OrderedDict[str, tuple[int, Relatives]] = OrderedDict()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self.terms)

    def add(self, rows: list[tuple[int, str, int, bytes]], upto: tuple[int, int]) -> None:
        """Append words: (number, term, number of the vector, stored vector); those already here are passed over.

        ``upto``: the highest number of a word and of a vector when they were read, so that those of other spaces are
        not looked at again.
        """
        with self._lock:
            self.last, self.last_vector = max(self.last, upto[0]), max(self.last_vector, upto[1])
            rows = [row for row in rows if row[1] not in self._place]
            if not rows:
                return
            new = decode(b"".join(data for *_, data in rows), self.dimension)
            if not self.terms and 2 * np.count_nonzero(new) < new.size:
                self._vectors = _Sparse(self.dimension)
            self._vectors.add(new, len(self.terms))
            for i, (_, term, *_) in enumerate(rows, len(self.terms)):
                self.terms.append(term)
                self._place[term] = i
                self._by_prefix.setdefault(term[:3], []).append(i)

    def vector(self, term: str) -> Floats | None:
        """Vector of a term of this space, ``None`` when it has none."""
        place = self._place.get(term)
        return None if place is None else self._vectors.vector(place)

    def nearest(
        self, vectors: Mapping[str, Floats], *, least: float, prefix_weight: float = 0.5
    ) -> dict[str, Relatives]:
        """For each term the (at most 10) others that are more like it than ``least`` (cosine), the likest first.

        Words of one stem family in Russian («откатили», «откатывали») have little in common for an embedder that
        knows only their pieces; a long common beginning counts as likeness there.
        """
        out: dict[str, Relatives] = {}
        with self._lock:
            n = len(self.terms)
            for term, vector in vectors.items():
                known, best = self._found.get(term, (0, []))
                if known < n:  # only the words that are new since it was asked last
                    more = self._related(term, vector, known, least, prefix_weight)
                    best = sorted([*best, *more], key=lambda one: -one[1])[:NEAREST]
                self._found[term] = (n, best)
                self._found.move_to_end(term)
                out[term] = best
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
        return out

    def _related(self, term: str, vector: Floats, start: int, least: float, prefix_weight: float) -> Relatives:
        """The likest of the words from ``start`` on."""
        family = self._by_prefix.get(term[:3], []) if len(term) >= 3 and not term.isascii() else []
        family = family[bisect_left(family, start) :]
        places, likeness = self._vectors.compared(vector, start, len(self.terms), family)
        for place in family:
            common = 2 * _common(term, self.terms[place]) / (len(term) + len(self.terms[place]))
            if common >= 0.6:
                i = int(np.searchsorted(places, place))
                likeness[i] += prefix_weight * (1 - likeness[i]) * common
        near = np.flatnonzero(likeness > least)
        if len(near) > NEAREST + 1:
            near = near[np.argpartition(-likeness[near], NEAREST)[: NEAREST + 1]]
        near = near[np.argsort(-likeness[near], kind="stable")]
        found = [(self.terms[place], float(likeness[i])) for i, place in zip(near, places[near], strict=True)]
        return [one for one in found if one[0] != term][:NEAREST]


def _common(a: str, b: str) -> int:
    """Length of the common beginning."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
