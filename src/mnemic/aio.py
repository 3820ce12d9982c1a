"""AsyncMemory: the verbs of :class:`mnemic.Memory`, awaited. One line for each, over a pool of threads.

The kernel is synchronous, because SQLite and arithmetic are; a parity test keeps both faces alike. A verb
whose ``await`` is cancelled still runs to its end on its thread: what was handed over is not taken back.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from .clock import Clock
from .config import Config
from .embed import Embedder
from .errors import StoreClosed
from .events import Event
from .llm.base import LLM
from .memory import Memory
from .memory.archive import Archive
from .memory.cards import Cards
from .memory.entities import Entities
from .memory.graph import Graph
from .memory.review import Review

P = ParamSpec("P")
T = TypeVar("T")
Owner = TypeVar("Owner")

#: Calls of one memory that run at the same time; more wait their turn.
THREADS = 8


class _Face(Generic[Owner]):
    """What has awaited verbs of an ``Owner``: the memory itself, or one of its namespaces."""

    _call: Callable[[Callable[[Memory], Any]], Coroutine[Any, Any, Any]]
    _owner: Callable[[Memory], Owner]


class _Namespace(_Face[Owner]):
    def __init__(self, memory: AsyncMemory, owner: Callable[[Memory], Owner]) -> None:
        self._call, self._owner = memory._call, owner


def _awaited(
    verb: Callable[Concatenate[Owner, P], T],
) -> Callable[Concatenate[_Face[Owner], P], Coroutine[Any, Any, T]]:
    """A verb with the same arguments and answer, run on a thread of the pool."""

    @functools.wraps(verb)
    async def run(face: _Face[Owner], /, *args: P.args, **kwargs: P.kwargs) -> T:
        answer: T = await face._call(lambda memory: getattr(face._owner(memory), verb.__name__)(*args, **kwargs))
        return answer

    return run


class AsyncEntities(_Namespace[Entities]):
    """See :class:`mnemic.memory.entities.Entities`."""

    get = _awaited(Entities.get)
    list = _awaited(Entities.list)
    merge = _awaited(Entities.merge)
    split = _awaited(Entities.split)


class AsyncReview(_Namespace[Review]):
    """See :class:`mnemic.memory.review.Review`."""

    conflicts = _awaited(Review.conflicts)
    resolve = _awaited(Review.resolve)
    weak = _awaited(Review.weak)
    forecast = _awaited(Review.forecast)
    diff = _awaited(Review.diff)
    undo = _awaited(Review.undo)
    seasonal = _awaited(Review.seasonal)


class AsyncArchive(_Namespace[Archive]):
    """See :class:`mnemic.memory.archive.Archive`."""

    logs = _awaited(Archive.logs)
    list = _awaited(Archive.list)
    restore = _awaited(Archive.restore)
    freeze = _awaited(Archive.freeze)


class AsyncCards(_Namespace[Cards]):
    """See :class:`mnemic.memory.cards.Cards`."""

    add = _awaited(Cards.add)
    add_folder = _awaited(Cards.add_folder)
    list = _awaited(Cards.list)
    get = _awaited(Cards.get)
    remove = _awaited(Cards.remove)
    route = _awaited(Cards.route)
    refresh = _awaited(Cards.refresh)
    index = _awaited(Cards.index)


class AsyncGraph(_Namespace[Graph]):
    """See :class:`mnemic.memory.graph.Graph`."""

    neighbours = _awaited(Graph.neighbours)
    shortest_path = _awaited(Graph.shortest_path)


class AsyncMemory(_Face[Memory]):
    """A memory whose verbs are awaited; arguments and answers are those of :class:`mnemic.Memory`.

    The file is opened by ``await AsyncMemory.open(…)``, by ``async with``, or by the first verb. The calls of what
    ``workflow`` gives are not awaited: make them on a thread.
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
        self._owner = lambda memory: memory
        self._memory: Memory | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mnemic-aio")
        self.entities = AsyncEntities(self, lambda memory: memory.entities)
        self.review = AsyncReview(self, lambda memory: memory.review)
        self.archive = AsyncArchive(self, lambda memory: memory.archive)
        self.cards = AsyncCards(self, lambda memory: memory.cards)
        self.graph = AsyncGraph(self, lambda memory: memory.graph)

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

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def _opened(self) -> Memory:
        with self._lock:
            if self._closed:
                raise StoreClosed("the memory is closed")
            if self._memory is None:
                self._memory = self._make()
            return self._memory

    async def _call(self, work: Callable[[Memory], Any]) -> Any:
        if self._closed:
            raise StoreClosed("the memory is closed")
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(self._opened()))

    @property
    def path(self) -> str:
        """See :attr:`mnemic.Memory.path`."""
        return self._opened().path

    @property
    def embedder(self) -> str | None:
        """See :attr:`mnemic.Memory.embedder`."""
        return self._opened().embedder

    observe = _awaited(Memory.observe)
    observe_many = _awaited(Memory.observe_many)
    import_ = _awaited(Memory.import_)
    recall = _awaited(Memory.recall)
    context = _awaited(Memory.context)
    get = _awaited(Memory.get)
    timeline = _awaited(Memory.timeline)
    sessions = _awaited(Memory.sessions)
    remember = _awaited(Memory.remember)
    correct = _awaited(Memory.correct)
    confirm = _awaited(Memory.confirm)
    forget = _awaited(Memory.forget)
    restore = _awaited(Memory.restore)
    erase = _awaited(Memory.erase)
    link = _awaited(Memory.link)
    consolidate = _awaited(Memory.consolidate)
    workflow = _awaited(Memory.workflow)
    explain = _awaited(Memory.explain)
    sleep = _awaited(Memory.sleep)
    catch_up = _awaited(Memory.catch_up)
    flush = _awaited(Memory.flush)
    reembed = _awaited(Memory.reembed)
    status = _awaited(Memory.status)
    doctor = _awaited(Memory.doctor)
    backup = _awaited(Memory.backup)

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
