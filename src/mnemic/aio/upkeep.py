"""The awaited verbs of the night and the cellar: the part of :class:`mnemic.AsyncMemory` beside :mod:`mnemic.upkeep`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..archive.logs import DAYS, DUMP_MB
from ..memory import Memory
from ..models import Forecast, Seasonal, SleepReport
from ..night import never
from ..reports import ArchivedFile, ArchiveReport, RestoreReport

if TYPE_CHECKING:
    from ..sleep import Progress

P = ParamSpec("P")
T = TypeVar("T")


class AsyncUpkeep:
    """One line for each verb; arguments and answers are those of :class:`mnemic.Memory`."""

    if TYPE_CHECKING:

        async def _run(self, verb: Callable[Concatenate[Memory, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...

    async def sleep(
        self,
        *,
        dry_run: bool = False,
        minutes: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = never,
        space: str | None = None,
    ) -> SleepReport:
        """See :meth:`mnemic.Memory.sleep`."""
        return await self._run(
            Memory.sleep, dry_run=dry_run, minutes=minutes, progress=progress, stop=stop, space=space
        )

    async def forecast(self, days: float = 30, *, space: str | None = None) -> list[Forecast]:
        """See :meth:`mnemic.Memory.forecast`."""
        return await self._run(Memory.forecast, days, space=space)

    async def archive(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        *,
        days: float = DAYS,
        dump_mb: float = DUMP_MB,
        folder: str | os.PathLike[str] | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        space: str | None = None,
    ) -> ArchiveReport:
        """See :meth:`mnemic.Memory.archive`."""
        options = {"days": days, "dump_mb": dump_mb, "folder": folder, "dry_run": dry_run, "progress": progress}
        return await self._run(lambda m: m.archive(paths, space=space, **options))  # type: ignore[arg-type]

    async def archived(self, *, folder: str | os.PathLike[str] | None = None) -> list[ArchivedFile]:
        """See :meth:`mnemic.Memory.archived`."""
        return await self._run(Memory.archived, folder=folder)

    async def restore_archived(
        self,
        names: Iterable[str | os.PathLike[str]] = (),
        *,
        to: str | os.PathLike[str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> RestoreReport:
        """See :meth:`mnemic.Memory.restore_archived`."""
        return await self._run(Memory.restore_archived, names, to=to, folder=folder, progress=progress)

    async def freeze(
        self,
        days: float,
        *,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
        space: str | None = None,
    ) -> Mapping[str, int]:
        """See :meth:`mnemic.Memory.freeze`."""
        return await self._run(Memory.freeze, days, dry_run=dry_run, progress=progress, space=space)

    async def seasonal(self, at: object = None, *, space: str | None = None) -> list[Seasonal]:
        """See :meth:`mnemic.Memory.seasonal`."""
        return await self._run(Memory.seasonal, at, space=space)
