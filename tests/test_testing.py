"""The fakes that are shipped for users' tests."""

from __future__ import annotations

import doctest
import uuid
from datetime import UTC, datetime, timedelta

import pytest

import mnemic
import mnemic.testing
from mnemic import InvalidInput
from mnemic.testing import FrozenClock, HashEmbedder, ScriptedModel, temporary_memory


def test_examples_in_docstrings() -> None:
    for module in (mnemic, mnemic.testing):
        assert doctest.testmod(module).failed == 0


def test_frozen_clock_stands_until_it_is_moved() -> None:
    clock = FrozenClock("2026-03-02T09:00:00+02:00")
    assert clock.now() == clock.now()
    assert clock.at == datetime(2026, 3, 2, 7, tzinfo=UTC)
    assert clock.advance(timedelta(hours=1), minutes=30) == datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
    clock.set(datetime(2020, 1, 1, tzinfo=UTC))
    assert clock.at.year == 2020
    ticking = FrozenClock(tick=timedelta(seconds=1))
    assert ticking.now() + 1_000_000 == ticking.now()
    with pytest.raises(InvalidInput):
        FrozenClock("not a time")


def test_ids_are_uuid7_and_the_same_in_every_run() -> None:
    first, second = FrozenClock(), FrozenClock()
    ids = [first.new_id() for _ in range(3)]
    assert ids == [second.new_id() for _ in range(3)]
    assert len(set(ids)) == 3
    assert ids == sorted(ids)
    assert all(uuid.UUID(i).version == 7 for i in ids)


def test_two_memories_with_frozen_clocks_hold_the_same() -> None:
    def story() -> list[str]:
        with temporary_memory(clock=FrozenClock()) as memory:
            return [memory.observe(t, session="s").id for t in ("one", "two")]

    assert story() == story()


def test_scripted_model_answers_in_order() -> None:
    model = ScriptedModel("first").enqueue({"b": 2}, ValueError("third"), lambda messages: len(messages))
    ask = [{"role": "user", "content": "?"}]
    assert model.complete(ask) == "first"
    assert model.complete(ask, dict) == {"b": 2}
    with pytest.raises(ValueError, match="third"):
        model.complete(ask)
    assert model.complete(ask * 2) == 2
    assert (model.left, len(model.calls), model.calls[1].schema) == (0, 4, dict)
    with pytest.raises(AssertionError, match="no scripted answer"):
        model.complete(ask)


def test_temporary_memory_is_gone_afterwards_and_reads_no_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import os

    monkeypatch.setenv("MNEMIC_ZONE", "Europe/Berlin")
    with temporary_memory(embedder=HashEmbedder(64), context_tokens=300) as memory:
        memory.observe("hello there")
        assert memory.flush() == 1
        assert (memory.config.zone, memory.config.context_tokens, memory.embedder) == ("UTC", 300, "hash:64")
        path = memory.path
    assert not os.path.exists(path)
