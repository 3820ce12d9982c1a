"""The side file, written: its connection, its dictionaries, and what leaves it.

A dictionary is made of texts and holds pieces of them, so it goes when one of these is erased. Texts are packed anew page
by page, so that readers never wait for long, and a dictionary goes when no text needs it any more.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw
import numpy as np

from ..errors import StoreBusy, StoreDamaged, StoreError, StoreReadOnly, StoreTooNew
from . import cold
from .cold import C, side_path, unpack
from .connect import BUSY_MS, retry_busy, translated
from .queries import script
from .zstd import zstd

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
    with written(connection):
        found = connection.pragma("user_version")
        if found > cold.VERSION:
            raise StoreTooNew(f"{name}: written by a newer mnemic; upgrade mnemic")
        if not found and connection.execute("select exists (select 1 from sqlite_schema)").get:
            raise StoreDamaged(f"{name}: a SQLite database of another program stands where cold texts should go")
        if not found:
            connection.execute(script("cold_schema.sql"))
            connection.pragma("application_id", cold.APPLICATION_ID)
            connection.pragma("user_version", cold.VERSION)


@contextlib.contextmanager
def written(connection: Any) -> Iterator[None]:
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
    with written(connection):
        return int(connection.execute(C.new_dictionary, (data, rows, count, now)).get)


def repack(connection: Any, old: int, new: int) -> None:
    """Pack with one dictionary what was packed with another, page by page; the other goes when nothing needs it."""
    dictionaries = {0: None} | {no: _dictionary(connection, no) for no in {old, new} - {0}}
    last = -1
    while page := connection.execute(C.texts_with, (old, last, PAGE)).fetchall():
        last = page[-1][0]
        plain = [(row, text) for row, data in page if (text := unpack(data, dictionaries[old])) is not None]
        packed = pack(plain, dictionaries[new])  # a damaged one is left to be found, not made worse
        with written(connection):
            connection.executemany(C.repack, [(new, data, row, old) for row, data in packed])
    with written(connection):
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
        rest = _in_side(connection, known[number] - gone)
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


def _in_side(connection: Any, rows: Iterable[int]) -> dict[int, bytes]:
    """Texts of rows as the side file has them."""
    dictionaries: dict[int, Any] = {0: None}
    out: dict[int, bytes] = {}
    for row, number, data in connection.execute(C.texts, (json.dumps(list(rows)),)).fetchall():
        if number not in dictionaries:
            dictionaries[number] = _dictionary(connection, number)
        plain = unpack(data, dictionaries[number])
        if plain is not None:
            out[row] = plain
    return out


def drop(path: str, rows: Sequence[int], now: int) -> int:
    """Remove texts for good, and the dictionaries that were made from them; returns how many texts that were."""
    if not os.path.exists(side_path(path)):
        return 0
    with opened(path) as connection:
        texts = _in_side(connection, rows)
        with written(connection):
            connection.execute(C.drop_texts, (json.dumps(rows),))
            dropped = int(connection.changes())
        _renew(connection, set(rows), texts, now)
    return dropped
