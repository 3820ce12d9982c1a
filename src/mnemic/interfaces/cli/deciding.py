"""Verbs by which a person decides what code left open: entities, merge, split, resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.errors import InvalidInput
from mnemic.records import iso

from . import common as c
from .output import one_line, say_json, table

if TYPE_CHECKING:
    from mnemic.models import Entity

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


__all__ = ["entities", "merge", "resolve", "split"]
