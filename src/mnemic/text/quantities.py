"""Values in a text and their one form: amounts, money, shares, durations, dates, times of day, versions, states.

Patterns over text in lower case with ``ё`` as ``е``, English and Russian, by kind. Pure; every quantifier is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ..lang.lexicon import everywhere, hour_of
from .marks import NUMBER_WORDS, UNITS

#: Whether something is done, by the stems of the words that say so.
STATUS: Mapping[str, str] = {
    "done": "done finished completed complete shipped merged deployed resolved fixed released launched готов готова готово"
    " завершен завершена завершено закончен закончена сделан сделана сделано решен решена исправлен исправлена выпущен",
    "doing": "ongoing underway progress started начат начата начато идет",
    "blocked": "blocked stuck paused failing broken hold заблокирован заблокирована застрял застряла приостановлен"
    " приостановлена сломан сломана падает",
    "planned": "planned pending scheduled запланирован запланирована запланировано ожидает",
    "dropped": "cancelled canceled dropped rejected abandoned отменен отменена отменено отклонен отклонена",
}

MONTHS, WEEKDAYS = everywhere("month"), everywhere("weekday")

# Every pattern begins with a digit, a sign or plain words: then the engine leaps to the next place where one stands.
# What must not stand before a value is in LEFT. Quantifiers are bounded.
_NUMBER = r"\d(?:\d{0,2}(?:[,\u00a0 ]\d{3})+(?:\.\d{1,4})?|\d{0,8}(?:[.,]\d{1,4})?)(?!\d)(?:k\b)?"
#: Numbers as words, as they stand in a text.
WORDED = tuple(f" {word}" for word, number in NUMBER_WORDS.items() if number)
_WORDED = "|".join(sorted((w for w, n in NUMBER_WORDS.items() if n), key=len, reverse=True))
_MONTH = "|".join(forms for _, *both in MONTHS for forms in both)
_WEEKDAY = "|".join(forms for _, *both in WEEKDAYS for forms in both if forms)
SECONDS: Mapping[str, float] = {
    "ms": 0.001, "s": 1.0, "min": 60.0, "h": 3_600.0, "day": 86_400.0, "week": 604_800.0, "month": 2_629_800.0,
    "year": 31_557_600.0,
}  # fmt: skip
_SPAN = "|".join(
    sorted((a for a, u in UNITS.items() if u in SECONDS and a not in ("с", "s", "old")), key=len, reverse=True)
)
_CURRENCY = r"(?:dollars?|bucks|usd|euros?|eur|pounds|rubles?|roubles?|rub|руб(?:\.|л[а-я]{1,3})?|доллар[а-я]{0,2}|евро|[$€£₽])(?!\w)"
_NOT_ALONE = r"(?![\w%:/]|[.,]\d|\s?[–-]\s?\d|\s?(?:percent|процент|[ap]m\b|out of|из\b|of\b))"
_LENGTH = rf"[\s-]?(?P<u>{_SPAN}|(?<=\d)s)\b(?!\s?(?:ago|old|назад|утра|вечера|дня|ночи))"
#: Kind → the patterns of its values, in lower case, and a text that has one.
KINDS: Mapping[str, tuple[tuple[re.Pattern[str], ...], str]] = {
    "money": (
        (
            re.compile(rf"[$€£₽]\s?(?P<a>{_NUMBER})"),
            re.compile(rf"(?P<a>{_NUMBER})(?P<m>\s?тыс[а-я.]{{0,3}})?\s?{_CURRENCY}"),
        ),
        "a budget of $1,200",
    ),
    "percent": (
        (re.compile(rf"(?P<a>{_NUMBER})\s?(?:%|percent\b|процент[а-я]{{0,2}}\b)(?!\s?points)"),),
        "78% coverage",
    ),
    "duration": (
        (re.compile(rf"(?P<a>{_NUMBER}){_LENGTH}"), re.compile(rf"(?P<a>{_WORDED}){_LENGTH}")),
        "it takes 12 minutes",
    ),
    "clock": (
        (
            re.compile(
                r"(?P<h>\d\d?)(?::(?P<i>[0-5]\d)(?![\d:])(?:\s?(?P<p>[ap])\.?m\b)?"
                r"|\s?(?:(?P<q>[ap])\.?m\b|(?:час(?:а|ов)?\s)?(?P<e>утра|вечера|дня|ночи)\b))"
            ),
        ),
        "the call is at 4:30 PM",
    ),
    "date": (
        (
            re.compile(rf"(?P<m>{_MONTH})\b\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:%]|[.,]\d|\s?[–-]\s?\d)"),
            re.compile(
                rf"\d(?:\d{{3}}-(?P<o>\d\d)-(?P<f>\d\d)(?!\d)|(?P<e>\d?)(?:st|nd|rd|th|-?го)?(?:\sof)?\s(?P<n>{_MONTH})(?!\w)"
                r"|(?P<g>\d?)\.(?P<r>\d\d)(?:\.\d{4})?(?!\.?\d))"
            ),
            re.compile(rf"(?P<w>{_WEEKDAY})(?!\w)"),
        ),
        "the deadline is April 5",
    ),
    "version": ((re.compile(r"(?P<a>\d\d{0,3}(?:\.\d{1,5}){0,3})(?![\w%]|\.\d)"),), "Django 5.1"),
    "count": (
        (re.compile(rf"(?P<a>{_NUMBER}){_NOT_ALONE}"), re.compile(rf"(?P<a>{_WORDED}){_NOT_ALONE}")),
        "165 commits",
    ),
    "status": (
        (re.compile("(?:" + "|".join(sorted(" ".join(STATUS.values()).split(), key=len, reverse=True)) + r")(?!\w)"),),
        "it is done",
    ),
}
#: What makes a figure part of something longer when it stands right before it.
LEFT = frozenset("$€£₽#№/.,:-_")
AMOUNTS = ("count", "percent", "money", "duration")
STATES = {word: state for state, words in STATUS.items() for word in words.split()}

#: What a text with a value of a kind holds, whatever else it holds.
_DIGITS = tuple("0123456789")
HINTS: Mapping[str, tuple[str, ...]] = {
    "money": ("$", "€", "£", "₽", "usd", "eur", "dollar", "bucks", "pounds", "rub", "руб", "доллар", "евро"),
    "percent": ("%", "percent", "процент"),
    "duration": _DIGITS + WORDED,
    "clock": _DIGITS,
    "date": _DIGITS + tuple(form[:3] for _, *both in WEEKDAYS for forms in both for form in forms.split("|")),
    "version": _DIGITS,
    "count": _DIGITS + WORDED,
    "status": tuple(STATES),
}


@lru_cache(maxsize=4_096)
def _listed(word: str, what: str) -> int:
    rows = MONTHS if what == "month" else WEEKDAYS
    return next((n for n, *both in rows for forms in both if forms and re.fullmatch(forms, word)), 0)


def begins(flat: str, start: int, kind: str) -> bool:
    """Whether a value begins at a place, and is no part of something longer: "5" in "v1.5", "10-15", "#5"."""
    before = flat[start - 1 : start]
    if kind == "version" and before == "v":
        before = flat[start - 2 : start - 1]
    if before.isalnum() or (before in LEFT and before):
        return False
    return not (flat[start].isdigit() and before in (" ", "–") and flat[start - 2 : start - 1].isdigit())


def normal(kind: str, match: re.Match[str]) -> tuple[str, float | str] | None:
    """What a value may be compared with, and the value in one form; ``None`` where there is no such value."""
    part = match.groupdict()
    if kind == "date":
        if part.get("w"):
            return "weekday", f"d{_listed(part['w'], 'weekday')}"
        if part.get("m"):
            return "day", f"{_listed(part['m'], 'month')}/{int(part['d'])}"
        if part["o"]:
            return "day", f"{int(part['o'])}/{int(part['f'])}"
        if part["n"]:
            return "day", f"{_listed(part['n'], 'month')}/{int(match.group()[0] + part['e'])}"
        day, month = int(match.group()[0] + part["g"]), int(part["r"])
        return ("day", f"{month}/{day}") if 0 < day < 32 and 0 < month < 13 else None
    if kind == "clock":
        hour = int(part["h"])
        half = part["e"] or part["p"] or part["q"] or ""
        return ("", f"{hour_of(hour, half)}:{part['i'] or '00'}") if hour < 25 else None
    if kind == "version":
        return "", part["a"]
    if kind == "status":
        return "", STATES[match.group()]
    number = _number(part["a"])
    if kind == "duration":
        return "", number * SECONDS[UNITS[part["u"]]]
    return "", number * (1_000 if part.get("m") else 1)


def _number(text: str) -> float:
    """A number as written, in figures ("1,200", "4.5", "3k") or as a word."""
    if text in NUMBER_WORDS:
        return NUMBER_WORDS[text]
    scale = 1_000.0 if text.endswith("k") else 1.0
    text = text.rstrip("k \u00a0")
    text = re.sub(r"[,\u00a0 ](?=\d{3}(?!\d))", "", text).replace(",", ".")
    return float(text) * scale
