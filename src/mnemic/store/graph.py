"""Walks over the graph: along live edges either way, and from memory to memory that mention the same thing.

Step by step and each row once, by the shortest way, so that neither a circle nor a thing that thousands of memories mention
makes a walk explode. (A recursive statement can only drop rows that are equal as a whole: it would forget by which edge a
row was reached, or walk every way to it.) On a reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .queries import load

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


__all__ = ["MENTIONS", "RELATIONS", "Step", "reach", "way"]
