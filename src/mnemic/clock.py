"""Time and identity, injected so that a test can say what now is.

Inside mnemic a time is an ``int``: microseconds since 1970-01-01 UTC. At the edge it is a zone-aware ``datetime``.
"""

from __future__ import annotations

import hashlib
import time
import uuid
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock_time
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import uuid_utils

from .errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DNS = uuid.NAMESPACE_DNS.bytes
DAY = 86_400_000_000
MINUTE = 60_000_000
#: Years outside this range are refused: they are parsing mistakes, not memories.
_EARLIEST, _LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)


class Clock(Protocol):
    """Where "now" and new identifiers come from."""

    def now(self) -> int:
        """Microseconds since 1970 UTC."""
        ...

    def new_id(self) -> str:
        """A new time-ordered identifier (UUIDv7 text)."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1000

    def new_id(self) -> str:
        return str(uuid_utils.uuid7())


def key_id(space: str, key: str) -> str:
    """Identifier of a row made from an outside key: the same key in the same space is the same row.

    The space is length-prefixed so that no pair (space, key) can spell another pair.
    """
    digest = bytearray(hashlib.sha1(_DNS + f"{len(space)}:{space}:{key}".encode(), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50  # RFC 9562 version 5, as uuid.uuid5 does, at a fifth of the time
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def zone(name: str) -> tzinfo:
    """The zone of an IANA name.

    Raises:
        InvalidInput: the name is unknown on this machine.
    """
    try:
        return UTC if name.upper() in ("UTC", "Z") else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput("zone", f"{name!r} is not a known time zone", "use an IANA name: Europe/Berlin") from error


def to_micros(value: datetime) -> int:
    """Microseconds of an aware datetime, exact (no float in between)."""
    return (value - EPOCH) // timedelta(microseconds=1)


def to_datetime(micros: int, tz: tzinfo = UTC) -> datetime:
    """The aware datetime of a stored time."""
    return (EPOCH + timedelta(microseconds=micros)).astimezone(tz)


def read_time(value: object, *, field: str, tz: tzinfo | None, end_of_day: bool = False) -> int | None:
    """Read a time given by a caller: aware or naive ``datetime``, ``date``, ISO text, or ``None``/``""`` for "not
    given".

    Args:
        value: what the caller gave.
        field: its name, for the error message.
        tz: the configured zone, in which naive values and plain dates are read.
        end_of_day: a plain date means the last microsecond of that day, not the first.

    Raises:
        InvalidInput: not a time, a naive time with no configured zone, or a year out of range.
    """
    if value is None or value == "":
        return None
    if isinstance(value, (bool, int | float)):
        raise InvalidInput(field, "a bare number is not a time", "give an aware datetime or ISO 8601 text")
    if isinstance(value, str):
        value = _from_iso(value.strip(), field)
    if isinstance(value, date) and not isinstance(value, datetime):
        moment = datetime.combine(value, clock_time.max if end_of_day else clock_time.min)
        value = moment.replace(tzinfo=tz or UTC)
    if not isinstance(value, datetime):
        raise InvalidInput(field, f"{type(value).__name__} is not a time", "give an aware datetime or ISO 8601 text")
    if value.tzinfo is None:
        if tz is None:
            raise InvalidInput(field, "the time has no zone", "add one, or set the zone of the memory")
        value = value.replace(tzinfo=tz)
    try:
        in_range = _EARLIEST <= value <= _LATEST
    except OverflowError:
        in_range = False
    if not in_range:
        raise InvalidInput(field, "the year is out of range", "give a year from 1 to 9999")
    return to_micros(value)


def _from_iso(text: str, field: str) -> date | datetime:
    try:
        return date.fromisoformat(text) if len(text) <= 10 else datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(field, "not an ISO 8601 time", "for example 2026-05-01 or 2026-05-01T15:00+02:00") from error
