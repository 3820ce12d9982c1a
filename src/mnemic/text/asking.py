"""Words by which people ask, in the languages that the shipped embedder knows best: they agree with nothing in an
answer.

"What do you know about Dario?" asks for Dario; "wann", "où", "¿cuándo" stand in no statement. As stems, since that is
how a query is matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..lang.pack import languages, load
from .analyse import terms


@cache
def asking_terms(home: bool = False) -> frozenset[str]:
    """Stems of all words that ask; ``home``: only those that no message uses otherwise."""
    tables = [load(language, "common") for language in languages()]
    return frozenset(t for table in tables if not home or table.get("home") for t in terms(table.get("asking", "")))


@cache
def _stems(key: str) -> frozenset[str]:
    """Stems of what all languages list under a key: how one speaks of oneself, asks about, and says nothing."""
    return frozenset(t for language in languages() for t in terms(load(language, "common").get(key, "")))


def about_self(query_stems: Sequence[str], stop: frozenset[str]) -> bool:
    """Whether a query asks for nothing but what is known of the asker: "what do you know about me?", «кто я?»."""
    asked = set(query_stems)
    rest = asked - stop - _stems("self") - _stems("about") - _stems("empty") - asking_terms(home=True)
    return bool(asked & _stems("self")) and bool(asked & _stems("about")) and not rest
