"""The vectors of one space and generation, in memory, and the search over them.

Vectors are unit rows. Up to 32 MB of them the search is exact (one matrix product); above, centred sign bits are compared
by popcount, the best 2,000 rescored exactly (facts: recall@20 0.993–0.995 at 100,000–1,000,000), and the cosines of the
others estimated from their distance. Nothing is trained, and a filter is a mask that is applied *before* ranking.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .merging import M
from .queries import load
from .rows import first_row, last_row

if TYPE_CHECKING:
    from .tx import Tx

EXACT_UP_TO = 8_000_000  # numbers
RESCORED = 2_000
SAMPLE = 256  # of all vectors: what a distance means to this query
STORED = np.dtype("<f2")
Signs = NDArray[np.uint64]


def encode(vector: NDArray[np.float32]) -> bytes:
    """A vector as it is stored: float16, little-endian."""
    return vector.astype(STORED).tobytes()


#: Where the exponent of a float16, put in the place of a float32's, is too small by this.
_SCALE = np.float32(2.0**112)
_SIGN_AND_VALUE = np.int32(-0x7000_2000)


def widened(stored: NDArray[np.float16]) -> NDArray[np.float32]:
    """Stored numbers (finite ones) as float32: their bits moved to the right place, several times quicker than a cast."""
    bits = stored.view("<i2").astype("<i4")  # the sign is carried into the upper half
    bits <<= 13
    bits &= _SIGN_AND_VALUE
    wide: NDArray[np.float32] = bits.view(np.float32)
    wide *= _SCALE
    return wide


def _ordered(stored: NDArray[np.float16]) -> NDArray[np.int16]:
    """Integers in the order of stored numbers: compared many times faster than those."""
    bits: NDArray[np.int16] = stored.view("<i2")
    return bits ^ ((bits >> 15) & np.int16(0x7FFF))


def decode(data: bytes, dimension: int) -> NDArray[np.float32]:
    """Stored bytes as float32 rows of the given dimension."""
    return widened(np.frombuffer(data, dtype=STORED).reshape(-1, dimension))


def has_rows(rows: bytes, some: NDArray[np.int64]) -> bool:
    """Whether a packed chunk holds any of the rows (sorted, not empty)."""
    numbers = np.frombuffer(rows, dtype="<i8")
    if not len(numbers) or numbers.max() < some[0] or numbers.min() > some[-1]:
        return False
    return bool(np.isin(numbers, some).any())


def without_rows(rows: bytes, data: bytes, dimension: int, gone: set[int]) -> tuple[bytes, bytes, int] | None:
    """Rows and data of a packed chunk without some rows, and how many vectors went; ``None``: it holds none of them."""
    numbers = np.frombuffer(rows, dtype="<i8")
    keep = ~np.isin(numbers, np.fromiter(gone, dtype=np.int64, count=len(gone)))
    if keep.all():
        return None
    matrix = np.frombuffer(data, dtype=STORED).reshape(-1, dimension)
    return numbers[keep].tobytes(), matrix[keep].tobytes(), int((~keep).sum())


class VectorIndex:
    """Vectors with the row each belongs to. A long text has several vectors under one row."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._rows = np.empty(0, dtype=np.int64)
        self._data = np.empty((0, dimension), dtype=STORED)
        self._n = 0
        self._tail_rows = np.empty(0, dtype=np.int64)
        self._tail = np.empty((0, dimension), dtype=np.float32)
        self._exact: NDArray[np.float32] | None = None
        self._signs: Signs | None = None
        self._mean: NDArray[np.float32] | None = None
        self._order: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None  # places by row, and those rows
        self.last_chunk = 0
        self.tail_state: tuple[int, int | None] = (0, None)

    def __len__(self) -> int:
        return self._n + len(self._tail_rows)

    def reserve(self, more: int) -> None:
        """Make room for so many vectors at once."""
        need = self._n + more
        if need > len(self._rows):
            size = max(4_096, need * 5 // 4)
            grown_rows, grown = np.empty(size, dtype=np.int64), np.empty((size, self.dimension), dtype=STORED)
            grown_rows[: self._n], grown[: self._n] = self._rows[: self._n], self._data[: self._n]
            self._rows, self._data = grown_rows, grown

    def add_chunk(self, number: int, rows: bytes, data: bytes) -> None:
        """Append a packed chunk."""
        numbers = np.frombuffer(rows, dtype="<i8")
        need = self._n + len(numbers)
        self.reserve(len(numbers))
        self._rows[self._n : need] = numbers
        self._data[self._n : need] = np.frombuffer(data, dtype=STORED).reshape(-1, self.dimension)
        self._n, self.last_chunk = need, number
        self._exact = self._signs = self._order = None

    def set_tail(self, rows: list[int], data: list[bytes], state: tuple[int, int | None]) -> None:
        """Replace the vectors that are not packed yet."""
        self._tail_rows = np.array(rows, dtype=np.int64)
        joined = b"".join(data)
        self._tail = decode(joined, self.dimension) if joined else np.empty((0, self.dimension), dtype=np.float32)
        self.tail_state = state
        self._order = None

    def rows(self) -> NDArray[np.int64]:
        """Row number of every vector, packed ones first."""
        return np.concatenate([self._rows[: self._n], self._tail_rows])

    def means(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Mean unit vector of each of some rows, shape (len(rows), dimension); zeros for a row without any."""
        if self._order is None:
            mine = self.rows()
            order = np.argsort(mine, kind="stable")
            self._order = (order, mine[order])
        order, ordered = self._order
        low = np.searchsorted(ordered, rows, "left")
        counts = np.searchsorted(ordered, rows, "right") - low
        starts = np.cumsum(counts) - counts
        parts = self._taken(order[np.repeat(low - starts, counts) + np.arange(counts.sum())])
        if (counts == 1).all():
            out = parts
        else:
            out = np.zeros((len(rows), self.dimension), dtype=np.float32)
            for k in range(int(counts.max(initial=0))):  # the k-th part of all that have one: quicker than row by row
                more = np.flatnonzero(counts > k)
                out[more] += parts[starts[more] + k]
        out /= np.maximum(np.sqrt(np.einsum("ij,ij->i", out, out)), 1e-9)[:, None]
        return out

    def _taken(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors at some places, packed or not."""
        packed = places < self._n
        if packed.all():
            if self._exact is not None and len(self._exact) == self._n:
                return self._exact[places]
            return widened(self._data[places])
        out = np.empty((len(places), self.dimension), dtype=np.float32)
        out[packed] = widened(self._data[places[packed]])
        out[~packed] = self._tail[places[~packed] - self._n]
        return out

    def similarities(self, query: NDArray[np.float32], allowed: NDArray[np.bool_] | None) -> NDArray[np.float32]:
        """Cosine of the query with every allowed vector: exact, or of those far away in a large space estimated.

        Args:
            query: unit vector, shape (dimension,).
            allowed: mask over :meth:`rows`, or ``None`` for all.

        Returns:
            One number for each allowed vector, in the order of :meth:`rows`.
        """
        n = self._n
        places = None if allowed is None else np.flatnonzero(allowed[:n])
        count = n if places is None else len(places)
        if count * self.dimension > EXACT_UP_TO:
            scores = self._estimated(query, places)
        elif places is None or count > n // 2:
            if self._exact is None or len(self._exact) != n:
                self._exact = widened(self._data[:n])
            scores = self._exact @ query
            scores = scores if places is None else scores[places]
        else:
            scores = widened(self._data[places]) @ query
        if not len(self._tail):
            return scores
        tail = self._tail @ query
        return np.concatenate([scores, tail if allowed is None else tail[allowed[n:]]])

    def _estimated(self, query: NDArray[np.float32], places: NDArray[np.int64] | None) -> NDArray[np.float32]:
        """Cosines with all vectors, or those at some places: of the nearest by their signs exact, of the others a straight
        line through what the distances of some mean."""
        signs, mean = self._packed_signs()
        distance = distances(signs, query > mean, places)
        some = np.arange(0, len(distance), max(1, len(distance) // SAMPLE))
        known = np.concatenate([nearest(distance, RESCORED), some])
        cosines = widened(self._data[known if places is None else places[known]]) @ query
        seen = distance[known].astype(np.float32)
        off = seen - seen.mean()
        slope = float(off @ cosines) / max(float(off @ off), 1e-9)
        level = float(cosines.mean()) - slope * float(seen.mean())
        out = distance * np.float32(slope)
        out += np.float32(level)
        out[known] = cosines
        return out

    def _packed_signs(self) -> tuple[Signs, NDArray[np.float32]]:
        """Which numbers of the vectors are above the mean of that number, and the mean."""
        if self._signs is None or self._mean is None:
            centre = widened(self._data[: self._n : max(1, self._n // 20_000)]).mean(axis=0).astype(STORED)
            middle = _ordered(centre)
            self._signs = np.empty((words_of(self.dimension), self._n), dtype=np.uint64)
            for start in range(0, self._n, 16_384):
                part = slice(start, min(start + 16_384, self._n))
                self._signs[:, part] = pack(_ordered(self._data[part]) > middle)
            self._mean = widened(centre)
        return self._signs, self._mean


# -- signs: one bit a number, compared by counting those that differ (Charikar 2002); their share goes with the angle ------


def words_of(dimension: int) -> int:
    """How many words the signs of a vector take."""
    return -(-dimension // 64)


def pack(above: NDArray[np.bool_]) -> Signs:
    """Signs of vectors, given as rows, one run of memory for each 64 of them: shape (:func:`words_of`, rows)."""
    count, dimension = above.shape
    packed = np.zeros((count, words_of(dimension) * 8), dtype=np.uint8)
    packed[:, : -(-dimension // 8)] = np.packbits(above, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def distances(signs: Signs, mine: NDArray[np.bool_], places: NDArray[np.int64] | None = None) -> NDArray[np.uint16]:
    """In how many signs each vector (or those at some places) differs from one."""
    count = signs.shape[1] if places is None else len(places)
    out = np.zeros(count, dtype=np.uint16)
    differ, few = np.empty(count, dtype=np.uint64), np.empty(count, dtype=np.uint8)
    for part, (own,) in zip(signs, pack(mine[None, :]), strict=True):
        np.bitwise_xor(part if places is None else part[places], own, out=differ)
        out += np.bitwise_count(differ, out=few)
    return out


def nearest(distance: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """Positions of the so many least distances, ascending; of equal ones the first. Counted, not sorted: they are small."""
    upto = np.cumsum(np.bincount(distance))
    limit = int(np.searchsorted(upto, count))
    if limit >= len(upto):
        return np.arange(len(distance))
    keep = distance < limit
    at_limit = np.flatnonzero(distance == limit)
    keep[at_limit[: count - (int(upto[limit - 1]) if limit else 0)]] = True
    return np.flatnonzero(keep)


Q = load("queries.sql")
CHUNK = 1_024  # vectors that are packed together


@dataclass(slots=True)
class Embedded:
    """What a pass over rows of one space has brought.

    Attributes:
        texts: (row, the text that was embedded, a stored vector for each piece of it).
        failures: (row, attempts, when to try again or ``None`` for never, the reason).
        words: (term, the way it is written) that are new to the space. word_vectors: (term, stored vector).
        reached: row up to which all were looked at, ``None`` for a further attempt.
    """

    texts: list[tuple[int, str, list[bytes]]]
    failures: list[tuple[int, int, int | None, str]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)
    word_vectors: list[tuple[str, bytes]] = field(default_factory=list)
    reached: int | None = None


def new_generation(tx: Tx, model: str, dimension: int) -> None:
    """Make room for the vectors of a model; nothing happens where the file has some."""
    tx.connection.execute(Q.new_generation, (model, dimension, tx.clock.now()))


def keep(tx: Tx, space_name: str, generation: int, found: Embedded) -> None:
    """Write a pass. Rows that were erased meanwhile are left out, those that have grown are due again."""
    execute, space = tx.connection.execute, tx.space(space_name)
    erased: set[int] = set()
    for row, text, parts in found.texts:
        content = execute(Q.content_of, (row,)).get
        if content is None:
            erased.add(row)
            continue
        if content != text:
            execute(Q.put_failure, (generation, row, 0, 0, "the text has grown"))
            continue
        execute(Q.delete_vector, (generation, row))
        for part, vector in enumerate(parts):
            execute(Q.put_vector, (generation, row, part, vector))
        if parts:
            execute(Q.clear_failure, (generation, row))
    tx.connection.executemany(Q.put_failure, [(generation, *f) for f in found.failures if f[0] not in erased])
    tx.connection.executemany(Q.new_word, [(space.no, *word) for word in found.words])
    tx.connection.executemany(Q.put_word_vector, [(generation, *word) for word in found.word_vectors])
    if erased:
        tx.drop_words(space, [term for term, _ in found.words])
    if found.reached is not None:
        execute(Q.set_embedded, (generation, space.no, found.reached))
    _pack(tx, generation, space.no)


def _pack(tx: Tx, generation: int, space: int) -> None:
    """Move the loose vectors of a space into a chunk once there are enough of them."""
    bounds = (generation, first_row(space), last_row(space))
    count, _ = tx.connection.execute(Q.tail_state, bounds).fetchone()
    if count < CHUNK:
        return
    tail = tx.connection.execute(Q.tail_vectors, bounds).fetchall()
    rows = np.array([row for row, _ in tail], dtype="<i8")
    tx.connection.execute(Q.new_vector_chunk, (generation, space, rows.tobytes(), b"".join(data for _, data in tail)))
    for row in {int(row) for row in rows}:
        tx.connection.execute(Q.delete_vector, (generation, row))


def means(connection: Any, space: int, model: str, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
    """Mean unit vector of each of some rows that has any; memory goes with what is asked for, not with the space.

    Args:
        connection: a reader's, so that all is of one moment. space: its number.
    """
    found = connection.execute(Q.generation, (model,)).fetchone()
    if found is None or not rows:
        return {}
    generation, dimension = found
    wanted = np.unique(np.array(rows, dtype=np.int64))
    sums: dict[int, NDArray[np.float32]] = {}

    def add(row: int, data: bytes) -> None:
        vector = decode(data, dimension)[0]
        sums[row] = sums[row] + vector if row in sums else vector

    size = dimension * STORED.itemsize
    for number, packed in connection.execute(M.chunk_rows, (generation, space)).fetchall():
        held = np.frombuffer(packed, dtype="<i8")
        for place in np.flatnonzero(np.isin(held, wanted)).tolist():
            add(int(held[place]), connection.execute(M.chunk_part, (number, place * size + 1, size)).get)
    for row, data in connection.execute(M.loose_vectors, (generation, json.dumps(wanted.tolist()))):
        add(row, data)
    return {row: total / max(float(np.linalg.norm(total)), 1e-9) for row, total in sums.items()}
