"""The cold tier, read: texts of old episodes stand compressed in a side file, and statements ask for them by function.

A row of the table ``cold`` says that content and search text of a memory are empty here and stand in ``NAME.cold``, with
a digest of both: what does not fit it is never taken for the text. Every connection of ours has the functions
``cold_text(row, digest)`` and ``cold_terms(row, digest)``; each opens the side file when it is first asked.

The side file is a SQLite database with a rollback journal: one file, whole after every commit, and erased bytes are in
no log. See :mod:`.freezing` for how texts go there and back.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from typing import Any

import apsw

from ..errors import ColdMissing, MissingExtra, StoreBusy, StoreError
from .queries import load

C = load("cold.sql")

#: "mnmd"
APPLICATION_ID = 0x6D6E6D64
VERSION = 1
BUSY_MS = 5_000
MOST_BYTES = 1 << 28  # of one text, unpacked
PAGE = 500  # texts read at once
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
    z = zstd()
    try:
        if (z.get_frame_info(data).decompressed_size or 0) > MOST_BYTES:
            return None
        plain: bytes = z.decompress(data, dictionary, limits())
    except z.ZstdError:
        return None
    return plain


def plain_texts(connection: Any, rows: Iterable[int], dictionaries: dict[int, Any]) -> dict[int, bytes]:
    """What the side file has of rows, whole ones only; the dictionaries that this took are kept in ``dictionaries``."""
    out: dict[int, bytes] = {}
    for row, number, data in connection.execute(C.texts, (json.dumps(list(rows)),)).fetchall():
        if number not in dictionaries:
            held = connection.execute(C.dictionary, (number,)).get
            if held is None:  # packed anew this very moment
                continue
            dictionaries[number] = zstd().ZstdDict(held)
        plain = unpack(data, dictionaries[number])
        if plain is not None:
            out[row] = plain
    return out


class ColdTexts:
    """The side file as one connection reads it. Used by one thread at a time, like the connection.

    Args:
        path: of the main file.
    """

    def __init__(self, path: str) -> None:
        self._main = path
        self.path = side_path(path)
        self._connection: Any = None
        self._dictionaries: dict[int, Any] = {0: None}
        self._ready: dict[tuple[int, int], tuple[str, str]] = {}

    def prepare(self, pairs: str) -> None:
        """Read the texts that are about to be asked for at once, which takes a third of the time.

        Args:
            pairs: JSON list of [row, digest]. What cannot be read is left to be found out by :meth:`read`.
        """
        self._ready = {}
        wanted = dict(json.loads(pairs))
        if wanted:
            for row, plain in self._plain(list(wanted)).items():
                if digest(plain) == wanted[row]:
                    self._ready[row, wanted[row]] = split(plain)

    def read(self, row: int, wanted: int) -> tuple[str, str]:
        """Content and search text of a cold row.

        Raises:
            ColdMissing: the side file, or this text in it, is not there or damaged.
            StoreBusy: it was thawed, changed or erased meanwhile.
            MissingExtra: no zstd.
        """
        found = self._ready.get((row, wanted))
        if found is not None:
            return found
        plain = self._plain([row]).get(row)
        if plain is None or digest(plain) != wanted:
            self._connection = None  # the file may have been put in place of another one
            plain = self._plain([row]).get(row)
        if plain is None or digest(plain) != wanted:
            raise self._lost(row, wanted)
        self._ready = {(row, wanted): split(plain)}  # its other text is asked for next
        return self._ready[row, wanted]

    def _plain(self, rows: list[int]) -> dict[int, bytes]:
        """What the side file has of rows, whole ones only."""
        zstd()
        try:
            if self._connection is None:
                self._connection = open_to_read(self.path)
                self._dictionaries = {0: None}
            return plain_texts(self._connection, rows, self._dictionaries)
        except apsw.Error as error:
            self._connection = None
            if isinstance(error, apsw.BusyError | apsw.LockedError):
                raise StoreBusy(f"{self.path}: another process holds the file locked; try again") from error
            raise ColdMissing(f"{self.path}: cannot be read ({type(error).__name__}); {REMEDY}") from error

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


def register(connection: apsw.Connection, path: str) -> None:
    """Give a connection to the main file the functions that its statements ask for cold texts."""
    texts = ColdTexts(path)
    functions: tuple[tuple[str, int, Callable[..., Any]], ...] = (
        ("cold_text", 2, lambda row, wanted: texts.read(row, wanted)[0]),
        ("cold_terms", 2, lambda row, wanted: texts.read(row, wanted)[1]),
        ("cold_ready", 1, texts.prepare),
    )
    for name, arguments, function in functions:
        connection.create_scalar_function(name, function, arguments)


def prepare(connection: Any, rows: str) -> None:
    """Before many texts are asked for: read those of the rows (a JSON list) that are cold at once."""
    connection.execute(C.ready, (rows,)).fetchall()


def texts_of(connection: Any, rows: Iterable[int]) -> list[tuple[int, str, str]]:
    """(row, content, search text) of those of the rows that are cold.

    Raises:
        ColdMissing, StoreBusy, MissingExtra: as :meth:`ColdTexts.read`.
    """
    wanted = json.dumps(list(rows))
    prepare(connection, wanted)
    found: list[tuple[int, str, str]] = connection.execute(C.cold_texts, (wanted,)).fetchall()
    return found


def literal(connection: Any, first: int, last: int, text: str) -> list[int]:
    """Cold rows, of those from ``first`` to ``last``, whose content holds a text to the letter."""
    rows = [row for (row,) in connection.execute(C.cold_in, (first, last))]
    out: list[int] = []
    for start in range(0, len(rows), PAGE):
        page = json.dumps(rows[start : start + PAGE])
        prepare(connection, page)
        out += [row for (row,) in connection.execute(C.literal, (page, text))]
    return out


#: Largest window that is accepted when unpacking, as a power of two: 128 MB of memory, whatever a frame asks for.
WINDOW_LOG = 27


@cache
def zstd() -> Any:
    """The module.

    Raises:
        MissingExtra: there is none.
    """
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra("the archive", "archive")


@cache
def limits() -> dict[Any, int]:
    """Options of unpacking: bounded memory."""
    return {zstd().DecompressionParameter.window_log_max: WINDOW_LOG}
