"""Verbs that walk over the graph: neighbours, path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemic.records import iso

from . import common as c
from .output import CUT, one_line, table

if TYPE_CHECKING:
    from mnemic.models import Neighbour

Id = Annotated[str, typer.Argument(metavar="ID", help="Id of a memory, as `recall --json` gives it.")]


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


__all__ = ["neighbours", "path"]
