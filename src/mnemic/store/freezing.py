"""The cold tier, written: texts go to the side file and come back, and what nobody needs there is removed.

Freezing writes and syncs the side file first and empties the main file in one transaction after it, so that a process
killed at any moment leaves every text in one of the two. What the side file holds too much (a killed freezing, a thawed
memory) is marked, and removed an hour later, when no reader can still need it and no writer is about to. Erased texts
leave it at once; the job that says so is written with the erasure, so that a killed process's is finished by the next.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from ..errors import ColdMissing, MissingExtra, StoreError, StoreReadOnly, StoreTooNew
from . import cold
from .cold import C, digest, joined, side_path, unpack
from .connect import BUSY_MS, open_connection, retry_busy, translated
from .queries import script
from .sqlite import Q, SqliteStore
from .tx import Tx
from .zstd import zstd

log = logging.getLogger("mnemic.store")

LEVEL = 12  # 15 µs a message; 19 packs 4 % better and takes five times as long
DICTIONARY = 112_640  # bytes, the size that zstd's own tools use
SHARE = 16  # a dictionary is at most this part of the texts it is made from: it has to pay for itself
LEAST = 4_096  # bytes; a smaller dictionary is not worth a generation
SAMPLES = 4_000  # texts that a dictionary is made from
GROWN = 4  # a new generation, once so many times as many texts are cold
PAGE, PAGE_BYTES = 500, 8_000_000  # of one step
AFTER = 3_600_000_000  # µs between the marking of a text that nobody needs and its removal
PATIENCE = 600.0  # seconds that may pass between the two halves of freezing: far less than AFTER
ERASED = "cold"  # kind of the job that takes erased texts out of the side file
#: A file is written anew when it would lose such a part, and so many bytes at least.
FREE_SHARE, FREE_BYTES = 0.2, 100_000
MOVED = "cold_moved"  # setting of the file: bytes of texts that have left pages of it since it was last written anew


@dataclass(frozen=True, slots=True)
class Frozen:
    """What one step of freezing did: memories moved, bytes of their texts, bytes that these take in the side file."""

    memories: int = 0
    text_bytes: int = 0
    packed_bytes: int = 0


# -- the side file, to be written ------------------------------------------------------------------------------------


@contextlib.contextmanager
def side(path: str) -> Iterator[Any]:
    """A connection that writes the side file of a main file; made where there is none. Its commits are synced.

    Raises:
        StoreError: it cannot be made, opened or written (the kinds as for the main file).
    """
    name = side_path(path)
    new = not os.path.exists(name)
    if new:
        try:
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError as error:
            raise StoreReadOnly(f"{name}: cannot be made: {error.strerror}") from error
    try:
        with contextlib.closing(apsw.Connection(name)) as connection:
            connection.set_busy_timeout(BUSY_MS)
            connection.pragma("synchronous", "EXTRA")
            connection.pragma("secure_delete", True)
            connection.pragma("trusted_schema", False)
            if connection.pragma("user_version") != cold.VERSION:
                _make(connection, name)
            if new:
                _sync(os.path.dirname(name))
            yield connection
    except apsw.Error as error:
        raise translated(error, name) from error


def _make(connection: Any, name: str) -> None:
    with _written(connection):
        found = connection.pragma("user_version")
        if found > cold.VERSION:
            raise StoreTooNew(f"{name}: written by a newer mnemic; upgrade mnemic")
        if not found:
            connection.execute(script("cold_schema.sql"))
            connection.pragma("application_id", cold.APPLICATION_ID)
            connection.pragma("user_version", cold.VERSION)


@contextlib.contextmanager
def _written(connection: Any) -> Iterator[None]:
    """A transaction on the side file: durable at its end, or nothing."""
    retry_busy(lambda: connection.execute("begin immediate"))
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def _sync(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- there -----------------------------------------------------------------------------------------------------------


def waiting(store: SqliteStore, space: str, before: int) -> list[tuple[int, int]]:
    """(row, bytes of its content) of hot episodes that happened, and were last used, before a moment.

    Args:
        before: microseconds UTC.
    """
    return store.select("to_freeze", space, before, where=C)


def pages(rows: Iterable[tuple[int, int]]) -> Iterator[list[int]]:
    """Rows in as large steps as may be taken at once."""
    page: list[int] = []
    room = PAGE_BYTES
    for row, size in rows:
        page.append(row)
        room -= size
        if len(page) >= PAGE or room <= 0:
            yield page
            page, room = [], PAGE_BYTES
    if page:
        yield page


def freeze(store: SqliteStore, rows: Sequence[int]) -> Frozen:
    """Move the texts of episodes to the side file; rows that are cold, gone or no episodes are passed over.

    Raises:
        MissingExtra: no zstd. StoreError: one of the files cannot be written; nothing is lost.
    """
    zstd()
    found = _texts(store, C.hot_texts, rows)
    if not found:
        return Frozen()
    with side(store.path) as connection:
        newest = connection.execute(C.newest_dictionary).fetchone()
        number, dictionary = (0, None) if newest is None else (newest[0], zstd().ZstdDict(newest[1]))
        packed = [(row, number, _packed(plain, dictionary)) for row, plain in found.items()]
        with _written(connection):
            connection.executemany(C.put_text, packed)
    written, marks = time.monotonic(), {row: digest(plain) for row, plain in found.items()}

    def empty(tx: Tx) -> set[int]:
        if time.monotonic() - written > PATIENCE:
            return set()
        execute, asked = tx.connection.execute, json.dumps(list(marks))
        now = {row: digest(joined(*texts)) for row, *texts in execute(C.hot_texts, (asked,)).fetchall()}
        same = [row for row, mark in now.items() if mark == marks[row]]  # the others have grown meanwhile
        tx.connection.executemany(C.put_cold, [(row, marks[row]) for row in same])
        tx.connection.executemany(C.set_content, [(row, "") for row in same])
        tx.connection.executemany(C.set_terms, [(row, "") for row in same])
        moved = int(execute(Q.meta, (MOVED,)).get or 0) + sum(len(found[row]) for row in same)
        tx.set_meta(MOVED, str(moved))
        return set(same)

    done = store.run(empty)
    _drop_gone(store, [row for row in marks if row not in done])
    return Frozen(
        len(done),
        sum(len(found[row]) for row in done),
        sum(len(data) for row, _, data in packed if row in done),
    )


def _texts(store: SqliteStore, statement: str, rows: Iterable[int]) -> dict[int, bytes]:
    with store.reader() as r:
        return {row: joined(*texts) for row, *texts in r.execute(statement, (json.dumps(list(rows)),))}


def _packed(plain: bytes, dictionary: Any) -> bytes:
    packer = zstd().ZstdCompressor(LEVEL, zstd_dict=dictionary)
    data: bytes = packer.compress(plain, packer.FLUSH_FRAME)
    if unpack(data, dictionary) != plain:
        raise StoreError("a text could not be read back after it was compressed; nothing was moved")
    return data


def _drop_gone(store: SqliteStore, rows: Sequence[int]) -> None:
    """What was erased while it was being moved must not stay behind."""
    if not rows:
        return
    with store.reader() as r:
        there = {row for (row,) in r.execute(Q.rows_there, (json.dumps(rows),))}
    gone = [row for row in rows if row not in there]
    if gone:
        _drop(store.path, gone)


# -- dictionaries ----------------------------------------------------------------------------------------------------


def learn(store: SqliteStore, space: str, rows: Sequence[int]) -> bool:
    """Make a new dictionary, for what is frozen from now on, where it is due; returns whether one was made.

    That is when there is none, and when four times as many texts are cold as when the newest was made.

    Args:
        rows: about to be frozen; it is made from them and from what is cold already.
    """
    zstd()
    every = sorted({*rows, *(row for (row,) in store.select("cold_range", space, where=C))})
    with side(store.path) as connection:
        newest = connection.execute(C.newest_dictionary).fetchone()
        if newest is not None and len(every) < GROWN * newest[2]:
            return False
        sample = _spread(every)
        texts = _texts(store, C.hot_texts, sample) | _texts(store, C.cold_texts, sample)
        with _written(connection):
            return _train(connection, texts, len(every), store.now()) is not None


def _spread(rows: Sequence[int]) -> list[int]:
    """Evenly, so many as a dictionary is made from."""
    return [rows[int(i)] for i in np.linspace(0, len(rows) - 1, min(len(rows), SAMPLES))]


def _train(connection: Any, texts: dict[int, bytes], count: int, now: int) -> tuple[int, bytes, int] | None:
    """Make a dictionary of texts and keep it as the newest; ``None``: there are too few of them."""
    size = min(DICTIONARY, sum(len(text) for text in texts.values()) // SHARE)
    if size < LEAST:
        return None
    try:
        data = zstd().train_dict(list(texts.values()), size).dict_content
    except zstd().ZstdError:  # too much alike to learn from
        return None
    rows = np.array(sorted(texts), dtype=np.int64).tobytes()
    number = connection.execute(C.new_dictionary, (data, rows, count, now)).get
    return number, data, count


def _renew(connection: Any, gone: set[int], now: int) -> None:
    """Pack anew what was packed with a dictionary that was made from erased texts; the caller's transaction."""
    for number, rows in connection.execute(C.dictionaries).fetchall():
        made_from = set(np.frombuffer(rows, dtype=np.int64).tolist())
        if made_from.isdisjoint(gone):
            continue
        old = zstd().ZstdDict(connection.execute(C.dictionary, (number,)).get)
        texts: dict[int, bytes] = {}
        for row, data in _pages(connection, number):
            plain = unpack(data, old)
            if plain is not None and row in made_from:
                texts[row] = plain
        count = int(connection.execute(C.count_texts).get)
        made = _train(connection, texts, count, now)
        new, dictionary = (made[0], zstd().ZstdDict(made[1])) if made else (0, None)
        for row, data in _pages(connection, number):
            plain = unpack(data, old)
            if plain is not None:  # a damaged one is left to be found, not made worse
                connection.execute(C.repack, (new, _packed(plain, dictionary), row))
        connection.execute(C.drop_dictionary, (number,))


def _pages(connection: Any, number: int) -> Iterator[tuple[int, bytes]]:
    last = -1
    while page := connection.execute(C.texts_with, (number, last, PAGE)).fetchall():
        last = page[-1][0]
        yield from page


# -- and back --------------------------------------------------------------------------------------------------------


def thaw(tx: Tx, rows: Iterable[int]) -> int:
    """Bring texts back into the main file; returns how many. Rows that are not cold are passed over.

    Raises:
        ColdMissing, MissingExtra: a text cannot be read; then nothing was changed.
    """
    found = tx.connection.execute(C.cold_texts, (json.dumps(list(rows)),)).fetchall()
    tx.connection.executemany(C.set_content, [(row, content) for row, content, _ in found])
    tx.connection.executemany(C.set_terms, [(row, terms) for row, _, terms in found])
    tx.connection.execute(C.drop_cold, (json.dumps([row for row, *_ in found]),))
    return len(found)


def thaw_used(tx: Tx, rows: Iterable[int]) -> None:
    """Bring back what was used; where that cannot be, the use is noted all the same."""
    try:
        thaw(tx, rows)
    except (StoreError, MissingExtra) as error:
        log.warning("used, but not thawed: %s", error)


def has_side(store: SqliteStore) -> bool:
    """Whether the file has a side file."""
    return os.path.exists(side_path(store.path))


def is_cold(store: SqliteStore) -> bool:
    """Whether any memory of the file is cold."""
    with store.reader() as r:
        return bool(r.execute(C.any_cold).get)


# -- removing --------------------------------------------------------------------------------------------------------


def note_erased(tx: Tx, path: str, rows: Sequence[int]) -> None:
    """In the transaction of an erasure: what must leave the side file after it, by row numbers alone."""
    if rows and os.path.exists(side_path(path)):
        values = (f"cold:{uuid.uuid4()}", ERASED, "due", json.dumps(list(rows)), tx.clock.now())
        tx.connection.execute(Q.put_job, values)


def finish_erased(store: SqliteStore) -> int:
    """Take erased texts, and dictionaries made from them, out of the side file; returns how many texts that were."""
    with store.reader() as r:
        jobs = r.execute(C.due_forget).fetchall()
    if not jobs:
        return 0
    dropped = _drop(store.path, [row for _, payload in jobs for row in json.loads(payload)], store.now())
    store.run(lambda tx: tx.connection.executemany(Q.drop_job, [(job,) for job, _ in jobs]))
    return dropped


def _drop(path: str, rows: Sequence[int], now: int = 0) -> int:
    if not os.path.exists(side_path(path)):
        return 0
    with side(path) as connection, _written(connection):
        connection.execute(C.drop_texts, (json.dumps(rows),))
        dropped = int(connection.changes())
        _renew(connection, set(rows), now)
    return dropped


def sweep(store: SqliteStore, now: int) -> int:
    """Remove texts that no memory points to any more, an hour after that was seen; returns how many.

    Raises:
        StoreBusy: a reader holds the log, so that it is not sure that the main file is on disk. Nothing was removed.
    """
    if not os.path.exists(side_path(store.path)):
        return 0
    store.checkpoint()  # what was thawed must be in the main file for good
    removed, last = 0, -1
    with side(store.path) as connection:
        while page := connection.execute(C.texts_page, (last, PAGE)).fetchall():
            last = page[-1][0]
            with store.reader() as r:
                held = {row for (row,) in r.execute(C.cold_among, (json.dumps([row for row, _ in page]),))}
            over = [row for row, left in page if row not in held and left is not None and left < now - AFTER]
            new = [row for row, left in page if row not in held and left is None]
            back = [row for row, left in page if row in held and left is not None]
            if over or new or back:
                with _written(connection):
                    connection.execute(C.set_left, (json.dumps(new), now))
                    connection.execute(C.set_left, (json.dumps(back), None))
                    connection.execute(C.drop_left, (json.dumps(over), now - AFTER))
                    removed += connection.changes()
        if removed:
            _vacuum(connection, connection.filename, 0)
    return removed


def shrink(store: SqliteStore) -> int:
    """Give what the texts have left free in the main file back to the disk; returns how many bytes that were.

    By writing the file anew (VACUUM), once a fifth of it would be gained. SQLite can also give free pages back one by
    one, but only in files that keep a map of their pages, which every write pays for; and most texts leave room within
    pages, which nothing else gives back.
    """
    moved = int((store.ask("meta", MOVED) or [(0,)])[0][0])
    with contextlib.closing(open_connection(store.path, write=True)) as connection:
        if not _vacuum(connection, store.path, moved):
            return 0
    before = os.path.getsize(store.path)
    store.run(lambda tx: tx.set_meta(MOVED, "0"))
    with contextlib.suppress(StoreError):  # a reader holds the log: the file shrinks once that one has ended
        store.checkpoint()
    return before - os.path.getsize(store.path)


def _vacuum(connection: Any, path: str, moved: int) -> bool:
    total, free, size = connection.execute(C.pages).fetchone()
    gain = free * size + moved
    if gain < FREE_BYTES or gain < FREE_SHARE * total * size:
        return False
    if shutil.disk_usage(Path(path).resolve().parent).free < 2.2 * total * size:
        log.warning("%s: too little room on the disk to write the file anew; what is free in it stays", path)
        return False
    connection.pragma("temp_store", 1)  # on the disk: a copy of the file does not fit into the memory of every machine
    retry_busy(lambda: connection.execute(C.vacuum))
    return True


# -- examining -------------------------------------------------------------------------------------------------------


def examine(store: SqliteStore) -> list[str]:
    """Whether every cold text is there, whole and ours: problems in words."""
    lost, last = 0, -1
    with store.reader() as r:
        while page := [row for (row,) in r.execute(C.cold_rows, (last, PAGE))]:
            last = page[-1]
            for row in page:
                try:
                    r.execute(C.cold_texts, (json.dumps([row]),)).fetchall()
                except ColdMissing as error:
                    if not os.path.exists(side_path(store.path)):
                        return [str(error)]
                    lost += 1
    return [f"{side_path(store.path)}: {lost} text(s) of cold memories cannot be read; {cold.REMEDY}"] if lost else []


def check_index(tx: Tx) -> None:
    """Compare the keyword index with the texts, the cold ones put in place for as long as it takes.

    Raises:
        apsw.Error: they differ.
    """
    execute = tx.connection.execute
    execute("savepoint cold")
    try:
        for page in _cold_pages(tx):
            found = execute(C.cold_texts, (json.dumps(page),)).fetchall()
            tx.connection.executemany(C.set_terms, [(row, terms) for row, _, terms in found])
        execute(Q.check_search)
    finally:
        execute("rollback to cold")
        execute("release cold")


def thaw_all(tx: Tx) -> int:
    """Every text back into the main file: the keyword index is about to be made from them."""
    return sum(thaw(tx, page) for page in _cold_pages(tx))


def about(store: SqliteStore) -> dict[str, Any]:
    """Whether there are cold memories, and the side file: its path, its size in bytes, whether it is there."""
    name = side_path(store.path)
    there = os.path.exists(name)
    return {"any": is_cold(store), "path": name, "bytes": os.path.getsize(name) if there else 0, "missing": not there}


def _cold_pages(tx: Tx) -> Iterator[list[int]]:
    last = -1
    while page := [row for (row,) in tx.connection.execute(C.cold_rows, (last, PAGE))]:
        last = page[-1]
        yield page
