"""Connections: how they are opened, set up and checked, and how SQLite's errors become ours."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import apsw

from ..errors import (
    InvalidInput,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from . import cold

#: "mnmc", so that ``file`` and other programs can tell a memory from another SQLite database.
APPLICATION_ID = 0x6D6E6D63
BUSY_MS = 5_000
JOURNAL_LIMIT = 16 * 1024 * 1024

T = TypeVar("T")

_ERRORS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.BusyError, StoreBusy, "another process holds the file locked; try again"),
    (apsw.LockedError, StoreBusy, "another process holds the file locked; try again"),
    (apsw.FullError, StoreFull, "disk full: nothing of this call was stored; free some space and go on"),
    (apsw.ReadOnlyError, StoreReadOnly, "the file is read-only for this user"),
    (apsw.PermissionsError, StoreReadOnly, "no permission to write the file"),
    (apsw.CantOpenError, StoreReadOnly, "the file cannot be opened; is the folder there, and may it be written?"),
    (apsw.NotADBError, StoreDamaged, "the file is not a SQLite database"),
    (apsw.CorruptError, StoreDamaged, "the file is damaged; restore a backup or run `mnemic doctor`"),
)


@contextlib.contextmanager
def translate(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn SQLite's errors into :mod:`mnemic.errors`, with the path and no SQL."""
    try:
        yield
    except apsw.Error as error:
        raise translated(error, path) from error


def translated(error: apsw.Error, path: str | os.PathLike[str]) -> StoreError:
    """Our error for one of SQLite's."""
    for theirs, ours, message in _ERRORS:
        if isinstance(error, theirs):
            return ours(f"{path}: {message}")
    if isinstance(error, apsw.IOError) and _no_space(path):
        return StoreFull(f"{path}: disk full: nothing of this call was stored; free some space and go on")
    return StoreError(f"{path}: {type(error).__name__} ({apsw_text(error)})")


def _no_space(path: str | os.PathLike[str]) -> bool:
    try:
        stat = os.statvfs(Path(path).parent)
    except (OSError, AttributeError):
        return False
    return stat.f_bavail * stat.f_frsize < 64 * 1024


def apsw_text(error: apsw.Error) -> str:
    """SQLite's name of an error, never the statement or its values."""
    code = getattr(error, "extendedresult", 0)
    name = apsw.mapping_extended_result_codes.get(code) or apsw.mapping_result_codes.get(code & 0xFF)
    return str(name or "unknown")


def check_path(path: str | os.PathLike[str]) -> str:
    """The path of a memory as text.

    Raises:
        InvalidInput: empty, a folder, or holding a NUL.
    """
    text = os.fspath(path)
    if not isinstance(text, str) or not text:
        raise InvalidInput("path", "no file name given", "for example memory.db, or :memory:")
    if "\0" in text:
        raise InvalidInput("path", "holds a NUL character")
    if text == ":memory:":
        return text
    text = os.path.expanduser(text)
    if text.startswith("file:"):  # a name, not SQLite's address syntax with its options
        text = os.path.join(os.curdir, text)
    if os.path.isdir(text):
        raise InvalidInput("path", f"{text} is a folder", "give the name of a file in it")
    return text


def open_connection(path: str, *, write: bool, durable: bool = False) -> apsw.Connection:
    """A connection with every setting that mnemic relies on.

    Readers never write, not even a checkpoint: the one write connection does all of that.

    Raises:
        StoreReadOnly: to be written, but SQLite could open the file for reading only.
    """
    if path == ":memory:":
        path = "file:mnemic?mode=memory"
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    if write:
        flags |= apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(path, flags=flags)
    cold.register(connection, path)
    connection.set_busy_timeout(BUSY_MS)
    connection.pragma("foreign_keys", True)
    connection.pragma("trusted_schema", False)
    connection.pragma("temp_store", 2)
    connection.pragma("cache_size", -65536 if write else -32768)
    connection.pragma("mmap_size", 0)
    connection.wal_autocheckpoint(0)
    if not write:
        connection.pragma("query_only", True)
        return connection
    connection.pragma("synchronous", "FULL" if durable else "NORMAL")
    connection.pragma("journal_size_limit", JOURNAL_LIMIT)
    connection.pragma("secure_delete", True)
    if connection.readonly("main"):
        connection.close()
        raise StoreReadOnly(f"{path}: the file or its folder is read-only for this user")
    return connection


def use_log(connection: apsw.Connection, path: str) -> None:
    """Switch a file of ours to write-ahead logging (a restored backup comes without).

    Raises:
        StoreError: the file system cannot do it.
    """
    if connection.pragma("journal_mode") == "wal":
        return
    if retry_busy(lambda: connection.pragma("journal_mode", "wal")) != "wal":
        raise StoreError(f"{path}: SQLite cannot keep a log on this file system (a network share?); use a local disk")


def retry_busy(action: Callable[[], T], *, seconds: float = 30.0) -> T:
    """Run an action again while another process holds the lock, for so many seconds at most.

    The busy timeout covers ordinary waits; this covers the few answers that SQLite gives at once, without waiting
    (switching to WAL, a lock upgrade, recovery by another process).
    """
    end = time.monotonic() + seconds
    pause = 0.002
    while True:
        try:
            return action()
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() > end:
                raise
            time.sleep(pause)
            pause = min(pause * 2, 0.1)
