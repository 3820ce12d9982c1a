"""How a query is read: intent, language, size, time; any text is safe."""

from __future__ import annotations

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.clock import read_time, to_datetime
from mnemic.recall.plan import MAX_TERMS, read_query

NOW = read_time("2026-03-15T12:00:00Z", field="now", tz=UTC) or 0


def read(query: str, zone: str = "UTC"):  # type: ignore[no-untyped-def]
    return read_query(query, NOW, ZoneInfo(zone))


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("why did it fail", "why"), ("почему упал сервер", "why"), ("what caused the outage", "why"),
        ("зачем переехали", "why"), ("when do we ship", "when"),
        ("когда релиз", "when"), ("what day was it", "when"), ("who wrote it", "who"), ("кому звонили", "who"),
        ("what is the plan", "what"),
        ("где ключи", "what"), ("paint for the fence", "general"), ("краска", "general"), ("whyever", "general"),
        ("", "general"),
    ],
)  # fmt: skip
def test_intent(query: str, intent: str) -> None:
    assert read(query).plan.intent == intent


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("the cat", "en"),
        ("кот спит", "ru"),
        ("перезапусти docker сервис", "ru"),
        ("docker кот", "en"),
        ("队列", "other"),
        ("42", "other"),
    ],
)
def test_language(query: str, language: str) -> None:
    assert read(query).plan.language == language


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("where is the cat", "simple"),
        ("list the cats", "complex"),
        ("сравни планы", "complex"),
        ("how many cats", "complex"),
        ("кошка", "simple"),
        ("word " * 12, "complex"),
    ],
)
def test_complexity(query: str, size: str) -> None:
    assert read(query).plan.complexity == size


@pytest.mark.parametrize(
    ("query", "only", "after"),
    [
        ("yesterday", True, "2026-03-14"), ("what happened yesterday?", True, "2026-03-14"),
        ("что было вчера", True, "2026-03-14"),
        ("deploys of yesterday", False, "2026-03-14"), ("деплой в феврале", False, "2026-02-01"),
        ("the events of 2026-03-01", True, "2026-03-01"),
        ("кошка", False, None), ("2026-03-14", True, "2026-03-14"),
    ],
)  # fmt: skip
def test_time(query: str, only: bool, after: str | None) -> None:
    reading = read(query)
    assert reading.only_time == only
    assert (None if reading.plan.after is None else f"{to_datetime(reading.plan.after):%Y-%m-%d}") == after
    assert not reading.not_understood


def test_the_zone_decides_what_yesterday_is() -> None:
    assert read("yesterday", "Pacific/Kiritimati").plan.after != read("yesterday").plan.after


@pytest.mark.parametrize("query", ["3 blorps ago", "три хрюка назад"])
def test_a_time_that_is_not_understood(query: str) -> None:
    assert read(query).not_understood


@settings(deadline=None)
@given(st.text(alphabet=st.characters(), max_size=300))
def test_never_raises(query: str) -> None:
    plan = read(query).plan
    assert plan.query == query
    assert len(plan.terms) == len(set(plan.terms)) <= MAX_TERMS
    assert (plan.after is None) == (plan.before is None)
    assert plan.after is None or plan.before is None or plan.after < plan.before


def test_a_page_as_a_query_is_bounded() -> None:
    reading = read(" ".join(f"слово{i}x" for i in range(5_000)) + " вчера")
    assert len(reading.plan.terms) == MAX_TERMS
    assert reading.plan.after is None
