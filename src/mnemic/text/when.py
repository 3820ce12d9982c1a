"""Reads time expressions, English and Russian: "last week", «в конце 2024 года», "from March to June".

An answer is an interval of calendar time in the zone of ``now``, never a moment made up from a vague word:
"yesterday" is the local day and ends with it, "in March" is the whole month. What is not understood gives
nothing, and :func:`looks_temporal` says when that is worth telling. Pure functions: the clock, the locale and
the time zone of the host are never asked.

How a text is read: :data:`~.when_tables.EXPRESSIONS` finds the calendar units, longest first; neighbours join
("yesterday" + "at 15:30"); words before them reshape them ("early", "the week of"); two make a range; lead
words ("in", "since", "before") decide whether a weak one (a bare "May") counts and which end is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import partial

from . import when_tables as tables
from .when_tables import lookup

__all__ = ["MAX", "MIN", "Window", "find", "looks_temporal", "parse"]

MIN = datetime(1900, 1, 1, tzinfo=UTC)
"""The start of a window that is open to the past ("before June")."""
MAX = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of a window that is open to the future ("since Monday")."""

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "24h": 86400}
_MONTHS_IN = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120}
_HALF_WORD = re.compile("^пол(?=года|часа|месяца|дня)")
#: What calendar arithmetic raises for 31 June, 29 February 2025, the year 40000.
_NO_SUCH_TIME = (ValueError, OverflowError, LookupError, StopIteration)
_APOSTROPHES = str.maketrans({"ё": "е", "’": "'", "ʼ": "'", "‘": "'"})


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open interval ``[start, end)`` of world time and the words it was read from."""

    start: datetime
    """First moment, zone-aware; :data:`MIN` when open."""
    end: datetime
    """Moment after the last, zone-aware; :data:`MAX` when open."""
    granularity: str
    """minute, hour, day, week, month, quarter, season, year, decade; span when it is none of these."""
    text: str
    """The words, verbatim."""
    span: tuple[int, int]
    """Their place in the string given."""
    direction: str
    """past, future, or present when now is inside."""


def find(text: str, now: datetime, *, prefer: str = "past") -> list[Window]:
    """All time expressions of a text, in order, none overlapping; of two readings the longest wins.

    Args:
        text: any text.
        now: what relative words count from, zone-aware; its zone is that of the calendar.
        prefer: where an expression without a year lies, ``past`` or ``future`` ("on Monday", "in March").

    Raises:
        ValueError: ``now`` has no zone or an impossible year, or ``prefer`` is neither word.
    """
    clock = _clock(now, prefer)
    pieces = _read(text, _fold(text), clock)
    return [w for p in pieces if _counts(p, text) and (w := _window(p, text, clock))]


def parse(text: str, now: datetime, *, prefer: str = "past") -> Window | None:
    """The window of a string that is one time expression and nothing else; ``None`` when not understood.

    Takes and raises what :func:`find` does. Bare forms count: "May", "2023", "Monday".
    """
    clock = _clock(now, prefer)
    for piece in _read(text, _fold(text), clock):
        if _is_whole(piece, text) and (
            piece.need != "glue" or piece.rule != "present"
        ):  # "week" is no answer
            return _window(piece, text, clock)
    return None


def looks_temporal(text: str) -> bool:
    """Whether a text holds words that promise a time ("ago", "last night", «назад»), understood or not."""
    return bool(tables.promise().search(_fold(text)))


# -- pieces: what is read, before it is a window ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
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
class _Clock:
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


class _Match:
    """The named groups of a match: folded (``match["month"]``) and as written (:meth:`written`)."""

    def __init__(self, found: re.Match[str], text: str) -> None:
        self._found, self._text = found, text
        self._groups = {k: re.sub(r"\s+", " ", v) for k, v in found.groupdict().items() if v is not None}

    def __getitem__(self, name: str) -> str:
        return self._groups.get(name, "")

    def number(self, name: str) -> int:
        return int(self._groups[name])

    def written(self, name: str) -> str:
        return self._text[slice(*self._found.span(name))]


_Rule = Callable[[_Match, _Clock], _Piece | None]
_Span = tuple[date, date]


def _clock(now: datetime, prefer: str) -> _Clock:
    if now.utcoffset() is None:
        raise ValueError("now: must be zone-aware, for example datetime.now(UTC)")
    if not MIN.year < now.year < MAX.year - 1:
        raise ValueError(f"now: the year must be from {MIN.year + 1} to {MAX.year - 2}")
    if prefer not in ("past", "future"):
        raise ValueError(f"prefer: must be 'past' or 'future', not {prefer!r}")
    return _Clock(now, prefer == "future")


def _fold(text: str) -> str:
    """Lower case, ``ё`` as ``е``, plain apostrophes; every character keeps its place."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    return low.translate(_APOSTROPHES)


# -- calendar --------------------------------------------------------------------------------------


def _month_start(index: int) -> date:
    """First day of a month counted from the year 0."""
    return date(index // 12, index % 12 + 1, 1)


def _period(day: date, grain: str, step: int) -> _Span:
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


def _shift(day: date, unit: str, count: int) -> date:
    """A day moved by units; the last day of a shorter month when the day is missing there."""
    if unit in ("day", "week", "fortnight"):
        return day + timedelta(count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    first, after = _period(day, "month", count * _MONTHS_IN[unit])
    return min(first + timedelta(day.day - 1), after - timedelta(1))


def _over(span: _Span, grain: str, need: str = "", cycle: str = "", way: str = "") -> _Piece:
    lo, hi = (datetime.combine(d, time.min) for d in span)
    return _Piece(lo, hi, grain, need, cycle, way)


def _unit(day: date, grain: str) -> _Piece:
    """The calendar unit that holds a day."""
    return _over(_period(day, grain, 0), grain)


def _occurrence(
    clock: _Clock, make: Callable[[int], _Span], rel: int | None = None, *, strict: bool = False
) -> _Span:
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


def _amount(words: str) -> tuple[int, int, str]:
    """The least and the most units, and the unit: "a few days" is 2, 5, day; "1.5 years" is 18, 18, month."""
    parts = re.split(r"(?<=[0-9]) ?[-–—] ?(?=[0-9])|(?<=[а-я])-(?=[а-я])| (?:or|to|или) ", words)
    counts = [_count(part) for part in parts]
    units = (_value(tables.UNITS, _HALF_WORD.sub("", word)) for word in re.findall(r"[^\W\d]+", words))
    unit = next(filter(None, units))
    if any(n % 1 for n in counts):
        unit, size = tables.HALVES.get(unit, (unit, 1))
        counts = [n * size for n in counts]
    if re.search(rf"\b(?:{tables.VAGUE})\b", words) or re.fullmatch(tables.BARE_PLURALS, words):
        return *tables.FEW, unit
    return int(counts[0]), int(counts[-1]), unit


def _count(words: str) -> float:
    """``twenty-one`` → 21, ``half a`` → 0.5, «два с половиной» → 2.5; 1 when no number is named."""
    if words.startswith("half") or _HALF_WORD.match(words):
        return 0.5
    count = 0.0
    words = re.sub(r"(?:\ba )?couple(?: of)?", "two", words)
    for word in re.findall(r"[0-9]+(?:[.,][0-9])?|[^\W\d]+", words):
        if word[0].isdigit():
            count += float(word.replace(",", "."))
        elif (number := _value(tables.NUMBERS, word)) is not None:
            count = max(count, 1) * number if number == 100 else count + number
    return (count or 1) + (0.5 if re.search(r"\bhalf\b|половиной|\bполтор", words) else 0)


def _value(table: tables.Table[tables.V], word: str) -> tables.V | None:
    try:
        return lookup(table, word)
    except KeyError:
        return None


def _relative(match: _Match) -> int | None:
    return lookup(tables.RELATIVE, match["rel"]) if match["rel"] else None


def _year_of(match: _Match, clock: _Clock) -> int | None:
    """The year named by ``2024`` or "last year"."""
    words = match["yref"]
    if not words or words[0].isdigit():
        return int(words[:4]) if words else None
    return clock.today.year + lookup(tables.RELATIVE, words.rsplit(" ", 1)[0])


def _abbreviated(word: str) -> bool:
    """``mar``, ``tues``, «пн»: short forms, which are often other words."""
    full = ("march", "april", "may", "june", "july")
    return len(word) <= 5 and word not in full if word.isascii() else len(word) == 2


# -- rules: one for each name in the rows of EXPRESSIONS -------------------------------------------


def _named_day(match: _Match, clock: _Clock) -> _Piece:
    return _over(_period(clock.today, "day", lookup(tables.NAMED_DAYS, match["dayword"])), "day")


def _moment(clock: _Clock, seconds: float, grain: str) -> tuple[datetime, datetime]:
    """The hour or minute that lies so far from now, counted in real time."""
    moment = clock.after(seconds)
    first = moment.astimezone(UTC).replace(second=0, microsecond=0)
    first -= timedelta(minutes=moment.minute if grain == "hour" else 0)
    ends = (first, first + timedelta(minutes=60 if grain == "hour" else 1))
    return ends[0].astimezone(clock.now.tzinfo), ends[1].astimezone(clock.now.tzinfo)


def _away(sign: int, match: _Match, clock: _Clock) -> _Piece:
    near, far, unit = _amount(match["amount"])
    if unit in _SECONDS and unit != "24h":
        grain = "hour" if unit == "hour" else "minute"
        first, last = sorted(_moment(clock, sign * n * _SECONDS[unit], grain) for n in (near, far))
        return _Piece(first[0], last[1], grain if near == far else "span")
    unit = "day" if unit == "24h" else unit
    if match["exact"]:
        return _unit(_shift(clock.today, unit, sign * near), "day")
    start, end = sorted(_period(clock.today, unit, sign * n) for n in (near, far))
    return _over((start[0], end[1]), "span" if near != far else "week" if unit == "fortnight" else unit)


def _rolling(sign: int, match: _Match, clock: _Clock) -> _Piece:
    _, count, unit = _amount(match["amount"])
    way = "past" if sign < 0 else "future"
    if unit in _SECONDS:
        edge = clock.after(sign * count * _SECONDS[unit])
        return _Piece(*((edge, clock.next_minute) if sign < 0 else (clock.now, edge)), "span", way=way)
    if unit == "day" and count == 1:
        return _unit(clock.today + timedelta(sign), "day")
    edge_day, tomorrow = _shift(clock.today, unit, sign * count), clock.today + timedelta(1)
    span = (edge_day, tomorrow) if sign < 0 else (clock.today, edge_day + timedelta(1))
    return _over(span, "span", way=way)


def _edge(older: bool, match: _Match, clock: _Clock) -> _Piece:
    """ "more than a year ago" ends, "less than 2 weeks ago" begins with the day that long ago."""
    _, count, unit = _amount(match["amount"])
    if unit in _SECONDS:
        edge = clock.after(-count * _SECONDS[unit])
    else:
        edge = datetime.combine(_shift(clock.today, unit, -count), time.min)
    return _Piece(*((MIN, edge) if older else (edge, clock.next_minute)), "span")


def _relative_period(match: _Match, clock: _Clock) -> _Piece:
    rel = -2 if match["before"] else lookup(tables.RELATIVE, match["rel"])
    grain = lookup(tables.UNITS, match["period"])
    return _over(_period(clock.today, grain, rel), grain)


def _weekday(match: _Match, clock: _Clock) -> _Piece | None:
    word, rel = match["weekday"], _relative(match)
    short = _abbreviated(word)
    lower = word.isascii() and match.written("weekday")[0].islower()
    if short and lower and (rel is None or word in ("sat", "wed")):
        return None
    monday = _period(clock.today, "week", 0)[0] + timedelta(lookup(tables.WEEKDAYS, word))
    span = _occurrence(clock, lambda step: _period(monday + timedelta(7 * step), "day", 0), rel, strict=True)
    sure = rel is not None or (word.isascii() and not short)
    return _over(span, "day", "" if sure else "day", "" if rel is not None else "week")


def _like_a_verb(match: _Match) -> bool:
    """Whether a month is written as another word would be: ``may``, ``MARCH``, ``dec``."""
    word = match["month"]
    other = word.isascii() and (word in tables.VERB_MONTHS or _abbreviated(word))
    return other and not match.written("month").istitle()


def _month(match: _Match, clock: _Clock) -> _Piece | None:
    word, rel, year = match["month"], _relative(match), _year_of(match, clock)
    number = lookup(tables.MONTHS, word)
    if year is not None:
        return _unit(date(year, number, 1), "month")
    if rel is not None and rel >= 0 and _like_a_verb(match):  # "this may fail"
        return None
    span = _occurrence(clock, lambda step: _period(date(clock.today.year + step, number, 1), "month", 0), rel)
    if rel is not None:
        return _over(span, "month")
    weak = not word.isascii() or word in tables.AMBIGUOUS_MONTHS or _abbreviated(word)
    return _over(span, "month", "verb" if _like_a_verb(match) else "month" if weak else "", "year")


def _date(match: _Match, clock: _Clock) -> _Piece:
    month, year = lookup(tables.MONTHS, match["month"]), _year_of(match, clock)
    words = re.split("[ -]+", match["nthday"]) if match["nthday"] else []
    day = sum(lookup(tables.ORDINALS, w) for w in words) or match.number("day")
    if year is not None:
        return _unit(date(year, month, day), "day")
    span = _occurrence(clock, lambda step: _period(date(clock.today.year + step, month, day), "day", 0))
    sure = match["nth"] or words or not _like_a_verb(match)
    return _over(span, "day", "" if sure else "day", "year")


def _day_range(match: _Match, clock: _Clock) -> _Piece:
    month, year = lookup(tables.MONTHS, match["month"]), _year_of(match, clock)

    def days(of_year: int) -> _Span:
        first, last = (date(of_year, month, match.number(name)) for name in ("d1", "d2"))
        return first, last + timedelta(1)

    if year is not None:
        return _over(days(year), "span")
    return _over(_occurrence(clock, lambda step: days(clock.today.year + step)), "span", "", "year")


def _day_of_month(match: _Match, clock: _Clock) -> _Piece:
    def day(step: int) -> _Span:
        first = _period(clock.today, "month", step)[0]
        return _period(first.replace(day=match.number("day")), "day", 0)

    return _over(_occurrence(clock, day), "day", "", "month")


def _numeric(order: str, match: _Match, clock: _Clock) -> _Piece:
    """A date in digits; ``order`` names the groups of month and day, swapped when only that makes a date."""
    month, day = match.number(order[0]), match.number(order[1])
    if order != "md" and month > 12:
        month, day = day, month
    return _unit(date(match.number("y"), month, day), "day")


def _iso_time(match: _Match, clock: _Clock) -> _Piece:
    written = f"{match['y']}-{match['m']}-{match['d']}T{match['hh']}:{match['mm']}{match['offset'].upper()}"
    first = clock.aware(datetime.fromisoformat(written)).astimezone(UTC)
    after = first + timedelta(minutes=1)
    return _Piece(first.astimezone(clock.now.tzinfo), after.astimezone(clock.now.tzinfo), "minute")


def _iso_month(match: _Match, clock: _Clock) -> _Piece:
    return replace(_unit(date(match.number("y"), match.number("m"), 1), "month"), need="month")


def _iso_week(match: _Match, clock: _Clock) -> _Piece:
    return _unit(date.fromisocalendar(match.number("y"), match.number("w"), 1), "week")


def _year(match: _Match, clock: _Clock) -> _Piece:
    first = int(match["bare"] or match["year"])
    last = int(match["last"] or first)
    grain, need = "year" if first == last else "span", "year" if match["bare"] else ""
    return _over((date(first, 1, 1), date(last + 1, 1, 1)), grain, need)


def _decade(match: _Match, clock: _Clock) -> _Piece:
    if match["full"]:
        return _unit(date(match.number("full"), 1, 1), "decade")
    tens = match.number("tens") if match["tens"] else lookup(tables.DECADES, match["decade"])
    need = "glue" if match["s"] and not match["the"] else "decade"  # "in 90s" may be a time-out
    return replace(_unit(date(tens + (2000 if tens < 30 else 1900), 1, 1), "decade"), need=need)


def _quarter(match: _Match, clock: _Clock) -> _Piece | None:
    year, number = _year_of(match, clock), int(match["q"] or lookup(tables.ORDINALS, match["ord"]))
    if number > 4 or (number < 0 and year is None):
        return None
    month = 12 if number < 0 else 3 * number
    if year is not None:
        return _unit(date(year, month, 1), "quarter")
    span = _occurrence(clock, lambda step: _period(date(clock.today.year + step, month, 1), "quarter", 0))
    return _over(span, "quarter", "quarter", "year")


def _season(match: _Match, clock: _Clock) -> _Piece:
    word, rel, year = match["season"], _relative(match), _year_of(match, clock)
    month = lookup(tables.SEASONS, word)

    def of_year(number: int) -> _Span:
        return _period(date(number - (month == 12), month, 1), "season", 0)

    if year is not None:
        return _over(of_year(year), "season")
    span = _occurrence(clock, lambda step: of_year(clock.today.year + step), rel)
    sure = rel is not None or word.endswith(("ом", "ой", "ью"))  # летом, зимой: already "in"
    return _over(span, "season", "" if sure else "season", "" if rel is not None else "year")


def _weekend(match: _Match, clock: _Clock) -> _Piece:
    saturday = _period(clock.today, "week", 0)[0] + timedelta(5)

    def weekend(step: int) -> _Span:
        return saturday + timedelta(7 * step), saturday + timedelta(7 * step + 2)

    return _over(_occurrence(clock, weekend, _relative(match)), "span")


def _hours(day: date, part: str, need: str = "", cycle: str = "") -> _Piece:
    midnight = datetime.combine(day, time.min)
    first, after = tables.HOURS[part]
    return _Piece(midnight + timedelta(hours=first), midnight + timedelta(hours=after), "hour", need, cycle)


def _day_part(match: _Match, clock: _Clock) -> _Piece | None:
    if not match["daypart"]:
        return _hours(clock.today, "that night")
    rel, part = _relative(match), lookup(tables.DAYPARTS, match["daypart"])
    if rel not in (-1, 0):
        return None
    if part == "night":
        part = "that night" if rel else "night" if clock.future else "small hours"
    return _hours(clock.today + timedelta(rel or 0), part)


def _bare_day_part(match: _Match, clock: _Clock) -> _Piece:
    return _hours(clock.today, lookup(tables.DAYPARTS, match["daypart"]), "glue", "day")


def _clock_time(match: _Match, clock: _Clock) -> _Piece | None:
    hour = 12 if match["noon"] else match.number("hh")
    half = match["ap"] or match["part"] or match["part2"]
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half in ("p", "дня", "вечера") else 0)
    first = datetime.combine(clock.today, time(hour, int(match["mm"] or 0)))
    if clock.future and clock.aware(first) < clock.now:
        first += timedelta(1)
    elif not clock.future and clock.aware(first) > clock.now:
        first -= timedelta(1)
    length, grain = (1, "minute") if match["mm"] else (60, "hour")
    return _Piece(first, first + timedelta(minutes=length), grain, "clock", "day")


def _recent(match: _Match, clock: _Clock) -> _Piece:
    first, after = clock.today - timedelta(tables.RECENT_DAYS), clock.today + timedelta(1)
    return _over((first, after), "span", way="past")


def _same_time(match: _Match, clock: _Clock) -> _Piece:
    day, around = _shift(clock.today, "year", -1), timedelta(tables.SAME_TIME_DAYS)
    return _over((day - around, day + around + timedelta(1)), "span")


def _present(match: _Match, clock: _Clock) -> _Piece:
    if match["now"]:
        return _Piece(clock.now, clock.next_minute, "minute", "glue")
    grain = lookup(tables.UNITS, match["period"])
    return _over(_period(clock.today, grain, 0), grain, "glue")


_RULES: dict[str, _Rule] = {
    "named_day": _named_day, "ago": partial(_away, -1), "ahead": partial(_away, 1),
    "older": partial(_edge, True), "newer": partial(_edge, False),
    "rolling_back": partial(_rolling, -1), "rolling_ahead": partial(_rolling, 1),
    "period": _relative_period, "weekday": _weekday, "month": _month, "season": _season, "weekend": _weekend,
    "date": _date, "day_range": _day_range, "day_of_month": _day_of_month,
    "iso_time": _iso_time, "iso_month": _iso_month, "iso_week": _iso_week,
    "numeric_date": partial(_numeric, "md"),
    "day_first": partial(_numeric, "ba"), "month_first": partial(_numeric, "ab"),
    "year": _year, "decade": _decade, "quarter": _quarter, "recent": _recent, "same_time": _same_time,
    "day_part": _day_part, "bare_day_part": _bare_day_part, "clock": _clock_time, "present": _present,
}  # fmt: skip


# -- reading: expressions, then what their neighbours make of them ----------------------------------


def _read(text: str, folded: str, clock: _Clock) -> list[_Piece]:
    """The expressions of a text, weak ones with their ``need`` still open; none when it holds no cue."""
    kinds = tables.kinds(folded)
    if not kinds:
        return []
    pieces = _longest(_scan(text, folded, clock, kinds))
    pieces = _join(pieces, folded, clock, _join_times)
    pieces = _join(pieces, folded, clock, _join_inside)
    pieces = [_reshaped(p, folded, clock, kinds) for p in pieces]
    pieces = _join(pieces, folded, clock, _join_ends)
    return _longest([_led(p, folded, clock) for p in pieces])


def _scan(text: str, folded: str, clock: _Clock, kinds: frozenset[str]) -> list[_Piece]:
    found = []
    for pattern in tables.EXPRESSION_PATTERNS:
        rule = pattern.row.rule
        for m in pattern.regex.finditer(folded) if pattern.needs <= kinds else ():
            try:
                piece = _RULES[rule](_Match(m, text), clock)
            except _NO_SUCH_TIME:
                continue
            if piece:
                found.append(replace(piece, rule=rule, start=m.start(), end=m.end()))
    return found


def _longest(pieces: list[_Piece]) -> list[_Piece]:
    """The pieces that stay when of overlapping ones the longest wins, in order of place."""
    taken: list[_Piece] = []
    covered = bytearray(max((p.end for p in pieces), default=0))
    for piece in sorted(pieces, key=lambda p: p.start - p.end):
        if not any(covered[piece.start : piece.end]):
            covered[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
            taken.append(piece)
    return sorted(taken, key=lambda p: p.start)


_Join = Callable[[str, _Piece, _Piece, _Clock], _Piece | None]


def _join(pieces: list[_Piece], folded: str, clock: _Clock, make: _Join) -> list[_Piece]:
    """Neighbours that :data:`~.when_tables.JOINTS` connects, made one where ``make`` agrees."""
    done: list[_Piece] = []
    for right in pieces:
        for row, lead, gap in tables.joints() if done else ():
            left = done[-1]
            if not gap.fullmatch(folded, left.end, right.start):
                continue
            before = lead.search(folded, max(0, left.start - 24), left.start)
            try:
                made = make(row.rule, left, right, clock) if before else None
            except _NO_SUCH_TIME:
                continue
            if before and made:
                done[-1] = replace(made, start=before.start(), end=right.end)
                break
        else:
            done.append(right)
    return done


def _join_times(rule: str, left: _Piece, right: _Piece, clock: _Clock) -> _Piece | None:
    """ "from 10:00 to 12:00" """
    if "range" not in rule or left.rule != "clock" or right.rule != "clock":
        return None
    length = (right.lo - left.lo) % timedelta(1) or timedelta(1)
    return _Piece(left.lo, left.lo + length, "span", "clock" if rule == "bare_range" else "", "day")


def _join_inside(rule: str, left: _Piece, right: _Piece, clock: _Clock) -> _Piece | None:
    """One in the other, either order: "yesterday at 15:30", "Monday last week", «в прошлом году в марте»."""
    outer, inner = (right, left) if left.cycle == right.grain or left.cycle == "day" else (left, right)
    if inner.cycle != outer.grain or outer.lo.tzinfo or outer.need == "glue":
        return None
    if inner.cycle == "day":
        eve = inner is left and inner.rule == "bare_day_part"
        fits = {"at": True, "eve": eve, "after": inner is right, "before": inner is right}
        return _time_of_day(rule, outer, inner, clock) if fits.get(rule) else None
    if rule not in ("at", "eve") or outer.cycle:
        return None
    if inner.cycle == "week":
        cycles = (outer.lo - _unit(inner.lo.date(), "week").lo).days // 7
    elif inner.cycle == "month":
        cycles = (outer.lo.year - inner.lo.year) * 12 + outer.lo.month - inner.lo.month
    else:
        cycles = outer.lo.year - (inner.hi - timedelta(1)).year
    return replace(_moved(inner, cycles), cycle="", need=outer.need)


def _time_of_day(rule: str, day: _Piece, part: _Piece, clock: _Clock) -> _Piece:
    """A time of a day: at it, from it on ("yesterday after 5pm"), up to it, or the night before the day."""
    night = part.rule == "bare_day_part" and part.lo.hour == tables.HOURS["night"][0]
    if night and day.rule == "named_day" and day.lo.date() == clock.today and not clock.future:
        return _hours(clock.today, "small hours")  # «сегодня ночью» said of the past
    first = day.lo + (part.lo - datetime.combine(part.lo.date(), time.min))
    if rule in ("at", "eve"):
        first -= timedelta(1 if rule == "eve" else 0)
        return _Piece(first, first + (part.hi - part.lo), part.grain)
    return _Piece(*((first, day.hi) if rule == "after" else (day.lo, first)), "span")


def _join_ends(rule: str, left: _Piece, right: _Piece, clock: _Clock) -> _Piece | None:
    """ "from March to June 2024": a year named once, or not at all, is settled for both."""
    bare, alike = rule == "bare_range", left.grain == right.grain
    if "range" not in rule or "day" in (left.cycle, right.cycle) or left.need == "glue":
        return None
    if (bare and (left.lo.tzinfo or not alike)) or (right.need == "glue" and not (alike or right.lo.tzinfo)):
        return None
    need = right.need or left.need if bare and (right.need or right.cycle) else ""
    left, right = _settled(left, right, clock)
    if clock.aware(left.lo).astimezone(UTC) > clock.aware(right.lo).astimezone(UTC):
        return None
    return _Piece(left.lo, right.hi, "span", need, right.cycle if left.cycle else "")


def _settled(left: _Piece, right: _Piece, clock: _Clock) -> tuple[_Piece, _Piece]:
    """The two ends of a range, moved by whole cycles until they are in order and as near as can be."""
    if left.cycle == "year" and not right.cycle:
        left = _moved(left, right.lo.year - left.lo.year)
    elif right.cycle == "year" and not left.cycle:
        right = _moved(right, left.lo.year - right.lo.year)
    if clock.aware(left.lo) > clock.aware(right.lo):
        if right.cycle and (clock.future or not left.cycle):
            right = _moved(right, 1)
        elif left.cycle:
            left = _moved(left, -1)
    return left, right


def _moved(piece: _Piece, cycles: int) -> _Piece:
    """A piece moved by so many of its cycles.

    Raises:
        ValueError: the day is not there.
    """
    lo, hi = piece.lo, piece.hi
    if piece.cycle == "week":
        return replace(piece, lo=lo + timedelta(7 * cycles), hi=hi + timedelta(7 * cycles))
    months = lo.month - 1 + cycles * (12 if piece.cycle == "year" else 1)
    first = lo.replace(year=lo.year + months // 12, month=months % 12 + 1)
    if lo.day == hi.day == 1:  # whole months, which differ in length
        return replace(piece, lo=first, hi=hi.replace(year=hi.year + first.year - lo.year))
    return replace(piece, lo=first, hi=first + (hi - lo))


def _before(
    piece: _Piece, folded: str, patterns: tuple[tables.Pattern, ...], kinds: frozenset[str]
) -> list[tuple[tables.Row, re.Match[str]]]:
    """The rows whose words stand right before a piece, the longest first."""
    left = max(0, piece.start - 48)
    words = folded[left : piece.start].rstrip(" \t\r\n\xa0-")
    if not words or not words[-1].isalpha():
        return []
    lang = "en" if words[-1].isascii() else "ru"
    tried = (p for p in patterns if p.lang == lang and p.needs <= kinds)
    found = [(p.row, m) for p in tried if (m := p.regex.search(folded, left, piece.start))]
    return sorted(found, key=lambda row_match: row_match[1].start())


def _reshaped(piece: _Piece, folded: str, clock: _Clock, kinds: frozenset[str]) -> _Piece:
    """A piece with the words before it that choose another interval: "early", "two days before"."""
    for _ in range(2):
        for row, m in _before(piece, folded, tables.SHAPE_PATTERNS, kinds):
            try:
                made = _shape(row.rule, piece, _Match(m, folded), clock)
            except _NO_SUCH_TIME:
                continue
            if made:
                piece = replace(made, start=m.start(), end=piece.end, need="")
                break
        else:
            break
    return piece


def _shape(rule: str, piece: _Piece, match: _Match, clock: _Clock) -> _Piece | None:
    if rule in ("elapsed", "remaining"):
        lo, hi = clock.aware(piece.lo), clock.aware(piece.hi)
        if not lo <= clock.now < hi:
            return None
        return _Piece(*((lo, clock.next_minute) if rule == "elapsed" else (clock.now, hi)), "span")
    if piece.lo.tzinfo or piece.hi.tzinfo or piece.cycle == "day" or piece.grain in ("hour", "minute"):
        return None
    first, last = piece.lo.date(), piece.hi.date() - timedelta(1)
    if rule == "week_of":
        return _unit(first, "week") if piece.grain == "day" and "date" in piece.rule else None
    if rule in ("shift_back", "shift_ahead"):
        near, far, unit = _amount(match["amount"] or match["one"])
        if near != far or unit in _SECONDS:
            return None
        shift = (first, -near) if rule == "shift_back" else (last, near)
        return _over(_period(shift[0], unit, shift[1]), unit)
    if rule == "nth":
        return _nth(piece, match)
    if rule not in tables.PARTS.get(piece.grain, {}):
        return None
    start, end = tables.PARTS[piece.grain][rule]
    unit = "day" if piece.grain in ("week", "month") else "month"
    span = _shift(first, unit, start), last + timedelta(1) if end is None else _shift(first, unit, end)
    return _over(span, "span", cycle=piece.cycle)


def _nth(piece: _Piece, match: _Match) -> _Piece | None:
    """ "the first week of May", "the last Friday of 2024": weeks are counted from the first day."""
    number, first, after = lookup(tables.ORDINALS, match["ord"]), piece.lo.date(), piece.hi.date()
    unit = "week" if match["weekday"] else lookup(tables.UNITS, match["unit"])
    if unit in ("day", "week"):
        size = 7 if unit == "week" else 1
        start = after - timedelta(size) if number < 0 else first + timedelta(size * (number - 1))
        span = start, start + timedelta(size)
    else:
        span = _period(after - timedelta(1), unit, 0) if number < 0 else _period(first, unit, number - 1)
    if match["weekday"]:
        start += timedelta((lookup(tables.WEEKDAYS, match["weekday"]) - start.weekday()) % 7)
        unit, span = "day", (start, start + timedelta(1))
    inside = first <= span[0] and span[1] <= after and span[1] - span[0] < after - first
    return _over(span, unit, cycle=piece.cycle) if inside else None


def _led(piece: _Piece, folded: str, clock: _Clock) -> _Piece:
    """A piece with the lead words before it: "in" makes a weak one count, "since" opens its end."""
    words = folded[piece.start : piece.end]
    owns = folded.startswith("'s", piece.end) or re.search("шн[а-я]+$", words)  # "before last week's release"
    for _ in range(0 if piece.need == "glue" else 2):
        for row, m in _before(piece, folded, tables.LEAD_PATTERNS, frozenset()):
            if (piece.need and piece.need not in row.lifts.split()) or (owns and row.rule != "keep"):
                continue
            piece = replace(piece, start=m.start(), need="")
            if row.rule != "keep":
                return _bounded(row.rule, piece)
            break
        else:
            break
    return piece


def _bounded(rule: str, piece: _Piece) -> _Piece:
    ends = {
        "since": (piece.lo, MAX),
        "after": (piece.hi, MAX),
        "before": (MIN, piece.lo),
        "by": (MIN, piece.hi),
    }
    return replace(piece, lo=ends[rule][0], hi=ends[rule][1], grain="span", way="")


# -- windows -----------------------------------------------------------------------------------------


def _is_whole(piece: _Piece, text: str) -> bool:
    before, after = text[: piece.start], text[piece.end :]
    return not before.strip(" \t\n\r\"'«(") and not after.strip(" \t\n\r.?!,;»)\"'…")


def _counts(piece: _Piece, text: str) -> bool:
    return not piece.need or (piece.need != "glue" and _is_whole(piece, text))


def _window(piece: _Piece, text: str, clock: _Clock) -> Window | None:
    """The window of a piece; ``None`` when it lies outside 1900-9998 or a clock change ate all of it."""
    try:
        start, end = clock.aware(piece.lo), clock.aware(piece.hi)
        first, after = start.astimezone(UTC), end.astimezone(UTC)
    except _NO_SUCH_TIME:
        return None
    if first >= after or start.year < MIN.year or (end.year >= MAX.year and piece.hi != MAX):
        return None
    if start >= end:  # one wall hour, twice: only an offset tells the two ends apart
        start, end = (t.astimezone(timezone(t.utcoffset() or timedelta(0))) for t in (start, end))
    now = clock.now.astimezone(UTC)
    way = piece.way or ("past" if after <= now else "future" if first > now else "present")
    words = text[piece.start : piece.end]
    return Window(start, end, piece.grain, words, (piece.start, piece.end), way)
