"""Walks over the graph, along live edges either way, and from memory to memory that mention the same thing.

Step by step and each row once, by the shortest way, so that neither a circle nor a thing that thousands of memories mention
makes a walk explode. (A recursive statement can only drop rows that are equal as a whole: it would forget by which edge a
row was reached, or walk every way to it.) On a reader.

Causal edges go from the cause to its effect, with the words that say so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidInput, NotFound
from . import facts, forgotten
from .facts import F
from .queries import load
from .tx import Q, SpaceRow, Tx

G = load("graph.sql")
MENTIONS = "mentions"  # the relation of two memories that name the same thing
ANSWER = "response_to"
#: What joins two rows, the most telling first: of several links between two rows, one is shown.
RELATIONS = (
    "causal", "derived_from", "supersedes", "contradicts", "supports", "references", "context", "similar", ANSWER,
    "temporal", MENTIONS,
)  # fmt: skip
HUB = 50  # of the rows that mention one thing, so many of the newest are looked at
EDGES = 20_000  # edges looked at in one step


@dataclass(frozen=True, slots=True)
class Step:
    """How a row was reached.

    Attributes:
        row: the row. near: the one before it on the way. source, target: of the edge between them, as it is directed.
        name: what both mention, empty for an edge. depth: steps from where the walk began.
    """

    row: int
    near: int
    source: int
    target: int
    relation: str
    weight: float = 1.0
    confidence: float = 1.0
    recorded_at: int = 0
    name: str = ""
    depth: int = 0


def reach(
    connection: Any, start: int, *, depth: int, most: int, allowed: Callable[[int], bool],
    relations: Collection[str] = RELATIONS, target: int | None = None,
) -> dict[int, Step]:  # fmt: skip
    """Rows within so many steps, the nearest first, each with the last step of the shortest way to it.

    Args:
        most: rows reached at most. allowed: whether a row may be seen; nothing is reached through one that may not.
        target: where to stop.
    """
    found: dict[int, Step] = {}
    frontier = [start]
    walked: set[int] = set()  # entities; each is gone through once
    for at in range(1, depth + 1):
        links = [*_edges(connection, frontier, relations)]
        if MENTIONS in relations:
            links += _mentions(connection, frontier, walked, target)
        links.sort(key=lambda step: RELATIONS.index(step.relation))  # stable: nearer and rarer first inside of each
        fresh = []
        for step in links:
            if step.row != start and step.row not in found and allowed(step.row):
                found[step.row] = replace(step, depth=at)
                fresh.append(step.row)
                if len(found) == most or step.row == target:
                    return found
        frontier = fresh
    return found


def way(found: dict[int, Step], target: int) -> list[Step]:
    """The steps to a row that was reached, from the beginning; none where it was not."""
    out: list[Step] = []
    step = found.get(target)
    while step is not None:
        out.append(step)
        step = found.get(step.near)
    return out[::-1]


def _edges(connection: Any, rows: Sequence[int], relations: Collection[str]) -> Iterable[Step]:
    """Along edges. An answer leads to its question in files of any age: older ones hold their order only."""
    place = {row: i for i, row in enumerate(rows)}
    out = []
    for row, source, target, relation, weight, confidence, at, answers in connection.execute(
        G.edges_of, (json.dumps(rows), EDGES)
    ):
        other = target if row == source else source
        if answers:
            source, target, relation = target, source, ANSWER
        if relation in relations and other != row:
            out.append(Step(other, row, source, target, relation, weight, confidence, at))
    return sorted(out, key=lambda s: (place[s.near], -s.weight * s.confidence, s.row))


def _mentions(connection: Any, rows: Sequence[int], walked: set[int], target: int | None) -> Iterable[Step]:
    """From row to row by what both mention, the rarest first, then the newest."""
    names: dict[int, tuple[int, str, int]] = {}
    for row, no, name, count in connection.execute(G.names_in, (json.dumps(rows),)).fetchall():
        if no not in walked:
            names.setdefault(no, (row, name, count))
    walked.update(names)
    found = connection.execute(G.newest_of, (json.dumps(list(names)), HUB, target)).fetchall()
    out = [Step(other, names[no][0], names[no][0], other, MENTIONS, name=names[no][1]) for no, other in found]
    count = {(names[no][0], other): names[no][2] for no, other in reversed(found)}
    return sorted(out, key=lambda s: (count[s.near, s.row], -s.row))


X = load("causes.sql")
ACT = "causal"  # in the log


@dataclass(frozen=True, slots=True)
class Cause:
    """One step of a chain of reasons.

    Attributes:
        row: the cause. effect: the effect. confidence: of the step, 0…1. quote: the words that say so, empty where a
            caller put the link. depth: steps from where the walk began, 1 for a direct cause. said_in: id of their message.
    """

    row: int
    effect: int
    confidence: float
    quote: str = ""
    depth: int = 1
    said_in: str = ""


def put_cause(
    tx: Tx, space: SpaceRow, cause: int, effect: int, *, word: str, quote: str, said_in: str, confidence: float,
    made_by: str, actor: str,
) -> int | None:  # fmt: skip
    """Put an edge and log it; returns the number of the change, ``None`` where the edge is there or was taken back.

    Args:
        word: the connective, kept as the predicate of the edge. quote: the sentence. said_in: id of the message it stands in.
    """
    evidence = json.dumps({"quote": quote, "from": said_in, "by": made_by}, ensure_ascii=False)
    tx.connection.execute(X.put, (cause, effect, word, confidence, tx.clock.now(), evidence))
    if not tx.connection.changes():
        return None
    return tx.log(space, actor, ACT, effect, None, {"cause": cause}, f"said so: {word}")


def take_back(tx: Tx, space: SpaceRow, change: facts.Change, *, actor: str) -> None:
    """Undo :func:`put_cause`: the edge stays hidden, also when the same words are read again.

    Raises:
        NotFound: it was erased. InvalidInput: it is undone already.
    """
    cause = change.after["cause"]
    found = tx.connection.execute(X.hidden, (cause, change.row)).fetchone()
    if found is None:
        raise NotFound("change", str(change.no))
    if found[0] is not None:
        raise InvalidInput("change", "is undone already")
    tx.connection.execute(F.hide_edge, (tx.clock.now(), "undone", cause, "causal", change.row))
    tx.log(space, actor, "undo", change.row, None, None, f"change {change.no}")


def causes(
    connection: Any, rows: Sequence[int], known_at: int, *, depth: int = 1, allowed: Callable[[int], bool] = lambda row: True
) -> list[Cause]:  # fmt: skip
    """Causes of some rows, nearest first, then the surest, each once, through at most so many steps.

    A fact has the causes of the messages it was read from, too.

    Args:
        known_at: edges as of that moment, microseconds. allowed: whether a row may be seen; nothing is reached through one
            that may not.
    """
    out: list[Cause] = []
    seen: set[int] = set()
    frontier = list(rows)
    for step in range(1, depth + 1):
        stands_for = _episodes(connection, frontier)
        asked = json.dumps(sorted(stands_for))
        found = [
            Cause(source, owner, confidence, words, step, told)
            for target, source, confidence, evidence in connection.execute(X.causes, (asked, known_at)).fetchall()
            for words, told in (said(evidence),)
            for owner in stands_for[target]
        ]
        place = {row: i for i, row in enumerate(frontier)}
        fresh = []
        for cause in sorted(found, key=lambda c: (place[c.effect], -c.confidence, c.row)):
            if cause.row not in seen and cause.row != cause.effect and allowed(cause.row):
                seen.add(cause.row)
                fresh.append(cause)
        if not fresh:
            break
        out += fresh
        frontier = [cause.row for cause in fresh]
    return _kept(connection, out)


def effects(connection: Any, row: int, known_at: int) -> list[Cause]:
    """What a row is said to have caused."""
    found = connection.execute(X.effects, (json.dumps([row]), known_at)).fetchall()
    return _kept(connection, [Cause(s, t, sure, said(why)[0], said_in=said(why)[1]) for s, t, sure, why in found])


def _kept(connection: Any, found: Sequence[Cause]) -> list[Cause]:
    """Causes without the words that are forgotten."""
    asked = json.dumps(sorted({cause.said_in for cause in found if cause.quote and cause.said_in}))
    rows = {id_: row for id_, row, _ in connection.execute(Q.known_nodes, (asked,))} if asked != "[]" else {}
    left = forgotten.among(connection, rows.values()).left if rows else {}
    return [
        replace(cause, quote="")
        if not forgotten.says(left.get(rows.get(cause.said_in, 0), cause.quote), cause.quote)
        else cause
        for cause in found
    ]


def _episodes(connection: Any, rows: Iterable[int]) -> dict[int, list[int]]:
    """Row, or a message behind it → the rows of the question that it stands for."""
    out = {row: [row] for row in rows}
    for fact, found in facts.evidence_of(connection, list(out)).items():
        for evidence in found:
            if evidence.relation == "derived_from" and fact not in out.setdefault(evidence.row, []):
                out[evidence.row].append(fact)
    return out


def said(evidence: str | None) -> tuple[str, str]:
    """The words in the evidence of an edge, and the id of the message that they stand in; empty where there are none."""
    value = json.loads(evidence) if evidence else None
    return (str(value.get("quote", "")), str(value.get("from", ""))) if isinstance(value, dict) else ("", "")
