"""Contradictions: what becomes an open conflict, what does not, and what a person says of it."""

from __future__ import annotations

import itertools

import pytest
from nights import memory_at, night, offered, remember, rows

from mnemic.forget.contradict import LIST, Contradictions
from mnemic.forget.dedupe import Duplicates

PHASE = Contradictions()


@pytest.mark.parametrize(("a", "b", "signal"), [
    ("The gate is locked.", "The gate is not locked.", "negation"), ("Я ем рыбу.", "Я не ем рыбу.", "negation"),
    ("The heating is on.", "The heating is off.", "antonym"), ("Отопление включено.", "Отопление выключено.", "antonym"),
    ("The tank holds 40 litres.", "The tank holds 45 litres.", "numeric"), ("В музее 4 этажа.", "В музее 6 этажей.", "numeric"),
    ("The call is at 9:15.", "The call is at 9:45.", "temporal"), ("Аренда кончается 30 сентября.", "Аренда кончается 31 октября.", "temporal"),
])  # fmt: skip
def test_each_signal_alone_is_a_finding(a: str, b: str, signal: str) -> None:
    with memory_at() as (memory, _):
        both = remember(memory, a, b)
        (act,) = night(memory, PHASE).acts
        assert act.why.startswith(f"{signal}: ")
        (open_,) = memory.review.conflicts()
        assert {open_.left.id, open_.right.id} == set(both) == {act.id, act.other}
        assert offered(memory, *both) == [True, True]


@pytest.mark.parametrize(("a", "b"), [
    ("The front door is open.", "The back door is closed."), ("I like green tea.", "I like black tea."),
    ("I used to smoke.", "I don't smoke."), ("I eat meat.", "I no longer eat meat."), ("PR #260 was merged.", "PR #480 was not merged."),
    ("In 2019 the team had 5 people.", "In 2023 the team had 11 people."), ("I might sell the car.", "I don't sell the car."),
    ("The gate is never open.", "The gate is closed."), ("Anna is married.", "Olga is single."), ("I am married.", "She is single."),
    ("Раньше я курил.", "Я не курю."), ("Я люблю чай.", "Я не люблю кофе."), ("Взрослый билет 12 евро.", "Детский билет 6 евро."),
    ("Crate 17 holds 9 bolts.", "Crate 18 holds 7 bolts."), ("The team won on Saturday.", "The team lost on Sunday."),
])  # fmt: skip
def test_what_can_stand_together_does(a: str, b: str) -> None:
    with memory_at() as (memory, _):
        remember(memory, a, b)
        assert night(memory, PHASE).acts == []
        assert memory.review.conflicts() == []


@pytest.mark.parametrize(
    ("verdict", "left_stays", "right_stays"), [("left", True, False), ("right", False, True), ("both", True, True)]
)
def test_a_settled_pair_never_comes_back(verdict: str, left_stays: bool, right_stays: bool) -> None:
    with memory_at() as (memory, clock):
        remember(memory, "The gate is locked.", "The gate is not locked.")
        night(memory, PHASE)
        (open_,) = memory.review.conflicts()
        memory.review.resolve(open_.left.id, open_.right.id, verdict)
        assert offered(memory, open_.left.id, open_.right.id) == [left_stays, right_stays]
        for id_ in (open_.left.id, open_.right.id):
            memory.restore(id_)
        for _ in range(2):
            clock.advance(days=1)
            assert night(memory, Contradictions()).acts == []
        with memory._store.reader() as r:  # not even where everything is looked at anew
            assert r.execute("select count(*) from jobs where id = 'contradictions:default'").get == 1
        memory._store.run(
            lambda tx: tx.connection.execute("delete from jobs where id like 'contradictions:%'") and None
        )
        assert night(memory, PHASE).acts == []
        assert memory.review.conflicts() == []


def test_what_is_over_or_hidden_contradicts_nothing() -> None:
    with memory_at() as (memory, _):
        memory.remember("The gate is locked.", key="a", at="2026-01-01", valid_until="2026-02-01")
        (gone,) = remember(memory, "The gate is open.")
        memory.forget(gone)
        remember(memory, "The gate is not locked.")
        assert night(memory, PHASE).acts == []


def test_the_first_look_reaches_a_week_back_and_later_ones_to_the_last_look() -> None:
    with memory_at() as (memory, clock):
        remember(memory, "The heating is on.")
        clock.advance(days=8)
        remember(memory, "The gate is locked.")
        assert night(memory, PHASE).counts["looked_at"] == 1
        clock.advance(days=30)  # no night for a month
        remember(memory, "The gate is not locked.", "The heating is off.")
        clock.advance(days=30)
        assert night(memory, PHASE).counts["conflicts"] == 2


def test_nights_change_nothing_more_and_a_dry_run_nothing_at_all() -> None:
    with memory_at() as (memory, clock):
        remember(memory, "The gate is locked.", "The gate is not locked.", "The heating is on.", "The heating is off.")
        start = rows(memory)
        planned = night(memory, PHASE, dry_run=True)
        assert rows(memory) == start
        done = night(memory, PHASE)
        assert sorted((a.id, a.other or "") for a in planned.acts) == sorted((a.id, a.other or "") for a in done.acts)
        first = rows(memory)
        clock.advance(minutes=5)
        assert night(memory, PHASE).acts == []
        assert rows(memory) == first


def test_a_stopped_look_goes_on() -> None:
    with memory_at() as (memory, _):
        for i in range(150):
            remember(memory, f"The lamp of hall{i} is on.", f"The lamp of hall{i} is off.")
        found, finished = 0, False
        while not finished:
            asked = itertools.count()
            out = night(memory, PHASE, stop=lambda: next(asked) >= 2)  # noqa: B023
            found, finished = found + len(out.acts), out.finished
        assert found == len(memory.review.conflicts(limit=1_000)) == 150


def test_a_long_list_of_like_facts_is_no_contradiction() -> None:
    with memory_at() as (memory, _):
        remember(memory, *(f"The bus leaves at {i // 60}:{i % 60:02d}." for i in range(LIST + 20)))
        assert night(memory, PHASE).acts == []


def test_two_voices_and_duplicates_first() -> None:
    with memory_at() as (memory, _):
        remember(memory, "The gate is locked.", "the gate is locked", "The gate is not locked.")
        night(memory, Duplicates())
        assert len(night(memory, PHASE).acts) == 1
