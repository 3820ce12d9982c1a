"""When a clause says that something is or was so: read by :mod:`mnemic.text.when`, against the time of its episode."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from ...lang import when
from .row import words

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_GRAINS = {
    "minute": "day",
    "hour": "day",
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "season",
    "season": "season",
    "year": "year",
    "decade": "year",
}
_SINCE = re.compile(r"^(?:ever )?(?:since|from|as of|starting|с|со|начиная с)\b", re.I)
_UNTIL = re.compile(r"\b(?:until|till|by|up to|through|thru|before|до|по|к)\b", re.I)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_RU_MONTHS = (
    "январе",
    "феврале",
    "марте",
    "апреле",
    "мае",
    "июне",
    "июле",
    "августе",
    "сентябре",
    "октябре",
    "ноябре",
    "декабре",
)
_RU_MONTHS_GEN = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
#: Small words left alone where the time words went.
_LEFT = re.compile(r"(?:\s+|^)(?:on|in|at|for|since|from|until|till|by|back|с|со|в|до|к|ещё|еще)\s*(?=[,.]|$)", re.I)
#: A time word in the middle of a phrase is part of it ("weekend trips"), unless a preposition leads it.
_INSIDE = re.compile(
    r" (?!(?:in|on|at|to|from|with|for|and|but|so|as|by|of|the|a|an|my|i|we|he|she|it|they|our|his|her|is|was|because|when|that|this|near)\b)[a-z]"
)
_LED = re.compile(
    r"(?:in|on|at|since|from|until|till|through|thru|up to|by|before|after|last|next|this|yesterday|today|tomorrow|tonight|recently|lately|\w+ \w+ ago|[^a-z])",
    re.I,
)


#: Beginnings of words without which no sentence tells a time; digits do besides.
_HEADS = tuple(
    sorted(
        words("""
yesterday today tonight tomorrow last next this since until till ago recent late early week month year day night
morn even weekend season spring summer autumn fall winter mon tue wed thu fri sat sun jan feb mar apr may jun
jul aug sep oct nov dec christmas easter noon midnight decade century couple few two three four five six seven
eight nine ten first second third вчера сегодня завтра позавчера послезавтра прошл следующ эт недел месяц год
лет день дня дней утр вечер ноч дне весн лет осен зим понедельник вторник сред четверг пятниц суббот воскрес янв
фев мар апр мая май мае июн июл авг сен окт ноя дек назад недавн скор начал конц конец середин век полгода
полтора выходн новый нового рождеств пасх
""")
    )
)
_DIGIT = re.compile(r"\d")


def may_tell(text: str, there: Iterable[str]) -> bool:
    """Whether a sentence of these words (in small letters) may tell a time: a cheap look before :func:`read`."""
    return bool(_DIGIT.search(text)) or any(word.startswith(_HEADS) for word in there)


@dataclass(frozen=True, slots=True)
class When:
    """What a clause says about its time.

    Attributes:
        event: when it happened, if it says so. start, end: from when and until when it holds, if it says so.
        granularity: of ``event``. phrase: the same in plain dates, to follow a sentence ("in May 2024").
    """

    event: int | None = None
    start: int | None = None
    end: int | None = None
    granularity: str | None = None
    phrase: str = ""
    ahead: bool = False


NONE = When()


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def now(at: int, zone: tzinfo) -> datetime:
    """The moment an episode was said, in the calendar of a zone."""
    return (_EPOCH + timedelta(microseconds=at)).astimezone(zone)


def read(clause: str, said: datetime, *, russian: bool, ahead: bool = False) -> tuple[str, When]:
    """A clause without its time words, and what they say; the first expression counts.

    Args:
        clause: the words. said: when they were said. russian: the language of the phrase.
        ahead: a time without a year lies ahead ("the deadline is Friday").
    """
    windows = when.find(clause, said, prefer="future" if ahead or _UNTIL.search(clause) else "past")
    if not windows:
        return clause, NONE
    windows = [window for window in windows if not _INSIDE.match(clause, window.span[1]) or _LED.match(window.text)]
    if not windows:
        return clause, NONE
    out, at = [], 0
    for window in windows:
        out.append(clause[at : window.span[0]])
        at = window.span[1]
    out.append(clause[at:])
    bare = _LEFT.sub("", " ".join("".join(out).split()).replace(" ,", ",")).strip(" ,")
    return bare, _told(windows[0], russian)


def _told(window: when.Window, russian: bool) -> When:
    start = None if window.start <= when.MIN else window.start
    end = None if window.end >= when.MAX else window.end
    if start is None and end is None:
        return NONE
    ahead = window.direction == "future"
    if start and end is None:
        return When(None, micros(start), None, None, _phrase(start, _grain_of(start), russian, "since"), ahead)
    if start is None and end:
        if _UNTIL.match(window.text) and window.text.lower().startswith(("by ", "к ")):
            return When(None, None, None, None, _phrase(end - timedelta(1), "day", russian, "by"), ahead)
        if window.through:
            last = _phrase(end - timedelta(1), "day", russian, "until")
            return When(None, None, micros(end), None, last, ahead)
        return When(None, None, micros(end), None, _phrase(end, _grain_of(end), russian, "until"), ahead)
    assert start is not None
    assert end is not None
    if _SINCE.match(window.text) and window.granularity != "span":
        return When(None, micros(start), None, None, _phrase(start, _grains(window), russian, "since"), ahead)
    if window.granularity == "span" and window.direction == "present" and end - start > timedelta(40):
        return When(
            None, micros(start), None, None, _phrase(start, _grain_of(start), russian, "since"), ahead
        )  # "for the past year"
    if window.granularity == "span":
        if end - start > timedelta(40):
            text = (
                f"{_phrase(start, _grain_of(start), russian, 'since')} {_phrase(end, _grain_of(end), russian, 'until')}"
            )
            return When(micros(start), micros(start), micros(end), None, text, ahead)
        return When(ahead=ahead)
    grain = _grains(window)
    return When(micros(start), micros(start), None, grain, _phrase(start, grain, russian, "on"), ahead)


def _grains(window: when.Window) -> str:
    return _GRAINS.get(window.granularity, "day")


def _grain_of(moment: datetime) -> str:
    """How exact an open end is meant: the first of a year or of a month stands for all of it."""
    if moment.day == 1:
        return "year" if moment.month == 1 else "month"
    return "day"


def _phrase(moment: datetime, grain: str, russian: bool, how: str) -> str:
    day, year, month = f"{moment:%Y-%m-%d}", str(moment.year), moment.month - 1
    if not russian:
        date = {"year": year, "month": f"{_MONTHS[month]} {year}"}.get(grain, day)
        if how != "on":
            return f"{how} {date}"
        return {"day": f"on {day}", "week": f"in the week of {day}", "season": f"around {_MONTHS[month]} {year}"}.get(
            grain, f"in {date}"
        )
    gen = {"year": f"{year} года", "month": f"{_RU_MONTHS_GEN[month]} {year} года"}.get(grain, day)
    if how != "on":
        return f"{ {'since': 'с', 'until': 'до', 'by': 'к'}[how] } {gen}"
    return {
        "day": day,
        "week": f"на неделе с {day}",
        "year": f"в {year} году",
    }.get(grain, f"в {_RU_MONTHS[month]} {year} года")
