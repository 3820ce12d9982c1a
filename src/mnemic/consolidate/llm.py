"""Reads facts out of episodes with a language model: one narrow question a page, every answer checked.

The model answers two questions only, what durable things are said here and whether two of them conflict. What it says
counts only as far as the episodes bear it out (:mod:`mnemic.consolidate.answers`).

What can go wrong, and what is done:

- *An answer that is empty, cut or no JSON:* asked again, then the page is halved until the bad episode stands alone.
- *A quote that was paraphrased, a number of no message:* asked once more; the messages they may be about stay unread.
- *Several bad answers in a row:* a harmless question tells whether the model or the text is at fault, as below.
- *A refusal:* halved at once; the episode that is refused alone is refused for good.
- *Time-outs, 429, faults of the server:* asked again after a pause. If it goes on, a harmless question tells whether
  the server or the text is at fault: the page is halved, or nothing more is asked in this run.
- *Key, address, quota, budget:* nothing more is asked in this run.

Episodes that could not be read are ``failed`` and wait for another run. No episode holds up another.
"""

from __future__ import annotations

import contextlib
import json
import logging
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from ..clock import to_datetime
from ..errors import LLMError, LLMMalformed, LLMRefused
from ..llm.asking import FAULTS, Asker, Budget, BudgetSpent, Prompt, kind, values
from ..llm.base import LLM, Answer, Message, Schema
from ..text.names import mentioned
from ..text.tokens import estimate
from .answers import Found, Page, shape
from .claims import Candidate, Claim, Extraction, Named, Said, Verdict
from .quotes import without_recalled
from .slots import SLOTS

__all__ = ["BREAKER", "NOTES", "RELATIONS", "LLMExtractor", "Opinion"]

log = logging.getLogger("mnemic.consolidate")

#: What ``Extraction.skipped`` counts besides the items of ``answers.DROPS`` and the calls of ``asking.FAULTS``.
NOTES: Mapping[str, str] = {
    "system prompt": "an episode that is not read: a system prompt is nobody's statement",
    "nothing to read": "an episode that is not read: empty, or recalled memory only",
    "budget spent": "an episode that waits for the next run, because this one's budget is spent",
    "model down": "an episode that waits for the next run, because the model cannot be reached, or gave bad answers "
    "in a row",
}

#: What the model says of two statements → what is decided.
RELATIONS: Mapping[str, Verdict] = {
    "same": "duplicate",
    "more_exact": "refines",
    "replaces": "supersedes",
    "both": "coexists",
    "contradict": "conflict",
}

BREAKER = 3  # answers, or lone messages, in a row that could not be used: then the model is asked no more
_TRIES = 3  # of a whole page and of a single episode; parts in between get one
_PAGE_TOKENS = 6_000  # of messages in one question
_PIECE = 12_000  # characters of one episode in one question; longer ones are asked about in pieces
_ROOM = 1_000  # tokens set aside for an answer
_NAMES = 60  # known names shown
#: Most facts, and most entities, in one answer. Small models repeat one without end where a grammar lets them; few
#: steps, because services compile every new schema.
_MOST = (8, 24, 60)
_BLANKS = re.compile(r" {40,}")  # what is left of recalled memory
_BREAKS = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_COPY = (
    "In {bad} of these facts the quote is not in the message whose number you gave. Answer again with all facts: "
    "copy each "
    "quote letter by letter, and give the number that stands in source before it. Leave out what you cannot quote."
)
_PROBE = Said("probe", "Good morning!", 0)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model says of two statements; ``verdict`` is ``None`` where it gave no usable answer.

    ``made_by`` names the model and the prompt; calls, tokens and seconds are what it cost.
    """

    verdict: Verdict | None
    reason: str = ""
    made_by: str = ""
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Work:
    """What comes of one page while it is read."""

    names: Mapping[str, str]
    candidates: list[Candidate] = field(default_factory=list)
    entities: list[Named] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    failed: dict[str, None] = field(default_factory=dict)
    refused: dict[str, None] = field(default_factory=dict)
    text_at_fault: bool = False  # the server has answered a harmless question since it failed


class LLMExtractor:
    """The model's way of extraction.

    Args:
        llm: see :func:`mnemic.llm.resolve`.
        budget: of one run, from :meth:`begin` to the next.
        breaker: bad answers in a row after which the model is asked no more in this run.
        zone: in which "yesterday" is meant.
        sleep, jitter, timer: see :class:`mnemic.llm.Asker`.
    """

    def __init__(
        self,
        llm: LLM,
        budget: Budget | None = None,
        *,
        zone: tzinfo = UTC,
        breaker: int = BREAKER,
        sleep: Callable[[float], object] = time.sleep,
        jitter: Callable[[], float] = random.random,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"llm:{llm.name}"
        self._prompt = Prompt.load("extract.v2")
        self._conflict = Prompt.load("conflict.v1")
        self._schemas = {most: _schema(self._prompt, most) for most in _MOST}
        self._zone = zone
        self._asker = Asker(llm, budget or Budget(), sleep=sleep, jitter=jitter, timer=timer)
        self._breaker = breaker
        self._down = ""  # why the model is asked no more
        self._bad = self._lone = 0  # bad answers, and lone messages that got none, in a row

    def begin(self) -> None:
        """Begin a run: the budget is whole again, and a model that was down is asked again."""
        self._asker = self._asker.anew()
        self._down, self._bad, self._lone = "", 0, 0

    def extract(self, page: list[Said], names: Mapping[str, str]) -> Extraction:
        """See :class:`mnemic.consolidate.claims.Extractor`. Never raises for what the model does."""
        asker, work = self._asker, _Work(names)
        calls, tokens, seconds, faults = asker.calls, asker.tokens, asker.seconds, Counter(asker.faults)
        for part in self._parts(page, work):
            self._read(part, work)
        work.skipped.update(asker.faults - faults)
        lost = work.failed.keys() - work.refused.keys()
        order = {said.id: place for place, said in enumerate(page)}
        done = Extraction(
            candidates=tuple(
                sorted((c for c in work.candidates if c.source not in lost), key=lambda c: order[c.source])
            ),
            entities=tuple(sorted((e for e in work.entities if e.source not in lost), key=lambda e: order[e.source])),
            skipped=dict(sorted(work.skipped.items())),
            failed=tuple(sorted(lost, key=order.__getitem__)),
            refused=tuple(sorted(work.refused, key=order.__getitem__)),
            calls=asker.calls - calls,
            tokens=asker.tokens - tokens,
            seconds=asker.seconds - seconds,
            note=self._down,
        )
        if done.failed or done.refused or done.skipped:
            log.warning(
                "%s: %d of %d episodes failed, %d refused; dropped: %s",
                self.name, len(done.failed), len(page), len(done.refused), dict(done.skipped),
            )  # fmt: skip
        return done

    def confirm_conflict(self, a: Claim, b: Claim) -> Opinion:
        """Ask how two statements relate: ``a`` the stored one, ``b`` the new. Never raises for what the model does."""
        asker = self._asker
        calls, tokens, seconds = asker.calls, asker.tokens, asker.seconds
        messages = self._conflict.messages({"a": self._claim(a), "b": self._claim(b)})
        verdict: Verdict | None = None
        reason = ""
        try:
            if not self._down:
                verdict, reason = asker.ask(messages, self._conflict.schema, _relation, tries=2, room=_ROOM // 4)
        except (LLMError, BudgetSpent) as error:
            log.warning("%s: a conflict stays undecided: %s", self.name, type(error).__name__)
        return Opinion(
            verdict, reason, self._made_by(self._conflict),
            asker.calls - calls, asker.tokens - tokens, asker.seconds - seconds,
        )  # fmt: skip

    # -- pages ---------------------------------------------------------------------------------------------------

    def _parts(self, page: Sequence[Said], work: _Work) -> Iterator[list[Said]]:
        """The page in parts that fit one question. A long episode is several pieces with one id."""
        part: list[Said] = []
        size = 0
        for piece in self._pieces(page, work):
            tokens = estimate(piece.text) + 40
            if part and size + tokens > _PAGE_TOKENS:
                yield part
                part, size = [], 0
            part.append(piece)
            size += tokens
        if part:
            yield part

    def _pieces(self, page: Sequence[Said], work: _Work) -> Iterator[Said]:
        for said in page:
            text = without_recalled(said.text)
            if said.role == "system":
                work.skipped["system prompt"] += 1
            elif not text.strip():
                work.skipped["nothing to read"] += 1
            else:
                at = 0
                while at < len(text):
                    end = _cut(text, at)
                    if text[at:end].strip():
                        yield replace(said, text=text[at:end])
                    at = end

    def _read(self, whole: list[Said], work: _Work) -> None:
        waiting = [(whole, _TRIES)]
        while waiting:
            part, tries = waiting.pop()
            if self._down:
                self._fail(part, work, "model down")
                continue
            try:
                found = self._ask(part, work, tries)
            except BudgetSpent:
                self._fail(part, work, "budget spent")
                continue
            except LLMRefused:
                self._bad = 0
                if len(part) == 1:
                    work.refused[part[0].id] = None
                else:
                    waiting += _halves(part)
                continue
            except LLMError as error:
                self._lone += len(part) == 1
                if not self._goes_on(error, work):
                    self._fail(part, work, "model down")
                elif len(part) == 1:
                    self._fail(part, work)
                else:
                    waiting += _halves(part)
                continue
            self._lone = 0
            work.candidates += found.candidates
            work.entities += found.entities
            work.skipped.update(found.dropped)
            self._fail([said for said in part if said.id in found.unread], work)
            if self._bad >= self._breaker:
                self._down = self._broken()

    def _ask(self, part: list[Said], work: _Work, tries: int) -> Found:
        checked = Page(part, zone=self._zone)
        made_by = self._made_by(self._prompt)
        messages, schema = self._messages(part, work.names), self._schema(part)

        def read(answer: Answer) -> Found:
            return checked.check(shape(values(answer)), made_by)

        faults = self._asker.faults
        before = faults.total()
        try:
            found = self._asker.ask(messages, schema, read, tries=tries, room=_ROOM)
        except LLMMalformed:
            self._bad += faults.total() - before
            raise
        self._count(found)
        if found.unread:
            again = {"role": "user", "content": _COPY.format(bad=found.unfounded)}
            with contextlib.suppress(LLMError, BudgetSpent):  # what is good of the first answer stays
                second = self._asker.ask([*messages, again], schema, read, tries=1, room=_ROOM)
                self._count(second)
                found = min(found, second, key=lambda f: len(f.unread))
        return found

    def _count(self, found: Found) -> None:
        """Count an answer as bad in which nothing holds."""
        self._bad = 0 if found.candidates or found.entities or not found.unfounded else self._bad + 1

    def _goes_on(self, error: LLMError, work: _Work) -> bool:
        """Whether it makes sense to ask on in this run: the text was at fault, not the model."""
        if isinstance(error, LLMMalformed):
            if self._lone >= self._breaker or (self._bad >= self._breaker and not self._answers(usably=True)):
                self._down = self._broken()
            elif self._bad >= self._breaker:
                self._bad = 0
            return not self._down
        if error.retryable and not work.text_at_fault:
            work.text_at_fault = self._answers()
        if not (error.retryable and work.text_at_fault):
            self._down = f"the model cannot be reached or used ({FAULTS[kind(error)]})"
        return not self._down

    def _broken(self) -> str:
        return f"the model gave {self._breaker} answers in a row that cannot be used"

    def _answers(self, *, usably: bool = False) -> bool:
        """Whether the model answers a harmless question at all, or in the form asked for."""

        def read(answer: Answer) -> object:
            return shape(values(answer)) if usably else answer

        try:
            self._asker.ask(self._messages([_PROBE], {}), self._schema([_PROBE]), read, tries=1, room=_ROOM)
        except (LLMMalformed, LLMRefused):
            return not usably
        except (LLMError, BudgetSpent):
            return False
        return True

    def _fail(self, part: Sequence[Said], work: _Work, note: str = "") -> None:
        for id_ in dict.fromkeys(said.id for said in part):
            if note and id_ not in work.failed:
                work.skipped[note] += 1
            work.failed[id_] = None

    # -- questions -----------------------------------------------------------------------------------------------

    def _messages(self, part: Sequence[Said], names: Mapping[str, str]) -> list[Message]:
        lines = [self._line(number, said) for number, said in enumerate(part, 1)]
        known = mentioned(" ".join(said.text for said in part), {name: name for name in names})[:_NAMES]
        return self._prompt.messages(
            {
                "predicates": ", ".join(name + "*" * slot.scoped for name, slot in SLOTS.items()),
                "names": _json({name: names[name] for name in known}) if known else "none",
                "messages": "\n".join(lines),
            }
        )

    def _schema(self, part: Sequence[Said]) -> Schema:
        likely = 4 + 2 * len(part) + sum(len(said.text) for said in part) // 300
        return self._schemas[next((most for most in _MOST if most >= likely), _MOST[-1])]

    def _line(self, number: int, said: Said) -> str:
        at = to_datetime(said.at, self._zone)
        fields = {
            "source": number,
            "time": f"{at:%A} {at.isoformat(timespec='minutes')}",
            "role": said.role or "user",
            **({"speaker": said.speaker} if said.speaker else {}),
            "text": _BLANKS.sub(" … ", said.text.strip()),
        }
        return _json(fields)

    def _claim(self, claim: Claim) -> str:
        fields: dict[str, object] = {"statement": claim.content[:2_000]}
        for name, at in (("since", claim.valid_from), ("until", claim.valid_until)):
            if at:
                fields[name] = to_datetime(at, self._zone).isoformat(timespec="minutes")
        return _json(fields)

    def _made_by(self, prompt: Prompt) -> str:
        return f"{self.name}/{prompt.name}"


def _schema(prompt: Prompt, most: int) -> Schema:
    schema = prompt.schema
    for name in ("facts", "entities"):
        schema["properties"][name]["maxItems"] = most
    schema["properties"]["facts"]["items"]["properties"]["predicate"] = {"type": "string", "enum": list(SLOTS)}
    return schema


def _json(value: object) -> str:
    """On one line whatever is in it: no text can end its line or pass for another message."""
    return _BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def _relation(answer: Answer) -> tuple[Verdict, str]:
    for value in values(answer):
        word = value.get("relation") if isinstance(value, dict) else None
        if isinstance(word, str) and word.strip().lower() in RELATIONS:
            reason = value.get("reason")
            return RELATIONS[word.strip().lower()], " ".join(reason.split())[:200] if isinstance(reason, str) else ""
    raise LLMMalformed("the answer names no relation")


def _halves(part: list[Said]) -> list[tuple[list[Said], int]]:
    """The halves of a part to be asked about, the first last, as a stack wants it."""
    middle = (len(part) + 1) // 2
    return [(half, _TRIES if len(half) == 1 else 1) for half in (part[middle:], part[:middle])]


def _cut(text: str, at: int) -> int:
    """Where a piece that begins at a place ends: at the last line, sentence or word that fits."""
    end = at + _PIECE
    if end >= len(text):
        return len(text)
    for mark in ("\n", ". ", " "):
        found = text.rfind(mark, at + _PIECE // 2, end)
        if found > 0:
            return found + len(mark)
    return end
