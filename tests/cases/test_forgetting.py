"""What broke for users of other systems when memories aged, by id (shared/cases, area sleep)."""

from __future__ import annotations

import random
from pathlib import Path

from mnemic import Config, Memory
from mnemic.testing import FrozenClock, ScriptedModel

QUIET = Config(background=False)


def test_B080_two_years_of_nights(db: Path) -> None:
    """730 nights over 200 facts, 20 of them pinned or often used, beside a model that would delete at random.

    None of the 20 is lost, nothing is physically deleted, and each step is in the log and can be undone.
    """
    rng = random.Random(80)
    clock = FrozenClock("2026-01-01T03:00:00Z")
    model = ScriptedModel(always=lambda messages: {"facts": [], "delete": [rng.randrange(200)]})
    with Memory(db, embedder=None, llm=model, clock=clock, config=QUIET) as memory:
        facts = [
            memory.remember(f"Locker {n} at the harbour holds item {n * 37 % 1009}.", label="observation")
            for n in range(200)
        ]
        pinned, used = facts[:10], facts[10:20]
        for node in pinned:
            memory.confirm(node.id)
        said = []
        for day in range(730):
            if day % 7 == 0:
                for node in used:
                    memory.get(node.id)
            if day % 50 == 0:
                memory.observe(f"Day {day}: nothing new at the harbour.", session=f"day {day}")
            said += [act for phase in memory.sleep().phases for act in phase.acts if act.act == "decayed"]
            clock.advance(days=1)
        assert all(memory.explain(node.id).node.hidden_at is None for node in pinned + used)
        assert memory.status()["memories"] == 200 + 15
        assert {act.id for act in said} == {node.id for node in facts[20:]}
        assert len(said) == 180
        for act in said:
            assert act.why
            assert act.change is not None
            assert [c.act for c in memory.explain(act.id).changes][-1] == "hide"
            memory.review.undo(act.change)
        assert memory.status()["hidden"] == 0
        assert [memory.explain(n.id).node.content for n in facts] == [n.content for n in facts]


def test_B081_thirty_days_of_decay(db: Path) -> None:
    """Strength stays in its range and does not go to nothing for all; what is asked for daily keeps a high one.

    What has been let go leaves the default recall.
    """
    from mnemic.store.facts import fading
    from mnemic.strength import strength

    clock = FrozenClock("2026-01-01T03:00:00Z")
    with Memory(db, embedder=None, clock=clock, config=QUIET) as memory:
        facts = [memory.remember(f"Beacon {n} blinks every {n + 2} seconds.", label="observation") for n in range(60)]
        trifles = [
            memory.remember(f"Gull {n} sat on the mast.", label="observation", importance=0.2) for n in range(20)
        ]
        for _ in range(30):
            clock.advance(days=1)
            for n in range(5):
                hit = memory.recall(f"beacon {n} blinks").hits[0]
                assert hit.node.id == facts[n].id
            memory.sleep()
        store = memory._store
        rows = store.rows_of("default", [n.id for n in facts])
        with store.reader() as r:
            now = {item.id: strength(item.trace, clock.now()) for item in fading(r, rows.values(), clock.now())}
        assert len(now) == 60
        assert all(0 < value <= 1 for value in now.values())
        assert all(now[node.id] > 0.95 for node in facts[:5])
        assert all(0.1 < now[node.id] < 0.3 for node in facts[5:])
        assert not memory.recall("gull mast").hits
        assert all(memory.explain(node.id).node.hidden_why == "decayed" for node in trifles)


def test_B084_recall_notes_the_use_and_takes_no_lock(db: Path) -> None:
    """The last use of what was recalled is updated, on a file whose write lock another process holds meanwhile."""
    import apsw

    clock = FrozenClock("2026-01-01T03:00:00Z")
    with Memory(db, embedder=None, clock=clock, config=QUIET) as memory:
        node = memory.remember("The spare key hangs behind the barometer.")
        memory.flush()
        at = clock.advance(days=3)
        other = apsw.Connection(str(db))
        other.execute("begin immediate")
        assert memory.recall("spare key").hits[0].node.id == node.id
        assert memory.context("where is the spare key?") is not None
        assert memory.get(node.id).access_count == 0
        other.execute("rollback")
        other.close()
        memory.flush()
        found = memory.explain(node.id).node
        assert found.last_accessed == clock.now()
        assert found.access_count == 3
        assert at is not None
    with Memory(db, embedder=None, clock=clock, config=QUIET) as memory:
        assert memory.explain(node.id).node.access_count == 3
