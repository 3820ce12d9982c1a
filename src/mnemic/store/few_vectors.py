"""The vectors of a few rows, read from the file one by one: for work that must not hold those of a whole space."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .merging import M
from .queries import load
from .vectors import STORED, decode

Q = load("queries.sql")


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
