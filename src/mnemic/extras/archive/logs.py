"""Raw logs: which files are packed away, and doing it. Off until it is switched on; a person's notes never are.

Order of one file: read, compress, sync, read back and compare, note in the manifest, remove. Killed anywhere, the
original or a verified archive is there, or both.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...errors import ArchiveError, InvalidInput
from ...models import Act, ArchivedFile, ArchiveReport
from ...phase import PhaseContext, PhaseResult
from ...store.base import Store
from .manifest import NAME, Manifest
from .packing import Original, Packed, Untouchable, opened_by_others, original, pack, verify

QUIET = 3_600_000_000  # µs without a change before a file is taken for finished
DAY = 86_400_000_000


class Kind(NamedTuple):
    """When files of a kind may go: once they are old, or at any age once they are large."""

    by_age: bool
    by_size: bool


TRANSCRIPT = Kind(True, False)  # its program goes on with it, however large it is
EXPORT = Kind(True, True)  # written once
DUMP = Kind(False, True)  # nothing that we know
#: Format of an importer → its kind; those that are not named (notes, what a server goes on with) stay.
KINDS: Mapping[str, Kind] = {
    "claude-code": TRANSCRIPT,
    "codex": TRANSCRIPT,
    "gemini": TRANSCRIPT,
    "cursor": TRANSCRIPT,
    "aider": TRANSCRIPT,
    "specstory": TRANSCRIPT,
    "chatgpt": EXPORT,
    "claude-ai": EXPORT,
    "telegram": EXPORT,
    "messages": EXPORT,
}
#: In folders that were named: what no importer knows, by the end of its name.
UNKNOWN: Mapping[str, Kind] = {
    ".jsonl": EXPORT,
    ".log": EXPORT,
    ".json": DUMP,
    ".txt": DUMP,
    ".csv": DUMP,
    ".xml": DUMP,
    ".html": DUMP,
    ".sql": DUMP,
}
PASSED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})

#: Format of a file, ``None`` where no importer knows it.
Formats = Callable[[Path], str | None]


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be packed: ``imported`` is (mtime in ns, size) as of its import, where it was."""

    path: Path
    kind: Kind | None
    imported: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Logs:
    """Packs files of one run; also the phase of the night that does so with imported files.

    Args:
        folder: of the archive. days: age from which transcripts go. dump_mb: size from which exports go.
    """

    folder: Path
    days: float = 14
    dump_mb: float = 20

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        """Pack what was imported, file by file."""
        done = self.run(imported(store, space), night)
        counts = Counter({"files": len(done.files), "bytes": done.bytes, "packed_bytes": done.packed_bytes})
        acts = [
            Act("archived", file.path, f"{file.size} bytes, packed into {file.packed}", other=file.file)
            for file in done.files
        ]
        problems = f"{len(done.errors)} file(s) could not be packed" if done.errors else ""
        return PhaseResult(acts, counts + Counter(errors=len(done.errors)), done.finished, problems)

    def run(self, found: Iterable[Found], night: PhaseContext) -> ArchiveReport:
        """Pack what is due of some files."""
        manifest = Manifest(self.folder)
        held = {(file.path, file.size, file.mtime_ns): file for file in manifest.files()}
        used = {file.path: file.restored_at for file in held.values() if file.restored_at is not None}
        files: list[ArchivedFile] = []
        skipped: Counter[str] = Counter()
        errors: dict[str, str] = {}
        finished = True
        self._clear(night)
        for number, item in enumerate(found, 1):
            if night.stop():
                finished = False
                break
            try:
                with original(item.path) as source:
                    self._due(item, source, used.get(str(item.path)), night.now)
                    known = held.get((str(item.path), source.about.st_size, source.about.st_mtime_ns))
                    files.append(self._one(source, manifest, known, night))
            except Untouchable as reason:
                skipped[str(reason)] += 1
            except ArchiveError as error:
                errors[str(item.path)] = str(error)
            except OSError as error:
                errors[str(item.path)] = error.strerror or type(error).__name__
            night.progress(number, None)
        return ArchiveReport(tuple(files), dict(skipped), errors, finished, night.dry_run)

    def _clear(self, night: PhaseContext) -> None:
        """What killed processes have left unfinished in the archive."""
        for partial in [] if night.dry_run else self.folder.glob(".*.partial"):
            with contextlib.suppress(OSError):
                if night.now - partial.stat().st_mtime_ns // 1000 > QUIET:
                    partial.unlink()

    def _due(self, item: Found, source: Original, restored: int | None, now: int) -> None:
        """Raises Untouchable unless a file may go now."""
        about, kind = source.about, item.kind
        if kind is None:
            raise Untouchable("notes")
        if not about.st_size:
            raise Untouchable("empty")
        if item.imported is not None and item.imported != (about.st_mtime_ns, about.st_size):
            raise Untouchable("not_imported")  # it has grown since: first the import, then the archive
        age = now - about.st_mtime_ns // 1000
        if restored is not None:
            age = min(age, now - restored)  # somebody wanted to read it
        old = kind.by_age and age >= self.days * DAY
        large = kind.by_size and about.st_size > self.dump_mb * 1_000_000 and age >= QUIET
        if not (old or large) or age < QUIET:
            raise Untouchable("young")
        if opened_by_others(about):
            raise Untouchable("open")

    def _one(
        self, source: Original, manifest: Manifest, known: ArchivedFile | None, night: PhaseContext
    ) -> ArchivedFile:
        about = source.about
        if night.dry_run:
            return ArchivedFile(str(source.path), "", about.st_size, about.st_mtime_ns, about.st_mode, "", 0, night.now)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = self._again(source, manifest, known) or pack(source, self.folder)
        file = ArchivedFile(
            str(source.path),
            made.sha256,
            made.size,
            about.st_mtime_ns,
            about.st_mode,
            made.file,
            made.packed,
            night.now,
        )
        manifest.packed(file)
        source.remove()
        return file

    def _again(self, source: Original, manifest: Manifest, known: ArchivedFile | None) -> Packed | None:
        """The archive that a file has already (it was given back, or a process was killed before the removal)."""
        if known is None or source.hash() != known.sha256:
            return None
        try:
            verify(manifest.archive(known), known.sha256, known.size)
        except ArchiveError:
            return None
        return Packed(known.sha256, known.size, known.file, known.packed)


def home(store: Store) -> Path:
    """The archive folder of a memory, unless another one is named: beside its file.

    Raises:
        InvalidInput: the file is a private one, that is removed when it is closed.
    """
    if store.private:
        raise InvalidInput("folder", "a memory without a file has no place for an archive", "name a folder")
    return Path(os.path.realpath(store.path) + ".archive")


def imported(store: Store, space: str) -> Iterator[Found]:
    """The files that a space was imported from."""
    for path, format_, mtime_ns, size in store.source_files(space):
        where = Path(path)
        if os.path.realpath(where) == path:  # a folder on the way may have become a link since
            yield Found(where, KINDS.get(format_), (mtime_ns, size))


def inside(folders: Iterable[str | os.PathLike[str]], archive: Path, formats: Formats) -> Iterator[Found]:
    """Files in some folders and below, or named themselves. No link is followed, inside or out.

    Raises:
        InvalidInput: there is no such file or folder.
    """
    for given in folders:
        root = Path(given).expanduser()
        if not root.exists():
            raise InvalidInput("path", f"no such file or folder: {root}")
        root = root.resolve()
        if root.is_file():
            yield Found(root, _kind(root, formats))
            continue
        for folder, names, files in os.walk(root):
            names[:] = sorted(n for n in names if n not in PASSED and Path(folder, n) != archive)
            for name in sorted(files):
                path = Path(folder, name)
                if name != NAME and not path.is_symlink() and path.suffix.lower() in {*UNKNOWN, ".md"}:
                    yield Found(path, _kind(path, formats))


def _kind(path: Path, formats: Formats) -> Kind | None:
    try:
        format_ = formats(path)
    except OSError:  # said when it is opened
        return DUMP
    return UNKNOWN.get(path.suffix.lower()) if format_ is None else KINDS.get(format_)
