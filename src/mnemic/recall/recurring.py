"""Which days of mention make a season: the same part of the year in several years, and seldom else. Pure functions.

Mentions that follow each other within :data:`GAP` days are one *occasion*: a talk that lasts a week is said once, what
is said every week is said all year round and counts as one occasion a month. An occasion lies on its middle day. The
question is whether the occasions lie closer together in the year, within :data:`WINDOW` days, than chance puts them. Of n
occasions, each with probability p in a window as wide as that of the k found together, the chance that one of the n
windows that begin at an occasion holds k is at most ``n · P(Bin(n−1, p) ≥ k−1)``: the union bound of the circular scan
statistic (Wallenstein & Naus, 1974). ``p`` is the share of the days on which anything was said, smoothed towards an even
year, so that a memory of Decembers alone does not make everything belong to December.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

DAYS = 366
WINDOW = GAP = 31
LONGEST = 120  # days of an occasion; what lasts longer is several
LEAST_YEARS = 2
#: Least part of all occasions, and of the years in which anything was said in that part of the year.
SHARE, YEARS_SHARE = 0.6, 0.6
#: Greatest chance. Two occasions of two years up to a month apart have one of up to 0.17, three of three 0.02.
CHANCE = 0.25
PRIOR_DAYS = 183  # of an even year, against which the days of a memory are weighed

_LEAP = tuple(date(2000, 1, 1) + timedelta(days=i) for i in range(DAYS))
_DAY = {(d.month, d.day): i for i, d in enumerate(_LEAP)}


def day_of_year(when: date) -> int:
    """0…365 in a leap year, so that a day of the calendar has one number in every year."""
    return _DAY[when.month, when.day]


def date_in(year: int, day: int) -> date:
    """The day of the calendar in a year; the 29th of February is the 1st of March where there is none."""
    there = _LEAP[day % DAYS]
    if (there.month, there.day) == (2, 29):
        return date(year, 2, 28) + timedelta(days=1)
    return date(year, there.month, there.day)


@dataclass(frozen=True, slots=True)
class Season:
    """A part of the year: ``first`` and ``last`` day (0…365), the years it was seen in, the ordinals of its mentions by
    year, and the chance of it."""

    first: int
    last: int
    mentions: dict[int, list[int]]
    chance: float

    @property
    def years(self) -> tuple[int, ...]:
        """In which it was seen, by the year of its middle."""
        return tuple(sorted(self.mentions))


def _middle(first: int, last: int) -> int:
    return (first + (last - first) % DAYS // 2) % DAYS


def span_in(year: int, first: int, last: int) -> tuple[int, int]:
    """First and last day, as ordinals, of the part of the year whose middle lies in a year."""
    middle = _middle(first, last)
    begin = date_in(year - (first > middle), first)
    return begin.toordinal(), date_in(year + (last < middle), last).toordinal()


def year_of(when: date, first: int, last: int) -> int:
    """The year of a part of the year in which, or near which, a day lies."""
    apart = (day_of_year(when) - _middle(first, last) + DAYS // 2) % DAYS - DAYS // 2  # days after the middle
    return (when - timedelta(days=apart)).year


def within(day: int, first: int, last: int) -> bool:
    """Whether a day of the year lies in a part of it, which may go over New Year."""
    return (day - first) % DAYS <= (last - first) % DAYS


class Activity:
    """The days on which anything was said.

    Args:
        days: ordinals (:meth:`datetime.date.toordinal`), ascending, each once.
    """

    def __init__(self, days: Sequence[int]) -> None:
        self.days = days
        counts = np.zeros(DAYS)
        for ordinal in days:
            counts[day_of_year(date.fromordinal(ordinal))] += 1
        self._sum = np.concatenate([[0.0], np.cumsum(np.concatenate([counts, counts]))])

    def share(self, day: int, length: int) -> float:
        """Part of the year's talk in so many days from a day on, smoothed."""
        inside = float(self._sum[day + length] - self._sum[day])
        return (inside + PRIOR_DAYS * length / DAYS) / (len(self.days) + PRIOR_DAYS)

    def years(self, first: int, last: int, today: int) -> set[int]:
        """Years in which anything was said in a part of the year that is over."""
        out = set()
        for year in range(date.fromordinal(self.days[0]).year - 1, date.fromordinal(self.days[-1]).year + 2):
            begin, end = span_in(year, first, last)
            at = bisect_left(self.days, begin)
            if end < today and at < len(self.days) and self.days[at] <= end:
                out.add(year)
        return out


def likely(terms: NDArray[np.int32], days: NDArray[np.int32], span: int) -> NDArray[np.int64]:
    """Where the terms begin that can have a season at all; the rest is told apart without a loop.

    Args:
        terms, days: one entry for each mention, ordered by term, then day, each pair once. span: days of the memory.
    """
    if not len(terms):
        return np.empty(0, dtype=np.int64)
    fresh = np.concatenate([[True], terms[1:] != terms[:-1]])
    begins = np.flatnonzero(fresh)
    ends = np.concatenate([begins[1:], [len(terms)]]) - 1
    opens = np.flatnonzero(np.concatenate([[True], np.diff(days) > GAP]) | fresh)
    length = days[np.concatenate([opens[1:], [len(terms)]]) - 1] - days[opens]
    counts = np.where(length > LONGEST, -(-(length + 1) // WINDOW), 1)
    occasions = np.add.reduceat(counts, np.searchsorted(opens, begins))
    most = (span / 365 + 2) / SHARE
    lasting = days[ends] - days[begins] >= 365 - WINDOW - LONGEST
    kept: NDArray[np.int64] = begins[(occasions >= LEAST_YEARS) & (occasions <= most) & lasting]
    return kept


def season(days: Sequence[int], activity: Activity, today: int) -> Season | None:
    """The season of a term, if it has one.

    Args:
        days: ordinals of the days on which it was said, ascending. activity: the days of the whole memory.
        today: ordinal; a season that is not over yet need not have been seen this year.
    """
    runs = _occasions(days)
    total = sum(count for _, _, count in runs)
    single = [(day_of_year(date.fromordinal((a + b) // 2)), a, b) for a, b, count in runs if count == 1]
    best: tuple[int, int, int] | None = None
    for day, *_ in single:
        near = [(other - day) % DAYS for other, *_ in single if (other - day) % DAYS < WINDOW]
        found = (-len(near), max(near), day)
        best = found if best is None or found < best else best
    if best is None or -best[0] < max(LEAST_YEARS, SHARE * total):
        return None
    start = best[2]
    chance = min(1.0, total * _tail(total - 1, activity.share(start, best[1] + 1), -best[0] - 1))
    if chance > CHANCE:
        return None
    inside = [(a, b) for day, a, b in single if (day - start) % DAYS < WINDOW]
    anchor = (start - LONGEST // 2 - 1) % DAYS
    offsets = [(day_of_year(date.fromordinal(d)) - anchor) % DAYS for run in inside for d in run]
    first, last = (anchor + min(offsets)) % DAYS, (anchor + max(offsets)) % DAYS
    mentions = {
        year_of(date.fromordinal((a + b) // 2), first, last): [d for d in days if a <= d <= b] for a, b in inside
    }
    if len(mentions) < LEAST_YEARS:
        return None
    if len(mentions) < YEARS_SHARE * len(activity.years(first, last, today) | mentions.keys()):
        return None
    return Season(first, last, mentions, chance)


def _occasions(days: Sequence[int]) -> list[tuple[int, int, int]]:
    """(first day, last day, how many occasions it counts as) of each run of mentions."""
    runs: list[tuple[int, int, int]] = []
    begin = before = days[0]
    for day in [*days[1:], None]:
        if day is None or day - before > GAP:
            length = before - begin
            runs.append((begin, before, ceil((length + 1) / WINDOW) if length > LONGEST else 1))
            begin = day if day is not None else begin
        before = day if day is not None else before
    return runs


def _tail(n: int, p: float, least: int) -> float:
    """P(Bin(n, p) ≥ least)."""
    return float(sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(max(0, least), n + 1)))
