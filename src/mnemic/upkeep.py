"""The verbs of :class:`mnemic.Memory` that keep it in shape: the nightly run, the archive, cards. No algorithms."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING

from .clock import read_time
from .errors import InvalidInput
from .forget import prune
from .models import Forecast, Seasonal, SleepReport
from .night import never
from .recall import seasons

if TYPE_CHECKING:
    from .clock import Clock
    from .config import Config
    from .consolidate.run import Consolidator
    from .forget.uses import Uses
    from .recall.run import Recaller
    from .sleep import Progress, Sleeper
    from .store.sqlite import SqliteStore


class Upkeep:
    """What happens to memories that are there: the part of :class:`mnemic.Memory` for the night and the cellar."""

    space: str
    config: Config
    _clock: Clock
    _zone: tzinfo
    _store: SqliteStore
    _recaller: Recaller
    _consolidator: Consolidator
    _sleeper: Sleeper
    _uses: Uses

    if TYPE_CHECKING:

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
        seconds = None if minutes is None else _positive(minutes, "minutes") * 60
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
        return prune.forecast(self._store, where, self._clock.now(), _positive(days, "days"))

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


def _positive(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise InvalidInput(name, "must be a positive number", "30 is usual")
    return float(value)
