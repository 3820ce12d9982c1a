"""Memory: opens a store, wires the stages, and has the verbs that everybody needs. No algorithms live here."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..clock import read_time
from ..errors import InvalidInput
from ..forget.erase import Targets, erase, erase_again
from ..ingest.observe import analysed, pending, prepare
from ..models import (
    MOST,
    Ack,
    ConsolidationReport,
    Context,
    Explanation,
    Filter,
    Filtering,
    ImportCounts,
    Message,
    Node,
    Recall,
    Session,
    SleepReport,
)
from ..phase import never
from ..recall.context import build_context
from ..recall.filters import positive, whole
from ..store import health, ledger
from . import statements
from .graph import LINKS
from .opened import Opened, copy_target

if TYPE_CHECKING:
    from ..consolidate.tools import Workflow
    from ..ingest.files import FileProgress
    from ..sleep import Progress
    from ..store.rows import NewNode

log = logging.getLogger("mnemic")


class Memory(Opened):
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

    Attributes:
        entities, review, archive, cards, graph: the rarer verbs by theme: names, decisions, old logs and texts,
            reference documents, what is joined to what.

    Raises:
        InvalidInput: a value cannot be used. StoreError: the file cannot be opened. MissingExtra: the embedder's
        package is not installed.
    """

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
            origin: the channel it came by (``user``, ``assistant``, ``tool``, ``external``, ``import``); decides its
                trust.
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
        # where the caller does not wait, the search terms follow the acceptance, on the writer's thread
        node = self._message(
            text, role=role, session=session, channel=channel, project=project, speaker=speaker, at=at, key=key,
            origin=origin, tags=tags, attributes=attributes, terms=ack == "stored",
        )  # fmt: skip
        where = self._space(space)
        future = self._store.submit(lambda tx: tx.add(where, [analysed(node)])[0])
        if ack == "accepted":
            future.add_done_callback(_report)
            return pending(node, where, self._clock.now())
        written = future.result()
        if written.outcome == "erased":
            raise InvalidInput("key", "was erased before", "use a new key")
        found = self._store.one(written.row)
        return replace(found, acknowledged="known") if written.outcome == "known" else found

    def observe_many(self, messages: Iterable[str | Message], *, space: str | None = None) -> list[Node]:
        """Keep messages in one transaction, all or none of them; the nodes come back in the same order.

        Args:
            messages: texts, or mappings with ``text`` and other arguments of :meth:`observe`.

        Raises:
            InvalidInput, KeyConflict: names the message (``messages[3].role``) and the remedy; nothing was stored.
            StoreError: nothing was stored, and why.
        """
        return statements.put_messages(self, self._space(space), messages)

    def _message(self, text: object, **given: Any) -> NewNode:
        node = prepare(text, now=self._clock.now(), zone=self._zone, mask_secrets=self.config.mask_secrets, **given)
        node.id = self._clock.new_id()
        return node

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
        from ..ingest.files import FileImport
        from ..ingest.importers.base import DEFAULT_KEEP

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
        filter: Filter | None = None,
        session: str | None = None,
        neighbours: int = 0,
        space: str | None = None,
        **filters: Unpack[Filtering],
    ) -> Recall:
        """Find what is known about something. Never calls a language model.

        Args:
            query: words, a question, a name, a time ("yesterday", «на прошлой неделе»); any text is safe.
            limit: hits at most (10 by default).
            filter: only such memories; ``session`` and ``filters`` are its fields by name, and go before it.
            neighbours: messages before and after each hit to return with it.

        Raises:
            InvalidInput: an argument cannot be used. StoreError: the file cannot be read.
        """
        read = self._filters(filter, session=session, **filters)
        answer = self._recaller.recall(self._space(space), query, read, limit=limit, neighbours=neighbours)
        if answer.hits and answer.sufficiency != "none":  # the first is what the asker goes by
            self._uses.note([answer.hits[0].node.id], self._clock.now())
        return answer

    def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        filter: Filter | None = None,
        session: str | None = None,
        space: str | None = None,
        **filters: Unpack[Filtering],
    ) -> Context | None:
        """A block of memory for the prompt, within a budget of tokens; ``None`` when nothing is relevant.

        Args:
            prompt: what the agent is about to answer.
            budget: tokens at most; by default 1,000 for a simple prompt, 3,000 for a complex one.
            session: the running one, which is left out: whoever asks has it before him. Without it, a session to which
                this prompt was told within the last half hour is.
            filter, filters: as for :meth:`recall`.
        """
        room = whole(budget, "budget", self.config.context_tokens, 1, MOST)
        read = replace(self._filters(filter, **filters), running=session or None)
        where = self._space(space)
        block = build_context(
            self._recaller, where, prompt, read, room or None, about=lambda name: self.entities._about(where, name)
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
        filter: Filter | None = None,
        session: str | None = None,
        limit: int = 100,
        offset: int = 0,
        space: str | None = None,
        **filters: Unpack[Filtering],
    ) -> list[Node]:
        """Memories in the order they happened, page by page; filters as for :meth:`recall`."""
        limit, offset = whole(limit, "limit", 100, 1, MOST), whole(offset, "offset", 0, 0, MOST)
        read = self._filters(filter, session=session, **filters)
        return self._recaller.timeline(self._space(space), read, limit, offset)

    def sessions(self, *, limit: int = 100, offset: int = 0, space: str | None = None) -> list[Session]:
        """Conversations, the latest first."""
        limit, offset = whole(limit, "limit", 100, 1, MOST), whole(offset, "offset", 0, 0, MOST)
        return self._store.sessions(self._space(space), limit, offset)

    # -- knowledge ----------------------------------------------------------------------------------------------------

    def remember(
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
        """Keep one statement that the user asked to remember, as a memory of its own beside the conversation.

        What it repeats gets it as evidence (``acknowledged`` is then ``known``, and the node is the older one); what it
        contradicts in the same slot ends where it begins. With a ``key`` it is written under that key as it is.

        Args:
            text: what to keep. kind, label: see docs/concepts.md. importance: 0…; confidence: 0…1.
            at: when it happened. valid_from, valid_until: while it is true. speaker: who said it, where that is not
                the user of the space.

        Raises:
            InvalidInput: names the field and the remedy. KeyConflict: the key is taken by another text.
        """
        node = statements.statement(
            self, text, kind=kind, label=label, importance=importance, confidence=confidence, at=at,
            valid_from=valid_from, key=key, tags=tags, attributes=attributes, origin=origin, speaker=speaker,
        )  # fmt: skip
        until = read_time(valid_until, field="valid_until", tz=self._zone)
        return statements.put(self, self._space(space), node, until)

    def correct(self, old: str, new: str, *, at: object = None, space: str | None = None) -> Node:
        """Put a right statement in the place of a wrong one; the old one stays in its history.

        Args:
            old: id, or a text that is clearly one memory. new: what is right.
            at: when it changed; without it the old statement counts as never true.

        Raises:
            NotFound: there is no such memory. Uncertain: the text may mean several; ``candidates`` names them.
        """
        changed = read_time(at, field="at", tz=self._zone)
        return statements.correct(self, self._space(space), old, new, changed)

    def confirm(self, id: str, *, space: str | None = None) -> Node:
        """Hold a memory for certain: full confidence, never ended by code, never forgotten by itself."""
        from ..consolidate import beliefs

        where = self._space(space)
        row, node = statements.meant(self, where, id)
        self._store.run(lambda tx: beliefs.confirm(tx, where, row, dict(node.attributes), actor="user"))
        return self._store.one(row)

    @overload
    def forget(self, target: str, *, why: str = "forgotten", space: str | None = None) -> Node: ...

    @overload
    def forget(self, target: Filter, *, why: str = "forgotten", space: str | None = None) -> int: ...

    def forget(self, target: str | Filter, *, why: str = "forgotten", space: str | None = None) -> Node | int:
        """Hide a memory and what was read out of nothing but it; ``restore`` brings it back, ``erase`` removes bytes.

        Args:
            target: id, or a text that is clearly one memory; or a filter, such as ``Filter(origins="tool")`` or
                ``Filter(source=path)``: all that it lets through, also what is no longer true.
            why: kept with it; a memory hidden as ``forgotten`` or ``false`` does not come back from the same episodes.

        Returns:
            The memory as it is now; for a filter, how many memories were hidden.

        Raises:
            NotFound: there is no such memory, or no such imported file. Uncertain: the text may mean several;
            ``candidates`` names them. InvalidInput: a filter that lets everything through.
        """
        from ..consolidate import beliefs

        where = self._space(space)
        if not isinstance(target, Filter):
            row, _ = statements.meant(self, where, target)
            self._store.run(lambda tx: beliefs.forget(tx, where, [row], why, actor="user"))
            return self._store.one(row)
        rows = statements.matched(self, where, target)
        return len(self._store.run(lambda tx: beliefs.forget(tx, where, rows, why, actor="user")))

    def restore(self, id: str, *, space: str | None = None) -> Node:
        """Offer a hidden memory again, or take back that one has ended."""
        from ..consolidate import beliefs

        where = self._space(space)
        row, _ = self._store.node(where, id)
        self._store.run(lambda tx: beliefs.restore(tx, where, row, actor="user"))
        return self._store.one(row)

    def erase(
        self,
        *,
        item: str | None = None,
        session: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        like: str | os.PathLike[str] | None = None,
        everything: bool = False,
        space: str | None = None,
    ) -> Mapping[str, int]:
        """Remove bytes for good: one item, a session, an imported file, all that mentions an entity, or a whole space.

        Exactly one of the targets is given; ``everything=True`` means the whole space. What was read out of it goes
        too. ``like`` is the file that a backup, this one, replaces: what was erased there since is erased here.

        Returns:
            Counts per table of what was removed.

        Raises:
            InvalidInput: none or several targets. NotFound: there is no such thing here.
        """
        if like is not None and not (item or session or source or entity or everything):
            return erase_again(self._store, Path(like).expanduser())
        if entity:
            self._naming.finish()  # the newest mentions are erased too
        targets = Targets(
            item=item, session=session, source=source, entity=entity, everything=everything or like is not None
        )
        return erase(self._store, self._space(space), targets)

    def link(self, a: str, b: str, relation: str, *, weight: float = 1.0, space: str | None = None) -> None:
        """Put a typed link from one memory to another.

        Raises:
            InvalidInput: no such relation. NotFound: no such memory here.
        """
        if relation not in LINKS:
            raise InvalidInput("relation", f"{relation!r} is not known", f"one of {', '.join(LINKS)}")
        where = self._space(space)
        source, target = self._store.node(where, a)[0], self._store.node(where, b)[0]
        self._store.run(lambda tx: tx.link(source, target, relation, weight=weight))

    def consolidate(
        self,
        session: str | None = None,
        *,
        again: bool = False,
        since: object = None,
        progress: Callable[[int, int], None] | None = None,
        space: str | None = None,
    ) -> ConsolidationReport:
        """Read facts out of the episodes that were not read yet; all sessions of the space, or one.

        It may be stopped and run again: each page of episodes is read once.

        Args:
            again: read anew what was read before, as by a language model what the rules have read; of two readings of
                one message the better supported one stays. since: only messages said from then on.

        Raises:
            NotFound: no such session here. InvalidInput: ``since`` is no time, or without ``again``.
        """
        begin = read_time(since, field="since", tz=self._zone)
        if begin is not None and not again:
            raise InvalidInput("since", "says what to read anew", "give again=True with it")
        return self._consolidator.run(self._space(space), session, again=again, since=begin, progress=progress)

    def workflow(self, *, space: str | None = None) -> Workflow:
        """The steps of consolidation as tools, for an agent that is the consolidator itself (see docs/tools.md)."""
        from ..consolidate.tools import Workflow

        where = self._space(space)
        return Workflow(
            self._store, self._consolidator, space=where, zone=self._zone, mask_secrets=self.config.mask_secrets,
            nearest=lambda text: [found.node for found in statements.near(self, where, text)],
        )  # fmt: skip

    def explain(self, id: str, *, known_at: object = None, space: str | None = None) -> Explanation:
        """Why a memory is believed: episodes with the words, its chain, whom it names, who changed what and when.

        Raises:
            NotFound: no such memory here.
        """
        from ..consolidate import explain

        where = self._space(space)
        row, _ = self._store.node(where, id)
        return explain.explain(self._store, where, row, read_time(known_at, field="known_at", tz=self._zone))

    # -- care ---------------------------------------------------------------------------------------------------------

    def status(self, *, space: str | None = None) -> Mapping[str, Any]:
        """Counts by kind and label, index parity, log size, versions, and what waits; no full scan.

        What waits: ``embeddings_due``, texts without a vector; ``unread_sessions`` that have ended with
        ``unread_messages``; ``slept_at`` and ``night_due_at``, when the last night began and when the next is due
        (``None``: switched off, or nothing to do it for), and by how many seconds it is late, ``night_late``.
        """
        where = self._space(space)
        state = health.status(self._store, where, self._embedder, self._embedding)
        night = ledger.night(self._store, where, self._schedule, self._zone)
        return {**state, **health.unread(self._store, where), **night}

    def doctor(self, *, repair: bool = False) -> Mapping[str, Any]:
        """Check the whole file (integrity, keyword index, counts) and mend the derived parts where asked."""
        return health.doctor(self._store, repair=repair)

    def backup(self, path: str | os.PathLike[str], *, progress: Callable[[str], None] | None = None) -> Path:
        """Copy the file while it is in use, whole or not at all. Copying the main file by hand is not safe."""
        target = copy_target(path, self._store.path)
        self._store.backup(target, progress)
        return target

    def sleep(
        self,
        *,
        dry_run: bool = False,
        minutes: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = never,
        space: str | None = None,
    ) -> SleepReport:
        """The nightly run, now: consolidate, clean up, let fade, put in order (see docs/sleep.md).

        Nothing is deleted; every act is in the report with its reason, and in the log, from where ``undo`` takes it
        back. Stopped or killed, the next run goes on. A second run on the same day changes nothing more.

        Args:
            dry_run: say what would be done, and do nothing.
            minutes: time that it may take; what it does not come to is left to the next night.
            progress: told (phase, steps done, steps in all where known). stop: asked between steps.

        Raises:
            InvalidInput: ``minutes`` is no positive number. StoreError: the file cannot be written.
        """
        seconds = None if minutes is None else positive(minutes, "minutes") * 60
        where = self._space(space)
        if not dry_run:
            self._uses.write()
        return self._sleeper.run(where, dry_run=dry_run, seconds=seconds, progress=progress, stop=stop)


def _report(future: Any) -> None:
    error = future.exception()
    if error is not None:
        log.error("an accepted write failed: %s", error)


__all__ = ["Memory"]
