"""``memory.archive``: raw logs packed away and given back, old texts in a side file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..models import ArchivedFile, ArchiveReport, RestoreReport
from ..phase import PhaseContext
from ..recall.filters import positive
from ..store import freezing

if TYPE_CHECKING:
    from ..sleep import Phase
    from .opened import Opened


class Archive:
    """The cellar of a memory; see docs/archive.md."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def logs(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        *,
        days: float = 14,
        dump_mb: float = 20,
        folder: str | os.PathLike[str] | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        space: str | None = None,
    ) -> ArchiveReport:
        """Move raw logs into an archive folder, packed and verified (see docs/archive.md); memories stay as they are.

        Args:
            paths: files and folders to look through; none: the files that the space was imported from.
            days: transcripts go that have not changed for so long. dump_mb: exports larger than that go at any age.
            folder: of the archive; ``None``: ``NAME.archive`` beside the memory. progress: told after each file.

        Raises:
            InvalidInput: no such path, or no folder for a memory that has no file. MissingExtra: zstd is not installed.
        """
        from ..extras.archive import logs

        run = logs.Logs(self._folder(folder), positive(days, "days"), positive(dump_mb, "dump_mb"))
        night = PhaseContext(self._memory._clock.now(), self._memory._zone, dry_run, progress=progress or _quietly)
        given = [*paths]
        found = (
            logs.inside(given, run.folder, _format)
            if given
            else logs.imported(self._memory._store, self._memory._space(space))
        )
        return run.run(found, night)

    def restore(
        self,
        names: Iterable[str | os.PathLike[str]] = (),
        *,
        to: str | os.PathLike[str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> RestoreReport:
        """Give archived files back, byte for byte, with mode and time; the archive keeps its copy.

        Args:
            names: original paths, folders they were in, or names of archives; none: everything.
            to: put them into this folder instead of their own place. What stands there is never replaced.

        Raises:
            NotFound: no such file in the archive. MissingExtra: zstd is not installed.
        """
        from ..extras.archive.manifest import Manifest, restore, wanted

        manifest = Manifest(self._folder(folder))
        files = wanted(manifest, [os.fspath(name) for name in names])
        where = None if to is None else Path(to).expanduser().resolve()
        return restore(manifest, files, self._memory._clock.now(), to=where, progress=progress or _quietly)

    def freeze(
        self,
        days: float,
        *,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        space: str | None = None,
    ) -> Mapping[str, int]:
        """Move the texts of episodes that are so many days old, and were not used since, to the side file
        ``NAME.cold``.

        They are found and shown as before; a useful access brings a text back. Setting ``cold_days`` does it by night.

        Returns:
            Counts: memories ``frozen``, their ``text_bytes`` and ``packed_bytes``, ``freed_bytes`` of the file.

        Raises:
            MissingExtra: zstd is not installed. StoreError: one of the files cannot be written.
        """
        from ..extras.archive.cold import Cold

        night = PhaseContext(self._memory._clock.now(), self._memory._zone, dry_run, progress=progress or _quietly)
        where = self._memory._space(space)
        self._memory._uses.write()
        return dict(Cold(positive(days, "days"))(self._memory._store, where, night).counts)

    def list(self, *, folder: str | os.PathLike[str] | None = None) -> Sequence[ArchivedFile]:
        """What stands in the archive, the latest first."""
        from ..extras.archive.manifest import Manifest

        return Manifest(self._folder(folder)).files()[::-1]

    def _phases(self) -> Iterator[tuple[str, Phase]]:
        """What of the archive is switched on, as phases of the night."""
        from ..extras.archive import logs
        from ..extras.archive.cold import Cold

        store, config = self._memory._store, self._memory.config
        if config.archive_logs and not store.private:
            yield "archive", logs.Logs(logs.home(store))
        if config.cold_days or freezing.has_side(store):
            yield "cold", Cold(config.cold_days)

    def _folder(self, given: str | os.PathLike[str] | None) -> Path:
        from ..extras.archive import logs

        return logs.home(self._memory._store) if given is None else Path(given).expanduser().resolve()


def _quietly(done: int, total: int | None) -> None:
    """Progress that nobody looks at."""


def _format(path: Path) -> str | None:
    from ..ingest.importers import recognise

    importer = recognise(path)
    return None if importer is None else importer.name
