"""Facts are read in the background while nobody writes messages; what is written for them is no reason to stop."""

from __future__ import annotations

from mnemic import Config, Memory
from mnemic.models import FACTS


def filled(count: int) -> Memory:
    """A memory with so many ended sessions, each with something to learn, and nothing running behind it."""
    memory = Memory(":memory:", embedder=None, config=Config(background=False))
    for i in range(count):
        memory.observe(f"My sister Anna{chr(97 + i)} lives in Riga.", session=f"s{i}", at=f"2026-01-{i + 1:02d}T10:00:00Z")
    memory.flush()  # names, and the end of silent sessions
    return memory


def test_one_quiet_time_is_enough_for_all_sessions() -> None:
    with filled(12) as memory:
        background = memory._background
        assert background is not None
        background._written -= 60.0
        background._consolidate()
        assert not memory._consolidator.due("default")
        assert len(memory.timeline(kinds=FACTS, limit=100)) >= 12


def test_a_message_interrupts_it() -> None:
    with filled(3) as memory:
        background = memory._background
        assert background is not None
        background._written -= 60.0
        memory.observe("a new message", session="now")
        background._consolidate()
        assert memory._consolidator.due("default")
        assert memory.timeline(kinds=FACTS) == []
