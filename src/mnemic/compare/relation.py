"""What two statements are to each other: :func:`relate`, the one comparer. Pure; knows no store and no slot.

They are the **same** where every content word, number, name, date, person, polarity and role agrees up to inflection
and listed synonyms. One **refines** the other where it holds all of it and more of the same matter. The newer
**replaces** the older where both answer one question that takes one answer, or where it says itself that the older is
over. They **conflict** where both cannot be true and nothing tells that the world has changed. Else they are **other**.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..text.name_likeness import same_name
from .answers import chosen, date_kind, ends, excluded
from .difference import alone, denied_by_one, of_two_things, one_person, without_opposites
from .lexicon import opposites, stems, words
from .statement import Atom, Statement, parse

__all__ = ["Kind", "Relation", "relate", "rounds", "same_value", "sense", "topic"]

Kind = Literal["same", "refines", "replaces", "conflicts", "other"]

#: Letters of a stem by which what may be one word is found.
_STEM_LEAST = 5


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
    if why := ends(a, b):
        return Relation("replaces", (why,), signal="end")
    left, right = alone(a, b, cosine), alone(b, a, cosine)
    opposed, left, right = without_opposites(left, right)
    flipped = denied_by_one(a, b)
    if not left and not right:
        return _alike(a, b, opposed, flipped)
    if (not left or not right) and not opposed and not flipped and (found := _finer(a, b, left, right)):
        return found
    if found := _finer_date(left, right):
        return found
    plain = [[x for x in found if x.kind != "number"] for found in (left, right)]
    if max(map(len, plain)) < 2 and (rounds(a, b) or rounds(b, a)):
        return Relation("refines", ("the same amount, exactly",), finer="new" if rounds(a, b) else "old")
    for one, other in _views(a, b):
        if answered := excluded(one, other):
            return _exclude(one, other, *answered)
    return Relation("other", ("each says something of its own",))


def _views(a: Statement, b: Statement) -> Iterable[tuple[Statement, Statement]]:
    """The two whole, and the older one beside each clause of the newer."""
    yield a, b
    whole, told = {x.key for x in b.content}, b.turn & {"change", "correct"}
    for clause in b.clauses():
        said = {x.key for x in clause.content}
        if told or not any(x.key in whole - said for x in a.content):  # "in Berlin, Germany"
            yield a, clause


def _alike(a: Statement, b: Statement, opposed: Sequence[tuple[Atom, Atom]], flipped: frozenset[str]) -> Relation:
    """Two statements of one content: the same, or opposites of each other."""
    if not opposed and not flipped:
        why = _set_apart(a, b)
        if (
            why in ("prepositions", "order")
            and _weighed(a)
            and _weighed(b)
            and chosen(a, "") != chosen(b, "")
            and not of_two_things(a, b)
        ):
            return _exclude(a, b, "value", f"{chosen(a, '')} / {chosen(b, '')}")
        return Relation("other", (why,)) if why else Relation("same", ("the same in other words",))
    if len(opposed) == 1 and opposed[0][0].denied != opposed[0][1].denied:
        apart = _set_apart(a, b) not in ("", "order", "time or change")
        return Relation("other" if apart else "same", ("the opposite, denied",))
    timed = opposed and any(x.kind in ("clock", "date") for x in a.content if date_kind(x) != "d")
    if timed or (opposed and _other_roles(a, b)):
        return Relation("other", ("opposites at one time, which are two things",))
    shown = [f"{x.form} / {y.form}" for x, y in opposed] or [f"{' '.join(sorted(flipped))}: denied by one"]
    if len(opposed) > 1 or (opposed and flipped) or a.partial or b.partial or of_two_things(a, b):
        return Relation("other", (*shown, "but not of one thing"))
    if not opposed and any(
        x.key in flipped and (x.article == "indefinite" or _elsewhere(said, x)) for said in (a, b) for x in said.content
    ):
        return Relation("other", (*shown, "in a clause of its own"))
    if any(_names_a_thing(a, x) and _names_a_thing(b, y) for x, y in opposed):
        return Relation("other", (*shown, "which tells the thing that is meant"))
    return _exclude(a, b, "antonym" if opposed else "negation", shown[0])


def _exclude(a: Statement, b: Statement, signal: str, why: str) -> Relation:
    """Two answers to one question: the newer one replaces the older, or it is of what does not change."""
    fixed = (a.done and b.done) or any(atom.key in stems("frame", "fixed") for atom in a.atoms)
    if words("frame", "lacking") & {atom.role for atom in (*a.content, *b.content)}:
        fixed = True  # "with milk", "without milk" may be two cups
    if signal == "end":
        fixed = False
    return Relation("conflicts" if fixed and not b.turn & {"change", "correct"} else "replaces", (why,), signal=signal)


def _elsewhere(said: Statement, atom: Atom) -> bool:
    """Whether some content stands in another clause than a denied word: «арахис мне нельзя, аллергия»."""
    return atom.denied and any(x.clause != atom.clause for x in said.content)


def _weighed(said: Statement) -> bool:
    """Whether one thing is set above another: "tea over coffee"."""
    return any(x.role in words("frame", "weighing") for x in said.content)


def _set_apart(a: Statement, b: Statement) -> str:
    """By what two statements of the same words are different ones; "" where by none."""
    if a.firm ^ b.firm:
        return "firmness"
    if (a.turn ^ b.turn) & {"change", "end", "stop", "add", "past", "today", "correct"}:
        return "time or change"
    if not one_person(a, b) or (a.persons ^ b.persons) - {"we", "i"}:
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
    bare = [[x.key for x in said.content if not x.role and x.kind in ("word", "id")] for said in (a, b)]
    listed = all(set(said.flat) & words("frame", "lists") for said in (a, b))
    if bare[0] == bare[1] or (listed and sum(x != y for x, y in zip(one, other, strict=False)) == 2):
        return ""
    rotated = any(one[i:] + one[:i] == other for i in range(1, len(one)))
    light = all(any(x.light for x in said.atoms) for said in (a, b))  # "it runs on Postgres", "we use Postgres for it"
    return "" if rotated and (light or (set(a.flat) | set(b.flat)) & words("frame", "is")) else "order"


def _other_case(a: str, b: str) -> bool:
    """Whether two Russian forms are one word in two cases."""
    return a != b and not a.isascii() and a[:-3] == b[: len(a[:-3])] and a[:2] == b[:2]


def _swapped_names(a: Statement, b: Statement) -> str:
    """Names in Latin letters have no case in Russian: their order is all that tells who is who."""
    latin = [[x.key for x in said.content if x.form.isascii()] for said in (a, b)]
    return "order" if latin[0] != latin[1] and len(latin[0]) > 1 else ""


def _oblique(free: Sequence[Atom]) -> bool:
    """Whether a case says of the first or last word that it is not the subject."""
    oblique = tuple(words("frame", "oblique"))
    return any(x.form.endswith(oblique) or x.role for x in (free[0], free[-1]))


def _names_a_thing(said: Statement, atom: Atom) -> bool:
    """Whether a word tells which thing is meant: it stands before a noun of the subject ("the old server is")."""
    behind = next((x for x in said.atoms if x.at == atom.at + 1 and not x.role), None)
    be = next((i for i, low in enumerate(said.flat) if low in words("frame", "is")), None)
    if behind is None:
        return False
    if atom.form.isascii():
        return (
            atom.at > 0
            and said.flat[atom.at - 1] in words("frame", "before")
            and (be is None or atom.at < be or bool(atom.role))
        )
    return atom.form.endswith(tuple(words("frame", "adjectives")))


def _finer(a: Statement, b: Statement, left: list[Atom], right: list[Atom]) -> Relation | None:
    """Whether one holds all of the other and more of the same matter, behind it: "the review is on Thursday at two"."""
    few, many, more = (a, b, right) if not left else (b, a, left)
    if few.done or many.done or len(few.content) < 2 or more[0].at < max(x.at for x in few.content):
        return None
    keys = [x.key for x in many.content][: len(few.content)]
    apart = (few.firm ^ many.firm) - {"about"} or few.rates != many.rates or few.small ^ many.small
    turned = many.turn & {"change", "end", "stop", "add", "past", "today", "correct"} or few.turn
    if keys != [x.key for x in few.content] or apart or turned or many.partial or not one_person(a, b):
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
    if before & words("frame", "lists") or not attached or of or more[0].role in words("frame", "with"):
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
