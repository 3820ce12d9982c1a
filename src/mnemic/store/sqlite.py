"""The store in one SQLite file: one writer, many readers, in-memory columns and vectors that follow the file."""

from __future__ import annotations

import atexit
import contextlib
import copy
import json
import os
import queue
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..errors import InvalidInput, NotFound, StoreBusy, StoreClosed, StoreReadOnly
from ..models import Entity, Node, Session
from ..text.name_forms import CYRILLIC
from ..text.name_likeness import in_another_case
from ..text.names import alias
from . import cold, connect, erasing, forgotten
from .base import Store
from .columns import CHUNK, Columns, packed_upto
from .connect import check_path, open_connection, retry_busy, translate, use_log
from .queries import load
from .reads import Reads
from .rows import entity_from, first_row, last_row
from .space_cache import SpaceCache
from .tx import CHUNK_SHIFT, Completed, Tx, read_nodes
from .vectors import VectorIndex
from .words import WordIndex
from .writer import Writer

Q, F = load("queries.sql"), load("facts.sql")
R = TypeVar("R")
UNTYPED = "concept"  # the type of an entity of which no more than the name is known


#: As :func:`mnemic.store.rows.short_id` writes it.
SHORT_ID = re.compile(r"#\d{1,12}")


class SqliteStore(Reads):
    """A store in one file, which is made where there is none. What is public here is described in :mod:`.base`.

    Args:
        path: file name, or ``:memory:`` for a private temporary file that is gone after :meth:`close`.
        clock: where times and ids come from.
        durable: sync the log at every commit (survives power loss); off, a power cut may lose the newest commits,
            a crash of the program never does.
        on_commit: called on the writer thread after each commit that brought something new, with the sessions it
            completed and whether messages came (not for leases and other bookkeeping).
        progress: told what an upgrade of the file is doing (backup, schema).

    Raises:
        InvalidInput: the path is no file name.
        StoreError: the file cannot be opened (see :mod:`mnemic.errors` for the kinds).
    """

    def __init__(
        self, path: str | os.PathLike[str], *, clock: Clock, durable: bool = False, queue_size: int = 10_000,
        on_commit: Callable[[list[Completed], bool], None] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self.path = check_path(path)
        self._clock = clock
        self._pid = os.getpid()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.private = self.path == ":memory:"
        if self.private:
            self._temporary = tempfile.TemporaryDirectory(prefix="mnemic-")
            self.path = str(Path(self._temporary.name) / "memory.db")
        self._on_commit = on_commit
        self._readers: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        self._snapshot = threading.local()  # .connection: that of the snapshot that this thread reads in
        self._lock = threading.Lock()
        self._cache = SpaceCache(lambda: self.reader(), self.space_no)  # looked up anew each time: a test may watch it
        self._space_names: dict[int, str] = {}
        self._closed = False
        self._cold = True  # whether the texts of cold memories are read
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
            if retry_busy(lambda: connect.check(connection, self.path)) < connect.LATEST:
                connect.migrate(connection, self.path, progress=progress)
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
            self._on_commit(self._tx.completed, self._tx.captured)

    def close(self) -> None:
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
    def reader(self, *, fresh: bool = False) -> Iterator[Any]:
        """A read-only connection in a snapshot of its own, or that of :meth:`snapshot`: all that is read inside is of one moment.

        Args:
            fresh: on a connection that has read nothing before, closed afterwards.

        Raises:
            StoreClosed: after :meth:`close`, or in a forked child (open a memory of its own there).
        """
        if self._closed or os.getpid() != self._pid:
            raise StoreClosed("this memory is closed" if self._closed else "opened before a fork; open it again here")
        around = getattr(self._snapshot, "connection", None)
        with translate(self.path):
            if around is not None and not fresh:
                yield around
                return
            try:
                connection = self._readers.get_nowait() if not fresh else open_connection(self.path, write=False)
            except queue.Empty:
                connection = open_connection(self.path, write=False)
            try:
                connection.execute("begin")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")
                with self._lock:
                    if self._closed or fresh:
                        connection.close()
                    else:
                        self._readers.put(connection)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.reader() as connection:
            before, self._snapshot.connection = getattr(self._snapshot, "connection", None), connection
            try:
                yield
            finally:
                self._snapshot.connection = before

    def submit(self, fn: Callable[[Tx], R]) -> Future[R]:
        """Queue a write (see :class:`~mnemic.store.base.Store`)."""
        if os.getpid() != self._pid:
            raise StoreClosed("opened before a fork; open it again here")
        return self._writer.submit(fn)

    def run(self, fn: Callable[[Tx], R]) -> R:
        return self.submit(fn).result()

    def now(self) -> int:
        return self._clock.now()

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    # -- spaces -------------------------------------------------------------------------------------------------------

    def space_no(self, connection: apsw.Connection, space: str) -> tuple[int, int, int] | None:
        """(no, seq, epoch) of a space, or ``None`` when nothing was ever written to it."""
        found = connection.execute(Q.space, (space,)).fetchone()
        if found is not None:
            self._space_names.setdefault(found[0], space)
        return found

    def spaces(self) -> list[str]:
        with self.reader() as r:
            return [row[1] for row in r.execute(Q.spaces)]

    def count(self, space: str) -> int:
        return next((int(nodes) for (nodes,) in self._rows(Q.space_nodes, space)), 0)

    def columns(self, space: str) -> Columns:
        return self._cache.columns(space)

    def pack_columns(self, space: str) -> int:
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None or found[1] < CHUNK:
                return 0
            first, newest = first_row(found[0]), first_row(found[0]) + found[1]
            bounds = (first >> CHUNK_SHIFT, newest >> CHUNK_SHIFT)
            have = {chunk: packed_upto(head) for chunk, head in r.execute(Q.packed_chunks, bounds)}
        last = {c: min(newest, (c + 1 << CHUNK_SHIFT) - 1) for c in range(bounds[0], bounds[1] + 1)}
        todo = [c for c, upto in last.items() if have.get(c) != upto]  # the last may have grown since it was packed
        for chunk in todo:
            self.run(lambda tx, c=chunk: tx.pack_columns(c, last[c]))  # type: ignore[misc]
        return len(todo)

    def merge_search(self) -> Iterator[int]:
        step = 0
        while self.run(lambda tx, first=not step: tx.merge_search(first=first)):  # type: ignore[misc]
            step += 1
            yield step

    # -- reading ------------------------------------------------------------------------------------------------------

    def postings(self, space: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        return self._cache.postings(space, terms)

    def literal(self, space: str, text: str, limit: int) -> list[int]:
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return []
            bounds = (first_row(found[0]), last_row(found[0]))
            rows = [row for (row,) in r.execute(Q.literal, (*bounds, text, limit))]
            return sorted(rows + (cold.literal(r, *bounds, text) if self._cold else []), reverse=True)[:limit]

    def vectors(self, space: str, model: str) -> VectorIndex | None:
        return self._cache.vectors(space, model)

    def words(self, space: str, model: str) -> WordIndex | None:
        return self._cache.words(space, model)

    def hot(self) -> SqliteStore:
        view = copy.copy(self)
        view._cold = False
        return view

    def nodes(self, rows: Sequence[int], *, every: bool = False) -> Mapping[int, Node]:
        if not len(rows):
            return {}
        with contextlib.suppress(StoreBusy):
            return self._nodes(rows, every)
        return self._nodes(rows, every)  # a text was thawed or erased after our snapshot was taken: look again

    def _nodes(self, rows: Sequence[int], every: bool) -> Mapping[int, Node]:
        with self.reader() as r:
            for no, name, _, _ in r.execute(Q.spaces):
                self._space_names[no] = name
            return read_nodes(r, rows, self._space_names, cold=self._cold, every=every)

    def one(self, row: int) -> Node:
        return self.nodes([row], every=True)[row]

    def forgotten(self, rows: Sequence[int]) -> forgotten.Forgotten:
        with self.reader() as r:
            return forgotten.among(r, rows)

    def node(self, space: str, id_: str) -> tuple[int, Node]:
        if not isinstance(id_, str):
            raise InvalidInput("id", f"must be text, not {type(id_).__name__}", "give the id of a memory")
        row = self.rows_of(space, [id_]).get(id_)
        if row is None:
            raise NotFound("memory", id_)
        return row, self.one(row)

    def rows_of(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        with self.reader() as r:
            found = self.space_no(r, space)
            if found is None:
                return {}
            no = found[0]
            short = {id_: first_row(no) + int(id_[1:]) for id_ in ids if SHORT_ID.fullmatch(id_)}
            there = {row for (row,) in r.execute(Q.rows_there, (json.dumps(list(short.values())),))} if short else set()
            out = {id_: row for id_, row in short.items() if row in there}
            out.update(r.execute(Q.rows_of_ids, (json.dumps(list(ids)), first_row(no), last_row(no))).fetchall())
            return out

    def search_texts(self, rows: NDArray[np.int64]) -> list[str]:
        wanted = json.dumps(rows.tolist())
        with self.reader() as r:
            cold.prepare(r, wanted if self._cold else "[]")
            found = dict(r.execute(Q.texts_in, (wanted, self._cold)).fetchall())
        return [found.get(int(row), "") for row in rows]

    def rows_with_tag(self, space: str, tag: str) -> list[int]:
        return [row for (row,) in self._within(space, Q.rows_with_tag, tag)]

    def entities(self, space: str, folded: str) -> list[tuple[int, Entity]]:
        return [(row[0], entity_from(row, space)) for row in self._in(space, F.entities_named, folded)]

    def entities_meant(self, space: str, name: str) -> list[tuple[int, Entity]]:
        folded = alias(name)
        exact = self.entities(space, folded)
        if not CYRILLIC.search(folded) or any(entity.type != UNTYPED for _, entity in exact):
            return exact
        begins = folded[: 3 if len(folded) > 4 else 2]  # no case changes these
        near = self._in(space, F.entities_between, begins, begins + chr(0x10FFFF))
        like = [(row[0], entity_from(row, space)) for row in near]
        like = [found for found in like if any(in_another_case(folded, other) for other in found[1].aliases)]
        known = [found for found in [*exact, *like] if found[1].type != UNTYPED]
        return known if len(known) == 1 else exact or (like if len(like) == 1 else [])

    def entity_list(self, space: str, type_: str | None, limit: int) -> list[Entity]:
        return [entity_from(row, space) for row in self._in(space, F.entity_page, type_, limit)]

    def entity_of(self, space: str, id_: str) -> Entity:
        for row in self._in(space, F.entity_by_id, id_):
            return entity_from(row, space)
        raise NotFound("entity", id_)

    def sessions(self, space: str, limit: int = 100, offset: int = 0) -> list[Session]:
        return [Session(*row) for row in self._in(space, Q.sessions, limit, offset)]

    # -- removing for good --------------------------------------------------------------------------------------------

    def erase(self, space: str, rows: Sequence[int], *, actor: str = "user") -> dict[str, int]:
        return erasing.erase(self, space, rows, actor=actor)

    def erase_again(self, other: Path) -> Mapping[str, int]:
        return erasing.again(self, other)

    def finish_erasing(self) -> None:
        erasing.finish(self)

    # -- maintenance --------------------------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        if os.getpid() != self._pid:
            raise StoreClosed("opened before a fork; open it again here")
        if not self._writer.fold().result():
            raise StoreBusy(f"{self.path}: the log is still being read from; it is emptied as soon as that ends")

    def backup(self, target: Path, progress: Callable[[str], None] | None = None) -> None:
        self.run(lambda tx: None)  # what was queued before us is committed now
        with translate(str(target)), contextlib.closing(open_connection(self.path, write=False)) as source:
            connect.copy(source, target, progress)


_: type[Store] = SqliteStore  # that it keeps what the port promises is checked by mypy
