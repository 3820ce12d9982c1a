"""What a store promises, in words. SQLite is the first implementation; PostgreSQL comes behind the same contract tests.

Semantics that every implementation keeps:

* **Acknowledged is kept.** A future from ``submit`` that has a result is committed; a crash loses nothing of it.
* **All or nothing.** What one submitted function writes is one act: nodes, edges, tags and index rows together.
* **Order.** Functions run in the order of submission; rows of a space are numbered in the order they were written.
* **One space.** Every read names one space and never answers from another; an unknown space is empty.
* **Reads never write**, and never wait for a writer. What a reader was given does not change while others write.
* **Erased is gone.** Erased bytes are in no file of the store once the log was emptied; their keys stay refused.
* **Derived is derived.** Keyword index, columns and vectors can be dropped and built again from the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..models import Entity, Node, Session
from .rows import first_row, last_row

if TYPE_CHECKING:
    from .columns import Columns
    from .documents import CardState
    from .facts import Change, Evidence, Fact, Fading
    from .forgotten import Forgotten
    from .graph import Cause, Step
    from .merging import Compared
    from .tx import Tx
    from .vectors import VectorIndex
    from .words import WordIndex

R = TypeVar("R")


class Link(NamedTuple):
    """A live link of ``row`` to another memory; ``way`` is ``out`` where it begins at the row, else ``in``."""

    row: int
    other: int
    relation: str
    weight: float
    way: str


class OpenConflict(NamedTuple):
    """Two facts that cannot both hold, since when that is known, and why."""

    newer: int
    older: int
    at: int
    why: str | None


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
        return self.first + self.seq

    @property
    def last(self) -> int:
        """The last row number that it may ever have."""
        return last_row(self.no)

    def holds(self, row: int) -> bool:
        """Whether a row is one of this space."""
        return self.first < row <= self.last


class Due(NamedTuple):
    """A row that waits for its vector, and how often that has failed."""

    row: int
    text: str
    attempts: int = 0


class Failures(NamedTuple):
    """Rows without a vector because their text was refused; how many of them are given up; one of the reasons."""

    rows: int
    given_up: int
    reason: str | None


class Source(NamedTuple):
    """A file that was imported, as it was then; ``offset``: up to where it was read."""

    no: int
    format: str
    mtime_ns: int
    size: int
    offset: int
    head_hash: str
    options: str


class Pending(NamedTuple):
    """A session with messages behind its watermark."""

    no: int
    key: str
    watermark: int
    last: int


class SessionState(NamedTuple):
    """A session: number, key, up to which row it was read, its last row, since when it is over (``None``: it goes on)."""

    no: int
    key: str
    watermark: int
    last: int | None
    over: int | None


class Unread(NamedTuple):
    """A session with visible messages behind its watermark: how many, from when to when."""

    no: int
    key: str
    channel: str
    watermark: int
    over: int | None
    messages: int
    first: int
    last: int


class Spoken(NamedTuple):
    """A message as an extractor is given it."""

    row: int
    id: str
    text: str
    at: int
    role: str | None
    speaker: str | None
    origin: str
    trust: float
    label: str


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


class Store(Protocol):
    """A place where the memories of many spaces are kept."""

    path: str
    private: bool

    def close(self) -> None:
        """Commit what is queued, fold the log in, close every connection. Idempotent.

        In a forked child this only lets go: the connections belong to the parent."""

    def snapshot(self) -> AbstractContextManager[None]:
        """All that this thread reads inside is of one moment, whichever methods it calls: nothing newer is seen."""

    def submit(self, fn: Callable[[Tx], R]) -> Future[R]:
        """Queue a write; the future resolves after its commit, or with the error, in which case nothing was written."""

    def run(self, fn: Callable[[Tx], R]) -> R:
        """Queue a write and wait for its commit."""

    def now(self) -> int:
        """The clock's now, microseconds."""

    @property
    def waiting(self) -> int:
        """Writes in the queue."""

    def spaces(self) -> list[str]:
        """Names of all spaces."""

    def count(self, space: str) -> int:
        """How many memories a space holds."""

    def columns(self, space: str) -> Columns:
        """Columns of a space, brought up to the newest commit."""

    def pack_columns(self, space: str) -> int:
        """Pack the rows of a space that are not packed yet; returns how many chunks that touched."""

    def merge_search(self) -> Iterator[int]:
        """Merge the keyword index into one piece, of which a word is found several times faster; the number of each step,
        a short transaction, between which others may write."""

    def postings(self, space: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        """Rows that hold each term, once per occurrence. Call :meth:`columns` first: it decides what "now" is."""

    def literal(self, space: str, text: str, limit: int) -> list[int]:
        """Rows whose text holds ``text`` to the letter, newest first."""

    def vectors(self, space: str, model: str) -> VectorIndex | None:
        """Vectors of a space made by a model, brought up to the newest commit."""

    def words(self, space: str, model: str) -> WordIndex | None:
        """The vocabulary of a space with the vectors of a model; ``None`` when there is none."""

    def hot(self) -> Store:
        """This store without the texts of cold memories: such nodes are left out, such search texts empty."""

    def nodes(self, rows: Sequence[int], *, every: bool = False) -> Mapping[int, Node]:
        """Nodes by row number, as a reader may see them: without what is forgotten, and those of which nothing is left not
        at all, unless it is ``every`` one of these rows that is asked for."""

    def one(self, row: int) -> Node:
        """The node of a row that is there; one that is forgotten too, a message without the sentences that are."""

    def forgotten(self, rows: Sequence[int]) -> Forgotten:
        """What is forgotten among some rows."""

    def node(self, space: str, id_: str) -> tuple[int, Node]:
        """Row and node of an id.

        Raises:
            NotFound: unknown here (an id of another space answers alike)."""

    def rows_of(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Row numbers of ids in a space."""

    def search_texts(self, rows: NDArray[np.int64]) -> list[str]:
        """Search text of each row, in the order given; empty for a row without one."""

    def rows_with_tag(self, space: str, tag: str) -> list[int]:
        """Rows that carry exactly this tag."""

    def entities(self, space: str, folded: str) -> list[tuple[int, Entity]]:
        """Entities that an alias names exactly."""

    def entities_meant(self, space: str, name: str) -> list[tuple[int, Entity]]:
        """Entities that a name as somebody writes it means: those of exactly this name, else, of a Russian one, the only one
        of this name in another case («Марии»). A name that was met in that case, and of which no more is known than that
        («Альбатроса», a concept), gives way to one whose sort is known."""

    def entity_list(self, space: str, type_: str | None, limit: int) -> list[Entity]:
        """Entities of a space, of one type or all, the most mentioned first."""

    def entity_of(self, space: str, id_: str) -> Entity:
        """The entity of an id.

        Raises:
            NotFound: there is none here."""

    def sessions(self, space: str, limit: int = 100, offset: int = 0) -> list[Session]:
        """Sessions of a space, the latest first."""

    def erase(self, space: str, rows: Sequence[int], *, actor: str = "user") -> dict[str, int]:
        """Remove rows and all that was made from nothing else; returns counts and the proof that no byte is left."""

    def erase_again(self, other: Path) -> Mapping[str, int]:
        """Erase here what was erased from another file: for a backup that is older than an erasure."""

    def finish_erasing(self) -> None:
        """Go on with erasures that a process began and did not end."""

    def cold_rows(self, space: str) -> list[int]:
        """Rows of a space whose texts are in the cold file."""

    def checkpoint(self) -> None:
        """Fold the log into the file and empty it.

        Raises:
            StoreBusy: a reader, of this process or another, still needs the log; it is emptied once that one ends."""

    def backup(self, target: Path, progress: Callable[[str], None] | None = None) -> None:
        """Copy the file while it is in use; the copy holds everything acknowledged before the call."""

    def all_spaces(self) -> list[Space]:
        """Every space, in the order they were made."""

    def space(self, name: str) -> Space | None:
        """A space; ``None`` when nothing was ever written to it."""

    def session_no(self, space: str, key: str) -> int | None:
        """Number of a session; ``None`` where there is none of that name."""

    def rows_of_session(self, no: int) -> list[int]:
        """Rows of a session by its number, in the order of their times."""

    def source_numbers(self, space: str, path: str) -> list[int]:
        """Numbers of a source and of those in a folder of that name."""

    def rows_of_source(self, space: str, path: str) -> list[int]:
        """Rows that were imported from exactly this path."""

    def rows_of_entity(self, space: str, folded: str) -> list[int]:
        """Rows that mention the entity of an alias (normalised)."""

    def rows_of_origin(self, space: str, origin: str) -> list[int]:
        """Visible rows that came by a channel."""

    def rows_of_space(self, space: str) -> list[int]:
        """Every row of a space, ascending."""

    def source(self, space: str, path: str) -> Source | None:
        """What is known of a file; ``None`` where it was never imported."""

    def source_files(self, space: str) -> list[tuple[str, str, int, int]]:
        """(path, format, time of change in ns, size) of all files that were imported."""

    def not_named(self, after: int, upto: int, most: int) -> list[tuple[int, str, str | None, int]]:
        """(row, text, speaker, event time) of rows in a range, ascending."""

    def meta(self, key: str) -> str | None:
        """A setting of the file."""

    def noted(self, job: str) -> dict[str, Any] | None:
        """What was noted of a piece of work (``KIND:SPACE``), ``None`` where it was never begun."""

    def first_told(self, space: str) -> int | None:
        """When the oldest memory that a space still holds was written."""

    def any_silent(self) -> bool:
        """Whether a session has been silent for so long that it has ended."""

    def pending_sessions(
        self, space: str, most: int, *, open_too: bool = False, before: int | None = None
    ) -> list[Pending]:
        """Sessions with messages behind their watermark, the longest waiting first.

        Args:
            open_too: those too that have not ended. before: those only whose last message was written earlier."""

    def unread_sessions(self, space: str) -> list[Unread]:
        """Sessions with visible messages behind their watermark, the longest waiting first."""

    def session_state(self, space: str, key: str) -> SessionState:
        """How far a session was read.

        Raises:
            NotFound: there is none of that name."""

    def read_since(self, space: str, since: int, key: str | None) -> list[tuple[int, int]]:
        """(number, watermark) of sessions, all or one, of which something was read and that have messages since a moment."""

    def messages_after(self, session: int, after: int, upto: int = 2**62, most: int = -1) -> list[Spoken]:
        """Visible messages of a session (by number) in a range of rows, ascending."""

    def messages(self, rows: Iterable[int]) -> list[Spoken]:
        """Those of some rows that are visible messages, ascending."""

    def to_read_again(self, space: str, until: int, most: int, *, given_up: bool = False) -> list[int]:
        """Messages whose further reading is due, and those of which it was ``given_up``."""

    def known_names(self, space: str, most: int) -> dict[str, str]:
        """Names of a space with the type of whom they name, of the most mentioned."""

    def facts(self, rows: Iterable[int]) -> dict[int, Fact]:
        """Facts by row; rows that are no facts are left out."""

    def evidence(self, rows: Iterable[int]) -> dict[int, list[Evidence]]:
        """Evidence by fact row, the oldest first."""

    def derived(self, rows: Iterable[int], *, supported: bool = False) -> list[Derived]:
        """What was read from rows, whether it still holds or not; and what they were seen to support later."""

    def dependents(self, rows: Iterable[int]) -> set[int]:
        """Everything that was derived from nothing but these rows, without them."""

    def links(self, rows: Iterable[int], most: int) -> list[Link]:
        """Live links of rows to other memories, either way, the strongest of each row first; not the automatic ones."""

    def successors(self, rows: Iterable[int]) -> dict[int, int]:
        """Row → the one that took its place; rows that nothing replaced are left out."""

    def replaced_by(self, row: int, *, most: int | None = None) -> list[int]:
        """What a fact has replaced, step by step, the newest first."""

    def replacing(self, row: int, *, most: int | None = None) -> list[int]:
        """What has replaced a fact, step by step, the oldest first."""

    def rivals(self, entity: int, predicates: Iterable[str]) -> list[Fact]:
        """Every fact of an entity under some predicates, visible or not, the oldest first."""

    def changes(self, rows: Iterable[int]) -> list[Change]:
        """The log of some rows, in order."""

    def changed_between(self, space: str, after: int, until: int) -> list[int]:
        """Rows that the log tells of between two moments, in its order."""

    def weak_facts(self, space: str, below: float, most: int) -> list[int]:
        """Live facts that nobody confirmed with confidence × trust below a bound, the weakest first."""

    def conflicts(self, space: str, most: int) -> list[OpenConflict]:
        """Open conflicts between live facts, the newest first."""

    def entities_mentioned(self, space: str, row: int) -> list[Entity]:
        """What a row mentions."""

    def kept_apart(self, space: str) -> set[frozenset[str]]:
        """Pairs of entities (ids) that somebody has split, or whose merge was undone."""

    def profiled(self, space: str, entities: Iterable[int]) -> list[tuple[int, Entity, str | None]]:
        """(number, entity, its profile as it is kept) of some entities by number, those that are there."""

    def mentioning(self, entities: Iterable[int]) -> list[tuple[int, int]]:
        """(entity, row) of every row that mentions some entities."""

    def profiles_due(self, space: str, after: int, least: int, most: int) -> list[int]:
        """Entities (numbers, ascending) with so many mentions whose profile is missing or older than one of them."""

    def last_change(self) -> int:
        """Number of the newest entry of the log, 0 where it is empty."""

    def entities_changed(self, space: str, after: int, upto: int, most: int) -> tuple[int, set[int]] | None:
        """The next entries of the log: number of the last of them, and the entities (numbers) they tell of; ``None``:
        there are no more."""

    def causes(
        self, rows: Sequence[int], known_at: int, *, depth: int = 1, allowed: Callable[[int], bool] = lambda row: True
    ) -> list[Cause]:
        """Causes of some rows (see :func:`mnemic.store.graph.causes`)."""

    def effects(self, row: int, known_at: int) -> list[Cause]:
        """What a row is said to have caused."""

    def fading(self, rows: Iterable[int], now: int) -> list[Fading]:
        """Traces of those of some rows that are neither hidden nor over, by row."""

    def reach(
        self, start: int, *, depth: int, most: int, allowed: Callable[[int], bool], relations: Collection[str] = (),
        target: int | None = None,
    ) -> dict[int, Step]:  # fmt: skip
        """Rows within so many steps (see :func:`mnemic.store.graph.reach`)."""

    def names_like(self, space: str, beginnings: Sequence[str], phrases: Sequence[str], most: int) -> list[KnownName]:
        """Names of a space that begin like given ones (of these at most so many, the most mentioned first), then those
        that are a given phrase exactly."""

    def names_exactly(self, space: str, phrases: Iterable[str]) -> list[tuple[str, int]]:
        """(name, entity) of the names of a space that are given phrases."""

    def aliases(self, entities: Iterable[int]) -> list[tuple[int, str, str]]:
        """(entity, its name, alias) for all names of some entities."""

    def newest_mentions(self, entities: Sequence[int], most: int) -> list[tuple[int, int]]:
        """(entity, row) of at most so many of the newest rows that mention each."""

    def mentioned(self, rows: Iterable[int]) -> list[tuple[int, int]]:
        """(row, entity) for what rows mention."""

    def card_rules(self, rows: Iterable[int]) -> list[CardRule]:
        """Cards with their rules, by row."""

    def card(self, row: int) -> CardState | None:
        """A card by its row."""

    def card_of_path(self, space: str, path: str) -> CardState | None:
        """The card of a file, whether offered or not."""

    def sections_shown(self, card: int) -> list[int]:
        """The sections of a card that are offered."""

    def card_uses(self, rows: Iterable[int]) -> dict[int, tuple[int, int | None]]:
        """Card → useful accesses of all sections it ever had, and the last of them."""

    def generations(self) -> list[Generation]:
        """Models of which the file holds vectors, the oldest first."""

    def generation(self, model: str) -> Generation | None:
        """The vectors of a model; ``None`` before the first."""

    def embedded_upto(self, generation: int, space: Space) -> int:
        """The row of a space up to which all were looked at."""

    def not_embedded(self, after: int, upto: int, most: int) -> list[Due]:
        """Rows in a range, ascending."""

    def to_embed_again(self, generation: int, until: int, most: int) -> list[Due]:
        """Rows whose further attempt is due."""

    def failures(self, space: str, generation: int) -> Failures:
        """Texts of a space that were refused."""

    def known_words(self, space: int, generation: int, terms: Iterable[str]) -> tuple[set[str], set[str]]:
        """Those of some terms that a space (by number) knows, and those that have a vector."""

    def count_words(self, space: int) -> int:
        """How many words a space (by number) knows."""

    def state(self, space: str) -> tuple[int, int, int | None] | None:
        """(rows written, changes of rows, last logged change): what was read of a space is as it was where this is."""

    def season_topics(self, space: str) -> set[str]:
        """Topics that are known to come back."""

    def spoken(
        self, space: str, after: int, longest: int, most: int, times: tuple[int, int]
    ) -> list[tuple[int, int, str]]:
        """(row, event time, search text) of what the user said and of what happened, behind a row.

        Args:
            longest: terms of a text; longer ones are left out. times: event times, first and last."""

    def recurring(self, space: str, near: Sequence[str] | None = None) -> list[Recurring]:
        """The visible memories behind each topic, by topic, the newest first; ``near``: of topics of these ids only."""

    def compared(self, rows: Iterable[int]) -> dict[int, Compared]:
        """Those of some rows that are facts, offered and not over, by row."""

    def at_issue(self, rows: Iterable[int]) -> set[frozenset[int]]:
        """Pairs with one of the rows in it between which there is a contradiction, open, settled or dismissed."""

    def taken_apart(self, rows: Iterable[int]) -> set[int]:
        """Rows that were hidden as duplicates once and that a person brought back."""

    def means(self, space: Space, model: str, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Mean unit vector of each of some rows that has any."""

    def connections(self, rows: Iterable[int]) -> dict[int, int]:
        """How many live links rows have, either way."""

    def held_up(self, rows: Iterable[int]) -> dict[int, dict[int, str]]:
        """Rows that are the only support of live memories, with row and id of each of those."""

    def facts_after(self, space: Space, after: int, most: int) -> list[tuple[int, str]]:
        """(row, text) of the facts beyond a row that are offered and not over."""

    def fresh_facts(self, space: Space, after: int, since: int) -> list[int]:
        """Facts beyond a row, recorded since a moment, that are offered and not over."""

    def of_topics(self, space: Space, rows: Sequence[int], most: int) -> list[tuple[int, int]]:
        """(fact, another one that speaks of the same) for some facts."""

    def shared_senses(self, space: Space, after: int, most: int) -> list[int]:
        """Numbers that several facts share, the next ones in order."""

    def of_sense(self, space: Space, number: int) -> list[int]:
        """Facts of a number that are offered and not over."""

    def copies_state(self, space: Space, model: str | None) -> list[int | None]:
        """What the copies among the facts of a space hang on: where it is equal on two nights, they are the same."""
