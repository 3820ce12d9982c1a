"""How a file is opened, set up, checked and brought up to date, and how SQLite's errors become ours.

The version is ``PRAGMA user_version``, so reading it takes no lock. A file that holds data is backed up first
(``NAME.before-vN.bak`` beside it), under the write lock, so that no write falls between the copy and the change. Two
processes that upgrade at once are safe: the second one waits and finds nothing left to do. Killed at any moment, the
file is as before or one whole step further, and the next start goes on from there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import time
import uuid
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
    StoreTooNew,
)
from . import cold
from .cold import C, open_to_read, side_path
from .queries import migrations

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


log = logging.getLogger("mnemic.store")

LATEST = migrations()[-1][0]
COLD_SINCE = 3  # the format that has a cold tier
PATIENCE = 600.0  # seconds to wait for another process that is upgrading the same file
STALE = 600.0  # a partial copy that nobody has written to for so long was left by a killed process


def version(connection: apsw.Connection) -> int:
    """Schema version of an open file; 0 for an empty one."""
    return int(connection.pragma("user_version"))


def check(connection: apsw.Connection, path: str) -> int:
    """The version of a file that this program can read.

    Raises:
        StoreTooNew: written by a newer mnemic.
        StoreDamaged: a SQLite database of another program.
    """
    application = int(connection.pragma("application_id"))
    found = version(connection)
    if application not in (0, APPLICATION_ID) or (application == 0 and (found or _has_tables(connection))):
        # another process may have made the schema between the two readings
        if int(connection.pragma("application_id")) != APPLICATION_ID:
            raise StoreDamaged(f"{path}: a SQLite database of another program, not a memory; choose another file")
        found = version(connection)
    if found > LATEST:
        known = f"format {found}, this one knows {LATEST}"
        raise StoreTooNew(f"{path}: written by a newer mnemic ({known}); upgrade mnemic")
    return found


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(connection.execute("select exists (select 1 from sqlite_schema)").get)


def migrate(connection: apsw.Connection, path: str, *, progress: Callable[[str], None] | None = None) -> list[str]:
    """Run what is pending; returns the names of the scripts that ran.

    Raises:
        StoreTooNew, StoreDamaged: as :func:`check`.
        StoreFull: too little room for the backup, said before anything is touched.
    """
    say = progress or (lambda text: log.info("%s: %s", path, text))
    if check(connection, path) >= LATEST:
        return []
    use_log(connection, path)
    done: list[str] = []
    connection.pragma("foreign_keys", False)  # a table that is rebuilt must not take its dependants with it
    try:
        with transaction(connection, PATIENCE):
            found = check(connection, path)
            if 0 < found < LATEST:
                back_up(path, found, say)
        for number, name, script in migrations():
            with transaction(connection, PATIENCE):
                if check(connection, path) >= number:
                    continue  # done before, or by another process just now
                connection.execute(script)
                if connection.execute("select count(*) from pragma_foreign_key_check").get:
                    raise StoreDamaged(f"{path}: {name} would leave rows that point nowhere; nothing was changed")
                connection.pragma("user_version", number)
                connection.pragma("application_id", APPLICATION_ID)
            done.append(name)
            say(f"schema {name}")
    finally:
        connection.pragma("foreign_keys", True)
    return done


@contextlib.contextmanager
def transaction(connection: apsw.Connection, seconds: float = 30.0) -> Iterator[None]:
    """A write transaction, begun within so many seconds: committed at the end, rolled back on any error."""
    retry_busy(lambda: connection.execute("begin immediate"), seconds=seconds)
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def back_up(path: str, found: int, say: Callable[[str], None]) -> Path:
    """Copy the file aside before its schema changes, whole or not at all. The caller holds the write lock."""
    target = Path(f"{path}.before-v{found + 1}.bak")
    need = os.path.getsize(path) + (os.path.getsize(f"{path}-wal") if os.path.exists(f"{path}-wal") else 0)
    free = shutil.disk_usage(Path(path).resolve().parent).free
    if free < need * 1.1 + 1_000_000:
        raise StoreFull(f"{path}: an upgrade needs {need // 1_000_000 + 1} MB free for its backup; nothing was changed")
    with contextlib.closing(open_connection(path, write=False)) as source:
        copy(source, target, say)
    return target


def copy(connection: apsw.Connection, target: Path, progress: Callable[[str], None] | None = None) -> None:
    """Online copy of an open database into ``target``, and of its side file where memories are cold.

    Written under other names, synced, then renamed; the side file, read after the main file, holds all that this needs.
    """
    _remove_stale(target)
    made: list[tuple[Path, Path]] = []
    beside = Path(f"{target}.cold")
    try:
        main = _partial(connection, target, made, progress)
        if _any_cold(main):
            with contextlib.closing(open_to_read(side_path(connection.filename))) as source:
                _partial(source, beside, made, progress)
        for partial, name in reversed(made):
            os.replace(partial, name)
        if len(made) == 1:
            beside.unlink(missing_ok=True)  # of an earlier copy of the same name
    except BaseException:
        for partial, _ in made:
            for rest in (partial, *(Path(f"{partial}{end}") for end in ("-wal", "-shm", "-journal"))):
                rest.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _partial(
    connection: apsw.Connection, target: Path, made: list[tuple[Path, Path]], progress: Callable[[str], None] | None
) -> Path:
    """A whole, synced copy under another name, noted in ``made``."""
    partial = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}.partial")
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    made.append((partial, target))
    with contextlib.closing(apsw.Connection(str(partial))) as destination:
        destination.set_busy_timeout(BUSY_MS)
        destination.pragma("synchronous", "OFF")  # synced once, below
        with destination.backup("main", connection, "main") as backup:
            while not backup.done:
                retry_busy(lambda: backup.step(4096))
                if progress:
                    progress(f"backup {backup.page_count - backup.remaining}/{backup.page_count} pages")
        destination.pragma("journal_mode", "delete")
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    return partial


def _any_cold(path: Path) -> bool:
    with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return version(connection) >= COLD_SINCE and bool(connection.execute(C.any_cold).get)


def _remove_stale(target: Path) -> None:
    """Remove what copies to the same target left behind when they were killed."""
    for left in target.parent.glob(f"{_literal(target.name)}.*.partial*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE:
                left.unlink()


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "[*?" else c for c in name)


def sync_folder(folder: Path) -> None:
    """Make what was named or removed in a folder last (not possible on Windows, nor needed there)."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
