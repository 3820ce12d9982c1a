"""Closed classes of words in every language: months, numbers, units …, by what they stand for and in all their
forms."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from .pack import filled, joined, languages, load, union

#: What a word stands for: a number where its class is counted (March is 3), else a name ("week").
Value = int | str


@cache
def spoken() -> tuple[str, ...]:
    """The languages whose closed classes are known. English comes first, being the likeliest; order decides nothing
    else."""
    return tuple(sorted((code for code in languages() if load(code, "lexicon")), key=lambda code: (code != "en", code)))


@cache
def table(name: str, language: str) -> tuple[tuple[Value, str], ...]:
    """``(value, pattern of all forms)`` of every word of a class; empty where the language has no such class."""
    parts = load(language, "lexicon").get("parts", {})
    rows = load(language, "lexicon").get(name) or load(language, "when").get(name) or {}
    return tuple(
        (int(value) if re.fullmatch(r"-?\d+", value) else value, filled(forms, parts)) for value, forms in rows.items()
    )


@cache
def any_form(name: str, language: str, among: tuple[Value, ...] = ()) -> str:
    """One pattern of all words of a class, or of some of its values; stems with the same endings are grouped, to half
    the size."""
    stems: dict[str, list[str]] = {}
    for value, forms in table(name, language):
        if not among or value in among:
            grouped = re.fullmatch(r"([а-я]+)(\(\?:[^()]*\))", forms)
            stems.setdefault(grouped[2] if grouped else "", []).append(grouped[1] if grouped else forms)
    return (
        "(?:" + "|".join(f"(?:{'|'.join(group)}){ending}" for ending, group in stems.items()) + ")" if stems else "(?!)"
    )


@lru_cache(4096)
def value(name: str, word: str, language: str = "") -> Value | None:
    """What a word stands for; ``None`` where it is of another class. Without a language, in whichever knows it
    first."""
    for code in (language,) if language else spoken():
        for stands_for, forms in table(name, code):
            if re.fullmatch(forms, word):
                return stands_for
    return None


@cache
def said(key: str, language: str = "") -> re.Pattern[str]:
    """The pattern under a key of ``when.toml``, of one language or of all together; it matches nothing where none says
    it."""
    return re.compile((joined(load(language, "when").get(key, "")) if language else union("when", key)) or "(?!)")


def hour_of(hour: int, half: str) -> int:
    """The hour of the day that an hour of a half of it is: 3 ``pm`` or ``дня`` are 15, 12 ``ночи`` 0, 11 of it 23."""
    halves = {code: dict(table("halfday", code)) for code in spoken()}

    def is_of(which: str) -> bool:
        return any(re.fullmatch(str(words[which]), half) for words in halves.values() if which in words)

    if is_of("am") and hour == 12:
        return 0
    late = is_of("pm") or (is_of("night") and hour > 9)
    return hour + 12 if late and hour < 12 else hour


def everywhere(name: str) -> tuple[tuple[int, str], ...]:
    """The words of a class that is counted (months, ordinals), in all languages."""
    return tuple((number, forms) for code in spoken() for number, forms in table(name, code) if isinstance(number, int))
