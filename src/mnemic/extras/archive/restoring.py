"""Give archived files back, byte for byte, to where they came from or elsewhere. What stands there is never
replaced."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ...errors import ArchiveError, NotFound
from ...models import ArchivedFile, RestoreReport
from .manifest import Manifest
from .packing import unpack


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
