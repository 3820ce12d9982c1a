"""What the stages ask of a SQLite store: one method for each question, named results, no statement beyond this folder.

Every method reads in a snapshot of its own; inside ``with store.snapshot():`` all of them read of one moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from . import causes as reasons
from . import facts as beliefs
from . import fading as strengths
from . import graph
from .causes import Cause
from .documents import C
from .facts import Evidence, F, Fact
from .fading import Fading
from .queries import load
from .rows import first_row, last_row

Q, S = load("queries.sql"), load("seasons.sql")


class Link(NamedTuple):
    """A live link of ``row`` to another memory; ``way`` is ``out`` where it begins at the row, else ``in``."""

    row: int
    other: int
    relation: str
    weight: float
    way: str


class Derived(NamedTuple):
    """A row and one that was read from it (``derived_from``)."""

    source: int
    row: int


class KnownName(NamedTuple):
    """A name of an entity; ``beginning`` is the place of the beginning it was found by among those asked for."""

    alias: str
    entity: int
    person: bool
    beginning: int


class CardRule(NamedTuple):
    """A card with the rule that says which questions it is for (JSON, ``None`` without one)."""

    row: int
    id: str
    origin: str
    title: str | None
    path: str
    rule: str | None


class Generation(NamedTuple):
    """The vectors of one model: number, name of the model, numbers of a vector."""

    no: int
    name: str
    dimension: int


class Space(NamedTuple):
    """A space: number, name, how many rows were ever written to it, how often existing rows were changed."""

    no: int
    name: str
    seq: int
    epoch: int

    @property
    def first(self) -> int:
        """The row number before its first one."""
        return first_row(self.no)

    @property
    def newest(self) -> int:
        """Its newest row."""
        return first_row(self.no) + self.seq


class Recurring(NamedTuple):
    """A memory behind a topic that comes back every year; ``first`` and ``last`` are days of the year, from 1."""

    topic: str
    row: int
    id: str
    event_time: int
    year: int
    first: int
    last: int
    chance: float


class Reads:
    """Questions to the file. :class:`~mnemic.store.sqlite.SqliteStore` is made of these."""

    def reader(self, *, fresh: bool = False) -> AbstractContextManager[Any]:
        """A read-only connection in a snapshot; of this folder only."""
        raise NotImplementedError

    def space_no(self, connection: Any, space: str) -> tuple[int, int, int] | None:
        """(no, seq, epoch) of a space, ``None`` when nothing was ever written to it."""
        raise NotImplementedError

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
            return [] if found is None else list(r.execute(statement, (first_row(found[0]), last_row(found[0]), *values)))

    # -- spaces, sessions, sources ------------------------------------------------------------------------------------

    def all_spaces(self) -> list[Space]:
        """Every space, in the order they were made."""
        return [Space(*row) for row in self._rows(Q.spaces)]

    def session_no(self, space: str, key: str) -> int | None:
        """Number of a session; ``None`` where there is none of that name."""
        return next((no for (no,) in self._in(space, Q.session_number, key)), None)

    def rows_of_session(self, no: int) -> list[int]:
        """Rows of a session by its number, in the order of their times."""
        return [row for (row,) in self._rows(Q.rows_of_session, no)]

    def source_numbers(self, space: str, path: str) -> list[int]:
        """Numbers of a source and of those in a folder of that name."""
        return [no for (no,) in self._in(space, Q.source_numbers, path)]

    def rows_of_source(self, space: str, path: str) -> list[int]:
        """Rows that were imported from exactly this path."""
        return [row for (row,) in self._in(space, Q.rows_of_source, path)]

    def rows_of_entity(self, space: str, folded: str) -> list[int]:
        """Rows that mention the entity of an alias (normalised)."""
        return [row for (row,) in self._in(space, Q.rows_of_entity, folded)]

    def rows_of_origin(self, space: str, origin: str) -> list[int]:
        """Visible rows that came by a channel."""
        return [row for (row,) in self._within(space, F.rows_by_origin, origin)]

    def rows_of_space(self, space: str) -> list[int]:
        """Every row of a space, ascending."""
        return [row for (row,) in self._within(space, Q.rows_of_space)]

    # -- facts and what joins them ------------------------------------------------------------------------------------

    def facts(self, rows: Iterable[int]) -> dict[int, Fact]:
        """Facts by row; rows that are no facts are left out."""
        with self.reader() as r:
            return beliefs.facts_in(r, rows)

    def evidence(self, rows: Iterable[int]) -> dict[int, list[Evidence]]:
        """Evidence by fact row, the oldest first."""
        with self.reader() as r:
            return beliefs.evidence_of(r, rows)

    def derived(self, rows: Iterable[int]) -> list[Derived]:
        """What was read from rows, whether it still holds or not."""
        with self.reader() as r:
            return [Derived(source, row) for source, row, relation in beliefs.derived(r, rows) if relation == "derived_from"]

    def dependents(self, rows: Iterable[int]) -> set[int]:
        """Everything that was derived from nothing but these rows, without them."""
        with self.reader() as r:
            return beliefs.dependents(r, rows)

    def links(self, rows: Iterable[int], most: int) -> list[Link]:
        """Live links of rows to other memories, either way, the strongest of each row first; not the automatic ones."""
        return [Link(*row) for row in self._rows(F.related, json.dumps(list(rows)), most)]

    def successors(self, rows: Iterable[int]) -> dict[int, int]:
        """Row → the one that took its place; rows that nothing replaced are left out."""
        return dict(self._rows(F.successors, json.dumps(sorted(rows))))

    def replaced_by(self, row: int, *, most: int | None = None) -> list[int]:
        """What a fact has replaced, step by step, the newest first."""
        return self._chain(F.predecessors, row, most)

    def replacing(self, row: int, *, most: int | None = None) -> list[int]:
        """What has replaced a fact, step by step, the oldest first."""
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

    def causes(
        self, rows: Sequence[int], known_at: int, *, depth: int = 1, allowed: Callable[[int], bool] = lambda row: True
    ) -> list[Cause]:  # fmt: skip
        """Causes of some rows (see :func:`mnemic.store.causes.causes`)."""
        with self.reader() as r:
            return reasons.causes(r, rows, known_at, depth=depth, allowed=allowed)

    def effects(self, row: int, known_at: int) -> list[Cause]:
        """What a row is said to have caused."""
        with self.reader() as r:
            return reasons.effects(r, row, known_at)

    def fading(self, rows: Iterable[int], now: int) -> list[Fading]:
        """Traces of those of some rows that are neither hidden nor over, by row."""
        with self.reader() as r:
            return strengths.fading(r, rows, now)

    def reach(
        self, start: int, *, depth: int, most: int, allowed: Callable[[int], bool],
        relations: Collection[str] = graph.RELATIONS, target: int | None = None,
    ) -> dict[int, graph.Step]:  # fmt: skip
        """Rows within so many steps (see :func:`mnemic.store.graph.reach`)."""
        with self.reader() as r:
            return graph.reach(r, start, depth=depth, most=most, allowed=allowed, relations=relations, target=target)

    # -- names --------------------------------------------------------------------------------------------------------

    def names_like(self, space: str, beginnings: Sequence[str], phrases: Sequence[str], most: int) -> list[KnownName]:
        """Names of a space that begin like given ones (of these at most so many, the most mentioned first), then those
        that are a given phrase exactly."""
        begin = json.dumps(beginnings)
        found = self._in(space, graph.G.named_like, begin, most)
        found += self._in(space, graph.G.named_exactly, json.dumps(phrases), begin)
        return [KnownName(*row) for row in found]

    def names_exactly(self, space: str, phrases: Iterable[str]) -> list[tuple[str, int]]:
        """(name, entity) of the names of a space that are given phrases."""
        return self._in(space, graph.G.named_so, json.dumps(list(phrases), ensure_ascii=False))

    def aliases(self, entities: Iterable[int]) -> list[tuple[int, str, str]]:
        """(entity, its name, alias) for all names of some entities."""
        return self._rows(graph.G.names_of, json.dumps(list(entities)))

    def newest_mentions(self, entities: Sequence[int], most: int) -> list[tuple[int, int]]:
        """(entity, row) of at most so many of the newest rows that mention each."""
        return self._rows(graph.G.newest_of, json.dumps(entities), most, None)

    def mentioned(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """(row, entity) for what rows mention."""
        return [(row, no) for row, no, *_ in self._rows(graph.G.names_in, json.dumps(list(rows)))]

    # -- documents ----------------------------------------------------------------------------------------------------

    def card_rules(self, rows: Iterable[int]) -> list[CardRule]:
        """Cards with their rules, by row."""
        return [CardRule(*row) for row in self._rows(C.rules_of, json.dumps(list(rows)))]

    # -- vectors ------------------------------------------------------------------------------------------------------

    def generations(self) -> list[Generation]:
        """Models of which the file holds vectors, the oldest first."""
        return [Generation(*row) for row in self._rows(Q.generations)]

    # -- what comes back every year -----------------------------------------------------------------------------------

    def state(self, space: str) -> tuple[int, int, int | None] | None:
        """(rows written, changes of rows, last logged change): what was read of a space is as it was where this is."""
        return next(iter(self._rows(S.state, space)), None)

    def season_topics(self, space: str) -> set[str]:
        """Topics that are known to come back."""
        return {topic for (topic,) in self._in(space, S.topics)}

    def spoken(self, space: str, after: int, longest: int, most: int, times: tuple[int, int]) -> list[tuple[int, int, str]]:
        """(row, event time, search text) of what the user said and of what happened, behind a row.

        Args:
            longest: terms of a text; longer ones are left out. times: event times, first and last.
        """
        return self._within(space, S.spoken, after, longest, most, *times)

    def recurring(self, space: str, near: Sequence[str] | None = None) -> list[Recurring]:
        """The visible memories behind each topic, by topic, the newest first; ``near``: of topics of these ids only."""
        if near is None:
            return [Recurring(*row) for row in self._in(space, S.memories)]
        return [Recurring(*row) for row in self._in(space, S.memories_near, json.dumps(list(near)))]


__all__ = ["CardRule", "Derived", "Generation", "KnownName", "Link", "Reads", "Recurring", "Space"]
