"""Asks a model until it answers usably, within a budget: retries with growing pauses, and the bill.

Every call passes here, also one that is tried again, so that the bill is true and the budget holds.
"""

from __future__ import annotations

import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .. import wire
from ..errors import LLMError, LLMMalformed, LLMRateLimited, LLMRefused, LLMServerError, LLMTimeout
from ..text.tokens import estimate
from .base import LLM, Answer, Message, Schema, foreign, said

__all__ = ["FAULTS", "Asker", "Budget", "BudgetSpent", "kind"]

log = logging.getLogger("mnemic.llm")

T = TypeVar("T")

#: Kind of error → the word under which failed calls are counted.
FAULTS: dict[type[LLMError], str] = {
    LLMRefused: "call refused",
    LLMTimeout: "call timed out",
    LLMRateLimited: "call rate limited",
    LLMServerError: "call failed by server",
    LLMMalformed: "answer unreadable",
    LLMError: "model unusable",
}

#: A server that asks for a longer pause, in seconds, is answered by giving up for now, not by sleeping.
LONGEST_PAUSE = 60.0

_NUDGE = "That was not usable. Answer again with one complete JSON object of the form asked for, and nothing else."


@dataclass(frozen=True, slots=True)
class Budget:
    """What one run may cost: calls of the model, and tokens in and out together."""

    calls: int = 400
    tokens: int = 1_000_000


class BudgetSpent(Exception):
    """The next call would cost more than the budget has left. Nothing was sent."""


class Asker:
    """One model, one budget, one run.

    Args:
        llm: the model. budget: see :class:`Budget`.
        sleep: called with seconds between tries. jitter: returns 0…1. timer: seconds of a monotonic clock.

    Attributes:
        calls, tokens, seconds: what it has cost so far. faults: word of :data:`FAULTS` → calls that failed so.
    """

    def __init__(
        self,
        llm: LLM,
        budget: Budget,
        *,
        sleep: Callable[[float], object] = time.sleep,
        jitter: Callable[[], float] = random.random,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.llm = llm
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self.seconds = 0.0
        self.faults: Counter[str] = Counter()
        self._sleep = sleep
        self._jitter = jitter
        self._timer = timer

    def anew(self) -> Asker:
        """The same with a whole budget and an empty bill."""
        return Asker(self.llm, self.budget, sleep=self._sleep, jitter=self._jitter, timer=self._timer)

    def ask(
        self, messages: Sequence[Message], schema: Schema, read: Callable[[Answer], T], *, tries: int, room: int = 0
    ) -> T:
        """What ``read`` makes of the answer; it raises LLMMalformed or LLMRefused for one that cannot be used.

        Args:
            tries: calls at most. After an unusable answer the model is told so. room: tokens set aside for the answer.

        Raises:
            BudgetSpent: before a call that does not fit.
            LLMError: the last try's; a refusal, or a model that cannot be used at all, at once.
        """
        tried = 0
        nudge: list[Message] = []
        while True:
            try:
                return read(self._call([*messages, *nudge], schema, room))
            except LLMError as error:
                self.faults[FAULTS[kind(error)]] += 1
                log.info("%s: %s", self.llm.name, error)
                tried += 1
                wait = wire.pause(tried - 1, self._jitter()) if error.retry_after is None else error.retry_after
                if not error.retryable or tried >= tries or wait > LONGEST_PAUSE:
                    raise
                if isinstance(error, LLMMalformed):
                    nudge = [{"role": "user", "content": _NUDGE}]
                self._sleep(wait)

    def _call(self, messages: Sequence[Message], schema: Schema, room: int) -> Answer:
        size = sum(estimate(message["content"]) for message in messages)
        if self.calls >= self.budget.calls or self.tokens + size + room > self.budget.tokens:
            raise BudgetSpent
        self.calls += 1
        began = self._timer()
        spent = size
        try:
            answer = said(self.llm.complete(messages, schema))
            spent = (answer.tokens_in or size) + (answer.tokens_out or estimate(answer.text))
        except AssertionError:
            raise  # a test's model that was asked more often than it was told to expect
        except Exception as error:  # another's model may raise anything, and none of it may end the run
            raise foreign(error) from None
        finally:
            self.tokens += spent
            self.seconds += max(0.0, self._timer() - began)
        return answer


def kind(error: LLMError) -> type[LLMError]:
    """The row of :data:`FAULTS` that an error counts under."""
    return next(kind for kind in FAULTS if isinstance(error, kind))
