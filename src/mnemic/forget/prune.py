"""Decay: what has grown weak is no longer offered, unless it is insured. Nothing is deleted; ``restore`` brings back."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..knobs import FADES, FadeKnobs
from ..models import Act, Forecast
from ..phase import PhaseContext, PhaseResult
from ..store import facts
from ..store.base import Store
from ..store.facts import Fading, changes_of
from ..store.tx import Tx
from ..strength import DAY, crossing, hidden_below, strength

WHY = "decayed"
#: More important than this is never hidden.
IMPORTANT = 2.0
#: More links than this hold a memory up.
WELL_CONNECTED = 5
PAGE = 2_000  # rows looked at in one step


@dataclass(frozen=True, slots=True)
class Decay:
    """The phase that hides what has faded; ``knobs``: how memories fade."""

    knobs: FadeKnobs = FADES

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        return decay(store, space, night, self.knobs)


def decay(store: Store, space: str, night: PhaseContext, knobs: FadeKnobs = FADES) -> PhaseResult:
    """Hide what is weaker than the threshold and not insured, page by page.

    What only held up something that is hidden now is looked at again in the same night, so that the next run finds nothing.
    """
    out = PhaseResult()
    insured: dict[int, tuple[str, str]] = {}
    propping: list[int] = []
    for page, done, total in _pages(store, space):
        if night.stop():
            out.finished = False
            return out
        propping += _fade(store, space, night, out, page, insured, knobs)[1]
        out.counts["looked_at"] += len(page)
        night.progress(done, total)
    hidden = True
    while propping and hidden:
        hidden, propping = _fade(store, space, night, out, propping, insured, knobs)
    out.acts += [Act("insured", id_, why) for _, (id_, why) in sorted(insured.items())]
    out.counts["insured"] += len(insured)
    return out


def _fade(
    store: Store, space: str, night: PhaseContext, out: PhaseResult, rows: Sequence[int],
    insured: dict[int, tuple[str, str]], knobs: FadeKnobs,
) -> tuple[bool, list[int]]:  # fmt: skip
    """Hide those of some rows that are weak, and note those that are insured; whether any was hidden, and the rows that are
    insured by what they hold up alone."""
    for row in rows:
        insured.pop(row, None)
    weak = [item for item in _weak(store, rows, night.now, knobs) if item.row not in night.gone]
    if not weak:
        return False, []
    with store.snapshot():
        firm, held = _insurance(store.connections, store.held_up, weak)
    props = _alive(held, night.gone)
    kept = firm | props
    insured.update((item.row, (item.id, kept[item.row])) for item in weak if item.row in kept)
    hide = [item for item in weak if item.row not in kept]
    changes = {} if night.dry_run or not hide else store.run(lambda tx: _hide(tx, space, hide, night, knobs))
    gone = [item for item in hide if night.dry_run or item.row in changes]
    out.acts += [Act(WHY, item.id, reason(item, night.now, knobs), change=changes.get(item.row)) for item in gone]
    out.counts[WHY] += len(gone)
    if night.dry_run:
        night.gone.update(item.row for item in gone)
    return bool(gone), list(props)


def forecast(store: Store, space: str, now: int, days: float, knobs: FadeKnobs = FADES) -> list[Forecast]:
    """What will be hidden within so many days if nobody uses it, the first to go first; insured ones are left out.

    What is insured only by what it holds up goes with that.
    """
    until = now + int(days * DAY)
    falls: dict[int, tuple[int, Fading]] = {}
    held: dict[int, dict[int, str]] = {}
    for page, _, _ in _pages(store, space):
        with store.snapshot():
            traces = store.fading(page, now)
            weak = {
                i.row: (max(at, now), i) for i in traces if (at := crossing(i.trace, knobs)) is not None and at <= until
            }
            firm, props = _insurance(store.connections, store.held_up, [item for _, item in weak.values()])
        falls |= {row: found for row, found in weak.items() if row not in firm}
        held |= props
    gone = {row: at for row, (at, _) in falls.items() if row not in held}
    while new := {row for row in held.keys() & falls.keys() - gone.keys() if held[row].keys() <= gone.keys()}:
        gone |= {row: max(falls[row][0], *(gone[other] for other in held[row])) for row in new}
    order = sorted(gone, key=lambda row: (gone[row], row))
    nodes = store.nodes(order)
    return [
        Forecast(nodes[row], gone[row], round(strength(falls[row][1].trace, now, knobs), 4))
        for row in order
        if row in nodes
    ]


def _insurance(
    connections: Callable[[list[int]], dict[int, int]], held_up: Callable[[list[int]], dict[int, dict[int, str]]],
    weak: Sequence[Fading],
) -> tuple[dict[int, str], dict[int, dict[int, str]]]:  # fmt: skip
    """Which weak memories are kept, and why: those that are important or well connected; and of the others, what each
    alone supports (row → id): they are kept as long as that is alive."""
    firm = {i.row: f"importance {i.trace.importance:g}" for i in weak if i.trace.importance > IMPORTANT}
    rest = [i.row for i in weak if i.row not in firm]
    if rest:
        links = connections(rest)
        firm |= {row: f"{count} connections" for row, count in links.items() if count > WELL_CONNECTED}
    return firm, held_up([row for row in rest if row not in firm]) if rest else {}


def _alive(props: Mapping[int, Mapping[int, str]], gone: Container[int]) -> dict[int, str]:
    """Why rows are kept that hold up something which is not gone."""
    out = {}
    for row, held in props.items():
        if alive := [id_ for other, id_ in sorted(held.items()) if other not in gone]:
            out[row] = f"the only support of {alive[0]}"
    return out


def reason(item: Fading, now: int, knobs: FadeKnobs = FADES) -> str:
    """Why a memory fades, in numbers that can be checked."""
    days = (now - item.trace.last_used) / DAY
    used = f"{item.trace.accesses} uses" if item.trace.accesses else "never used"
    now_is, below = strength(item.trace, now, knobs), hidden_below(item.trace, knobs)
    return f"strength {now_is:.3f} < {below:g}: {days:.0f} days since the last use, {used}"


def _pages(store: Store, space: str) -> Iterator[tuple[list[int], int, int]]:
    """Rows of everything but messages, by the columns that are in memory anyway: (rows, looked at so far, in all)."""
    columns = store.columns(space)
    rows = columns.row[columns.kind != columns.code("kind", "episodic")] if columns.n else np.empty(0, dtype=np.int64)
    for start in range(0, len(rows), PAGE):
        page = rows[start : start + PAGE].tolist()
        yield page, start + len(page), len(rows)


def _weak(store: Store, rows: Sequence[int], now: int, knobs: FadeKnobs) -> list[Fading]:
    return [item for item in store.fading(rows, now) if _is_weak(item, now, knobs)]


def _is_weak(item: Fading, now: int, knobs: FadeKnobs) -> bool:
    return strength(item.trace, now, knobs) < hidden_below(item.trace, knobs)


def _hide(tx: Tx, space: str, weak: Sequence[Fading], night: PhaseContext, knobs: FadeKnobs = FADES) -> dict[int, int]:
    """Hide those that nobody has used or pinned since they were read; returns row → number of the change."""
    again = facts.fading(tx.connection, [item.row for item in weak], night.now)
    again = [item for item in again if _is_weak(item, night.now, knobs)]
    firm, props = _insurance(partial(facts.connections, tx.connection), partial(facts.held_up, tx.connection), again)
    rows = [item.row for item in again if item.row not in firm and item.row not in props]
    tx.hide(space, rows, WHY, actor=night.actor)
    changes = changes_of(tx.connection, rows)
    return {change.row: change.no for change in changes if change.act == "hide" and change.row is not None}
