"""What each time expression means: a match of a row of ``lang/*/when.toml`` and a clock give an interval."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from typing import Any

from .lexicon import hour_of, said, spoken, value
from .pack import load

MIN = datetime(1900, 1, 1, tzinfo=UTC)
"""The start of a window that is open to the past ("before June")."""
MAX = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of a window that is open to the future ("since Monday")."""

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "24h": 86400}
_MONTHS_IN = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120}
#: Hours of a part of the day, from the day's midnight; over 24 is the next day.
HOURS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 30),
         "that night": (18, 30), "small hours": (0, 6)}  # fmt: skip
#: "A few days ago" may be from 2 to 5 days ago; "the last few days" are 5.
FEW = (2, 5)
#: Days that "recently", "the other day", «на днях» reach back.
RECENT_DAYS = 14
#: Days on each side of "this time last year".
SAME_TIME_DAYS = 7
#: Half of a unit, in a smaller one: "a year and a half ago" is a month, not a year.
HALVES = {"decade": ("year", 10), "year": ("month", 12), "month": ("week", 4), "week": ("day", 7),
          "day": ("hour", 24), "hour": ("minute", 60), "minute": ("second", 60)}  # fmt: skip
#: Parts of a period: from and to, in days (week, month) or months (the longer ones); None is its end.
PARTS: dict[str, dict[str, tuple[int, int | None]]] = {
    "week": {"start": (0, 2), "mid": (2, 4), "end": (4, None)},
    "month": {"start": (0, 10), "mid": (10, 20), "end": (20, None), "half1": (0, 15), "half2": (15, None)},
    "quarter": {"start": (0, 1), "mid": (1, 2), "end": (2, None)},
    "season": {"start": (0, 1), "mid": (1, 2), "end": (2, None)},
    "year": {"start": (0, 3), "mid": (4, 8), "end": (9, None), "half1": (0, 6), "half2": (6, None)},
    "decade": {"start": (0, 36), "mid": (36, 84), "end": (84, None), "half1": (0, 60), "half2": (60, None)},
}
#: Rules that name one date: "until" it means with it, as "until June" does not.
DATES = frozenset({"date", "day_of_month", "numeric_date", "day_first", "month_first"})
#: What calendar arithmetic raises for 31 June, 29 February 2025, the year 40000.
NO_SUCH_TIME = (ValueError, OverflowError, LookupError, StopIteration)
_APOSTROPHES = str.maketrans({"ё": "е", "’": "'", "ʼ": "'", "‘": "'"})


# -- pieces: what is read, before it is a window ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval read from some words.

    Its ends are wall times without a zone, so that calendar arithmetic never meets a clock change; those that
    come from counting hours are aware.
    """

    lo: datetime
    hi: datetime
    grain: str
    need: str = ""  # the kind of lead word without which it does not count; glue: only as a part of another
    cycle: str = ""  # week, month or year that was not named, so it may move; day: a time of some day
    way: str = ""  # past or future, when the words say so
    rule: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    now: datetime
    future: bool

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def next_minute(self) -> datetime:
        """The end of a window that must hold what was stored up to now."""
        return self.after(60).replace(second=0, microsecond=0)

    def after(self, seconds: float) -> datetime:
        """The moment so many real seconds from now."""
        return (self.now.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(self.now.tzinfo)

    def aware(self, wall: datetime) -> datetime:
        """The moment of a wall time; one that a clock change skipped is the moment of the change."""
        if wall.tzinfo is not None:
            return wall
        return wall.replace(tzinfo=self.now.tzinfo).astimezone(UTC).astimezone(self.now.tzinfo)


class Match:
    """The named groups of a match: folded (``match["month"]``), as written, and what their words stand for."""

    def __init__(self, found: re.Match[str], text: str, language: str) -> None:
        self._found, self._text, self.language = found, text, language
        self._groups = {k: re.sub(r"\s+", " ", v) for k, v in found.groupdict().items() if v is not None}

    def __getitem__(self, name: str) -> str:
        return self._groups.get(name, "")

    def number(self, name: str) -> int:
        return int(self._groups[name])

    def written(self, name: str) -> str:
        return self._text[slice(*self._found.span(name))]

    def value(self, table: str, group: str = "", *, word: str = "") -> Any:
        """What the words of a group stand for; its table has mostly the same name.

        Raises:
            LookupError: they are not in the table.
        """
        found = value(table, word or self[group or table], self.language)
        if found is None:
            raise LookupError(table)
        return found

    def says(self, key: str, group: str) -> bool:
        """Whether the words of a group are among those that a language lists under a key ("weak_month")."""
        return said(key, self.language).fullmatch(self[group]) is not None


_Rule = Callable[[Match, Clock], Piece | None]
_Span = tuple[date, date]


def make_clock(now: datetime, prefer: str) -> Clock:
    if now.utcoffset() is None:
        raise ValueError("now: must be zone-aware, for example datetime.now(UTC)")
    if not MIN.year < now.year < MAX.year - 1:
        raise ValueError(f"now: the year must be from {MIN.year + 1} to {MAX.year - 2}")
    if prefer not in ("past", "future"):
        raise ValueError(f"prefer: must be 'past' or 'future', not {prefer!r}")
    return Clock(now, prefer == "future")


def fold(text: str) -> str:
    """Lower case, ``ё`` as ``е``, plain apostrophes; every character keeps its place."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    return low.translate(_APOSTROPHES)


# -- calendar --------------------------------------------------------------------------------------


def _month_start(index: int) -> date:
    """First day of a month counted from the year 0."""
    return date(index // 12, index % 12 + 1, 1)


def period(day: date, grain: str, step: int) -> _Span:
    """The calendar unit that holds a day, moved by so many units."""
    if grain in ("day", "week", "fortnight"):
        first = day if grain == "day" else day - timedelta(day.weekday())
        size = 1 if grain == "day" else 7
        first += timedelta(size * step * (2 if grain == "fortnight" else 1))
        return first, first + timedelta(size)
    size = _MONTHS_IN[grain]
    offset = 1 if grain == "season" else 0  # winter begins in December
    index = (day.year * 12 + day.month - 1 + offset) // size * size - offset + step * size
    return _month_start(index), _month_start(index + size)


def shifted(day: date, unit: str, count: int) -> date:
    """A day moved by units; the last day of a shorter month when the day is missing there."""
    if unit in ("day", "week", "fortnight"):
        return day + timedelta(count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    first, after = period(day, "month", count * _MONTHS_IN[unit])
    return min(first + timedelta(day.day - 1), after - timedelta(1))


def over(span: _Span, grain: str, need: str = "", cycle: str = "", way: str = "") -> Piece:
    lo, hi = (datetime.combine(d, time.min) for d in span)
    return Piece(lo, hi, grain, need, cycle, way)


def unit_of(day: date, grain: str) -> Piece:
    """The calendar unit that holds a day."""
    return over(period(day, grain, 0), grain)


def _occurrence(clock: Clock, make: Callable[[int], _Span], rel: int | None = None, *, strict: bool = False) -> _Span:
    """Which one of a thing that repeats ("last Friday", "in March", "this winter").

    Args:
        clock: now and the preferred side.
        make: its interval so many cycles (weeks, years) from the present one; may raise ValueError for none.
        rel: -1 the last one over, 1 the next to begin, 0 this one, -2 the one before last, None as preferred.
        strict: the preferred one is not today's.
    """
    spans: dict[int, _Span] = {}
    for step in range(-8, 9):  # 29 February may be eight years away
        try:
            spans[step] = make(step)
        except ValueError:
            continue
    today, ordered = clock.today, list(spans.values())
    begun = [s for s in ordered if s[0] < today or (s[0] == today and not strict)]
    to_come = [s for s in ordered if s[0] > today or (s[1] > today and not strict)]
    if rel is None:
        return to_come[0] if clock.future else begun[-1]
    if rel < 0:
        return [s for s in ordered if s[1] <= today][rel]
    if rel > 0:
        return next(s for s in ordered if s[0] > today)
    this = next((s for s in ordered if s[0] <= today < s[1]), None) or spans.get(0) or begun[-1]
    return to_come[0] if clock.future and this[1] <= today else this


def read_amount(words: str, language: str = "") -> tuple[int, int, str]:
    """The least and the most units, and the unit: "a few days" is 2, 5, day; "1.5 years" is 18, 18, month."""
    counts = [_count(part, language) for part in _between().split(words)]
    half = said("half", language)
    units = (
        value("unit", half.sub("", word, count=1) if half.match(word) else word, language) for word in _words(words)
    )
    unit = next(str(unit) for unit in units if unit)
    if any(n % 1 for n in counts):
        unit, size = HALVES.get(unit, (unit, 1))
        counts = [n * size for n in counts]
    if re.search(rf"\b(?:{said('vague', language).pattern})\b", words) or said("plural", language).fullmatch(words):
        return *FEW, unit
    return int(counts[0]), int(counts[-1]), unit


@cache
def _between() -> re.Pattern[str]:
    """What parts two numbers: "2-3", "two or three", and in some languages «два-три»."""
    hyphened = "".join(load(code, "lexicon")["letters"] for code in spoken() if load(code, "when").get("hyphened"))
    dash = f"|(?<=[{hyphened}])-(?=[{hyphened}])" if hyphened else ""
    return re.compile(rf"(?<=[0-9]) ?[-–—] ?(?=[0-9]){dash}| (?:{said('or').pattern}) ")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d]+", text)


def _count(words: str, language: str) -> float:
    """``twenty-one`` → 21, ``half a`` → 0.5, «два с половиной» → 2.5; 1 when no number is named."""
    if said("half", language).match(words):
        return 0.5
    count, named = 0.0, False
    for word in re.findall(r"[0-9]+(?:[.,][0-9])?|[^\W\d]+", words):
        if word[0].isdigit():
            count, named = count + float(word.replace(",", ".")), True
        elif isinstance(number := value("number", word, language), int):
            count = max(count, 1) * number if number == 100 else count + number
    return (count if named else count or 1) + (0.5 if said("and_half", language).search(words) else 0)


def _relative(match: Match) -> int | None:
    return match.value("rel") if match["rel"] else None


def _year_of(match: Match, clock: Clock) -> int | None:
    """The year named by ``2024`` or "last year"."""
    words = match["yref"]
    if not words or words[0].isdigit():
        return int(words[:4]) if words else None
    return clock.today.year + int(match.value("rel", word=words.rsplit(" ", 1)[0]))


# -- rules: one for each name in the tables -------------------------------------------


def _named_day(match: Match, clock: Clock) -> Piece:
    return over(period(clock.today, "day", match.value("dayword")), "day")


def _moment(clock: Clock, seconds: float, grain: str) -> tuple[datetime, datetime]:
    """The hour or minute that lies so far from now, counted in real time."""
    moment = clock.after(seconds)
    first = moment.astimezone(UTC).replace(second=0, microsecond=0)
    first -= timedelta(minutes=moment.minute if grain == "hour" else 0)
    ends = (first, first + timedelta(minutes=60 if grain == "hour" else 1))
    return ends[0].astimezone(clock.now.tzinfo), ends[1].astimezone(clock.now.tzinfo)


def _away(sign: int, match: Match, clock: Clock) -> Piece:
    near, far, unit = read_amount(match["amount"], match.language)
    if unit in SECONDS and unit != "24h":
        grain = "hour" if unit == "hour" else "minute"
        first, last = sorted(_moment(clock, sign * n * SECONDS[unit], grain) for n in (near, far))
        return Piece(first[0], last[1], grain if near == far else "span")
    unit = "day" if unit == "24h" else unit
    if match["exact"]:
        return unit_of(shifted(clock.today, unit, sign * near), "day")
    start, end = sorted(period(clock.today, unit, sign * n) for n in (near, far))
    return over((start[0], end[1]), "span" if near != far else "week" if unit == "fortnight" else unit)


def _rolling(sign: int, match: Match, clock: Clock) -> Piece:
    _, count, unit = read_amount(match["amount"], match.language)
    way = "past" if sign < 0 else "future"
    if unit in SECONDS:
        edge = clock.after(sign * count * SECONDS[unit])
        return Piece(*((edge, clock.next_minute) if sign < 0 else (clock.now, edge)), "span", way=way)
    if unit == "day" and count == 1:
        return unit_of(clock.today + timedelta(sign), "day")
    edge_day, tomorrow = shifted(clock.today, unit, sign * count), clock.today + timedelta(1)
    span = (edge_day, tomorrow) if sign < 0 else (clock.today, edge_day + timedelta(1))
    return over(span, "span", way=way)


def _edge(older: bool, match: Match, clock: Clock) -> Piece:
    """ "more than a year ago" ends, "less than 2 weeks ago" begins with the day that long ago."""
    _, count, unit = read_amount(match["amount"], match.language)
    if unit in SECONDS:
        edge = clock.after(-count * SECONDS[unit])
    else:
        edge = datetime.combine(shifted(clock.today, unit, -count), time.min)
    return Piece(*((MIN, edge) if older else (edge, clock.next_minute)), "span")


def _relative_period(match: Match, clock: Clock) -> Piece:
    rel = -2 if match["before"] else match.value("rel")
    grain = str(match.value("unit", "period"))
    return over(period(clock.today, grain, rel), grain)


def _weekday(match: Match, clock: Clock) -> Piece | None:
    rel, short = _relative(match), match.says("short_weekday", "weekday")
    if short and match.written("weekday")[0].islower() and (rel is None or match.says("verb_weekday", "weekday")):
        return None
    monday = period(clock.today, "week", 0)[0] + timedelta(match.value("weekday"))
    span = _occurrence(clock, lambda step: period(monday + timedelta(7 * step), "day", 0), rel, strict=True)
    sure = rel is not None or not (short or match.says("weak_weekday", "weekday"))
    return over(span, "day", "" if sure else "day", "" if rel is not None else "week")


def _like_a_verb(match: Match) -> bool:
    """Whether a month is written as another word would be: ``may``, ``MARCH``, ``dec``."""
    return match.says("verb_month", "month") and not match.written("month").istitle()


def _month(match: Match, clock: Clock) -> Piece | None:
    number, rel, year = match.value("month"), _relative(match), _year_of(match, clock)
    if year is not None:
        return unit_of(date(year, number, 1), "month")
    if rel is not None and rel >= 0 and _like_a_verb(match):  # "this may fail"
        return None
    span = _occurrence(clock, lambda step: period(date(clock.today.year + step, number, 1), "month", 0), rel)
    if rel is not None:
        return over(span, "month")
    weak = match.says("weak_month", "month")
    return over(span, "month", "verb" if _like_a_verb(match) else "month" if weak else "", "year")


def _date(match: Match, clock: Clock) -> Piece:
    month, year = match.value("month"), _year_of(match, clock)
    words = re.split("[ -]+", match["nthday"]) if match["nthday"] else []
    day = sum(match.value("ordinal", word=w) for w in words) or match.number("day")
    if year is not None:
        return unit_of(date(year, month, day), "day")
    span = _occurrence(clock, lambda step: period(date(clock.today.year + step, month, day), "day", 0))
    sure = match["nth"] or words or not _like_a_verb(match)
    return over(span, "day", "" if sure else "day", "year")


def _day_range(match: Match, clock: Clock) -> Piece:
    month, year = match.value("month"), _year_of(match, clock)

    def days(of_year: int) -> _Span:
        first, last = (date(of_year, month, match.number(name)) for name in ("d1", "d2"))
        return first, last + timedelta(1)

    if year is not None:
        return over(days(year), "span")
    return over(_occurrence(clock, lambda step: days(clock.today.year + step)), "span", "", "year")


def _day_of_month(match: Match, clock: Clock) -> Piece:
    def day(step: int) -> _Span:
        first = period(clock.today, "month", step)[0]
        return period(first.replace(day=match.number("day")), "day", 0)

    return over(_occurrence(clock, day), "day", "", "month")


def _numeric(order: str, match: Match, clock: Clock) -> Piece:
    """A date in digits; ``order`` names the groups of month and day, swapped when only that makes a date."""
    month, day = match.number(order[0]), match.number(order[1])
    if order != "md" and month > 12:
        month, day = day, month
    return unit_of(date(match.number("y"), month, day), "day")


def _iso_time(match: Match, clock: Clock) -> Piece:
    written = f"{match['y']}-{match['m']}-{match['d']}T{match['hh']}:{match['mm']}{match['offset'].upper()}"
    first = clock.aware(datetime.fromisoformat(written)).astimezone(UTC)
    after = first + timedelta(minutes=1)
    return Piece(first.astimezone(clock.now.tzinfo), after.astimezone(clock.now.tzinfo), "minute")


def _iso_month(match: Match, clock: Clock) -> Piece:
    return replace(unit_of(date(match.number("y"), match.number("m"), 1), "month"), need="month")


def _iso_span(match: Match, clock: Clock) -> Piece | None:
    first, last = date.fromisoformat(match["from"]), date.fromisoformat(match["to"])
    return over((first, last + timedelta(1)), "span") if first <= last else None


def _iso_week(match: Match, clock: Clock) -> Piece:
    return unit_of(date.fromisocalendar(match.number("y"), match.number("w"), 1), "week")


def _year(match: Match, clock: Clock) -> Piece:
    first = int(match["bare"] or match["year"])
    last = int(match["last"] or first)
    grain, need = "year" if first == last else "span", "year" if match["bare"] else ""
    return over((date(first, 1, 1), date(last + 1, 1, 1)), grain, need)


def _decade(match: Match, clock: Clock) -> Piece:
    if match["full"]:
        return unit_of(date(match.number("full"), 1, 1), "decade")
    tens = match.number("tens") if match["tens"] else match.value("decade")
    need = "glue" if match["s"] and not match["the"] else "decade"  # "in 90s" may be a time-out
    return replace(unit_of(date(tens + (2000 if tens < 30 else 1900), 1, 1), "decade"), need=need)


def _quarter(match: Match, clock: Clock) -> Piece | None:
    year, number = _year_of(match, clock), int(match["q"] or match.value("ordinal", "ord"))
    if number > 4 or (number < 0 and year is None):
        return None
    month = 12 if number < 0 else 3 * number
    if year is not None:
        return unit_of(date(year, month, 1), "quarter")
    span = _occurrence(clock, lambda step: period(date(clock.today.year + step, month, 1), "quarter", 0))
    return over(span, "quarter", "quarter", "year")


def _season(match: Match, clock: Clock) -> Piece:
    month, rel, year = match.value("season"), _relative(match), _year_of(match, clock)

    def of_year(number: int) -> _Span:
        return period(date(number - (month == 12), month, 1), "season", 0)

    if year is not None:
        return over(of_year(year), "season")
    span = _occurrence(clock, lambda step: of_year(clock.today.year + step), rel)
    sure = rel is not None or match.says("sure_season", "season")
    return over(span, "season", "" if sure else "season", "" if rel is not None else "year")


def _weekend(match: Match, clock: Clock) -> Piece:
    saturday = period(clock.today, "week", 0)[0] + timedelta(5)

    def weekend(step: int) -> _Span:
        return saturday + timedelta(7 * step), saturday + timedelta(7 * step + 2)

    return over(_occurrence(clock, weekend, _relative(match)), "span")


def hours_of(day: date, part: str, need: str = "", cycle: str = "") -> Piece:
    midnight = datetime.combine(day, time.min)
    first, after = HOURS[part]
    return Piece(midnight + timedelta(hours=first), midnight + timedelta(hours=after), "hour", need, cycle)


def _day_part(match: Match, clock: Clock) -> Piece | None:
    if not match["daypart"]:
        return hours_of(clock.today, "that night")
    rel, part = _relative(match), match.value("daypart")
    if rel not in (-1, 0):
        return None
    if part == "night":
        part = "that night" if rel else "night" if clock.future else "small hours"
    return hours_of(clock.today + timedelta(rel or 0), part)


def _bare_day_part(match: Match, clock: Clock) -> Piece:
    return hours_of(clock.today, match.value("daypart"), "glue", "day")


def _clock_time(match: Match, clock: Clock) -> Piece | None:
    hour = 12 if match["noon"] else match.number("hh")
    half = match["ap"] or match["part"] or match["part2"]
    if half and not 1 <= hour <= 12:
        return None
    first = datetime.combine(clock.today, time(hour_of(hour, half or ""), int(match["mm"] or 0)))
    if clock.future and clock.aware(first) < clock.now:
        first += timedelta(1)
    elif not clock.future and clock.aware(first) > clock.now:
        first -= timedelta(1)
    length, grain = (1, "minute") if match["mm"] else (60, "hour")
    return Piece(first, first + timedelta(minutes=length), grain, "clock", "day")


def _recent(match: Match, clock: Clock) -> Piece:
    first, after = clock.today - timedelta(RECENT_DAYS), clock.today + timedelta(1)
    return over((first, after), "span", way="past")


def _same_time(match: Match, clock: Clock) -> Piece:
    day, around = shifted(clock.today, "year", -1), timedelta(SAME_TIME_DAYS)
    return over((day - around, day + around + timedelta(1)), "span")


def _present(match: Match, clock: Clock) -> Piece:
    if match["now"]:
        return Piece(clock.now, clock.next_minute, "minute", "glue")
    grain = str(match.value("unit", "period"))
    return over(period(clock.today, grain, 0), grain, "glue")


#: The rule of each row. Where two rows read the same words, that of the earlier rule counts.
RULES: dict[str, _Rule] = {
    "named_day": _named_day, "ago": partial(_away, -1), "older": partial(_edge, True), "newer": partial(_edge, False),
    "ahead": partial(_away, 1), "rolling_back": partial(_rolling, -1), "rolling_ahead": partial(_rolling, 1),
    "period": _relative_period, "weekday": _weekday, "month": _month, "date": _date, "day_range": _day_range,
    "day_of_month": _day_of_month, "iso_time": _iso_time, "numeric_date": partial(_numeric, "md"),
    "iso_span": _iso_span,
    "day_first": partial(_numeric, "ba"), "month_first": partial(_numeric, "ab"), "iso_month": _iso_month,
    "iso_week": _iso_week, "year": _year, "decade": _decade, "quarter": _quarter, "season": _season, "recent": _recent,
    "weekend": _weekend, "day_part": _day_part, "bare_day_part": _bare_day_part, "clock": _clock_time,
    "same_time": _same_time, "present": _present,
}  # fmt: skip
