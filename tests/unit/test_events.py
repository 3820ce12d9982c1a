"""Subscribers: called in turn, never in each other's way."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from mnemic import Config, Event, InvalidInput, Memory
from mnemic.events import EVENTS, Events

DONE = Event("session.completed", "default", {"session": "s"})


def test_called_in_order_until_unsubscribed() -> None:
    events, said = Events(), []
    first = events.on("session.completed", lambda e: said.append(("first", e)))
    events.on("session.completed", lambda e: said.append(("second", e)))
    events.emit(DONE)
    events.drain()
    assert said == [("first", DONE), ("second", DONE)]
    first()
    first()  # twice does no harm
    events.emit(DONE)
    events.drain()
    assert [name for name, _ in said] == ["first", "second", "second"]
    events.emit(Event("embedding.failed", "default", {}))
    events.close()
    assert len(said) == 3


def test_one_that_raises_does_not_disturb_the_others(caplog: Any) -> None:
    events, said = Events(), []

    def broken(event: Event) -> None:
        raise RuntimeError("mine")

    events.on("session.completed", broken)
    events.on("session.completed", said.append)
    with caplog.at_level(logging.ERROR):
        events.emit(DONE)
        events.close()
    assert said == [DONE]
    assert "session.completed" in caplog.text


def test_one_may_unsubscribe_itself_while_it_is_called() -> None:
    events, said = Events(), []

    def once(event: Event) -> None:
        said.append(event)
        off()

    off = events.on("session.completed", once)
    events.on("session.completed", said.append)
    events.emit(DONE)
    events.drain()
    events.emit(DONE)
    events.close()
    assert len(said) == 3


@pytest.mark.parametrize("name", ["", "session", "сессия", "Session.Completed"])
def test_an_unknown_event_is_refused_and_the_known_ones_named(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"session\.completed"):
        Events().on(name, print)
    assert "session.completed" in EVENTS


def test_a_new_session_completes_the_one_before_it() -> None:
    said: list[Event] = []
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        off = memory.on("session.completed", said.append)
        memory.observe("secret words", session="one")
        memory.observe("больше слов", session="two")
        memory.flush()
        assert [(e.space, e.data["session"]) for e in said] == [("default", "one")]
        assert "secret" not in str(said), "events hold no memory text"
        off()
        memory.observe("x", session="three")
        memory.flush()
        assert len(said) == 1


def test_a_subscriber_may_use_the_memory() -> None:
    """It is called on a thread of its own, so a write from it does not wait for itself."""
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        memory.on("session.completed", lambda e: memory.remember(f"session {e.data['session']} is over"))
        memory.observe("first", session="one")
        memory.observe("second", session="two")
        memory.flush()
        assert memory.recall("session one over", kinds="semantic").hits
