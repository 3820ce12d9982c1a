"""What a caller may give as filters, and which rows they let through."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemic import Config, InvalidInput, Memory
from mnemic.clock import read_time
from mnemic.recall.filters import Filters

NOW = read_time("2026-03-15T12:00:00Z", field="now", tz=UTC) or 0


def read(**given: Any) -> Filters:
    return Filters.read(now=NOW, zone=ZoneInfo("Europe/Moscow"), **given)


def micros(text: str) -> int:
    return read_time(text, field="t", tz=UTC) or 0


@pytest.mark.parametrize("empty", ["", None])
def test_empty_means_any(empty: Any) -> None:
    simple = ("kinds", "labels", "roles", "tags", "session", "entity", "source", "min_trust")
    times = ("when", "after", "before", "as_of", "known_at")
    assert read(**dict.fromkeys((*simple, *times), empty)) == Filters()
    assert read(kinds=[], tags=(), labels=["", None]) == Filters()


def test_one_or_several() -> None:
    assert read(kinds="semantic").kinds == ("semantic",)
    assert read(kinds=["semantic", "opinion"], roles=("user",), tags={"a"}) == Filters(
        kinds=("semantic", "opinion"), roles=("user",), tags=("a",)
    )


def test_text_is_cleaned_as_it_was_when_stored() -> None:
    assert read(session="a\0b", tags="\ud800", entity="x\udfff") == Filters(
        session="a\u2400b", tags=("\ufffd",), entity="x\ufffd"
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-14", "2026-03-13T21:00:00Z"), (date(2026, 3, 14), "2026-03-13T21:00:00Z"),
        ("2026-03-14T10:00", "2026-03-14T07:00:00Z"),
        ("2026-03-14T10:00:00Z", "2026-03-14T10:00:00Z"), (datetime(2026, 3, 14, tzinfo=UTC), "2026-03-14T00:00:00Z"),
        ("yesterday", "2026-03-13T21:00:00Z"), ("вчера", "2026-03-13T21:00:00Z"),
    ],
)  # fmt: skip
def test_beginnings(value: Any, expected: str) -> None:
    assert read(after=value).after == read(before=value).before == micros(expected)


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("2026-03-14", "2026-03-14T21:00:00Z"),
        ("yesterday", "2026-03-14T21:00:00Z"),
        ("в феврале", "2026-02-28T21:00:00Z"),
    ],
)
def test_a_plain_date_as_a_moment_is_its_end(value: Any, after: str) -> None:
    assert read(as_of=value).as_of == read(known_at=value).known_at == micros(after) - 1


def test_windows_are_cut_with_each_other() -> None:
    both = read(when="last week", after="2026-03-05", before="2026-03-07")
    assert (both.after, both.before) == (read(after="2026-03-05").after, read(before="2026-03-07").before)
    wide = read(when="2026-03-10", after="2026-01-01", before="2026-12-01")
    assert (wide.after, wide.before) == (read(when="2026-03-10").after, read(when="2026-03-10").before)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kinds", "dream"), ("kinds", [3]), ("kinds", 3), ("roles", "robot"), ("tags", 3), ("tags", [None, 3]),
        ("session", 3), ("entity", b"x"), ("source", []),
        ("when", "soonish"), ("when", 3), ("after", 3), ("before", 3.5), ("after", "garbage"), ("as_of", True),
        ("known_at", "2026-13-01"), ("min_trust", "a"),
        ("min_trust", -0.1), ("min_trust", 1.1), ("min_trust", True), ("min_trust", float("nan")),
    ],
)  # fmt: skip
def test_refusals_name_the_argument(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(**{field: value})
    assert refused.value.field == field


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        for i in range(4):
            memory.observe(
                f"n{i}",
                session="one" if i < 2 else "two",
                at=f"2026-03-1{i}",
                tags=[f"t{i % 2}"],
                role="user" if i % 2 else "assistant",
                speaker="Анна" if i else None,
            )
        memory.remember("fact", label="note")
        memory.flush()
        yield memory


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "n0 n1 n2 n3 fact"), ({"session": "one"}, "n0 n1"), ({"session": "none such"}, ""),
        ({"tags": "t0"}, "n0 n2"), ({"tags": ["t0", "t1"]}, ""),
        ({"roles": "user"}, "n1 n3"), ({"roles": ["user", "assistant"]}, "n0 n1 n2 n3"),
        ({"kinds": "semantic"}, "fact"), ({"labels": "note"}, "fact"),
        ({"labels": "none such"}, ""), ({"entity": "АННА"}, "n1 n2 n3"), ({"entity": "Олег"}, ""),
        ({"after": "2026-03-12", "kinds": "episodic"}, "n2 n3"),
        ({"before": "2026-03-11"}, "n0"), ({"min_trust": 0.9}, "n1 n3 fact"), ({"source": "/none/such"}, ""),
        ({"session": "two", "tags": "t1", "roles": "user"}, "n3"),
    ],
    ids=str,
)  # fmt: skip
def test_masks(memory: Memory, given: dict[str, Any], expected: str) -> None:
    assert [n.content for n in memory.timeline(**given)] == expected.split()
