"""What the phases of the nightly run share: the night they are given, what they say they did, and when a night is
due."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from cronsim import CronSim, CronSimError

from .clock import to_datetime
from .errors import InvalidInput
from .models import Act


def never() -> bool:
    """A stop that is never asked for."""
    return False


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """One nightly run.

    Attributes:
        now: when it began, microseconds UTC; what a phase decides goes by this, not by the clock.
        zone: the user's. dry_run: say what would be done, write nothing.
        stop: asked between two steps; true once the time is up, somebody else has the lease, or the caller wants to
            end.
        progress: told (steps done, steps in all where that is known). gone: rows that a dry run would have hidden by
            now.
    """

    now: int
    zone: tzinfo
    dry_run: bool = False
    stop: Callable[[], bool] = never
    progress: Callable[[int, int | None], None] = lambda done, total: None
    gone: set[int] = field(default_factory=set)

    @property
    def actor(self) -> str:
        """Who stands in the log behind what the night changes."""
        return "sleep"


@dataclass(slots=True)
class PhaseResult:
    """What a phase did: every act with its reason, counts by name, whether it came to its end, and why not if so."""

    acts: list[Act] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    finished: bool = True
    note: str = ""


_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
#: What switches the schedule off.
OFF = frozenset({"", "off", "never", "no"})


def cron(text: str) -> str | None:
    """The five fields of a schedule, ``None`` where it is switched off.

    Raises:
        InvalidInput: neither a time of day nor cron fields.
    """
    text = text.strip().lower()
    if text in OFF:
        return None
    time = _TIME.fullmatch(text)
    fields = f"{int(time[2])} {int(time[1])} * * *" if time else text
    try:
        CronSim(fields, datetime(2026, 1, 1))  # noqa: DTZ001 - only read
    except CronSimError as error:
        remedy = 'give a time of day such as 03:00, five cron fields such as "0 3 * * 1-5", or off'
        raise InvalidInput("sleep", f"{text!r} is no schedule", remedy) from error
    return fields


def next_due(fields: str, after: int, zone: tzinfo) -> int:
    """The first scheduled moment after the minute of ``after`` (microseconds UTC), by the wall clock of a zone."""
    return int(next(CronSim(fields, to_datetime(after, zone))).timestamp()) * 1_000_000
