"""What comes back every year: found at night, offered when its time of the year has come.

The phase :func:`find` reads what the user said and what is known to have happened, word by word, and joins words
that come together into topics. It stands with recall because what it makes is an answer: nothing of it is believed,
hidden or forgotten. Everything else here reads the table that it leaves.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from itertools import groupby
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

from ..clock import to_datetime, to_micros
from ..lang.pack import words
from ..models import Act, Seasonal
from ..phase import PhaseContext, PhaseResult
from ..store import ledger
from ..store.base import Recurring, Store
from ..store.tx import Tx
from ..text.analyse import is_unspaced, raw_words, stop_terms, terms

# Which days of mention make a season: the same part of the year in several years, and seldom else. Pure functions.
# Mentions that follow each other within :data:`GAP` days are one *occasion*: a talk that lasts a week is said once,
# what is said every week is said all year round and counts as one occasion a month. An occasion lies on its middle day.
# The question is whether the occasions lie closer together in the year, within :data:`WINDOW` days, than chance puts
# them. Of n occasions, each with probability p in a window as wide as that of the k found together, the chance that one
# of the n windows that begin at an occasion holds k is at most ``n · P(Bin(n−1, p) ≥ k−1)``: the union bound of the
# circular scan statistic (Wallenstein & Naus, 1974). ``p`` is the share of the days on which anything was said,
# smoothed towards an even year, so that a memory of Decembers alone does not make everything belong to December.

DAYS = 366
WINDOW = GAP = 31
LONGEST_OCCASION = 120  # days of an occasion; what lasts longer is several
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
    counts = np.where(length > LONGEST_OCCASION, -(-(length + 1) // WINDOW), 1)
    occasions = np.add.reduceat(counts, np.searchsorted(opens, begins))
    most = (span / 365 + 2) / SHARE
    lasting = days[ends] - days[begins] >= 365 - WINDOW - LONGEST_OCCASION
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
    anchor = (start - LONGEST_OCCASION // 2 - 1) % DAYS
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
            runs.append((begin, before, ceil((length + 1) / WINDOW) if length > LONGEST_OCCASION else 1))
            begin = day if day is not None else begin
        before = day if day is not None else before
    return runs


def _tail(n: int, p: float, least: int) -> float:
    """P(Bin(n, p) ≥ least)."""
    return float(sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(max(0, least), n + 1)))


PAGE = 5_000
LONG = 120  # terms of a text; longer ones are pasted, and speak of everything
SHORT, LONGEST = 2, 32  # letters of a word
WORDS = 4  # of a topic
#: History and dates that are mistakes recur for nobody.
TIMES = to_micros(datetime(1900, 1, 1, tzinfo=UTC)), to_micros(datetime(2200, 1, 1, tzinfo=UTC))
PER_YEAR = 3  # memories kept behind a topic, the newest of each year
PER_MONTH = 12  # topics of one month, the least accidental
LEAD = 7  # days before its first one on which a season is offered, besides those of the months it lies in
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """Words that come back together: stems, in order; where in the year; the rows behind them, each with its year."""

    words: tuple[str, ...]
    season: Season
    rows: tuple[tuple[int, int], ...]
    month: int

    @property
    def key(self) -> str:
        """As it is stored."""
        return " ".join(self.words)


# -- the phase of the night -------------------------------------------------------------------------------------------


def find(store: Store, space: str, night: PhaseContext) -> PhaseResult:
    """The phase that finds what comes back every year, and writes it down anew. Cut off, it begins again."""
    out, job = PhaseResult(), f"seasons:{space}"
    today = to_datetime(night.now, night.zone).date()
    found = store.state(space)
    state = {"read": json.dumps(found), "day": today.isoformat(), "zone": str(night.zone)}
    if found is None or store.noted(job) == state:
        return out
    spoken = _read(store, space, night)
    if spoken is None:
        out.finished = False
        return out
    topics = spoken.topics(today)
    known = store.season_topics(space)

    def write(tx: Tx) -> None:
        rows = [row for topic in topics for row, _ in topic.rows]
        there = tx.there(rows)
        kept = [topic for topic in topics if all(row in there for row, _ in topic.rows)]
        tx.set_seasons(
            tx.space(space),
            [
                (t.key, row, year, t.season.first + 1, t.season.last + 1, t.season.chance)
                for t in kept
                for row, year in t.rows
            ],
        )
        if len(kept) == len(topics):  # else something was erased meanwhile: it is read again
            ledger.note(tx, job, state)

    if not night.dry_run:
        store.run(write)
    fresh = [topic for topic in topics if topic.key not in known]
    nodes = store.nodes([topic.rows[0][0] for topic in fresh])
    out.acts = [
        Act("season", nodes[topic.rows[0][0]].id, _why(topic.month, topic.season.years))
        for topic in fresh
        if topic.rows[0][0] in nodes
    ]
    out.counts.update(
        texts=len(spoken.rows), topics=len(topics), new=len(fresh), gone=len(known - {t.key for t in topics})
    )
    return out


@dataclass(slots=True)
class _Spoken:
    """Which word was said when: columns with one entry for each word of each text."""

    ids: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    dates: list[int] = field(default_factory=list)  # ordinal of each text's day
    words: array[int] = field(default_factory=lambda: array("i"))
    places: array[int] = field(default_factory=lambda: array("i"))

    def add(self, row: int, at: int, day: int, text: str) -> None:
        """One text: its row, time, day in the user's calendar, and search text."""
        place = len(self.rows)
        self.rows.append(row)
        self.times.append(at)
        self.dates.append(day)
        for term in set(text.split()):
            number = self.ids.get(term)
            if number is None:
                number = self.ids[term] = len(self.names) if _is_topic(term) else -1
                if number >= 0:
                    self.names.append(term)
            if number >= 0:
                self.words.append(number)
                self.places.append(place)

    def topics(self, today: date) -> list[Topic]:
        """What comes back every year, in a fixed order."""
        if not self.words:
            return []
        dates = np.array(self.dates, dtype=np.int32)
        words, places = np.array(self.words, dtype=np.int32), np.array(self.places, dtype=np.int32)
        order = np.lexsort((dates[places], words))
        words, places = words[order], places[order]
        days = dates[places]
        fresh = np.concatenate([[True], (words[1:] != words[:-1]) | (days[1:] != days[:-1])])
        once, at = words[fresh], days[fresh]  # each word once a day
        active = Activity(np.unique(dates).tolist())
        numbers = np.arange(len(self.names) + 1, dtype=np.int32)
        begins, all_begins = np.searchsorted(once, numbers), np.searchsorted(words, numbers)
        tested = [int(once[start]) for start in likely(once, at, int(dates.max() - dates.min()))]
        seasons: dict[int, Season] = {}
        for word in tested:
            found = season(at[begins[word] : begins[word + 1]].tolist(), active, today.toordinal())
            if found is not None:
                seasons[word] = found
        behind = {
            word: self._behind(found, places[all_begins[word] : all_begins[word + 1]].tolist())
            for word, found in seasons.items()
        }
        return self._limited(self._joined(seasons, behind, len(tested)))

    def _behind(self, found: Season, places: list[int]) -> dict[int, int]:
        """Place → year of those texts, of all that say a word, that fall into its season."""
        years = {day: year for year, days in found.mentions.items() for day in days}
        return {place: years[self.dates[place]] for place in places if self.dates[place] in years}

    def _joined(self, seasons: dict[int, Season], behind: dict[int, dict[int, int]], tested: int) -> list[Topic]:
        """Words that are said in the same texts are one topic, under the least accidental of them.

        A word alone that is not yearly by nature has to be so regular that of all words tested chance would make less
        than one such (Bonferroni): of 100,000 random messages 580 rare words, and no two together, seem to have a
        season.
        """
        ranked = sorted(seasons, key=lambda w: (seasons[w].chance, -len(behind[w]), self.names[w]))
        said: dict[int, list[int]] = {}
        for word in ranked:
            for place in behind[word]:
                said.setdefault(place, []).append(word)
        taken: set[int] = set()
        out = []
        for word in ranked:
            if word in taken:
                continue
            mine = behind[word]
            shared: dict[int, list[int]] = {}
            for place in mine:
                for other in said[place]:
                    if other not in taken and other != word:
                        shared.setdefault(other, []).append(place)
            beside = [
                other
                for other, common in shared.items()
                if 2 * len(common) >= min(len(mine), len(behind[other]))
                and len({mine[place] for place in common}) >= LEAST_YEARS
            ]
            accidental = seasons[word].chance * tested > 1 or len(seasons[word].mentions) == LEAST_YEARS
            if accidental and not beside and self.names[word] not in yearly_stems():
                continue
            taken |= {word, *beside}
            beside.sort(key=lambda other: (-len(shared[other]), self.names[other]))
            out.append(self._topic([word, *beside[: WORDS - 1]], seasons[word], mine))
        return out

    def _topic(self, words: list[int], found: Season, behind: dict[int, int]) -> Topic:
        newest = sorted(behind, key=lambda place: (self.times[place], self.rows[place]), reverse=True)
        kept: Counter[int] = Counter()
        rows = []
        for place in newest:
            year = behind[place]
            kept[year] += 1
            if kept[year] <= PER_YEAR:
                rows.append((self.rows[place], year))
        months = Counter(date.fromordinal(self.dates[place]).month for place in behind)
        month = min(months, key=lambda m: (-months[m], m))
        return Topic(tuple(sorted(self.names[w] for w in words)), found, tuple(rows), month)

    def _limited(self, topics: list[Topic]) -> list[Topic]:
        """The least accidental topics of each month."""
        kept: Counter[int] = Counter()
        out = []
        for topic in sorted(topics, key=lambda t: (t.season.chance, -len(t.words), t.key)):
            kept[topic.month] += 1
            if kept[topic.month] <= PER_MONTH:
                out.append(topic)
        return out


def _read(store: Store, space: str, night: PhaseContext) -> _Spoken | None:
    """All that was said, page by page; ``None`` when the night ended meanwhile."""
    spoken, after = _Spoken(), 0
    while page := store.spoken(space, after, LONG, PAGE, TIMES):
        if night.stop():
            return None
        for row, at, text in page:
            spoken.add(row, at, to_datetime(at, night.zone).toordinal(), text)
        after = page[-1][0]
        night.progress(len(spoken.rows), None)
    return spoken


def _is_topic(term: str) -> bool:
    """Whether a term can name a topic: a word of letters that is no word of dates or of asking."""
    if term in no_topic_stems():
        return False
    return (SHORT <= len(term) <= LONGEST and term.isalpha()) or (len(term) > 1 and is_unspaced(term))


# -- offered ----------------------------------------------------------------------------------------------------------


def seasonal(store: Store, space: str, at: int, zone: tzinfo) -> list[Seasonal]:
    """What comes back at this time of the year, the surest first.

    Args:
        at: when, microseconds UTC. zone: in which the year is counted.
    """
    return _offered(store, store.recurring(space), at, zone)


def seasonal_near(store: Store, space: str, at: int, zone: tzinfo, ids: Sequence[str]) -> list[Seasonal]:
    """The same, of those only that one of the given memories is behind."""
    return _offered(store, store.recurring(space, ids), at, zone)


def _offered(store: Store, rows: Sequence[Recurring], at: int, zone: tzinfo) -> list[Seasonal]:
    today = to_datetime(at, zone).date()
    out = []
    for key, group in groupby(rows, key=lambda row: row.topic):
        memories = list(group)
        first, last, chance = memories[0].first - 1, memories[0].last - 1, memories[0].chance
        years = tuple(sorted({memory.year for memory in memories}))
        if len(years) < LEAST_YEARS or not _now(today, first, last):
            continue
        months = Counter(to_datetime(memory.event_time, zone).month for memory in memories)
        month = min(months, key=lambda m: (-months[m], m))
        topic = _label(store, set(key.split()), [memory.row for memory in memories])
        if topic:
            ids = tuple(memory.id for memory in memories)
            why = _why(month, years)
            out.append(Seasonal(topic, month, years, ids, _shown(first), _shown(last), round(chance, 4), why))
    return sorted(out, key=lambda s: (-len(s.years), s.chance, s.topic))


def _now(today: date, first: int, last: int) -> bool:
    """Whether a season is to be offered: in every month that it touches, and in the week before it."""
    edges = date_in(2000, first).month, date_in(2000, last).month
    return (
        today.month in edges
        or within(day_of_year(today.replace(day=1)), first, last)
        or within(day_of_year(today), first - LEAD, last)
    )


def _label(store: Store, stems: set[str], rows: list[int]) -> str:
    """The words of a topic as they were written last, in their order there; words of hidden memories are not shown."""
    shown: dict[str, str] = {}
    nodes = store.nodes(rows[: PER_YEAR * LEAST_YEARS])
    for row in rows[: PER_YEAR * LEAST_YEARS]:
        for word in raw_words(nodes[row].content) if row in nodes else ():
            for stem in terms(word):
                if stem in stems:
                    shown.setdefault(stem, word)
        if shown.keys() == stems:
            break
    return " ".join(dict.fromkeys(shown.values()))


def _why(month: int, years: Sequence[int]) -> str:
    return f"comes back every {MONTHS[month - 1]} ({', '.join(map(str, years))}) and seldom at other times"


def _shown(day: int) -> str:
    return f"{date_in(2000, day):%m-%d}"


@cache
def yearly_stems() -> frozenset[str]:
    """Stems of words like "Christmas" and "tax"."""
    return frozenset(terms(" ".join(words("seasons", "yearly"))))


@cache
def no_topic_stems() -> frozenset[str]:
    """Stems of words of dates and of asking, and of the stop words."""
    return frozenset(terms(" ".join(words("seasons", "no_topic")))) | stop_terms()
