"""Memory: opens a store, wires the stages, and has the verbs. No algorithms live here."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from .background import Background
from .clock import Clock, SystemClock, zone
from .config import Config
from .documents import Documents
from .embed import Embedder, resolve
from .errors import InvalidInput, StoreError
from .events import Event, Events
from .forget.uses import Uses
from .graph import Graph
from .ingest.embedding import Embedding
from .ingest.naming import Naming
from .ingest.observe import analysed, pending, prepare
from .knowledge import MOST, Knowledge, space_name
from .models import Ack, Context, ImportCounts, Node, Recall, Session
from .night import CaughtUp
from .recall.context import build_context
from .recall.filters import Filters, whole
from .recall.run import Recaller
from .schedule import cron
from .store import health, ledger
from .store.cold import side_path
from .store.sqlite import SqliteStore
from .store.tx import Completed
from .upkeep import Upkeep, cellar, positive

if TYPE_CHECKING:
    from .consolidate.run import Consolidator
    from .ingest.files import FileProgress
    from .llm.base import LLM
    from .sleep import Sleeper

log = logging.getLogger("mnemic")


class Memory(Knowledge, Graph, Upkeep, Documents):
    """The memory of one or many agents in one file.

    Args:
        path: file name; it is made if it does not exist. ``:memory:`` for a private one that is gone after ``close``.
        space: isolation boundary that calls use unless they name another.
        embedder: ``"auto"`` (the local model where it is installed, else none), ``"none"``, ``"provider:model"`` or an
            object (see docs/embedders.md).
        llm: for consolidation only (see docs/knowledge.md): ``None`` (rules), ``"provider:model"`` or an object with
            ``complete``; recall never uses one.
        config: settings (see docs/settings.md); ``None``: defaults and ``MNEMIC_…`` from the environment.
        clock: where "now" and new ids come from.

    Raises:
        InvalidInput: a value cannot be used. StoreError: the file cannot be opened. MissingExtra: the embedder's
        package is not installed.
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
        self.config = config or Config.load()
        self.space = space_name(space)
        self.llm = llm
        self._zone = zone(self.config.zone)
        self._clock = clock or SystemClock()
        self._events = Events()
        self._background: Background | None = None
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
        from .consolidate.run import Consolidator

        return Consolidator(self._store, self.llm, self._clock, self._zone)

    @cached_property
    def _sleeper(self) -> Sleeper:
        from .sleep import Sleeper, phases

        cold = cellar(self._store, self.config)
        every = phases(self._consolidator, self._embedding, self._cards(), cold, self.config.fading)
        return Sleeper(self._store, self._clock, self._zone, self._schedule, every)

    @property
    def path(self) -> str:
        """The file behind this memory."""
        return self._store.path

    @property
    def embedder(self) -> str | None:
        """Name of the embedder in use, ``None`` when search goes by words alone."""
        return self._embedder.name if self._embedder else None

    # -- writing ------------------------------------------------------------------------------------------------------

    def observe(
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
        """Keep one message, word for word.

        Args:
            text: what was said; secrets in it are masked first (see docs/security.md).
            role: ``user``, ``assistant``, ``system`` or ``tool``.
            session: name of the conversation; without one, messages of a channel that follow each other within
                30 minutes belong together.
            at: when it was said; aware datetime or ISO text, now by default.
            key: outside key; the same key and text again is the same episode, with another text it is refused.
            origin: the channel it came by (``user``, ``assistant``, ``tool``, ``external``, ``import``); decides its trust.
            ack: ``stored`` waits for the commit; ``accepted`` returns when it is queued.

        Returns:
            The node; ``acknowledged`` says how far it has come (``accepted``, ``stored``, or ``known`` when it was
            there already).

        Raises:
            InvalidInput: names the field and the remedy. KeyConflict: the key is taken by another text.
            StoreError: not stored, and why.
        """
        if ack not in ("stored", "accepted"):
            raise InvalidInput("ack", f"{ack!r} is not known", "stored or accepted")
        node = prepare(
            text,
            now=self._clock.now(),
            zone=self._zone,
            role=role,
            session=session,
            channel=channel,
            project=project,
            speaker=speaker,
            at=at,
            key=key,
            origin=origin,
            tags=tags,
            attributes=attributes,
            mask_secrets=self.config.mask_secrets,
            terms=ack == "stored",  # else it follows the acceptance, on the writer's thread
        )
        return self._write(node, space, ack)

    def _write(self, node: Any, space: str | None, ack: Ack) -> Node:
        where = self._space(space)
        node.id = self._clock.new_id()
        future = self._store.submit(lambda tx: tx.add(where, [analysed(node)])[0])
        if ack == "accepted":
            future.add_done_callback(_report)
            return pending(node, where, self._clock.now())
        written = future.result()
        if written.outcome == "erased":
            raise InvalidInput("key", "was erased before", "use a new key")
        found = self._store.one(written.row)
        if written.outcome == "known":
            return replace(found, acknowledged="known")
        return found

    def import_(
        self,
        path: str | os.PathLike[str],
        *,
        format: str = "auto",
        dry_run: bool = False,
        keep: Iterable[str] | None = None,
        progress: Callable[[FileProgress], None] | None = None,
        space: str | None = None,
    ) -> ImportCounts:
        """Import a transcript, an export, notes, or a folder of them (see docs/importers.md).

        Raises:
            ImportFailed: no such path, or a single file that cannot be read or recognised.
            InvalidInput: no such format or label.
        """
        from .ingest.files import FileImport
        from .ingest.importers.base import DEFAULT_KEEP

        run = FileImport(
            self._store,
            self._clock,
            self._space(space),
            default_zone=self.config.zone,
            keep=DEFAULT_KEEP if keep is None else frozenset([keep] if isinstance(keep, str) else keep),
            mask_secrets=self.config.mask_secrets,
            dry_run=dry_run,
            progress=progress,
        )
        return run.run(path, format)

    # -- reading ------------------------------------------------------------------------------------------------------

    def recall(
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
        """Find what is known about something. Never calls a language model.

        Args:
            query: words, a question, a name, a time ("yesterday", «на прошлой неделе»); any text is safe.
            limit: hits at most (10 by default).
            kinds, labels, roles, session, entity, source, tags: only such memories.
            when: a time expression that restricts the answer; one that is not understood is an error.
            after, before: only what happened from … until (exclusive).
            as_of: what was true then. known_at: what was known then. A plain date means the end of that day.
            include_superseded: also what is no longer true.
            min_trust: leave out what came by a less trusted channel, 0…1.
            neighbours: messages before and after each hit to return with it.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        filters = Filters.read(
            kinds=kinds, labels=labels, roles=roles, session=session, entity=entity, source=source, tags=tags, when=when,
            after=after, before=before, as_of=as_of, known_at=known_at, min_trust=min_trust,
            include_superseded=include_superseded,
            now=self._clock.now(), zone=self._zone,
        )  # fmt: skip
        answer = self._recaller.recall(self._space(space), query, filters, limit=limit, neighbours=neighbours)
        if answer.hits and answer.sufficiency != "none":  # the first is what the asker goes by
            self._uses.note([answer.hits[0].node.id], self._clock.now())
        return answer

    def context(
        self, prompt: str, *, budget: int | None = None, session: str | None = None, space: str | None = None,
        **filters: Any,
    ) -> Context | None:  # fmt: skip
        """A block of memory for the prompt, within a budget of tokens; ``None`` when nothing is relevant.

        Args:
            prompt: what the agent is about to answer.
            budget: tokens at most; by default 1,000 for a simple prompt, 3,000 for a complex one.
            session: the running one, which is left out: whoever asks has it before him. Without it, a session to which
                this prompt was told within the last half hour is.
            filters: as for :meth:`recall`.
        """
        room = whole(budget, "budget", self.config.context_tokens, 1, MOST)
        read = replace(Filters.read(now=self._clock.now(), zone=self._zone, **filters), running=session or None)
        where = self._space(space)
        block = build_context(
            self._recaller, where, prompt, read, room or None, about=lambda name: self._about(where, name)
        )
        if block is not None:  # shown to the agent
            self._uses.note(block.items, self._clock.now())
        return block

    def get(self, id: str, *, space: str | None = None) -> Node:
        """One memory by id (a useful access).

        Raises:
            NotFound: no such memory here.
        """
        _, node = self._store.node(self._space(space), id)
        self._uses.note([node.id], self._clock.now())
        return node

    def timeline(
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
        """Memories in the order they happened, page by page."""
        limit, offset = whole(limit, "limit", 100, 1, MOST), whole(offset, "offset", 0, 0, MOST)
        read = Filters.read(
            when=when, after=after, before=before, session=session, now=self._clock.now(), zone=self._zone, **filters
        )
        return self._recaller.timeline(self._space(space), read, limit, offset)

    def sessions(self, *, limit: int = 100, offset: int = 0, space: str | None = None) -> list[Session]:
        """Conversations, the latest first."""
        limit, offset = whole(limit, "limit", 100, 1, MOST), whole(offset, "offset", 0, 0, MOST)
        return self._store.sessions(self._space(space), limit, offset)

    # -- care ---------------------------------------------------------------------------------------------------------

    def stats(self, *, space: str | None = None) -> Mapping[str, Any]:
        """Counts by kind and label of one space."""
        return health.stats(self._store, self._space(space))

    def status(self, *, space: str | None = None) -> Mapping[str, Any]:
        """Counts, index parity, log size, versions, and what waits; no full scan.

        What waits: ``embeddings_due``, texts without a vector; ``unread_sessions`` that have ended with
        ``unread_messages``; ``slept_at`` and ``night_due_at``, when the last night began and when the next is due
        (``None``: switched off, or nothing to do it for), and by how many seconds it is late, ``night_late``.
        """
        where = self._space(space)
        state = health.status(self._store, where, self._embedder, self._embedding)
        due = ledger.next_night(self._store, where, self._schedule, self._zone)
        late = 0 if due is None else max(0, self._clock.now() - due) // 1_000_000
        night = {"slept_at": ledger.slept_at(self._store, where), "night_due_at": due, "night_late": late}
        return {**state, **health.unread(self._store, where), **night}

    def doctor(self, *, repair: bool = False) -> Mapping[str, Any]:
        """Check the whole file (integrity, keyword index, counts) and mend the derived parts where asked."""
        return health.doctor(self._store, repair=repair)

    def backup(self, path: str | os.PathLike[str], *, progress: Callable[[str], None] | None = None) -> Path:
        """Copy the file while it is in use, whole or not at all. Copying the main file by hand is not safe."""
        if not os.fspath(path):
            raise InvalidInput("path", "no file name given", "name the file of the copy, or a folder")
        target = Path(path).expanduser()
        if not target.parent.is_dir():
            raise InvalidInput("path", f"the folder {target.parent} does not exist", "make it first")
        if target.is_dir():
            target = target / Path(self._store.path).name
        if target.exists() and os.path.samefile(target, self._store.path):
            raise InvalidInput("path", "is the memory itself", "name another file or folder")
        if os.path.realpath(target) == side_path(self._store.path):
            raise InvalidInput("path", "is the side file of the memory", "name another file or folder")
        self._store.backup(target, progress)
        return target

    def flush(self, progress: Callable[[int], None] | None = None) -> int:
        """Wait until all that was written is committed, named and embedded; returns how many texts were embedded."""
        self._store.run(lambda tx: None)
        assert self._background is not None
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
            seconds: time it may take. quiet: leave sessions that were written to in the last so many seconds. facts: read facts too (where ``Config.consolidate`` is on).
            nights: run every night that has come, too; each may take ``Config.sleep_minutes`` of what is left.

        Raises:
            InvalidInput: ``seconds`` is no positive number. StoreError: the file cannot be written; what was done before is kept.
        """
        self._store.run(lambda tx: None)
        assert self._background is not None
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

    def on(self, event: str, fn: Callable[[Event], object]) -> Callable[[], None]:
        """Subscribe to an event (see :data:`mnemic.events.EVENTS`); returns the function that unsubscribes."""
        return self._events.on(event, fn)

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

    def _committed(self, completed: list[Completed], captured: bool) -> None:
        if self._background is not None:
            self._background.wake(captured=captured)
        for item in completed:
            data = {"session": item.session, "channel": item.channel, "messages": item.messages}
            self._events.emit(Event("session.completed", item.space, data))


def _report(future: Any) -> None:
    error = future.exception()
    if error is not None:
        log.error("an accepted write failed: %s", error)


__all__ = ["Memory"]
