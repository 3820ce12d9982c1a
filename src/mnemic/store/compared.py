"""Facts as the clean-up of the night compares them: what is offered and not over, with its slot and what stands behind it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .merging import M


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
