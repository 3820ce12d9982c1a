"""The manifest of an archive folder, one JSON line for each act, synced, only ever added to; and files given back by
it.

Given back is byte for byte, to where a file came from or elsewhere; what stands there is never replaced.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...errors import ArchiveError, NotFound
from ...models import ArchivedFile, RestoreReport
from ...store.connect import sync_folder
from .packing import unpack

log = logging.getLogger("mnemic.archive")

NAME = "manifest.jsonl"


class Manifest:
    """What an archive folder holds.

    Args:
        folder: made, for its owner only, when the first line is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self) -> list[ArchivedFile]:
        """Every archived state of every file, oldest first; the same state again counts once."""
        found: dict[tuple[str, str, int], ArchivedFile] = {}
        for line in self._lines():
            key = (line["path"], line["sha256"], line["mtime_ns"])
            if line.pop("act") == "packed":
                found.pop(key, None)
                found[key] = ArchivedFile(packed_at=line.pop("at"), **line)
            elif key in found:
                found[key] = replace(found[key], restored_at=line["at"])
        return list(found.values())

    def packed(self, file: ArchivedFile) -> None:
        """Note that a file has a verified archive. On disk when this returns."""
        entry = asdict(file)
        entry.pop("restored_at")
        entry["at"] = entry.pop("packed_at")
        self._add({"act": "packed", **entry})

    def restored(self, file: ArchivedFile, at: int) -> None:
        """Note that a file was given back."""
        self._add({"act": "restored", "path": file.path, "sha256": file.sha256, "mtime_ns": file.mtime_ns, "at": at})

    def archive(self, file: ArchivedFile) -> Path:
        """Where the archive of a file lies."""
        return self.folder / file.file

    def _add(self, line: dict[str, Any]) -> None:
        path = self.folder / NAME
        new = not path.exists()
        data = json.dumps(line).encode() + b"\n"  # in ASCII: names of files need not be sound Unicode
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size and os.pread(handle, 1, size - 1) != b"\n"  # a process was killed while it wrote
            os.write(handle, b"\n" + data if torn else data)
            os.fsync(handle)
        finally:
            os.close(handle)
        if new:
            sync_folder(self.folder)

    def _lines(self) -> Iterator[dict[str, Any]]:
        path = self.folder / NAME
        if not path.exists():
            return
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if not raw.strip():
                    continue
                try:
                    line = _read(json.loads(raw))
                except (ValueError, KeyError, TypeError):
                    log.warning("%s: line %d cannot be read and is passed over", path, number)
                else:
                    yield line


_PACKED = {"path": str, "sha256": str, "size": int, "mtime_ns": int, "mode": int, "file": str, "packed": int, "at": int}
_RESTORED = {"path": str, "sha256": str, "mtime_ns": int, "at": int}


def _read(line: dict[str, Any]) -> dict[str, Any]:
    """A line, checked: an archive lies in the folder itself, wherever the line says that it does."""
    wanted = _PACKED if line["act"] == "packed" else _RESTORED
    out = {name: kind(line[name]) for name, kind in wanted.items()}
    if "file" in out and (out["file"] != os.path.basename(out["file"]) or out["file"] in ("", ".", "..")):
        raise ValueError("an archive outside its folder")
    if out.get("size", 0) < 0:
        raise ValueError("a negative size")
    return {"act": "packed" if wanted is _PACKED else "restored", **out}


def wanted(manifest: Manifest, names: Sequence[str]) -> list[ArchivedFile]:
    """The newest archived state of files by original path, by folder, or a certain state by the name of its archive.

    Raises:
        NotFound: nothing of that name was archived.
    """
    files = manifest.files()
    newest = {file.path: file for file in files}
    out: dict[str, ArchivedFile] = {}
    for name in names:
        path = str(Path(os.path.abspath(os.path.expanduser(name))))
        of_archive = [file for file in files if file.file == name]
        below = [file for file in newest.values() if file.path == path or file.path.startswith(path.rstrip("/") + "/")]
        found = of_archive or below
        if not found:
            raise NotFound("archived file", name)
        out |= {file.path: file for file in found}
    return list(out.values()) if names else list(newest.values())


def restore(
    manifest: Manifest,
    files: Sequence[ArchivedFile],
    now: int,
    *,
    to: Path | None = None,
    progress: Callable[[int, int | None], None],
) -> RestoreReport:
    """Give files back; one that cannot be is named with the reason, and the others go on.

    Args:
        now: noted in the manifest, microseconds UTC. to: a folder to put them in by name, instead of their own place.
    """
    done: list[str] = []
    there: list[str] = []
    errors: dict[str, str] = {}
    for number, file in enumerate(files, 1):
        target = Path(file.path) if to is None else to / Path(file.path).name
        try:
            if target.is_file() and _hash(target) == file.sha256:
                there.append(str(target))
            else:
                unpack(
                    manifest.archive(file), target,
                    sha256=file.sha256, size=file.size, mode=file.mode, mtime_ns=file.mtime_ns,
                )  # fmt: skip
                done.append(str(target))
                manifest.restored(file, now)
        except ArchiveError as error:
            errors[str(target)] = str(error)
        except OSError as error:
            errors[str(target)] = error.strerror or type(error).__name__
        progress(number, len(files))
    return RestoreReport(tuple(done), tuple(there), errors)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
