"""Fit a candidate to what is known already: the slot it speaks of, and the time from which it holds. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ..clock import DAY
from ..compare.relation import same_value
from ..store.facts import Evidence, Fact
from ..text.names import alias
from .claims import Candidate, Said
from .slots import object_key, replaces

#: How long something held at least that is only known to be over ("until 2020"): a year, in microseconds.
_BEFORE = 365 * DAY
#: Days that a time may mean of which only so much is told.
_SPANS: Mapping[str, int] = {"day": 1, "week": 7, "month": 31, "season": 92, "year": 366}
#: Slots that the same words may speak of: "left Oslo", "left Acme".
OPEN_TO = ("lives_in", "works_at", "assigned_to", "studies_at", "uses")
#: Their verbs in our sentences, English and Russian, in one order.
_SAYS: Mapping[str, tuple[str, ...]] = {
    "lives_in": ("lives in", "живёт в"),
    "works_at": ("works at", "работает в"),
    "assigned_to": ("is assigned to", "работает на проекте"),
    "studies_at": ("studies at", "учится в"),
}
_BACK = re.compile(r"\b(?:back|return\w*|rejoin\w*|again|вернул\w*|обратно|снова)\b", re.I)
_GOES = re.compile(
    r"\b(?:back|left|leav\w+|switch\w*|mov(?:ed|ing)|transferr\w+|went|gone|return\w*|again|chang\w+|swapped|traded|quit"
    r"|верну\w+|обратно|снова|уш(?:ёл|ел|ла|ли)|переш(?:ёл|ел|ла|ли)|перев[её]л\w*|уехал\w*|смени\w+)\b",
    re.I,
)


def placed(candidate: Candidate, held_by: Callable[[], Iterable[Fact]]) -> Candidate:
    """A candidate in the slot that it speaks of, where its words leave open which.

    One switches from Vim to Helix, and from Acme to Globex; one leaves a town and a firm, and goes back to them.
    What the subject is known to hold, or to have held, tells.

    Args:
        held_by: reads the facts of the subject under :data:`OPEN_TO`, only asked where it matters.
    """
    ends, quote = candidate.act == "end", candidate.quote
    told = candidate.object if ends or (not candidate.replaces and _BACK.search(quote)) else candidate.replaces
    if (
        candidate.predicate not in OPEN_TO
        or not told
        or not _GOES.search(quote)
        or (ends and candidate.predicate == "uses")
    ):
        return candidate
    key = object_key(told)
    held = [
        fact
        for fact in held_by()
        if fact.object == key and fact.hidden_at is None and fact.attributes.get("act") != "end"
    ]
    if not held or any(fact.predicate == candidate.predicate for fact in held):
        return candidate
    there = held[-1]
    content = candidate.content
    for now, then in zip(_SAYS.get(candidate.predicate, ()), _SAYS.get(there.predicate, ()), strict=False):
        content = content.replace(now, then, 1)
    if not ends and told in there.content and not re.search(r"\d", there.content):
        content = there.content.replace(told, candidate.object)
    return replace(candidate, predicate=there.predicate, scope=there.scope, content=content)


def within(
    candidate: Candidate, known: Sequence[Fact], behind: Mapping[int, Sequence[Evidence]], told: Said | None
) -> Candidate:
    """A change of which only the day, week or year is told begins after what was still so within that time.

    Said on the 12th: "I live in Berlin"; on the 20th: "last week I moved to Lisbon". The week began before the 12th.
    """
    begins = candidate.valid_from
    span = _SPANS.get(candidate.granularity or "")
    if begins is None or span is None or told is None:
        return candidate
    ends = min(told.at, begins + span * DAY)
    key, over = object_key(candidate.object), candidate.act == "end"
    still = [
        at
        for fact in known
        if fact.hidden_at is None
        and fact.attributes.get("act") != "end"
        and (over or not key or fact.object != key)
        and replaces(fact.predicate, fact.scope)
        for at in (fact.begins, *(e.at for e in behind.get(fact.row, ())))
        if begins <= at < ends
    ]
    return replace(candidate, valid_from=max(still) + 1) if still else candidate


def named(candidate: Candidate, known: Iterable[Fact]) -> Candidate:
    """The value as it is known already, where it has come under another name: «Берлине» for Berlin, NYC, 5 March.

    Only in slots that a new value replaces: there another name would end what it repeats.
    """
    if not candidate.object or not replaces(candidate.predicate, alias(candidate.scope)):
        return candidate
    key = object_key(candidate.object)
    held = [f for f in known if f.value and f.predicate == candidate.predicate and f.scope == alias(candidate.scope)]
    if any(fact.object == key for fact in held):
        return candidate
    same = next((f.value for f in reversed(held) if f.value and same_value(candidate.object, f.value)), None)
    return replace(candidate, object=same) if same else candidate


def dated(candidate: Candidate, known: Sequence[Fact]) -> Candidate:
    """A value that was over before it was told of: "I worked at Acme until last Friday".

    Where it is known as lasting, that is its end. Else it held at least for the time just before.
    """
    until = candidate.valid_until
    begins = candidate.event_time if candidate.valid_from is None else candidate.valid_from
    if candidate.act == "end" or until is None or until > candidate.event_time:
        return candidate
    key = object_key(candidate.object)
    lasting = (f for f in known if f.object == key and f.predicate == candidate.predicate and f.begins <= until)
    if any(f.valid_until is None and f.hidden_at is None and f.attributes.get("act") != "end" for f in lasting):
        return replace(candidate, act="end", valid_from=until, valid_until=None)
    return replace(candidate, valid_from=until - _BEFORE) if begins >= until else candidate
