"""The two clocks of an ending: since when it was so in the world, and since when this memory knew it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemic import Config, Memory
from mnemic.store import facts
from mnemic.testing import FrozenClock

BEGAN, MOVED, TOLD, NOW = "2026-01-05T10:00:00Z", "2026-02-10T10:00:00Z", "2026-04-20T10:00:00Z", "2026-06-01T10:00:00Z"


@pytest.fixture
def memory() -> Iterator[Memory]:
    """It learned in April of a move in February."""
    clock = FrozenClock(BEGAN)
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        old = memory.remember("The office is in Oslo", valid_from=BEGAN)
        clock.set(TOLD)
        memory.correct(old.id, "The office is in Riga", at=MOVED)
        clock.set(NOW)
        yield memory


@pytest.mark.parametrize(
    ("as_of", "known_at", "holds"),
    [
        (None, None, ["Riga"]),
        ("2026-02-01", None, ["Oslo"]),  # before the move
        ("2026-03-01", None, ["Riga"]),  # after it, as is known today
        ("2026-03-01", "2026-03-01", ["Oslo"]),  # as was known then: nobody had told
        ("2026-04-01", "2026-04-19", ["Oslo"]),
        ("2026-04-21", "2026-04-21", ["Riga"]),
        ("2026-03-01", "2026-05-01", ["Riga"]),
        ("2026-02-01", "2026-05-01", ["Oslo"]),
        ("2025-12-01", None, []),
    ],
)
def test_what_held_and_what_was_known(
    memory: Memory, as_of: str | None, known_at: str | None, holds: list[str]
) -> None:
    """Every read that takes the two clocks says the same."""
    asked = {"as_of": as_of, "known_at": known_at}
    assert [node.content.split()[-1] for node in memory.timeline(**asked)] == holds
    assert [hit.node.content.split()[-1] for hit in memory.recall("where is the office", **asked).hits] == holds


@pytest.mark.parametrize("why", ["decayed", "duplicate", "file gone"])
def test_what_is_hidden_was_known_before(why: str) -> None:
    """Hiding is a matter of the memory's clock: asked for what it knew before, it still knows it."""
    clock = FrozenClock(BEGAN)
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        node = memory.remember("The office is in Oslo")
        clock.set(TOLD)
        row = memory._store.rows_of("default", [node.id])[node.id]
        memory._store.run(lambda tx: tx.hide("default", [row], why, actor="night"))
        clock.set(NOW)
        columns = memory._store.columns("default")
        before, after = (memory.timeline(known_at=at) for at in (MOVED, NOW))
        assert columns.visible(None, None, clock.now()).tolist() == [False]
        assert ([n.id for n in before], after) == ([node.id], [])


def test_an_ending_bears_the_time_at_which_it_was_learned() -> None:
    """Learned in April of what ended in February: asked for March as March knew it, the old fact holds."""
    clock = FrozenClock(BEGAN)
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        old = memory.remember("Alpha stands in the harbour", valid_from=BEGAN)
        clock.set(TOLD)
        new = memory.remember("Beta sleeps in the mill", valid_from=MOVED)
        rows = memory._store.rows_of("default", [old.id, new.id])
        until = new.valid_from
        assert until is not None
        values = {"confidence": 0.3, "stability": None, "actor": "test", "why": "moved"}
        memory._store.run(
            lambda tx: facts.supersede(tx, tx.space("default"), rows[old.id], rows[new.id], until, **values)  # type: ignore[arg-type]
        )
        clock.set(NOW)
        then = memory.timeline(as_of="2026-03-01", known_at="2026-03-01")
        assert [node.id for node in then] == [old.id]
        assert old.id not in [node.id for node in memory.timeline(as_of="2026-03-01")]
