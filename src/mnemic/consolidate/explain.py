"""Which memory a text means, where one is known from, what it replaced, what changed between two moments. Reads
only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..models import Because, Change, Conflict, Diff, Evidence, Explanation, Node, Version
from ..store import graph
from ..store.base import Store
from ..text.analyse import query_terms, stop_terms, terms

MANY = 100  # links shown of one memory
CHAIN = 1_000  # links followed along a chain of versions


def explain(store: Store, space: str, row: int, known_at: int | None = None) -> Explanation:
    """Evidence, chain, entities, links and log of one memory.

    Args:
        known_at: leave out what was learned later, microseconds.
    """
    with store.snapshot():
        behind = store.evidence([row]).get(row, [])
        derived = [found.row for found in store.derived([row])]
        links, log, named = store.links([row], MANY), store.changes([row]), store.entities_mentioned(space, row)
        known = store.now() if known_at is None else known_at
        reasons, results = store.causes([row], known), store.effects(row, known)
    if known_at is not None:
        log = [change for change in log if change.at <= known_at]
    rows = [*derived, *(target for _, target, *_ in links), *(c.row for c in reasons), *(c.effect for c in results)]
    nodes = {**store.nodes(list(dict.fromkeys(rows))), **store.nodes([row, *(e.row for e in behind)], every=True)}
    if known_at is not None:
        nodes = {n: node for n, node in nodes.items() if node.recorded_at <= known_at or n == row}
    return Explanation(
        node=nodes[row],
        evidence=tuple(Evidence(nodes[e.row], e.quotes, e.relation) for e in behind if e.row in nodes),
        history=tuple(history(store, row, known_at)),
        entities=tuple(named),
        related=tuple((relation, nodes[target]) for _, target, relation, *_ in links if target in nodes),
        changes=tuple(Change(c.no, c.at, c.actor, c.act, nodes[row].id, c.why) for c in log),
        derived=tuple(nodes[n] for n in derived if n in nodes),
        causes=_because(nodes, ((c.row, c) for c in reasons)),
        effects=_because(nodes, ((c.effect, c) for c in results)),
    )


def _because(nodes: Mapping[int, Node], found: Iterable[tuple[int, graph.Cause]]) -> tuple[Because, ...]:
    """Those that are offered."""
    return tuple(
        Because(nodes[row], cause.confidence, cause.quote)
        for row, cause in found
        if row in nodes and nodes[row].hidden_at is None
    )


def history(store: Store, row: int, known_at: int | None = None) -> list[Version]:
    """The chain of versions that a memory belongs to, the oldest first, each with the reason for its end."""
    with store.snapshot():
        chain = [*store.replaced_by(row, most=CHAIN)[::-1], row, *store.replacing(row, most=CHAIN)]
        log = store.changes(chain)
    nodes = {**store.nodes(chain), row: store.one(row)}
    if known_at is not None:
        nodes = {n: node for n, node in nodes.items() if node.recorded_at <= known_at or n == row}
        log = [change for change in log if change.at <= known_at]
    ends = {c.row: c for c in log if c.act in ("superseded", "ended", "refined", "corrected", "hide", "merged")}
    chain = sorted((n for n in chain if n in nodes), key=lambda n: _begins(nodes[n]))
    out = []
    for n in chain:
        end = ends.get(n)
        out.append(Version(nodes[n], end.why, end.at, end.actor) if end else Version(nodes[n]))
    return out


def _begins(node: Node) -> tuple[int, int]:
    return (node.event_time if node.valid_from is None else node.valid_from, node.recorded_at)


def diff(store: Store, space: str, first: int, second: int, now: int) -> Diff:
    """What was believed at one moment and not at the other; both clocks stand at each moment."""
    columns = store.columns(space)
    derived = columns.kind != columns.code("kind", "episodic")
    was, is_ = (columns.visible(t, t, now) & derived for t in (first, second))
    came = columns.row[is_ & ~was].tolist()
    went = columns.row[was & ~is_].tolist()
    kept = set(columns.row[was & is_].tolist())
    altered = [n for n in store.changed_between(space, first, second) if n in kept]
    nodes = store.nodes([*came, *went, *altered], every=True)
    gone = [nodes[n] for n in went if n in nodes]
    over = [n for n in gone if n.hidden_at is None or n.hidden_at > second]
    return Diff(
        added=_in_order(nodes, came),
        ended=tuple(over),
        hidden=tuple(n for n in gone if n not in over),
        changed=_in_order(nodes, altered),
    )


def _in_order(nodes: Mapping[int, Node], rows: Iterable[int]) -> tuple[Node, ...]:
    return tuple(sorted((nodes[n] for n in rows if n in nodes), key=lambda n: (n.event_time, n.recorded_at)))


def weak(store: Store, space: str, below: float, limit: int) -> list[Node]:
    """Live facts that stand on little, the weakest first: confidence × trust below a bound and not confirmed."""
    rows = store.weak_facts(space, below, limit)
    nodes = store.nodes(rows)
    return [nodes[row] for row in rows if row in nodes]


def conflicts(store: Store, space: str, limit: int) -> list[Conflict]:
    """Open conflicts, the newest first."""
    rows = store.conflicts(space, limit)
    nodes = store.nodes([n for row in rows for n in row[:2]])
    return [Conflict(nodes[a], nodes[b], why, at) for a, b, at, why in rows if a in nodes and b in nodes]


__all__ = ["conflicts", "diff", "explain", "history", "weak"]


#: Part of the text's words that a memory must hold to be meant by it.
FLOOR = 0.7
#: How far the second one must be behind.
CLEAR = 0.15


def closeness(text: str, content: str) -> float:
    """How much of a text a memory says, 0…1, a little less where it says much else."""
    wanted, there = set(query_terms(text)) - stop_terms(), set(terms(content))
    if not wanted:  # "the", «это»: words that every memory may hold mean one only if they are all that it says
        return float(bool(there) and set(terms(text)) == there)
    shared = len(wanted & there)
    return round(shared / len(wanted) - 0.1 * (1 - shared / max(1, len(there))), 4)


def choose(text: str, nodes: Sequence[Node]) -> tuple[Node | None, list[Node]]:
    """The one memory that is meant, and those that come near, nearest first (the one meant among them)."""
    scored = sorted(((closeness(text, node.content), i) for i, node in enumerate(nodes)), key=lambda s: (-s[0], s[1]))
    near = [nodes[i] for score, i in scored if score >= FLOOR - CLEAR]
    if not scored or scored[0][0] < FLOOR:
        return None, near
    if len(scored) > 1 and scored[0][0] - scored[1][0] < CLEAR and scored[1][0] >= FLOOR:
        return None, near
    return nodes[scored[0][1]], near
