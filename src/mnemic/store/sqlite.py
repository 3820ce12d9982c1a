"""The store in one SQLite file: one writer, many readers, in-memory columns and vectors that follow the file."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import tempfile
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..errors import NotFound, StoreBusy, StoreClosed, StoreReadOnly
from ..models import Entity, Node, Session
from ..text.analyse import is_unspaced
from . import migrate
from .columns import CHUNK, Columns, pack
from .connect import check_path, open_connection, retry_busy, translate, use_log
from .queries import load
from .rows import first_row, last_row
from .tx import CHUNK_SHIFT, Completed, Tx, read_nodes
from .vectors import VectorIndex, has_rows
from .words import WordIndex
from .writer import Writer

Q = load("queries.sql")
R = TypeVar("R")
POSTINGS_KEPT = 2_048  # terms whose postings stay in memory, per space
VECTOR_CHUNK = 1_024
ERASE_AT_ONCE = 100  # so many rows are erased in one transaction; more, in several that take so many seconds each:
ERASE_SECONDS = 0.05
ERASE_STALE = 60_000_000  # µs without progress after which an erasure counts as cut off


class _SpaceCache:
    """What one process holds in memory of one space."""

    def __init__(self, no: int) -> None:
        self.no = no
        self.lock = threading.RLock()
        self.columns = Columns()
        self.epoch = -1
        self.seen = first_row(no)
        self.postings: OrderedDict[str, tuple[int, NDArray[np.int64]]] = OrderedDict()
        self.vectors: dict[str, tuple[int, VectorIndex]] = {}
        self.words: dict[str, WordIndex] = {}


class SqliteStore:
    """Open or make a file.

    Args:
        path: file name, or ``:memory:`` for a private temporary file that is gone after :meth:`close`.
        clock: where times and ids come from.
        durable: sync the log at every commit (survives power loss); off, a power cut may lose the newest commits,
            a crash of the program never does.
        on_commit: called on the writer thread after each commit that brought something new, with the sessions it
            completed (not for leases and other bookkeeping).
        progress: told what an upgrade of the file is doing (backup, schema).

    Raises:
        InvalidInput: the path is no file name.
        StoreError: the file cannot be opened (see :mod:`mnemic.errors` for the kinds).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Clock,
        durable: bool = False,
        queue_size: int = 10_000,
        on_commit: Callable[[list[Completed]], None] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.path = check_path(path)
        self._clock = clock
        self._pid = os.getpid()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        if self.path == ":memory:":
            self._temporary = tempfile.TemporaryDirectory(prefix="mnemic-")
            self.path = str(Path(self._temporary.name) / "memory.db")
        self._on_commit = on_commit
        self._readers: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._caches: dict[str, _SpaceCache] = {}
        self._space_names: dict[int, str] = {}
        self._closed = False
        self._tx: Tx | None = None
        with translate(self.path):
            self._writer: Writer[Tx] = Writer(
                self._prepare(durable, progress),
                self._begin,
                reconnect=lambda: open_connection(self.path, write=True, durable=durable),
                path=self.path,
                capacity=queue_size,
                after_commit=self._committed,
            )
        atexit.register(self.close)  # what was accepted is committed when the program ends

    # -- opening and closing ------------------------------------------------------------------------------------------

    def _prepare(self, durable: bool, progress: Callable[[str], None] | None) -> apsw.Connection:
        """Make the file, or bring it up to date; refuse what is not ours before anything is written to it."""
        if not os.path.exists(self.path):
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            except OSError as error:
                raise StoreReadOnly(f"{self.path}: cannot be made: {error.strerror}") from error
        elif not os.access(self.path, os.W_OK) or not os.access(Path(self.path).resolve().parent, os.W_OK):
            raise StoreReadOnly(f"{self.path}: the file or its folder is read-only for this user")
        connection = open_connection(self.path, write=True, durable=durable)
        try:
            if retry_busy(lambda: migrate.check(connection, self.path)) < migrate.LATEST:
                migrate.migrate(connection, self.path, progress=progress)
            use_log(connection, self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self, connection: apsw.Connection) -> Tx:
        self._tx = Tx(connection, self._clock)
        return self._tx

    def _committed(self) -> None:
        if self._on_commit is not None and self._tx is not None and (self._tx.news or self._tx.completed):
            self._on_commit(self._tx.completed)

    def close(self) -> None:
        """Commit what is queued, fold the log in, close every connection. Idempotent.

        In a forked child this only lets go: the connections belong to the parent.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
        atexit.unregister(self.close)
        if os.getpid() != self._pid:
            return
        self._writer.close()
        while True:
            with contextlib.suppress(queue.Empty):
                self._readers.get_nowait().close()
                continue
            break  # those still in use are closed when they are given back
        if self._temporary is not None:
            self._temporary.cleanup()

    @contextlib.contextmanager
    def reader(self) -> Iterator[Any]:
        """A read-only connection in a snapshot of its own: everything read inside is of one moment.

        Raises:
            StoreClosed: after :meth:`close`, or in a forked child (open a memory of its own there).
        """
        if self._closed or os.getpid() != self._pid:
            raise StoreClosed("this memory is closed" if self._closed else "opened before a fork; open it again here")
        with translate(self.path):
            try:
                connection = self._readers.get_nowait()
            except queue.Empty:
                connection = open_connection(self.path, write=False)
            try:
                connection.execute("begin")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")
                with self._lock:
                    if self._closed:
                        connection.close()
                    else:
                        self._readers.put(connection)

    def submit(self, fn: Callable[[Tx], R]) -> Future[R]:
        """Queue a write (see :class:`~mnemic.store.base.Store`)."""
        if os.getpid() != self._pid:
            raise StoreClosed("opened before a fork; open it again here")
        return self._writer.submit(fn)

    def run(self, fn: Callable[[Tx], R]) -> R:
        """Queue a write and wait for its commit."""
        return self.submit(fn).result()

    def now(self) -> int:
        """The clock's now, microseconds."""
        return self._clock.now()

    @property
    def waiting(self) -> int:
        """Writes in the queue."""
        return self._writer.waiting

    # -- spaces -------------------------------------------------------------------------------------------------------

    def space_no(self, connection: apsw.Connection, space: str) -> tuple[int, int, int] | None:
        """(no, seq, epoch) of a space, or ``None`` when nothing was ever written to it."""
        found = connection.execute(Q.space, (space,)).fetchone()
        if found is not None:
            self._space_names.setdefault(found[0], space)
        return found

    def spaces(self) -> list[str]:
        """Names of all spaces."""
        with self.reader() as r:
            return [row[1] for row in r.execute(Q.spaces)]

    def _cache(self, space: str, no: int) -> _SpaceCache:
        with self._lock:
            cache = self._caches.get(space)
            if cache is None or cache.no != no:
                cache = self._caches[space] = _SpaceCache(no)
            return cache

    def columns(self, space: str) -> Columns:
        """Columns of a space, brought up to the newest commit."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return Columns()
            no, seq, epoch = found
            cache = self._cache(space, no)
            with cache.lock:
                if cache.epoch != epoch:
                    cache.columns = Columns()
                    cache.seen = first_row(no)
                    cache.postings.clear()
                    cache.vectors.clear()
                newest = first_row(no) + seq
                if newest > cache.seen:
                    self._read_columns(r, cache, newest)
                if cache.epoch != epoch:
                    cache.columns.set_changed(list(r.execute(Q.changed_rows, (first_row(no), last_row(no)))))
                    cache.epoch = epoch
                return cache.columns

    def _read_columns(self, r: apsw.Connection, cache: _SpaceCache, newest: int) -> None:
        start = cache.seen + 1
        packed = range((start + CHUNK - 1) >> CHUNK_SHIFT, newest >> CHUNK_SHIFT)
        if len(packed):
            for chunk, data in r.execute(Q.column_chunks, (packed[0], packed[-1])):
                begin = chunk << CHUNK_SHIFT
                if begin > start:
                    cache.columns.add_rows(r.execute(Q.column_rows, (start, begin - 1)).fetchall())
                cache.columns.add_packed(data)
                start = begin + CHUNK
        if newest >= start:
            cache.columns.add_rows(r.execute(Q.column_rows, (start, newest)).fetchall())
        cache.seen = newest

    def pack_columns(self, space: str) -> int:
        """Pack full chunks of a space that are not packed yet; returns how many were."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None or found[1] < CHUNK:
                return 0
            first, newest = first_row(found[0]), first_row(found[0]) + found[1]
            bounds = (first >> CHUNK_SHIFT, newest >> CHUNK_SHIFT)
            have = {chunk for chunk, in r.execute(Q.packed_chunks, bounds)}
            todo = [c for c in range(first >> CHUNK_SHIFT, newest >> CHUNK_SHIFT) if c not in have]
        for chunk in todo:
            self.run(lambda tx, chunk=chunk: _pack_chunk(tx, chunk))  # type: ignore[misc]
        return len(todo)

    # -- reading ------------------------------------------------------------------------------------------------------

    def postings(self, space: str, term: str) -> NDArray[np.int64]:
        """Rows that hold a term, once per occurrence. Call :meth:`columns` first: it decides what "now" is."""
        cache = self._caches.get(space)
        if cache is None:
            return np.empty(0, dtype=np.int64)
        with cache.lock:
            known = cache.postings.get(term)
            if known is not None and known[0] == cache.seen:
                cache.postings.move_to_end(term)
                return known[1]
            with self.reader() as r:
                if len(term) == 1 and is_unspaced(term):  # one character of a run: it begins a bigram, or is the last
                    after = chr(ord(term) + 1)
                    begun = r.execute(Q.postings_prefix, (term, after, first_row(cache.no), cache.seen))
                    rows = [(row,) for row in sorted(row for _, row in begun)]
                else:
                    rows = r.execute(Q.postings, (term, first_row(cache.no), cache.seen)).fetchall()
            found = np.fromiter((row for row, in rows), dtype=np.int64, count=len(rows))
            cache.postings[term] = (cache.seen, found)
            while len(cache.postings) > POSTINGS_KEPT:
                cache.postings.popitem(last=False)
            return found

    def postings_prefix(self, space: str, prefix: str, limit: int = 64) -> dict[str, NDArray[np.int64]]:
        """Postings of the terms that begin with ``prefix`` (at most ``limit`` terms)."""
        cache = self._caches.get(space)
        out: dict[str, list[int]] = {}
        if cache is not None:
            after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
            with self.reader() as r:
                for term, row in r.execute(Q.postings_prefix, (prefix, after, first_row(cache.no), cache.seen)):
                    if term in out or len(out) < limit:
                        out.setdefault(term, []).append(row)
        return {term: np.array(rows, dtype=np.int64) for term, rows in out.items()}

    def literal(self, space: str, text: str, limit: int) -> list[int]:
        """Rows whose text holds ``text`` to the letter, newest first."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            no = found[0]
            return [row for row, in r.execute(Q.literal, (first_row(no), last_row(no), text, limit))]

    def vectors(self, space: str, model: str) -> VectorIndex | None:
        """Vectors of a space made by a model, brought up to the newest commit."""
        with self.reader() as r:
            found = self.space_no(r, space)
            generation = r.execute(Q.generation, (model,)).fetchone()
            if found is None or generation is None:
                return None
            no, dimension = generation
            cache = self._cache(space, found[0])
            with cache.lock:
                epoch, index = cache.vectors.get(model, (-1, VectorIndex(dimension)))
                if epoch != found[2]:
                    index = VectorIndex(dimension)
                for number, rows, data in r.execute(Q.vector_chunks, (no, found[0], index.last_chunk)):
                    index.add_chunk(number, rows, data)
                bounds = (no, first_row(found[0]), last_row(found[0]))
                state = r.execute(Q.tail_state, bounds).fetchone()
                if state != index.tail_state:
                    tail = r.execute(Q.tail_vectors, bounds).fetchall()
                    index.set_tail([row for row, _ in tail], [data for _, data in tail], state)
                cache.vectors[model] = (found[2], index)
                return index

    def words(self, space: str, model: str) -> WordIndex | None:
        """The vocabulary of a space with the vectors of a model; ``None`` when there is none."""
        with self.reader() as r:
            found = self.space_no(r, space)
            generation = r.execute(Q.generation, (model,)).fetchone()
            if found is None or generation is None:
                return None
            cache = self._cache(space, found[0])
            with cache.lock:
                index = cache.words.setdefault(model, WordIndex(generation[1]))
                index.add(r.execute(Q.words_after, (found[0], generation[0], index.last)).fetchall())
                return index

    def nodes(self, rows: Sequence[int]) -> Mapping[int, Node]:
        """Nodes by row number."""
        if not len(rows):
            return {}
        with self.reader() as r:
            for no, name, _, _ in r.execute(Q.spaces):
                self._space_names[no] = name
            return read_nodes(r, rows, self._space_names)

    def node(self, space: str, id_: str) -> tuple[int, Node]:
        """Row and node of an id.

        Raises:
            NotFound: unknown here (an id of another space answers alike).
        """
        row = self.rows_of(space, [id_]).get(id_)
        if row is None:
            raise NotFound("memory", id_)
        return row, self.nodes([row])[row]

    def rows_of(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Row numbers of ids in a space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return {}
            no = found[0]
            return dict(r.execute(Q.rows_of_ids, (json.dumps(list(ids)), first_row(no), last_row(no))).fetchall())

    def select(self, name: str, space: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a named query whose first parameters are the row range of the space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            return list(r.execute(getattr(Q, name), (first_row(found[0]), last_row(found[0]), *values)))

    def select_in_range(self, name: str, space: str, first: Any) -> list[tuple[Any, ...]]:
        """Rows of a named query with one parameter before the row range of the space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            return list(r.execute(getattr(Q, name), (first, first_row(found[0]), last_row(found[0]))))

    def select_in(self, name: str, space: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a named query whose first parameter is the number of the space."""
        with self.reader() as r:
            found = self.space_no(r, space)
            return [] if found is None else list(r.execute(getattr(Q, name), (found[0], *values)))

    def ask(self, name: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a named query with just these parameters."""
        with self.reader() as r:
            return list(r.execute(getattr(Q, name), values))

    def search_texts(self, rows: NDArray[np.int64]) -> list[str]:
        """Search text of each row, in the order given; empty for a row without one."""
        with self.reader() as r:
            found = dict(r.execute(Q.texts_in, (json.dumps(rows.tolist()),)).fetchall())
        return [found.get(int(row), "") for row in rows]

    def rows_with_tag(self, space: str, tag: str) -> list[int]:
        """Rows that carry exactly this tag."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            return [row for row, in r.execute(Q.rows_with_tag, (tag, first_row(found[0]), last_row(found[0])))]

    def entities(self, space: str, alias: str) -> list[tuple[int, Entity]]:
        """Entities that an alias names exactly."""
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            out = []
            for no, *_ in r.execute(Q.entity_by_alias, (found[0], alias)).fetchall():
                id_, type_, name, mentions, first, last = r.execute(Q.entity_full, (no,)).fetchone()
                aliases = tuple(a for a, in r.execute(Q.aliases_of, (no,)))
                out.append((no, Entity(id_, space, type_, name, aliases, mentions, first, last)))
            return out

    def sessions(self, space: str, limit: int = 100, offset: int = 0) -> list[Session]:
        """Sessions of a space, the latest first."""
        return [
            Session(key, name, channel, started, last, messages, completed, project)
            for key, name, channel, started, last, messages, completed, project in self.select_in("sessions", space, limit, offset)
        ]

    # -- maintenance --------------------------------------------------------------------------------------------------

    def counts(self) -> tuple[int, int]:
        """(memories, rows of the keyword index) of the whole file, read from their counters."""
        with self.reader() as r:
            return int(r.execute(Q.live_nodes).get), _varint(r.execute(Q.search_totals).get or b"\0")

    def erase(self, space: str, rows: Iterable[int]) -> dict[str, int]:
        """Remove rows and what is derived from them alone, in short transactions; others write and read in between.

        What is to be erased is noted first, so that an erasure which was cut off is finished by a later start. The log
        is emptied at the end.

        Returns:
            Counts per table (see :meth:`~mnemic.store.tx.Tx.erase`).

        Raises:
            StoreBusy: all is erased, but a reader still needs the log, where the old bytes are until it ends.
        """
        todo = sorted(set(rows))
        job = self._clock.new_id()
        if len(todo) > ERASE_AT_ONCE:
            payload = json.dumps({"space": space, "rows": todo})
            self.run(lambda tx: tx.connection.execute(Q.put_job, (job, "erase", "running", payload, self.now())))
        totals = self._erase(space, todo, job)
        self.checkpoint()
        return totals

    def finish_erasing(self) -> None:
        """Go on with erasures that a killed process left half done."""
        for job, payload in self.ask("stale_jobs", "erase", self.now() - ERASE_STALE):
            what = json.loads(payload)
            self._erase(what["space"], what["rows"], job)
            self.checkpoint()

    def _erase(self, space: str, todo: Sequence[int], job: str) -> dict[str, int]:
        bulk = len(todo) > ERASE_AT_ONCE
        totals: Counter[str] = Counter()
        if bulk:
            totals["vectors"] = self._erase_vectors(space, todo)
        start, size = 0, ERASE_AT_ONCE
        while start < len(todo):
            part = todo[start : start + size]
            start += size

            def write(tx: Tx, part: Sequence[int] = part) -> tuple[Mapping[str, int], float]:
                began = time.monotonic()
                done = tx.erase(space, part, bulk=bulk)
                tx.connection.execute(Q.touch_job, (self.now(), job))
                return done, time.monotonic() - began

            done, took = self.run(write)
            totals.update(done)
            size = max(10, min(1_000, int(size * min(4.0, ERASE_SECONDS / max(took, 1e-4)))))
        if bulk:  # many words are deleted by mark only, and leave the file when the keyword index is merged
            first, more = True, True
            while more:
                more = self.run(lambda tx, first=first: tx.merge_search(first=first, job=job))  # type: ignore[misc]
                first = False
            self._erase_words(space)
            self.run(lambda tx: tx.connection.execute(Q.drop_job, (job,)))
        return dict(totals)

    def _erase_words(self, space: str) -> None:
        """Go through the vocabulary of a space and remove what no row holds any more."""
        last = 0
        while page := self.select_in("words_page", space, last, 500):
            self.run(lambda tx, page=page: tx.drop_words(tx.space(space), [term for _, term in page]))  # type: ignore[misc]
            last = page[-1][0]

    def _erase_vectors(self, space: str, todo: Sequence[int]) -> int:
        """Rewrite each packed chunk that holds some of the rows once, each in a transaction of its own."""
        numbers, gone, hit, removed = np.array(todo, dtype=np.int64), set(todo), [], 0
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return 0
            for no, _, dimension in r.execute(Q.generations).fetchall():
                held = r.execute(Q.vector_chunk_rows, (no, found[0]))
                hit += [(chunk, dimension) for chunk, rows in held if has_rows(rows, numbers)]
        for chunk, dimension in hit:
            removed += self.run(lambda tx, chunk=chunk, dimension=dimension: tx.thin_chunk(chunk, dimension, gone))  # type: ignore[misc]
        return removed

    def checkpoint(self) -> None:
        """Fold the log into the file and empty it.

        Raises:
            StoreBusy: a reader, of this process or another, still needs the log; it is emptied once that one ends.
        """
        if os.getpid() != self._pid:
            raise StoreClosed("opened before a fork; open it again here")
        if not self._writer.fold().result():
            raise StoreBusy(f"{self.path}: the log is still being read from; it is emptied as soon as that ends")

    def backup(self, target: Path, progress: Callable[[str], None] | None = None) -> None:
        """Copy the file while it is in use; the copy holds everything acknowledged before the call."""
        self.run(lambda tx: None)  # what was queued before us is committed now
        with translate(str(target)), contextlib.closing(open_connection(self.path, write=False)) as source:
            migrate.copy(source, target, progress)


def _varint(data: bytes) -> int:
    """The SQLite variable-length integer that the bytes begin with."""
    value = 0
    for byte in data[:8]:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value
    return value << 8 | data[8]


def _pack_chunk(tx: Tx, chunk: int) -> None:
    rows = tx.connection.execute(Q.column_rows, (chunk << CHUNK_SHIFT, (chunk + 1 << CHUNK_SHIFT) - 1)).fetchall()
    if rows:
        tx.connection.execute(Q.put_chunk, (chunk, pack(rows)))
