"""AsyncMemory: the verbs of :class:`mnemic.Memory`, awaited. One line for each, over a pool of threads.

The kernel is synchronous, because SQLite and arithmetic are; a parity test keeps both faces alike. A verb
whose ``await`` is cancelled still runs to its end on its thread: what was handed over is not taken back.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from ..clock import Clock
from ..config import Config
from ..embed import Embedder
from ..errors import StoreClosed
from ..events import Event
from ..ingest.files import FileProgress
from ..llm.base import LLM
from ..memory import Memory
from ..models import (
    Ack,
    Conflict,
    ConsolidationReport,
    Context,
    Diff,
    Entity,
    Explanation,
    ImportCounts,
    Node,
    Recall,
    Session,
    Version,
)
from ..night import CaughtUp
from .documents import AsyncDocuments
from .graph import AsyncGraph
from .upkeep import AsyncUpkeep

if TYPE_CHECKING:
    from ..consolidate.tools import Workflow

__all__ = ["AsyncMemory"]

P = ParamSpec("P")
T = TypeVar("T")

#: Calls of one memory that run at the same time; more wait their turn.
THREADS = 8


class AsyncMemory(AsyncDocuments, AsyncGraph, AsyncUpkeep):
    """A memory whose verbs are awaited; arguments and answers are those of :class:`mnemic.Memory`.

    The file is opened by ``await AsyncMemory.open(…)``, by ``async with``, or by the first verb.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        space: str = "default",
        embedder: str | Embedder | None = "auto",
        llm: str | LLM | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._make = functools.partial(
            Memory, path, space=space, embedder=embedder, llm=llm, config=config, clock=clock
        )
        self._memory: Memory | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mnemic-aio")

    @classmethod
    async def open(cls, path: str | os.PathLike[str], **settings: Any) -> Self:
        """Open a file without blocking the event loop; ``settings`` as for :class:`mnemic.Memory`."""
        return await cls(path, **settings).__aenter__()

    async def __aenter__(self) -> Self:
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, self._opened)
        except BaseException:
            self._pool.shutdown(wait=False)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _opened(self) -> Memory:
        with self._lock:
            if self._closed:
                raise StoreClosed("the memory is closed")
            if self._memory is None:
                self._memory = self._make()
            return self._memory

    async def _run(self, verb: Callable[Concatenate[Memory, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise StoreClosed("the memory is closed")
        call = functools.partial(self._call, verb, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    def _call(self, verb: Callable[Concatenate[Memory, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return verb(self._opened(), *args, **kwargs)

    @property
    def path(self) -> str:
        """See :attr:`mnemic.Memory.path`."""
        return self._opened().path

    @property
    def embedder(self) -> str | None:
        """See :attr:`mnemic.Memory.embedder`."""
        return self._opened().embedder

    async def observe(
        self,
        text: str,
        *,
        role: str = "user",
        session: str | None = None,
        at: object = None,
        key: str | None = None,
        origin: str | None = None,
        ack: Ack = "stored",
        speaker: str | None = None,
        channel: str = "",
        project: str | None = None,
        tags: Sequence[str] | None = None,
        attributes: Mapping[str, Any] | None = None,
        space: str | None = None,
    ) -> Node:
        """See :meth:`mnemic.Memory.observe`."""
        return await self._run(
            Memory.observe,
            text,
            role=role,
            session=session,
            at=at,
            key=key,
            origin=origin,
            ack=ack,
            speaker=speaker,
            channel=channel,
            project=project,
            tags=tags,
            attributes=attributes,
            space=space,
        )

    async def remember(
        self,
        text: str,
        *,
        kind: str = "semantic",
        label: str = "fact",
        importance: float = 1.0,
        confidence: float = 1.0,
        at: object = None,
        valid_from: object = None,
        valid_until: object = None,
        key: str | None = None,
        tags: Sequence[str] | None = None,
        attributes: Mapping[str, Any] | None = None,
        origin: str | None = "user",
        speaker: str | None = None,
        space: str | None = None,
    ) -> Node:
        """See :meth:`mnemic.Memory.remember`."""
        return await self._run(
            Memory.remember,
            text,
            kind=kind,
            label=label,
            importance=importance,
            confidence=confidence,
            at=at,
            valid_from=valid_from,
            valid_until=valid_until,
            key=key,
            tags=tags,
            attributes=attributes,
            origin=origin,
            speaker=speaker,
            space=space,
        )

    async def import_(
        self,
        path: str | os.PathLike[str],
        *,
        format: str = "auto",
        dry_run: bool = False,
        keep: Iterable[str] | None = None,
        progress: Callable[[FileProgress], None] | None = None,
        space: str | None = None,
    ) -> ImportCounts:
        """See :meth:`mnemic.Memory.import_`."""
        return await self._run(
            Memory.import_, path, format=format, dry_run=dry_run, keep=keep, progress=progress, space=space
        )

    async def correct(self, old: str, new: str, *, at: object = None, space: str | None = None) -> Node:
        """See :meth:`mnemic.Memory.correct`."""
        return await self._run(Memory.correct, old, new, at=at, space=space)

    async def confirm(self, id: str, *, space: str | None = None) -> Node:
        """See :meth:`mnemic.Memory.confirm`."""
        return await self._run(Memory.confirm, id, space=space)

    async def forget(self, target: str, *, why: str = "forgotten", space: str | None = None) -> Node:
        """See :meth:`mnemic.Memory.forget`."""
        return await self._run(Memory.forget, target, why=why, space=space)

    async def restore(self, id: str, *, space: str | None = None) -> Node:
        """See :meth:`mnemic.Memory.restore`."""
        return await self._run(Memory.restore, id, space=space)

    async def undo(self, change: int, *, space: str | None = None) -> Node | None:
        """See :meth:`mnemic.Memory.undo`."""
        return await self._run(Memory.undo, change, space=space)

    async def purge(self, *, origin: str | None = None, source: str | None = None, space: str | None = None) -> int:
        """See :meth:`mnemic.Memory.purge`."""
        return await self._run(Memory.purge, origin=origin, source=source, space=space)

    async def erase(
        self,
        *,
        item: str | None = None,
        session: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        space: str | None = None,
        everything: bool = False,
    ) -> Mapping[str, int]:
        """See :meth:`mnemic.Memory.erase`."""
        return await self._run(
            Memory.erase,
            item=item,
            session=session,
            source=source,
            entity=entity,
            space=space,
            everything=everything,
        )

    async def erase_again(self, path: str | os.PathLike[str]) -> Mapping[str, int]:
        """See :meth:`mnemic.Memory.erase_again`."""
        return await self._run(Memory.erase_again, path)

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        kinds: Iterable[str] | str | None = None,
        labels: Iterable[str] | str | None = None,
        roles: Iterable[str] | str | None = None,
        session: str | None = None,
        entity: str | None = None,
        source: str | None = None,
        tags: Iterable[str] | str | None = None,
        when: str | None = None,
        after: object = None,
        before: object = None,
        as_of: object = None,
        known_at: object = None,
        min_trust: float | None = None,
        include_superseded: bool = False,
        neighbours: int = 0,
        space: str | None = None,
    ) -> Recall:
        """See :meth:`mnemic.Memory.recall`."""
        return await self._run(
            Memory.recall,
            query,
            limit=limit,
            kinds=kinds,
            labels=labels,
            roles=roles,
            session=session,
            entity=entity,
            source=source,
            tags=tags,
            when=when,
            after=after,
            before=before,
            as_of=as_of,
            known_at=known_at,
            min_trust=min_trust,
            include_superseded=include_superseded,
            neighbours=neighbours,
            space=space,
        )

    async def context(
        self, prompt: str, *, budget: int | None = None, session: str | None = None, space: str | None = None,
        **filters: Any,
    ) -> Context | None:  # fmt: skip
        """See :meth:`mnemic.Memory.context`."""
        return await self._run(lambda m: m.context(prompt, budget=budget, session=session, space=space, **filters))

    async def get(self, id: str, *, space: str | None = None) -> Node:
        """See :meth:`mnemic.Memory.get`."""
        return await self._run(Memory.get, id, space=space)

    async def timeline(
        self,
        *,
        when: str | None = None,
        after: object = None,
        before: object = None,
        session: str | None = None,
        limit: int = 100,
        offset: int = 0,
        space: str | None = None,
        **filters: Any,
    ) -> list[Node]:
        """See :meth:`mnemic.Memory.timeline`."""
        window = {"when": when, "after": after, "before": before, "session": session}
        return await self._run(
            lambda m: m.timeline(limit=limit, offset=offset, space=space, **window, **filters)  # type: ignore[arg-type]
        )

    async def consolidate(
        self,
        session: str | None = None,
        *,
        again: bool = False,
        since: object = None,
        progress: Callable[[int, int], None] | None = None,
        space: str | None = None,
    ) -> ConsolidationReport:
        """See :meth:`mnemic.Memory.consolidate`."""
        return await self._run(Memory.consolidate, session, again=again, since=since, progress=progress, space=space)

    async def workflow(self, *, space: str | None = None) -> Workflow:
        """See :meth:`mnemic.Memory.workflow`. Its own calls are not awaited: make them on a thread."""
        return await self._run(Memory.workflow, space=space)

    async def explain(self, id: str, *, known_at: object = None, space: str | None = None) -> Explanation:
        """See :meth:`mnemic.Memory.explain`."""
        return await self._run(Memory.explain, id, known_at=known_at, space=space)

    async def history(self, id: str, *, known_at: object = None, space: str | None = None) -> tuple[Version, ...]:
        """See :meth:`mnemic.Memory.history`."""
        return await self._run(Memory.history, id, known_at=known_at, space=space)

    async def diff(self, t1: object, t2: object = None, *, space: str | None = None) -> Diff:
        """See :meth:`mnemic.Memory.diff`."""
        return await self._run(Memory.diff, t1, t2, space=space)

    async def weak(self, *, below: float = 0.5, limit: int = 20, space: str | None = None) -> list[Node]:
        """See :meth:`mnemic.Memory.weak`."""
        return await self._run(Memory.weak, below=below, limit=limit, space=space)

    async def conflicts(self, *, limit: int = 100, space: str | None = None) -> list[Conflict]:
        """See :meth:`mnemic.Memory.conflicts`."""
        return await self._run(Memory.conflicts, limit=limit, space=space)

    async def resolve_conflict(
        self, left: str, right: str, verdict: str, *, reason: str = "", space: str | None = None
    ) -> None:
        """See :meth:`mnemic.Memory.resolve_conflict`."""
        await self._run(Memory.resolve_conflict, left, right, verdict, reason=reason, space=space)

    async def entities(self, *, type: str | None = None, limit: int = 100, space: str | None = None) -> list[Entity]:
        """See :meth:`mnemic.Memory.entities`."""
        return await self._run(Memory.entities, type=type, limit=limit, space=space)

    async def merge_entities(self, keep: str, gone: str, *, why: str = "", space: str | None = None) -> Entity:
        """See :meth:`mnemic.Memory.merge_entities`."""
        return await self._run(Memory.merge_entities, keep, gone, why=why, space=space)

    async def split_entity(self, entity: str, name: str, *, why: str = "", space: str | None = None) -> Entity:
        """See :meth:`mnemic.Memory.split_entity`."""
        return await self._run(Memory.split_entity, entity, name, why=why, space=space)

    async def entity(self, name: str, *, space: str | None = None) -> Entity | None:
        """See :meth:`mnemic.Memory.entity`."""
        return await self._run(Memory.entity, name, space=space)

    async def sessions(self, *, limit: int = 100, offset: int = 0, space: str | None = None) -> list[Session]:
        """See :meth:`mnemic.Memory.sessions`."""
        return await self._run(Memory.sessions, limit=limit, offset=offset, space=space)

    async def stats(self, *, space: str | None = None) -> Mapping[str, Any]:
        """See :meth:`mnemic.Memory.stats`."""
        return await self._run(Memory.stats, space=space)

    async def catch_up(
        self, seconds: float = 1.0, *, quiet: float = 0.0, facts: bool = True, nights: bool = False
    ) -> CaughtUp:
        """See :meth:`mnemic.Memory.catch_up`."""
        return await self._run(Memory.catch_up, seconds, quiet=quiet, facts=facts, nights=nights)

    async def status(self, *, space: str | None = None) -> Mapping[str, Any]:
        """See :meth:`mnemic.Memory.status`."""
        return await self._run(Memory.status, space=space)

    async def doctor(self, *, repair: bool = False) -> Mapping[str, Any]:
        """See :meth:`mnemic.Memory.doctor`."""
        return await self._run(Memory.doctor, repair=repair)

    async def backup(self, path: str | os.PathLike[str], *, progress: Callable[[str], None] | None = None) -> Path:
        """See :meth:`mnemic.Memory.backup`."""
        return await self._run(Memory.backup, path, progress=progress)

    async def flush(self, progress: Callable[[int], None] | None = None) -> int:
        """See :meth:`mnemic.Memory.flush`."""
        return await self._run(Memory.flush, progress)

    async def reembed(self, *, progress: Callable[[int], None] | None = None) -> Mapping[str, Any]:
        """See :meth:`mnemic.Memory.reembed`."""
        return await self._run(Memory.reembed, progress=progress)

    def on(self, event: str, fn: Callable[[Event], object]) -> Callable[[], None]:
        """See :meth:`mnemic.Memory.on`. Not awaited; subscribers run on a thread of the memory."""
        return self._opened().on(event, fn)

    async def close(self) -> None:
        """See :meth:`mnemic.Memory.close`."""
        self._closed = True
        loop = asyncio.get_running_loop()
        # calls that are running end first: a write whose caller was cancelled is kept
        await loop.run_in_executor(None, functools.partial(self._pool.shutdown, wait=True))
        if self._memory is not None:
            await loop.run_in_executor(None, self._memory.close)
