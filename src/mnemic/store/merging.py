"""One fact hidden as a copy of another that inherits what stood behind it, and the way back.

Whatever the survivor gets is written down in the link from the copy to it (``similar``, predicate ``duplicate``), so that
bringing the copy back returns just that and leaves the survivor what it had by itself.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput
from . import facts
from .base import Space
from .facts import F
from .queries import load
from .tx import SpaceRow, Tx

M = load("merging.sql")
WHY = "duplicate"  # why a copy is hidden


def merge(tx: Tx, space: SpaceRow, copy: int, kept: int, *, actor: str, why: str) -> int | None:
    """Hide a fact as a copy of another one, which gets its evidence, links, tags, mentions and uses.

    Returns:
        The number of the change, by which ``undo`` takes all of it back; ``None`` where the copy is hidden already, or one
        of the two is not there.
    """
    mine, theirs = facts.belief(tx, copy), facts.belief(tx, kept)
    if copy == kept or mine is None or theirs is None or mine["hidden_at"] is not None:
        return None
    given = _inherit(tx, copy, kept)
    better = _better(tx, mine, theirs, copy, kept)
    if better:
        given["change"] = facts.alter(tx, space, kept, "inherited", better, actor=actor, why="from a copy of it")
    values = {"hidden_at": tx.clock.now(), "hidden_why": WHY}
    change = facts.alter(tx, space, copy, "merged", values, actor=actor, why=why)
    tx.connection.execute(M.copy_of, (copy, kept, tx.clock.now(), json.dumps(given, ensure_ascii=False)))
    return change


def part(tx: Tx, space: SpaceRow, copy: int, *, actor: str) -> None:
    """Take back what was given for a copy that is offered again. Does nothing for one that gave nothing."""
    execute = tx.connection.execute
    for kept, told in execute(M.copied, (copy,)).fetchall():
        given = json.loads(told) if told else {}
        for source, relation, target in given.get("links", ()):
            execute(M.return_link, (source, relation, target))
        for tag in given.get("tags", ()):
            execute(M.return_tag, (tag, kept))
        for entity in given.get("mentions", ()):
            execute(M.return_mention, (entity, kept))
            if tx.connection.changes():
                execute(M.count_mention, (-1, entity))
        if given.get("slot"):
            execute(M.return_slot, (kept,))
        if given.get("uses"):
            execute(M.set_uses, (-given["uses"], None, kept))
        if given.get("last"):
            execute(M.return_last, (given["last"][0], kept, given["last"][1]))
        if given.get("change"):
            with contextlib.suppress(InvalidInput):  # changed again since: that later belief stands
                facts.undo(tx, space, given["change"], actor=actor)
        execute(F.hide_edge, (tx.clock.now(), "restored", copy, "similar", kept))


def _inherit(tx: Tx, copy: int, kept: int) -> dict[str, Any]:
    """Give what a copy has and the survivor lacks; returns what that was."""
    execute, now = tx.connection.execute, tx.clock.now()
    links: list[tuple[int, str, int]] = []
    own_evidence = False
    for relation, other, weight, confidence, evidence in execute(M.links_from, (copy,)).fetchall():
        own_evidence |= relation == "derived_from"
        if other != kept and _new(tx, (kept, relation, other, weight, confidence, now, evidence)):
            links.append((kept, relation, other))
    for relation, other, weight, confidence, evidence in execute(M.links_to, (copy,)).fetchall():
        if other != kept and _new(tx, (other, relation, kept, weight, confidence, now, evidence)):
            links.append((other, relation, kept))
    if not own_evidence and _new(tx, (kept, "supports", copy, 1.0, 1.0, now, None)):  # a statement by itself
        links.append((kept, "supports", copy))
    tags = [tag for (tag,) in execute(M.inherit_tags, (copy, kept)).fetchall()]
    mentions = [entity for (entity,) in execute(M.inherit_mentions, (copy, kept)).fetchall()]
    for entity in mentions:
        execute(M.count_mention, (1, entity))
    execute(M.inherit_slot, (copy, kept))
    slot = bool(tx.connection.changes())
    uses, last = execute(M.uses, (copy,)).fetchone()
    before = execute(M.last_accessed, (kept,)).get
    execute(M.set_uses, (uses, last, kept))  # it was said again, if not used: that renews it
    given = {"links": links, "tags": tags, "mentions": mentions, "slot": slot, "uses": uses, "last": [before, last]}
    return {name: value for name, value in given.items() if value}


def _new(tx: Tx, values: tuple[Any, ...]) -> bool:
    tx.connection.execute(M.inherit_link, values)
    return bool(tx.connection.changes())


def _better(tx: Tx, mine: dict[str, Any], theirs: dict[str, Any], copy: int, kept: int) -> dict[str, Any]:
    """What the survivor believes otherwise for what the copy knew: since when, how sure, how important."""
    better: dict[str, Any] = {name: mine[name] for name in ("confidence", "importance") if mine[name] > theirs[name]}
    since = tx.connection.execute(F.begins, (copy,)).get
    if since < tx.connection.execute(F.begins, (kept,)).get:
        better["valid_from"] = since
    return better


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
