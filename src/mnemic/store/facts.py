"""Facts in the file: their slots, their evidence, and every change of belief, logged so that it can be undone.

Functions on an open transaction (``tx``) or a reader's connection. What a change may touch is :data:`BELIEF`; nothing
else of a row is ever rewritten.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, NotFound
from ..models import Node
from ..strength import Trace
from . import forgotten
from .freezing import thaw_used
from .queries import load
from .rows import NewNode, last_row
from .tx import Q, SpaceRow, Tx

F = load("facts.sql")
#: Columns of a node that a change of belief may touch, in the order of the query ``belief``.
BELIEF = (
    "valid_from", "valid_until", "closed_at", "hidden_at", "hidden_why", "confidence", "stability", "trust",
    "importance", "attributes",
)  # fmt: skip


#: Those that stand in packed columns too; readers follow all others by the log.
PACKED = frozenset({"valid_from", "trust"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """An episode behind a fact: its row, id, how it is linked, the quotes, its channel, trust, time and speaker."""

    fact: int
    row: int
    relation: str
    quotes: tuple[str, ...]
    id: str
    origin: str
    trust: float
    at: int
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored fact with its slot; columns as in :class:`mnemic.models.Node`.

    ``object`` is the value as it is compared, ``value`` as it was written.
    """

    row: int
    id: str
    entity: int
    predicate: str
    scope: str
    object: str
    content: str
    event_time: int
    valid_from: int | None
    valid_until: int | None
    recorded_at: int
    closed_at: int | None
    hidden_at: int | None
    hidden_why: str | None
    confidence: float
    trust: float
    stability: float | None
    origin: str
    attributes: Mapping[str, Any]
    made_by: str | None
    value: str | None = None
    speaker: str | None = None

    @property
    def begins(self) -> int:
        """World time from which it holds."""
        return self.event_time if self.valid_from is None else self.valid_from


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the log: who did what to which row, when and why."""

    no: int
    at: int
    actor: str
    act: str
    row: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    why: str | None


def ends(node: Node) -> bool:
    """Whether a fact says that something is over ("no longer works at Acme")."""
    return node.attributes.get("act") == "end"


# -- reading ----------------------------------------------------------------------------------------------------------


def facts_of(connection: Any, entity: int, predicates: Iterable[str]) -> list[Fact]:
    """Every fact of an entity under some predicates, whether visible or not, oldest first."""
    return [_fact(row) for row in connection.execute(F.facts_of, (entity, json.dumps(sorted(predicates))))]


def facts_in(connection: Any, rows: Iterable[int]) -> dict[int, Fact]:
    """Facts by row; rows that are no facts are left out."""
    return {row[0]: _fact(row) for row in connection.execute(F.facts_in, (json.dumps(list(rows)),))}


def evidence_of(connection: Any, rows: Iterable[int]) -> dict[int, list[Evidence]]:
    """Evidence by fact row, oldest first; a quote out of what is forgotten is there for the forgotten fact itself only."""
    out: dict[int, list[Evidence]] = {}
    found = connection.execute(F.evidence_of, (json.dumps(list(rows)),)).fetchall()
    gone = forgotten.among(connection, {row for source, target, *_ in found for row in (source, target)})
    for source, target, relation, quotes, id_, origin, trust, at, who in found:
        said = tuple(json.loads(quotes)) if quotes else ()
        if target in gone.left and source not in gone.rows:
            said = tuple(quote for quote in said if forgotten.says(gone.left[target], quote))
        out.setdefault(source, []).append(Evidence(source, target, relation, said, id_, origin, trust, at, who))
    return out


def changes_of(connection: Any, rows: Iterable[int]) -> list[Change]:
    """The log of some rows, in order."""
    return [_change(row) for row in connection.execute(F.changes_of, (json.dumps(list(rows)),))]


def dependents(connection: Any, rows: Iterable[int]) -> set[int]:
    """Everything that was derived from nothing but these rows, through any number of steps, without them."""
    gone = set(rows)
    new = gone
    while new:
        asked = {source for _, source, relation in derived(connection, new) if relation == "derived_from"} - gone
        support = evidence_of(connection, asked)
        new = {
            row
            for row in asked
            if all(e.row in gone for e in support.get(row, ()) if e.relation == "derived_from")
        }  # fmt: skip
        gone |= new
    return gone - set(rows)


def derived(connection: Any, rows: Iterable[int]) -> list[tuple[int, int, str]]:
    """(row, what was derived from it or is supported by it, which of the two)."""
    return list(connection.execute(F.derived_rows, (json.dumps(list(rows)),)))


def predecessors(connection: Any, rows: Iterable[int]) -> list[tuple[int, int]]:
    """(row, what it has replaced)."""
    return list(connection.execute(F.predecessors, (json.dumps(list(rows)),)))


def hidden_with(connection: Any, rows: Iterable[int], why: str) -> list[int]:
    """Those of some rows that are hidden for one reason."""
    return [row for (row,) in connection.execute(F.hidden_with, (json.dumps(list(rows)), why))]


def begins(tx: Tx, row: int) -> int:
    """World time from which a memory holds."""
    return int(tx.connection.execute(F.begins, (row,)).get)


def belief(tx: Tx, row: int) -> dict[str, Any] | None:
    """What is believed of a row, by the names in :data:`BELIEF`; ``None`` where it is not there."""
    found = tx.connection.execute(F.belief, (row,)).fetchone()
    return None if found is None else dict(zip(BELIEF, found, strict=True))


def settle(tx: Tx, a: int, b: int, why: str) -> bool:
    """Hide the open conflict between two facts; whether there was one."""
    found = tx.connection.execute(F.related, (json.dumps([a]), 1_000)).fetchall()
    if not any(other == b and relation == "contradicts" for _, other, relation, *_ in found):
        return False
    for source, target in ((a, b), (b, a)):
        tx.connection.execute(F.hide_edge, (tx.clock.now(), why, source, "contradicts", target))
    return True


# -- writing ----------------------------------------------------------------------------------------------------------


def put(
    tx: Tx, space_name: str, node: NewNode, *, entity: int, scope: str = "", object: str = "",
    evidence: Sequence[tuple[int, str]] = (), actor: str = "rules",
) -> tuple[int, str]:  # fmt: skip
    """Write a fact with its slot and evidence (episode row, quote); returns (row, outcome as in ``Tx.add``)."""
    written = tx.add(space_name, [node])[0]
    if written.outcome != "stored":
        return written.row, written.outcome
    tx.connection.execute(F.put_slot, (written.row, entity, node.predicate or "", scope, object))
    for row, quote in evidence:
        support(tx, written.row, row, quote, confidence=node.confidence)
    tx.log(tx.space(space_name), actor, "new", written.row, {}, {}, None)
    return written.row, written.outcome


def support(
    tx: Tx, fact: int, episode: int, quote: str, *, relation: str = "derived_from", confidence: float = 1.0
) -> bool:
    """Note an episode as evidence; false when it already was, which then has these words beside those noted before."""
    quotes = json.dumps([quote], ensure_ascii=False) if quote else None
    tx.connection.execute(F.put_evidence, (fact, relation, episode, confidence, tx.clock.now(), quotes))
    if tx.connection.changes():
        return True
    if quote:
        tx.connection.execute(F.add_quote, (quote, fact, episode))
    return False


def alter(
    tx: Tx, space: SpaceRow, row: int, act: str, values: Mapping[str, Any], *, actor: str, why: str | None
) -> int | None:
    """Change what is believed of a row; returns the number of the change, ``None`` when nothing changed."""
    now = belief(tx, row)
    if now is None:
        return None
    after = {name: _stored(name, value) for name, value in values.items()}
    before = {name: now[name] for name in after}
    if before == after:
        return None
    _believe(tx, space, row, {**now, **after}, after)
    return tx.log(space, actor, act, row, before, after, why)


def supersede(
    tx: Tx, space: SpaceRow, old: int, new: int, until: int, *, confidence: float, stability: float | None,
    actor: str, why: str,
) -> None:  # fmt: skip
    """End a fact where another one begins, with the edge from the newer to the older."""
    now = tx.clock.now()
    values: dict[str, Any] = {"valid_until": until, "closed_at": now, "confidence": confidence}
    if stability is not None:
        values["stability"] = stability
    alter(tx, space, old, "superseded", values, actor=actor, why=why)
    link(tx, new, "supersedes", old)


def link(tx: Tx, source: int, relation: str, target: int) -> None:
    """Put an edge, or bring a hidden one back."""
    tx.connection.execute(F.put_edge, (source, relation, target, None, 1.0, 1.0, tx.clock.now(), None))


def contradict(tx: Tx, new: int, old: int, why: str, score: float) -> None:
    """Note an open conflict between two facts; neither is touched."""
    now = tx.clock.now()
    tx.connection.execute(F.put_edge, (new, "contradicts", old, why, max(score, 0.01), 1.0, now, None))


#: Changes that put an edge from what has taken the place of a fact.
REPLACING = frozenset({"superseded", "corrected", "refined"})


def undo(tx: Tx, space: SpaceRow, number: int, *, actor: str) -> int:
    """Take one logged change back; returns the row, 0 where it was a change of entities.

    Raises:
        NotFound: no such change here. InvalidInput: what it changed was changed again since.
    """
    found = tx.connection.execute(F.change, (space.no, number)).fetchone()
    if found is not None and found[3].startswith("entity."):
        from .entities import undo as undo_entity

        undo_entity(tx, space.name, number, actor=actor)
        return 0
    if found is None or found[4] is None:
        raise NotFound("change", str(number))
    change = _change(found)
    row = change.row or 0
    if change.act == "causal":
        from .graph import take_back

        take_back(tx, space, change, actor=actor)
        return row
    now = belief(tx, row)
    if now is None:
        raise NotFound("change", str(number))
    if not change.before or any(now[name] != value for name, value in change.after.items()):
        raise InvalidInput("change", "was followed by another one", "undo the later change first")
    _believe(tx, space, row, {**now, **change.before}, change.before)
    if change.act in REPLACING:
        for _, newer in tx.connection.execute(F.successors, (json.dumps([row]),)).fetchall():
            tx.connection.execute(F.hide_edge, (tx.clock.now(), "undone", newer, "supersedes", row))
    if change.after.get("hidden_why") == "duplicate":
        from .merging import part

        part(tx, space, row, actor=actor)
    if change.after.get("hidden_why") == "decayed":
        use(tx, {row: (1, tx.clock.now())})  # somebody wants it: it does not fade again tonight
    tx.log(space, actor, "undo", row, change.after, change.before, f"change {number}")
    return row


def _believe(tx: Tx, space: SpaceRow, row: int, values: Mapping[str, Any], altered: Mapping[str, Any]) -> None:
    tx.connection.execute(F.set_belief, (*(values[name] for name in BELIEF), row))
    if PACKED & altered.keys():
        tx.changed(space, [row])


def _stored(name: str, value: Any) -> Any:
    if name == "attributes":
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
    return value


def _fact(row: Sequence[Any]) -> Fact:
    values = [*row[:18], json.loads(row[18]) if row[18] else {}, *row[19:]]
    return Fact(*values)


def _change(row: Sequence[Any]) -> Change:
    no, at, actor, act, number, before, after, why = row
    first, second = _mapping(before), _mapping(after)
    return Change(no, at, actor, act, number, first, second, why)


def _mapping(text: str | None) -> Mapping[str, Any]:
    """The columns of a log entry; ``hide`` and ``restore`` are logged as pairs (hidden_at, hidden_why)."""
    value = json.loads(text) if text else {}
    return dict(zip(("hidden_at", "hidden_why"), value, strict=False)) if isinstance(value, list) else value


N = load("sleep.sql")
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
            N.fading, (json.dumps(list(rows)), now)
        )
    ]


def connections(connection: Any, rows: Iterable[int]) -> dict[int, int]:
    """How many live links rows have, either way."""
    return dict(connection.execute(N.connections, (json.dumps(list(rows)),)).fetchall())


def held_up(connection: Any, rows: Iterable[int]) -> dict[int, dict[int, str]]:
    """Rows that are the only support of live memories, with row and id of each of those."""
    out: dict[int, dict[int, str]] = {}
    for row, other, id_ in connection.execute(N.holds_up, (json.dumps(list(rows)),)):
        out.setdefault(row, {})[other] = id_
    return out


def use(tx: Tx, uses: Mapping[int, tuple[int, int]]) -> None:
    """Note useful accesses: row → (how many, the last one); rows that were erased meanwhile are left out, cold texts
    come back into the main file."""
    tx.connection.executemany(N.use, [(row, count, at) for row, (count, at) in uses.items()])
    thaw_used(tx, uses)


def use_ids(tx: Tx, uses: Mapping[str, tuple[int, int]]) -> None:
    """:func:`use` by id."""
    found = tx.connection.execute(Q.rows_of_ids, (json.dumps(list(uses)), 0, last_row(MOST_SPACES))).fetchall()
    use(tx, {row: uses[id_] for id_, row in found})
