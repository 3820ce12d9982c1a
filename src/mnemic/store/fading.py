"""What the strength of stored memories depends on, who insures them, and the useful accesses that renew it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..strength import Trace
from .freezing import thaw_used
from .queries import load
from .rows import last_row
from .tx import Q, Tx

S = load("sleep.sql")
MOST_SPACES = 1 << 20  # above every number of a space: ids are unique in the whole file


@dataclass(frozen=True, slots=True)
class Fading:
    """A memory that is offered now: row, id, and the trace behind its strength."""

    row: int
    id: str
    trace: Trace


def fading(connection: Any, rows: Iterable[int], now: int) -> list[Fading]:
    """Traces of those of some rows that are neither hidden nor over, by row."""
    return [
        Fading(row, id_, Trace(label, kind, predicate, bool(confirmed), *rest))
        for row, id_, label, kind, predicate, confirmed, *rest in connection.execute(
            S.fading, (json.dumps(list(rows)), now)
        )
    ]


def connections(connection: Any, rows: Iterable[int]) -> dict[int, int]:
    """How many live links rows have, either way."""
    return dict(connection.execute(S.connections, (json.dumps(list(rows)),)).fetchall())


def held_up(connection: Any, rows: Iterable[int]) -> dict[int, dict[int, str]]:
    """Rows that are the only support of live memories, with row and id of each of those."""
    out: dict[int, dict[int, str]] = {}
    for row, other, id_ in connection.execute(S.holds_up, (json.dumps(list(rows)),)):
        out.setdefault(row, {})[other] = id_
    return out


def use(tx: Tx, uses: Mapping[int, tuple[int, int]]) -> None:
    """Note useful accesses: row → (how many, the last one); rows that were erased meanwhile are left out, cold texts
    come back into the main file."""
    tx.connection.executemany(S.use, [(row, count, at) for row, (count, at) in uses.items()])
    thaw_used(tx, uses)


def use_ids(tx: Tx, uses: Mapping[str, tuple[int, int]]) -> None:
    """:func:`use` by id."""
    found = tx.connection.execute(Q.rows_of_ids, (json.dumps(list(uses)), 0, last_row(MOST_SPACES))).fetchall()
    use(tx, {row: uses[id_] for id_, row in found})
