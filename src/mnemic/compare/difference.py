"""In what two statements differ, and whether they are of one thing and time at all."""

from __future__ import annotations

from collections import Counter

from .lexicon import opposites, words
from .statement import Atom, Statement

__all__ = ["FORMS", "alone", "denied_by_one", "of_two_things", "one_person", "without_opposites"]

#: Cosine from which other forms of a word count as the word. No cosine makes one word stand for another.
FORMS = 0.80
#: Share of a word that its forms have in common, and letters at least.
_STEM_SHARE, _STEM_LEAST = 0.7, 5
#: How a thing may be said that is not so, or not yet, or not for sure.
UNREAL = frozenset({"open", "condition", "plan", "wish", "report"})


def alone(a: Statement, b: Statement, cosine: float | None = None) -> list[Atom]:
    """The content that only the first has, as often as it has it more."""
    theirs = Counter(atom.key for atom in b.atoms)
    out = []
    for atom in a.content:
        key = (
            next((k for k in theirs if theirs[k] > 0 and _one_day(atom.key, k)), "")
            if atom.kind == "date"
            else atom.key
        )
        if theirs[key] > 0:
            theirs[key] -= 1
        elif not (cosine is not None and cosine >= FORMS and any(_one_stem(atom, other) for other in b.content)):
            out.append(atom)
    return out


def _one_day(a: str, b: str) -> bool:
    """Whether two dates are one, of which one may leave the year out: "5/14", "5/14/2026"."""
    return a == b or (
        "/" in a and "/" in b and not a.endswith("/") and (a.startswith(f"{b}/") or b.startswith(f"{a}/"))
    )


def _one_stem(a: Atom, b: Atom) -> bool:
    """Whether two words are forms of one (allergy, allergic)."""
    if a.kind != "word" or b.kind != "word" or a.capital or b.capital or a.denied != b.denied:
        return False
    short, long = sorted((a.key, b.key), key=len)
    common = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return common >= _STEM_LEAST and common >= _STEM_SHARE * len(long)


def without_opposites(left: list[Atom], right: list[Atom]) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
    table = opposites()
    found: list[tuple[Atom, Atom]] = []
    rest = list(right)
    for atom in left:
        other = next((o for o in rest if o.key in table.get(atom.key, frozenset()) or _turned(atom.form, o.form)), None)
        if other is not None:
            found.append((atom, other))
            rest.remove(other)
    gone = {id(one) for one, _ in found}
    return found, [atom for atom in left if id(atom) not in gone], rest


def _turned(a: str, b: str) -> bool:
    """Whether one word is the other, denied by its beginning: reachable, unreachable."""
    short, long = sorted((a, b), key=len)
    return len(short) > 3 and any(long == p + short for p in words("form", "un"))


def denied_by_one(a: Statement, b: Statement) -> frozenset[str]:
    """What both name and only one denies; nothing where both deny the same thing in two ways ("don't eat", "eat
    no")."""
    mine, theirs = ({atom.key: atom.denied for atom in said.content} for said in (a, b))
    both = mine.keys() & theirs.keys()
    if any(mine[key] and theirs[key] for key in both):
        return frozenset()
    return frozenset(key for key in both if mine[key] != theirs[key])


def of_two_things(a: Statement, b: Statement) -> str:
    """Why two statements are of two things or times, whatever their words; "" where nothing says so."""
    if (a.firm | b.firm) & UNREAL and (a.firm != b.firm or a.firm & {"open", "report"}):
        return "one of them is not so for sure"
    if not one_person(a, b):
        return "two persons"
    told = b.turn & {"change", "correct"}
    if "past" in a.turn or ("past" in b.turn and not told):
        return "one of them is past"
    if (a.turn | b.turn) & {"today"} and not told:
        return "one of them is of a day"
    if "add" in b.turn or ("add" in a.turn and not told):
        return "one more beside it"
    if a.times != b.times and not told and (a.times or b.times) and not _dated(a, b):
        return "at other times"
    return ""


def _dated(a: Statement, b: Statement) -> bool:
    return any(atom.kind == "date" for atom in a.atoms) and any(atom.kind == "date" for atom in b.atoms)


def one_person(a: Statement, b: Statement) -> bool:
    """A team says of itself "we" or nothing, and a brother is mine; whoever says "I", "he" or "you" means one
    person."""
    if a.person == b.person or {a.person, b.person} <= {"", "we", "i"}:
        return True
    return "" in (a.person, b.person) and not {a.person, b.person} & {"i", "you"}
