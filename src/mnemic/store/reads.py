"""What the stages ask of a SQLite store: one method for each question, named results, no statement beyond this folder.

Every method reads in a snapshot of its own; inside ``with store.snapshot():`` all of them read of one moment.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import NotFound
from ..models import Entity
from . import entities, graph, merging
from . import facts as beliefs
from .adding import SILENCE
from .base import (
    CardRule,
    Derived,
    Due,
    Failures,
    Generation,
    KnownName,
    Link,
    OpenConflict,
    Pending,
    Recurring,
    SessionState,
    Source,
    Space,
    Spoken,
    Unread,
)
from .documents import C, CardState
from .documents import state as card_state
from .facts import Change, Evidence, F, Fact, Fading
from .graph import Cause
from .merging import Compared
from .queries import load
from .rows import entity_from, first_row, last_row
from .vectors import means

Q, S, P, COLD = (load(f"{name}.sql") for name in ("queries", "seasons", "enriching", "cold"))


class Reads(ABC):
    """Questions to the file. :class:`~mnemic.store.sqlite.SqliteStore` is made of these."""

    @abstractmethod
    def reader(self, *, fresh: bool = False) -> AbstractContextManager[Any]:
        """A read-only connection in a snapshot; of this folder only."""

    @abstractmethod
    def space_no(self, connection: Any, space: str) -> tuple[int, int, int] | None:
        """(no, seq, epoch) of a space, ``None`` when nothing was ever written to it."""

    @abstractmethod
    def now(self) -> int:
        """The clock's now, microseconds."""

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        """Rows of a statement with just these parameters."""
        with self.reader() as r:
            return list(r.execute(statement, values))

    def _in(self, space: str, statement: str, *values: Any) -> list[Any]:
        """Rows of a statement whose first parameter is the number of the space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            return [] if found is None else list(r.execute(statement, (found[0], *values)))

    def _within(self, space: str, statement: str, *values: Any) -> list[Any]:
        """Rows of a statement whose first parameters are the row range of the space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            bounds = (first_row(found[0]), last_row(found[0])) if found else ()
            return list(r.execute(statement, (*bounds, *values))) if found else []

    # -- spaces, sessions, sources ------------------------------------------------------------------------------------

    def all_spaces(self) -> list[Space]:
        return [Space(*row) for row in self._rows(Q.spaces)]

    def space(self, name: str) -> Space | None:
        with self.reader() as r:
            found = self.space_no(r, name)
            return None if found is None else Space(found[0], name, found[1], found[2])

    def session_no(self, space: str, key: str) -> int | None:
        return next((no for (no,) in self._in(space, Q.session_number, key)), None)

    def rows_of_session(self, no: int) -> list[int]:
        return [row for (row,) in self._rows(Q.rows_of_session, no)]

    def source_numbers(self, space: str, path: str) -> list[int]:
        return [no for (no,) in self._in(space, Q.source_numbers, path)]

    def rows_of_source(self, space: str, path: str) -> list[int]:
        return [row for (row,) in self._in(space, Q.rows_of_source, path)]

    def rows_of_entity(self, space: str, folded: str) -> list[int]:
        return [row for (row,) in self._in(space, Q.rows_of_entity, folded)]

    def rows_of_origin(self, space: str, origin: str) -> list[int]:
        return [row for (row,) in self._within(space, F.rows_by_origin, origin)]

    def rows_of_space(self, space: str) -> list[int]:
        return [row for (row,) in self._within(space, Q.rows_of_space)]

    def source(self, space: str, path: str) -> Source | None:
        return next((Source(*row) for row in self._in(space, Q.source, path)), None)

    def source_files(self, space: str) -> list[tuple[str, str, int, int]]:
        return self._in(space, Q.source_files)

    def not_named(self, after: int, upto: int, most: int) -> list[tuple[int, str, str | None, int]]:
        return self._rows(Q.naming_rows, after, upto, most)

    def meta(self, key: str) -> str | None:
        return next((value for (value,) in self._rows(Q.meta, key)), None)

    def noted(self, job: str) -> dict[str, Any] | None:
        return next((json.loads(payload or "{}") for _, payload, *_ in self._rows(F.job, job)), None)

    def first_told(self, space: str) -> int | None:
        return next((at for (at,) in self._within(space, Q.first_told)), None)

    def cold_rows(self, space: str) -> list[int]:
        return [row for (row,) in self._within(space, COLD.cold_in)]

    def any_silent(self) -> bool:
        return bool(self._rows(Q.silent_sessions, self.now() - SILENCE))

    def pending_sessions(
        self, space: str, most: int, *, open_too: bool = False, before: int | None = None
    ) -> list[Pending]:  # fmt: skip
        return [Pending(*row) for row in self._in(space, F.pending_sessions, open_too, before, most)]

    def unread_sessions(self, space: str) -> list[Unread]:
        return [Unread(*row) for row in self._in(space, F.unread_sessions)]

    def session_state(self, space: str, key: str) -> SessionState:
        for row in self._in(space, F.session_by_key, key):
            return SessionState(*row)
        raise NotFound("session", key)

    def read_since(self, space: str, since: int, key: str | None) -> list[tuple[int, int]]:
        return self._in(space, F.sessions_since, since, key)

    def messages_after(self, session: int, after: int, upto: int = 2**62, most: int = -1) -> list[Spoken]:
        return [Spoken(*row) for row in self._rows(F.episodes_after, session, after, upto, most)]

    def messages(self, rows: Iterable[int]) -> list[Spoken]:
        return [Spoken(*row) for row in self._rows(F.episodes_in, json.dumps(list(rows)))]

    def to_read_again(self, space: str, until: int, most: int, *, given_up: bool = False) -> list[int]:
        found = self._rows(F.due_jobs, f"extract:{space}", until, most, given_up)
        return [json.loads(payload)["row"] for _, payload, _ in found]

    def known_names(self, space: str, most: int) -> dict[str, str]:
        return dict(self._in(space, F.known_names, most))

    # -- facts and what joins them ------------------------------------------------------------------------------------

    def facts(self, rows: Iterable[int]) -> dict[int, Fact]:
        with self.reader() as r:
            return beliefs.facts_in(r, rows)

    def evidence(self, rows: Iterable[int]) -> dict[int, list[Evidence]]:
        with self.reader() as r:
            return beliefs.evidence_of(r, rows)

    def derived(self, rows: Iterable[int], *, supported: bool = False) -> list[Derived]:
        found = self._rows(F.derived_rows, json.dumps(list(rows)))
        return [Derived(source, row) for source, row, how in found if supported or how == "derived_from"]

    def dependents(self, rows: Iterable[int]) -> set[int]:
        with self.reader() as r:
            return beliefs.dependents(r, rows)

    def links(self, rows: Iterable[int], most: int) -> list[Link]:
        return [Link(*row) for row in self._rows(F.related, json.dumps(list(rows)), most)]

    def successors(self, rows: Iterable[int]) -> dict[int, int]:
        return dict(self._rows(F.successors, json.dumps(sorted(rows))))

    def replaced_by(self, row: int, *, most: int | None = None) -> list[int]:
        return self._chain(F.predecessors, row, most)

    def replacing(self, row: int, *, most: int | None = None) -> list[int]:
        return self._chain(F.successors, row, most)

    def _chain(self, statement: str, row: int, most: int | None) -> list[int]:
        out: dict[int, None] = {}
        frontier = [row]
        with self.reader() as r:
            while frontier and (most is None or len(out) < most):
                found = r.execute(statement, (json.dumps(frontier),)).fetchall()
                frontier = list(dict.fromkeys(n for _, n in found if n not in out and n != row))
                out.update(dict.fromkeys(frontier))
        return list(out)

    def rivals(self, entity: int, predicates: Iterable[str]) -> list[Fact]:
        with self.reader() as r:
            return beliefs.facts_of(r, entity, predicates)

    def changes(self, rows: Iterable[int]) -> list[Change]:
        with self.reader() as r:
            return beliefs.changes_of(r, rows)

    def changed_between(self, space: str, after: int, until: int) -> list[int]:
        return list(dict.fromkeys(row[4] for row in self._in(space, F.changes_between, after, until)))

    def weak_facts(self, space: str, below: float, most: int) -> list[int]:
        return [row for (row,) in self._within(space, F.weak_facts, below, most)]

    def conflicts(self, space: str, most: int) -> list[OpenConflict]:
        return [OpenConflict(*row) for row in self._within(space, F.conflicts, most)]

    def entities_mentioned(self, space: str, row: int) -> list[Entity]:
        return [entity_from(found, space) for found in self._rows(F.entities_mentioned, row)]

    def causes(
        self, rows: Sequence[int], known_at: int, *, depth: int = 1, allowed: Callable[[int], bool] = lambda row: True
    ) -> list[Cause]:  # fmt: skip
        with self.reader() as r:
            return graph.causes(r, rows, known_at, depth=depth, allowed=allowed)

    def effects(self, row: int, known_at: int) -> list[Cause]:
        with self.reader() as r:
            return graph.effects(r, row, known_at)

    def fading(self, rows: Iterable[int], now: int) -> list[Fading]:
        with self.reader() as r:
            return beliefs.fading(r, rows, now)

    def reach(
        self, start: int, *, depth: int, most: int, allowed: Callable[[int], bool],
        relations: Collection[str] = graph.RELATIONS, target: int | None = None,
    ) -> dict[int, graph.Step]:  # fmt: skip
        with self.reader() as r:
            return graph.reach(r, start, depth=depth, most=most, allowed=allowed, relations=relations, target=target)

    # -- names --------------------------------------------------------------------------------------------------------

    def names_like(self, space: str, beginnings: Sequence[str], phrases: Sequence[str], most: int) -> list[KnownName]:
        begin = json.dumps(beginnings)
        found = self._in(space, graph.G.named_like, begin, most)
        found += self._in(space, graph.G.named_exactly, json.dumps(phrases), begin)
        return [KnownName(*row) for row in found]

    def names_exactly(self, space: str, phrases: Iterable[str]) -> list[tuple[str, int]]:
        return self._in(space, graph.G.named_so, json.dumps(list(phrases), ensure_ascii=False))

    def aliases(self, entities: Iterable[int]) -> list[tuple[int, str, str]]:
        return self._rows(graph.G.names_of, json.dumps(list(entities)))

    def newest_mentions(self, entities: Sequence[int], most: int) -> list[tuple[int, int]]:
        return self._rows(graph.G.newest_of, json.dumps(entities), most, None)

    def mentioned(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        return [(row, no) for row, no, *_ in self._rows(graph.G.names_in, json.dumps(list(rows)))]

    def kept_apart(self, space: str) -> set[frozenset[str]]:
        log = self._in(space, entities.E.entity_changes)
        undone = {before for _, act, before, _ in log if act == "entity.undo"}
        out = set()
        for no, act, before, _ in log:
            if before and act in ("entity.split", "entity.merge") and (act == "entity.split") != (str(no) in undone):
                content = json.loads(before)
                out.add(frozenset((content["entity"], content["other"])))
        return out

    def profiled(self, space: str, entities: Iterable[int]) -> list[tuple[int, Entity, str | None]]:
        found = self._rows(P.profiled, json.dumps(sorted(entities)))
        return [(row[0], entity_from(row[:8], space), row[8]) for row in found]

    def mentioning(self, entities: Iterable[int]) -> list[tuple[int, int]]:
        return self._rows(P.rows_of_all, json.dumps(sorted(entities)))

    def profiles_due(self, space: str, after: int, least: int, most: int) -> list[int]:
        return [no for (no,) in self._in(space, P.profile_due, after, least, most)]

    def last_change(self) -> int:
        return self._rows(Q.last_change)[0][0] or 0

    def entities_changed(self, space: str, after: int, upto: int, most: int) -> tuple[int, set[int]] | None:
        with self.reader() as r:
            found = self.space_no(r, space)
            page = r.execute(P.changes_since, (found[0], after, upto, most)).fetchall() if found else []
            if not found or not page:
                return None
            rows = sorted({row for _, _, row, _ in page if row is not None})
            numbers = {no for _, no in r.execute(F.mentions_of, (json.dumps(rows),))}
            for _, act, row, before in page:
                if row is None and act.startswith("entity."):
                    numbers |= entities.meant_by(r, found[0], act, before)
            return page[-1][0], numbers

    # -- documents ----------------------------------------------------------------------------------------------------

    def card_rules(self, rows: Iterable[int]) -> list[CardRule]:
        return [CardRule(*row) for row in self._rows(C.rules_of, json.dumps(list(rows)))]

    def card(self, row: int) -> CardState | None:
        with self.reader() as r:
            return card_state(r, row)

    def card_of_path(self, space: str, path: str) -> CardState | None:
        with self.reader() as r:
            return next((card_state(r, row) for (row,) in self._in(space, C.card_of_path, path)), None)

    def sections_shown(self, card: int) -> list[int]:
        return [row for _, row in self._rows(C.sections_shown, json.dumps([card]))]

    def card_uses(self, rows: Iterable[int]) -> dict[int, tuple[int, int | None]]:
        return {row: (int(count), last) for row, count, last in self._rows(C.uses_of, json.dumps(list(rows)))}

    # -- vectors ------------------------------------------------------------------------------------------------------

    def generations(self) -> list[Generation]:
        return [Generation(*row) for row in self._rows(Q.generations)]

    def generation(self, model: str) -> Generation | None:
        return next((Generation(no, model, dimension) for no, dimension in self._rows(Q.generation, model)), None)

    def embedded_upto(self, generation: int, space: Space) -> int:
        return next((upto for (upto,) in self._rows(Q.embedded_upto, generation, space.no)), space.first)

    def not_embedded(self, after: int, upto: int, most: int) -> list[Due]:
        return [Due(*row) for row in self._rows(Q.due_rows, after, upto, most)]

    def to_embed_again(self, generation: int, until: int, most: int) -> list[Due]:
        return [Due(*row) for row in self._rows(Q.due_retries, generation, until, most)]

    def failures(self, space: str, generation: int) -> Failures:
        with self.reader() as r:
            no = (self.space_no(r, space) or (0,))[0]
            count, given_up, reason = r.execute(Q.failures, (generation, first_row(no), last_row(no))).fetchone()
        return Failures(count, given_up or 0, reason)

    def known_words(self, space: int, generation: int, terms: Iterable[str]) -> tuple[set[str], set[str]]:
        asked = json.dumps(list(terms), ensure_ascii=False)
        with self.reader() as r:
            known, embedded = (
                r.execute(Q.known_words, (space, asked)),
                r.execute(Q.known_word_vectors, (generation, asked)),
            )
            return {term for (term,) in known}, {term for (term,) in embedded}

    def count_words(self, space: int) -> int:
        return int(self._rows(Q.count_words, space)[0][0])

    # -- what comes back every year -----------------------------------------------------------------------------------

    def state(self, space: str) -> tuple[int, int, int | None] | None:
        return next(iter(self._rows(S.state, space)), None)

    def season_topics(self, space: str) -> set[str]:
        return {topic for (topic,) in self._in(space, S.topics)}

    def spoken(
        self, space: str, after: int, longest: int, most: int, times: tuple[int, int]
    ) -> list[tuple[int, int, str]]:
        return self._within(space, S.spoken, after, longest, most, *times)

    def recurring(self, space: str, near: Sequence[str] | None = None) -> list[Recurring]:
        if near is None:
            return [Recurring(*row) for row in self._in(space, S.memories)]
        return [Recurring(*row) for row in self._in(space, S.memories_near, json.dumps(list(near)))]

    # -- the night ----------------------------------------------------------------------------------------------------

    def compared(self, rows: Iterable[int]) -> dict[int, Compared]:
        with self.reader() as r:
            return merging.compared(r, rows)

    def at_issue(self, rows: Iterable[int]) -> set[frozenset[int]]:
        with self.reader() as r:
            return merging.at_issue(r, rows)

    def taken_apart(self, rows: Iterable[int]) -> set[int]:
        with self.reader() as r:
            return merging.taken_apart(r, rows)

    def means(self, space: Space, model: str, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        with self.reader() as r:
            return means(r, space.no, model, [row for row in rows if space.holds(row)])

    def connections(self, rows: Iterable[int]) -> dict[int, int]:
        with self.reader() as r:
            return beliefs.connections(r, rows)

    def held_up(self, rows: Iterable[int]) -> dict[int, dict[int, str]]:
        with self.reader() as r:
            return beliefs.held_up(r, rows)

    def facts_after(self, space: Space, after: int, most: int) -> list[tuple[int, str]]:
        return self._rows(merging.M.facts_after, after, space.last, most)

    def fresh_facts(self, space: Space, after: int, since: int) -> list[int]:
        return [row for (row,) in self._rows(merging.M.fresh_facts, after, space.last, since)]

    def of_topics(self, space: Space, rows: Sequence[int], most: int) -> list[tuple[int, int]]:
        return self._rows(merging.M.of_topics, json.dumps(rows), space.first, space.last, most)

    def shared_senses(self, space: Space, after: int, most: int) -> list[int]:
        return [number for (number,) in self._rows(merging.M.shared_senses, space.first, space.last, after, most)]

    def of_sense(self, space: Space, number: int) -> list[int]:
        return [row for (row,) in self._rows(merging.M.of_sense, number, space.first, space.last)]

    def copies_state(self, space: Space, model: str | None) -> list[int | None]:
        with self.reader() as r:
            state: list[int | None] = [space.seq, space.epoch, r.execute(Q.last_change).get]
            found = r.execute(Q.generation, (model,)).fetchone() if model else None
            if found is not None:
                loose = r.execute(Q.tail_state, (found[0], space.first, space.last)).fetchone()
                state += [found[0], *loose, r.execute(Q.last_vector_chunk, (found[0], space.no)).get]
        return state
