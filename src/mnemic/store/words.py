"""The vocabulary of a space with a vector for each word: which words are relatives of a query word."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .vectors import decode

NEAREST = 10
KEPT = 4_096


class WordIndex:
    """Terms of one space in one vector generation; grows, never shrinks (a rebuild drops it whole)."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.terms: list[str] = []
        self.last = self.last_vector = 0
        self._matrix = np.empty((0, dimension), dtype=np.float32)
        self._place: dict[str, int] = {}
        self._by_prefix: dict[str, list[int]] = {}
        self._found: OrderedDict[str, tuple[int, list[tuple[str, float]]]] = OrderedDict()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self.terms)

    def add(self, rows: list[tuple[int, str, int, bytes]], upto: tuple[int, int]) -> None:
        """Append words: (number, term, number of the vector, stored vector); those already here are passed over.

        ``upto``: the highest number of a word and of a vector when they were read, so that those of other spaces are not
        looked at again.
        """
        with self._lock:
            self.last, self.last_vector = max(self.last, upto[0]), max(self.last_vector, upto[1])
            rows = [row for row in rows if row[1] not in self._place]
            if not rows:
                return
            start, need = len(self.terms), len(self.terms) + len(rows)
            if need > len(self._matrix):
                grown = np.empty((max(1_024, need * 3 // 2), self.dimension), dtype=np.float32)
                grown[:start] = self._matrix[:start]
                self._matrix = grown
            self._matrix[start:need] = decode(b"".join(data for *_, data in rows), self.dimension)
            for i, (_, term, *_) in enumerate(rows, start):
                self.terms.append(term)
                self._place[term] = i
                self._by_prefix.setdefault(term[:3], []).append(i)

    def vector(self, term: str) -> NDArray[np.float32] | None:
        """Vector of a term of this space, ``None`` when it has none."""
        place = self._place.get(term)
        return None if place is None else self._matrix[place]

    def nearest(
        self, vectors: Mapping[str, NDArray[np.float32]], *, least: float, prefix_weight: float = 0.5
    ) -> dict[str, list[tuple[str, float]]]:
        """For each term the (at most 10) others that are more like it than ``least`` (cosine), the likest first.

        Words of one stem family in Russian («откатили», «откатывали») have little in common for an embedder that
        knows only their pieces; a long common beginning counts as likeness there.
        """
        with self._lock:
            n = len(self.terms)
            new = [term for term in vectors if self._found.get(term, (-1,))[0] != n]
            if new and n:  # one product for all: reading the matrix is what costs
                likeness = np.array([vectors[term] for term in new], dtype=np.float32) @ self._matrix[:n].T
                for term, mine in zip(new, likeness, strict=True):
                    self._found[term] = (n, self._best(term, mine, least, prefix_weight))
            out = {}
            for term in vectors:
                if term in self._found:
                    self._found.move_to_end(term)
                    out[term] = self._found[term][1]
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
            return out

    def _best(
        self, term: str, likeness: NDArray[np.float32], least: float, prefix_weight: float
    ) -> list[tuple[str, float]]:
        if len(term) >= 3 and not term.isascii():
            for i in self._by_prefix.get(term[:3], ()):
                common = 2 * _common(term, self.terms[i]) / (len(term) + len(self.terms[i]))
                if common >= 0.6:
                    likeness[i] += prefix_weight * (1 - likeness[i]) * common
        near = np.flatnonzero(likeness > least)
        if len(near) > NEAREST + 1:
            near = near[np.argpartition(-likeness[near], NEAREST)[: NEAREST + 1]]
        near = near[np.argsort(-likeness[near], kind="stable")]
        return [(self.terms[i], float(likeness[i])) for i in near if self.terms[i] != term][:NEAREST]


def _common(a: str, b: str) -> int:
    """Length of the common beginning."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
