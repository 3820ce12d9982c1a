"""Signs of vectors: one bit a number, sixty-four to a word, compared by counting those that differ.

The share of differing signs goes with the angle between two vectors (Charikar 2002, "Similarity estimation techniques from
rounding algorithms"): a thirtieth of the memory of the numbers has to be read to know which are worth comparing in full.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Signs = NDArray[np.uint64]


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
