"""What is said again is fresh, what lasts stays, and a night leaves nothing for a second one: found by a tester."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemic import Config, Memory
from mnemic.models import SleepReport
from mnemic.testing import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2025-01-01T10:00:00Z")


@pytest.fixture
def memory(clock: FrozenClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, config=Config(background=False), clock=clock) as opened:
        yield opened


def acts(report: SleepReport, *names: str) -> dict[str, str]:
    return {act.id: act.act for phase in report.phases for act in phase.acts if act.act in names}


def offered(memory: Memory) -> set[str]:
    return {n.content for n in memory.timeline(kinds=["semantic", "opinion", "procedural"], limit=100)}


@pytest.mark.parametrize("keyed", [True, False])
def test_what_was_said_again_yesterday_does_not_fade_tonight(memory: Memory, clock: FrozenClock, keyed: bool) -> None:
    memory.remember("Anna keeps bees", key="1" if keyed else None)
    clock.advance(days=399)
    memory.remember("Anna keeps bees!" if keyed else "Anna keeps bees", key="2" if keyed else None)
    clock.advance(days=1)
    memory.sleep()
    assert len(offered(memory)) == 1
    clock.advance(days=400)
    memory.sleep()
    assert not offered(memory)  # and fades a year later


def test_undoing_a_merge_gives_back_how_fresh_the_survivor_was(memory: Memory, clock: FrozenClock) -> None:
    first = memory.remember("Anna keeps bees", key="1")
    clock.advance(days=10)
    memory.remember("Anna keeps bees!", key="2")
    report = memory.sleep()
    (change,) = [act.change for phase in report.phases for act in phase.acts if act.act == "duplicate"]
    assert change is not None
    assert memory.get(first.id).last_accessed is not None
    memory.review.undo(change)
    memory._uses._waiting.clear()
    assert memory._store.nodes([memory._store.rows_of("default", [first.id])[first.id]])
    assert next(n for n in memory.timeline(limit=10) if n.id == first.id).last_accessed is None


@pytest.mark.parametrize(("lasting", "order"), [("preference", 0), ("preference", 1), ("procedure", 0)])
def test_what_lasts_is_not_merged_into_what_fades(memory: Memory, clock: FrozenClock, lasting: str, order: int) -> None:
    for i, label in enumerate([["observation", lasting], [lasting, "observation"]][order]):
        memory.remember("I like green tea" + "!" * i, label=label, key=str(i))
        clock.advance(days=1)
    assert len(acts(memory.sleep(), "duplicate")) == 1
    clock.advance(days=500)
    memory.sleep()
    (kept,) = memory.timeline(kinds=["semantic", "opinion", "procedural"], limit=10)
    assert kept.label == lasting


def chain(memory: Memory, length: int) -> list[str]:
    ids = [
        memory.remember(f"Fact of the chain {word}", key=word).id
        for word in ("amber", "birch", "cedar", "dune")[:length]
    ]
    for supported, support in zip(ids[1:], ids, strict=False):
        memory.link(supported, support, "supports")
    return ids


@pytest.mark.parametrize("dry", [False, True])
def test_one_night_lets_go_of_a_whole_chain_and_a_second_of_nothing(
    memory: Memory, clock: FrozenClock, dry: bool
) -> None:
    ids = chain(memory, 4)
    clock.advance(days=500)
    if dry:
        assert acts(memory.sleep(dry_run=True), "decayed", "insured") == dict.fromkeys(ids, "decayed")
    assert acts(memory.sleep(), "decayed", "insured") == dict.fromkeys(ids, "decayed")
    assert not acts(memory.sleep(), "decayed")


def test_a_forecast_takes_along_what_only_held_something_up(memory: Memory, clock: FrozenClock) -> None:
    ids = chain(memory, 3)
    told = {forecast.node.id: forecast.falls_at for forecast in memory.review.forecast(500)}
    assert set(told) == set(ids)
    clock.advance(days=500)
    assert set(acts(memory.sleep(), "decayed")) == set(told)


def test_a_dry_run_counts_a_copy_once(memory: Memory, clock: FrozenClock) -> None:
    for i, text in enumerate(["The gate is locked", "The gate is locked!", "The gate is not locked"]):
        memory.remember(text, key=str(i))
    dry, real = memory.sleep(dry_run=True), memory.sleep()
    assert acts(dry, "duplicate", "conflict") == acts(real, "duplicate", "conflict")
    clock.advance(days=500)
    dry, real = memory.sleep(dry_run=True), memory.sleep()
    assert acts(dry, "decayed") == acts(real, "decayed")


def test_an_undone_decay_is_not_repeated_the_same_night(memory: Memory, clock: FrozenClock) -> None:
    node = memory.remember("Anna keeps bees", key="1")
    clock.advance(days=500)
    report = memory.sleep()
    (change,) = [act.change for phase in report.phases for act in phase.acts if act.act == "decayed"]
    assert change is not None
    memory.review.undo(change)
    memory.sleep()
    assert memory.get(node.id).hidden_at is None


def test_facts_of_two_projects_are_two(memory: Memory) -> None:
    for project in ("Heron", "Orion"):
        memory.remember("The office is closed", key=project, attributes={"project": project})
    assert not acts(memory.sleep(), "duplicate")


def looked_at(report: SleepReport) -> int:
    return next(phase.counts.get("looked_at", 0) for phase in report.phases if phase.name == "duplicates")


def test_a_night_after_which_nothing_happened_compares_nothing(memory: Memory, clock: FrozenClock) -> None:
    memory.remember("Leo lent Max money", key="1")
    memory.remember("Max lent Leo money", key="2")
    first = memory.sleep()
    assert not acts(first, "duplicate")
    assert looked_at(first) > 0
    clock.advance(days=1)
    assert looked_at(memory.sleep()) == 0
    memory.remember("Leo lent Max money!", key="3")
    clock.advance(days=1)
    assert len(acts(memory.sleep(), "duplicate")) == 1  # what is new is compared
    clock.advance(days=1)
    assert looked_at(memory.sleep()) > 0  # the merge was a change
    clock.advance(days=1)
    assert looked_at(memory.sleep()) == 0
