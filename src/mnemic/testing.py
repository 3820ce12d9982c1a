"""Fakes for the tests of those who build on mnemic: a standing clock, a small embedder, a scripted model.

>>> clock = FrozenClock("2026-03-02T09:00:00Z")
>>> with temporary_memory(clock=clock) as memory:
...     _ = memory.observe("The stand-up moved to ten.")
...     _ = clock.advance(days=1)
...     memory.recall("what moved yesterday?").hits[0].node.content
'The stand-up moved to ten.'
"""

from __future__ import annotations

import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from .clock import Clock, read_time, to_datetime
from .config import Config
from .embed import Embedder
from .embed.local import HashEmbedder
from .errors import InvalidInput
from .llm.base import LLM
from .memory import Memory

__all__ = ["Call", "FrozenClock", "HashEmbedder", "ScriptedModel", "temporary_memory"]

START = "2026-01-01T12:00:00Z"

#: What a scripted model answers: text or an object, an error to raise, or a function of the messages.
Answer: TypeAlias = str | Mapping[str, Any] | Exception | Callable[[Sequence[Mapping[str, str]]], Any]


class FrozenClock:
    """A clock that stands still until it is moved, and ids that are the same in every run.

    Args:
        start: an aware datetime or ISO text; naive text is read as UTC.
        tick: how far every reading moves it, so that nothing happens at the same instant; 0 by default.
    """

    def __init__(self, start: datetime | str = START, *, tick: timedelta = timedelta(0)) -> None:
        self._tick = tick // timedelta(microseconds=1)
        self._count = 0
        self._lock = threading.Lock()
        self._now = 0
        self.set(start)

    def now(self) -> int:
        """Microseconds since 1970 UTC."""
        with self._lock:
            now = self._now
            self._now += self._tick
            return now

    def new_id(self) -> str:
        """The next id: UUIDv7 text made from the clock's time and a counter."""
        with self._lock:
            self._count += 1
            milliseconds, count = max(0, self._now // 1000) & (1 << 48) - 1, self._count
        return str(uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | 0b10 << 62 | count))

    @property
    def at(self) -> datetime:
        """Where it stands, as an aware datetime."""
        return to_datetime(self._now)

    def set(self, moment: datetime | str) -> None:
        """Put it to a moment, also back."""
        value = read_time(moment, field="moment", tz=UTC)
        if value is None:
            raise InvalidInput("moment", "is empty", "give an aware datetime or ISO 8601 text")
        with self._lock:
            self._now = value

    def advance(self, by: timedelta | None = None, **parts: float) -> datetime:
        """Move it on, by a timedelta or its parts (``days=1``, ``minutes=31``); returns the new time."""
        step = (by or timedelta()) + timedelta(**parts)
        with self._lock:
            self._now += step // timedelta(microseconds=1)
        return self.at


@dataclass(frozen=True, slots=True)
class Call:
    """One question that a scripted model was asked."""

    messages: tuple[Mapping[str, str], ...]
    schema: object


class ScriptedModel:
    """A language model that gives the answers it was told to give, in order, and remembers what it was asked.

    An :class:`mnemic.llm.LLM`: pass it as ``llm=``. Errors of :mod:`mnemic.errors` (``LLMRefused``, ``LLMTimeout`` …)
    play a failing service.

    Args:
        answers: text or an object, an error to raise, or a function of the messages.
        always: what is answered when none of them is left; by default a further question is an AssertionError.

    >>> model = ScriptedModel({"facts": []})
    >>> model.complete([{"role": "user", "content": "what is said here?"}])
    {'facts': []}
    >>> len(model.calls)
    1
    """

    name = "scripted:test"

    def __init__(self, *answers: Answer, always: Answer | None = None) -> None:
        self._always = always
        self.calls: list[Call] = []
        self._answers: deque[Answer] = deque(answers)

    def enqueue(self, *answers: Answer) -> ScriptedModel:
        """Add answers; an exception is raised instead of answered."""
        self._answers.extend(answers)
        return self

    @property
    def left(self) -> int:
        """Answers not given yet."""
        return len(self._answers)

    def complete(self, messages: Sequence[Mapping[str, str]], schema: object = None) -> Any:
        """The next answer.

        Raises:
            AssertionError: nothing is left and there is no ``always``: the code under test asks more often than
                expected.
        """
        self.calls.append(Call(tuple(messages), schema))
        answer = self._answers.popleft() if self._answers else self._always
        if answer is None:
            raise AssertionError(f"call {len(self.calls)}: no scripted answer is left")
        if isinstance(answer, Exception):
            raise answer
        return answer(messages) if callable(answer) else answer


@contextmanager
def temporary_memory(
    *,
    space: str = "default",
    embedder: str | Embedder | None = "hash:256",
    llm: str | LLM | None = None,
    clock: Clock | None = None,
    **settings: object,
) -> Iterator[Memory]:
    """A memory in a file of its own that is gone afterwards.

    By default nothing runs in the background: ``memory.flush()`` makes the vectors when the test wants them.
    ``settings`` are those of :class:`mnemic.Config`; the environment is not read.
    """
    config = Config.load({}, **{"background": False, **settings})
    with TemporaryDirectory(prefix="mnemic-") as folder:
        path = Path(folder) / "memory.db"
        with Memory(path, space=space, embedder=embedder, llm=llm, config=config, clock=clock) as memory:
            yield memory
