"""The cold tier, read: texts of old episodes stand compressed in a side file, and statements ask for them by function.

A row of the table ``cold`` says that content and search text of a memory are empty here and stand in ``NAME.cold``, with
a digest of both: what does not fit it is never taken for the text. Every connection of ours has the functions
``cold_text(row, digest)`` and ``cold_terms(row, digest)``; each opens the side file when it is first asked.

The side file is a SQLite database with a rollback journal: one file, whole after every commit, and erased bytes are in
no log. See :mod:`.freezing` for how texts go there and back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import apsw

from ..errors import ColdMissing, StoreBusy, StoreError
from .queries import load
from .zstd import decompressor, zstd

C = load("cold.sql")

#: "mnmd"
APPLICATION_ID = 0x6D6E6D64
VERSION = 1
BUSY_MS = 5_000
MOST_BYTES = 1 << 28  # of one text, unpacked
_LENGTH = 4


def side_path(path: str) -> str:
    """Where the cold texts of a memory lie: beside the file itself, not beside a link to it."""
    return os.path.realpath(path) + ".cold"


def joined(content: str, terms: str) -> bytes:
    """Both texts of a memory as one."""
    raw = content.encode()
    return len(raw).to_bytes(_LENGTH, "big") + raw + terms.encode()


def split(plain: bytes) -> tuple[str, str]:
    """(content, search text)."""
    end = _LENGTH + int.from_bytes(plain[:_LENGTH], "big")
    return plain[_LENGTH:end].decode(), plain[end:].decode()


def digest(plain: bytes) -> int:
    """What tells whether texts are those that were put away."""
    return int.from_bytes(blake2b(plain, digest_size=8).digest(), "big", signed=True)


def unpack(data: bytes, dictionary: Any) -> bytes | None:
    """The plain bytes of a frame; ``None``: it is damaged, or not of this dictionary."""
    unpacking = decompressor(dictionary)
    try:
        plain: bytes = unpacking.decompress(data, MOST_BYTES)
    except zstd().ZstdError:
        return None
    return plain if unpacking.eof else None


class ColdTexts:
    """The side file as one connection reads it. Used by one thread at a time, like the connection.

    Args:
        path: of the main file.
    """

    def __init__(self, path: str) -> None:
        self._main = path
        self.path = side_path(path)
        self._connection: Any = None
        self._dictionaries: dict[int, Any] = {}
        self._last: tuple[tuple[int, int], tuple[str, str]] | None = None  # both texts of a row are asked for in turn

    def read(self, row: int, wanted: int) -> tuple[str, str]:
        """Content and search text of a cold row.

        Raises:
            ColdMissing: the side file, or this text in it, is not there or damaged.
            StoreBusy: it was thawed, changed or erased meanwhile.
            MissingExtra: no zstd.
        """
        if self._last is not None and self._last[0] == (row, wanted):
            return self._last[1]
        plain = self._plain(row)
        if plain is None or digest(plain) != wanted:
            self._connection = None  # the file may have been put in place of another one
            plain = self._plain(row)
        if plain is None or digest(plain) != wanted:
            raise self._lost(row, wanted)
        texts = split(plain)
        self._last = ((row, wanted), texts)
        return texts

    def _plain(self, row: int) -> bytes | None:
        zstd()
        try:
            if self._connection is None:
                self._connection = open_to_read(self.path)
                self._dictionaries.clear()
            found = self._connection.execute(C.text, (row,)).fetchone()
            if found is None:
                return None
            number, data = found
            if number and number not in self._dictionaries:
                held = self._connection.execute(C.dictionary, (number,)).get
                if held is None:  # packed anew this very moment
                    return None
                self._dictionaries[number] = zstd().ZstdDict(held)
            return unpack(data, self._dictionaries[number] if number else None)
        except apsw.Error as error:
            self._connection = None
            raise side_error(error, self.path) from error

    def _lost(self, row: int, wanted: int) -> StoreError:
        """Why a text that should be there is not: by what the main file says now, not in our snapshot."""
        flags = apsw.SQLITE_OPEN_READWRITE
        with contextlib.closing(apsw.Connection(self._main, flags=flags)) as fresh:
            fresh.set_busy_timeout(BUSY_MS)
            if fresh.execute(C.digest, (row,)).get != wanted:
                return StoreBusy(f"{self._main}: a memory was changed or erased while it was read; try again")
        return ColdMissing(f"{self.path}: the text of a cold memory is not in it or damaged; {REMEDY}")


REMEDY = "put back the side file that belongs to the memory (of the same backup)"


def open_to_read(path: str) -> apsw.Connection:
    """A connection that reads the side file.

    Raises:
        ColdMissing: there is none.
    """
    if not os.path.exists(path):
        raise ColdMissing(f"{path} is missing: texts of cold memories stand there; {REMEDY}")
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(BUSY_MS)
    connection.pragma("query_only", True)
    return connection


def side_error(error: apsw.Error, path: str) -> StoreError:
    """Our error for one of SQLite's on the side file."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreBusy(f"{path}: another process holds the file locked; try again")
    return ColdMissing(f"{path}: cannot be read ({type(error).__name__}); {REMEDY}")


def register(connection: apsw.Connection, path: str) -> None:
    """Give a connection to the main file the functions that its statements ask for cold texts."""
    texts = ColdTexts(path)
    functions: dict[str, Callable[..., Any]] = {
        "cold_text": lambda row, wanted: texts.read(row, wanted)[0],
        "cold_terms": lambda row, wanted: texts.read(row, wanted)[1],
    }
    for name, function in functions.items():
        connection.create_scalar_function(name, function, 2)
