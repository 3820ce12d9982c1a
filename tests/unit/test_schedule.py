"""When a night is due: times of day and cron fields, in the user's zone, over changes of the clock."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from mnemic import Config, InvalidInput
from mnemic.clock import to_datetime
from mnemic.phase import cron, next_due


def micros(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("text", "fields"),
    [("03:00", "0 3 * * *"), (" 3:05 ", "5 3 * * *"), ("*/10 1-4 * * 1-5", "*/10 1-4 * * 1-5"), ("OFF", None), ("", None)],
)  # fmt: skip
def test_a_schedule_is_read(text: str, fields: str | None) -> None:
    assert cron(text) == fields


@pytest.mark.parametrize("text", ["25:00", "3 uhr", "* * *", "61 3 * * *", "в три часа", "03:00:00"])
def test_what_is_no_schedule_names_the_setting(text: str) -> None:
    with pytest.raises(InvalidInput, match="sleep"):
        Config(sleep=text)


@pytest.mark.parametrize(
    ("zone", "now", "due"),
    [
        ("UTC", "2026-03-02T03:00:00+00:00", "2026-03-03T03:00:00+00:00"),
        ("UTC", "2026-03-02T02:58:59+00:00", "2026-03-02T03:00:00+00:00"),
        ("Europe/Berlin", "2026-03-02T02:30:00+00:00", "2026-03-03T03:00:00+01:00"),
        ("Asia/Vladivostok", "2026-03-01T17:30:00+00:00", "2026-03-03T03:00:00+10:00"),
        ("America/New_York", "2026-11-01T05:30:00+00:00", "2026-11-01T03:00:00-05:00"),
        ("Europe/Berlin", "2026-03-28T20:30:00+00:00", "2026-03-29T03:00:00+02:00"),  # the night that loses an hour
    ],
)
def test_the_next_due_moment_is_by_the_wall_clock(zone: str, now: str, due: str) -> None:
    assert to_datetime(next_due("0 3 * * *", micros(now), ZoneInfo(zone))) == datetime.fromisoformat(due)


def test_only_on_weekdays() -> None:
    saturday = micros("2026-02-28T01:00:00+00:00")
    assert to_datetime(next_due("0 3 * * 1-5", saturday, ZoneInfo("UTC"))).isoformat() == "2026-03-02T03:00:00+00:00"
