"""What is said beside a person's name: "Junlei, tech lead", "Dr. Smith", «наш бухгалтер Иванова», "Anna from Riga".

The role is a detail of the person, never a part of the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from ..lang.pack import languages, load, words
from .analyse import clean, fold
from .name_forms import english_names, latin_shorts, parses, skeleton

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
