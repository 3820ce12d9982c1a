"""Dates, times of day and amounts among the words of a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from . import lexicon
from .lexicon import concept, pairs, words

__all__ = ["Numbers", "iso"]

_ENDING = re.compile(r"(?<=\d)-?[^\W\d_]{1,2}$")


def iso(low: str) -> str:
    parts = [int(p) for p in re.findall(r"\d+", low)]
    year, month, day = parts if parts[0] > 31 else reversed(parts)
    return f"{month}/{day}/{year}"


@dataclass(slots=True)
class Numbers:
    """Reads dates, times of day and amounts out of folded tokens."""

    lows: Sequence[str]
    kinds: Sequence[str]

    def _low(self, i: int) -> str:
        return self.lows[i] if 0 <= i < len(self.lows) else ""

    def _day(self, i: int) -> int:
        low = _ENDING.sub("", self._low(i))
        if low.isdigit() and 0 < int(low[:9]) < 32:
            return int(low)
        return int(_listed(low, "ordinals") or 0)

    def date(self, i: int) -> tuple[int, str] | None:
        """(tokens taken, day) where one begins here: "7/5", "7/" (month only), "d1" (Monday), "y2022"."""
        low = self._low(i)
        if day := _named(low, "weekdays"):
            return 1, f"d{day}"
        if self._day(i):
            suffix = self._low(i + 1) in words("number", "endings")
            j = i + 1 + suffix
            j += self._low(j) == "of"
            month = _named(self._low(j), "months")
            return self._year(i, j + 1, f"{month}/{self._day(i)}") if month else None
        month = _named(low, "months")
        if month:
            if day := self._day(i + 1):
                suffix = self._low(i + 2) in words("number", "endings")
                return self._year(i, i + 2 + suffix, f"{month}/{day}")
            sure = low not in words("number", "unsure") or self._low(i - 1) in words("number", "before")
            return self._year(i, i + 1, f"{month}/") if sure else None
        if re.fullmatch(r"(?:19|20)\d\d", low) and not _listed(self._low(i + 1), "units"):
            return 1 + (self._low(i + 1) in words("number", "years")), f"y{low}"
        return None

    def _year(self, i: int, j: int, key: str) -> tuple[int, str]:
        if re.fullmatch(r"(?:19|20)\d\d", self._low(j)):
            word = self._low(j + 1) in words("number", "years")
            return j + 1 + word - i, f"{key}/{self._low(j)}"
        return j - i, key

    def clock(self, i: int, kind: str) -> tuple[int, str] | None:
        """(tokens taken, time of day) where one begins here."""
        low = self._low(i)
        if fixed := _listed(low, "clocks"):
            return 1, fixed
        if kind == "clock":
            hour, minute = low.split(":")
            half = _listed(self._low(i + 1), "halves")
            return 1 + bool(half), f"{_hour(int(hour), half)}:{minute}"
        value = low if kind == "number" else _listed(low, "words") if kind == "word" else ""
        if not value or not value.isdigit() or int(value) > 24:
            return None
        oclock = self._low(i + 1) in words("number", "hours")
        half = _listed(self._low(i + 1 + oclock), "halves")
        if half and (oclock or self._low(i + 1) not in words("number", "day")):
            return 2 + oclock, f"{_hour(int(value), half)}:00"
        last = i + 1 == len(self.lows) or self._low(i + 1) in words("number", "behind")
        if self._low(i - 1) in words("number", "at") and (last or oclock) and int(value) > 0:
            return 1 + oclock, f"{int(value)}:00"
        return None

    def amount(self, i: int) -> tuple[int, str, bool] | None:
        """(tokens taken, value with its unit in base units, whether it names what stands before it)."""
        value, j = self._value(i)
        if value is None:
            return None
        if (scale := _listed(self._low(j), "scales")) and self._low(j):
            value, j = value * float(scale), j + 1
        unit = _listed(self._low(j), "units")
        if unit and not (self._low(j) in words("number", "letters") and self.kinds[i] != "number"):
            j += 1
        elif self._low(i - 1) in ("$", "€", "£", "₽"):
            unit = _listed(self._low(i - 1), "units")
        named = not unit and concept(self._low(i - 1)) in lexicon.stems("number", "numbered")
        factor, base = re.match(r"([\d.]+)(\D+)$", unit).groups() if unit else ("1", "")  # type: ignore[union-attr]
        return j - i, f"{value * float(factor):g}{base}", named

    def _value(self, i: int) -> tuple[float | None, int]:
        low = self._low(i)
        if self.kinds[i] == "number":
            low = low.replace("\u2212", "-")
            grouped = re.fullmatch(r"-?\d{1,3}(?:[ \u00a0,’']\d{3})+", low)
            return float(re.sub(r"[ \u00a0,’']", "", low) if grouped else low.replace(",", ".")), i + 1
        found = _listed(low, "words") if self.kinds[i] == "word" else ""
        if not found:
            return None, i
        value = float(found)
        behind = _listed(self._low(i + 1), "words")
        if behind and 20 <= value <= 90 and 0 < float(behind) < 10:
            return value + float(behind), i + 2
        if behind and float(behind) == 100 and value < 10:
            return value * 100, i + 2
        return value, i + 1


def _hour(hour: int, half: str) -> int:
    """The hour of the day: "4 pm" is 16, «12 ночи» is 0."""
    if half == "12":
        return hour if hour >= 12 else hour + 12
    return 0 if half == "0" and hour == 12 else hour


@lru_cache(maxsize=16_384)
def _listed(low: str, table: str) -> str:
    """What a table of numbers gives for a word, "" where it is not in it; a star stands for any ending."""
    found = pairs("number", table)
    if low in found:
        return found[low]
    if low.isascii() or len(low) < 3:
        return ""
    return next(
        (
            v
            for word, v in found.items()
            if word.endswith("*") and low.startswith(word[:-1]) and len(low) < len(word) + 4
        ),
        "",
    )


@lru_cache(maxsize=16_384)
def _named(low: str, table: str) -> int:
    """The number of a month or weekday, 0 for any other word."""
    if len(low) < 3:
        return 0
    size = 12 if table == "months" else 7
    for n, row in enumerate(lexicon.rows("number", table)):
        if any(
            low.startswith(form[:-1]) and len(low) < len(form) + 4 if form.endswith("*") else low == form
            for form in row
        ):
            return n % size + 1
    return 0
