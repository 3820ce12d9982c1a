"""The verbs of :class:`mnemic.Memory` that keep it in shape: the nightly run, the archive, cards. No algorithms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .archive import logs, restoring
from .archive.cold import Cold
from .archive.manifest import Manifest
from .clock import read_time
from .errors import InvalidInput
from .forget import prune
from .models import Forecast, Seasonal, SleepReport
from .night import Night, never
from .recall import seasons
from .reports import ArchivedFile, ArchiveReport, RestoreReport
from .store import freezing

if TYPE_CHECKING:
    from .clock import Clock
    from .config import Config
    from .consolidate.run import Consolidator
    from .forget.uses import Uses
    from .recall.run import Recaller
    from .sleep import Phase, Progress, Sleeper
    from .store.sqlite import SqliteStore


class Upkeep:
    """What happens to memories that are there: the part of :class:`mnemic.Memory` for the night and the cellar."""

    space: str
    config: Config
    _clock: Clock
    _zone: tzinfo
    _store: SqliteStore
    _recaller: Recaller
    _uses: Uses

    if TYPE_CHECKING:

        @cached_property
        def _consolidator(self) -> Consolidator: ...

        @cached_property
        def _sleeper(self) -> Sleeper: ...

        def _space(self, given: str | None) -> str: ...

    # -- the night ----------------------------------------------------------------------------------------------------

    def sleep(
        self,
        *,
        dry_run: bool = False,
        minutes: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = never,
        space: str | None = None,
    ) -> SleepReport:
        """The nightly run, now: consolidate, clean up, let fade, put in order (see docs/sleep.md).

        Nothing is deleted; every act is in the report with its reason, and in the log, from where ``undo`` takes it
        back. Stopped or killed, the next run goes on. A second run on the same day changes nothing more.

        Args:
            dry_run: say what would be done, and do nothing.
            minutes: time that it may take; what it does not come to is left to the next night.
            progress: told (phase, steps done, steps in all where known). stop: asked between steps.

        Raises:
            InvalidInput: ``minutes`` is no positive number. StoreError: the file cannot be written.
        """
        seconds = None if minutes is None else positive(minutes, "minutes") * 60
        where = self._space(space)
        if not dry_run:
            self._uses.write()
        return self._sleeper.run(where, dry_run=dry_run, seconds=seconds, progress=progress, stop=stop)

    def forecast(self, days: float = 30, *, space: str | None = None) -> list[Forecast]:
        """What will be hidden within so many days if nobody uses it, the first to go first; ``confirm`` pins one.

        Raises:
            InvalidInput: ``days`` is no positive number.
        """
        where = self._space(space)
        self._uses.write()
        return prune.forecast(self._store, where, self._clock.now(), positive(days, "days"), self.config.fading)

    # -- patterns -----------------------------------------------------------------------------------------------------

    def seasonal(self, at: object = None, *, space: str | None = None) -> list[Seasonal]:
        """What comes back every year at this time of it, the surest first; found by the nightly run (docs/patterns.md).

        Args:
            at: aware datetime or ISO text, now by default.

        Raises:
            InvalidInput: ``at`` is not a time.
        """
        when = read_time(at, field="at", tz=self._zone)
        return seasons.seasonal(
            self._store, self._space(space), self._clock.now() if when is None else when, self._zone
        )

    # -- the cellar ---------------------------------------------------------------------------------------------------

    def archive(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        *,
        days: float = logs.DAYS,
        dump_mb: float = logs.DUMP_MB,
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
        run = logs.Logs(self._folder(folder), positive(days, "days"), positive(dump_mb, "dump_mb"))
        night = Night(self._clock.now(), self._zone, dry_run, progress=progress or _quietly)
        given = list(paths)
        found = logs.inside(given, run.folder, _format) if given else logs.imported(self._store, self._space(space))
        return run.run(found, night)

    def archived(self, *, folder: str | os.PathLike[str] | None = None) -> list[ArchivedFile]:
        """What stands in the archive, the latest first."""
        return Manifest(self._folder(folder)).files()[::-1]

    def restore_archived(
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
        manifest = Manifest(self._folder(folder))
        files = restoring.wanted(manifest, [os.fspath(name) for name in names])
        where = None if to is None else Path(to).expanduser().resolve()
        return restoring.restore(manifest, files, self._clock.now(), to=where, progress=progress or _quietly)

    def freeze(
        self,
        days: float,
        *,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        space: str | None = None,
    ) -> Mapping[str, int]:
        """Move the texts of episodes that are so many days old, and were not used since, to the side file ``NAME.cold``.

        They are found and shown as before; a useful access brings a text back. Setting ``cold_days`` does it by night.

        Returns:
            Counts: memories ``frozen``, their ``text_bytes`` and ``packed_bytes``, ``freed_bytes`` of the file.

        Raises:
            MissingExtra: zstd is not installed. StoreError: one of the files cannot be written.
        """
        night = Night(self._clock.now(), self._zone, dry_run, progress=progress or _quietly)
        where = self._space(space)
        self._uses.write()
        return dict(Cold(positive(days, "days"))(self._store, where, night).counts)

    def _folder(self, given: str | os.PathLike[str] | None) -> Path:
        return logs.home(self._store) if given is None else Path(given).expanduser().resolve()


def cellar(store: SqliteStore, config: Config) -> list[tuple[str, Phase]]:
    """What of the archive is switched on, as phases of the night."""
    found: list[tuple[str, Phase]] = []
    if config.archive_logs and not store.private:
        found.append(("archive", logs.Logs(logs.home(store))))
    if config.cold_days or freezing.has_side(store):
        found.append(("cold", Cold(config.cold_days)))
    return found


def _quietly(done: int, total: int | None) -> None:
    """Progress that nobody looks at."""


def _format(path: Path) -> str | None:
    from .ingest.importers import recognise

    importer = recognise(path)
    return None if importer is None else importer.name


def positive(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise InvalidInput(name, "must be a positive number", "30 is usual")
    return float(value)
