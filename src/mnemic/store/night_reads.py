"""What the clean-up of the night asks: facts as it compares them, the numbers of what they say, what holds up what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import fading as strengths
from .base import Space
from .merging import M
from .queries import load
from .reads import Reads
from .tx import Tx
from .vector_rows import means

Q = load("queries.sql")


@dataclass(frozen=True, slots=True)
class Compared:
    """A fact that is offered and not over.

    Attributes:
        entity, predicate, scope, object: its slot, ``None`` where none is known. begins: world time since when it holds.
        confirmed: 1 where a person holds it for certain. holder: who says it or holds it, "" where unknown. support: episodes behind it.
        label, kind, project: as they were given.
    """

    row: int
    id: str
    content: str
    entity: int | None
    predicate: str | None
    scope: str | None
    object: str | None
    begins: int
    event_time: int
    trust: float
    confirmed: int
    holder: str
    recorded_at: int
    support: int
    label: str = "fact"
    kind: str = "semantic"
    project: str | None = None

    @property
    def slot(self) -> tuple[int, str, str] | None:
        """Whose and which fact it is, ``None`` where that is not known."""
        return None if self.entity is None else (self.entity, self.predicate or "", self.scope or "")


def compared(connection: Any, rows: Iterable[int]) -> dict[int, Compared]:
    """Those of some rows that are facts, offered and not over, by row."""
    found = connection.execute(M.compared, (json.dumps(list(rows)),))
    return {row[0]: Compared(*row) for row in found}


def taken_apart(connection: Any, rows: Iterable[int]) -> set[int]:
    """Rows that were hidden as duplicates once and that a person brought back."""
    return {row for (row,) in connection.execute(M.taken_apart, (json.dumps(list(rows)),))}


def at_issue(connection: Any, rows: Iterable[int]) -> set[frozenset[int]]:
    """Pairs with one of the rows in it between which there is a contradiction, open, settled or dismissed."""
    return {frozenset(pair) for pair in connection.execute(M.at_issue, (json.dumps(list(rows)),))}


def put_senses(tx: Tx, senses: Iterable[tuple[int, int, int | None]]) -> None:
    """Write (row, number of what it says, number of its topic) for facts; those erased or hidden meanwhile are left out."""
    given = list(senses)
    there = compared(tx.connection, [row for row, *_ in given])
    tx.connection.executemany(M.put_sense, [sense for sense in given if sense[0] in there])


def drop_senses(tx: Tx, space: Space) -> None:
    """Forget the numbers of a space: another reader makes others."""
    tx.connection.execute(M.drop_senses, (space.first, space.last))


class NightReads(Reads):
    """Questions of the night to the file."""

    def compared(self, rows: Iterable[int]) -> dict[int, Compared]:
        with self.reader() as r:
            return compared(r, rows)

    def at_issue(self, rows: Iterable[int]) -> set[frozenset[int]]:
        with self.reader() as r:
            return at_issue(r, rows)

    def taken_apart(self, rows: Iterable[int]) -> set[int]:
        with self.reader() as r:
            return taken_apart(r, rows)

    def means(self, space: Space, model: str, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        with self.reader() as r:
            return means(r, space.no, model, [row for row in rows if space.holds(row)])

    def connections(self, rows: Iterable[int]) -> dict[int, int]:
        with self.reader() as r:
            return strengths.connections(r, rows)

    def held_up(self, rows: Iterable[int]) -> dict[int, dict[int, str]]:
        with self.reader() as r:
            return strengths.held_up(r, rows)

    def facts_after(self, space: Space, after: int, most: int) -> list[tuple[int, str]]:
        return self._rows(M.facts_after, after, space.last, most)

    def fresh_facts(self, space: Space, after: int, since: int) -> list[int]:
        return [row for (row,) in self._rows(M.fresh_facts, after, space.last, since)]

    def of_topics(self, space: Space, rows: Sequence[int], most: int) -> list[tuple[int, int]]:
        return self._rows(M.of_topics, json.dumps(rows), space.first, space.last, most)

    def shared_senses(self, space: Space, after: int, most: int) -> list[int]:
        return [number for (number,) in self._rows(M.shared_senses, space.first, space.last, after, most)]

    def of_sense(self, space: Space, number: int) -> list[int]:
        return [row for (row,) in self._rows(M.of_sense, number, space.first, space.last)]

    def copies_state(self, space: Space, model: str | None) -> list[int | None]:
        with self.reader() as r:
            state: list[int | None] = [space.seq, space.epoch, r.execute(Q.last_change).get]
            found = r.execute(Q.generation, (model,)).fetchone() if model else None
            if found is not None:
                loose = r.execute(Q.tail_state, (found[0], space.first, space.last)).fetchone()
                state += [found[0], *loose, r.execute(Q.last_vector_chunk, (found[0], space.no)).get]
        return state
