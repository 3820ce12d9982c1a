"""Reads time expressions: "last week", «в конце 2024 года», "from March to June". Their words are ``lang/*/when.toml``.

An answer is an interval of calendar time in the zone of ``now``, never a moment made up from a vague word:
"yesterday" is the local day and ends with it, "in March" is the whole month. What is not understood gives
nothing, and :func:`looks_temporal` says when that is worth telling. Pure functions: the clock, the locale and
the time zone of the host are never asked.

How a text is read: expressions are the calendar units, longest first; neighbours join ("yesterday" + "at 15:30"); words
before them reshape them ("early", "the week of"); two make a range; lead words ("in", "since", "before") decide whether
a weak one (a bare "May") counts and which end is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, timezone
from functools import cache

from . import when_table as table
from .calendar import (
    DATES,
    HOURS,
    MAX,
    MIN,
    NO_SUCH_TIME,
    PARTS,
    RULES,
    SECONDS,
    Clock,
    Match,
    Piece,
    fold,
    hours_of,
    make_clock,
    over,
    period,
    read_amount,
    shifted,
    unit_of,
)
from .lexicon import said

__all__ = ["MAX", "MIN", "Window", "find", "looks_temporal", "parse"]


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
    through: bool = False
    """Whether only an end was given, by the last day in it ("through May 5")."""


def find(text: str, now: datetime, *, prefer: str = "past") -> list[Window]:
    """All time expressions of a text, in order, none overlapping; of two readings the longest wins.

    Args:
        text: any text.
        now: what relative words count from, zone-aware; its zone is that of the calendar.
        prefer: where an expression without a year lies, ``past`` or ``future`` ("on Monday", "in March").

    Raises:
        ValueError: ``now`` has no zone or an impossible year, or ``prefer`` is neither word.
    """
    clock = make_clock(now, prefer)
    pieces = _read(text, fold(text), clock)
    return [w for p in pieces if _counts(p, text) and (w := _window(p, text, clock))]


def parse(text: str, now: datetime, *, prefer: str = "past") -> Window | None:
    """The window of a string that is one time expression and nothing else; ``None`` when not understood.

    Takes and raises what :func:`find` does. Bare forms count: "May", "2023", "Monday".
    """
    clock = make_clock(now, prefer)
    for piece in _read(text, fold(text), clock):
        if _is_whole(piece, text) and (piece.need != "glue" or piece.rule != "present"):  # "week" is no answer
            return _window(piece, text, clock)
    return None


def looks_temporal(text: str) -> bool:
    """Whether a text holds words that promise a time ("ago", "last night", «назад»), understood or not."""
    return table.promised(fold(text))


# -- reading: expressions, then what their neighbours make of them ----------------------------------


def _read(text: str, folded: str, clock: Clock) -> list[Piece]:
    """The expressions of a text, weak ones with their ``need`` still open; none when it holds no cue."""
    kinds = table.kinds(folded)
    if not kinds:
        return []
    pieces = _longest(_scan(text, folded, clock, kinds))
    pieces = _join(pieces, folded, clock, _join_times)
    pieces = _join(pieces, folded, clock, _join_inside)
    pieces = [_reshaped(p, folded, clock, kinds) for p in pieces]
    pieces = _join(pieces, folded, clock, _join_ends)
    return _longest([_led(p, folded, clock) for p in pieces])


def _scan(text: str, folded: str, clock: Clock, kinds: frozenset[str]) -> list[Piece]:
    found = []
    for pattern in _expressions():
        rule = pattern.row.rule
        worth = pattern.needs <= kinds and pattern.promises(folded)
        for m in pattern.regex.finditer(folded) if worth else ():
            try:
                piece = RULES[rule](Match(m, text, pattern.row.language), clock)
            except NO_SUCH_TIME:
                continue
            if piece:
                found.append(replace(piece, rule=rule, start=m.start(), end=m.end()))
    return found


@cache
def _expressions() -> tuple[table.Pattern, ...]:
    rules = list(RULES)
    return tuple(sorted(table.patterns("expression"), key=lambda pattern: rules.index(pattern.row.rule)))


def _longest(pieces: list[Piece]) -> list[Piece]:
    """The pieces that stay when of overlapping ones the longest wins, in order of place."""
    taken: list[Piece] = []
    covered = bytearray(max((p.end for p in pieces), default=0))
    for piece in sorted(pieces, key=lambda p: p.start - p.end):
        if not any(covered[piece.start : piece.end]):
            covered[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
            taken.append(piece)
    return sorted(taken, key=lambda p: p.start)


_Join = Callable[[str, Piece, Piece, Clock], Piece | None]


def _join(pieces: list[Piece], folded: str, clock: Clock, make: _Join) -> list[Piece]:
    """Neighbours that a joint connects, made one where ``make`` agrees."""
    done: list[Piece] = []
    for right in pieces:
        for row, lead, gap in table.joints() if done else ():
            left = done[-1]
            if not gap.fullmatch(folded, left.end, right.start):
                continue
            before = lead.search(folded, max(0, left.start - 24), left.start)
            try:
                made = make(row.rule, left, right, clock) if before else None
            except NO_SUCH_TIME:
                continue
            if before and made:
                done[-1] = replace(made, start=before.start(), end=right.end)
                break
        else:
            done.append(right)
    return done


def _join_times(rule: str, left: Piece, right: Piece, clock: Clock) -> Piece | None:
    """ "from 10:00 to 12:00" """
    if "range" not in rule or left.rule != "clock" or right.rule != "clock":
        return None
    length = (right.lo - left.lo) % timedelta(1) or timedelta(1)
    return Piece(left.lo, left.lo + length, "span", "clock" if rule == "bare_range" else "", "day")


def _join_inside(rule: str, left: Piece, right: Piece, clock: Clock) -> Piece | None:
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
        cycles = (outer.lo - unit_of(inner.lo.date(), "week").lo).days // 7
    elif inner.cycle == "month":
        cycles = (outer.lo.year - inner.lo.year) * 12 + outer.lo.month - inner.lo.month
    else:
        cycles = outer.lo.year - (inner.hi - timedelta(1)).year
    return replace(_moved(inner, cycles), cycle="", need=outer.need)


def _time_of_day(rule: str, day: Piece, part: Piece, clock: Clock) -> Piece:
    """A time of a day: at it, from it on ("yesterday after 5pm"), up to it, or the night before the day."""
    night = part.rule == "bare_day_part" and part.lo.hour == HOURS["night"][0]
    if night and day.rule == "named_day" and day.lo.date() == clock.today and not clock.future:
        return hours_of(clock.today, "small hours")  # «сегодня ночью» said of the past
    first = day.lo + (part.lo - datetime.combine(part.lo.date(), time.min))
    if rule in ("at", "eve"):
        first -= timedelta(1 if rule == "eve" else 0)
        return Piece(first, first + (part.hi - part.lo), part.grain)
    return Piece(*((first, day.hi) if rule == "after" else (day.lo, first)), "span")


def _join_ends(rule: str, left: Piece, right: Piece, clock: Clock) -> Piece | None:
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
    return Piece(left.lo, right.hi, "span", need, right.cycle if left.cycle else "")


def _settled(left: Piece, right: Piece, clock: Clock) -> tuple[Piece, Piece]:
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


def _moved(piece: Piece, cycles: int) -> Piece:
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
    piece: Piece, folded: str, rows: tuple[table.Pattern, ...], kinds: frozenset[str]
) -> list[tuple[table.Row, re.Match[str]]]:
    """The rows whose words stand right before a piece, the longest first."""
    left = max(0, piece.start - 48)
    words = folded[left : piece.start].rstrip(" \t\r\n\xa0-")
    if not words or not words[-1].isalpha():
        return []
    part = folded[left : piece.start]
    tried = (p for p in rows if p.follows(words) and p.needs <= kinds and p.promises(part))
    found = [(p.row, m) for p in tried if (m := p.regex.search(folded, left, piece.start))]
    return sorted(found, key=lambda row_match: row_match[1].start())


def _reshaped(piece: Piece, folded: str, clock: Clock, kinds: frozenset[str]) -> Piece:
    """A piece with the words before it that choose another interval: "early", "two days before"."""
    for _ in range(2):
        for row, m in _before(piece, folded, table.patterns("shape"), kinds):
            try:
                made = _shape(row.rule, piece, Match(m, folded, row.language), clock)
            except NO_SUCH_TIME:
                continue
            if made:
                piece = replace(made, rule=row.rule, start=m.start(), end=piece.end, need="")
                break
        else:
            break
    return piece


def _shape(rule: str, piece: Piece, match: Match, clock: Clock) -> Piece | None:
    if rule in ("elapsed", "remaining"):
        lo, hi = clock.aware(piece.lo), clock.aware(piece.hi)
        if not lo <= clock.now < hi:
            return None
        return Piece(*((lo, clock.next_minute) if rule == "elapsed" else (clock.now, hi)), "span")
    if rule == "end" and piece.grain == "day":
        return None if piece.need == "glue" else piece  # "at the end of the day"
    rule = "end" if rule == "late" else rule
    if piece.lo.tzinfo or piece.hi.tzinfo or piece.cycle == "day" or piece.grain in ("hour", "minute"):
        return None
    first, last = piece.lo.date(), piece.hi.date() - timedelta(1)
    if rule == "week_of":
        return unit_of(first, "week") if piece.grain == "day" and "date" in piece.rule else None
    if rule in ("shift_back", "shift_ahead"):
        near, far, unit = read_amount(match["amount"] or match["one"], match.language)
        if near != far or unit in SECONDS:
            return None
        shift = (first, -near) if rule == "shift_back" else (last, near)
        return over(period(shift[0], unit, shift[1]), unit)
    if rule == "nth":
        return _nth(piece, match)
    if rule not in PARTS.get(piece.grain, {}):
        return None
    start, end = PARTS[piece.grain][rule]
    unit = "day" if piece.grain in ("week", "month") else "month"
    span = shifted(first, unit, start), last + timedelta(1) if end is None else shifted(first, unit, end)
    return over(span, "span", cycle=piece.cycle)


def _nth(piece: Piece, match: Match) -> Piece | None:
    """ "the first week of May", "the last Friday of 2024": weeks are counted from the first day."""
    number, first, after = match.value("ordinal", "ord"), piece.lo.date(), piece.hi.date()
    unit = "week" if match["weekday"] else str(match.value("unit"))
    if unit in ("day", "week"):
        size = 7 if unit == "week" else 1
        start = after - timedelta(size) if number < 0 else first + timedelta(size * (number - 1))
        span = start, start + timedelta(size)
    else:
        span = period(after - timedelta(1), unit, 0) if number < 0 else period(first, unit, number - 1)
    if match["weekday"]:
        start += timedelta((match.value("weekday") - start.weekday()) % 7)
        unit, span = "day", (start, start + timedelta(1))
    inside = first <= span[0] and span[1] <= after and span[1] - span[0] < after - first
    return over(span, unit, cycle=piece.cycle) if inside else None


def _led(piece: Piece, folded: str, clock: Clock) -> Piece:
    """A piece with the lead words before it: "in" makes a weak one count, "since" opens its end."""
    words = folded[piece.start : piece.end]
    owns = said("owned").match(folded, piece.end) or _ends(said("owning"), words)  # "before last week's release"
    closed = table.inclusive().match(folded, piece.end)
    for _ in range(0 if piece.need == "glue" else 2):
        for row, m in _before(piece, folded, table.patterns("lead"), frozenset()):
            if (piece.need and piece.need not in row.lifts.split()) or (owns and row.rule != "keep"):
                continue
            if row.rule == "up_to" and said("about").search(words):
                continue
            piece = replace(piece, start=m.start(), need="")
            rule = _reading(row.rule, piece, closed is not None)
            if rule != "keep":
                return _bounded(rule, replace(piece, end=closed.end() if closed else piece.end))
            break
        else:
            break
    return replace(piece, end=closed.end()) if closed and not piece.need else piece


def _ends(pattern: re.Pattern[str], words: str) -> bool:
    return any(found.end() == len(words) for found in pattern.finditer(words))


def _reading(rule: str, piece: Piece, inclusive: bool) -> str:
    """What a lead word means before a piece: "until May 5" is with that day, "until June" without that month."""
    if rule == "up_to":
        return "through"
    if rule in ("until", "before", "to"):
        date = rule != "before" and piece.rule in DATES
        return "through" if inclusive or date or piece.rule == "end" else "keep" if rule == "to" else "before"
    return rule


def _bounded(rule: str, piece: Piece) -> Piece:
    ends = {
        "since": (piece.lo, MAX),
        "after": (piece.hi, MAX),
        "before": (MIN, piece.lo),
        "through": (MIN, piece.hi),
    }
    return replace(piece, lo=ends[rule][0], hi=ends[rule][1], grain="span", way="", rule=rule)


# -- windows -----------------------------------------------------------------------------------------


def _is_whole(piece: Piece, text: str) -> bool:
    before, after = text[: piece.start], text[piece.end :]
    return not before.strip(" \t\n\r\"'«(") and not after.strip(" \t\n\r.?!,;»)\"'…")


def _counts(piece: Piece, text: str) -> bool:
    return not piece.need or (piece.need != "glue" and _is_whole(piece, text))


def _window(piece: Piece, text: str, clock: Clock) -> Window | None:
    """The window of a piece; ``None`` when it lies outside 1900-9998 or a clock change ate all of it."""
    try:
        start, end = clock.aware(piece.lo), clock.aware(piece.hi)
        first, after = start.astimezone(UTC), end.astimezone(UTC)
    except NO_SUCH_TIME:
        return None
    if first >= after or start.year < MIN.year or (end.year >= MAX.year and piece.hi != MAX):
        return None
    if start >= end:  # one wall hour, twice: only an offset tells the two ends apart
        start, end = (t.astimezone(timezone(t.utcoffset() or timedelta(0))) for t in (start, end))
    now = clock.now.astimezone(UTC)
    way = piece.way or ("past" if after <= now else "future" if first > now else "present")
    words = text[piece.start : piece.end]
    return Window(start, end, piece.grain, words, (piece.start, piece.end), way, piece.rule == "through")
