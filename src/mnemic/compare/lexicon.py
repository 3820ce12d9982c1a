"""The closed classes of words that statements are compared by, of all languages together (``lang/*/compare.toml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..lang import pack
from ..text.analyse import fold, terms
from ..text.names import PLACES

TABLE = "compare"


def _entries(section: str, key: str) -> Iterator[str]:
    """The entries of a table in all languages, words of a text one by one, rows of a list as they stand."""
    for language in pack.languages():
        found: Any = pack.load(language, TABLE).get(section, {}).get(key, ())
        yield from found.split() if isinstance(found, str) else found


@cache
def words(section: str, key: str) -> frozenset[str]:
    """A class of single words."""
    return frozenset(_entries(section, key))


@cache
def pattern(section: str, key: str) -> re.Pattern[str]:
    """The regular expressions of all languages under a key, as one."""
    found = (pack.load(language, TABLE).get(section, {}).get(key, "") for language in pack.languages())
    return re.compile("|".join(filter(None, found)) or r"(?!)")


@cache
def stems(section: str, key: str) -> frozenset[str]:
    """A class of single words by the concepts that stand for them."""
    return frozenset(concept(word) for word in _entries(section, key))


@cache
def pairs(section: str, key: str) -> Mapping[str, str]:
    """What a table gives for each word: ``{"seven": "7"}``."""
    return dict(entry.rsplit("=", 1) for entry in _entries(section, key))


@cache
def rows(section: str, key: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a list, each split into words."""
    return tuple(tuple(row.split()) for row in _entries(section, key))


@cache
def groups(section: str, key: str) -> Mapping[str, str]:
    """Word → the first word of its row."""
    return {word: row[0] for row in rows(section, key) for word in row}


@dataclass(frozen=True, slots=True)
class Phrases:
    """Ways of saying found word by word; no regular expression, so that no text makes the search slow."""

    whole: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    begun: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]

    def find(self, said: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Places of phrases among folded words, (first, past the last, what it stands for): the longest, none twice."""
        at = 0
        while at < len(said):
            here = self.whole.get(said[at], ()) + self.begun.get(said[at][:3], ())
            for phrase, value in here:
                if _fits(said, at, phrase):
                    yield at, at + len(phrase), value
                    at += len(phrase) - 1
                    break
            at += 1


def _fits(said: Sequence[str], at: int, phrase: tuple[str, ...]) -> bool:
    return at + len(phrase) <= len(said) and all(
        said[at + i].startswith(p[:-1]) if p.endswith("*") else said[at + i] == p for i, p in enumerate(phrase)
    )


def _phrases(listed: Iterable[tuple[str, str]]) -> Phrases:
    whole: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    begun: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for way, value in listed:
        phrase = tuple(way.split("_"))
        where, key = (begun, phrase[0][:3]) if phrase[0].endswith("*") else (whole, phrase[0])
        where.setdefault(key, []).append((phrase, value))
    ordered = [{k: tuple(sorted(v, key=lambda p: -len(p[0]))) for k, v in d.items()} for d in (whole, begun)]
    return Phrases(*ordered)


@cache
def phrases(section: str, *keys: str) -> Phrases:
    """The phrases of some classes of a section, each standing for its class."""
    return _phrases((way, key) for key in keys for way in _entries(section, key))


@cache
def kinds_of_firmness() -> tuple[str, ...]:
    """All classes of the section ``firm``: open, plan, duty …"""
    return tuple(dict.fromkeys(k for code in pack.languages() for k in pack.load(code, TABLE).get("firm", {})))


@cache
def _senses() -> tuple[Mapping[str, str], Phrases]:
    """Stem → the concept of its row, and the ways of several words or of beginnings. Rows that share a word are one."""
    parent: dict[str, str] = {}

    def root(way: str) -> str:
        while parent.setdefault(way, way) != way:
            way = parent[way]
        return way

    listed = [row.split() for code in pack.languages() for row in _text(code).splitlines()]
    listed += [[name.strip().replace(" ", "_") for name in row.split("/")] for row in PLACES]
    for row in listed:
        keys = [way if "_" in way or way.endswith("*") else _stem(way) for way in row]
        for key in keys[1:]:
            one, other = root(keys[0]), root(key)
            if one != other:
                parent[other] = one
    long = [(way, f"~{root(way)}") for way in parent if "_" in way or way.endswith("*")]
    return {way: f"~{root(way)}" for way in parent if "_" not in way}, _phrases(long)


def _text(language: str) -> str:
    return str(pack.load(language, TABLE).get("same", {}).get("rows", "")).strip()


def _stem(word: str) -> str:
    found = terms(word.replace("-", "") if re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+", word) else word)
    return found[-1] if found else fold(word)


def concept(word: str) -> str:
    """What one folded word stands for: the sign of its row, or its stem."""
    stem = _stem(word)
    return _senses()[0].get(stem, stem)


def ways() -> Phrases:
    """Phrases of several words that say what one word says ("kicks off", «каждый день»)."""
    return _senses()[1]


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Concept → the concepts that exclude it of one thing at one time."""
    found: dict[str, set[str]] = {}
    for entry in _entries("opposite", "pairs"):
        left, right = (concept(word) for word in entry.split("/"))
        if left != right:
            found.setdefault(left, set()).add(right)
            found.setdefault(right, set()).add(left)
    return {one: frozenset(others) for one, others in found.items()}
