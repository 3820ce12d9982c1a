"""The verbs of :class:`mnemic.Memory` that deal with knowledge: facts, entities, corrections, reasons. No algorithms."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .clock import Clock, read_time
from .errors import InvalidInput, NotFound, Uncertain
from .forget.erase import Targets, erase, erase_again
from .ingest.observe import name as named
from .ingest.observe import prepare
from .models import KINDS, ORIGINS, Conflict, ConsolidationReport, Diff, Entity, Explanation, Node, Version
from .recall.filters import Filters, whole
from .text.feelings import valence
from .text.names import alias

if TYPE_CHECKING:
    from .config import Config
    from .consolidate.beliefs import Near
    from .consolidate.run import Consolidator
    from .consolidate.tools import Workflow
    from .ingest.naming import Naming
    from .recall.run import Recaller
    from .store.rows import NewNode
    from .store.sqlite import SqliteStore

FACTS = tuple(kind for kind in KINDS if kind != "episodic")
NEAREST = 8  # memories that a new statement is compared with
MOST = 1_000_000_000  # bound of counts that callers give
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Knowledge:
    """What is believed and why: the part of :class:`mnemic.Memory` beside capture and recall."""

    space: str
    config: Config
    _clock: Clock
    _zone: tzinfo
    _store: SqliteStore
    _recaller: Recaller
    _naming: Naming

    if TYPE_CHECKING:

        @cached_property
        def _consolidator(self) -> Consolidator: ...

    def _space(self, given: str | None) -> str:
        return self.space if given is None or given == "" else space_name(given)

    # -- statements ---------------------------------------------------------------------------------------------------

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
        node = self._statement(
            text, kind=kind, label=label, importance=importance, confidence=confidence, at=at, valid_from=valid_from,
            key=key, tags=tags, attributes=attributes, origin=origin, speaker=speaker,
        )  # fmt: skip
        where = self._space(space)
        until = read_time(valid_until, field="valid_until", tz=self._zone)
        begins = node.event_time if node.valid_from is None else node.valid_from
        if until is not None and until < begins:
            raise InvalidInput("valid_until", "is before the beginning", "give a time after valid_from")
        return self._put_statement(where, node, until)

    def correct(self, old: str, new: str, *, at: object = None, space: str | None = None) -> Node:
        """Put a right statement in the place of a wrong one; the old one stays in its history.

        Args:
            old: id, or a text that is clearly one memory. new: what is right.
            at: when it changed; without it the old statement counts as never true.

        Raises:
            NotFound: there is no such memory. Uncertain: the text may mean several; ``candidates`` names them.
        """
        from .consolidate import beliefs

        where = self._space(space)
        row, node = self._meant(where, old)
        statement = self._statement(
            new, kind=node.kind if node.kind in FACTS else "semantic", label="fact", origin="user"
        )
        if node.kind in FACTS:
            statement.label = node.label
        changed = read_time(at, field="at", tz=self._zone)
        candidate = beliefs.read_slot(self._consolidator.rules, statement)
        placed = self._store.run(
            lambda tx: beliefs.correct(tx, where, row, statement, candidate, at=changed, actor="user")
        )
        return self._store.one(placed)

    def confirm(self, id: str, *, space: str | None = None) -> Node:
        """Hold a memory for certain: full confidence, never ended by code, never forgotten by itself."""
        from .consolidate import beliefs

        where = self._space(space)
        row, node = self._meant(where, id)
        self._store.run(lambda tx: beliefs.confirm(tx, where, row, dict(node.attributes), actor="user"))
        return self._store.one(row)

    def forget(self, target: str, *, why: str = "forgotten", space: str | None = None) -> Node:
        """Hide a memory and what was read out of nothing but it; ``restore`` brings it back, ``erase`` removes bytes.

        Args:
            target: id, or a text that is clearly one memory.
            why: kept with it; a memory hidden as ``forgotten`` or ``false`` does not come back from the same episodes.

        Raises:
            NotFound: there is no such memory. Uncertain: the text may mean several; ``candidates`` names them.
        """
        from .consolidate import beliefs

        where = self._space(space)
        row, _ = self._meant(where, target)
        self._store.run(lambda tx: beliefs.forget(tx, where, [row], why, actor="user"))
        return self._store.one(row)

    def restore(self, id: str, *, space: str | None = None) -> Node:
        """Offer a hidden memory again, or take back that one has ended."""
        from .consolidate import beliefs

        where = self._space(space)
        row, _ = self._store.node(where, id)
        self._store.run(lambda tx: beliefs.restore(tx, where, row, actor="user"))
        return self._store.one(row)

    def undo(self, change: int, *, space: str | None = None) -> Node | None:
        """Take back one change of the log (see ``explain(id).changes``): of a memory, or of entities (then ``None``).

        Raises:
            NotFound: no such change here. InvalidInput: a later change stands on it.
        """
        from .store import facts

        where = self._space(space)
        number = whole(change, "change", 0, 1, MOST)
        row = self._store.run(lambda tx: facts.undo(tx, tx.space(where), number, actor="user"))
        return self._store.one(row) if row else None

    def purge(self, *, origin: str | None = None, source: str | None = None, space: str | None = None) -> int:
        """Hide everything that came by one channel or from one imported file, and all that stands on it alone.

        Returns:
            How many memories were hidden; ``restore`` brings each back.

        Raises:
            InvalidInput: not exactly one of the two. NotFound: no such file was imported here.
        """
        from .consolidate import beliefs
        from .store.facts import F

        if (origin is None) == (source is None):
            raise InvalidInput("purge", "needs exactly one target", "origin= or source=")
        where = self._space(space)
        if origin is not None:
            if origin not in ORIGINS:
                raise InvalidInput("origin", f"{origin!r} is not known", f"one of {', '.join(ORIGINS)}")
            rows = [row for (row,) in self._store.select("rows_by_origin", where, origin, where=F)]
        else:
            rows = Targets(source=source).rows(self._store, where)
        hidden = self._store.run(lambda tx: beliefs.forget(tx, where, rows, "purged", actor="user"))
        return len(hidden)

    def erase(
        self,
        *,
        item: str | None = None,
        session: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        space: str | None = None,
        everything: bool = False,
    ) -> Mapping[str, int]:
        """Remove bytes for good: one item, a session, an imported file, all that mentions an entity, or a whole space.

        Exactly one of the targets is given; ``everything=True`` means the whole space. What was read out of it goes too.

        Returns:
            Counts per table of what was removed.

        Raises:
            InvalidInput: none or several targets. NotFound: there is no such thing here.
        """
        if entity:
            self._naming.finish()  # the newest mentions are erased too
        targets = Targets(item=item, session=session, source=source, entity=entity, everything=everything)
        return erase(self._store, self._space(space), targets)

    def erase_again(self, path: str | os.PathLike[str]) -> Mapping[str, int]:
        """Erase from this file, a backup put back, what was erased from another one since.

        Args:
            path: the memory that the backup replaces.

        Raises:
            InvalidInput: there is no such file.
        """
        return erase_again(self._store, Path(path).expanduser())

    # -- consolidation ------------------------------------------------------------------------------------------------

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
            again: read anew what was read before, as by a language model what the rules have read; of two readings of one
                message the better supported one stays. since: only messages said from then on.

        Raises:
            NotFound: no such session here. InvalidInput: ``since`` is no time, or without ``again``.
        """
        begin = read_time(since, field="since", tz=self._zone)
        if begin is not None and not again:
            raise InvalidInput("since", "says what to read anew", "give again=True with it")
        return self._consolidator.run(self._space(space), session, again=again, since=begin, progress=progress)

    def workflow(self, *, space: str | None = None) -> Workflow:
        """The steps of consolidation as tools, for an agent that is the consolidator itself (see docs/tools.md)."""
        from .consolidate.tools import Workflow

        where = self._space(space)
        return Workflow(
            self._store, self._consolidator, space=where, zone=self._zone, mask_secrets=self.config.mask_secrets,
            nearest=lambda text: [near.node for near in self._near(where, text)],
        )  # fmt: skip

    # -- reasons ------------------------------------------------------------------------------------------------------

    def explain(self, id: str, *, known_at: object = None, space: str | None = None) -> Explanation:
        """Why a memory is believed: episodes with the words, its chain, whom it names, who changed what and when.

        Raises:
            NotFound: no such memory here.
        """
        from .consolidate import explain

        where = self._space(space)
        row, _ = self._store.node(where, id)
        return explain.explain(self._store, where, row, read_time(known_at, field="known_at", tz=self._zone))

    def history(self, id: str, *, known_at: object = None, space: str | None = None) -> tuple[Version, ...]:
        """The versions of a memory, the oldest first, each with the reason for which the next took its place."""
        from .consolidate import explain

        row, _ = self._store.node(self._space(space), id)
        return tuple(explain.history(self._store, row, read_time(known_at, field="known_at", tz=self._zone)))

    def diff(self, t1: object, t2: object = None, *, space: str | None = None) -> Diff:
        """What changed in belief between two moments (the second is now by default)."""
        from .consolidate import explain

        now = self._clock.now()
        first = read_time(t1, field="t1", tz=self._zone)
        second = read_time(t2, field="t2", tz=self._zone, end_of_day=True)
        if first is None:
            raise InvalidInput("t1", "is missing", "give the earlier moment")
        second = now if second is None else second
        if second < first:
            raise InvalidInput("t2", "is before t1", "give the earlier moment first")
        return explain.diff(self._store, self._space(space), first, second, now)

    def weak(self, *, below: float = 0.5, limit: int = 20, space: str | None = None) -> list[Node]:
        """Facts that stand on little (confidence × trust below a bound, not confirmed), the weakest first."""
        from .consolidate import explain

        if isinstance(below, bool) or not isinstance(below, int | float) or not 0 <= below <= 1:
            raise InvalidInput("below", "must be a number from 0 to 1")
        return explain.weak(self._store, self._space(space), float(below), whole(limit, "limit", 20, 1, MOST))

    def conflicts(self, *, limit: int = 100, space: str | None = None) -> list[Conflict]:
        """Pairs of memories that contradict each other and wait for a person, the newest first."""
        from .consolidate import explain

        return explain.conflicts(self._store, self._space(space), whole(limit, "limit", 100, 1, MOST))

    def resolve_conflict(
        self, left: str, right: str, verdict: str, *, reason: str = "", space: str | None = None
    ) -> None:
        """Decide about two memories that contradict each other.

        Args:
            left, right: their ids. verdict: ``supersedes`` (left ends right), ``coexists`` (both are true),
                ``duplicate`` (the same), ``keep_left`` or ``keep_right`` (the other one is wrong); ``left``, ``right`` and
                ``both`` for short.

        Raises:
            NotFound: no such memory here. InvalidInput: the verdict is unknown or not possible.
        """
        from .consolidate import conflicts

        conflicts.resolve(self._store, self._space(space), left, right, verdict, reason, actor="user")

    # -- entities -----------------------------------------------------------------------------------------------------

    def entity(self, name: str, *, space: str | None = None) -> Entity | None:
        """The entity of this name with its profile, ``None``: there is none. Letters may be large or small, with or without
        accents; a Russian name may stand in any case («Марии»), where only one entity fits.

        The profile is the one that the nightly run has stored, where nothing has changed since, else made on the spot.
        """
        if not isinstance(name, str):
            raise InvalidInput("name", f"must be text, not {type(name).__name__}")
        where = self._space(space)
        found = self._store.entities_meant(where, name)
        if not found:
            return None
        about = self._about(where, name)
        return replace(found[0][1], profile=about[0] if about is not None else None)

    def entities(self, *, type: str | None = None, limit: int = 100, space: str | None = None) -> list[Entity]:
        """Entities, the most mentioned first; of one type (``person``, ``place``, ``project`` …), or all."""
        count = whole(limit, "limit", 100, 1, MOST)
        return self._store.entity_list(self._space(space), type, count)

    def merge_entities(self, keep: str, gone: str, *, why: str = "", space: str | None = None) -> Entity:
        """Make two entities one: names, memories and facts of ``gone`` go to ``keep``; ``undo(entity.change)`` takes it back.

        Args:
            keep, gone: id or name of each.

        Raises:
            NotFound: one of them is not here. InvalidInput: they are the same.
        """
        from .store import entities

        where = self._space(space)
        one, other = self._entity_id(where, keep), self._entity_id(where, gone)
        change = self._store.run(lambda tx: entities.merge(tx, where, one, other, actor="user", why=why))
        return replace(self._store.entity_of(where, one), change=change)

    def split_entity(self, entity: str, name: str, *, why: str = "", space: str | None = None) -> Entity:
        """Take one name out of an entity into one of its own, with the memories that call it so;
        ``undo(entity.change)`` takes it back.

        Raises:
            NotFound: no such entity, or it has no such name. InvalidInput: it is its only name.
        """
        from .store import entities

        where = self._space(space)
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("name", "is empty", "give one of the names of the entity")
        old = self._entity_id(where, entity)
        change, new = self._store.run(lambda tx: entities.split(tx, where, old, name, actor="user", why=why))
        return replace(self._store.entity_of(where, new), change=change)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _about(self, where: str, name: str) -> tuple[str, tuple[str, ...]] | None:
        """The profile of an entity and the ids of the facts that it shows."""
        from .consolidate import profiles

        known = profiles.of(self._store, where, name, self._zone)
        shown = profiles.current(known) if known is not None else None
        return None if shown is None else (shown.text, shown.facts)

    def _entity_id(self, where: str, target: str) -> str:
        """Id of an entity that is given by id or by name."""
        if not isinstance(target, str) or not target.strip():
            raise InvalidInput("entity", "is empty", "give the id or the name of an entity")
        if _ID.fullmatch(target):
            return target
        found = self._store.entities(where, alias(target))
        if not found:
            raise NotFound("entity", target)
        return found[0][1].id

    def _statement(
        self, text: object, *, confidence: float = 1.0, origin: str | None = "user", **given: Any
    ) -> NewNode:
        if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
            raise InvalidInput("confidence", "must be a number from 0 to 1")
        node = prepare(
            text, now=self._clock.now(), zone=self._zone, role=None, origin=origin, confidence=float(confidence),
            mask_secrets=self.config.mask_secrets, **given,
        )  # fmt: skip
        node.id = self._clock.new_id()
        node.valence = valence(node.content)
        return node

    def _put_statement(self, where: str, node: NewNode, until: int | None) -> Node:
        from .consolidate import beliefs
        from .store import facts

        candidate = None if node.key else beliefs.read_slot(self._consolidator.rules, node)
        met = [] if node.key else beliefs.judged(node, self._near(where, node.content))

        def write(tx: Any) -> tuple[int, str]:
            if node.key:
                written = tx.add(where, [node])[0]
                row, outcome = written.row, written.outcome
            else:
                row, outcome = beliefs.remember(tx, where, node, candidate, met, "user")
            if until is not None and outcome == "stored":
                values = {"valid_until": until, "closed_at": tx.clock.now()}
                facts.alter(tx, tx.space(where), row, "ended", values, actor="user", why="given")
            return row, outcome

        row, outcome = self._store.run(write)
        if outcome == "erased":
            raise InvalidInput("key", "was erased before", "use a new key")
        found = self._store.one(row)
        return replace(found, acknowledged="known") if outcome == "known" else found

    def _near(self, where: str, text: str) -> list[Near]:
        """The live facts nearest to a text."""
        from .consolidate.beliefs import Near

        filters = replace(Filters.read(now=self._clock.now(), zone=self._zone, kinds=FACTS), reference=False)
        nodes = [hit.node for hit in self._recaller.recall(where, text, filters, limit=NEAREST).hits]
        rows = self._store.rows_of(where, [node.id for node in nodes])
        cosines = self._recaller.cosines(text, [node.content for node in nodes])
        return [Near(rows[n.id], n, cosine) for n, cosine in zip(nodes, cosines, strict=True) if n.id in rows]

    def _meant(self, where: str, target: str) -> tuple[int, Node]:
        """Row and node of an id, or of a text that is clearly one memory; facts are looked at first."""
        from .consolidate.target import choose

        if not isinstance(target, str) or not target.strip():
            raise InvalidInput("target", "is empty", "give the id of a memory, or a text")
        row = self._store.rows_of(where, [target]).get(target)
        if row is not None:
            return row, self._store.one(row)
        if _ID.fullmatch(target):
            raise NotFound("memory", target)
        near: list[Node] = []
        for kinds in (FACTS, ("episodic",)):
            filters = replace(Filters.read(now=self._clock.now(), zone=self._zone, kinds=kinds), reference=False)
            hits = self._recaller.recall(where, target, filters, limit=NEAREST).hits
            meant, close = choose(target, [hit.node for hit in hits])
            if meant is not None:
                return self._store.node(where, meant.id)
            near += close
            if close:
                break
        if near:
            raise Uncertain("memory", target, tuple(node.id for node in near))
        raise NotFound("memory", target)


def space_name(value: object) -> str:
    """A space as given by a caller.

    Raises:
        InvalidInput: not a name.
    """
    text = named(value, "space")
    if text is None or not text.strip():
        raise InvalidInput("space", "is empty", "give a name, or leave it out for 'default'")
    return text
