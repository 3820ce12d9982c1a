"""Vectors in the file: those of a few rows read one by one, and what a pass of the embedder writes in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .merging import M
from .queries import load
from .rows import first_row, last_row
from .tx import Tx
from .vectors import STORED, decode

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
