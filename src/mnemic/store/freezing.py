"""The cold tier, written: texts go to the side file and come back, and what nobody needs there is removed.

Freezing writes and syncs the side file first and empties the main file in one transaction after it, so that a process
killed at any moment leaves every text in one of the two. What the side file holds too much (a killed freezing, a thawed
memory) is marked, and removed an hour later, when no reader can still need it and no writer is about to. Erased texts
leave it at once; the job that says so is written with the erasure, so that a killed process's is finished by the next.

A dictionary is made of texts and holds pieces of them, so it goes when one of these is erased. Texts are packed anew page
by page, so that readers never wait for long, and a dictionary goes when no text needs it any more.
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
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from ..errors import ColdMissing, MissingExtra, StoreBusy, StoreDamaged, StoreError, StoreReadOnly, StoreTooNew
from . import cold
from .cold import C, digest, joined, plain_texts, side_path, unpack, zstd
from .connect import BUSY_MS, open_connection, retry_busy, transaction, translated
from .queries import script
from .tx import Q, Tx

if TYPE_CHECKING:
    from .sqlite import SqliteStore

LEVEL = 9  # 60 µs a kilobyte; 12 packs 3 % better and takes twice as long
DICTIONARY = 112_640  # bytes, the size that zstd's own tools use
SHARE = 16  # a dictionary is at most this part of the texts it is made from: it has to pay for itself
LEAST = 4_096  # bytes; a smaller dictionary is not worth a generation
SAMPLES = 4_000  # texts that a dictionary is made from
GROWN = 4  # a new generation, once so many times as many texts are cold
PAGE = 500
PIECE = 8  # bytes in a row by which a dictionary is seen to hold something of a text


@contextlib.contextmanager
def opened(path: str) -> Iterator[Any]:
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
    with transaction(connection):
        found = connection.pragma("user_version")
        if found > cold.VERSION:
            raise StoreTooNew(f"{name}: written by a newer mnemic; upgrade mnemic")
        if not found and connection.execute("select exists (select 1 from sqlite_schema)").get:
            raise StoreDamaged(f"{name}: a SQLite database of another program stands where cold texts should go")
        if not found:
            connection.execute(script("cold_schema.sql"))
            connection.pragma("application_id", cold.APPLICATION_ID)
            connection.pragma("user_version", cold.VERSION)


def _sync(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def pack(texts: Iterable[tuple[int, bytes]], dictionary: Any) -> list[tuple[int, bytes]]:
    """Frames of texts, each read back and compared.

    Raises:
        StoreError: one is not what it was made from.
    """
    packer = zstd().ZstdCompressor(LEVEL, zstd_dict=dictionary)
    out: list[tuple[int, bytes]] = []
    for row, plain in texts:
        data: bytes = packer.compress(plain, packer.FLUSH_FRAME)
        if unpack(data, dictionary) != plain:
            raise StoreError("a text could not be read back after it was compressed; nothing was moved")
        out.append((row, data))
    return out


def check_dictionary(connection: Any, number: int) -> None:
    """In the transaction that writes frames: what they were packed with is still there.

    Raises:
        StoreBusy: it was replaced.
    """
    if number and connection.execute(C.dictionary, (number,)).get is None:
        raise StoreBusy("the dictionary of the side file was replaced meanwhile; try again")


def spread(rows: Sequence[int]) -> list[int]:
    """Some of the rows, evenly, so many as a dictionary is made from."""
    return [rows[int(i)] for i in np.linspace(0, len(rows) - 1, min(len(rows), SAMPLES))]


def train(connection: Any, texts: dict[int, bytes], count: int, now: int) -> int:
    """Make a dictionary of texts and keep it as the newest; its number, or 0: they are too few, or too much alike."""
    size = min(DICTIONARY, sum(len(text) for text in texts.values()) // SHARE)
    if size < LEAST:
        return 0
    try:
        data = zstd().train_dict(list(texts.values()), size).dict_content
    except zstd().ZstdError:
        return 0
    rows = np.array(sorted(texts), dtype=np.int64).tobytes()
    with transaction(connection):
        return int(connection.execute(C.new_dictionary, (data, rows, count, now)).get)


def repack(connection: Any, old: int, new: int) -> None:
    """Pack with one dictionary what was packed with another, page by page; the other goes when nothing needs it."""
    dictionaries = {0: None} | {no: _dictionary(connection, no) for no in {old, new} - {0}}
    last = -1
    while page := connection.execute(C.texts_with, (old, last, PAGE)).fetchall():
        last = page[-1][0]
        plain = [(row, text) for row, data in page if (text := unpack(data, dictionaries[old])) is not None]
        packed = pack(plain, dictionaries[new])  # a damaged one is left to be found, not made worse
        with transaction(connection):
            connection.executemany(C.repack, [(new, data, row, old) for row, data in packed])
    with transaction(connection):
        connection.execute(C.drop_dictionary, (old,))


def _dictionary(connection: Any, number: int) -> Any:
    return zstd().ZstdDict(connection.execute(C.dictionary, (number,)).get)


def _renew(connection: Any, gone: set[int], texts: dict[int, bytes], now: int) -> None:
    """Replace dictionaries that hold pieces of erased texts.

    Args:
        texts: of the erased rows, as far as they were still there.
    """
    known = {no: set(np.frombuffer(rows, dtype=np.int64).tolist()) for no, rows in connection.execute(C.dictionaries)}
    for number in [no for no, made_from in known.items() if made_from & gone]:
        rest = plain_texts(connection, known[number] - gone, {0: None})
        erased = known[number] & gone
        data = connection.execute(C.dictionary, (number,)).get
        if erased <= texts.keys() and not _shows(data, [texts[row] for row in erased], rest.values()):
            continue
        sound = max((no for no, made_from in known.items() if no > number and not made_from & gone), default=0)
        if not sound:
            sound = train(connection, rest, int(connection.execute(C.count_texts).get), now)
            known[sound] = set(rest)
        repack(connection, number, sound)


def _shows(data: bytes, erased: Iterable[bytes], rest: Iterable[bytes]) -> bool:
    """Whether a dictionary holds something of erased texts, eight bytes in a row, that no other text has."""
    held = {data[i : i + PIECE] for i in range(len(data) - PIECE + 1)}
    pieces = {text[i : i + PIECE] for text in erased for i in range(len(text) - PIECE + 1)} & held
    others = b"\0".join(rest)
    return any(piece not in others for piece in pieces)


def drop(path: str, rows: Sequence[int], now: int) -> int:
    """Remove texts for good, and the dictionaries that were made from them; returns how many texts that were."""
    if not os.path.exists(side_path(path)):
        return 0
    with opened(path) as connection:
        texts = plain_texts(connection, rows, {0: None})
        with transaction(connection):
            connection.execute(C.drop_texts, (json.dumps(rows),))
            dropped = int(connection.changes())
        _renew(connection, set(rows), texts, now)
    return dropped


log = logging.getLogger("mnemic.store")

PAGE_BYTES = 8_000_000  # of one step
AFTER = 3_600_000_000  # µs between the marking of a text that nobody needs and its removal
PATIENCE = 600.0  # seconds that may pass between the two halves of freezing: far less than AFTER
ERASED = "cold"  # kind of the job that takes erased texts out of the side file
#: A file is written anew when it would lose such a part, and so many bytes at least.
FREE_SHARE, FREE_BYTES = 0.05, 100_000
MOVED = "cold_moved"  # setting of the file: bytes of texts that have left pages of it since it was last written anew


@dataclass(frozen=True, slots=True)
class Frozen:
    """What one step of freezing did: memories moved, bytes of their texts, bytes that these take in the side file."""

    memories: int = 0
    text_bytes: int = 0
    packed_bytes: int = 0


# -- there -----------------------------------------------------------------------------------------------------------


def waiting(store: SqliteStore, space: str, before: int) -> list[tuple[int, int]]:
    """(row, bytes of its content) of hot episodes that happened, and were last used, before a moment.

    Args:
        before: microseconds UTC.
    """
    return store._within(space, C.to_freeze, before)


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
    found = _texts(store, rows)
    if not found:
        return Frozen()
    with _side(store) as connection:
        newest = connection.execute(C.newest_dictionary).fetchone()
        number, dictionary = (0, None) if newest is None else (newest[0], zstd().ZstdDict(newest[1]))
        packed = [(row, number, data) for row, data in pack(found.items(), dictionary)]
        with transaction(connection):
            check_dictionary(connection, number)
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


def _side(store: SqliteStore) -> contextlib.AbstractContextManager[Any]:
    """The side file, to be added to. A lost one is not begun anew: the old one would have no place to come back to."""
    if not has_side(store) and is_cold(store):
        raise ColdMissing(f"{side_path(store.path)} is missing: texts of cold memories stand there; {cold.REMEDY}")
    return opened(store.path)


def _texts(store: SqliteStore, rows: Iterable[int]) -> dict[int, bytes]:
    """Both texts of hot episodes."""
    with store.reader() as r:
        return {row: joined(*texts) for row, *texts in r.execute(C.hot_texts, (json.dumps(list(rows)),))}


def _drop_gone(store: SqliteStore, rows: Sequence[int]) -> None:
    """What was erased while it was being moved must not stay behind."""
    if not rows:
        return
    with store.reader() as r:
        there = {row for (row,) in r.execute(Q.rows_there, (json.dumps(rows),))}
    gone = [row for row in rows if row not in there]
    if gone:
        drop(store.path, gone, store.now())


def learn(store: SqliteStore, rows: Sequence[int]) -> bool:
    """Make a new dictionary where it is due, and pack what is cold with it; returns whether one was made.

    That is when there is none, and when four times as many texts are cold as when the newest was made. So every text is
    packed anew less than twice on the average, and few generations stand side by side.

    Args:
        rows: about to be frozen; it is made from them and from what is cold already.
    """
    zstd()
    with store.reader() as r:
        every = sorted({*rows, *(row for (row,) in r.execute(C.cold_all))})
    with _side(store) as connection:
        newest = connection.execute(C.newest_dictionary).fetchone()
        if newest is not None and len(every) < GROWN * newest[2]:
            return False
        sample = spread(every)
        texts = _texts(store, sample)
        with store.reader() as r:
            texts |= {row: joined(*both) for row, *both in cold.texts_of(r, sample)}
        made = train(connection, texts, len(every), store.now())
        if not made:
            return False
        for number in [0, *(no for no, _ in connection.execute(C.dictionaries).fetchall())]:
            if number != made:
                repack(connection, number, made)
        return True


# -- and back --------------------------------------------------------------------------------------------------------


def thaw(tx: Tx, rows: Iterable[int]) -> int:
    """Bring texts back into the main file; returns how many. Rows that are not cold are passed over.

    Raises:
        ColdMissing, MissingExtra: a text cannot be read; then nothing was changed.
    """
    found = cold.texts_of(tx.connection, rows)
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
    dropped = drop(store.path, [row for _, payload in jobs for row in json.loads(payload)], store.now())
    store.run(lambda tx: tx.connection.executemany(Q.drop_job, [(job,) for job, _ in jobs]))
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
    with opened(store.path) as connection:
        while page := connection.execute(C.texts_page, (last, PAGE)).fetchall():
            last = page[-1][0]
            with store.reader() as r:
                held = {row for (row,) in r.execute(C.cold_among, (json.dumps([row for row, _ in page]),))}
            over = [row for row, left in page if row not in held and left is not None and left < now - AFTER]
            new = [row for row, left in page if row not in held and left is None]
            back = [row for row, left in page if row in held and left is not None]
            if over or new or back:
                with transaction(connection):
                    connection.execute(C.set_left, (json.dumps(new), now))
                    connection.execute(C.set_left, (json.dumps(back), None))
                    connection.execute(C.drop_left, (json.dumps(over), now - AFTER))
                    removed += connection.changes()
        if removed:
            _vacuum(connection, connection.filename, 0)
    return removed


def shrink(store: SqliteStore) -> int:
    """Give what the texts have left free in the main file back to the disk; returns how many bytes that were.

    By writing the file anew (VACUUM), once a twentieth of it would be gained. SQLite can also give free pages back one by
    one, but only in files that keep a map of their pages, which every write pays for; and most texts leave room within
    pages, which nothing else gives back.
    """
    moved = int(store.meta(MOVED) or 0)
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
            try:
                cold.texts_of(r, page)
                continue
            except ColdMissing:
                pass
            for row in page:
                try:
                    cold.texts_of(r, [row])
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
            found = cold.texts_of(tx.connection, page)
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
