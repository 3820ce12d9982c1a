"""Loads language packs. A language is a folder beside this module; a table is a TOML file in it.

Code asks for a table by its name and gets what every language says there, so that a language is added by adding a
folder. A table that a language lacks is empty: whoever reads it must work without.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_PART = re.compile(r"\{([A-Za-z_]+)\}")


@cache
def languages() -> tuple[str, ...]:
    """Codes of all languages there are, in the order of the alphabet: ``("de", "en", "ru")``."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if any(path.glob("*.toml"))))


@cache
def load(language: str, table: str) -> Mapping[str, Any]:
    """One table of one language as TOML gives it; empty where the language has none.

    Args:
        language: a code of :func:`languages`. table: the file's name without its ending ("when", "reader").
    """
    path = FOLDER / language / f"{table}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def rows(table: str, key: str = "row") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All rows of a table, language by language: ``(language, row)`` for each ``[[row]]`` of the file."""
    for language in languages():
        for row in load(language, table).get(key, ()):
            yield language, row


def joined(pattern: str) -> str:
    """A pattern as it is compiled: its line breaks, with the blanks around them, are for who reads the file."""
    return "".join(map(str.strip, pattern.splitlines())) if "\n" in pattern else pattern


def filled(pattern: str, parts: Mapping[str, str]) -> str:
    """A pattern with each ``{name}`` in it replaced by the part of that name, which may hold others."""
    return _PART.sub(lambda hole: filled(parts[hole[1]], parts), joined(pattern))


@cache
def union(table: str, key: str) -> str:
    """The alternatives that languages give under a key, as one pattern without a group; empty where none gives any."""
    return "|".join(joined(said) for language in languages() if (said := load(language, table).get(key)))


@cache
def words(table: str, key: str) -> frozenset[str]:
    """All words that any language lists under a key of a table, written in TOML as a list or as one long text.

    >>> "because" in words("cause", "markers")  # doctest: +SKIP
    """
    found = (load(language, table).get(key, ()) for language in languages())
    return frozenset(word for entry in found for word in (entry.split() if isinstance(entry, str) else entry))
