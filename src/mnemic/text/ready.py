"""Make a message ready to be stored: mask its secrets and analyse it, in one look-up for each of its words.

A big vocabulary does not fit the processor's cache, so the look-ups are what a message costs; everything that is known
of a word is therefore held in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .analyse import Indexed, length
from .secrets import BUILT_IN

__all__ = ["Ready", "analyse", "ready"]

_KEPT_WORD = 64  # longer ones are not likely to come again
_CACHE_LIMIT = 150_000


class Ready(NamedTuple):
    """A text as it is stored: ``terms`` for the keyword index, how many of them say something, what was masked."""

    text: str
    terms: str
    words: int
    masked: Mapping[str, int]


class _Known(dict[str, tuple[str, int, int]]):
    """What stands between two spaces → its terms, how many of them say something, the rules for secrets it calls."""

    def __init__(self) -> None:
        self._indexed = Indexed()

    def __missing__(self, chunk: str) -> tuple[str, int, int]:
        terms = self._indexed.make(chunk)
        value = (terms, length(terms), BUILT_IN.calls(chunk))
        if len(chunk) <= _KEPT_WORD:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[chunk] = value
        return value


_known = _Known()


def ready(text: str, *, mask_secrets: bool = True) -> Ready:
    """The text with its secrets masked, its search terms and their number."""
    terms, words, called = _look(text)
    if called and mask_secrets:
        masked, counts = BUILT_IN.mask(text, called)
        if counts:
            terms, words, _ = _look(masked)
            return Ready(masked, terms, words, counts)
    return Ready(text, terms, words, {})


def analyse(text: str) -> tuple[str, int]:
    """The search terms of a text and their number, for one whose secrets are masked already."""
    return _look(text)[:2]


def _look(text: str) -> tuple[str, int, int]:
    parts: list[str] = []
    words = called = 0
    for terms, said, calls in map(_known.__getitem__, text.split()):
        if terms:
            parts.append(terms)
            words += said
        called |= calls
    return " ".join(parts), words, called
