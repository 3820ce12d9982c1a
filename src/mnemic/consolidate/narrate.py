"""Writes a profile with a language model, from numbered facts, and takes it only as far as the facts bear it out.

Each line names the facts that it rests on. A name, a number or a date that is not in them, a denial of what they affirm
(or the other way round), mostly words of its own, or something that looks like an order: then the whole text is refused.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..clock import to_datetime
from ..compare.statement import Atom, parse
from ..errors import LLMError, LLMMalformed, LLMRefused
from ..llm.asking import Asker, Budget, BudgetSpent
from ..llm.base import LLM, Answer
from ..llm.prompt import Prompt
from ..llm.reading import values
from ..text.analyse import stop_terms, terms
from ..text.instructions import looks_like_instruction
from .profile import Fact, Profile, Subject, before, head, inputs_hash, make

__all__ = ["ModelDown", "Narrator", "beyond"]

log = logging.getLogger("mnemic.consolidate")

SHOWN = 60  # facts that the model sees, the newest
LONGEST = 300  # characters of a line
COVERED = 0.5  # share of the words of a line that must stand in its facts
_ROOM = 800  # tokens set aside for an answer
_DIGITS = re.compile(r"\d+")


class ModelDown(Exception):
    """The model cannot be asked any more in this night."""


class Narrator:
    """One model, one budget, one night."""

    def __init__(self, llm: LLM, budget: Budget) -> None:
        self._prompt = Prompt.load("profile.v1")
        self._asker = Asker(llm, budget)
        self.name = f"llm:{llm.name}/{self._prompt.name}"

    def receipt(self) -> Mapping[str, int]:
        """What it has cost so far."""
        return {"calls": self._asker.calls, "tokens": self._asker.tokens}

    def write(self, subject: Subject, facts: Sequence[Fact]) -> Profile | None:
        """A profile; ``None`` where the model gave none that the facts bear out.

        Raises:
            ModelDown: it cannot be asked in this night.
        """
        language = make(subject, facts).language
        holding = [fact for fact in facts if fact.until is None]  # what is over is told by the template
        shown = sorted(holding, key=lambda f: (-(f.since or 0), -f.confidence, f.id))[:SHOWN]
        messages = self._prompt.messages({
            "language": "Russian" if language == "ru" else "English",
            "name": json.dumps(subject.name, ensure_ascii=False),
            "facts": "\n".join(_line(number, fact) for number, fact in enumerate(shown, 1)),
        })  # fmt: skip
        try:
            lines = self._asker.ask(messages, self._prompt.schema, _lines, tries=2, room=_ROOM)
        except (LLMMalformed, LLMRefused) as error:
            log.info("%s: no profile: %s", self.name, type(error).__name__)
            return None
        except (LLMError, BudgetSpent) as error:
            raise ModelDown(type(error).__name__) from None
        used: dict[str, None] = {}
        for text, numbers in lines:
            behind = [shown[n - 1] for n in numbers if 0 < n <= len(shown)]
            why = beyond(text, subject, behind)
            if why:
                log.info("%s: a profile is refused: %s", self.name, why)
                return None
            used.update(dict.fromkeys(fact.id for fact in behind))
        over, ended = before(facts, language)
        whole = [head(subject, language), *(f"- {text}" for text, _ in lines), *over]
        return Profile("\n".join(whole), language, (*used, *ended), inputs_hash(subject, facts), self.name)


def beyond(text: str, subject: Subject, facts: Sequence[Fact]) -> str:
    """In what a line goes beyond the facts that it names, empty where it does not."""
    if not facts:
        return "no facts"
    if not text or len(text) > LONGEST:
        return "length"
    if looks_like_instruction(text):
        return "an instruction"
    said = "\n".join(f"{fact.content}. {fact.object or ''}. {_day(fact)}" for fact in facts)
    names = " ".join((subject.name, *subject.aliases))
    whole = f"{names}\n{said}"
    known, stop = set(terms(whole)), stop_terms()
    mine, theirs = parse(text).atoms, [atom for part in whole.split("\n") for atom in parse(part).atoms]
    if set(_DIGITS.findall(text)) - set(_DIGITS.findall(whole)) or _amounts(mine) - _amounts(theirs):
        return "a number"
    if {t for atom in mine if atom.capital for t in terms(atom.form) if t not in stop} - known:
        return "a name"
    if {a.key for a in mine if a.kind == "date"} - {a.key for a in theirs}:
        return "a date"
    (affirmed, denied), (was_affirmed, was_denied) = _polarity(mine), _polarity(theirs)
    if (denied & was_affirmed) - was_denied or (affirmed & was_denied) - was_affirmed:
        return "a denial"
    own = [term for term in terms(text) if term not in stop]
    if sum(term in known for term in own) < COVERED * len(own):
        return "words of its own"
    return ""


def _amounts(atoms: Iterable[Atom]) -> set[str]:
    return {atom.key for atom in atoms if atom.kind == "number"}


def _polarity(atoms: Iterable[Atom]) -> tuple[set[str], set[str]]:
    """What is affirmed, and what is denied."""
    said = list(atoms)
    return {a.key for a in said if not a.denied}, {a.key for a in said if a.denied}


def _day(fact: Fact) -> str:
    return f"{to_datetime(fact.since):%Y-%m-%d}" if fact.since is not None else ""


def _line(number: int, fact: Fact) -> str:
    fields = {
        "fact": number,
        "text": " ".join(fact.content[:1_000].split()),
        **({"since": _day(fact)} if fact.since else {}),
    }
    return json.dumps(fields, ensure_ascii=False)


def _lines(answer: Answer) -> list[tuple[str, tuple[int, ...]]]:
    """Lines of an answer with the numbers of their facts.

    Raises:
        LLMMalformed: it holds none.
    """
    for value in values(answer):
        found: Any = value.get("lines") if isinstance(value, dict) else None
        if not isinstance(found, list):
            continue
        lines = [
            (" ".join(item["text"].split()).removeprefix("- "), tuple(n for n in item["facts"] if type(n) is int))
            for item in found
            if isinstance(item, dict) and isinstance(item.get("text"), str) and isinstance(item.get("facts"), list)
        ]
        if lines and len(lines) == len(found):
            return lines
    raise LLMMalformed("the answer holds no lines")
