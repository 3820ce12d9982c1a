"""Times given by a caller, and identifiers made from keys."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import InvalidInput
from mnemic.clock import EPOCH, SystemClock, key_id, read_time, to_datetime, to_micros, zone

MOSCOW = zone("Europe/Moscow")


def read(value: object, *, tz: tzinfo | None = MOSCOW, end: bool = False) -> str | None:
    micros = read_time(value, field="at", tz=tz, end_of_day=end)
    return None if micros is None else to_datetime(micros).isoformat()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None), ("", None), ("2026-10-25T02:30:00+03:00", "2026-10-24T23:30:00+00:00"),
        ("2026-10-25T02:30:00Z", "2026-10-25T02:30:00+00:00"),
        ("2026-10-25T02:30:00", "2026-10-24T23:30:00+00:00"), ("2026-10-25 02:30", "2026-10-24T23:30:00+00:00"),
        ("2026-10-25", "2026-10-24T21:00:00+00:00"),
        (date(2026, 10, 25), "2026-10-24T21:00:00+00:00"),
        (datetime.fromisoformat("2026-10-25T02:30"), "2026-10-24T23:30:00+00:00"),
        (datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=-7))), "2026-10-25T09:30:00+00:00"),
        (" 2026-10-25 ", "2026-10-24T21:00:00+00:00"),
        ("2026-10-25T02:30:00.123456+00:00", "2026-10-25T02:30:00.123456+00:00"),
    ],
)  # fmt: skip
def test_times(value: object, expected: str | None) -> None:
    assert read(value) == expected


def test_a_plain_date_as_an_end_is_its_last_microsecond() -> None:
    assert read("2026-10-25", end=True) == "2026-10-25T20:59:59.999999+00:00"
    assert read("2026-10-25T10:00", end=True) == "2026-10-25T07:00:00+00:00"


@pytest.mark.parametrize(
    "value",
    [
        5,
        5.0,
        True,
        "soon",
        "2026-13-01",
        "25.10.2026",
        "2026-02-30",
        "25:00",
        b"2026-01-01",
        [],
        "0000-01-01",
        "10000-01-01",
        datetime.fromisoformat("9999-12-31T23:59"),
        date.min,
    ],
)
def test_what_is_no_time_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(value)
    assert refused.value.field == "at"


def test_a_naive_time_needs_a_zone() -> None:
    with pytest.raises(InvalidInput, match="zone"):
        read("2026-10-25T02:30", tz=None)
    assert read("2026-10-25T02:30Z", tz=None) == "2026-10-25T02:30:00+00:00"


@given(st.datetimes(timezones=st.just(UTC)))
def test_micros_and_back(moment: datetime) -> None:
    assert to_datetime(to_micros(moment)) == moment
    assert to_micros(EPOCH) == 0


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "", "Europe/\0", "Привет"])
def test_unknown_zones(name: str) -> None:
    with pytest.raises(InvalidInput):
        zone(name)


@pytest.mark.parametrize("name", ["UTC", "utc", "Z", "Europe/Moscow", "Asia/Kolkata"])
def test_known_zones(name: str) -> None:
    assert datetime.now(zone(name)).utcoffset() is not None


@given(st.tuples(st.text(max_size=9), st.text(max_size=9)), st.tuples(st.text(max_size=9), st.text(max_size=9)))
def test_a_key_names_one_row(one: tuple[str, str], other: tuple[str, str]) -> None:
    def safe(pair: tuple[str, str]) -> tuple[str, str]:
        return tuple(part.encode("utf-8", "replace").decode() for part in pair)  # type: ignore[return-value]

    one, other = safe(one), safe(other)
    assert (key_id(*one) == key_id(*other)) == (one == other)
    assert uuid.UUID(key_id(*one)).version == 5


@pytest.mark.parametrize(
    ("one", "other"), [(("a:b", "c"), ("a", "b:c")), (("1", "1:x"), ("1:1", "x")), (("", "a"), ("a", ""))]
)
def test_no_pair_spells_another_pair(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert key_id(*one) != key_id(*other)


def test_new_ids_are_ordered_in_time_and_never_the_same() -> None:
    clock = SystemClock()
    ids = [clock.new_id() for _ in range(2_000)]
    assert len(set(ids)) == 2_000
    assert uuid.UUID(ids[0]).version == 7
    assert ids[0][:8] <= ids[-1][:8]
    assert abs(clock.now() - to_micros(datetime.now(UTC))) < 60_000_000
