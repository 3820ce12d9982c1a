"""Decay: what has grown weak is no longer offered, unless it is insured. Nothing is deleted; ``restore`` brings back."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
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
    """The phase: hide what is weaker than the threshold and not insured, page by page.

    What only held up something that is hidden now is looked at again in the same night, so that the next run finds nothing.
    """
    out = Outcome()
    insured: dict[int, tuple[str, str]] = {}
    for page, done, total in _pages(store, space):
        if night.stop():
            out.finished = False
            return out
        _fade(store, space, night, out, page, insured)
        out.counts["looked_at"] += len(page)
        night.progress(done, total)
    while propping := [row for row, (_, why) in insured.items() if why.startswith(_PROPS)]:
        for row in propping:
            del insured[row]
        if not _fade(store, space, night, out, propping, insured):
            break
    out.acts += [Act("insured", id_, why) for _, (id_, why) in sorted(insured.items())]
    out.counts["insured"] += len(insured)
    return out


def _fade(
    store: SqliteStore, space: str, night: Night, out: Outcome, rows: Sequence[int], insured: dict[int, tuple[str, str]]
) -> int:
    """Hide those of some rows that are weak, and note those that are insured; returns how many were hidden."""
    weak = [item for item in _weak(store, rows, night.now) if item.row not in night.gone]
    if not weak:
        return 0
    with store.reader() as r:
        kept = insurance(r, weak, night.gone)
    insured.update((item.row, (item.id, kept[item.row])) for item in weak if item.row in kept)
    hide = [item for item in weak if item.row not in kept]
    changes = {} if night.dry_run or not hide else store.run(lambda tx: _hide(tx, space, hide, night))
    gone = [item for item in hide if night.dry_run or item.row in changes]
    out.acts += [Act(WHY, item.id, reason(item, night.now), change=changes.get(item.row)) for item in gone]
    out.counts[WHY] += len(gone)
    if night.dry_run:
        night.gone.update(item.row for item in gone)
    return len(gone)


def forecast(store: SqliteStore, space: str, now: int, days: float) -> list[Forecast]:
    """What will be hidden within so many days if nobody uses it, the first to go first; insured ones are left out.

    What is insured only by what it holds up goes with that.
    """
    until = now + int(days * DAY)
    falls: dict[int, tuple[int, Fading]] = {}
    for page, _, _ in _pages(store, space):
        with store.reader() as r:
            traces = fading.fading(r, page, now)
        falls |= {i.row: (max(at, now), i) for i in traces if (at := crossing(i.trace)) is not None and at <= until}
    found: dict[int, int] = {}
    with store.reader() as r:
        while True:
            left = [item for row, (_, item) in falls.items() if row not in found]
            kept = insurance(r, left, found)
            held = fading.held_up(r, [item.row for item in left])
            new = {
                i.row: max(falls[i.row][0], *(found[n] for n in held.get(i.row, ()) if n in found), now)
                for i in left
                if i.row not in kept
            }
            if not new:
                break
            found |= new
    order = sorted(found, key=lambda row: (found[row], row))
    nodes = store.nodes(order)
    return [
        Forecast(nodes[row], found[row], round(strength(falls[row][1].trace, now), 4)) for row in order if row in nodes
    ]


_PROPS = "the only support of "


def insurance(connection: object, weak: Sequence[Fading], gone: Container[int] = ()) -> dict[int, str]:
    """Which weak memories are kept, and why: important, well connected, or the only support of something alive.

    Args:
        gone: rows that count as hidden, though they are not yet.
    """
    kept = {i.row: f"importance {i.trace.importance:g}" for i in weak if i.trace.importance > IMPORTANT}
    rest = [i.row for i in weak if i.row not in kept]
    if rest:
        kept |= {
            row: f"{count} connections"
            for row, count in fading.connections(connection, rest).items()
            if count > WELL_CONNECTED
        }
        for row, held in fading.held_up(connection, [row for row in rest if row not in kept]).items():
            alive = [id_ for other, id_ in sorted(held.items()) if other not in gone]
            if alive:
                kept[row] = f"{_PROPS}{alive[0]}"
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
