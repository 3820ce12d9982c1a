"""Decay: what is hidden, what is insured, what comes back; the forecast says the same beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from mnemic import Config, InvalidInput, Memory
from mnemic.models import SleepReport
from mnemic.testing import FrozenClock

CLOCK_START = "2026-01-01T12:00:00Z"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(CLOCK_START)


@pytest.fixture
def memory(clock: FrozenClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder="hash:64", clock=clock, config=Config(background=False)) as memory:
        yield memory


def acts(report: SleepReport, act: str) -> dict[str, str]:
    return {a.id: a.why for phase in report.phases for a in phase.acts if a.act == act}


def hidden(memory: Memory, id_: str) -> str | None:
    return memory.explain(id_).node.hidden_why


def test_what_nobody_used_is_hidden_and_comes_back(memory: Memory, clock: FrozenClock) -> None:
    """Hidden with its numbers as the reason, not found, and offered again by restore; not hidden again tomorrow."""
    node = memory.remember("The parcel locker stands in Elm Street.", label="observation")
    clock.advance(days=54)
    assert not acts(memory.sleep(), "decayed")
    clock.advance(days=2)
    report = memory.sleep()
    assert acts(report, "decayed") == {node.id: "strength 0.048 < 0.05: 56 days since the last use, never used"}
    assert hidden(memory, node.id) == "decayed"
    assert not memory.recall("parcel locker").hits
    memory.restore(node.id)
    assert memory.recall("parcel locker").hits[0].node.id == node.id
    clock.advance(days=1)
    assert not acts(memory.sleep(), "decayed")


def test_one_undo_takes_it_back(memory: Memory, clock: FrozenClock) -> None:
    node = memory.remember("The parcel locker stands in Elm Street.", label="observation")
    clock.advance(days=60)
    change = next(a.change for p in memory.sleep().phases for a in p.acts)
    assert change is not None
    memory.review.undo(change)
    assert hidden(memory, node.id) is None


def test_insurance(memory: Memory, clock: FrozenClock) -> None:
    """Protected, important, well connected, or the only support of something alive: kept, and the report says why."""
    kept = {
        "confirmed": memory.remember("Gate code for the Birchwood house is on the yellow card.", label="observation"),
        "important": memory.remember("The cellar pump needs its filter.", label="observation", importance=2.5),
        "preference": memory.remember("Prefers paper tickets on trains.", label="preference"),
        "procedure": memory.remember("Restart the kiln with the left lever.", kind="procedural", label="procedure"),
        "connected": memory.remember("The harbour crane was painted green.", label="observation"),
        "message": memory.observe("Утром был туман над рекой."),
    }
    memory.confirm(kept["confirmed"].id)
    for n in range(6):
        other = memory.remember(f"Crane part {n} came from depot {n * 11}.", label="preference")
        memory.link(other.id, kept["connected"].id, "references")
    lost = memory.remember("A moth sat on the lamp.", label="observation")
    five = memory.remember("The ferry bell is bronze.", label="observation")
    for n in range(5):
        other = memory.remember(f"Bell rope {n} is {n * 7} metres.", label="preference")
        memory.link(other.id, five.id, "references")
    clock.advance(days=200)
    report = memory.sleep()
    assert set(acts(report, "decayed")) == {lost.id, five.id}
    insured = acts(report, "insured")
    assert insured == {kept["important"].id: "importance 2.5", kept["connected"].id: "6 connections"}
    assert all(hidden(memory, node.id) is None for node in kept.values())


def test_the_only_support_of_something_alive_stays(memory: Memory, clock: FrozenClock) -> None:
    base = memory.remember("The well is nine metres deep.", label="observation")
    top = memory.remember("The pump must lift nine metres.", label="preference")
    memory.link(top.id, base.id, "supports")
    clock.advance(days=100)
    report = memory.sleep()
    assert acts(report, "insured") == {base.id: f"the only support of {top.id}"}
    second = memory.remember("A neighbour measured the well, too.", label="preference")
    memory.link(top.id, second.id, "supports")
    assert set(acts(memory.sleep(), "decayed")) == {base.id}


def test_useful_accesses_renew_and_internal_searches_do_not(clock: FrozenClock) -> None:
    """Context, get and the first answer of a recall count; the search that remember makes for itself does not."""
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        used = {
            "get": memory.remember("The green notebook is in drawer four.", label="observation"),
            "recall": memory.remember("Sven feeds the heron at dusk.", label="observation"),
            "context": memory.remember("The lighthouse keeper retires in May.", label="observation"),
        }
        unused = memory.remember("A kettle whistled in the annex.", label="observation")
        for _ in range(8):
            clock.advance(days=10)
            memory.get(used["get"].id)
            assert memory.recall("heron at dusk").hits[0].node.id == used["recall"].id
            block = memory.context("When does the lighthouse keeper retire?")
            assert block is not None
            assert used["context"].id in block.items
            memory.remember(f"A kettle boiled in the kitchen on day {clock.at:%j}.", label="preference")
            memory.sleep()
        assert hidden(memory, unused.id) == "decayed"
        for node in used.values():
            assert hidden(memory, node.id) is None
            assert memory.explain(node.id).node.access_count >= 8
        assert memory.explain(unused.id).node.access_count == 0


def test_a_night_again_is_no_more_forgetting(memory: Memory, clock: FrozenClock) -> None:
    """Five runs on one day leave the rows that one leaves."""
    for n in range(30):
        memory.remember(f"Crate {n} holds {n * 3} lamps.", label="observation", importance=0.2 + n / 30)
    clock.advance(days=30)
    first = memory.sleep()
    rows = acts(first, "decayed")
    assert rows
    before = {n.id: n for n in memory.timeline(limit=100)}
    for _ in range(4):
        again = memory.sleep()
        assert not acts(again, "decayed")
        assert {n.id: n for n in memory.timeline(limit=100)} == before


def test_a_dry_run_says_the_same_and_writes_nothing(memory: Memory, clock: FrozenClock) -> None:
    for n in range(5):
        memory.remember(f"Crate {n} holds {n * 3} lamps.", label="observation")
    clock.advance(days=90)
    said = acts(memory.sleep(dry_run=True), "decayed")
    assert memory.status()["hidden"] == 0
    assert acts(memory.sleep(), "decayed") == said
    assert len(said) == 5


def test_the_forecast_is_what_happens(memory: Memory, clock: FrozenClock) -> None:
    """Each one is offered until the moment named, and hidden by the night after it, unless it is pinned."""
    for n in range(6):
        memory.remember(f"Crate {n} holds {n * 3} lamps.", label="observation", importance=0.4 + n / 5)
    memory.remember("Prefers lamps with a switch.", label="preference")
    assert memory.review.forecast(5) == []
    foretold = memory.review.forecast(80)
    assert [f.falls_at for f in foretold] == sorted(f.falls_at for f in foretold)
    assert len(foretold) == 6
    pinned = foretold[0].node.id
    memory.confirm(pinned)
    for item in foretold[1:]:
        clock.set(
            f"{item.node.at + timedelta(microseconds=item.falls_at - item.node.event_time - 60_000_000):%Y-%m-%dT%H:%M:%SZ}"
        )
        assert item.node.id not in acts(memory.sleep(), "decayed")
        clock.advance(minutes=2)
        assert item.node.id in acts(memory.sleep(), "decayed")
    assert hidden(memory, pinned) is None
    assert memory.review.forecast(10_000) == []


@pytest.mark.parametrize("days", [0, -3, float("nan"), True, "soon"])
def test_a_forecast_wants_a_number_of_days(memory: Memory, days: object) -> None:
    with pytest.raises(InvalidInput, match="days"):
        memory.review.forecast(days)  # type: ignore[arg-type]


def test_other_spaces_sleep_on_their_own(memory: Memory, clock: FrozenClock) -> None:
    here = memory.remember("The moth sat on the lamp.", label="observation")
    there = memory.remember("The moth sat on the lamp.", label="observation", space="work")
    clock.advance(days=90)
    assert set(acts(memory.sleep(space="work"), "decayed")) == {there.id}
    assert memory.explain(here.id).node.hidden_why is None
    assert memory.sleep(space="nobody").phases


def test_use_between_reading_and_hiding_keeps(memory: Memory, clock: FrozenClock) -> None:
    """The decision is made again under the write lock."""
    from mnemic.forget import prune
    from mnemic.phase import PhaseContext
    from mnemic.store import facts

    node = memory.remember("The moth sat on the lamp.", label="observation")
    clock.advance(days=90)
    store = memory._store
    row = next(iter(store.rows_of("default", [node.id]).values()))
    night = PhaseContext(clock.now(), memory._zone)
    with store.reader() as r:
        weak = facts.fading(r, [row], night.now)
    store.run(lambda tx: facts.use(tx, {row: (1, night.now)}))
    assert store.run(lambda tx: prune._hide(tx, "default", weak, night)) == {}
    assert hidden(memory, node.id) is None


@pytest.mark.parametrize(
    ("settings", "gone"),
    [
        ({}, True),
        ({"fade_days": {"observation": 60}}, False),
        ({"fade_below": {"observation": 0.001}}, False),
        ({"fade_shape": {"observation": 0.3}}, False),
        ({"fade_days": {"fact": 1}}, True),
    ],
)
def test_curves_are_settings(clock: FrozenClock, settings: dict[str, dict[str, float]], gone: bool) -> None:
    config = Config(background=False, **settings)  # type: ignore[arg-type]
    with Memory(":memory:", embedder=None, clock=clock, config=config) as memory:
        node = memory.remember("The parcel locker stands in Elm Street.", label="observation")
        assert [f.node.id for f in memory.review.forecast(days=60)] == [node.id] * gone
        clock.advance(days=60)
        assert list(acts(memory.sleep(), "decayed")) == [node.id] * gone
