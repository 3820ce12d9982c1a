"""Entities merged at night: only what is certain, undone by one act, and never again after that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemic import Config, Memory
from mnemic.consolidate.same import Known, pairs
from mnemic.models import Act
from mnemic.store import entities
from mnemic.testing import FrozenClock


def known(id_: str, name: str, type_: str = "person", *further: str, mentions: int = 1) -> Known:
    return Known(id_, type_, name, frozenset((name.casefold(), *further)), mentions)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Анна", "Анне"), ("Ольга Орлова", "Ольге Орловой"), ("Anna Petrova", "Анна Петрова")],
)
def test_whole_names_in_another_form_are_one(one: str, other: str) -> None:
    found = pairs([known("1", one, mentions=5), known("2", other)])
    assert [(p.keep.id, p.gone.id) for p in found] == [("1", "2")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anna Petrova"), ("Viktor", "Victor"), ("Валентин", "Валентина"), ("Саша", "Александр"),
        ("John", "Jon"), ("Maria", "Mario"), ("Henry IV", "Henry V"), ("А. Орлов", "Алексей Орлов"),
    ],
)  # fmt: skip
def test_in_doubt_they_stay_two(one: str, other: str) -> None:
    assert pairs([known("1", one), known("2", other)]) == []


def test_two_likely_partners_are_none() -> None:
    both = [
        known("1", "Сони Ивановой"),
        known("2", "Соня Иванова", mentions=3),
        known("3", "Sonya Ivanova", mentions=3),
    ]
    assert all(p.gone.id != "1" for p in pairs(both)) or len({p.keep.id for p in pairs(both)}) == 1


def test_a_name_of_no_type_takes_the_one_that_is_known() -> None:
    thing = known("1", "Atlas", "project")
    assert [p.gone.id for p in pairs([thing, known("2", "Atlas", "concept")])] == ["2"]
    assert pairs([thing, known("3", "Atlas", "person"), known("2", "Atlas", "concept")]) == []


@pytest.fixture
def memory() -> Iterator[Memory]:
    clock = FrozenClock()
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        yield memory


def merged(memory: Memory, **options: bool) -> list[Act]:
    return [a for p in memory.sleep(**options).phases for a in p.acts if a.act == "merged"]  # type: ignore[arg-type]


def test_a_night_merges_and_undo_holds(memory: Memory) -> None:
    store = memory._store
    memory.observe("Hello there.", speaker="Анна")
    keep = store.run(lambda tx: entities.create(tx, "default", "Анна", "person"))
    gone = store.run(lambda tx: entities.create(tx, "default", "Анне", "person"))
    said = merged(memory, dry_run=True)
    assert [(a.id, a.other) for a in said] in ([(gone, keep)], [(keep, gone)])
    acts = merged(memory)
    assert [(a.id, a.other) for a in acts] == [(a.id, a.other) for a in said]
    assert merged(memory) == []
    assert acts[0].change is not None
    memory.review.undo(acts[0].change)
    assert merged(memory) == []
