"""Words of things that come once a year by nature, and words that name a time or nothing: ``lang/*/seasons.toml``."""

from __future__ import annotations

from functools import cache

from ..lang.pack import words
from .analyse import stop_terms, terms


@cache
def yearly_stems() -> frozenset[str]:
    """Stems of words like "Christmas" and "tax"."""
    return frozenset(terms(" ".join(words("seasons", "yearly"))))


@cache
def no_topic_stems() -> frozenset[str]:
    """Stems of words of dates and of asking, and of the stop words."""
    return frozenset(terms(" ".join(words("seasons", "no_topic")))) | stop_terms()
