"""The awaited verbs of the graph: the part of :class:`mnemic.AsyncMemory` beside :mod:`mnemic.graph`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..graph import Neighbour
from ..memory import Memory

P = ParamSpec("P")
T = TypeVar("T")


class AsyncGraph:
    """One line for each verb; arguments and answers are those of :class:`mnemic.Memory`."""

    if TYPE_CHECKING:

        async def _run(self, verb: Callable[Concatenate[Memory, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def link(self, a: str, b: str, relation: str, *, weight: float = 1.0, space: str | None = None) -> None:
        """See :meth:`mnemic.Memory.link`."""
        await self._run(Memory.link, a, b, relation, weight=weight, space=space)

    async def neighbours(
        self,
        id: str,
        depth: int = 1,
        *,
        relations: Iterable[str] | str | None = None,
        limit: int = 50,
        space: str | None = None,
    ) -> tuple[Neighbour, ...]:
        """See :meth:`mnemic.Memory.neighbours`."""
        return await self._run(Memory.neighbours, id, depth, relations=relations, limit=limit, space=space)

    async def shortest_path(self, a: str, b: str, depth: int = 4, *, space: str | None = None) -> tuple[Neighbour, ...]:
        """See :meth:`mnemic.Memory.shortest_path`."""
        return await self._run(Memory.shortest_path, a, b, depth, space=space)
