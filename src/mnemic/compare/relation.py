"""What two statements are to each other: :func:`relate`, the one comparer. Pure; knows no store and no slot.

They are the **same** where every content word, number, name, date, person, polarity and role agrees up to inflection
and listed synonyms. One **refines** the other where it holds all of it and more of the same matter. The newer
**replaces** the older where both answer one question that takes one answer, or where it says itself that the older is
over. They **conflict** where both cannot be true and nothing tells that the world has changed. Else they are **other**.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..text.name_likeness import same_name
from . import lexicon
from .lexicon import groups, opposites, stems, words
from .statement import VALUE, Atom, Statement, parse

__all__ = ["Kind", "Relation", "relate", "rounds", "same_value", "sense", "topic"]

Kind = Literal["same", "refines", "replaces", "conflicts", "other"]

#: Cosine from which other forms of a word count as the word. No cosine makes one word stand for another.
FORMS = 0.80
#: Share of a word that its forms have in common, and letters at least.
_STEM_SHARE, _STEM_LEAST = 0.7, 5
#: Longest value that may be swapped for another, in atoms.
_VALUE_ATOMS = 3
#: How a thing may be said that is not so, or not yet, or not for sure.
_UNREAL = frozenset({"open", "condition", "plan", "wish", "report"})


@dataclass(frozen=True, slots=True)
class Relation:
    """What a newer statement is to an older one.

    Attributes:
        kind: see :mod:`.relation`. reasons: in words, for a person. finer: which of two says more, ``new`` or ``old``,
            for ``refines``. signal: by what two exclude each other: negation, antonym, numeric, temporal, value, end.
    """

    kind: Kind
    reasons: tuple[str, ...] = ()
    finer: Literal["new", "old", ""] = ""
    signal: str = ""

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)

    @property
    def excludes(self) -> bool:
        """Whether both cannot be true at one time."""
        return self.kind in ("replaces", "conflicts")


def relate(old: Statement | str, new: Statement | str, *, cosine: float | None = None) -> Relation:
    """Compare two statements.

    Args:
        old, new: in the order of their times. cosine: of their vectors, where there are any: only lets other forms of
            one word through, and never ends anything.
    """
    a = parse(old) if isinstance(old, str) else old
    b = parse(new) if isinstance(new, str) else new
    if a.flat == b.flat:
        return Relation("same", ("the same words",))
    if a.question or b.question or not a.content or not b.content:
        return Relation("other", ("one of them asks",))
    if why := _ends(a, b):
        return Relation("replaces", (why,), signal="end")
    left, right = _alone(a, b, cosine), _alone(b, a, cosine)
    opposed, left, right = _without_opposites(left, right)
    flipped = _flipped(a, b)
    if not left and not right:
        return _alike(a, b, opposed, flipped)
    if (not left or not right) and not opposed and not flipped and (found := _finer(a, b, left, right)):
        return found
    if found := _finer_date(left, right):
        return found
    if rounds(a, b) or rounds(b, a):
        return Relation("refines", ("the same amount, exactly",), finer="new" if rounds(a, b) else "old")
    for one, other in _views(a, b):
        if found := _excluded(one, other):
            return found
    return Relation("other", ("each says something of its own",))


def _views(a: Statement, b: Statement) -> Iterable[tuple[Statement, Statement]]:
    """The two whole, and the older one beside each clause of the newer."""
    yield a, b
    whole, told = {x.key for x in b.content}, b.turn & {"change", "correct"}
    for clause in b.clauses():
        said = {x.key for x in clause.content}
        if told or not any(x.key in whole - said for x in a.content):  # "in Berlin, Germany"
            yield a, clause


# -- what differs ------------------------------------------------------------------------------------------------------


def _alone(a: Statement, b: Statement, cosine: float | None = None) -> list[Atom]:
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


def _without_opposites(left: list[Atom], right: list[Atom]) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
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


_UN = ("un", "in", "im", "ir", "dis", "не")


def _turned(a: str, b: str) -> bool:
    """Whether one word is the other, denied by its beginning: reachable, unreachable."""
    short, long = sorted((a, b), key=len)
    return len(short) > 3 and any(long == p + short for p in _UN)


def _flipped(a: Statement, b: Statement) -> frozenset[str]:
    """What both name and only one denies; nothing where both deny the same thing in two ways ("don't eat", "eat no")."""
    mine, theirs = ({atom.key: atom.denied for atom in said.content} for said in (a, b))
    both = mine.keys() & theirs.keys()
    if any(mine[key] and theirs[key] for key in both):
        return frozenset()
    return frozenset(key for key in both if mine[key] != theirs[key])


def _alike(a: Statement, b: Statement, opposed: Sequence[tuple[Atom, Atom]], flipped: frozenset[str]) -> Relation:
    """Two statements of one content: the same, or opposites of each other."""
    if not opposed and not flipped:
        why = _set_apart(a, b)
        if (
            why in ("prepositions", "order")
            and _weighed(a)
            and _weighed(b)
            and _chosen(a, "") != _chosen(b, "")
            and not _of_two_things(a, b)
        ):
            return _exclude(a, b, "value", f"{_chosen(a, '')} / {_chosen(b, '')}")
        return Relation("other", (why,)) if why else Relation("same", ("the same in other words",))
    if len(opposed) == 1 and opposed[0][0].denied != opposed[0][1].denied:
        apart = _set_apart(a, b) not in ("", "order", "time or change")
        return Relation("other" if apart else "same", ("the opposite, denied",))
    timed = opposed and any(x.kind in ("clock", "date") for x in a.content if _date(x) != "d")
    if timed or (opposed and _other_roles(a, b)):
        return Relation("other", ("opposites at one time, which are two things",))
    shown = [f"{x.form} / {y.form}" for x, y in opposed] or [f"{' '.join(sorted(flipped))}: denied by one"]
    if len(opposed) > 1 or (opposed and flipped) or a.partial or b.partial or _of_two_things(a, b):
        return Relation("other", (*shown, "but not of one thing"))
    if not opposed and any(x.key in flipped and (x.article == "indefinite" or _elsewhere(said, x)) for said in (a, b) for x in said.content):
        return Relation("other", (*shown, "in a clause of its own"))
    if any(_names_a_thing(a, x) and _names_a_thing(b, y) for x, y in opposed):
        return Relation("other", (*shown, "which tells the thing that is meant"))
    return _exclude(a, b, "antonym" if opposed else "negation", shown[0])


def _exclude(a: Statement, b: Statement, signal: str, why: str) -> Relation:
    """Two answers to one question: the newer one replaces the older, or it is of what does not change."""
    fixed = (a.done and b.done) or any(atom.key in stems("frame", "fixed") for atom in a.atoms)
    if {"without", "без"} & {atom.role for atom in (*a.content, *b.content)}:
        fixed = True  # "with milk", "without milk" may be two cups
    return Relation("conflicts" if fixed and not b.turn & {"change", "correct"} else "replaces", (why,), signal=signal)


def _elsewhere(said: Statement, atom: Atom) -> bool:
    """Whether some content stands in another clause than a denied word: «арахис мне нельзя, аллергия»."""
    return atom.denied and any(x.clause != atom.clause for x in said.content)


def _weighed(said: Statement) -> bool:
    """Whether one thing is set above another: "tea over coffee"."""
    return any(x.role in ("than", "over", "to", "чем") for x in said.content)


# -- guards ------------------------------------------------------------------------------------------------------------


def _of_two_things(a: Statement, b: Statement) -> str:
    """Why two statements are of two things or times, whatever their words; "" where nothing says so."""
    if (a.firm | b.firm) & _UNREAL and (a.firm != b.firm or a.firm & {"open", "report"}):
        return "one of them is not so for sure"
    if not _one_person(a, b):
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


def _one_person(a: Statement, b: Statement) -> bool:
    """A team says of itself "we" or nothing, and a brother is mine; whoever says "I", "he" or "you" means one person."""
    if a.person == b.person or {a.person, b.person} <= {"", "we", "i"}:
        return True
    return "" in (a.person, b.person) and not {a.person, b.person} & {"i", "you"}


def _set_apart(a: Statement, b: Statement) -> str:
    """By what two statements of the same words are different ones; "" where by none."""
    if a.firm ^ b.firm:
        return "firmness"
    if (a.turn ^ b.turn) & {"change", "end", "stop", "add", "past", "today", "correct"}:
        return "time or change"
    if not _one_person(a, b) or (a.persons ^ b.persons) - {"we", "i"}:
        return "persons"
    if a.small != b.small or a.rates != b.rates or a.partial != b.partial:
        return "small words"
    if a.done != b.done:
        return "a deed"
    if _counted(a) != _counted(b):
        return "what is counted"
    return _other_roles(a, b) or _other_order(a, b)


def _counted(said: Statement) -> frozenset[tuple[str, str]]:
    """Each number with what it stands before, where there are several: "5 cats and 3 dogs"."""
    found = [(x.key, y.key) for x, y in zip(said.content, said.content[1:], strict=False) if x.kind == "number"]
    return frozenset(found) if len(found) > 1 else frozenset()


def _other_roles(a: Statement, b: Statement) -> str:
    """Whether what both name stands under prepositions that part it: "for Julia", "with Julia"."""
    strict = words("frame", "turning")
    mine, theirs = _roles(a), _roles(b)
    for key in mine.keys() & theirs.keys():
        one, other = mine[key], theirs[key]
        if one & other:
            continue
        if "" not in one | other or (one | other) & strict:
            return "prepositions"
    owners = [{key for key, found in roles.items() if "of" in found} for roles in (mine, theirs)]
    return "prepositions" if owners[0] - owners[1] and owners[1] - owners[0] else ""


def _roles(said: Statement) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for atom in said.content:
        out.setdefault(atom.key, set()).add(atom.role)
    return out


_LISTS = frozenset(("and", "or", "и", "или"))


def _other_order(a: Statement, b: Statement) -> str:
    """Whether two statements put the same content together in two ways: "Leo lent Max", "Max lent Leo"."""
    one, other = ([x.key for x in said.content if x.kind in ("word", "id")] for said in (a, b))
    russian = [x for x in a.content if not x.form.isascii()]
    if russian:
        forms = {x.key: x.form for x in a.content}
        nouns = [x for x in b.content if len(x.form) > 3 and _other_case(forms.get(x.key, x.form), x.form)]
        if one == other:
            named = any(x.capital and x.role in _roles(a)[x.key] for x in nouns)
            return "names" if named else "cases" if len(nouns) >= 2 and len(one) > 2 else ""
        if len(nouns) > 1:
            return "cases" if len(nouns) < len(one) else ""
        if nouns:
            return _swapped_names(a, b)
        free = [[x for x in said.content if not x.role] for said in (a, b)]
        turned = [x.key for x in free[0]] == [x.key for x in free[1]][::-1] and len(free[0]) == 3
        return _swapped_names(a, b) or ("order" if turned and not _oblique(free[0]) else "")
    if one == other:
        return ""
    if ("by" in {x.role for x in a.content}) != ("by" in {x.role for x in b.content}):
        return ""
    free = [[x.key for x in said.content if not x.role and x.kind in ("word", "id")] for said in (a, b)]
    if free[0] == free[1]:
        return ""
    if set(a.flat) & _LISTS and set(b.flat) & _LISTS and _swaps(one, other) == 2:
        return ""
    rotated = any(one[i:] + one[:i] == other for i in range(1, len(one)))
    light = all(any(x.light for x in said.atoms) for said in (a, b))  # "it runs on Postgres", "we use Postgres for it"
    return "" if rotated and (light or (set(a.flat) | set(b.flat)) & words("frame", "is")) else "order"


def _other_case(a: str, b: str) -> bool:
    """Whether two Russian forms are one word in two cases."""
    return a != b and not a.isascii() and a[:-3] == b[: len(a[:-3])] and a[:2] == b[:2]


def _swaps(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(x != y for x, y in zip(one, other, strict=False))


def _swapped_names(a: Statement, b: Statement) -> str:
    """Names in Latin letters have no case in Russian: their order is all that tells who is who."""
    latin = [[x.key for x in said.content if x.form.isascii()] for said in (a, b)]
    return "order" if latin[0] != latin[1] and len(latin[0]) > 1 else ""


def _oblique(free: Sequence[Atom]) -> bool:
    """Whether a case says of the first or last word that it is not the subject."""
    ends = ("у", "ю", "ой", "ей", "ом", "ем", "ами", "ями", "ах", "ях", "ам", "ям", "ов", "ев", "е", "и")
    return any(x.form.endswith(ends) or x.role for x in (free[0], free[-1]))


def _names_a_thing(said: Statement, atom: Atom) -> bool:
    """Whether a word tells which thing is meant: it stands before a noun of the subject ("the old server is")."""
    behind = next((x for x in said.atoms if x.at == atom.at + 1 and not x.role), None)
    be = next((i for i, low in enumerate(said.flat) if low in words("frame", "is")), None)
    if behind is None:
        return False
    if atom.form.isascii():
        return atom.at > 0 and said.flat[atom.at - 1] in _BEFORE and (be is None or atom.at < be or bool(atom.role))
    return atom.form.endswith(_ADJECTIVES)


_BEFORE = frozenset(
    [
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "his",
        "her",
        "its",
        "their",
        "this",
        "that",
        "in",
        "on",
        "at",
        "from",
        "of",
        "for",
        "with",
        "to",
    ]
)
_ADJECTIVES = (
    "ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие", "ого", "его", "ому", "ему", "ую", "юю", "ых", "их", "ым", "им",
)  # fmt: skip


# -- one says more -----------------------------------------------------------------------------------------------------


def _finer(a: Statement, b: Statement, left: list[Atom], right: list[Atom]) -> Relation | None:
    """Whether one holds all of the other and more of the same matter, behind it: "the review is on Thursday at two"."""
    few, many, more = (a, b, right) if not left else (b, a, left)
    if few.done or many.done or len(few.content) < 2 or more[0].at < max(x.at for x in few.content):
        return None
    keys = [x.key for x in many.content][: len(few.content)]
    apart = (few.firm ^ many.firm) - {"about"} or few.rates != many.rates or few.small ^ many.small
    turned = many.turn & {"change", "end", "stop", "add", "past", "today", "correct"} or few.turn
    if keys != [x.key for x in few.content] or apart or turned or many.partial or not _one_person(a, b):
        return None
    if many.times != few.times or any(x.denied for x in more) or few.content[-1].key in stems("who", "people"):
        return None
    before = set(many.flat[max(0, more[0].at - 2) : more[0].at])
    attached = (
        more[0].role
        or more[0].clause > few.content[-1].clause
        or any(x.light for x in many.atoms if x.at < more[0].at <= x.at + 2)
    )
    of = more[0].role == "of" and more[0].clause == few.content[-1].clause
    if before & _LISTS or not attached or of or more[0].role in ("with", "without", "с", "без"):
        return None
    return Relation("refines", ("the same, said more exactly",), finer="new" if many is b else "old")


def _finer_date(left: list[Atom], right: list[Atom]) -> Relation | None:
    """Whether one gives but the month of a day that the other gives: "in May", "on 14 May"."""
    if len(left) != 1 or [x.kind for x in (*left, *right)] != ["date", "date"]:
        return None
    one, other = left[0].key.split("/"), right[0].key.split("/")
    if one[0] != other[0] or len(one) < 2 or len(other) < 2 or (one[1] and other[1]) or one[2:] != other[2:] != []:
        return None
    return Relation("refines", ("the same, with the day",), finer="new" if other[1] else "old")


# -- two answers to one question ---------------------------------------------------------------------------------------


def _excluded(a: Statement, b: Statement) -> Relation | None:
    """Whether a newer statement gives another answer to the question that an older one answers."""
    if why := _ends(a, b):
        return Relation("replaces", (why,), signal="end")
    if _of_two_things(a, b):
        return None
    opposed, left, right = _without_opposites(_alone(a, b), _alone(b, a))
    told = bool(b.turn & {"change", "correct"})
    shared = [x for x in a.content if x.key in {y.key for y in b.content}]
    if not left or not right:
        return None
    if opposed or _flipped(a, b) or a.partial or b.partial or a.rates != b.rates:
        return None
    if any(x.key in stems("who", "people") for x in (*left, *right)):
        return None
    fixed = any(x.key in stems("frame", "fixed") for x in shared) or (_chosen(a) and _chosen(b))
    if not told and (a.done or b.done) and not fixed:
        return None
    if not shared or a.content[0].article == "indefinite":
        return None
    subject = a.content[0].key == b.content[0].key
    for one, other in ((left, right), (_special(left), _special(right))) if told else ((left, right),):
        slack = max(len(left) - len(one), len(right) - len(other))
        if not one or not other or slack > 2 or (slack and len(shared) < 2 and not (subject and slack == 1)):
            continue
        if max(len(one), len(other)) <= _VALUE_ATOMS and (signal := _swap(a, b, one, other, told)):
            shown = f"{' '.join(x.form for x in one)} / {' '.join(x.form for x in other)}"
            return _exclude(a, b, signal, shown)
    return None


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
        return "temporal" if _definite(a, one) and {_date(x) for x in one} == {_date(x) for x in other} else ""
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
    return (atom.key.isdigit() and atom.at == 1) or (
        atom.at > 0
        and atom.at < 3
        and said.content[0].key in stems("number", "numbered")
        and said.content[0].at < atom.at
    )


def _unit(atom: Atom) -> str:
    return atom.key.lstrip("-.0123456789e+")


def _date(atom: Atom) -> str:
    """What kind of date it is: weekday, day, month, year."""
    return atom.key[0] if atom.key[0] in "dy" else "month" if atom.key.endswith("/") else "day"


def _near(a: Atom, b: Atom) -> bool:
    """Whether a time of day may be another one moved: a pill at eight and one at twenty are two."""
    hours = [int(x.key.split(":")[0]) for x in (a, b)]
    return abs(hours[0] - hours[1]) <= 6


def _definite(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether a statement speaks of one certain thing: "the standup", "Anna's flight", no "a meeting"."""
    subject = [x for x in said.content if x.at < value[0].at] or list(said.content)
    if any(x.key in stems("who", "several") or x.article == "indefinite" for x in said.content if x not in value):
        return False
    if said.flat[0] == "у" and said.person in ("i", "we") and not any(x.article for x in said.content):
        return False  # «у меня встреча в 15:00» is one of several
    return any(x.kind in ("word", "id") for x in subject) and bool(
        value[0].role or not value[0].form.isascii() or said.flat
    )


def _one_run(atoms: Sequence[Atom]) -> bool:
    """Whether a value stands in one piece."""
    return all(
        y.at - x.at <= 2 and (y.role in ("", "of") or (x.capital and y.capital)) for x, y in itertools.pairwise(atoms)
    )


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
    if _of_one_kind(one[0], other[0]):
        return True
    if told and a.person == b.person == "i" and one[0].article == other[0].article == "indefinite" and not before:
        return True  # "I'm a nurse", "I'm a paramedic now"
    single = len(one) == len(other) == 1
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
        if single and any(x.role in ("as", "for", "для") for x in a.content if x.at > one[0].at):
            return True  # "yarn as package manager"
        placed = one[0].role == other[0].role != "" and one[0].role not in ("with", "for", "с", "для")
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


_RUSSIAN_VERB = re.compile(
    r".{2}(?:[еи]шь(?:ся)?|[аяуе]ю|[юу]сь|[аяуе]ет|[аяуе]ют|[иеюая]тся|[аяие]л(?:а|и|о|ся|ась|ись)?|ть(?:ся)?)$"
)


def _nominal(said: Statement, value: Sequence[Atom]) -> bool:
    """Whether a Russian sentence has no verb: «Мой тренер — Костя», «Лимит попыток три»."""
    if said.flat[0].isascii() or (said.person and not any(x.article for x in said.atoms)):
        return False
    return not any(_RUSSIAN_VERB.match(x.form) for x in said.atoms if x.at <= value[-1].at and not x.capital)


def _of_one_kind(a: Atom, b: Atom) -> bool:
    kinds = groups("frame", "kinds")
    return a.at > 0 < b.at and a.form in kinds and kinds[a.form] == kinds.get(b.form)


def _question(subject: Sequence[Atom]) -> bool:
    """Whether a subject asks for one value: a certain thing of somebody's ("my flatmate", "the CTO", "Ben's dentist")."""
    return any(x.article == "definite" or x.role == "of" or x.capital or not x.form.isascii() for x in subject)


# -- what says itself that the older is over ---------------------------------------------------------------------------


def _ends(a: Statement, b: Statement) -> str:
    """The words by which a newer statement says that what an older one tells is over; "" where it does not."""
    if (
        not b.over
        or a.turn & {"end", "stop", "past"}
        or (b.firm | a.firm) & _UNREAL
        or not _one_person(a, b)
        or b.partial
    ):
        return ""
    mine = {x.key for x in a.content if not x.denied}
    if a.identifiers - b.identifiers and b.identifiers - a.identifiers and not b.identifiers & mine:
        return ""
    chosen = _chosen(a)
    for over in b.over:
        keys = {x.key for x in over if not x.light} or {x.key for x in over}
        held = keys & mine
        if not held or (held <= {x.key for x in a.content if x.kind == "number"}):
            continue
        rest = {x.key for x in b.content if x.clause == over[0].clause} | keys
        if chosen and chosen in held:
            return f"{chosen}: said to be over"
        if len(held) >= 2 and (mine <= rest or keys <= mine or len(held) / len(mine) >= 0.66):
            return f"{' '.join(sorted(held))}: said to be over"
        if keys == held and len(mine) <= 3 and not any(x.key in stems("who", "people") for x in over):
            return f"{' '.join(sorted(held))}: said to be over"
    return ""


def _chosen(said: Statement, kinds: str = "named") -> str:
    """What a statement says was chosen: "Kafka" of "we chose Kafka over NATS"; of names only unless told otherwise."""
    lows = list(said.flat)
    for _, past, _ in lexicon.phrases("frame", "choice").find(lows):
        found = next((x for x in said.content if x.at >= past), None)
        if found is not None and (not kinds or found.capital or found.kind == "id"):
            return found.key
    return ""


# -- numbers for what may be compared at all ---------------------------------------------------------------------------


def sense(said: Statement) -> int:
    """A number that is equal for any two statements that :func:`relate` may call the same; 64 bits, signed."""
    keys = {x.key if x.kind != "date" else x.key[: x.key.find("/", x.key.find("/") + 1)] for x in said.content}
    return _number(sorted(key if key[:1] == "~" else key[:_STEM_LEAST] for key in keys) or said.flat)


def topic(said: Statement) -> int | None:
    """A number that is equal for any two statements of one thing that may exclude each other: content without amounts,
    dates and words that have opposites; ``None`` where nothing is left."""
    table = opposites()
    keys = sorted({x.key for x in said.content if x.kind in ("word", "id") and x.key not in table})
    return _number(keys) if keys else None


def _number(parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big", signed=True)


# -- values ------------------------------------------------------------------------------------------------------------


def rounds(a: Statement | str, b: Statement | str) -> bool:
    """Whether the first gives about the amounts that the second gives exactly: "about 1,200 euros", "1,185 euros"."""
    one, other = (parse(said) if isinstance(said, str) else said for said in (a, b))
    if "about" not in one.firm or "about" in other.firm:
        return False
    left, right = ([x.key for x in said.atoms if x.kind == "number"] for said in (one, other))
    if (
        len(left) != len(right)
        or not left
        or not {x.key for x in one.content} & {x.key for x in other.content} - {*right}
    ):
        return False
    return all(_rounded(y, x) == float(_NUMBER.match(x)[0]) for x, y in zip(left, right, strict=True))  # type: ignore[index]


_NUMBER = re.compile(r"-?[\d.]+(?:e[+-]?\d+)?")


def _rounded(exact: str, like: str) -> float | None:
    """An amount with as many digits that count as another has: 1,185 like 1,200 is 1,200."""
    value, round_ = (_NUMBER.match(x)[0] for x in (exact, like))  # type: ignore[index]
    if exact[len(value) :] != like[len(round_) :]:
        return None
    digits = len(f"{float(round_):.0f}".rstrip("0")) or 1
    return float(f"{float(value):.{digits - 1}e}")


def same_value(a: str, b: str) -> bool:
    """Whether two values, as written, are one: a synonym, a date, a name in other letters, in another case or short."""
    one, other = parse(a), parse(b)
    if one.rates != other.rates or one.firm != other.firm or one.small != other.small:
        return False
    left, right = Counter(x.key for x in one.atoms), Counter(x.key for x in other.atoms)
    if left and left == right:
        return True
    if any(x.kind != "word" for x in (*one.atoms, *other.atoms)) or any(c.isdigit() for c in a + b):
        return False
    names = (same_name(a, b, person=True), same_name(a, b, person=False))
    return any(name.whole and (name.score >= 0.8 or "initials" in name.kinds) for name in names)
