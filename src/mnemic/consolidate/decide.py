"""What a new claim does to those already known: pure, the same for every extractor and for the nightly job.

The laws (``tests/unit/consolidate/test_decide.py`` holds them against random histories):

- Only claims of one subject meet, in one slot (predicate, scope) or in one group of predicates about one object.
- Time of the world decides, not order of arrival: of two values that exclude each other the older one ends where the
  newer begins, whichever of them is new here. So a set of claims gives the same current facts in any order.
- Less trust never ends more trust, and nothing that the user confirmed is ended by code: that is a conflict, both stay.
- Two people who tell two values of one thing within two hours are at odds, unless one says that it changed.
- At one and the same time, wording that says "now" makes a change; without it two values are a conflict.
- What is over may begin anew: then it is its end that is over.
- What was said to be false stays so for the sources it came from, and for all that was said before it.
- The same thing again is evidence, not a second fact; from a channel already heard it adds none (``score`` 0).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..clock import DAY
from ..compare.relation import relate, rounds
from ..compare.statement import parse
from ..lang.pack import union, words
from ..text.analyse import terms
from .claims import Claim, Decision
from .slots import SLOTS, replaces

__all__ = ["REJECTED", "Saying", "decide"]

#: Why a fact is hidden when somebody said that it is wrong.
REJECTED = frozenset({"false", "forgotten", "corrected"})
#: Slots that mean nothing without their scope: whoever "prefers tea" and "prefers windows" has not changed a mind.
SCOPELESS = frozenset(
    name for name, slot in SLOTS.items() if slot.scoped and slot.cardinality == "one" and name != "version"
)
#: So long after another's word one's own word sets it right or contradicts it, and does not tell of a change.
ONE_TALK = DAY // 12
_NOT = re.compile(rf"\b(?:{union('deciding', 'not')})\b", re.I)
#: Words that join values to a list: a longer list is not the same thing said more exactly.
_JOINS = words("deciding", "joins")


@dataclass(frozen=True, slots=True)
class Saying:
    """One time that a fact was said: since when it holds by that saying, and how far the speaker is believed."""

    at: int
    trust: float


_Sayings = Sequence[Saying]


def decide(new: Claim, known: Sequence[Claim], *, said: Mapping[str, _Sayings] | None = None) -> list[Decision]:
    """Compare a new claim with what is known of its subject.

    Args:
        new: ``act="end"`` says that the value is over; an empty ``object`` then means whatever the slot holds.
        known: stored claims, current, ended and hidden ones, "end" claims too (they keep late news from reviving what
            is over). Those of other subjects and slots are passed over.
        said: id of a stored fact → the times it was said, where it was said more than once. Without it the fact
            counts as said once, at its ``valid_from``: a late note that falls between two sayings of one fact would
            then end it.

    Returns:
        One decision for each known claim that the new one touches, in the order of ``known``; one ``new`` without a
        target where it touches none. A duplicate comes first: then nothing is to be stored, but the other decisions
        still hold, the duplicate's fact taking the place of the new one (it was said again, after what it ends).
        ``coexists`` is told only for the same slot. ``score``: for a duplicate 1 where it is independent evidence
        (another channel) and 0 where not, for a conflict the strength of the signals, else 1.
    """
    said = said or {}
    successors = {s.at for claim in known for s in _sayings(claim, said)}
    out: list[Decision] = []
    for old in known:
        if old.subject != new.subject or not _meet(new, old):
            continue
        decision = _hidden(new, old, said) if old.hidden_why else _one(new, old, said, successors)
        if decision is not None:
            out.append(decision)
    if not out:
        return [Decision("new", reason="nothing known of it")]
    return sorted(out, key=lambda d: d.verdict != "duplicate")


def _meet(new: Claim, old: Claim) -> bool:
    """Whether two claims of one subject are in one slot, or in one group about one object."""
    if new.predicate == old.predicate:
        return new.scope == old.scope
    group = SLOTS[new.predicate].group
    return bool(group) and group == SLOTS[old.predicate].group and new.object == old.object


def _sayings(claim: Claim, said: Mapping[str, _Sayings]) -> _Sayings:
    own = Saying(claim.valid_from, claim.trust)
    return (own, *said[claim.id]) if claim.id is not None and said.get(claim.id) else (own,)


# -- hidden ------------------------------------------------------------------------------------------------------------


def _hidden(new: Claim, old: Claim, said: Mapping[str, _Sayings]) -> Decision | None:
    """A hidden claim ends nothing; it only keeps what it was made from out."""
    if new.act != old.act or new.predicate != old.predicate or not _same_value(new, old):
        return None
    if new.sources and set(new.sources) <= set(old.sources):
        return Decision("duplicate", old.id, reason=f"from the same source as what is {old.hidden_why}")
    if old.hidden_why in REJECTED and new.valid_from <= max(s.at for s in _sayings(old, said)):
        return Decision("duplicate", old.id, reason=f"nothing newer than what is {old.hidden_why}")
    return None


# -- one known claim ---------------------------------------------------------------------------------------------------


def _one(new: Claim, old: Claim, said: Mapping[str, _Sayings], successors: set[int]) -> Decision | None:
    if new.act == "end" or old.act == "end":
        return _ending(new, old, said)
    if new.predicate != old.predicate:
        return _exclude(new, old, said, successors, f"{new.predicate} now, {old.predicate} before")
    if _same_value(new, old):
        return _again(new, old, said)
    finer = (
        "new" if rounds(old.content, new.content) else "old" if rounds(new.content, old.content) else _finer(new, old)
    )
    if finer and _alive(old) and new.valid_until is None:
        if finer == "old":
            return Decision("duplicate", old.id, score=_independent(new, old), reason="known more exactly")
        if _may_end(new, old, said):
            at = max(new.valid_from, old.valid_from)
            return Decision("refines", old.id, "old", at, "the same, said more exactly", 1.0)
        return Decision("coexists", old.id, reason="said more exactly, but less trusted")
    if _names_as_past(new, old) or _names_as_past(old, new):
        return _exclude(new, old, said, successors, "one names the other as past")
    if new.predicate == "diet" and (_denies(new) or _denies(old)) and new.object != old.object:
        return Decision("coexists", old.id, reason="one more thing that is not eaten")
    if replaces(new.predicate, new.scope) and not (new.predicate in SCOPELESS and not new.scope):
        if _distinct(new, old) or _beside(new, old):
            return Decision("coexists", old.id, reason="different identifiers or times, or one more")
        return _exclude(new, old, said, successors, f"another {new.predicate}")
    if new.predicate == "decided" and _takes_back(new, old):
        return _exclude(new, old, said, successors, "the opposite was decided")
    return _side_by_side(new, old, said, successors)


#: Words by which one decides against a thing, and those by which one decides for it: the rest is what it is about.
_AGAINST, _FOR = (frozenset(w for t in words("deciding", key) for w in (t, *terms(t))) for key in ("against", "for"))


def _takes_back(a: Claim, b: Claim) -> bool:
    """Whether one of two decisions is for a thing, and the other against the very same."""
    left, right = set(a.object.split()), set(b.object.split())
    about = left - _AGAINST - _FOR
    return bool(about) and about == right - _AGAINST - _FOR and bool(left & _AGAINST) != bool(right & _AGAINST)


def _same_value(a: Claim, b: Claim) -> bool:
    return a.object == b.object and _denies(a) == _denies(b)


def _denies(claim: Claim) -> bool:
    """Whether a diet is what somebody does not eat: "meat" may be either."""
    return claim.predicate == "diet" and claim.act == "assert" and _NOT.search(claim.content) is not None


def _names_as_past(newer: Claim, older: Claim) -> bool:
    return newer.replaces is not None and newer.replaces == older.object


def _alive(claim: Claim) -> bool:
    return claim.valid_until is None


def _independent(new: Claim, old: Claim) -> float:
    """1 where a channel speaks that was not heard before: repeats from one do not add up."""
    return (
        0.0 if set(new.origins) <= set(old.origins) or (new.sources and set(new.sources) <= set(old.sources)) else 1.0
    )


def _again(new: Claim, old: Claim, said: Mapping[str, _Sayings]) -> Decision | None:
    """The same value again: the same fact while it lasts, another one after it was over.

    What ended the stored one may not be able to end this one (a better witness, a confirmation): then it stands anew.
    """
    sayings = _sayings(old, said)
    stronger = new.trust > max(s.trust for s in sayings) + 1e-9 or (new.protected and not old.protected)
    within = old.valid_until is not None and (
        new.valid_from < old.valid_until or new.valid_from <= max(s.at for s in sayings)
    )
    if old.valid_until is None or (within and not stronger):
        score = _independent(new, old)
        why = "said again" if score else "said again by the same channel"
        return Decision("duplicate", old.id, score=score, reason=why)
    return Decision("coexists", old.id, reason="the same again, after it had ended", score=1.0)


def _finer(a: Claim, b: Claim) -> str:
    """Which of two values says the other more exactly: ``new`` (``a``), ``old`` (``b``), "" for neither.

    One holds all words of the other and more. Where values stand side by side it must begin with them besides ("dog",
    "dog named Rex"): iced coffee is not the coffee somebody likes.
    """
    left, right = a.object.split(), b.object.split()
    few, many = sorted((left, right), key=len)
    more = set(many) - set(few)
    if not few or not set(few) < set(many) or more & _JOINS or any(word.isdigit() for word in few) or _distinct(a, b):
        return ""
    slot = SLOTS[a.predicate]
    if slot.cardinality == "many" and (slot.group or many[: len(few)] != few or any(w.isdigit() for w in more)):
        return ""
    return "new" if many is left else "old"


def _distinct(a: Claim, b: Claim) -> bool:
    """Whether identifiers outside the values tell the two apart: the config of apps.12 is not that of apps.13."""
    left, right = (
        {
            i
            for i in parse(c.content).identifiers
            if not set(i.replace(".", " ").split()) & set(c.object.replace(".", " ").split())
        }
        for c in (a, b)
    )
    return bool(left - right) and bool(right - left)


#: Of the slots that may be shared, those that nobody gives up for what is said of another time.
_PLACES = frozenset(("works_at", "works_as", "lives_in", "studies_at"))


def _beside(new: Claim, old: Claim) -> bool:
    """Whether two values hold side by side: at other times, or the one is said to be one more.

    At home on Mondays, in town on Fridays; a job, and another one on weekends. Who "now works at Globex" has left.
    """
    left, right = (parse(c.content).times - set(c.object.split()) for c in (new, old))
    if left and right:
        return not left & right
    if not SLOTS[new.predicate].shared:
        return False
    said, was = parse(new.content), parse(old.content)
    if "add" in said.turn:
        return True
    # A drink "every morning" may be given up for another; a job on weekends is not the job.
    lasting = "add" in was.turn or (new.predicate in _PLACES and bool(was.times))
    return bool(said.times or lasting) and not _says_change(new)


# -- who ends whom -----------------------------------------------------------------------------------------------------


def _may_end(newer: Claim, older: Claim, said: Mapping[str, _Sayings]) -> bool:
    return not older.protected and newer.trust >= max(s.trust for s in _sayings(older, said)) - 1e-9


def _exclude(
    new: Claim, old: Claim, said: Mapping[str, _Sayings], successors: set[int], why: str, score: float = 1.0
) -> Decision | None:
    """Two claims that cannot both be current: which one ends, and when."""
    # An end that was said of the value itself, not brought by a successor, leaves nothing to decide.
    closed = old.valid_until is not None and old.valid_until not in successors
    if not _overlap(new, old) or closed or new.valid_until is not None:
        return Decision("coexists", old.id, reason="each at its own time", score=score)
    sayings = _sayings(old, said)
    if _two_voices(new, old, sayings):
        return _conflict(old, f"{why}; two people say it", score) if _alive(old) else None
    # Known, or said again, from later on (or at that moment by a better witness): the new one gives way.
    able = [
        s.at for s in sayings if (s.at, s.trust) > (new.valid_from, new.trust + 1e-9) and s.trust >= new.trust - 1e-9
    ]
    if able and not new.protected:
        return Decision("supersedes", old.id, "new", min(able), f"{why}, known from later on", score)
    if any(s.at > new.valid_from for s in sayings):
        return _conflict(old, why, score) if _alive(old) else None
    side = _later(new, old, sayings)
    if side == "old" and not new.protected:
        return Decision("supersedes", old.id, "new", new.valid_from, why, score)
    if side == "new" and _may_end(new, old, said):
        return Decision("supersedes", old.id, "old", new.valid_from, why, score)
    if not _alive(old):
        return None
    note = {"neither": "at the same time", "new": "confirmed" if old.protected else "less trusted", "old": "confirmed"}
    return _conflict(old, f"{why}, {note[side]}", score)


def _two_voices(new: Claim, old: Claim, sayings: _Sayings) -> bool:
    """Whether another person says otherwise in the same talk, and nobody that it has changed."""
    if not new.speakers or not old.speakers or new.speakers & old.speakers:
        return False
    near = any(abs(new.valid_from - s.at) <= ONE_TALK for s in sayings)
    return near and not _says_change(new) and not _says_change(old)


def _conflict(old: Claim, why: str, score: float) -> Decision:
    return Decision("conflict", old.id, reason=why, score=score)


def _overlap(a: Claim, b: Claim) -> bool:
    ends_a = a.valid_until if a.valid_until is not None else 2**63
    ends_b = b.valid_until if b.valid_until is not None else 2**63
    return a.valid_from == b.valid_from or (a.valid_from < ends_b and b.valid_from < ends_a)


def _later(new: Claim, old: Claim, sayings: _Sayings) -> str:
    """Which of two claims is the later state, none being known to go on later: ``new``, ``old``, ``neither``."""
    last = max(s.at for s in sayings)
    if new.valid_from > last:
        return "new"
    if _names_as_past(new, old) != _names_as_past(old, new):
        return "new" if _names_as_past(new, old) else "old"
    trust = max(s.trust for s in sayings if s.at == last)
    if abs(new.trust - trust) > 1e-9:
        return "new" if new.trust > trust else "old"
    changed, was = _says_change(new), _says_change(old)
    if changed != was:
        return "new" if changed else "old"
    return "neither"


def _ending(new: Claim, old: Claim, said: Mapping[str, _Sayings]) -> Decision | None:
    """One of the two says that a value is over."""
    ends, lasts = (new, old) if new.act == "end" else (old, new)
    if new.act == old.act:
        if new.object != old.object or new.predicate != old.predicate:
            return None
        if old.valid_until is not None and new.valid_from >= old.valid_until:
            return Decision("coexists", old.id, reason="over once more, after it had begun anew")
        return Decision("duplicate", old.id, score=_independent(new, old), reason="known to be over")
    if (ends.object and ends.object != lasts.object) or ends.predicate != lasts.predicate:
        return None
    held, over = _sayings(lasts, said), _sayings(ends, said)
    last, trust = max(s.at for s in held), max(s.trust for s in held)
    # "I quit my job and joined Hooli": an end without a value is that of what was there before.
    after = [s for s in over if s.at > last or (ends.object and s.at == last)]
    if not after and (anew := _anew(ends, lasts, held, over)) is not None:
        return Decision("supersedes", old.id, "old" if ends is old else "new", anew, "so again", 1.0)
    if not after or (lasts.valid_until is not None and lasts.valid_until <= min(s.at for s in after)):
        return Decision("coexists", old.id, reason="it began, or was said again, after that end")
    able = [s.at for s in after if s.trust >= trust - 1e-9]
    if lasts.protected or not able:
        return _conflict(old, f"said to be over, {'confirmed' if lasts.protected else 'less trusted'}", 1.0)
    return Decision("supersedes", old.id, "old" if lasts is old else "new", min(able), "said to be over", 1.0)


def _anew(ends: Claim, lasts: Claim, held: _Sayings, over: _Sayings) -> int | None:
    """When that something is over is over itself: it was said to be so again, by one no less trusted."""
    if not ends.object or ends.protected or not _alive(ends):
        return None
    trust = max(s.trust for s in over)
    return min((s.at for s in held if s.at > max(o.at for o in over) and s.trust >= trust - 1e-9), default=None)


def _side_by_side(new: Claim, old: Claim, said: Mapping[str, _Sayings], successors: set[int]) -> Decision | None:
    """Values that may stand together, unless their wording contradicts."""
    if _distinct(new, old):
        return Decision("coexists", old.id, reason="different identifiers")
    later = new.valid_from >= old.valid_from
    found = relate(*((old.content, new.content) if later else (new.content, old.content)))
    if not found.excludes or (found.signal == "value" and new.predicate not in _ANSWERS):
        return Decision("coexists", old.id, reason="another value beside it")
    # Numbers and dates of things that come in many ("a 2 TB disk", "a 4 TB disk") need a word of change.
    if new.predicate in _ANSWERS or _says_change(new) or _says_change(old):
        return _exclude(new, old, said, successors, found.why)
    return _conflict(old, found.why, 1.0) if _alive(old) and _overlap(new, old) else None


#: Slots of many values in which two may still answer one question: "Qdrant for search", "SQLite for search".
_ANSWERS = frozenset(("decided", "chose", "prefers", "favorite", "habit"))


def _says_change(claim: Claim) -> bool:
    return bool(parse(claim.content).turn & {"change", "correct"})
