"""The awaited verbs of reference documents: the part of :class:`mnemic.AsyncMemory` beside :mod:`mnemic.documents`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..cards.models import Card, CardReport, Page
from ..memory import Memory
from ..models import Routed

P = ParamSpec("P")
T = TypeVar("T")


class AsyncDocuments:
    """One line for each verb; arguments and answers are those of :class:`mnemic.Memory`."""

    if TYPE_CHECKING:

        async def _run(self, verb: Callable[Concatenate[Memory, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def add_card(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        title: str | None = None,
        origin: str = "import",
        importance: float | None = None,
        space: str | None = None,
    ) -> Card:
        """See :meth:`mnemic.Memory.add_card`."""
        return await self._run(
            Memory.add_card, path, text=text, title=title, origin=origin, importance=importance, space=space
        )

    async def add_cards(
        self,
        path: str | os.PathLike[str],
        *,
        origin: str = "import",
        importance: float | None = None,
        space: str | None = None,
    ) -> CardReport:
        """See :meth:`mnemic.Memory.add_cards`."""
        return await self._run(Memory.add_cards, path, origin=origin, importance=importance, space=space)

    async def cards(self, *, limit: int = 100, hidden: bool = False, space: str | None = None) -> list[Card]:
        """See :meth:`mnemic.Memory.cards`."""
        return await self._run(Memory.cards, limit=limit, hidden=hidden, space=space)

    async def card(self, target: str, *, space: str | None = None) -> Card:
        """See :meth:`mnemic.Memory.card`."""
        return await self._run(Memory.card, target, space=space)

    async def remove_card(self, target: str, *, space: str | None = None) -> Card:
        """See :meth:`mnemic.Memory.remove_card`."""
        return await self._run(Memory.remove_card, target, space=space)

    async def route(self, question: str, *, limit: int = 3, space: str | None = None) -> list[Routed]:
        """See :meth:`mnemic.Memory.route`."""
        return await self._run(Memory.route, question, limit=limit, space=space)

    async def refresh_cards(self, *, dry_run: bool = False, space: str | None = None) -> CardReport:
        """See :meth:`mnemic.Memory.refresh_cards`."""
        return await self._run(Memory.refresh_cards, dry_run=dry_run, space=space)

    async def write_memory_md(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False, space: str | None = None
    ) -> Page:
        """See :meth:`mnemic.Memory.write_memory_md`."""
        return await self._run(Memory.write_memory_md, path, force=force, space=space)
