"""Without a process that stays, what is due still happens: a bounded piece of it after each command that wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mnemic import AsyncMemory, Config, EmbeddingError, InvalidInput, Memory
from mnemic.embed import Embedder, Vectors
from mnemic.models import FACTS
from mnemic.testing import FrozenClock

QUIET = Config(background=False)


class Slow:
    """An embedder that would have to load a model first; broken where told."""

    name, dimension, max_chars, multilingual, slow_start = "test:slow", 8, 600, True, True

    def __init__(self, *, broken: bool = False) -> None:
        self.broken, self.calls = broken, 0

    def embed(self, texts: Sequence[str], *, kind: str) -> Vectors:
        self.calls += 1
        if self.broken:
            raise EmbeddingError("the server does not answer")
        return np.full((len(texts), 8), 8**-0.5, dtype=np.float32)


FRUITS = [
    "apples",
    "pears",
    "plums",
    "figs",
    "dates",
    "limes",
    "lemons",
    "oranges",
    "peaches",
    "cherries",
    "melons",
    "grapes",
    "kiwis",
    "olives",
    "quinces",
    "mangoes",
    "papayas",
    "guavas",
    "apricots",
    "bananas",
]
RUSSIAN_FOODS = [
    "яблоки",
    "груши",
    "сливы",
    "вишни",
    "дыни",
    "арбузы",
    "лимоны",
    "апельсины",
    "персики",
    "абрикосы",
    "бананы",
    "манго",
    "киви",
    "оливки",
    "орехи",
    "сыр",
    "рыбу",
    "грибы",
    "суп",
    "хлеб",
]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-03-02T02:00:00Z")


def opened(db: Path, clock: FrozenClock, embedder: str | Embedder | None = "hash:64", **settings: object) -> Memory:
    return Memory(db, embedder=embedder, clock=clock, config=Config.load({}, background=False, **settings))


@pytest.fixture
def told(db: Path, clock: FrozenClock) -> Path:
    """Forty ended conversations, half of them Russian, and one that goes on; nothing of it embedded or read."""
    with opened(db, clock, None) as memory:
        for i in range(40):
            text = f"I love {FRUITS[i // 2]}." if i % 2 else f"Я люблю {RUSSIAN_FOODS[i // 2]}."
            memory.observe(text, session=f"s{i}", channel=str(i), at=f"2026-02-{i % 28 + 1:02d}T10:00:00Z")
        memory.observe("I work at Acme.", session="now", channel="now")
    return db


def facts(memory: Memory) -> int:
    return len(memory.timeline(kinds=FACTS, include_superseded=True, limit=1_000))


def test_one_call_with_time_does_all_of_it(told: Path, clock: FrozenClock) -> None:
    with opened(told, clock) as memory:
        before = memory.status()
        assert (before["embeddings_due"], before["unread_sessions"], before["unread_messages"]) == (41, 40, 40)
        done = memory.catch_up(600)
        assert (done.episodes, done.facts) == (40, facts(memory))
        assert done.facts >= 20
        after = memory.status()
        assert (after["embeddings_due"], after["unread_sessions"], after["unread_messages"]) == (0, 0, 0)
        again = memory.catch_up(600)
        assert (again.embedded, again.episodes, again.facts, again.nights, again.note) == (0, 0, 0, {}, "")


def test_many_short_calls_do_the_same(told: Path, clock: FrozenClock) -> None:
    """However short the time, each call gets something done, and the next one goes on there."""
    calls = 0
    while True:
        with opened(told, clock, embed_batch=8) as memory:
            waits = memory.status()
            if not waits["embeddings_due"] and not waits["unread_messages"]:
                break
            done = memory.catch_up(1e-9 if waits["embeddings_due"] else 0.05)
            assert done.embedded <= 8 or not waits["embeddings_due"]
            calls += 1
        assert calls < 200
    assert calls > 4
    with opened(told, clock) as memory:
        assert facts(memory) >= 20


def test_settings_and_arguments_leave_facts_alone(told: Path, clock: FrozenClock) -> None:
    with opened(told, clock, consolidate=False) as memory:
        assert memory.catch_up(600).episodes == 0
    with opened(told, clock) as memory:
        assert memory.catch_up(600, facts=False).episodes == 0
        assert memory.catch_up(600, quiet=60.0).episodes == 0, "all were written just now"
        clock.advance(minutes=2)
        memory.observe("Thanks.", session="s3", channel="3", at="2026-02-04T10:01:00Z")
        assert memory.catch_up(600, quiet=60.0).episodes == 39
        assert memory.status()["unread_messages"] == 2


def test_a_model_is_not_loaded_for_a_few_texts_in_a_short_time(db: Path, clock: FrozenClock) -> None:
    slow = Slow()
    with opened(db, clock, slow) as memory:
        memory.observe("One message.", session="a")
        assert (memory.catch_up(1.0).embedded, slow.calls) == (0, 0)
        assert memory.catch_up(60.0).embedded == 1
        for i in range(40):
            memory.observe(f"Message {i}.", session="a")
        assert memory.catch_up(1.0).embedded > 0


def test_an_embedder_that_is_out_of_order_holds_up_nothing_else(told: Path, clock: FrozenClock) -> None:
    with opened(told, clock, Slow(broken=True)) as memory:
        done = memory.catch_up(60.0)
        assert "does not answer" in done.note
        assert done.episodes == 40
        assert memory.status()["embeddings_due"] > 0


@pytest.mark.parametrize("seconds", [0, -1, "long", True, float("nan")])
def test_seconds_are_checked(db: Path, clock: FrozenClock, seconds: object) -> None:
    with opened(db, clock, None) as memory, pytest.raises(InvalidInput, match="seconds"):
        memory.catch_up(seconds)  # type: ignore[arg-type]


# -- nights -----------------------------------------------------------------------------------------------------------


def night(memory: Memory, space: str | None = None) -> tuple[object, object, int]:
    state = memory.status(space=space)
    return state["slept_at"], state["night_due_at"], state["night_late"]


def test_status_says_when_the_night_is_due_and_how_late(db: Path, clock: FrozenClock) -> None:
    three = 1_772_420_400_000_000  # 2026-03-02 03:00 UTC
    with opened(db, clock) as memory:
        assert night(memory) == (None, None, 0), "nothing is there to sleep on"
        memory.observe("A first message.", session="one")
        assert night(memory) == (None, three, 0)
        clock.set("2026-03-04T03:00:00Z")
        assert night(memory) == (None, three, 2 * 86_400)
        report = memory.catch_up(600, nights=True)
        assert list(report.nights) == ["default"]
        assert night(memory) == (clock.now(), clock.now() + 86_400_000_000, 0)
        assert memory.catch_up(600, nights=True).nights == {}
    with opened(db, clock, sleep="off") as memory:
        assert night(memory)[1:] == (None, 0)
        assert memory.catch_up(600, nights=True).nights == {}
    with opened(db, clock, sleep="30 4 * * *", zone="Europe/Moscow") as memory:  # 01:30 UTC
        assert night(memory)[1] == clock.now() + (22 * 60 + 30) * 60_000_000
    clock.set("2026-03-06T00:00:00Z")
    with opened(db, clock) as memory:
        memory.sleep(stop=lambda: True)
        assert night(memory)[1:] == (clock.now(), 0), "a night that was cut off goes on"
        clock.advance(minutes=90)
        assert night(memory)[2] == 5_400


def test_every_space_has_its_night(db: Path, clock: FrozenClock) -> None:
    with opened(db, clock) as memory:
        for space in ("anna", "борис"):
            memory.observe("Hello.", session="one", space=space)
        clock.advance(days=1)
        assert set(memory.catch_up(600, nights=True).nights) == {"anna", "борис"}
        assert night(memory, "anna")[2] == night(memory, "борис")[2] == 0


def test_it_is_awaited_too(told: Path) -> None:
    import asyncio

    async def story() -> int:
        async with AsyncMemory(told, embedder="none", config=QUIET) as memory:
            return (await memory.catch_up(600)).episodes

    assert asyncio.run(story()) >= 40
