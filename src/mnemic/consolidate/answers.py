"""What a model says it read, checked item by item against the episodes; what does not hold is dropped and counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, Literal, cast

from ..clock import to_datetime, to_micros
from ..errors import LLMMalformed
from ..lang import when
from ..lang.pack import languages, load, words
from ..models import Kind
from ..text.analyse import clean, stop_terms, terms
from ..text.feelings import sentence_around
from ..text.name_likeness import same_name
from ..text.names import alias, mentioned, names
from .claims import USER, Candidate, Named, Said
from .quotes import Source, alike, plain, stands
from .reader.own import without_pasted
from .slots import SLOTS

__all__ = ["CONFIDENCE", "DROPS", "TYPES", "Page", "shape"]

#: How sure a fact that a model read is.
CONFIDENCE = 0.8

#: Why an item, or a time of an item, is dropped.
DROPS: Mapping[str, str] = {
    "item no object": "a fact or entity that is not a JSON object",
    "unknown source": "the number names no message of the page",
    "no quote": "no words are quoted",
    "quote not in source": "the words are in no message of the page",
    "quote in another episode": "the words are in another message than the one named",
    "unknown predicate": "no row of SLOTS",
    "unclear subject": "no subject, or a pronoun",
    "no value": "no object",
    "value not in quote": "a value that the sentence quoted does not say",
    "too long": "a field that is a paragraph or more",
    "unknown type": "a type that no entity has",
    "duplicate": "said before in this answer",
    "not theirs to say": "about the user, by a tool, a system prompt, a stranger or an assistant",
    "name not in source": "an entity that the message does not name, or a subject that no message does",
    "time not in source": "only the time is dropped: the message does not say it",
    "time unreadable": "only the time is dropped: words that are no time",
    "year out of range": "only the time is dropped: before 1900, usually a missing date written as zeros",
}

#: Of these, those by which an answer shows that it does not copy what it was shown.
UNFOUNDED = frozenset({"unknown source", "no quote", "quote not in source", "quote in another episode"})

TYPES = ("person", "organization", "project", "place", "tool", "concept")
#: What models call the types, besides.
_TYPE_WORDS: Mapping[str, str] = {
    word: type_
    for code in languages()
    for type_, told in load(code, "voice").get("types", {}).items()
    for word in told.split()
}
_NOTHING = frozenset({"", "null", "none", "n/a", "unknown", "-"})

#: Words for the person who writes, for the user whoever writes, and words that name nobody.
_FIRST, _USER, _NOBODY = words("voice", "first"), words("voice", "user"), words("voice", "nobody")
#: Roles and origins whose words say nothing about the user: they quote, guess, or want to be believed.
_NOT_ABOUT_USER = frozenset({"assistant", "tool", "system"})
_STRANGERS = frozenset({"tool", "external", "unknown"})

#: Longest of each, in characters.
_LONG = {"subject": 120, "object": 400, "scope": 120, "quote": 1_200, "content": 1_200}
_GRAINS = {
    "minute": "day", "hour": "day", "day": "day", "week": "week", "month": "month", "quarter": "season",
    "season": "season", "year": "year", "decade": "year",
}  # fmt: skip
_NUMBER = re.compile(r"[\[(#]?(\d{1,6})[\]).:]?")
_EARLY = re.compile(r"^\D{0,12}(?:0\d{3}|[1-9]\d{2}|1[0-8]\d{2})(?!\d)(?:\D|$)")
_CAPITALISED = re.compile(r"\b[^\W\d_a-zа-яё][\w'-]+")
_DATE = re.compile(r"\d{4}-\d{2}")


def shape(values: Sequence[Any]) -> dict[str, list[Any]]:
    """The lists of facts and entities in the first value that has the form asked for, or nearly.

    Nearly: one list missing or null; the object inside a wrapper of one more level; a bare list of facts; one fact
    without its list.

    Raises:
        LLMMalformed: none has.
    """
    for value in values:
        inner = list(value.values()) if isinstance(value, dict) and len(value) == 1 else []
        for tried in (value, *inner):
            if (found := _lists(tried)) is not None:
                return found
    for value in values:
        if isinstance(value, dict) and {"quote", "predicate"} <= value.keys():
            alike = [v for v in values if isinstance(v, dict) and {"quote", "predicate"} <= v.keys()]
            return {"facts": alike, "entities": []}
        if isinstance(value, list) and (not value or any(isinstance(v, dict) and "quote" in v for v in value)):
            return {"facts": value, "entities": []}
    raise LLMMalformed("the answer has neither facts nor entities")


def _lists(value: object) -> dict[str, list[Any]] | None:
    if not isinstance(value, dict) or not value.keys() & {"facts", "entities"}:
        return None
    out: dict[str, list[Any]] = {}
    for name in ("facts", "entities"):
        given = value.get(name)
        if given is not None and not isinstance(given, list | dict):
            return None
        out[name] = [given] if isinstance(given, dict) and given else list(given or ())
    return out


@dataclass(slots=True)
class Found:
    """What holds of one answer.

    ``unfounded``: of how many facts the quote or the number of the message is wrong. ``unread``: ids of the messages
    that these may be about and of which nothing else was read.
    """

    candidates: list[Candidate]
    entities: list[Named]
    dropped: Counter[str]
    unfounded: int = 0
    unread: tuple[str, ...] = ()


class Page:
    """The episodes that a model was shown, by number from 1, to check what it says of them.

    Args:
        shown: the episodes in the order of their numbers. zone: in which "yesterday" is meant.
    """

    def __init__(self, shown: Sequence[Said], *, zone: tzinfo = UTC) -> None:
        self._shown = shown
        self._zone = zone
        texts: dict[str, str] = {}
        for said in shown:  # pieces of one episode stand one after another
            texts[said.id] = texts.get(said.id, "") + said.text
        self._sources = {id_: Source(text) for id_, text in texts.items()}
        self._own = {id_: Source(without_pasted(text)) for id_, text in texts.items()}
        self._users = {alias(said.speaker) for said in shown if said.speaker and said.role in (None, "user")}

    def check(self, answer: Mapping[str, list[Any]], made_by: str) -> Found:
        """Facts and entities of an answer (see :func:`shape`) that hold."""
        found = Found([], [], Counter())
        seen: set[object] = set()
        lost: list[tuple[set[str], str]] = []
        for read, items in ((self._fact, answer["facts"]), (self._entity, answer["entities"])):
            for item in items:
                try:
                    made = read(item, made_by, found.dropped)
                except _Dropped as dropped:
                    found.dropped[dropped.why] += 1
                    if read == self._fact and dropped.why in UNFOUNDED:
                        found.unfounded += 1
                        lost.append((self._meant(item), plain(_words(item, "quote"))))
                    continue
                key = _key(made)
                if key in seen:
                    found.dropped["duplicate"] += 1
                    continue
                seen.add(key)
                if isinstance(made, Candidate):
                    found.candidates.append(made)
                else:
                    found.entities.append(made)
        good = {made.source for made in found.candidates}
        quoted = {
            plain(made.quote) for made in found.candidates
        }  # a wrong number for what was read anyway loses nothing
        unread = {id_ for meant, quote in lost if quote not in quoted for id_ in meant} - good
        found.unread = tuple(dict.fromkeys(said.id for said in self._shown if said.id in unread))
        return found

    def _meant(self, item: object) -> set[str]:
        """Ids of the messages that a fact may have been read from: the one it names, all where it names none."""
        try:
            return {self._said(item)[1].id}
        except _Dropped:
            return {said.id for said in self._shown}

    def _said(self, item: object) -> tuple[dict[str, Any], Said]:
        if not isinstance(item, dict):
            raise _Dropped("item no object")
        number = item.get("source")
        if number is None and len(self._shown) == 1:
            return item, self._shown[0]
        if isinstance(number, str):
            match = _NUMBER.fullmatch(number.strip())
            number = int(match[1]) if match else None
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(self._shown):
            raise _Dropped("unknown source")
        return item, self._shown[number - 1]

    def _fact(self, item: object, made_by: str, dropped: Counter[str]) -> Candidate | Named:
        fields, said = self._said(item)
        quote = self._quote(_words(fields, "quote"), said)
        predicate = _words(fields, "predicate").lower().replace(" ", "_").replace("-", "_")
        if predicate not in SLOTS:
            raise _Dropped("unknown predicate")
        slot = SLOTS[predicate]
        subject = self._subject(_words(fields, "subject"), said)
        if _words(fields, "subject").lower() in _FIRST | _USER and self._own[said.id].find(quote) is None:
            raise _Dropped("not theirs to say")  # words that the user pasted
        value = _words(fields, "object")
        if not value:
            raise _Dropped("no value")
        scope = _words(fields, "scope").lower() if slot.scoped else ""
        content = _words(fields, "content") or quote
        if alike(content, quote):  # told by a full stop or a capital from what was said: it is what was said
            content = quote
        act: Literal["assert", "end"] = "end" if _words(fields, "act").lower() == "end" else "assert"
        former = _words(fields, "replaces")[: _LONG["object"]]
        lengths = {"subject": subject, "object": value, "scope": scope, "quote": quote, "content": content}
        if any(len(text) > _LONG[name] for name, text in lengths.items()):
            raise _Dropped("too long")
        if not stands(value, quote):  # quoted too shortly, or made up
            quote = self._sources[said.id].find(sentence_around(said.text, quote)) or quote
            if not stands(value, quote):
                raise _Dropped("value not in quote")
        if not self._grounded(content, said):  # it says something else altogether
            content = quote
        subject_type = "person" if subject == USER else _type(fields.get("subject_type")) or "person"
        ahead = predicate == "plans"
        happened = self._time(_words(fields, "when"), said, dropped, ahead=ahead)
        since = self._time(_words(fields, "since"), said, dropped)
        until = self._time(_words(fields, "until"), said, dropped, ahead=True)
        begin, end = _begin(since), _end(until)
        if begin is not None and end is not None and end <= begin:
            begin = end = None
        event = _begin(happened)
        return Candidate(
            source=said.id,
            quote=quote,
            content=content,
            subject=subject,
            predicate=predicate,
            object=value,
            event_time=said.at if event is None else event,
            scope=scope,
            kind=cast(Kind, slot.kind),
            label=slot.label,
            subject_type=subject_type,
            object_type=_type(fields.get("object_type")),
            act=act,
            replaces=former if former and stands(former, said.text[:20_000]) else None,
            holder=subject if slot.kind == "opinion" else None,
            valid_from=begin,
            valid_until=end,
            granularity=_GRAINS.get(happened.granularity) if happened is not None and event is not None else None,
            confidence=CONFIDENCE,
            made_by=made_by,
            valence=_feeling(fields.get("feeling")),
        )

    def _entity(self, item: object, made_by: str, dropped: Counter[str]) -> Candidate | Named:
        fields, said = self._said(item)
        name = _words(fields, "name")
        if not name or name.lower() in _FIRST | _USER | _NOBODY:
            raise _Dropped("unclear subject")
        if len(name) > _LONG["subject"]:
            raise _Dropped("too long")
        type_ = _type(fields.get("type"))
        if type_ is None:
            raise _Dropped("unknown type")
        given = fields.get("aliases")
        others = [other.strip() for other in given if isinstance(other, str)] if isinstance(given, list) else []
        there = {alias(known) for known in self._named([name, *others[:20]], said)}
        if alias(name) not in there:
            raise _Dropped("name not in source")
        kept = dict.fromkeys(other for other in others if alias(other) in there - {alias(name)} and len(other) <= 80)
        return Named(name, type_, said.id, aliases=tuple(kept))

    def _quote(self, quote: str, said: Said) -> str:
        if not quote:
            raise _Dropped("no quote")
        found = self._sources[said.id].find(quote)
        if found is None:
            elsewhere = any(source.find(quote) for id_, source in self._sources.items() if id_ != said.id)
            raise _Dropped("quote in another episode" if elsewhere else "quote not in source")
        return found

    def _subject(self, subject: str, said: Said) -> str:
        """Whom it is about. The writer is called by name where there is one.

        Raises:
            _Dropped: nobody, or somebody about whom this voice says nothing.
        """
        folded = subject.lower()
        if not subject or folded in _NOBODY:
            raise _Dropped("unclear subject")
        stranger = said.role in _NOT_ABOUT_USER or said.origin in _STRANGERS
        if folded in _FIRST and said.role == "assistant" and said.speaker:
            return said.speaker
        if folded not in _FIRST | _USER and alias(subject) not in self._users:
            if not self._heard_of(subject):
                raise _Dropped("name not in source")
            return subject
        if stranger:
            raise _Dropped("not theirs to say")
        return (said.speaker or USER) if folded in _FIRST | _USER else subject

    def _heard_of(self, subject: str) -> bool:
        """Whether a message of the page names a subject, in any form of the name; what is no name needs no naming."""
        if not subject[:1].isupper() and not subject.isdigit():
            return True
        text = " ".join((said.speaker or "") + " . " + said.text[:20_000] for said in self._shown)
        wanted = {term for term in terms(subject) if term not in stop_terms()}
        if not wanted or wanted & set(terms(text)) or alias(subject) in alias(text):
            return True
        named = {*names(text), *_CAPITALISED.findall(text)}
        return any(same_name(subject, name, person=person).score > 0 for name in named for person in (True, False))

    def _named(self, names: Sequence[str], said: Said) -> list[str]:
        known = {alias(name): name for name in names if name and alias(name)}
        return mentioned(said.text[:20_000] + " " + (said.speaker or ""), known)

    def _grounded(self, value: str, said: Said) -> bool:
        wanted = {term for term in terms(value) if term not in stop_terms()}
        return not wanted or bool(wanted & set(terms(said.text[:20_000]))) or self._sources[said.id].has(value)

    def _time(self, words: str, said: Said, dropped: Counter[str], *, ahead: bool = False) -> when.Window | None:
        """The time that the message says. A date that the model worked out itself must agree with its words."""
        if not words or words.lower() in _NOTHING or len(words) > 120:
            return None
        now = to_datetime(said.at, self._zone)
        prefer = "future" if ahead else "past"
        window = when.parse(words, now, prefer=prefer) or next(iter(when.find(words, now, prefer=prefer)), None)
        if window is None:
            dropped["year out of range" if _EARLY.match(words) else "time unreadable"] += 1
            return None
        if self._sources[said.id].has(words):
            return window
        told = when.find(said.text[:20_000], now, prefer=prefer)
        if _DATE.search(words) and any(w.start <= window.start < w.end for w in told):
            return window
        dropped["time not in source"] += 1
        return None


class _Dropped(Exception):
    def __init__(self, why: str) -> None:
        assert why in DROPS, why
        self.why = why
        super().__init__(why)


def _words(fields: Mapping[str, Any], name: str) -> str:
    """A field as text on one line; "" where it is missing, null, or nothing in words."""
    value = fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    value = clean(value)
    text = value.strip() if name == "quote" else " ".join(value.split())
    return "" if text.lower() in _NOTHING else text


def _type(value: object) -> str | None:
    """An entity type; ``None`` for none given.

    Raises:
        _Dropped: there is no such type.
    """
    if value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING):
        return None
    word = value.strip().lower() if isinstance(value, str) else ""
    word = _TYPE_WORDS.get(word, word)
    if word not in TYPES:
        raise _Dropped("unknown type")
    return word


def _feeling(value: object) -> float | None:
    """How it is felt, brought into −1…1; ``None`` where the model gave no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return round(max(-1.0, min(1.0, float(value))), 2) + 0.0


def _begin(window: when.Window | None) -> int | None:
    if window is None:
        return None
    if window.start > when.MIN:
        return to_micros(window.start)
    return to_micros(window.end) if window.end < when.MAX else None


def _end(window: when.Window | None) -> int | None:
    if window is None:
        return None
    return to_micros(window.end if window.end < when.MAX else window.start)


def _key(made: Candidate | Named) -> tuple[Literal["fact", "entity"], str, str, str, str, str, str]:
    if isinstance(made, Named):
        return "entity", alias(made.name), made.type, "", "", "", ""
    scope, value = made.scope, alias(made.object)
    return "fact", made.source, alias(made.subject), made.predicate, scope, value, made.act
