"""Reported cases of time: the user's zone decides, windows are closed on both sides, a plain date means its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, StillClock, found

from mnemic import InvalidInput, Memory

ZONE = "Europe/Moscow"  # UTC+3 all year
DAY = ["завтрак at ten past midnight", "обед at noon", "ужин at ten to midnight"]


@pytest.fixture
def three(make: Make) -> Memory:
    """Local 2026-03-15 01:00; three episodes on the 14th, one just before it, one just after."""
    memory = make(clock=StillClock("2026-03-15T01:00:00+03:00"), zone=ZONE)
    times = ["2026-03-13T23:59:59", "2026-03-14T00:10", "2026-03-14T12:00", "2026-03-14T23:50", "2026-03-15T00:05"]
    for at, text in zip(times, ["the evening before", *DAY, "the night after"], strict=True):
        memory.observe(text, at=at, session=at)
    return memory


@pytest.mark.parametrize(
    "expression",
    [
        "yesterday", "2026-03-14", "14.03.2026", "14 March 2026", "March 14", "last 1 day", "the last day", "вчера",
        "14 марта", "14 марта 2026 года",
        "за последний день", "вчерашний день", "1 day ago", "1 день назад",
    ],
)  # fmt: skip
def test_B034_a_local_day(three: Memory, expression: str) -> None:
    assert found(three, expression) == DAY
    assert [n.content for n in three.timeline(when=expression)] == DAY


@pytest.mark.parametrize(
    "question",
    [
        "what happened yesterday",
        "what did we do yesterday?",
        "что было вчера",
        "что мы вчера делали?",
        "о чём мы говорили вчера",
    ],
)
def test_B034_a_question_of_nothing_but_a_day(three: Memory, question: str) -> None:
    assert found(three, question) == DAY


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Midway", "Asia/Kolkata", "America/New_York"])
def test_B034_in_other_zones(make: Make, zone: str) -> None:
    memory = make(clock=StillClock("2026-03-15T11:00:00+00:00"), zone=zone)
    for at in ["2026-03-13T23:59", "2026-03-14T00:00", "2026-03-14T23:59", "2026-03-15T00:00"]:
        memory.observe(f"event of {at.replace('-', '')}", at=at, session=at)
    assert [n.content[-8:] for n in memory.timeline(when="2026-03-14")] == ["14T00:00", "14T23:59"]


def test_B034_a_day_with_a_clock_change(make: Make) -> None:
    memory = make(clock=StillClock("2026-10-26T12:00:00+00:00"), zone="Europe/Berlin")
    for at in ["2026-10-24T21:59:00Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:00Z", "2026-10-25T23:00:00Z"]:
        memory.observe(f"at {at}", at=at, session=at)
    assert [n.content for n in memory.timeline(when="yesterday")] == [
        "at 2026-10-24T22:00:00Z",
        "at 2026-10-25T22:59:00Z",
    ]


@pytest.fixture
def fact(make: Make) -> Memory:
    """A fact that is true from 2026-05-01 15:00 on; now is 2026-05-02 09:00."""
    memory = make(clock=StillClock("2026-05-02T09:00:00+03:00"), zone=ZONE)
    memory.remember("Nika lives in Riga", valid_from="2026-05-01T15:00", at="2026-05-01T15:00")
    memory.remember("Ника живёт в Риге", valid_from="2026-05-01T15:00", at="2026-05-01T15:00")
    memory.observe("Nika called today", at="2026-05-02T08:00")
    return memory


@pytest.mark.parametrize(
    ("as_of", "visible"),
    [
        ("2026-05-01", True), ("2026-05-01T15:00", True), ("2026-05-01T14:59", False), ("2026-04-30", False),
        ("yesterday", True), ("вчера", True),
        ("2026-05-02", True), ("1 May 2026", True), ("1 мая", True), ("2026-05", True), ("last month", False),
        ("в апреле", False), (None, True),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("query", "text"), [("Riga", "Nika lives in Riga"), ("Рига", "Ника живёт в Риге")])
def test_B035_as_of(fact: Memory, as_of: str | None, visible: bool, query: str, text: str) -> None:
    assert found(fact, query, as_of=as_of) == [text] * visible


def test_B035_yesterday_ends(fact: Memory) -> None:
    assert found(fact, "Nika", when="yesterday") == ["Nika lives in Riga"]
    assert found(fact, "Nika", when="today") == ["Nika called today"]
    assert found(fact, "Nika", before="today") == ["Nika lives in Riga"]


def test_B035_what_is_not_true_yet(make: Make) -> None:
    memory = make(clock=StillClock("2026-05-02T09:00:00+00:00"))
    memory.remember("Nika moves to Oslo", valid_from="2026-09-01")
    assert found(memory, "Oslo") == []
    assert found(memory, "Oslo", as_of="2026-09-01") == ["Nika moves to Oslo"]
    assert found(memory, "Oslo", as_of="next year") == ["Nika moves to Oslo"]


def test_B035_what_is_said_of_the_future_is_known_now(make: Make) -> None:
    """An event with a time to come and no ``valid_from`` is no fact of the future: it was said already."""
    memory = make(clock=StillClock("2026-05-02T09:00:00+00:00"))
    memory.observe("dentist appointment", at="2026-06-01T10:00")
    memory.remember("the fair opens", at="2026-06-01")
    assert found(memory, "dentist") == ["dentist appointment"]
    assert found(memory, "fair") == ["the fair opens"]


def test_B035_known_at(make: Make) -> None:
    clock = StillClock("2026-05-02T09:00:00+00:00")
    memory = make(clock=clock)
    memory.observe("first note", at="2026-01-01")
    clock.at = "2026-05-03T09:00:00+00:00"
    memory.observe("second note", at="2026-01-01")
    assert found(memory, "note", known_at="2026-05-02") == ["first note"]
    assert found(memory, "note", known_at="yesterday") == ["first note"]
    assert len(found(memory, "note", known_at="2026-05-03")) == 2
    assert found(memory, "note", known_at="2026-05-01") == []


@pytest.fixture
def host_zone() -> Iterator[Any]:
    before = os.environ.get("TZ")

    def use(name: str) -> None:
        os.environ["TZ"] = name
        time.tzset()

    yield use
    os.environ.pop("TZ", None) if before is None else os.environ.update(TZ=before)
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the host's zone cannot be set here")
@pytest.mark.parametrize("host", ["UTC", "Pacific/Midway", "Pacific/Kiritimati", "Asia/Tokyo"])
def test_B036_the_host_zone_never_decides(three: Memory, host_zone: Any, host: str) -> None:
    host_zone(host)
    three.observe("tagged", at="2026-03-14T00:01", tags=["day"], session="t")
    three.observe("tagged too late", at="2026-03-15T00:00", tags=["day"], session="t2")
    for query in ["what happened yesterday", "вчера"]:
        assert found(three, query) == ["tagged", *DAY]
    assert found(three, "tagged", when="yesterday") == ["tagged"]
    assert found(three, "tagged", when="вчера", tags="day") == ["tagged"]
    assert [n.content for n in three.timeline(when="yesterday", tags="day")] == ["tagged"]
    assert three.recall("обед").hits[0].node.at.isoformat() == "2026-03-14T09:00:00+00:00"


def test_B036_in_processes_of_their_own(tmp_path: Path) -> None:
    code = (
        "import sys; from mnemic import Config, Memory\n"
        "sys.path.insert(0, sys.argv[2]); from casekit import StillClock\n"
        "with Memory(sys.argv[1], embedder=None, config=Config(zone='Europe/Moscow', background=False),"
        " clock=StillClock('2026-03-15T01:00:00+03:00')) as m:\n"
        "    for at in ('2026-03-13T23:59', '2026-03-14T00:10', '2026-03-14T23:50', '2026-03-15T00:05'):\n"
        "        m.observe(f'event {at}', at=at, key=at, session=at)\n"
        "    print([(h.node.content, h.node.event_time) for h in m.recall('what happened yesterday').hits])\n"
    )
    said = set()
    for host in ["UTC", "Pacific/Midway", "Asia/Tokyo"]:
        env = {**os.environ, "TZ": host}
        answer = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / f"{host[:3]}.db"), str(Path(__file__).parent)],
            capture_output=True,
            text=True,
            env=env,
            check=True,
        )
        said.add(answer.stdout)
    assert len(said) == 1
    assert "00:10" in said.pop()


@pytest.fixture
def past(make: Make) -> Memory:
    """Sunday 2026-03-15: episodes 1, 2, 3, 8 and 20 days old."""
    memory = make(clock=StillClock("2026-03-15T12:00:00+00:00"))
    for age in (1, 2, 3, 8, 20):
        memory.observe(
            f"age {age}",
            at=f"2026-{'03' if age < 15 else '02'}-{15 - age if age < 15 else 23:02}T10:00",
            session=str(age),
        )
    return memory


@pytest.mark.parametrize(
    ("expression", "ages"),
    [
        ("3 days ago", [3]), ("three days ago", [3]), ("last week", [8]), ("3 дня назад", [3]), ("три дня назад", [3]),
        ("на прошлой неделе", [8]),
        ("позавчера", [2]), ("the day before yesterday", [2]), ("last month", [20]), ("в прошлом месяце", [20]),
        ("this week", [3, 2, 1]),
        ("на этой неделе", [3, 2, 1]), ("in February", [20]), ("в феврале", [20]), ("last Friday", [2]),
        ("в прошлую пятницу", [2]),
        ("last 3 days", [3, 2, 1]), ("за последние 3 дня", [3, 2, 1]), ("a week ago", [8]), ("неделю назад", [8]),
        ("two weeks ago", [20]),
        ("20 дней назад", [20]), ("since Thursday", [3, 2, 1]), ("today", []), ("сегодня", []),
        ("in 2026", [20, 8, 3, 2, 1]), ("в 2025 году", []),
    ],
)  # fmt: skip
def test_B037_expressions(past: Memory, expression: str, ages: list[int]) -> None:
    expected = [f"age {age}" for age in ages]
    assert [n.content for n in past.timeline(when=expression)] == expected
    assert sorted(found(past, "age", when=expression)) == sorted(expected)
    assert found(past, expression) == expected


@pytest.mark.parametrize(
    "expression",
    ["a while before the thing", "sometime", "когда-то давно ли", "3 blorps ago", "32 марта", "2026-02-30", "?"],
)
def test_B037_what_is_not_understood_is_an_error(past: Memory, expression: str) -> None:
    with pytest.raises(InvalidInput, match="when"):
        past.timeline(when=expression)
    with pytest.raises(InvalidInput):
        past.recall("age", when=expression)


@pytest.mark.parametrize("query", ["what did we do 3 blorps ago", "что было три хрюка назад"])
def test_B037_in_a_query_it_is_said(past: Memory, query: str) -> None:
    assert any(reason.startswith("time:") for reason in past.recall(query).degraded)
