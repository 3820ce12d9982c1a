"""Asks a model until it answers usably, within a budget: prompts, retries with growing pauses, JSON out of prose, the
bill.

Every call passes here, also one that is tried again, so that the bill is true and the budget holds.
"""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from .. import wire
from ..errors import LLMError, LLMMalformed, LLMRateLimited, LLMRefused, LLMServerError, LLMTimeout
from ..lang.pack import languages, load
from ..text.tokens import estimate
from .base import LLM, Answer, Message, Schema, foreign, said

_PLACE = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one question: a file ``prompts/extract.v2.md``, with a schema of the answer beside it.

    It has two parts, what the system says and what is asked, with a line ``---`` between them; ``{{name}}`` stands for
    what the caller fills in. A prompt that has made rows is never edited: the next one gets the next version.

    Attributes:
        name: name and version, as recorded in ``made_by``. system, question: texts with places to fill in.
    """

    name: str
    system: str
    question: str
    _schema: str

    @staticmethod
    @cache
    def load(name: str) -> Prompt:
        """Read ``prompts/NAME.md`` and ``prompts/NAME.json``, such as ``extract.v2``."""
        folder = files(__package__) / "prompts"
        system, _, question = (folder / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
        return Prompt(name, system.strip(), question.strip(), (folder / f"{name}.json").read_text(encoding="utf-8"))

    @property
    def schema(self) -> dict[str, Any]:
        """A fresh copy of the schema, which the caller may complete."""
        return dict(json.loads(self._schema))

    def messages(self, values: Mapping[str, str]) -> list[Message]:
        """The question with every place filled; what is filled in is not searched for places again.

        Raises:
            KeyError: a place has no value.
        """
        return [
            {"role": role, "content": _PLACE.sub(lambda place: values[place[1]], text)}
            for role, text in (("system", self.system), ("user", self.question))
        ]


def as_words(schema: Schema) -> str:
    """A schema for a prompt, where the server cannot be held to it."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


#: Longest answer that is read, in characters, and places in it where JSON is looked for.
_LONGEST = 400_000
_PLACES = 64

_OPEN = re.compile(r"[{\[]")
_MEANT = re.compile(r"""\{\s*["']|\[\s*[{"'\[]""")  # the beginning of JSON, as against a bracket in prose
_FENCE = re.compile(r"```[^\n`]{0,20}\n")
_COMMA = re.compile(r",(\s{0,80}[}\]])")
_DECODER = json.JSONDecoder(strict=False)  # line breaks inside a text are common and clear

#: Openings of an answer without any JSON by which models decline, each with such an answer.
REFUSALS: tuple[tuple[str, str], ...] = tuple(
    (row["pattern"], row["example"]) for code in languages() for row in load(code, "refusing").get("openings", ())
)
_REFUSAL = re.compile("|".join(f"(?:{pattern})" for pattern, _ in REFUSALS), re.I)


def refuses(text: str) -> bool:
    """Whether a text without JSON declines to answer (as against failing to)."""
    return bool(_REFUSAL.match(text[:400].strip(" \n\t*\"'«»“”")))


def values(answer: Answer) -> list[Any]:
    """The JSON objects and arrays of an answer, those in fences first, then in order; at least one.

    Raises:
        LLMMalformed: there is none: empty, cut, or prose.
        LLMRefused: by the server's word or the model's.
    """
    if answer.finish == "refused":
        raise LLMRefused("the content filter withheld the answer")
    text = _spoken(answer.text[:_LONGEST])
    if not text:
        raise LLMMalformed("the answer is empty")
    if answer.finish == "length":
        raise LLMMalformed("the answer is cut at its longest length", again=False)
    found = [value for part in _fenced(text) for value in _scan(part)]
    found += [value for value in _scan(text) if value not in found]
    if found:
        return found
    if refuses(text):
        raise LLMRefused("the model declined")
    raise LLMMalformed("the answer holds no complete JSON")


def _spoken(text: str) -> str:
    """The text without the model's thinking, also where its opening tag is missing or it never ended."""
    _, ended, rest = text.rpartition("</think>")
    text = rest if ended else text
    return text.partition("<think>")[0].strip()


def _fenced(text: str) -> Iterator[str]:
    at = 0
    while opening := _FENCE.search(text, at):
        end = text.find("```", opening.end())
        yield text[opening.end() : end if end >= 0 else len(text)]
        if end < 0:
            return
        at = end + 3


def _scan(text: str) -> list[Any]:
    for candidate in (text, _COMMA.sub(r"\1", text)):
        found: list[Any] = []
        at = 0
        for _ in range(_PLACES):
            opening = _OPEN.search(candidate, at)
            if opening is None:
                break
            try:
                value, at = _DECODER.raw_decode(candidate, opening.start())
            except (ValueError, RecursionError):
                if _MEANT.match(candidate, opening.start()):
                    break  # broken or cut: a part of it would pass for the whole
                at = opening.end()
                continue
            found.append(value)
        if found:
            return found
    return []


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
