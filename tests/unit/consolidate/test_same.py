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


@pytest.mark.parametrize(
    ("doubtful", "him", "her"),
    [
        ("Валентину Иванову", "Валентин Иванов", "Валентина Иванова"),
        ("Александру Петрову", "Александр Петров", "Александра Петрова"),
        ("Евгению Орлову", "Евгений Орлов", "Евгения Орлова"),
    ],
)
def test_two_likely_partners_are_none(doubtful: str, him: str, her: str) -> None:
    """«Валентину Иванову» is him in one case and her in another: where both are known, it goes to neither."""
    both = [known("1", doubtful), known("2", him, mentions=3), known("3", her, mentions=3)]
    assert pairs(both) == pairs(both[::-1]) == []


def test_three_forms_of_one_name_are_one() -> None:
    """Where the two partners are one person themselves, there is no doubt."""
    forms = [
        known("1", "Сони Ивановой"),
        known("2", "Соня Иванова", mentions=3),
        known("3", "Sonya Ivanova", mentions=2),
    ]
    assert {(pair.keep.id, pair.gone.id) for pair in pairs(forms)} == {("2", "1"), ("2", "3")}


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
