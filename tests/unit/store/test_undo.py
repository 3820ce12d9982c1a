"""Changes of belief are logged and taken back one by one; never over a later change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemic import Config, InvalidInput, Memory, NotFound
from mnemic.testing import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-03-01T10:00:00Z")


@pytest.fixture
def memory(clock: FrozenClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        yield memory


def last(memory: Memory, id_: str) -> int:
    """Number of the last change of a memory."""
    return memory.explain(id_).changes[-1].no


def current(memory: Memory) -> list[str]:
    return sorted(node.content for node in memory.timeline())


@pytest.mark.parametrize(
    ("old", "new"),
    [("The office is in Oslo", "The office is in Riga"), ("We use MySQL", "We use PostgreSQL"), ("Я живу в Осло", "Я живу в Риге")],
)
def test_a_correction_is_taken_back(memory: Memory, old: str, new: str) -> None:
    """The old fact holds again as it did, and nothing says any more that the new one has replaced it."""
    first = memory.remember(old)
    second = memory.correct(first.id, new)
    assert current(memory) == [new]
    assert [version.node.id for version in memory.explain(second.id).history] == [first.id, second.id]
    memory.review.undo(last(memory, first.id))
    again = memory.get(first.id)
    assert again is not None
    assert (again.valid_until, again.hidden_at, again.confidence) == (None, None, first.confidence)
    assert current(memory) == sorted([old, new])
    assert [version.node.id for version in memory.explain(second.id).history] == [second.id]


@pytest.mark.parametrize("later", ["undone", "corrected"])
def test_a_change_that_was_followed_by_another_one_stays(memory: Memory, clock: FrozenClock, later: str) -> None:
    """What came later was decided on top of it: the later change is undone first."""
    first = memory.remember("The office is in Oslo")
    memory.correct(first.id, "The office is in Riga")
    number = last(memory, first.id)
    memory.review.undo(number)
    with pytest.raises(InvalidInput):
        memory.review.undo(number)
    if later == "undone":
        memory.review.undo(last(memory, first.id))
        assert current(memory) == ["The office is in Riga"]
    else:
        clock.advance(days=1)
        memory.correct(first.id, "The office is in Bergen")
        with pytest.raises(InvalidInput):
            memory.review.undo(number)
        assert "The office is in Oslo" not in current(memory)


def test_there_is_no_such_change(memory: Memory) -> None:
    memory.remember("The office is in Oslo")
    with pytest.raises(NotFound):
        memory.review.undo(999)
