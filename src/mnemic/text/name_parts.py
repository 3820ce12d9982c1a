"""What is said beside a person's name: "Junlei, tech lead", "Dr. Smith", «наш бухгалтер Иванова», "Anna from Riga".

The role is a detail of the person, never a part of the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .analyse import clean, fold
from .name_forms import english_names, latin_shorts, parses, skeleton
from .name_tables import PARTICLES

_MAX = 200  # characters of a written name with its role; what is longer stays whole

#: What parts a name from what follows it → the detail that follows. The first in the text wins.
SEPARATORS: tuple[tuple[str, str], ...] = (
    (", ", "role"), (" — ", "role"), (" – ", "role"), (" - ", "role"), (" (", "role"), (" aka ", "alias"),
    (" from ", "from"), (" из ", "from"), (" at ", "at"),
)  # fmt: skip
#: Beginnings of a further detail ("Junlei, tech lead, from core team").
LEADS = {"from": "from", "из": "from", "at": "at", "в": "at", "aka": "alias"}
#: Belong to the name, although a comma stands before them.
SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "мл.", "ст.", "младший", "старший"})
_TITLES = "mr mrs ms miss dr prof professor sir dame lord lady mx г-н г-жа госпожа госпожи госпоже госпожу госпожой д-р проф тов"
_RUSSIAN_TITLES = "господин доктор профессор товарищ"
_ROLES = """
lead manager engineer developer designer director accountant boss chief ceo cto cfo coo head analyst architect tester
lawyer nurse teacher colleague friend neighbour neighbor brother sister uncle aunt cousin captain president
"""
_RUSSIAN_ROLES = """
бухгалтер менеджер инженер разработчик дизайнер директор начальник аналитик архитектор тестировщик юрист программист
тимлид врач учитель тренер водитель сосед друг брат дядя тетя сестра подруга коллега соседка жена муж руководитель
"""
_CASES = ("", "а", "у", "ом", "ем", "е")
TITLES = frozenset([*_TITLES.split(), *(word + end for word in _RUSSIAN_TITLES.split() for end in _CASES)])
ROLES = frozenset([*_ROLES.split(), *(word + end for word in _RUSSIAN_ROLES.split() for end in _CASES)])
DETERMINERS = frozenset(
    [
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "the",
        "a",
        "an",
        "this",
        "that",
        "мой",
        "моя",
        "моего",
        "моему",
        "моим",
        "моем",
        "моей",
        "мою",
        "наш",
        "наша",
        "нашего",
        "нашему",
        "нашим",
        "нашем",
        "нашей",
        "нашу",
        "твой",
        "твоя",
        "твоего",
        "твоему",
        "твоим",
        "твоей",
        "твою",
        "ваш",
        "ваша",
        "вашего",
        "вашему",
        "вашим",
        "вашей",
        "вашу",
        "его",
        "ее",
        "их",
    ]
)

#: Written → name and details, as the test wants them.
EXAMPLES: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("Junlei, tech lead", "Junlei", {"role": "tech lead"}),
    ("Junlei from core team", "Junlei", {"from": "core team"}),
    ("Junlei (tech lead)", "Junlei", {"role": "tech lead"}),
    ("Junlei — Tech Lead, from core team", "Junlei", {"role": "Tech Lead", "from": "core team"}),
    ("junlei - lead", "junlei", {"role": "lead"}),
    ("Junlei", "Junlei", {}),
    ("tech lead Junlei", "Junlei", {"role": "tech lead"}),
    ("Tech Lead Junlei Wu", "Junlei Wu", {"role": "Tech Lead"}),
    ("our accountant Apple Ivanova", "Apple Ivanova", {"role": "accountant"}),
    ("наш бухгалтер Apple Ivanova", "Apple Ivanova", {"role": "бухгалтер"}),
    ("Анна из Казани", "Анна", {"from": "Казани"}),
    ("Анна Белова, директор", "Анна Белова", {"role": "директор"}),
    ("Dr. Smith", "Smith", {"title": "Dr."}),
    ("профессору Иванову", "Иванову", {"title": "профессору"}),
    ("Anna at Acme", "Anna", {"at": "Acme"}),
    ("King, Martin", "Martin King", {}),
    ("Орлов, Виктор", "Виктор Орлов", {}),
    ("John Smith, Jr.", "John Smith Jr.", {}),
    ("De la Cruz, Maria", "Maria De la Cruz", {}),
    ("Anna, Boris", "Anna", {}),
    ("from Berlin", "from Berlin", {}),
    ("Mr. and Mrs. Smith", "Mr. and Mrs. Smith", {}),
    ("Olga, my sister", "Olga", {"role": "my sister"}),
    ("коллега Пётр из отдела продаж", "Пётр", {"role": "коллега", "from": "отдела продаж"}),
    ("von Berg", "von Berg", {}),
    ("Anna-Maria", "Anna-Maria", {}),
    ("Joan of Arc", "Joan of Arc", {}),
    ("Doctor", "Doctor", {}),
    ("the boss", "the boss", {}),
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
    found = [(at, sign, kind) for sign, kind in SEPARATORS if (at := text.lower().find(sign)) > 0]
    if found and len(text) == len(text.lower()):
        at, sign, kind = min(found)
        text, rest = text[:at], text[at + len(sign) :].replace(")", "").strip(" ,")
        text = _after(text, rest, kind, sign, details)
    return Parted(_before(text, details), details)


def _after(name: str, rest: str, kind: str, sign: str, details: dict[str, str]) -> str:
    """Read what follows a name; returns the name."""
    if sign == ", " and fold(rest) in SUFFIXES:
        return f"{name} {rest}"
    if sign == ", " and " " not in rest and _is_given(rest):  # «Орлов, Виктор»; or two people, of whom the first counts
        surname = name.split()
        turned = not _is_given(surname[0]) and (len(surname) == 1 or fold(surname[0]) in PARTICLES)
        return f"{rest} {name}" if turned else name
    for i, piece in enumerate(part.strip() for part in re.split(r"[,;(]", rest)):
        lead, _, tail = piece.partition(" ")
        if tail and (found := LEADS.get(fold(lead))):
            details.setdefault(found, tail)
        elif piece:
            details.setdefault(kind if i == 0 else "role", piece)
    return name


def _before(text: str, details: dict[str, str]) -> str:
    """Take titles, roles and "our" off the front of a name."""
    words = text.split()
    if fold(words[0] if words else "") in LEADS or any(fold(word) in ("and", "&", "и") for word in words):
        return text
    at = next((i for i, word in enumerate(words) if word[:1].isupper() and fold(word) not in TITLES | ROLES), None)
    last = max((i for i, word in enumerate(words[:-1]) if fold(word) in ROLES), default=-1)
    if (
        0 <= last < len(words) - 1
        and words[last + 1][:1].isupper()
        and all(fold(w) not in PARTICLES for w in words[: last + 1])
    ):
        start = last + 1
    elif at and fold(words[0]) not in PARTICLES and all(_is_beside(word) for word in words[:at]):
        start = at
    else:
        start = 0
    said = [word for word in words[:start] if fold(word) not in DETERMINERS]
    for word in said:
        if fold(word).rstrip(".") in TITLES:
            details.setdefault("title", word)
    if role := " ".join(word for word in said if fold(word).rstrip(".") not in TITLES):
        details.setdefault("role", role)
    words = words[start:]
    while len(words) > 1 and fold(words[0]).rstrip(".") in TITLES:
        details.setdefault("title", words.pop(0))
    return " ".join(words)


def _is_beside(word: str) -> bool:
    return not word[:1].isupper() or fold(word).rstrip(".") in TITLES | ROLES


def _is_given(word: str) -> bool:
    """Whether a capitalised word is a given name of the tables, in either alphabet."""
    name, english = fold(word), english_names()
    if not word[:1].isupper():
        return False
    if name in english or skeleton(name) in latin_shorts() or any(name in fulls for fulls in english.values()):
        return True
    return any(w.how in ("full", "variant", "short") for parse in parses(name) for w in parse.words)
