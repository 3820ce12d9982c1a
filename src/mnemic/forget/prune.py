"""Decay: what has grown weak is no longer offered, unless it is insured. Nothing is deleted; ``restore`` brings back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..models import Act, Forecast
from ..night import Night, Outcome
from ..store import fading
from ..store.facts import F
from ..store.fading import Fading
from ..store.sqlite import SqliteStore
from ..store.tx import Tx
from ..strength import DAY, HIDDEN_BELOW, crossing, strength

WHY = "decayed"
#: More important than this is never hidden.
IMPORTANT = 2.0
#: More links than this hold a memory up.
WELL_CONNECTED = 5
PAGE = 2_000  # rows looked at in one step


@dataclass(frozen=True, slots=True)
class Insurance:
    """Why a weak memory is kept all the same."""

    row: int
    why: str


def decay(store: SqliteStore, space: str, night: Night) -> Outcome:
    """The phase: hide what is weaker than the threshold and not insured, page by page."""
    out = Outcome()
    for page, done, total in _pages(store, space):
        if night.stop():
            out.finished = False
            return out
        weak = _weak(store, page, night.now)
        if weak:
            with store.reader() as r:
                insured = insurance(r, weak)
            out.counts["insured"] += len(insured)
            for item in weak:
                if item.row in insured:
                    out.acts.append(Act("insured", item.id, insured[item.row]))
            hide = [item for item in weak if item.row not in insured]
            changes = {} if night.dry_run or not hide else store.run(lambda tx, h=hide: _hide(tx, space, h, night))  # type: ignore[misc]
            for item in hide:
                if night.dry_run or item.row in changes:
                    out.acts.append(Act(WHY, item.id, reason(item, night.now), change=changes.get(item.row)))
                    out.counts[WHY] += 1
        out.counts["looked_at"] += len(page)
        night.progress(done, total)
    return out


def forecast(store: SqliteStore, space: str, now: int, days: float) -> list[Forecast]:
    """What will be hidden within so many days if nobody uses it, the first to go first; insured ones are left out."""
    until = now + int(days * DAY)
    found: list[tuple[int, Fading]] = []
    for page, _, _ in _pages(store, space):
        with store.reader() as r:
            traces = fading.fading(r, page, now)
            falls = [(at, item) for item in traces if (at := crossing(item.trace)) is not None and at <= until]
            insured = insurance(r, [item for _, item in falls])
        found += [(max(at, now), item) for at, item in falls if item.row not in insured]
    found.sort(key=lambda pair: (pair[0], pair[1].row))
    nodes = store.nodes([item.row for _, item in found])
    return [
        Forecast(nodes[item.row], at, round(strength(item.trace, now), 4)) for at, item in found if item.row in nodes
    ]


def insurance(connection: object, weak: Sequence[Fading]) -> dict[int, str]:
    """Which weak memories are kept, and why: important, well connected, or the only support of something alive."""
    kept = {i.row: f"importance {i.trace.importance:g}" for i in weak if i.trace.importance > IMPORTANT}
    rest = [i.row for i in weak if i.row not in kept]
    if rest:
        kept |= {
            row: f"{count} connections"
            for row, count in fading.connections(connection, rest).items()
            if count > WELL_CONNECTED
        }
        kept |= {
            row: f"the only support of {id_}"
            for row, id_ in fading.held_up(connection, [row for row in rest if row not in kept]).items()
        }
    return kept


def reason(item: Fading, now: int) -> str:
    """Why a memory fades, in numbers that can be checked."""
    days = (now - item.trace.last_used) / DAY
    used = f"{item.trace.accesses} uses" if item.trace.accesses else "never used"
    return f"strength {strength(item.trace, now):.3f} < {HIDDEN_BELOW:g}: {days:.0f} days since the last use, {used}"


def _pages(store: SqliteStore, space: str) -> Iterator[tuple[list[int], int, int]]:
    """Rows of everything but messages, by the columns that are in memory anyway: (rows, looked at so far, in all)."""
    columns = store.columns(space)
    rows = columns.row[columns.kind != columns.code("kind", "episodic")] if columns.n else np.empty(0, dtype=np.int64)
    for start in range(0, len(rows), PAGE):
        page = rows[start : start + PAGE].tolist()
        yield page, start + len(page), len(rows)


def _weak(store: SqliteStore, rows: Sequence[int], now: int) -> list[Fading]:
    with store.reader() as r:
        return [item for item in fading.fading(r, rows, now) if strength(item.trace, now) < HIDDEN_BELOW]


def _hide(tx: Tx, space: str, weak: Sequence[Fading], night: Night) -> dict[int, int]:
    """Hide those that nobody has used or pinned since they were read; returns row → number of the change."""
    again = fading.fading(tx.connection, [item.row for item in weak], night.now)
    again = [item for item in again if strength(item.trace, night.now) < HIDDEN_BELOW]
    kept = insurance(tx.connection, again)
    rows = [item.row for item in again if item.row not in kept]
    tx.hide(space, rows, WHY, actor=night.actor)
    changes = tx.connection.execute(F.changes_of, (json.dumps(rows),)).fetchall()
    return {row: no for no, _, _, act, row, *_ in changes if act == "hide"}
