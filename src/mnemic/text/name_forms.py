"""Which written names may be one: case forms and short names (Russian), short names (English), other letters.

A Russian name changes by case («Саше Орлову»), and one form may stand for several names («Саше»: Александр or
Александра). Every word is *read* in all ways the tables allow, and the words of a name must agree in gender and case:
«Саше Орлову» is Александр Орлов, «Александру Орлову» a man or a woman. Names that are in no table do not decline,
except beside a word that shows the case («Виктору Браку»).

Nothing here knows entities: :mod:`mnemic.consolidate.link` decides what the evidence is worth.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from ..lang import pack
from ..lang.pack import languages, load, words
from .analyse import clean, fold

__all__ = [
    "CYRILLIC",
    "MAX_NAME",
    "Given",
    "Parse",
    "Reading",
    "canonical_forms",
    "decline",
    "english_names",
    "folded",
    "gender_of",
    "given_names",
    "guesses",
    "latin_shorts",
    "name_keys",
    "parses",
    "skeleton",
    "without_generic",
]

_ALL = "ngdaip"
_CASES = "gdaipn"  # of the forms of a pattern; the last, an address («Саш»), is as good as a nominative
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_OUTER = "".join(c for c in map(chr, range(0x250)) if not c.isalnum() and c not in "+#.@") + "“”„‘’‹›…「」『』《》"
CYRILLIC = re.compile("[\u0400-\u04ff]")
MAX_NAME = 120  # characters; what is longer is a sentence, and is only ever equal to itself
_MAX_WORDS = 5
_MAX_PARSES = 200
_LONGEST = 6  # letters of an ending in the tables


@dataclass(frozen=True, slots=True)
class Given:
    """A Russian given name: folded, ``m`` or ``f``, its other spellings and its short names."""

    name: str
    gender: str
    variants: tuple[str, ...]
    shorts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """How words of one ending decline.

    Attributes:
        ending: of the nominative; the longest one that fits wins. genders: whose names these are.
        forms: endings in place of it: genitive, dative, accusative, instrumental, prepositional, vocative
            ("/" between equals, "-" none: the bare stem, "" no such form).
        example: a name and all its forms in this order, as the test wants them.
    """

    ending: str
    genders: str
    forms: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a word: whose nominative it may be, of which gender ("" any), in which cases."""

    lemma: str  # full name
    base: str  # nominative as written: the short name, the other spelling
    gender: str
    cases: frozenset[str]
    how: str  # full, variant, short, patronymic, surname, plain, word, initial


def _whole(word: str, how: str = "word") -> Reading:
    return Reading(word, word, "", frozenset(_ALL), how)


@dataclass(frozen=True, slots=True)
class Parse:
    """One way to read a whole name: words in the order given name, patronymic, surname."""

    words: tuple[Reading, ...]
    gender: str
    nominative: bool
    moved: bool  # the surname stood first


def folded(name: str) -> str:
    """A name for comparison, in every script: case, accents, width, stress and vowel points, outer quotes folded.

    Word by word, so that «Café Москва» loses its accent too; a possessive ``'s`` is dropped.
    """
    name = _MARKS.sub("", unicodedata.normalize("NFC", clean(name)))
    if not name.isascii():
        name = "".join(unicodedata.normalize("NFKC", c) if "\uff00" <= c <= "\uffef" else c for c in name)
    name = " ".join(fold(word) for word in name.split()).strip(_OUTER)
    while name.endswith("'s"):
        name = name[:-2].rstrip(_OUTER)
    return name


def without_generic(name: str) -> list[str]:
    """Words of a folded name of a thing, without those at its ends that say what it is; all, where nothing else is."""
    words = [word for word in (part.strip(_OUTER + ".") for part in name.split()) if word]
    first, last, generic = 0, len(words), pack.words("names", "generic")
    while first < last and words[first] in generic:
        first += 1
    while first < last and words[last - 1] in generic:
        last -= 1
    left = words[first:last]
    return left if any(c.isalpha() for word in left for c in word) else words


# -- tables, read once ------------------------------------------------------------------------------------------------


def _lines(key: str) -> list[str]:
    """The lines of all languages under a key of ``names.toml``."""
    return [line for language in languages() for line in load(language, "names").get(key, "").splitlines()]


@cache
def _classes() -> dict[str, str]:
    """Capital in an ending → the letters of which one stands there («С» is any consonant)."""
    return dict(pair.split(":") for pair in pack.words("names", "classes"))


@cache
def patterns(kind: str) -> tuple[Pattern, ...]:
    """How names decline: ``given``, ``surname`` (with patronymics), or ``plain``: other words used as names."""
    found = []
    for line in _lines(kind):
        head, _, rest = line.partition(": ")
        forms, _, example = rest.partition(" = ")
        padded = (*forms.split(), "", "", "", "", "", "")[: len(_CASES)]
        ending, genders = head.split()
        found.append(Pattern(ending, genders, padded, example))
    return tuple(found)


@cache
def given_names() -> tuple[Given, ...]:
    """The table of Russian given names."""
    out = []
    for line in _lines("given_names"):
        head, _, shorts = line.partition(":")
        names, gender = head.split()
        name, *variants = names.split("=")
        out.append(Given(name, gender, tuple(variants), tuple(dict.fromkeys(shorts.split()))))
    return tuple(out)


@cache
def english_names() -> dict[str, frozenset[str]]:
    """English short name → full names."""
    out: dict[str, set[str]] = {}
    for row in "|".join(_lines("short_names")).split("|"):
        name, _, shorts = row.partition(":")
        for short in shorts.split():
            out.setdefault(short, set()).add(name.strip())
    return {short: frozenset(names) for short, names in out.items()}


@cache
def _given_forms() -> dict[str, tuple[Reading, ...]]:
    """Every case form of every given and short name → its readings, nominative ones first."""
    out: dict[str, dict[tuple[str, str, str, str], set[str]]] = {}
    for given in given_names():
        written = [
            (given.name, "full"),
            *((v, "variant") for v in given.variants),
            *((s, "short") for s in given.shorts),
        ]
        for word, how in written:
            for form, cases in decline(word, given.gender, address=how == "short").items():
                out.setdefault(form, {}).setdefault((given.name, word, given.gender, how), set()).update(cases)
    return {
        form: _sorted(
            Reading(lemma, base, gender, frozenset(cases), how) for (lemma, base, gender, how), cases in found.items()
        )
        for form, found in out.items()
    }


@cache
def latin_shorts() -> dict[str, frozenset[str]]:
    """Skeleton of a Russian given or short name → skeletons of the full names."""
    out: dict[str, set[str]] = {}
    for given in given_names():
        for word in (given.name, *given.variants, *given.shorts):
            out.setdefault(skeleton(word), set()).add(skeleton(given.name))
    return {word: frozenset(names) for word, names in out.items()}


# -- endings ----------------------------------------------------------------------------------------------------------


def _fits(pattern: Pattern, word: str) -> str | None:
    """The part of a nominative before the pattern's ending, ``None`` where it has another."""
    letters = _classes().get(pattern.ending[:1], "")
    ending = pattern.ending[1:] if letters else pattern.ending
    stem = word.removesuffix(ending)
    if len(stem) < (2 if letters else 0) or (ending and stem == word) or (letters and stem[-1] not in letters):
        return None
    return stem


def _narrow(pattern: Pattern) -> tuple[int, int]:
    return len(pattern.ending), -len(_classes().get(pattern.ending[:1], ""))


def decline(word: str, gender: str, *, address: bool = False) -> dict[str, str]:
    """Case forms of a folded Russian given name → letters of the cases (n g d a i p).

    ``address``: also the clipped form in which one is called, as a nominative («Саш»; «Александр» is no «Александра»).
    What fits no pattern, like a woman's name in a consonant, does not decline.
    """
    out = {word: "n"}
    fitting = [p for p in patterns("given") if gender in p.genders and _fits(p, word) is not None]
    if (
        not fitting and gender == "f" and word.endswith(tuple(pack.words("names", "diminutives")))
    ):  # «Светик» declines as a word, not by the woman
        fitting = [p for p in patterns("given") if "m" in p.genders and _fits(p, word) is not None]
    if not fitting:
        return {word: _ALL}
    for form, case in _forms(max(fitting, key=_narrow), word, address=address):
        out[form] = out.get(form, "") + case
    return out


def _forms(pattern: Pattern, word: str, *, address: bool) -> Iterator[tuple[str, str]]:
    stem = _fits(pattern, word) or ""
    for case, endings in zip(_CASES, pattern.forms[: None if address else -1], strict=False):
        for ending in filter(None, endings.split("/")):
            yield stem + ending.strip("-"), case


@cache
def _by_ending(table: tuple[Pattern, ...]) -> dict[str, list[tuple[Pattern, str, str]]]:
    """Ending of a form → pattern, ending of its nominative, case."""
    out: dict[str, list[tuple[Pattern, str, str]]] = {}
    for pattern in table:
        nominative = pattern.ending[1:] if pattern.ending[:1] in _classes() else pattern.ending
        out.setdefault(nominative, []).append((pattern, nominative, "n"))
        for case, endings in zip(_CASES, pattern.forms, strict=True):
            for ending in filter(None, endings.split("/")):
                out.setdefault(ending, []).append((pattern, nominative, case))
    return out


def _read(word: str, declined: tuple[Pattern, ...], how: str) -> list[Reading]:
    """Nominatives that a word may be a case form of. Stems have two letters at least."""
    found: dict[tuple[str, str], set[str]] = {}
    table = _by_ending(declined)
    for size in range(min(_LONGEST, len(word) - 2), -1, -1):
        stem = word[: len(word) - size]
        for pattern, nominative, case in table.get(word[len(stem) :], ()):
            if _fits(pattern, stem + nominative) == stem:
                gender = pattern.genders if len(pattern.genders) == 1 else ""
                found.setdefault((stem + nominative, gender), set()).add(case)
        if found and size > 2 and how == "plain":
            break  # «Толстому» is a form of «Толстой» rather than of «Толстом»
    return [
        Reading(
            lemma,
            lemma,
            gender,
            frozenset(cases),
            "patronymic" if lemma.endswith(tuple(pack.words("names", "patronymics"))) else how,
        )
        for (lemma, gender), cases in found.items()
    ]


def _sorted(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    return tuple(sorted(readings, key=lambda r: ("n" not in r.cases, r.how, r.lemma, r.gender)))


@lru_cache(maxsize=50_000)
def _word(word: str, beside: bool) -> tuple[Reading, ...]:
    """Readings of one folded word; ``beside``: other words of the name can show the case."""
    if len(word) == 1 and word.upper() != word:  # «王» is a name
        return (_whole(word, "initial"),)
    whole = _whole(word)
    if not CYRILLIC.search(word):
        return (whole,)
    if "-" in word:
        parts = [_word(part, beside) for part in word.split("-") if part][:3]
        joined = [("-".join(r.lemma for r in p.words), p) for p in _together(parts)] if len(parts) > 1 else []
        return _sorted({Reading(lemma, lemma, p.gender, _common(p.words), "word") for lemma, p in joined}) or (whole,)
    out = list(_given_forms().get(word, ()))
    if out and not beside:
        return tuple(out)
    surnames = _read(word, patterns("surname"), "surname")
    if beside and not surnames and not out:
        out += [r for r in _read(word, patterns("plain"), "plain") if "n" not in r.cases]
    return _sorted([*out, *surnames, *([] if surnames or word in _given_forms() else [whole])])


def guesses(word: str) -> list[Reading]:
    """Nominatives of a word that no table knows, if it were a case form («Браку» → «Брак»)."""
    if not CYRILLIC.search(word) or word in _given_forms() or len(word) < 4:
        return []
    return [r for r in _read(word, patterns("plain"), "plain") if "n" not in r.cases]


def _common(words: Iterable[Reading]) -> frozenset[str]:
    return frozenset.intersection(*(word.cases for word in words))


def _together(found: Sequence[Sequence[Reading]]) -> list[Parse]:
    """The words as one name, in every way in which they agree in gender and case."""
    out = [Parse((), "", True, False)]
    for readings in found:
        longer = [
            (parse, (*parse.words, word))
            for parse in out
            for word in readings
            if parse.gender in ("", word.gender or parse.gender)
        ]
        out = [
            Parse(words, parse.gender or words[-1].gender, "n" in cases, False)
            for parse, words in longer[:_MAX_PARSES]
            if (cases := _common(words))
        ]
    return out


def _ordered(parse: Parse) -> Parse:
    """A Russian name that begins with the surname («Орлов Виктор Петрович») turned round."""
    hows = [word.how for word in parse.words]
    if len(hows) > 1 and hows[0] in ("surname", "word", "plain") and hows[1] in ("full", "variant", "short"):
        return Parse((*parse.words[1:], parse.words[0]), parse.gender, parse.nominative, True)
    return parse


def _rank(parse: Parse) -> tuple[bool, int]:
    """Nominatives first; then those in which fewest words stay as they are while the others decline."""
    stiff = sum(word.how == "word" for word in parse.words)
    given = sum(word.how in ("full", "variant", "short", "patronymic") for word in parse.words)
    return not parse.nominative, stiff - given


@lru_cache(maxsize=50_000)
def parses(name: str) -> tuple[Parse, ...]:
    """All ways to read a folded name, the likeliest first; one plain reading for what is no name of a person."""
    words = name.replace(".", ". ").split()
    words = [word.strip("., ") for word in words if word.strip("., ")]
    if not 0 < len(words) <= _MAX_WORDS or len(name) > MAX_NAME:
        return (Parse((_whole(name),), "", True, False),)
    parses = dict.fromkeys(map(_ordered, _together([_word(word, len(words) > 1) for word in words])))
    if not parses:
        return (Parse(tuple(map(_whole, words)), "", True, False),)
    return tuple(sorted(parses, key=_rank)[:_MAX_PARSES])


# -- what others ask --------------------------------------------------------------------------------------------------


def canonical_forms(name: str) -> tuple[str, ...]:
    """Full nominative names, folded, that a written name of a person may stand for, likeliest first.

    «Саше» → александр, александра; «Саше Орлову» → александр орлов; «Орловым» → орлов; a name that no table knows
    gives itself. Empty for an empty name.
    """
    name = folded(name)
    return tuple(dict.fromkeys(" ".join(w.lemma for w in parse.words) for parse in parses(name))) if name else ()


def gender_of(name: str) -> str:
    """``m`` or ``f`` where every reading of a Russian name says so, else an empty string."""
    genders = {parse.gender for parse in parses(folded(name))}
    return genders.pop() if len(genders) == 1 else ""


@cache
def _letters() -> dict[str, str]:
    """Letter of another script → Latin ones."""
    pairs = (pair.partition(":") for pair in pack.words("names", "letters"))
    return {letter: latin for letter, _, latin in pairs}


@lru_cache(maxsize=50_000)
def skeleton(name: str) -> str:
    """A folded name in Latin letters, in one of the spellings that romanisations differ in («Юрий», Yuri → iuri)."""
    text = "".join(_letters().get(c, c) for c in name)
    for pair in load("", "names")["spellings"].split():
        old, new = pair.split(":")
        text = text.replace(old, new.strip("-"))
    return "".join(c for i, c in enumerate(text) if not i or c != text[i - 1] or c.isdigit())


@lru_cache(maxsize=50_000)
def name_keys(name: str) -> frozenset[str]:
    """Keys under which names meet: where :func:`mnemic.text.name_likeness.same_name` of two names is above 0, they have
    one in common."""
    name = folded(name)
    if len(name) > MAX_NAME:
        return frozenset((name,))
    words = name.replace(".", " ").split()
    out = {skeleton(word) for word in words} | {skeleton("".join(words))}
    for parse in parses(name):
        out.update(skeleton(word.lemma) for word in parse.words)
    for word in words[:_MAX_WORDS]:
        out.update(map(skeleton, english_names().get(word, ())))
        out.update(latin_shorts().get(skeleton(word), ()))
        out.update(skeleton(r.lemma) for r in guesses(word))
        out.add(f"{skeleton(word[0])[:1]}.")
    out.add(skeleton("".join(word[0] for word in words)))
    out.add(skeleton("".join(without_generic(name))))
    return frozenset(out)


_MAX = 200  # characters of a written name with its role; what is longer stays whole

#: Signs that part a name from what follows it → the detail that follows. The first in the text wins.
_SIGNS = ((", ", "role"), (" — ", "role"), (" – ", "role"), (" - ", "role"), (" (", "role"))


@cache
def _separators() -> tuple[tuple[str, str], ...]:
    """Signs and words, with blanks around them, that part a name from what follows it → the detail that follows."""
    said = (load(language, "names").get("separator", {}) for language in languages())
    return (*_SIGNS, *((f" {word} ", kind) for table in said for kind, word in table.items()))


@cache
def _leads() -> Mapping[str, str]:
    """Beginnings of a further detail ("Junlei, tech lead, from core team") → its kind."""
    return {word: kind for language in languages() for kind, word in load(language, "names").get("detail", {}).items()}


@cache
def _in_all_cases(key: str) -> frozenset[str]:
    """Titles or roles, with the endings of cases where a language has some."""
    tables = [load(language, "names") for language in languages()]
    return frozenset(
        word + end
        for table in tables
        for word in table.get(key, "").split()
        for end in ("", *table.get("endings", "").split())
    )


@dataclass(frozen=True, slots=True)
class Parted:
    """A person's name without what was said beside it; ``details``: role, title, from, at, alias."""

    name: str
    details: Mapping[str, str] = field(default_factory=dict)


def parted(written: str) -> Parted:
    """Split the name of a person from role, title, team and place. What does not look so comes back whole."""
    text = " ".join(clean(written).split())
    if len(text) > _MAX:
        return Parted(text)
    details: dict[str, str] = {}
    found = [(at, sign, kind) for sign, kind in _separators() if (at := text.lower().find(sign)) > 0]
    if found and len(text) == len(text.lower()):
        at, sign, kind = min(found)
        text, rest = text[:at], text[at + len(sign) :].replace(")", "").strip(" ,")
        text = _after(text, rest, kind, sign, details)
    return Parted(_before(text, details), details)


def _after(name: str, rest: str, kind: str, sign: str, details: dict[str, str]) -> str:
    """Read what follows a name; returns the name."""
    if sign == ", " and fold(rest) in words("names", "suffixes"):
        return f"{name} {rest}"
    if sign == ", " and " " not in rest and _is_given(rest):  # «Орлов, Виктор»; or two people, of whom the first counts
        surname = name.split()
        turned = not _is_given(surname[0]) and (len(surname) == 1 or fold(surname[0]) in words("names", "particles"))
        return f"{rest} {name}" if turned else name
    for i, piece in enumerate(part.strip() for part in re.split(r"[,;(]", rest)):
        lead, _, tail = piece.partition(" ")
        if tail and (found := _leads().get(fold(lead))):
            details.setdefault(found, tail)
        elif piece:
            details.setdefault(kind if i == 0 else "role", piece)
    return name


def _before(text: str, details: dict[str, str]) -> str:
    """Take titles, roles and "our" off the front of a name."""
    parts = text.split()
    if fold(parts[0] if parts else "") in _leads() or any(fold(word) in words("names", "and") for word in parts):
        return text
    at = next(
        (
            i
            for i, word in enumerate(parts)
            if word[:1].isupper() and fold(word) not in _in_all_cases("titles") | _in_all_cases("roles")
        ),
        None,
    )
    last = max((i for i, word in enumerate(parts[:-1]) if fold(word) in _in_all_cases("roles")), default=-1)
    if (
        0 <= last < len(parts) - 1
        and parts[last + 1][:1].isupper()
        and all(fold(w) not in words("names", "particles") for w in parts[: last + 1])
    ):
        start = last + 1
    elif at and fold(parts[0]) not in words("names", "particles") and all(_is_beside(word) for word in parts[:at]):
        start = at
    else:
        start = 0
    said = [word for word in parts[:start] if fold(word) not in words("names", "determiners")]
    for word in said:
        if fold(word).rstrip(".") in _in_all_cases("titles"):
            details.setdefault("title", word)
    if role := " ".join(word for word in said if fold(word).rstrip(".") not in _in_all_cases("titles")):
        details.setdefault("role", role)
    parts = parts[start:]
    while len(parts) > 1 and fold(parts[0]).rstrip(".") in _in_all_cases("titles"):
        details.setdefault("title", parts.pop(0))
    return " ".join(parts)


def _is_beside(word: str) -> bool:
    return not word[:1].isupper() or fold(word).rstrip(".") in _in_all_cases("titles") | _in_all_cases("roles")


def _is_given(word: str) -> bool:
    """Whether a capitalised word is a given name of the tables, in either alphabet."""
    name, english = fold(word), english_names()
    if not word[:1].isupper():
        return False
    if name in english or skeleton(name) in latin_shorts() or any(name in fulls for fulls in english.values()):
        return True
    return any(w.how in ("full", "variant", "short") for parse in parses(name) for w in parse.words)
