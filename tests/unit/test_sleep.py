"""The night as a whole: order, ledger, lease, time, failures, schedule. The phases have tests of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from mnemic import Config, InvalidInput, Memory
from mnemic.errors import StoreBusy
from mnemic.phase import PhaseContext, PhaseResult
from mnemic.sleep import Phase, Sleeper, phases
from mnemic.store.ledger import slept_at
from mnemic.store.sqlite import SqliteStore
from mnemic.testing import FrozenClock

QUIET = Config(background=False)


class Recorder:
    """A night of made-up phases that note when they ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.act: dict[str, Callable[[PhaseContext], None]] = {}

    def phase(self, name: str) -> tuple[str, Phase]:
        def run(store: SqliteStore, space: str, night: PhaseContext) -> PhaseResult:
            self.ran.append(name)
            out = PhaseResult()
            if name in self.act:
                self.act[name](night)
            out.finished = not night.stop()
            return out

        return name, run


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-03-02T02:00:00Z")


@pytest.fixture
def memory(clock: FrozenClock, db: Path) -> Iterator[Memory]:
    with Memory(db, embedder="hash:64", clock=clock, config=QUIET) as memory:
        memory.observe("A first message.", session="one")
        yield memory


def sleeper(memory: Memory, night: Sequence[tuple[str, Phase]], schedule: str | None = "0 3 * * *") -> Sleeper:
    return Sleeper(memory._store, memory._clock, memory._zone, schedule, night)


def states(report: object) -> dict[str, str]:
    return {phase.name: phase.state for phase in report.phases}  # type: ignore[attr-defined]


def test_a_real_night_runs_every_phase(memory: Memory) -> None:
    report = memory.sleep()
    assert [p.name for p in report.phases] == [
        name for name, _ in phases(memory._consolidator, memory._embedding, memory.cards._phases())
    ]
    assert set(states(report).values()) == {"done"}
    assert memory.status()["embeddings_due"] == 0


def test_a_phase_that_fails_holds_up_no_other(memory: Memory) -> None:
    """It is reported, and is the one to run again the same night."""
    record = Recorder()

    def fail(night: PhaseContext) -> None:
        raise StoreBusy("the file is locked")

    record.act["b"] = fail
    night = sleeper(memory, [record.phase(n) for n in "abc"])
    report = night.run("default")
    assert states(report) == {"a": "done", "b": "failed", "c": "done"}
    assert report.phases[1].note == "the file is locked"
    del record.act["b"]
    assert states(night.run("default")) == {"a": "skipped", "b": "done", "c": "skipped"}
    assert record.ran == ["a", "b", "c", "b"]


def test_a_night_that_was_killed_goes_on_where_it_was(memory: Memory, clock: FrozenClock) -> None:
    """The same day: with the phases that were not done, and by the time at which it began. The next day: anew."""
    record = Recorder()
    seen: list[int] = []

    def die(night: PhaseContext) -> None:
        seen.append(night.now)
        raise KeyboardInterrupt

    record.act["b"] = die
    began = clock.now()
    with pytest.raises(KeyboardInterrupt):
        sleeper(memory, [record.phase(n) for n in "abc"]).run("default")
    clock.advance(hours=5)
    record.act["b"] = lambda night: seen.append(night.now)
    assert states(sleeper(memory, [record.phase(n) for n in "abc"]).run("default")) == {
        "a": "skipped",
        "b": "done",
        "c": "done",
    }
    assert seen == [began, began]
    record.act["b"] = die
    with pytest.raises(KeyboardInterrupt):
        sleeper(memory, [record.phase(n) for n in "abc"]).run("default")
    clock.advance(days=1)
    record.act.clear()
    assert set(states(sleeper(memory, [record.phase(n) for n in "abc"]).run("default")).values()) == {"done"}


def test_one_at_a_time(memory: Memory, db: Path, clock: FrozenClock) -> None:
    """A second process is told so; the lease of one that is gone is taken over."""
    record = Recorder()
    inner: list[object] = []

    def again(night: PhaseContext) -> None:
        with Memory(db, embedder=None, clock=clock, config=QUIET) as other:
            inner.append(other.sleep())

    record.act["a"] = again
    assert states(sleeper(memory, [record.phase("a")]).run("default")) == {"a": "done"}
    assert inner[0].note == "another process is running the night of this space"  # type: ignore[attr-defined]
    assert inner[0].phases == ()  # type: ignore[attr-defined]
    memory._store.run(lambda tx: tx.lease("sleep:default", "gone-host/1/x", 3_600))
    assert memory.sleep().note
    clock.advance(hours=2)
    assert not memory.sleep().note


def test_time_is_shared(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phase that would take for ever gets half of what is left, so that those after it have their turn."""
    from mnemic import sleep as module

    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    record = Recorder()
    took: dict[str, float] = {}

    def greedy(night: PhaseContext) -> None:
        began = now[0]
        while not night.stop():
            now[0] += 1
        took[str(len(took))] = now[0] - began

    record.act["a"] = record.act["b"] = greedy
    report = sleeper(memory, [record.phase(n) for n in "abc"]).run("default", seconds=100)
    assert states(report) == {"a": "stopped", "b": "stopped", "c": "done"}
    assert took == {"0": 50.0, "1": 25.0}


def test_the_caller_can_stop_it(memory: Memory) -> None:
    stopped = memory.sleep(stop=lambda: True)
    assert set(states(stopped).values()) == {"stopped"}
    assert set(states(memory.sleep()).values()) == {"done"}


def test_progress_names_the_phase(memory: Memory) -> None:
    told: list[tuple[str, int, int | None]] = []
    memory.sleep(progress=lambda *step: told.append(step))
    assert [name for name, done, _ in told if done == 0] == [
        n for n, _ in phases(memory._consolidator, memory._embedding, memory.cards._phases())
    ]


@pytest.mark.parametrize("minutes", [0, -1, "long", True])
def test_minutes_are_checked(memory: Memory, minutes: object) -> None:
    with pytest.raises(InvalidInput, match="minutes"):
        memory.sleep(minutes=minutes)  # type: ignore[arg-type]


def test_when_a_night_is_due(memory: Memory, clock: FrozenClock) -> None:
    """A new space waits for the next 03:00; a night that came is due until it has been run to its end; once a day."""
    record = Recorder()
    night = sleeper(memory, [record.phase("a")])
    assert not night.due("default")
    clock.set("2026-03-02T02:59:00Z")
    assert not night.due("default")
    clock.set("2026-03-02T03:00:00Z")
    assert night.due("default")
    night.run("default", stop=lambda: True)
    assert night.due("default")  # it was interrupted
    night.run("default")
    assert not night.due("default")
    assert slept_at(memory._store, "default") == clock.now()
    clock.set("2026-03-05T12:00:00Z")  # nobody was there at 03:00
    assert night.due("default")
    assert not sleeper(memory, [record.phase("a")], schedule=None).due("default")


def test_the_background_runs_it(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process that has the memory open, once the time has come and nobody writes."""
    from mnemic import background

    monkeypatch.setattr(background, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(background, "IDLE_SECONDS", 0.05)
    clock = FrozenClock("2026-03-02T02:00:00Z")
    import time

    with Memory(db, embedder=None, clock=clock, config=Config(sleep="03:00")) as memory:
        node = memory.remember("The moth sat on the lamp.", label="observation")
        deadline = time.monotonic() + 120
        while memory._store.noted("sleep:default") is None and time.monotonic() < deadline:
            time.sleep(0.02)  # the space is seen for the first time
        clock.advance(days=90)

        def over() -> bool:
            return slept_at(memory._store, "default") is not None and not memory._sleeper.due("default")

        while not over() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert slept_at(memory._store, "default") == clock.now()
        assert memory.explain(node.id).node.hidden_why == "decayed"


def test_a_second_night_changes_no_row(memory: Memory, db: Path, clock: FrozenClock) -> None:
    """Five nights on one day leave the tables that one leaves, but for the ledger."""
    import apsw

    for n in range(20):
        memory.observe(f"I live in Town{n}. My sister Anna works at Firm{n}.", session=f"s{n}", at=clock.at)
        memory.remember(f"Crate {n} holds {n * 3} lamps.", label="observation", importance=0.1 + n / 20)
    clock.advance(days=40)
    memory.sleep()

    def rows() -> dict[str, list[object]]:
        connection = apsw.Connection(str(db))
        return {
            table: connection.execute(f"select * from {table} order by 1, 2").fetchall()  # noqa: S608
            for table in ("nodes", "edges", "entities", "entity_aliases", "facts", "changes", "seasons", "tags")
        }

    before = rows()
    for _ in range(4):
        memory.sleep()
        assert rows() == before
