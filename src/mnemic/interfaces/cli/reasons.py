"""Verbs that say why: explain, history, diff, entity, weak, conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mnemic.errors import NotFound
from mnemic.records import iso

from . import common as c
from .output import CUT, one_line, pairs, table, who

if TYPE_CHECKING:
    from mnemic.models import Because, Node, Version

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


__all__ = ["conflicts", "diff", "entity", "explain", "history", "weak"]
