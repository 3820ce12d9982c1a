"""When the nightly run is due: ``03:00`` in the user's zone, or five fields as cron has them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from cronsim import CronSim, CronSimError

from .clock import to_datetime
from .errors import InvalidInput

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


def last_due(fields: str, now: int, zone: tzinfo) -> int:
    """The latest scheduled moment that is not after ``now`` (microseconds UTC), by the wall clock of a zone."""
    local = to_datetime(now, zone)
    found = next(CronSim(fields, local + timedelta(minutes=1), reverse=True))
    while found > local:
        found = next(CronSim(fields, found, reverse=True))
    return int(found.timestamp()) * 1_000_000
