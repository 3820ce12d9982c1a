"""How far two written names may be one and the same, and why: evidence, not a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from ..lang.pack import languages, load, words
from .name_forms import (
    CYRILLIC,
    MAX_NAME,
    Parse,
    Reading,
    canonical_forms,
    english_names,
    folded,
    guesses,
    latin_shorts,
    parses,
    skeleton,
    without_generic,
)

__all__ = ["Evidence", "in_another_case", "same_name"]

_NUMBER = re.compile(r"\d+")
_MAX_PARSES = 12
_OF_THE_WHOLE = frozenset({"letters", "spelling", "guess"})  # counted once, in however many words
_LEAST_LETTERS = 3  # of a name whose letters may be of another alphabet: «ИТ» is not "IT" for that reason


class Evidence(NamedTuple):
    """How far two names may be one: 0…1, why in words, and the rows of :func:`weights`."""

    score: float
    reason: str
    kinds: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the names agree as a whole, not by a first name, a surname or an initial only."""
        return self.score > 0 and not {"first", "last", "initial"} & set(self.kinds)


@dataclass(frozen=True, slots=True)
class Weight:
    """How much a likeness of two names says, 0…1, and in words; two names that are alike in this way only."""

    score: float
    reason: str
    one: str
    other: str


@cache
def weights() -> Mapping[str, Weight]:
    """Likeness → weight; several at once are multiplied."""
    return {name: Weight(**row) for name, row in load("", "names")["weight"].items()}


@cache
def noun_endings() -> tuple[tuple[str, ...], ...]:
    """Endings of one noun or adjective, the nominative's first."""
    every = (row for language in languages() for row in load(language, "names").get("noun_endings", ()))
    return tuple(tuple(ending.strip("-") for ending in row.split()) for row in every)


@cache
def _generations() -> Mapping[str, str]:
    """Word that tells father from son → which of them."""
    tables = [load(language, "names").get("generation", {}) for language in languages()]
    return {word: which for table in tables for which, said in table.items() for word in said.split()}


_NONE = Evidence(0.0, "different names")


@lru_cache(maxsize=50_000)
def same_name(one: str, other: str, *, person: bool = True) -> Evidence:
    """How far two written names may be one and the same, 0…1, with the reason. Numbers in them must be equal.

    Args:
        one, other: in any order. person: names of persons, with given name and surname; other names are compared
            whole: equal but for the letters («ДГИА», DGIA), the case («в Газпроме») or spaces.
    """
    a, b = sorted((folded(one), folded(other)))
    if not a:
        return Evidence(0.0, "no name")
    if a == b:
        return _evidence(["same"])
    if max(len(a), len(b)) > MAX_NAME:
        return _NONE
    if _NUMBER.findall(a) != _NUMBER.findall(b):
        return Evidence(0.0, "the numbers differ")
    return _persons(a, b) if person else _things(a, b)


def in_another_case(one: str, other: str) -> bool:
    """Whether two names, of a person or of anything else, differ by the case at most."""
    found = (same_name(one, other, person=person) for person in (True, False))
    return any(evidence.score > 0 and {"same", "case", "guess"}.issuperset(evidence.kinds) for evidence in found)


def _evidence(kinds: Sequence[str]) -> Evidence:
    score = 1.0
    for kind in kinds:
        score *= weights()[kind].score
    return Evidence(round(score, 3), ", ".join(weights()[kind].reason for kind in dict.fromkeys(kinds)), tuple(kinds))


# -- persons ----------------------------------------------------------------------------------------------------------


def _generation(name: str) -> tuple[str, str]:
    """A name without the word that tells father from son, and which of them it says; ``""`` where it says nothing."""
    head, _, last = name.replace(",", " ").replace("-", " ").rstrip(". ").rpartition(" ")
    which = _generations().get(last, "")
    return (" ".join(name[: len(head)].replace(",", " ").split()), which) if head and which else (name, "")


def _persons(a: str, b: str) -> Evidence:
    (a, ours), (b, theirs) = _generation(a), _generation(b)
    if ours == theirs:
        return _alike_persons(a, b)
    whole, part = (a, b) if ours else (b, a)
    if (ours and theirs) or " " in part or " " not in whole:
        return Evidence(0.0, "one of them is the younger, the older or another of that name")
    return _alike_persons(a, b)  # a bare name may be that of either


def _alike_persons(a: str, b: str) -> Evidence:
    if a == b:
        return _evidence(["same"])
    best = _NONE
    ours, theirs = parses(a)[:_MAX_PARSES], parses(b)[:_MAX_PARSES]
    several = set(canonical_forms(a)) != set(canonical_forms(b))
    for x in ours:
        for y in theirs:
            found = _aligned(x, y) if len(x.words) <= len(y.words) else _aligned(y, x)
            if found is None or {x.gender, y.gender} == {"m", "f"}:
                continue
            kinds = [kind for i, kind in enumerate(found) if kind not in _OF_THE_WHOLE or kind not in found[:i]]
            if x.moved != y.moved:
                kinds.append("order")
            if (not x.nominative and ours[0].nominative) or (not y.nominative and theirs[0].nominative):
                kinds.append("doubtful")
            else:
                if not (x.nominative and y.nominative):
                    kinds.append("case")
                if several and (_unsure(ours) or _unsure(theirs)):
                    kinds.append("several")
            best = max(best, _evidence(kinds or ["same"]))
    return best


def _unsure(read: Sequence[Parse]) -> bool:
    """Whether a written form stands for more than one name, among the readings as likely as the first."""
    alike = [p for p in read if p.nominative == read[0].nominative]
    stiff = min(sum(word.how == "word" for word in p.words) for p in alike)
    return len({tuple(w.lemma for w in p.words) for p in alike if sum(w.how == "word" for w in p.words) == stiff}) > 1


def _aligned(x: Parse, y: Parse) -> tuple[str, ...] | None:
    """Likenesses of a name and one that has as many words or more; ``None`` where they cannot be one."""
    short, long = x.words, y.words
    n, m = len(short), len(long)
    if n == 1 and "initial" in (short[0].how, long[0].how):
        return None
    if n == m:
        straight = _all_alike(short, long)
        if straight is None and n == 2 and (turned := _all_alike(short, long[::-1])) is not None:
            return (*turned, "order")
        return straight
    if (tail := _all_alike(short, long[-n:])) is not None and short[0].lemma in words("names", "particles"):
        return (*tail, "last")
    if n == 1:
        for word, kind in ((long[0], "first"), (long[-1], "last")):
            if (found := _alike(short[0], word)) is not None and (kind == "first" or word.how != "patronymic"):
                return (*found, kind)
        return None
    if (head := _all_alike(short, long[:n])) is not None:
        return (*head, "patronymic")
    ends = _all_alike((short[0], short[-1]), (long[0], long[-1]))
    inner = [word for word in short[1:-1] if all(_alike(word, other) is None for other in long[1:-1])]
    return None if ends is None or inner else (*ends, "inner")


def _all_alike(xs: Sequence[Reading], ys: Sequence[Reading]) -> tuple[str, ...] | None:
    kinds: tuple[str, ...] = ()
    for x, y in zip(xs, ys, strict=True):
        found = _alike(x, y)
        if found is None:
            return None
        kinds += found
    return kinds


def _alike(x: Reading, y: Reading) -> tuple[str, ...] | None:
    """In what two words are alike, nothing where they are the same; ``None``: in nothing."""
    if x.lemma == y.lemma:
        if x.base == y.base:
            return ()
        return ("short",) * sum(word.how == "short" for word in (x, y)) or ("variant",)
    if "initial" in (x.how, y.how):
        return ("initial",) if x.how != y.how and skeleton(x.lemma)[:1] == skeleton(y.lemma)[:1] else None
    cyrillic = [bool(CYRILLIC.search(word.lemma)) for word in (x, y)]
    if cyrillic == [True, True]:
        return ("guess",) if any(g.lemma == b.lemma for a, b in ((x, y), (y, x)) for g in _guessed(a)) else None
    one, other = {skeleton(x.lemma), skeleton(x.base)}, {skeleton(y.lemma), skeleton(y.base)}
    if one & other:
        if any(cyrillic):
            return ("letters",)
        # In one script another first letter is another name: Jan is not Ian, Karl need not be Carl.
        return ("spelling",) if x.lemma[:1] == y.lemma[:1] else None
    known = latin_shorts()
    if any(skeleton(b.lemma) in known.get(skeleton(a.base), ()) for a, b in ((x, y), (y, x))):
        return ("latin",)
    return None if any(cyrillic) else _english(x.lemma, y.lemma)


def _guessed(word: Reading) -> list[Reading]:
    return guesses(word.lemma) if word.how == "word" else []


def _english(one: str, other: str) -> tuple[str, ...] | None:
    short = english_names()
    fulls = short.get(one, frozenset()), short.get(other, frozenset())
    if other in fulls[0] or one in fulls[1]:
        return ("english",)
    return ("english", "english") if fulls[0] & fulls[1] else None


# -- things -----------------------------------------------------------------------------------------------------------


def _things(a: str, b: str) -> Evidence:
    kinds = [
        kind
        for kind in (_apart(a, b), _generic(a, b), _letters(a, b), _declined(a, b), _initials(a, b) or _initials(b, a))
        if kind
    ]
    return max((_evidence([kind]) for kind in kinds), default=_NONE)


def _generic(a: str, b: str) -> str | None:
    """Equal but for words like "Inc." and "project", of which at least one name has some."""
    return "generic" if without_generic(a) == without_generic(b) and _compact(a) != _compact(b) else None


def _compact(name: str) -> str:
    return "".join(c for c in name if c.isalnum() or c in "+#")


def _apart(a: str, b: str) -> str | None:
    """Written in one word and in two ("Open AI"); where there are numbers, the signs between them matter."""
    return "spacing" if _compact(a) == _compact(b) != "" and not _NUMBER.search(a) else None


def _letters(a: str, b: str) -> str | None:
    if bool(CYRILLIC.search(a)) == bool(CYRILLIC.search(b)):
        return None
    one, other = [skeleton(word) for word in a.split()], [skeleton(word) for word in b.split()]
    return "letters" if one == other and sum(map(len, one)) >= _LEAST_LETTERS else None


def _declined(a: str, b: str) -> str | None:
    """Whether the words of one name are case forms of those of the other."""
    ours, theirs = a.split(), b.split()
    if len(ours) != len(theirs):
        return None
    kinds, nominatives = set(), {endings[0] for endings in noun_endings()}
    for one, other in zip(ours, theirs, strict=True):
        if one != other:
            pairs = set(_endings(one, other)) if CYRILLIC.search(one) else set()
            if not pairs:
                return None
            kinds.add("guess" if all(set(pair) <= nominatives for pair in pairs) else "case")
    return "guess" if "guess" in kinds else "case"


def _endings(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Pairs of endings of one noun by which two words differ; at least three letters are common."""
    common = next((i for i, (c, d) in enumerate(zip(one, other, strict=False)) if c != d), min(len(one), len(other)))
    for cut in range(common, max(2, common - 3), -1):
        pair = one[cut:], other[cut:]
        if any(set(pair) <= set(endings) for endings in noun_endings()):
            yield pair


def _initials(short: str, long: str) -> str | None:
    parts = long.replace("-", " ").split()
    if " " in short or not 2 <= len(parts) <= 10:
        return None
    return "initials" if skeleton("".join(word[0] for word in parts)) == skeleton(short) else None
