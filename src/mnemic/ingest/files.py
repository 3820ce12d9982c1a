"""Import: the hot path fed by files. Incremental, idempotent, and the counts add up.

An unchanged file costs one ``stat``. A file of a format that only grows is read from where the last import stopped;
others are read whole, and what is already stored is recognised by its key. Batches are committed together with the
place reached in the file, so an import that is killed goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from ..clock import Clock, key_id, zone
from ..errors import ImportFailed, InvalidInput, MnemicError, StoreBusy
from ..models import ImportCounts
from ..store.adding import Written
from ..store.base import Store
from ..store.rows import NewNode
from ..store.tx import Tx
from ..text.analyse import clean
from ..worker_process import CannotStart, WorkerProcess, possible
from .importers import get, recognise
from .importers.base import DEFAULT_KEEP, LABELS, Importer, ReadOptions
from .reading import PLACES, Batch, Task, node_of, read

log = logging.getLogger("mnemic.import")

MUCH = 4_000_000  # bytes from which on a reading process pays; it takes a fifth of a second to start
IN_FLIGHT = 4
LARGE = 4  # an import that brings one in so many messages leaves the keyword index in one piece
SWITCH = 0.0005  # seconds; five milliseconds is Python's own
HEAD = 4_096
#: Folders that hold no conversations, whatever their files are called.
IGNORED_FOLDERS = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", "site-packages"})
SUFFIXES = frozenset({".jsonl", ".json", ".md", ".markdown", ".txt"})


@dataclass(frozen=True, slots=True)
class FileProgress:
    """Said after each batch and each file: what is being read and how far."""

    path: Path
    file: int
    files: int
    bytes_done: int
    bytes_total: int
    stored: int


@dataclass(slots=True)
class _Counts:
    files: int = 0
    unchanged: int = 0
    read: int = 0
    stored: int = 0
    updated: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    errors: dict[str, str] = field(default_factory=dict)
    formats: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)

    def take(self, written: list[Written]) -> None:
        for item in written:
            if item.outcome == "erased":
                self.skipped["erased"] += 1
            else:
                setattr(self, item.outcome, getattr(self, item.outcome) + 1)

    def passed(self, batch: Batch, path: Path) -> None:
        self.read += batch.read
        self.skipped.update(batch.skipped)
        self.masked.update(batch.masked)
        self.damaged += [f"{path}: {place}" for place in batch.damaged[: PLACES - len(self.damaged)]]


class FileImport:
    """One import run into one space.

    Args:
        keep: labels to store (see docs/importers.md); others are counted as skipped.
        mask_secrets: mask before the first write.
        default_zone: IANA zone of times that name none.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        space: str,
        *,
        default_zone: str = "UTC",
        keep: frozenset[str] = DEFAULT_KEEP,
        mask_secrets: bool = True,
        dry_run: bool = False,
        progress: Callable[[FileProgress], None] | None = None,
    ) -> None:
        unknown = keep - set(LABELS)
        if unknown:
            raise InvalidInput("keep", f"no such label: {', '.join(sorted(unknown))}", f"known are {', '.join(LABELS)}")
        zone(default_zone)
        self.store, self.clock, self.space = store, clock, space
        self.default_zone, self.keep, self.mask_secrets, self.dry_run = default_zone, keep, mask_secrets, dry_run
        self._progress = progress
        self._counts = _Counts()
        self._options_id = ",".join(sorted(keep))
        self._would_store: set[str] = set()  # ids, in a dry run
        self._process, self._beside = WorkerProcess(read), possible()
        self._bytes = 0  # read or about to be

    def run(self, path: str | os.PathLike[str], format: str = "auto") -> ImportCounts:
        """Import a file or every recognised file below a folder.

        Raises:
            ImportFailed: the path does not exist, or one named file cannot be read or recognised.
            InvalidInput: no such format, or a path that says nothing ("" is not taken for the present folder).
        """
        if not isinstance(path, str | os.PathLike) or not str(path).strip():
            raise InvalidInput("path", "must name a file or a folder", "'.' for the folder you are in")
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)  # reading and writing take turns more often: a fifth faster
        try:
            return self._run(Path(path).expanduser(), format)
        finally:
            sys.setswitchinterval(before)
            self._process.close()

    def _run(self, root: Path, format: str) -> ImportCounts:
        began = time.perf_counter()
        importer = None if format in ("auto", "") else get(format)
        try:
            there, single = root.exists(), root.is_file()
        except (OSError, ValueError) as error:
            raise ImportFailed(f"{str(root)[:200]!r}: not a path ({error})") from None
        if not there:
            raise ImportFailed(f"{root}: no such file or folder")
        if not single and not root.is_dir():
            raise ImportFailed(f"{root}: a pipe or a device; save it to a file first")
        paths = [root] if single else list(self._walk(root))
        sizes = [_size(p) for p in paths]
        total = sum(sizes)
        done = 0
        for number, (file, size) in enumerate(zip(paths, sizes, strict=True), 1):
            self._counts.files += 1
            place = (number, len(paths), done, total)
            try:
                self._file(file, importer, single, place)
            except OSError as error:
                self._counts.errors[str(file)] = error.strerror or type(error).__name__
            done += size
            self._tell(file, number, len(paths), done, total)
        if single and self._counts.errors:
            raise ImportFailed(f"{root}: {next(iter(self._counts.errors.values()))}")
        if not self.dry_run:
            self.store.run(lambda tx: tx.complete_silent())
            with contextlib.suppress(StoreBusy):  # what another process keeps us from now the night does
                self._tidy()
        c = self._counts
        return ImportCounts(
            c.files, c.unchanged, c.read, c.stored, c.updated, c.known, dict(c.skipped), dict(c.masked), c.errors,
            dict(c.formats), time.perf_counter() - began, self.dry_run, tuple(c.damaged),
        )  # fmt: skip

    def _tidy(self) -> None:
        """Leave derived parts in the form that is quickest to read."""
        self.store.pack_columns(self.space)
        if self._counts.stored * LARGE >= self.store.count(self.space):
            for _ in self.store.merge_search():
                pass

    def _walk(self, root: Path) -> Iterator[Path]:
        def failed(error: OSError) -> None:
            self._counts.errors[str(error.filename)] = error.strerror or "cannot be read"

        for folder, folders, files in os.walk(root, onerror=failed):
            folders[:] = sorted(f for f in folders if f not in IGNORED_FOLDERS)
            for name in sorted(files):
                path = Path(folder) / name
                # a pipe or a device would be waited for; what is not there at all is an error of its own
                if os.path.splitext(name)[1].lower() in SUFFIXES and (path.is_file() or not path.exists()):
                    yield path

    def _tell(self, path: Path, number: int, files: int, done: int, total: int) -> None:
        if self._progress:
            self._progress(FileProgress(path, number, files, done, total, self._counts.stored))

    # -- one file -----------------------------------------------------------------------------------------------------

    def _file(self, path: Path, importer: Importer | None, single: bool, place: tuple[int, int, int, int]) -> None:
        stat = path.stat()
        name = str(path.resolve())
        known = self.store.source(self.space, clean(name))
        if known and (known.mtime_ns, known.size, known.options) == (stat.st_mtime_ns, stat.st_size, self._options_id):
            self._counts.unchanged += 1
            return
        with path.open("rb") as file:
            head = file.read(HEAD)
        chosen = importer or recognise(path)
        if chosen is None:
            if single:
                empty = not head.removeprefix(b"\xef\xbb\xbf").strip()
                why = "the file is empty" if empty else "the format is not recognised; name it with --format"
                raise ImportFailed(f"{path}: {why}")
            self._counts.read += 1
            self._counts.skipped["unrecognised_file"] += 1
            return
        self._counts.formats[chosen.name] += 1
        offset = 0
        same = known and (known.format, known.options) == (chosen.name, self._options_id)
        if known and same and chosen.appends and stat.st_size >= known.size:
            length = min(known.size, HEAD)
            if _head_hash(head[:length]) == known.head_hash:
                offset = known.offset
        self._read(path, clean(name), chosen, stat, head, offset, place)

    def _read(
        self,
        path: Path,
        name: str,
        importer: Importer,
        stat: os.stat_result,
        head: bytes,
        offset: int,
        place: tuple[int, int, int, int],
    ) -> None:
        options = ReadOptions(keep=self.keep, zone=self.default_zone, offset=offset)
        task = Task(str(path.absolute()), importer.name, options, self.mask_secrets, stat.st_mtime_ns // 1000)
        head_hash = _head_hash(head[: min(stat.st_size, HEAD)])
        channel = f"import:{importer.name}"
        waiting: list[Future[list[Written]]] = []
        reached = offset

        def remember(tx: Tx, mtime: int, here: int) -> int:
            values = (importer.name, mtime, stat.st_size, here, head_hash, self._options_id)
            return tx.put_source(self.space, name, values)

        sent: list[int] = []

        def send(nodes: list[NewNode], here: int) -> None:
            if self.dry_run:
                self._count_only(nodes)
                return
            before = sent[-1] if sent else None
            sent.append(here)

            def write(tx: Tx) -> list[Written]:
                # The place reached in the file may only move on from where the batch before has brought it.
                if before is not None and tx.source_offset(self.space, name) != before:
                    raise StoreBusy(f"{path}: an earlier part could not be stored; import it again")
                # mtime 0 until the end: a file whose import was cut short is not taken for unchanged
                return tx.add(self.space, nodes, source=remember(tx, 0, here))

            waiting.append(self.store.submit(write))
            while len(waiting) >= IN_FLIGHT:
                self._counts.take(waiting.pop(0).result())

        try:
            for batch in self._batches(task, stat.st_size - offset):
                self._counts.passed(batch, path)
                reached = batch.reached
                if batch.messages:
                    send([node_of(message, channel) for message in batch.messages], reached)
                    self._tell(path, place[0], place[1], place[2] + reached, place[3])
        finally:
            for future in waiting:
                self._counts.take(future.result())
        if not self.dry_run:
            self.store.run(lambda tx: remember(tx, stat.st_mtime_ns, reached))

    def _batches(self, task: Task, size: int) -> Iterator[Batch]:
        """What stands in a file, read by another process once there is enough to read for one to pay."""
        self._bytes += size
        if self._beside and self._bytes >= MUCH:
            try:
                yield from self._process.ask(task)
                return
            except CannotStart:
                self._beside = False
        yield from read(task)

    def _count_only(self, nodes: list[NewNode]) -> None:
        ids = [key_id(self.space, node.key or "") for node in nodes]
        new = set(ids) - set(self.store.rows_of(self.space, ids)) - self._would_store
        self._would_store |= new
        self._counts.stored += len(new)
        self._counts.known += len(ids) - len(new)


def _head_hash(head: bytes) -> str:
    return hashlib.blake2b(head, digest_size=16).hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


__all__ = ["FileImport", "FileProgress", "MnemicError"]
