"""Fit a candidate to what is known already: the slot it speaks of, the time from which it holds, another reading of it.

Of two readings of one message that say two things, the better supported one stays: the value stands in its quote, then
more trust, then more evidence; where these are equal, the new reading, because somebody asked for it. What only one of
the two has read stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ..clock import DAY
from ..compare.relation import same_value
from ..errors import InvalidInput
from ..lang.pack import languages, load, union
from ..store import facts
from ..store.facts import Evidence, Fact
from ..text.names import alias
from .claims import Candidate, Said
from .quotes import stands
from .slots import object_key, replaces

#: How long something held at least that is only known to be over ("until 2020"): a year, in microseconds.
_BEFORE = 365 * DAY
#: Days that a time may mean of which only so much is told.
_SPANS: Mapping[str, int] = {"day": 1, "week": 7, "month": 31, "season": 92, "year": 366}
#: Slots that the same words may speak of: "left Oslo", "left Acme".
OPEN_TO = ("lives_in", "works_at", "assigned_to", "studies_at", "uses")
_BACK, _GOES = (re.compile(rf"\b(?:{union('deciding', key)})\b", re.I) for key in ("back", "goes"))


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
    for language in languages():  # our own sentences say it with a verb of the slot
        verbs: Mapping[str, str] = load(language, "deciding").get("says", {})
        if candidate.predicate in verbs and there.predicate in verbs:
            content = content.replace(verbs[candidate.predicate], verbs[there.predicate], 1)
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


if TYPE_CHECKING:
    from .write import Page

#: Why the weaker reading is hidden.
WHY = "read anew"


def wins(page: Page, candidate: Candidate) -> bool:
    """Whether a candidate is to be written: no other reading of its message is better supported. Those that lose are
    hidden."""
    source, said = page.rows[candidate.source], page.said[candidate.source]
    entity = page.linker.subject(candidate)
    connection = page.tx.connection
    read = [fact for _, fact, relation in facts.derived(connection, [source]) if relation == "derived_from"]
    rivals = [fact for fact in facts.facts_in(connection, read).values() if _rivals(fact, candidate, entity)]
    behind = facts.evidence_of(connection, [fact.row for fact in rivals])
    support = (stands(candidate.object, candidate.quote), said.trust, 1)
    for fact in rivals:
        evidence = behind.get(fact.row, ())
        quoted = any(stands(fact.value or fact.object, quote) for e in evidence for quote in e.quotes)
        if "confirmed_at" in fact.attributes or (quoted, fact.trust, len(evidence)) > support:
            return False
    for fact in rivals:
        _hide(page, fact)
    return True


def _rivals(fact: Fact, candidate: Candidate, entity: int) -> bool:
    """Whether a stored fact and a candidate are two readings of one thing: one slot of one, or a value cut out of the
    other."""
    value = object_key(candidate.object)
    if (
        fact.entity != entity
        or fact.hidden_at is not None
        or fact.predicate != candidate.predicate
        or fact.object == value
    ):
        return False
    left, right = set(fact.object.split()), set(value.split())
    cut = bool(left and right) and (left < right or right < left)
    return cut or (fact.scope == alias(candidate.scope) and replaces(candidate.predicate, candidate.scope))


def _hide(page: Page, fact: Fact) -> None:
    """Hide a reading, and let go on what it has ended."""
    tx, actor = page.tx, page.actor
    for _, older in facts.predecessors(tx.connection, [fact.row]):
        changes = facts.changes_of(tx.connection, [older])
        ended = next((c for c in reversed(changes) if c.act == "superseded"), None)
        if ended is not None:
            with suppress(InvalidInput):  # something else has become of it since
                facts.undo(tx, page.space, ended.no, actor=actor)
    values = {"hidden_at": tx.clock.now(), "hidden_why": WHY}
    facts.alter(tx, page.space, fact.row, "reread", values, actor=actor, why=f"{WHY} by {actor}")
    page.counts["read anew"] += 1
