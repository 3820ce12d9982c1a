"""Verbs that say why, decide what code left open, and walk: explain, diff, entity, conflicts, merge, neighbours and
more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mnemic.errors import InvalidInput, NotFound
from mnemic.records import iso

from . import common as c
from .common import CUT, one_line, pairs, say_json, table, who

if TYPE_CHECKING:
    from mnemic.models import Because, Entity, Neighbour, Node, Version

Id = Annotated[str, typer.Argument(metavar="ID", help="Id of a memory, as `recall --json` gives it.")]
Limit = Annotated[int, typer.Option("--limit", help="Results at most.")]


def day(micros: int | None) -> str:
    """A time as a date; empty for none."""
    return "" if micros is None else iso(micros)[:10]


def begins(node: Node) -> int:
    """Since when a memory holds."""
    return node.event_time if node.valid_from is None else node.valid_from


def chain(versions: Sequence[Version]) -> list[tuple[str, ...]]:
    """Rows of a table of versions."""
    return [
        (day(begins(v.node)), day(v.node.valid_until), v.why or "", one_line(v.node.content, CUT), v.node.id)
        for v in versions
    ]


@c.verb()
def explain(run: c.Run, id: Id, known_at: c.KnownAt = None) -> None:
    """Why a memory is believed: messages with the words, its chain, whom it names, who changed what and when."""
    with run.opened() as memory:
        found = memory.explain(id, known_at=known_at)
    if run.told(found):
        return
    node = found.node
    print(one_line(node.content, None))
    rows: list[tuple[str, object]] = [
        ("id", node.id),
        ("type", f"{node.kind} {node.label}"),
        ("since", day(begins(node))),
        *((("until", day(node.valid_until)),) if node.valid_until is not None else ()),
        *((("hidden", f"{day(node.hidden_at)}, {node.hidden_why}"),) if node.hidden_at is not None else ()),
        ("trust", f"{node.origin} {node.trust:g}, confidence {node.confidence:g}"),
        *((("made by", node.made_by),) if node.made_by else ()),
        *((("names", ", ".join(f"{e.name} ({e.type})" for e in found.entities)),) if found.entities else ()),
    ]
    pairs(rows)
    _part("Known from", [_evidence(e) for e in found.evidence])
    _part("Versions", [" | ".join(row) for row in chain(found.history)] if len(found.history) > 1 else [])
    _part(
        "Changes",
        [
            f"{n.no}  {iso(n.made_at)}  {n.actor}  {n.act}{f': {one_line(n.why, CUT)}' if n.why else ''}"
            for n in found.changes
        ],
    )
    _part("Linked", [f"{relation}  {n.id}  {one_line(n.content, CUT)}" for relation, n in found.related])
    _part("Why it is so", [_because(b) for b in found.causes])
    _part("What came of it", [_because(b) for b in found.effects])
    _part("Read out of it", [f"{n.id}  {one_line(n.content, CUT)}" for n in found.derived])


def _evidence(found: Any) -> str:
    node = found.node
    words = " … ".join(f"“{one_line(quote, CUT)}”" for quote in found.quotes) or one_line(node.content, CUT)
    beside = "" if found.relation == "derived_from" else f" ({found.relation})"
    return f"{day(node.event_time)}  {who(node)}, {node.origin}{beside}  {words}  {node.id}"


def _because(found: Because) -> str:
    words = f"  “{one_line(found.quote, CUT)}”" if found.quote else ""
    return f"{found.node.id}  {one_line(found.node.content, CUT)}{words}  confidence {found.confidence:g}"


def _part(title: str, lines: Sequence[str]) -> None:
    if lines:
        print(f"\n{title}:")
        for line in lines:
            print(f"  {line}")


@c.verb()
def history(run: c.Run, id: Id, known_at: c.KnownAt = None) -> None:
    """The versions of a memory, the oldest first, each with the reason for which the next took its place."""
    with run.opened() as memory:
        versions = memory.explain(id, known_at=known_at).history
    if not run.told(versions):
        table(("since", "until", "why", "text", "id"), chain(versions), wide=3)


@c.verb()
def diff(
    run: c.Run,
    t1: Annotated[str, typer.Argument(metavar="T1", help="The earlier moment, ISO 8601.")],
    t2: Annotated[str | None, typer.Argument(metavar="[T2]", help="The later one [default: now].")] = None,
) -> None:
    """What changed in belief between two moments: what came (+), ended (-), was hidden (x), was altered (~)."""
    with run.opened() as memory:
        found = memory.review.diff(t1, t2)
    if run.told(found):
        return
    signs = (("+", found.added), ("-", found.ended), ("x", found.hidden), ("~", found.changed))
    rows = [(sign, day(begins(n)), one_line(n.content, CUT), n.id) for sign, nodes in signs for n in nodes]
    if rows:
        table(("", "since", "text", "id"), rows, wide=2)
    else:
        c.note("nothing changed")


@c.verb()
def entity(
    run: c.Run,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name or an alias, in any case.")],
    limit: Limit = 20,
) -> None:
    """Who or what a name is, and what is believed of it, now and before."""
    from mnemic.tools import Tools

    with run.opened() as memory:
        found = Tools(memory).get_entity_info(name, limit=limit)
    if not found.found:
        raise NotFound("entity", name)
    if run.told(found):
        return
    pairs(
        [
            ("name", found.name),
            ("type", found.type or ""),
            ("aliases", ", ".join(found.aliases)),
            ("mentions", found.mentions),
            ("first seen", (found.first_seen or "")[:10]),
            ("last seen", (found.last_seen or "")[:10]),
        ]
    )
    _part("Known", [f"{(i.since or i.date)[:10]}  {one_line(i.text, CUT)}  {i.id}" for i in found.facts])
    _part("Before", [f"{(i.until or i.date)[:10]}  {one_line(i.text, CUT)}  {i.id}" for i in found.before])
    _part("Said", [f"{i.date[:10]}  {i.speaker or ''}  {one_line(i.text, CUT)}" for i in found.episodes])


@c.verb()
def weak(
    run: c.Run,
    below: Annotated[float, typer.Option("--below", help="Confidence × trust at which a fact counts as weak.")] = 0.5,
    limit: Limit = 20,
) -> None:
    """Facts that stand on little, the weakest first: to be confirmed, corrected or forgotten."""
    with run.opened() as memory:
        nodes = memory.review.weak(below=below, limit=limit)
    if run.told(nodes):
        return
    rows = [(f"{n.confidence * n.trust:.2f}", day(begins(n)), n.origin, one_line(n.content, CUT), n.id) for n in nodes]
    if rows:
        table(("strength", "since", "origin", "text", "id"), rows, wide=3)


@c.verb()
def conflicts(run: c.Run, limit: Limit = 100) -> None:
    """Pairs of memories that contradict each other and wait for you: correct, forget or confirm one of them."""
    with run.opened() as memory:
        found = memory.review.conflicts(limit=limit)
    if run.told(found):
        return
    for number, pair in enumerate(found, 1):
        print(f"{number}. {pair.why or 'they contradict each other'} ({day(pair.found_at)})")
        for node in (pair.left, pair.right):
            print(f"   {day(begins(node))}  {node.origin}  {one_line(node.content, CUT)}  {node.id}")


Name = Annotated[str, typer.Argument(metavar="ENTITY", help="Its name, an alias, or its id.")]
Why = Annotated[str, typer.Option("--why", help="Reason, for the log of changes.")]


def _say(done: str, entity: Entity, run: c.Run) -> None:
    if run.json:
        say_json(entity)
    else:
        print(f"{done} {entity.id}: {one_line(entity.name, 80)} ({', '.join(one_line(a, 80) for a in entity.aliases)})")
        print(f"`mnemic undo {entity.change}` takes it back")


@c.verb()
def entities(
    run: c.Run,
    type: Annotated[
        str | None,
        typer.Option("--type", metavar="NAME", help="Only this type: person, organization, place, project, …"),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Results at most.")] = 100,
) -> None:
    """Who and what is known by name, the most mentioned first."""
    with run.opened() as memory:
        found = memory.entities.list(type=type, limit=limit)
    if run.told(found):
        return
    rows = [
        (e.mentions, e.type, one_line(e.name, 120), "" if e.last_seen is None else iso(e.last_seen)[:10], e.id)
        for e in found
    ]
    if rows:
        table(("mentions", "type", "name", "last seen", "id"), rows, wide=2)
    else:
        c.note("no entities; `consolidate` reads them out of what was said")


@c.verb()
def merge(
    run: c.Run,
    keep: Annotated[str, typer.Argument(metavar="KEEP", help="The one that stays: name, alias or id.")],
    gone: Annotated[str, typer.Argument(metavar="GONE", help="The one that becomes part of it: name, alias or id.")],
    why: Why = "",
) -> None:
    """Make two entities one: names, memories and facts of the second go to the first."""
    with run.opened() as memory:
        entity = memory.entities.merge(keep, gone, why=why)
    _say("merged", entity, run)


@c.verb()
def split(
    run: c.Run,
    entity: Name,
    name: Annotated[str, typer.Argument(metavar="NAME", help="One of its names, which is somebody or something else.")],
    why: Why = "",
) -> None:
    """Take one name out of an entity into one of its own, with the memories that call it so."""
    with run.opened() as memory:
        made = memory.entities.split(entity, name, why=why)
    _say("split", made, run)


@c.verb()
def resolve(
    run: c.Run,
    left: Annotated[str, typer.Argument(metavar="LEFT", help="Id of a memory, as `conflicts` shows it.")],
    right: Annotated[str, typer.Argument(metavar="RIGHT", help="Id of the other one.")],
    verdict: Annotated[
        str,
        typer.Argument(
            metavar="VERDICT", help="left, right or both (keep_left, keep_right, coexists); supersedes; duplicate."
        ),
    ],
    why: Why = "",
) -> None:
    """Decide about two memories that contradict each other: LEFT supersedes RIGHT, both are true, one is wrong."""
    if not left.strip() or not right.strip():
        raise InvalidInput("left" if not left.strip() else "right", "is empty", "give the id of a memory")
    with run.opened() as memory:
        memory.review.resolve(left, right, verdict, reason=why)
        two = [memory.explain(id_).node for id_ in (left, right)]
    if run.told({"verdict": verdict, "left": two[0], "right": two[1]}):
        return
    for node in two:
        ended = "hidden" if node.hidden_at is not None else "ended" if node.valid_until is not None else "kept"
        print(f"{ended} {node.id}: {one_line(node.content, 80)}")


def _rows(found: tuple[Neighbour, ...]) -> list[tuple[object, ...]]:
    """Depth, how it was reached (``←``: the edge leads to the one before it), date, text, id."""
    rows: list[tuple[object, ...]] = []
    for at in found:
        edge, node = at.edge, at.node
        named = f" {one_line(edge.name, 80)}" if edge is not None and edge.name else ""
        arrow = "" if edge is None or edge.name else " →" if edge.target == node.id else " ←"
        link = "" if edge is None else f"{edge.relation}{named}{arrow}"
        rows.append((at.depth, link, iso(node.event_time)[:10], one_line(node.content, CUT), node.id))
    return rows


@c.verb()
def neighbours(
    run: c.Run,
    id: Id,
    depth: Annotated[int, typer.Option("--depth", help="Steps, 1 to 6.")] = 1,
    relations: Annotated[
        list[str] | None,
        typer.Option("--relation", help="Only by this relation (repeatable); mentions: by a shared name."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="Results at most.")] = 50,
) -> None:
    """What a memory is joined to, by edges and by names that both mention, the nearest first."""
    with run.opened() as memory:
        found = memory.graph.neighbours(id, depth, relations=relations, limit=limit)
    if run.told(found):
        return
    if found:
        table(("depth", "by", "date", "text", "id"), _rows(found), wide=3)
    else:
        c.note("it is joined to nothing")


@c.verb()
def path(
    run: c.Run,
    a: Annotated[str, typer.Argument(metavar="FROM", help="Id of a memory.")],
    b: Annotated[str, typer.Argument(metavar="TO", help="Id of another one.")],
    depth: Annotated[int, typer.Option("--depth", help="Steps at most, 1 to 6.")] = 4,
) -> None:
    """A shortest chain of edges and shared names from one memory to another."""
    with run.opened() as memory:
        found = memory.graph.shortest_path(a, b, depth)
    if run.told(found):
        return
    if found:
        table(("depth", "by", "date", "text", "id"), _rows(found), wide=3)
    else:
        c.note(f"no chain of {depth} steps or fewer")
