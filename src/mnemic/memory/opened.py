"""A memory file that is open, with the stages wired to it: what :class:`mnemic.Memory` and its namespaces work on."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..background import Background
from ..clock import Clock, SystemClock, zone
from ..config import Config
from ..embed import Embedder, resolve
from ..errors import InvalidInput, StoreError
from ..events import Event, Events
from ..forget.uses import Uses
from ..ingest.embedding import Embedding
from ..ingest.naming import Naming
from ..ingest.observe import name as named
from ..models import CaughtUp, Filter
from ..phase import cron
from ..plugins import extra
from ..recall.filters import Filters, positive
from ..recall.run import Recaller
from ..store.cold import side_path
from ..store.sqlite import SqliteStore
from ..store.tx import Completed
from .archive import Archive
from .cards import Cards
from .entities import Entities
from .graph import Graph
from .review import Review

if TYPE_CHECKING:
    from ..consolidate.run import Consolidator
    from ..llm.base import LLM
    from ..sleep import Sleeper


class Opened:
    """A file, its writer, readers, background and events; one memory is one of these."""

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
        self.config = config or Config.load()
        self.space = _space_name(space)
        self.llm = llm
        self._zone = zone(self.config.zone)
        self._clock = clock or SystemClock()
        self._events = Events()
        self._embedder = resolve(embedder)
        self._store = SqliteStore(
            path,
            clock=self._clock,
            durable=self.config.durable,
            queue_size=self.config.queue_size,
            on_commit=self._committed,
        )
        self._embedding = None
        if self._embedder is not None:
            self._embedding = Embedding(
                self._store,
                self._embedder,
                self._clock,
                batch=self.config.embed_batch,
                retries=self.config.embed_retries,
                on_failure=lambda space, row, reason: self._events.emit(
                    Event("embedding.failed", space, {"row": row, "reason": reason})
                ),
            )
        self._uses = Uses(self._store)
        self._recaller = Recaller(self._store, self._embedder, self._clock, self._zone, self.config.recall)
        self._naming = Naming(self._store)
        self._schedule = cron(self.config.sleep)
        self.entities, self.review, self.graph = Entities(self), Review(self), Graph(self)
        self._background = Background(
            self._store,
            self._embedding,
            self._naming,
            (lambda: self._consolidator) if self.config.consolidate else None,
            self._uses,
            lambda: self._sleeper,
            self.config.sleep_minutes,
        )
        if self.config.background:
            self._background.start()
            self._background.wake()

    @cached_property
    def _consolidator(self) -> Consolidator:
        """Made when it is first needed, as is the sleeper: what they import takes longer than a recall."""
        from ..consolidate.run import Consolidator

        return Consolidator(self._store, self.llm, self._clock, self._zone)

    @cached_property
    def _sleeper(self) -> Sleeper:
        from ..sleep import Sleeper, phases

        early = self.cards._phases() if extra("cards") else ()
        late = self.archive._phases() if extra("archive") else ()
        every = phases(self._consolidator, self._embedding, early, late, self.config.fading)
        return Sleeper(self._store, self._clock, self._zone, self._schedule, every)

    @cached_property
    def archive(self) -> Archive:
        """Old logs and texts."""
        extra("archive", needed=True)
        return Archive(self)

    @cached_property
    def cards(self) -> Cards:
        """Reference documents."""
        extra("cards", needed=True)
        return Cards(self)

    @property
    def path(self) -> str:
        """The file behind this memory."""
        return self._store.path

    @property
    def embedder(self) -> str | None:
        """Name of the embedder in use, ``None`` when search goes by words alone."""
        return self._embedder.name if self._embedder else None

    def on(self, event: str, fn: Callable[[Event], object]) -> Callable[[], None]:
        """Subscribe to an event (see :data:`mnemic.events.EVENTS`); returns the function that unsubscribes."""
        return self._events.on(event, fn)

    def flush(self, progress: Callable[[int], None] | None = None) -> int:
        """Wait until all that was written is committed, named and embedded; returns how many texts were embedded."""
        self._store.run(lambda tx: None)
        done = self._background.drain(progress)
        self._events.drain()
        return done

    def catch_up(
        self, seconds: float = 1.0, *, quiet: float = 0.0, facts: bool = True, nights: bool = False
    ) -> CaughtUp:
        """Do a piece of what the background does in a process that stays: names, vectors, facts out of ended sessions.

        For programs that open a memory, write and close it. It ends within about so many seconds, whatever waits; the
        next call goes on where it ended. A model that takes long to load is not loaded for a few texts in a short time.

        Args:
            seconds: time it may take. quiet: leave sessions that were written to in the last so many seconds. facts:
                read facts too (where ``Config.consolidate`` is on).
            nights: run every night that has come, too; each may take ``Config.sleep_minutes`` of what is left.

        Raises:
            InvalidInput: ``seconds`` is no positive number. StoreError: the file cannot be written; what was done
                before is kept.
        """
        self._store.run(lambda tx: None)
        return self._background.catch_up(
            positive(seconds, "seconds"), quiet=quiet and positive(quiet, "quiet"), facts=facts, nights=nights
        )

    def reembed(self, *, progress: Callable[[int], None] | None = None) -> Mapping[str, Any]:
        """Fill the vectors of the present embedder, then drop those of others. Can be stopped and run again.

        The old ones stay while anything is left to do (another process at work, texts that wait for another attempt).

        Raises:
            InvalidInput: this memory has no embedder.
        """
        if self._embedding is None:
            raise InvalidInput("embedder", "none is set", "install mnemic[local] or name one")
        embedding = self._embedding
        generation = embedding.generation()
        self._store.run(lambda tx: tx.retry_embeddings(generation))
        done = self.flush(progress)
        left = sum(embedding.due(space) for space in self._store.spaces())
        dropped = 0 if left else self._store.run(lambda tx: tx.drop_other_generations(generation))
        return {"embedder": embedding.embedder.name, "embedded": done, "left": left, "dropped_generations": dropped}

    def close(self) -> None:
        """Commit what is queued, stop the background work, let go of the file. Idempotent."""
        if self._background is not None:
            self._background.stop()
        with contextlib.suppress(StoreError):  # closed before, or no room: nothing of worth is lost
            self._uses.write()
        self._store.close()
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _space(self, given: str | None) -> str:
        return self.space if given is None else _space_name(given)

    def _filters(self, given: Filter | None, **more: Any) -> Filters:
        return Filters.read(given, now=self._clock.now(), zone=self._zone, **more)

    def _committed(self, completed: list[Completed], captured: bool) -> None:
        if self._background is not None:
            self._background.wake(captured=captured)
        for item in completed:
            data = {"session": item.session, "channel": item.channel, "messages": item.messages}
            self._events.emit(Event("session.completed", item.space, data))


def _space_name(value: object) -> str:
    """A space as given by a caller.

    Raises:
        InvalidInput: not a name.
    """
    text = named(value, "space")
    if text is None or not text.strip():
        raise InvalidInput("space", "is empty", "give a name, or leave it out for that of the memory")
    return text


def copy_target(path: str | os.PathLike[str], original: str) -> Path:
    """Where a copy of a memory goes: the file that is named, or one of the same name in the folder that is named.

    Raises:
        InvalidInput: there is no such folder, or the copy would take the place of the memory or of its side file.
    """
    if not os.fspath(path):
        raise InvalidInput("path", "no file name given", "name the file of the copy, or a folder")
    target = Path(path).expanduser()
    if not target.parent.is_dir():
        raise InvalidInput("path", f"the folder {target.parent} does not exist", "make it first")
    if target.is_dir():
        target = target / Path(original).name
    if target.exists() and os.path.samefile(target, original):
        raise InvalidInput("path", "is the memory itself", "name another file or folder")
    if os.path.realpath(target) == side_path(original):
        raise InvalidInput("path", "is the side file of the memory", "name another file or folder")
    return target
