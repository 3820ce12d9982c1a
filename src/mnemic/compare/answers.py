"""Whether a newer statement gives another answer to the question that an older one answers, or says that it is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from . import lexicon
from .difference import UNREAL, alone, denied_by_one, of_two_things, one_person, without_opposites
from .lexicon import groups, pattern, stems, words
from .statement import VALUE, Atom, Statement

__all__ = ["chosen", "date_kind", "ends", "excluded"]

#: Longest value that may be swapped for another, in atoms.
_VALUE_ATOMS = 3


def excluded(a: Statement, b: Statement) -> tuple[str, str] | None:
    """Whether a newer statement gives another answer to the question that an older one answers."""
    if why := ends(a, b):
        return "end", why
    if of_two_things(a, b):
        return None
    opposed, left, right = without_opposites(alone(a, b), alone(b, a))
    told = bool(b.turn & {"change", "correct"})
    shared = [x for x in a.content if x.key in {y.key for y in b.content}]
    if moved := _moved(a, b):
        return "value", moved
    if not left or not right or not shared or a.content[0].article == "indefinite":
        return None
    if opposed or denied_by_one(a, b) or a.partial or b.partial or a.rates != b.rates:
        return None
    if any(x.key in stems("who", "people") for x in (*left, *right)) or (not told and _deeds(a, b, shared)):
        return None
    subject = a.content[0].key == b.content[0].key
    for one, other in ((left, right), (_special(left), _special(right))) if told else ((left, right),):
        slack = max(len(left) - len(one), len(right) - len(other))
        if not one or not other or slack > 2 or (slack and len(shared) < 2 and not (subject and slack == 1)):
            continue
        if max(len(one), len(other)) <= _VALUE_ATOMS and (signal := _swap(a, b, one, other, told)):
            shown = f"{' '.join(x.form for x in one)} / {' '.join(x.form for x in other)}"
            return signal, shown
    return None


def _moved(a: Statement, b: Statement) -> str:
    """The old home and the new one: "I live in Graz", "I moved to Linz"."""
    home = [x for x in a.content if x.capital and x.role and stems("turn", "home") & {y.key for y in a.atoms}]
    there = [x for x in b.content if x.capital and x.role in words("frame", "towards") and "move" in b.turn]
    apart = home and there and len(b.content) == len(there) and home[0].key != there[0].key
    return f"{home[0].form} / {there[0].form}" if apart else ""


def _deeds(a: Statement, b: Statement, shared: Sequence[Atom]) -> bool:
    """Whether one tells of a deed, which was done twice: no birth, and no choice."""
    fixed = any(x.key in stems("frame", "fixed") for x in shared) or (chosen(a) and chosen(b))
    return (a.done or b.done) and not fixed


def _special(alone: list[Atom]) -> list[Atom]:
    """What is no plain word among what one statement has alone: the value, where a change is told."""
    return [x for x in alone if x.kind != "word"] or [x for x in alone if x.capital and x.at]


def _swap(a: Statement, b: Statement, one: list[Atom], other: list[Atom], told: bool) -> str:
    """The signal of one value in the place of another, "" where they may stand side by side."""
    kinds = {x.kind for x in (*one, *other)}
    if kinds == {"number"}:
        single = len(one) == len(other) == 1 and _unit(one[0]) == _unit(other[0])
        return "numeric" if single and one[0].form != other[0].form else ""
    if kinds == {"clock"}:
        return "temporal" if _definite(a, one) and (told or _near(one[0], other[0])) else ""
    if kinds == {"date"}:
        return "temporal" if _definite(a, one) and {date_kind(x) for x in one} == {date_kind(x) for x in other} else ""
    if kinds == {"id"}:
        if any(x.key.startswith("-") or _named_by_noun(a, x) for x in one) or (not told and _numbered(one, other)):
            return ""
        if len(one) > 1 or len(other) > 1:
            return ""
        value = all(VALUE.fullmatch(x.key) for x in (*one, *other)) or _in_value(a, one)
        return "value" if value and _in_value(a, one) and _in_value(b, other) else ""
    if not kinds <= {"word", "id", "number"} or not _one_run(one) or not _one_run(other):
        return ""
    return "value" if _frame(a, b, one, other, told) else ""


def _numbered(one: Sequence[Atom], other: Sequence[Atom]) -> bool:
    """Whether two names differ by their number only, and are two things: eu-west-1, eu-west-2."""
    bare = [re.sub(r"\d+", "", x.key) for x in (one[0], other[0])]
    return bare[0] == bare[1] and any(c.isalpha() for c in bare[0].lstrip("v"))


def _named_by_noun(said: Statement, atom: Atom) -> bool:
    """Whether a bare number is the name of the thing that a sentence begins with: "room 101 has a projector"."""
    noun = said.content[0]
    return (atom.key.isdigit() and atom.at == 1) or (noun.key in stems("number", "numbered") and noun.at < atom.at < 3)


def _unit(atom: Atom) -> str:
    return atom.key.lstrip("-.0123456789e+")


def date_kind(atom: Atom) -> str:
    """What kind of date it is: weekday, day, month, year."""
    return atom.key[0] if atom.key[0] in "dy" else "month" if atom.key.endswith("/") else "day"


def _near(a: Atom, b: Atom) -> bool:
    """Whether a time of day may be another one moved: a pill at eight and one at twenty are two."""
    hours = [int(x.key.split(":")[0]) for x in (a, b)]
    return abs(hours[0] - hours[1]) <= 6


def _definite(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether a statement speaks of one certain thing: "the standup", "Anna's flight", no "a meeting"."""
    if any(x.key in stems("who", "several") or x.article == "indefinite" for x in said.content if x not in value):
        return False
    mine = said.flat[0] in words("frame", "having") and said.person in ("i", "we")
    # «У меня встреча в 15:00» is one of several.
    return not (mine and not any(x.article for x in said.content)) and any(
        x.kind in ("word", "id") for x in said.content
    )


def _one_run(atoms: Sequence[Atom]) -> bool:
    """Whether a value stands in one piece."""
    return all(y.at - x.at <= 2 and (y.role in ("", "of") or (x.capital and y.capital)) for x, y in pairwise(atoms))


def _in_value(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether it stands where a value does: at the end, or before nothing but what begins with a preposition."""
    behind = [x for x in said.content if x.at > value[-1].at and x.clause == value[-1].clause]
    return bool(value[0].at) and (not behind or bool(behind[0].role))


def _frame(a: Statement, b: Statement, one: Sequence[Atom], other: Sequence[Atom], told: bool) -> bool:
    """Whether the sentence around two values takes one of them at a time."""
    if told and _holder(a, one) and _holder(b, other):
        return True
    if not told and not _of_one_kind(one[0], other[0]) and not (_in_value(a, one) and _in_value(b, other)):
        return False
    named = [all(x.capital or x.kind == "id" for x in value) for value in (one, other)]
    if named[0] != named[1] or one[0].denied or other[0].denied:
        return False
    before = [x for x in a.atoms if x.at < one[0].at and x.clause == one[0].clause]
    lows = a.flat[max(0, one[0].at - 4) : one[0].at]
    verb = next((low for low in reversed(lows) if low in words("frame", "one") or low in words("frame", "many")), "")
    if verb in words("frame", "many") and verb not in words("frame", "one"):
        return False
    single = len(one) == len(other) == 1
    if single and _of_one_kind(one[0], other[0]):
        return True
    if told and a.person == b.person == "i" and one[0].article == other[0].article == "indefinite" and not before:
        return True  # "I'm a nurse", "I'm a paramedic now"
    if not told and any(x.key in stems("who", "several") for x in before):
        return False
    copula = verb in words("frame", "is") or (not verb and _nominal(a, one))
    if not told and not any(x.key in {y.key for y in b.atoms if y.at < other[0].at} for x in before):
        return False
    if copula or verb in words("frame", "naming"):
        if any(x.key in stems("who", "several") for x in before) and "correct" not in b.turn:
            return False
        alike = single and one[0].article == other[0].article
        plain = bool(one[0].article) or verb in words("frame", "naming") or _labelled(before) or "—" in a.text
        return _question(before) and (all(named) or (alike and plain))
    if verb in words("frame", "one") or told:
        if not told and any(x.kind in ("date", "clock") for x in a.content):
            return False  # "I go to the gym on Mondays", and to the pool
        if single and any(x.role in words("frame", "scope") for x in a.content if x.at > one[0].at):
            return True  # "yarn as package manager"
        placed = one[0].role == other[0].role != "" and one[0].role not in words("frame", "with") | words(
            "frame", "scope"
        )
        return all(named) or placed or (told and single and verb in words("frame", "one"))
    return False


def _labelled(subject: Sequence[Atom]) -> bool:
    """Whether a word is asked for: the password, the codename."""
    return any(x.key in stems("frame", "label") for x in subject)


def _holder(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether a name opens a sentence that gives it a part that one has: "Ines is the tech lead now"."""
    lows = said.flat[value[-1].at + 1 : value[-1].at + 3]
    return (
        value[0].capital
        and len(lows) == 2
        and lows[0] in words("frame", "is")
        and lows[1] in words("frame", "definite")
    )


def _nominal(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether a Russian sentence has no verb: «Мой тренер — Костя», «Лимит попыток три»."""
    if all(low.isascii() for low in said.flat) or set(said.flat) & words("who", "subject"):
        return False
    return not any(pattern("form", "verb").match(x.form) for x in said.atoms if x.at <= value[-1].at and not x.capital)


def _of_one_kind(a: Atom, b: Atom) -> bool:
    kinds = groups("frame", "kinds")
    return a.at > 0 < b.at and a.form in kinds and kinds[a.form] == kinds.get(b.form)


def _question(subject: Sequence[Atom]) -> bool:
    """Whether a subject asks for one value: a certain thing of somebody's ("my flatmate", "the CTO", "Ben's
    dentist")."""
    return any(x.article == "definite" or x.role == "of" or x.capital or not x.form.isascii() for x in subject)


def ends(a: Statement, b: Statement) -> str:
    """The words by which a newer statement says that what an older one tells is over; "" where it does not."""
    if (
        not b.over
        or a.turn & {"end", "stop", "past"}
        or (b.firm | a.firm) & UNREAL
        or not one_person(a, b)
        or b.partial
    ):
        return ""
    mine = {x.key for x in a.content if not x.denied}
    if a.identifiers - b.identifiers and b.identifiers - a.identifiers and not b.identifiers & mine:
        return ""
    picked = chosen(a)
    for over in b.over:
        keys = {x.key for x in over if not x.light} or {x.key for x in over}
        held = keys & mine
        if not held or (held <= {x.key for x in a.content if x.kind == "number"}):
            continue
        rest = {x.key for x in b.content if x.clause == over[0].clause} | keys
        if picked and picked in held:
            return f"{picked}: said to be over"
        if len(held) >= 2 and (mine <= rest or keys <= mine or len(held) / len(mine) >= 0.66):
            return f"{' '.join(sorted(held))}: said to be over"
        if keys == held and len(mine) <= 3 and not any(x.key in stems("who", "people") for x in over):
            return f"{' '.join(sorted(held))}: said to be over"
    return ""


def chosen(said: Statement, kinds: str = "named") -> str:
    """What a statement says was chosen: "Kafka" of "we chose Kafka over NATS"; of names only unless told otherwise."""
    lows = list(said.flat)
    for _, past, _ in lexicon.phrases("frame", "choice").find(lows):
        found = next((x for x in said.content if x.at >= past), None)
        if found is not None and (not kinds or found.capital or found.kind == "id"):
            return found.key
    return ""
