"""``memory.graph``: what is joined to what, by edges and by names that both mention."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..errors import InvalidInput
from ..models import Edge, Neighbour
from ..recall.filters import Filters, whole
from ..store import graph

if TYPE_CHECKING:
    from ..store.graph import Step
    from .opened import Opened

#: Relations that a caller may put; the others are made by what they stand for.
LINKS = ("causal", "contradicts", "supports", "references", "context", "response_to", "similar")
DEEPEST = 6
MOST = 1_000
VISITED = 5_000  # memories that a search for a path looks at


class Graph:
    """Walks over edges and shared names; see docs/graph.md."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def neighbours(
        self,
        id: str,
        depth: int = 1,
        *,
        relations: Iterable[str] | str | None = None,
        limit: int = 50,
        space: str | None = None,
    ) -> tuple[Neighbour, ...]:
        """What a memory is joined to, the nearest first, each once with the edge by which it was reached.

        Edges are followed both ways; memories that name the same person or thing are joined by ``mentions``, of one
        thing the newest fifty. Only what recall would offer is reached, and nothing through what it would not.

        Args:
            depth: steps, 1 to 6. relations: only these (see docs/graph.md); all by default.

        Raises:
            NotFound: no such memory here. InvalidInput: names the field and the remedy.
        """
        where = self._memory._space(space)
        row, _ = self._memory._store.node(where, id)
        steps = whole(depth, "depth", 1, 1, DEEPEST)
        count = whole(limit, "limit", 50, 1, MOST)
        wanted = _relations(relations)
        self._memory._naming.finish()
        with self._memory._store.snapshot():
            allowed = self._visible(where)
            found = self._memory._store.reach(row, depth=steps, most=count, allowed=allowed, relations=wanted)
            return self._told(row, list(found.values()))

    def shortest_path(self, a: str, b: str, depth: int = 4, *, space: str | None = None) -> tuple[Neighbour, ...]:
        """A shortest chain from one memory to another, both ends in it; ``()`` where there is none of so many steps.

        Args:
            a, b: ids. depth: steps at most, 1 to 6.

        Raises:
            NotFound: no such memory here. InvalidInput: names the field and the remedy.
        """
        where = self._memory._space(space)
        first, last = self._memory._store.node(where, a)[0], self._memory._store.node(where, b)[0]
        steps = whole(depth, "depth", 4, 1, DEEPEST)
        self._memory._naming.finish()
        with self._memory._store.snapshot():
            allowed = self._visible(where)
            if not (allowed(first) and allowed(last)):
                return ()
            found = self._memory._store.reach(first, depth=steps, most=VISITED, allowed=allowed, target=last)
            chain = graph.way(found, last)
            if first != last and not chain:
                return ()
            return (Neighbour(self._memory._store.nodes([first])[first], None, 0), *self._told(first, chain))

    def _visible(self, where: str) -> Callable[[int], bool]:
        """Whether recall would offer a row of a space now."""
        columns = self._memory._store.columns(where)
        mask = Filters().mask(self._memory._store, where, columns, self._memory._clock.now())

        def visible(row: int) -> bool:
            place = int(columns.index([row])[0])
            return place >= 0 and bool(mask[place])

        return visible

    def _told(self, start: int, steps: list[Step]) -> tuple[Neighbour, ...]:
        nodes = self._memory._store.nodes([start, *(step.row for step in steps)])
        return tuple(
            Neighbour(
                nodes[step.row],
                Edge(
                    nodes[step.source].id, nodes[step.target].id, step.relation, step.weight, step.confidence,
                    step.recorded_at, step.name,
                ),
                step.depth,
            )
            for step in steps
        )  # fmt: skip


def _relations(given: Iterable[str] | str | None) -> tuple[str, ...]:
    """Relations to follow, all unless some are given.

    Raises:
        InvalidInput: one is not known.
    """
    if given is None or given == "":
        return graph.RELATIONS
    if not isinstance(given, Iterable):
        raise InvalidInput("relations", f"must be text or a list of texts, not {type(given).__name__}")
    wanted = (given,) if isinstance(given, str) else tuple(given)
    for relation in wanted:
        if relation not in graph.RELATIONS:
            raise InvalidInput("relations", f"{relation!r} is not known", f"one of {', '.join(graph.RELATIONS)}")
    return wanted or graph.RELATIONS
