"""Events that one can subscribe to: ``memory.on("session.completed", fn)``."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import InvalidInput
from .records import Record

log = logging.getLogger("mnemic.events")

#: Name → what it tells.
EVENTS = {
    "session.completed": "a conversation is over: another one began on its channel, or it fell silent for 30 minutes",
    "embedding.failed": "a text was set aside after its last attempt",
}


@dataclass(frozen=True, slots=True)
class Event(Record):
    """What happened. ``data`` holds ids and counts, never memory text."""

    name: str
    space: str
    data: dict[str, Any]


class Events:
    """Subscribers by event name, called in order on a thread of their own, so that they may use the memory.

    A subscriber that raises is logged and does not disturb the others.
    """

    def __init__(self) -> None:
        self._subscribers: dict[str, list[Callable[[Event], object]]] = {}
        self._lock = threading.Lock()
        self._queue: queue.Queue[Event | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    def on(self, name: str, fn: Callable[[Event], object]) -> Callable[[], None]:
        """Subscribe; returns the function that unsubscribes.

        Raises:
            InvalidInput: there is no such event.
        """
        if name not in EVENTS:
            raise InvalidInput("event", f"no event {name!r}", f"known are {', '.join(EVENTS)}")
        with self._lock:
            self._subscribers.setdefault(name, []).append(fn)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mnemic-events", daemon=True)
                self._thread.start()

        def off() -> None:
            with self._lock:
                if fn in self._subscribers.get(name, []):
                    self._subscribers[name].remove(fn)

        return off

    def emit(self, event: Event) -> None:
        """Hand an event to the subscribers; never waits for them."""
        if self._thread is not None and self._subscribers.get(event.name):
            self._queue.put(event)

    def drain(self) -> None:
        """Wait until what was emitted has been handed on (at once when a subscriber itself asks)."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._queue.join()

    def close(self) -> None:
        """Hand on what is waiting and end the thread. Idempotent."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            if thread is not threading.current_thread():
                thread.join()

    def _run(self) -> None:
        while True:
            event = self._queue.get()
            try:
                if event is None:
                    return
                with self._lock:
                    listening = list(self._subscribers.get(event.name, []))
                for fn in listening:
                    try:
                        fn(event)
                    except Exception:
                        log.exception("a subscriber of %s failed", event.name)
            finally:
                self._queue.task_done()
