"""Ends of time that are named with their last day: which notes lie inside."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from casekit import StillClock

from mnemic import Config, Memory
from mnemic.lang.when import MIN, find

DAYS = ("30 March", "31 March", "1 April")


@pytest.fixture(scope="module")
def notes() -> Iterator[Memory]:
    clock = StillClock("2026-04-20T12:00:00+00:00")
    with Memory(":memory:", embedder="none", clock=clock, config=Config(background=False)) as memory:
        for day, at in zip(DAYS, ("2026-03-30T09:00Z", "2026-03-31T23:59Z", "2026-04-01T00:00Z"), strict=True):
            memory.observe(f"Ledger note of {day}: отчёт сдан", at=at, session=day)
        memory.flush()
        yield memory


def inside(memory: Memory, when: str) -> list[str]:
    found = [day for node in memory.timeline(when=when) for day in DAYS if f"of {day}:" in node.content]
    asked = {
        day for hit in memory.recall("ledger note", when=when).hits for day in DAYS if f"of {day}:" in hit.node.content
    }
    assert set(found) == asked, "recall and timeline agree"
    return found


@pytest.mark.parametrize(
    "when",
    [
        "by March 31", "through March 31", "thru 31 March 2026", "up through March 31", "up to and including March 31",
        "until and including 31 March", "up to March 31", "up to the 31st", "until March 31", "till March 31",
        "up until March 31st", "until 2026-03-31", "until March 31 inclusive", "before March 31 (inclusive)",
        "no later than March 31", "on or before March 31", "until the end of March", "till the very end of March 2026",
        "up to the end of last month", "by the end of March", "before the end of Q1", "through March", "through last month",
        "from March 1 through March 31", "March 1 until March 31", "from 1 March up to and including 31 March",
        "from March 1 to March 31 inclusive", "until the end of March 31", "through 3/31/2026",
        "до конца марта", "по 31 марта", "по 31 марта включительно", "до 31 марта включительно", "вплоть до 31 марта",
        "не позднее 31 марта", "не позже 31 марта 2026 года", "к 31 марта", "к концу марта", "до самого конца марта",
        "по 31.03.2026", "по март", "по март включительно", "до марта включительно", "до конца прошлого месяца",
        "до конца первого квартала", "с 1 по 31 марта включительно", "с 1 марта по 31 марта", "до 31-го марта (включительно)",
        "до конца 31 марта",
    ],
)  # fmt: skip
def test_N30_an_end_that_is_named_with_its_last_day(notes: Memory, when: str) -> None:
    assert inside(notes, when) == ["30 March", "31 March"]


@pytest.mark.parametrize(
    ("when", "days"),
    [
        ("before March 31", DAYS[:1]), ("prior to 31 March", DAYS[:1]), ("earlier than March 31", DAYS[:1]),
        ("раньше 31 марта", DAYS[:1]), ("before April", DAYS[:2]), ("until April", DAYS[:2]), ("до апреля", DAYS[:2]),
        ("on or after March 31", DAYS[1:]), ("no earlier than March 31", DAYS[1:]), ("не раньше 31 марта", DAYS[1:]),
        ("after March 31", DAYS[2:]), ("after the end of March", DAYS[2:]), ("until late March", ()),
        ("до начала апреля", DAYS[:2]), ("until the middle of March", ()), ("through yesterday", DAYS),
    ],
)  # fmt: skip
def test_N30_other_ends_stay_what_they_are(notes: Memory, when: str, days: tuple[str, ...]) -> None:
    assert inside(notes, when) == list(days)


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("What ledger notes were there through March 31?", {"30 March", "31 March"}),
        ("Ledger notes up to and including March 31", {"30 March", "31 March"}),
        ("Какие ledger note были до конца марта?", {"30 March", "31 March"}),
        ("ledger note по 31 марта", {"30 March", "31 March"}),
    ],
)
def test_N30_in_a_question(notes: Memory, query: str, days: set[str]) -> None:
    best = notes.recall(query).hits[:2]
    assert {day for hit in best for day in DAYS if f"of {day}:" in hit.node.content} == days


@pytest.mark.parametrize(
    "query", ["отчёт по прошлой неделе", "we went through last week", "сводка по 2023 году", "читаем по средам"]
)
def test_words_that_only_look_like_an_end(query: str) -> None:
    assert all(w.start > MIN for w in find(query, datetime.fromisoformat("2026-04-20T12:00:00+00:00")))
