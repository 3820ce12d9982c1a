"""What can be written: the verbs of one transaction on SQLite."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw
import numpy as np

from ..clock import Clock
from ..errors import KeyConflict
from ..models import Node
from ..text.analyse import length
from ..text.names import alias
from . import forgotten
from .adding import SILENCE, Adding, Written
from .cold import prepare
from .columns import pack
from .queries import load
from .rows import NewNode, first_row, last_row, node_of

Q, X, C, S = load("queries.sql"), load("erasing.sql"), load("cold.sql"), load("seasons.sql")
CHUNK_SHIFT = 12
FORGOTTEN = "source forgotten"  # why a message is hidden that says nothing any more
MERGE_PAGES = 100


@dataclass(slots=True)
class SpaceRow:
    """A space as it stands in the file, with what this transaction did to it."""

    no: int
    name: str
    seq: int
    epoch: int
    tombstones: bool = False
    added: int = 0  # nodes written less nodes erased, since it was saved


@dataclass(frozen=True, slots=True)
class Completed:
    """A session that this transaction closed."""

    space: str
    session: str
    channel: str
    messages: int


class Tx:
    """Write verbs on an open transaction of the write connection.

    Every verb is all or nothing together with the others of the same submitted function.
    """

    def __init__(self, connection: apsw.Connection, clock: Clock) -> None:
        self.connection: Any = connection  # rows are what the statements say, which apsw's types cannot tell
        self.clock = clock
        self.completed: list[Completed] = []
        self.news = False  # something was written that background work may follow
        self.captured = False  # … and it was messages

    # -- spaces and sessions ----------------------------------------------------------------------------------------

    def space(self, name: str) -> SpaceRow:
        """The space of a name, made if it is new."""
        execute = self.connection.execute
        found = execute(Q.space, (name,)).fetchone()
        if found is None:
            execute(Q.new_space, (name,))
            found = execute(Q.space, (name,)).fetchone()
        marked = bool(execute(Q.any_tombstone, (found[0],)).get)
        return SpaceRow(found[0], name, found[1], found[2], marked)

    def _save_space(self, space: SpaceRow) -> None:
        self.connection.execute(Q.set_space, (space.seq, space.epoch, space.added, space.no))
        space.added = 0

    def changed(self, space: SpaceRow, rows: Iterable[int]) -> None:
        """Existing rows changed: derived columns of their chunks are stale, and readers must look again."""
        space.epoch += 1
        self.connection.executemany(Q.drop_chunk, [(c,) for c in {r >> CHUNK_SHIFT for r in rows}])
        self._save_space(space)

    def complete_others(self, space: SpaceRow, channel: str, key: str) -> None:
        """A new session id completes the previous session of its channel (imports have channels of their own)."""
        if channel.startswith("import:"):
            return
        for no, other, messages in self.connection.execute(Q.open_sessions, (space.no, channel)).fetchall():
            if other != key:
                self.complete(space.name, no, other, channel, messages)

    def complete(self, space: str, no: int, key: str, channel: str, messages: int = 0) -> None:
        """Mark a session as completed and remember to tell the subscribers after the commit."""
        self.connection.execute(Q.complete_session, (self.clock.now(), no))
        if self.connection.changes():
            self.completed.append(Completed(space, key, channel, messages))

    def complete_silent(self) -> int:
        """Complete every session that has been silent for 30 minutes."""
        rows = self.connection.execute(Q.silent_sessions, (self.clock.now() - SILENCE,)).fetchall()
        for no, key, space, channel, messages in rows:
            self.complete(space, no, key, channel, messages)
        return len(rows)

    def there(self, rows: Iterable[int]) -> set[int]:
        """Those of some rows that were not erased."""
        return {row for (row,) in self.connection.execute(Q.rows_there, (json.dumps(list(rows)),))}

    def row_of(self, id_: str) -> int | None:
        """The row of a node by its id."""
        found = self.connection.execute(Q.row_of_id, (id_,)).get
        return None if found is None else int(found)

    def set_seasons(self, space: SpaceRow, rows: Iterable[tuple[str, int, int, int, int, float]]) -> None:
        """Put down anew what comes back every year: (topic, row, year, first and last day of the year, chance)."""
        self.connection.execute(S.clear, (space.no,))
        self.connection.executemany(S.put, [(space.no, *row) for row in rows])

    # -- nodes --------------------------------------------------------------------------------------------------------

    def add(self, space_name: str, nodes: Sequence[NewNode], *, source: int | None = None) -> list[Written]:
        """Write nodes in order, each with its search text, tags and the edge to the one before it.

        A node under a known key is ``known`` when its body is the same. With another body it is refused
        (:class:`KeyConflict`), or ``updated`` when the node ``replaces``, or ``grows`` and the new body is longer. What
        was erased stays erased (``erased``).
        """
        space = self.space(space_name)
        self.news = True
        self.captured = self.captured or any(node.kind == "episodic" for node in nodes)
        first = first_row(space.no)
        open_chunk = first + space.seq + 1 >> CHUNK_SHIFT
        out = Adding(self, space, source).run(nodes)
        self._save_space(space)
        for chunk in range(open_chunk, first + space.seq + 1 >> CHUNK_SHIFT):
            self.pack_columns(chunk, (chunk + 1 << CHUNK_SHIFT) - 1)  # full: from now on it is opened as a whole
        return out

    def replace(self, space: SpaceRow, row: int, old: str, node: NewNode) -> bool:
        """A longer form of an episode takes the place of the shorter one, an edited one of the older one.

        Raises:
            KeyConflict: the node is neither.
        """
        if not (node.grows or node.replaces):
            raise KeyConflict(node.key or "")
        if not node.replaces and len(node.content) <= len(old):
            return False
        self.reindex(row, node.terms)
        words = length(node.terms) if node.words is None else node.words
        values = (node.content, node.body_hash, words, node.event_time, row)
        self.connection.execute(Q.update_content, values)
        self.connection.execute(C.drop_cold, (json.dumps([row]),))  # after the old search text was asked for
        self.changed_text(space, row)
        self.connection.execute(Q.read_again, (row, f"extract:{space.name}", self.clock.now()))
        return True

    def changed_text(self, space: SpaceRow, row: int) -> None:
        """The text of a row is another one: its vectors go, and every model is to look at it again."""
        self.drop_vectors(space, [row])
        for generation, _, _ in self.connection.execute(Q.generations).fetchall():
            self.connection.execute(Q.put_failure, (generation, row, 0, 0, "the text has grown"))
        self.changed(space, [row])

    def reindex(self, row: int, terms: str) -> None:
        """Replace the search text of a row, in the copy and in the index alike."""
        old = self.connection.execute(Q.terms_of, (row,)).get
        if old is None:
            self.connection.execute(Q.insert_terms, (row, terms))
        else:
            self.connection.execute(Q.delete_search, (row, old))
            self.connection.execute(Q.update_terms, (terms, row))
        self.connection.execute(Q.insert_search, (row, terms))

    def hide(self, space_name: str, rows: Sequence[int], why: str, *, actor: str) -> int:
        """Hide rows (reversible); rows already hidden stay as they are."""
        if forgotten.is_wish(why):
            forgotten.note(self.connection)
        return self._set_hidden(space_name, rows, self.clock.now(), why, actor)

    def unhide(self, space_name: str, rows: Sequence[int], *, actor: str) -> int:
        """Offer hidden rows again."""
        return self._set_hidden(space_name, rows, None, None, actor)

    def _set_hidden(self, space_name: str, rows: Sequence[int], at: int | None, why: str | None, actor: str) -> int:
        """Readers follow the log: a change of belief touches no column that is packed."""
        space, changed = self.space(space_name), 0
        for row in rows:
            before = self.connection.execute(Q.hidden_of, (row,)).fetchone()
            if before is None or (before[0] is None) == (at is None):
                continue
            self.connection.execute(Q.set_hidden, (at, why, row))
            act = "hide" if at is not None else "restore"
            self.log(space, actor, act, row, before, [at, why], why)
            changed += 1
        return changed

    def log(
        self, space: SpaceRow, actor: str, act: str, row: int | None, before: Any, after: Any, why: str | None
    ) -> int:
        """Put an entry into the log, what was and what is as JSON, ``None`` for nothing; returns its number."""
        parts = [
            None if part is None else json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            for part in (before, after)
        ]
        return int(
            self.connection.execute(Q.insert_change, (space.no, self.clock.now(), actor, act, row, *parts, why)).get
        )

    def link(self, source: int, target: int, relation: str, *, weight: float = 1.0, confidence: float = 1.0) -> None:
        """Put an edge between two rows; the same edge again keeps the greater weight."""
        values = (source, relation, target, None, weight, confidence, self.clock.now(), None)
        self.connection.execute(Q.insert_edge, values)

    def pack_columns(self, chunk: int, upto: int) -> None:
        """Pack the columns of the rows of a chunk, up to one of them."""
        rows = self.connection.execute(Q.column_rows, (chunk << CHUNK_SHIFT, upto)).fetchall()
        if rows:
            self.connection.execute(Q.put_chunk, (chunk, pack(rows, upto)))

    # -- erase --------------------------------------------------------------------------------------------------------

    def is_erased(self, space: SpaceRow, id_: str) -> bool:
        """Whether an id was erased from a space."""
        return self.connection.execute(Q.tombstone, (space.no, hash_of(id_))).fetchone() is not None

    def erase(
        self, space_name: str, rows: Sequence[int], *, bulk: bool = False, derived: Collection[int] = ()
    ) -> Mapping[str, int]:
        """Remove rows; leaves hashes so that a re-import cannot bring them back, and their log without its content.

        What stood on the rows is the affair of :mod:`.erasing`. The bytes are gone from the pages at once
        (``secure_delete``); the log is folded in and emptied by the caller after the commit. With ``bulk`` the words
        leave the keyword index and the vocabulary only when the caller has called :meth:`merge_search` and
        :meth:`drop_words`, which is quicker from some hundred rows on.

        Args:
            derived: those that leave no hash: once their sources are gone nothing makes them again, and another source
                may say the same.

        Returns:
            Counts per table.
        """
        space, execute = self.space(space_name), self.connection.execute
        counts = {"nodes": 0, "terms": 0, "vectors": 0, "edges": 0, "mentions": 0, "sessions": 0, "entities": 0}
        counts |= {"changes": 0, "jobs": 0, "profiles": 0}
        wanted = json.dumps([r for r in rows if first_row(space.no) <= r <= last_row(space.no)])
        found = execute(Q.doomed, (wanted,)).fetchall()
        if not found:
            return counts
        gone = [row for row, *_ in found]
        part = json.dumps(gone)
        sessions = json.dumps(sorted({session for _, _, session, _ in found if session is not None}))
        entities = json.dumps([entity for (entity,) in execute(Q.doomed_entities, (part,))])
        now = self.clock.now()
        marks = [(space.no, hash_of(id_), now) for row, id_, _, _ in found if row not in derived]
        self.connection.executemany(Q.insert_tombstone, marks)
        if bulk:
            execute(Q.secure_search, (0,))
        self.connection.executemany(Q.delete_search, [(row, terms) for row, _, _, terms in found if terms is not None])
        if bulk:
            execute("savepoint words")  # makes the index write what it holds back, before the setting changes again
            execute("release words")
            execute(Q.secure_search, (1,))
        counts["vectors"] = self.drop_vectors(space, gone)
        for name, statement, value in (
            ("terms", Q.delete_terms, part),
            ("mentions", Q.delete_mentions, part),
            ("edges", X.drop_causes, part),
            ("edges", Q.delete_edges_from, part),
            ("edges", Q.delete_edges_to, part),
            ("changes", X.blank_changes, part),
            ("failures", Q.delete_failures, part),
            ("jobs", X.delete_extraction_jobs, part),
            ("", X.drop_seasons, part),
            ("nodes", Q.delete_nodes, part),
            ("", Q.recount_sessions, sessions),
            ("sessions", Q.delete_empty_sessions, sessions),
            ("", Q.recount_entities, entities),
            ("profiles", X.drop_profiles, entities),
            ("entities", Q.delete_orphan_entities, entities),
            ("", Q.delete_orphan_sources, space.no),
        ):
            execute(statement, (value,))
            if name in counts:
                counts[name] += self.connection.changes()
        if not bulk:
            self.drop_words(space, {word for *_, terms in found if terms for word in terms.split()})
        space.added -= counts["nodes"]
        self.changed(space, gone)
        return counts

    def drop_words(self, space: SpaceRow, words: Iterable[str]) -> None:
        """Remove from the vocabulary those of the words that no row of the space holds any more."""
        asked = json.dumps(list(words), ensure_ascii=False)
        values = (space.no, asked, first_row(space.no), last_row(space.no))
        self.connection.execute(Q.delete_orphan_words, values)
        if self.connection.changes():
            self.connection.execute(Q.delete_orphan_word_vectors, (asked,))

    def merge_search(self, *, first: bool, job: str | None = None) -> bool:
        """One step of merging the keyword index into one piece; false when nothing is left to do."""
        before = self.connection.total_changes()
        self.connection.execute(Q.merge_search, (-MERGE_PAGES if first else MERGE_PAGES,))
        more = bool(self.connection.total_changes() - before >= 2)
        if job is not None:
            self.connection.execute(Q.touch_job, (self.clock.now(), job))
        return more

    def optimise(self) -> None:
        """Renew the statistics that SQLite plans by, where they are out of date."""
        self.connection.execute(Q.optimize)

    # -- vectors ------------------------------------------------------------------------------------------------------

    def drop_vectors(self, space: SpaceRow, rows: Sequence[int]) -> int:
        """Remove the vectors of rows from every generation, packed or not. Reads only the chunks that hold them."""
        from .vectors import has_rows

        gone, execute = set(rows), self.connection.execute
        if not gone:
            return 0
        numbers = np.array(sorted(gone), dtype=np.int64)
        execute(Q.delete_vectors_of_rows, (json.dumps(sorted(gone)),))
        removed = int(self.connection.changes())
        for no, _, dimension in execute(Q.generations).fetchall():
            held = execute(Q.vector_chunk_rows, (no, space.no))
            for chunk in [chunk for chunk, packed in held if has_rows(packed, numbers)]:
                removed += self.thin_chunk(chunk, dimension, gone)
        return removed

    def thin_chunk(self, chunk: int, dimension: int, gone: set[int]) -> int:
        """Remove rows from one packed chunk of vectors; returns how many vectors that were."""
        from .vectors import without_rows

        found = self.connection.execute(Q.vector_chunk_data, (chunk,)).fetchone()
        kept = without_rows(found[0], found[1], dimension, gone) if found else None
        if kept is None:
            return 0
        rows, data, removed = kept
        if rows:
            self.connection.execute(Q.update_vector_chunk, (rows, data, chunk))
        else:
            self.connection.execute(Q.delete_vector_chunk, (chunk,))
        return removed

    def retry_embeddings(self, generation: int) -> None:
        """Give every text that was set aside another chance."""
        self.connection.execute(Q.retry_failures, (generation,))

    def drop_other_generations(self, keep: int) -> int:
        """Remove the vectors of every other model; returns how many models that were."""
        others = [no for no, _, _ in self.connection.execute(Q.generations).fetchall() if no != keep]
        for no in others:
            self.connection.execute(Q.delete_generation_data, (no,))
            self.connection.execute(Q.delete_generation_chunks, (no,))
            self.connection.execute(Q.delete_generation_words, (no,))
            self.connection.execute(Q.drop_generation, (no,))
        return len(others)

    # -- entities -----------------------------------------------------------------------------------------------------

    def entity(self, space: SpaceRow, name: str, type_: str) -> int | None:
        """Number of the entity of exactly this name and type."""
        found = self.connection.execute(Q.alias_entity, (space.no, alias(name), type_)).get
        return None if found is None else int(found)

    def new_entity(self, space: SpaceRow, name: str, type_: str) -> tuple[int, str]:
        """Make an entity; returns its number and id."""
        id_ = self.clock.new_id()
        self.connection.execute(Q.new_entity, (id_, space.no, type_, name))
        no = int(self.connection.last_insert_rowid())
        self.name_entity(space, no, name, type_)
        return no, id_

    def name_entity(self, space: SpaceRow, entity: int, name: str, type_: str) -> None:
        """Give an entity a name, unless another one of the type has it."""
        self.connection.execute(Q.new_alias, (space.no, alias(name), type_, entity))

    def mention(self, entity: int, rows: Sequence[tuple[int, int]]) -> int:
        """Link rows (row, event time) to an entity, each once; those that were erased meanwhile are left out.

        Returns:
            How many links are new.
        """
        execute = self.connection.execute
        there = self.there([row for row, _ in rows])
        times, added = [at for row, at in rows if row in there], 0
        for row in there:
            execute(Q.insert_mention, (entity, row))
            added += self.connection.changes()
        if times:
            execute(Q.count_mentions, (added, min(times), min(times), max(times), max(times), entity))
        return added

    # -- sources ------------------------------------------------------------------------------------------------------

    def put_source(self, space_name: str, path: str, values: Sequence[Any]) -> int:
        """Remember how far a file has been read: format, mtime_ns, size, offset, head hash, options."""
        space = self.space(space_name)
        return int(self.connection.execute(Q.put_source, (space.no, path, *values, self.clock.now())).get)

    def source_offset(self, space_name: str, path: str) -> int | None:
        """How far a file has been read, as this transaction sees it."""
        found = self.connection.execute(Q.source, (self.space(space_name).no, path)).fetchone()
        return None if found is None else int(found[4])

    # -- leases and settings -------------------------------------------------------------------------------------------

    def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Take or renew the right to do a piece of maintenance; false while another holder has it."""
        found = self.connection.execute(Q.lease, (name,)).fetchone()
        now = self.clock.now()
        if found and found[0] != holder and found[1] > now and not ended(found[0]):
            return False
        self.connection.execute(Q.put_lease, (name, holder, now + int(seconds * 1_000_000)))
        return True

    def release(self, name: str, holder: str) -> None:
        """Give a lease back."""
        self.connection.execute(Q.drop_lease, (name, holder))

    def type_of(self, space: SpaceRow, folded: str) -> str | None:
        """The type of the first entity that an alias names."""
        found = self.connection.execute(Q.entity_by_alias, (space.no, folded)).fetchone()
        return str(found[2]) if found else None

    def meta(self, key: str) -> str | None:
        """A setting of the file."""
        found = self.connection.execute(Q.meta, (key,)).get
        return None if found is None else str(found)

    def set_meta(self, key: str, value: str) -> None:
        """Write a setting of the file."""
        self.connection.execute(Q.put_meta, (key, value))


def hash_of(text: str) -> bytes:
    """What is left of an id that was erased."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def read_nodes(
    connection: apsw.Connection, rows: Sequence[int], spaces: Mapping[int, str], *, cold: bool = True,
    every: bool = False,
) -> dict[int, Node]:  # fmt: skip
    """Nodes by row number, messages without what is forgotten of them; rows that do not exist are left out, cold ones too if
    so asked, and, unless it is ``every`` one, those that are forgotten."""
    from .rows import SPACE_SHIFT

    wanted = json.dumps([int(r) for r in rows])
    if cold:
        prepare(connection, wanted)
    tags: dict[int, list[str]] = {}
    for row, tag in connection.execute(Q.tags_in, (wanted,)):
        tags.setdefault(row, []).append(tag)
    nodes = {
        row[0]: node_of(row[1:], spaces[row[0] >> SPACE_SHIFT], tuple(tags.get(row[0], ())))
        for row in connection.execute(Q.nodes_in, (wanted, cold))
    }
    gone = forgotten.among(connection, nodes)
    for row, text in gone.left.items():
        nodes[row] = replace(nodes[row], content=text)
        if not text and nodes[row].hidden_at is None:
            nodes[row] = replace(nodes[row], hidden_at=gone.since[row], hidden_why=FORGOTTEN)
    if not every:
        for row in gone.rows.union(row for row, text in gone.left.items() if not text):
            del nodes[row]
    return nodes


def new_holder() -> str:
    """A name for a holder of leases."""
    return f"{platform.node()}/{os.getpid()}/{uuid.uuid4()}"


def ended(holder: str) -> bool:
    """Whether the process of a holder is known to be gone; false when that cannot be told."""
    host, pid, *_ = [*holder.split("/"), "", ""]
    if os.name != "posix" or host != platform.node() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
