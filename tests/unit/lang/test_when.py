"""Time expressions with a frozen now: what each means, what only looks like one, what holds for any text."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.lang import calendar, when_table
from mnemic.lang.when import MAX, MIN, Window, find, looks_temporal, parse

NOW = datetime.fromisoformat(when_table.EXAMPLE_NOW)  # Sunday 2026-11-29 12:00
ZONES = ("UTC", "Europe/Moscow", "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe")


def day(moment: datetime) -> str:
    """A moment as short as it can be written; ``*`` for an open end."""
    if moment in (MIN, MAX):
        return "*"
    return moment.strftime("%Y-%m-%dT%H:%M").removesuffix("T00:00")


def short(window: Window | None) -> str | None:
    return f"{day(window.start)}/{day(window.end)}" if window else None


# -- the tables ----------------------------------------------------------------------------------

ROWS = [pattern for kind in ("expression", "shape", "lead") for pattern in when_table.patterns(kind)]


@pytest.mark.parametrize("pattern", ROWS, ids=lambda p: f"{p.row.language}-{p.row.rule}-{p.row.example}")
def test_each_row_reads_its_own_example(pattern: when_table.Pattern) -> None:
    """The example of a row gives the answer beside it, and it is this row that matches in it."""
    assert [short(w) for w in find(pattern.row.example, NOW)] == [pattern.row.answer]
    assert re.search(pattern.regex.pattern.removesuffix(r"\Z"), pattern.row.example.lower())
    assert pattern.promises(pattern.row.example.lower())


@pytest.mark.parametrize("joint", [row for row, *_ in when_table.joints()], ids=lambda j: f"{j.language}-{j.example}")
def test_each_joint_reads_its_own_example(joint: when_table.Joint) -> None:
    """Two expressions become the one written beside the row."""
    assert short(parse(joint.example, NOW)) == joint.answer


def test_every_rule_named_by_a_row_exists() -> None:
    """No row names a missing rule, no rule is without a row."""
    assert {pattern.row.rule for pattern in when_table.patterns("expression")} == set(calendar.RULES)


# -- expressions ---------------------------------------------------------------------------------

DAYS = {
    "yesterday": "2026-11-28/2026-11-29",
    "today": "2026-11-29/2026-11-30",
    "tomorrow": "2026-11-30/2026-12-01",
    "the day before yesterday": "2026-11-27/2026-11-28",
    "the day after tomorrow": "2026-12-01/2026-12-02",
    "вчера": "2026-11-28/2026-11-29",
    "позавчера": "2026-11-27/2026-11-28",
    "сегодня": "2026-11-29/2026-11-30",
    "завтра": "2026-11-30/2026-12-01",
    "послезавтра": "2026-12-01/2026-12-02",
    "со вчерашнего дня": "2026-11-28/*",
    "last 1 day": "2026-11-28/2026-11-29",
    "in the past day": "2026-11-28/2026-11-29",
    "за последний день": "2026-11-28/2026-11-29",
}
AGO = {
    "3 days ago": "2026-11-26/2026-11-27",
    "3 дня назад": "2026-11-26/2026-11-27",
    "три дня назад": "2026-11-26/2026-11-27",
    "дня три назад": "2026-11-26/2026-11-27",
    "день назад": "2026-11-28/2026-11-29",
    "twenty days ago": "2026-11-09/2026-11-10",
    "twenty-one days ago": "2026-11-08/2026-11-09",
    "двадцать один день назад": "2026-11-08/2026-11-09",
    "a hundred days ago": "2026-08-21/2026-08-22",
    "a couple of days ago": "2026-11-27/2026-11-28",
    "пару дней назад": "2026-11-27/2026-11-28",
    "a few days ago": "2026-11-24/2026-11-28",
    "несколько дней назад": "2026-11-24/2026-11-28",
    "a week ago": "2026-11-16/2026-11-23",
    "неделю назад": "2026-11-16/2026-11-23",
    "a couple of weeks ago": "2026-11-09/2026-11-16",
    "две недели назад": "2026-11-09/2026-11-16",
    "недели две тому назад": "2026-11-09/2026-11-16",
    "a fortnight ago": "2026-11-09/2026-11-16",
    "about three weeks ago": "2026-11-02/2026-11-09",
    "около трёх недель назад": "2026-11-02/2026-11-09",
    "a month ago": "2026-10-01/2026-11-01",
    "месяц назад": "2026-10-01/2026-11-01",
    "two months ago": "2026-09-01/2026-10-01",
    "полгода назад": "2026-05-01/2026-06-01",
    "half a year ago": "2026-05-01/2026-06-01",
    "полтора месяца назад": "2026-10-12/2026-10-19",
    "a year and a half ago": "2025-05-01/2025-06-01",
    "1.5 years ago": "2025-05-01/2025-06-01",
    "полтора года назад": "2025-05-01/2025-06-01",
    "два с половиной года назад": "2024-05-01/2024-06-01",
    "a year ago": "2025-01-01/2026-01-01",
    "год назад": "2025-01-01/2026-01-01",
    "два года назад": "2024-01-01/2025-01-01",
    "пять лет назад": "2021-01-01/2022-01-01",
    "10 years ago": "2016-01-01/2017-01-01",
    "a year ago today": "2025-11-29/2025-11-30",
    "ровно месяц назад": "2026-10-29/2026-10-30",
    "2 hours ago": "2026-11-29T10:00/2026-11-29T11:00",
    "час назад": "2026-11-29T11:00/2026-11-29T12:00",
    "15 минут назад": "2026-11-29T11:45/2026-11-29T11:46",
    "полчаса назад": "2026-11-29T11:30/2026-11-29T11:31",
    "сутки назад": "2026-11-28/2026-11-29",
    "more than 3 months ago": "*/2026-08-29",
    "больше года назад": "*/2025-11-29",
    "2-3 weeks ago": "2026-11-02/2026-11-16",
    "два-три дня назад": "2026-11-26/2026-11-28",
    "2 или 3 дня назад": "2026-11-26/2026-11-28",
    "a year or two ago": "2024-01-01/2026-01-01",
    "летом год назад": "2025-06-01/2025-09-01",
    "неделю назад в среду": "2026-11-18/2026-11-19",
}
AHEAD = {
    "in 2 days": "2026-12-01/2026-12-02",
    "через 2 дня": "2026-12-01/2026-12-02",
    "in two weeks": "2026-12-07/2026-12-14",
    "через неделю": "2026-11-30/2026-12-07",
    "через месяц": "2026-12-01/2027-01-01",
    "через полгода": "2027-05-01/2027-06-01",
    "in a year": "2027-01-01/2028-01-01",
    "in an hour": "2026-11-29T13:00/2026-11-29T14:00",
    "two weeks from now": "2026-12-07/2026-12-14",
    "the next three days": "2026-11-29/2026-12-03",
    "в ближайшие две недели": "2026-11-29/2026-12-14",
}
ROLLING = {
    "last 3 days": "2026-11-26/2026-11-30",
    "over the past 3 days": "2026-11-26/2026-11-30",
    "за последние 3 дня": "2026-11-26/2026-11-30",
    "последние три дня": "2026-11-26/2026-11-30",
    "in the last two weeks": "2026-11-15/2026-11-30",
    "за последнюю неделю": "2026-11-22/2026-11-30",
    "the past month": "2026-10-29/2026-11-30",
    "за последний месяц": "2026-10-29/2026-11-30",
    "за последний год": "2025-11-29/2026-11-30",
    "the last few days": "2026-11-24/2026-11-30",
    "за последние дни": "2026-11-24/2026-11-30",
    "the last 24 hours": "2026-11-28T12:00/2026-11-29T12:01",
    "за последние сутки": "2026-11-28T12:00/2026-11-29T12:01",
    "last hour": "2026-11-29T11:00/2026-11-29T12:01",
    "recently": "2026-11-15/2026-11-30",
    "недавно": "2026-11-15/2026-11-30",
    "the other day": "2026-11-15/2026-11-30",
    "на днях": "2026-11-15/2026-11-30",
    "в последнее время": "2026-11-15/2026-11-30",
}
PERIODS = {
    "last week": "2026-11-16/2026-11-23",
    "на прошлой неделе": "2026-11-16/2026-11-23",
    "this week": "2026-11-23/2026-11-30",
    "на этой неделе": "2026-11-23/2026-11-30",
    "next week": "2026-11-30/2026-12-07",
    "на следующей неделе": "2026-11-30/2026-12-07",
    "the week before last": "2026-11-09/2026-11-16",
    "на позапрошлой неделе": "2026-11-09/2026-11-16",
    "last month": "2026-10-01/2026-11-01",
    "в прошлом месяце": "2026-10-01/2026-11-01",
    "last quarter": "2026-07-01/2026-10-01",
    "в прошлом квартале": "2026-07-01/2026-10-01",
    "last year": "2025-01-01/2026-01-01",
    "в прошлом году": "2025-01-01/2026-01-01",
    "this year": "2026-01-01/2027-01-01",
    "в этом году": "2026-01-01/2027-01-01",
    "в позапрошлом году": "2024-01-01/2025-01-01",
    "last decade": "2010-01-01/2020-01-01",
    "last weekend": "2026-11-21/2026-11-23",
    "this weekend": "2026-11-28/2026-11-30",
    "next weekend": "2026-12-05/2026-12-07",
    "over the weekend": "2026-11-28/2026-11-30",
    "на выходных": "2026-11-28/2026-11-30",
    "в прошлые выходные": "2026-11-21/2026-11-23",
    "this time last year": "2025-11-22/2025-12-07",
    "в это же время в прошлом году": "2025-11-22/2025-12-07",
}
WEEKDAYS = {
    "last Tuesday": "2026-11-24/2026-11-25",
    "в прошлый вторник": "2026-11-24/2026-11-25",
    "last Sunday": "2026-11-22/2026-11-23",
    "this Friday": "2026-11-27/2026-11-28",
    "в эту пятницу": "2026-11-27/2026-11-28",
    "next Friday": "2026-12-04/2026-12-05",
    "в следующую пятницу": "2026-12-04/2026-12-05",
    "on Monday": "2026-11-23/2026-11-24",
    "on Sunday": "2026-11-22/2026-11-23",
    "в понедельник": "2026-11-23/2026-11-24",
    "в среду": "2026-11-25/2026-11-26",
    "во вторник": "2026-11-24/2026-11-25",
    "в пт": "2026-11-27/2026-11-28",
    "on Tue": "2026-11-24/2026-11-25",
    "Monday last week": "2026-11-16/2026-11-17",
    "last week on Thursday": "2026-11-19/2026-11-20",
    "в четверг на прошлой неделе": "2026-11-19/2026-11-20",
}
MONTHS = {
    "in March": "2026-03-01/2026-04-01",
    "in may": "2026-05-01/2026-06-01",
    "in November": "2026-11-01/2026-12-01",
    "in December": "2025-12-01/2026-01-01",
    "last March": "2026-03-01/2026-04-01",
    "last november": "2025-11-01/2025-12-01",
    "next March": "2027-03-01/2027-04-01",
    "March 2024": "2024-03-01/2024-04-01",
    "march 2024": "2024-03-01/2024-04-01",
    "Sept 2024": "2024-09-01/2024-10-01",
    "in March of last year": "2025-03-01/2025-04-01",
    "в марте": "2026-03-01/2026-04-01",
    "в мае": "2026-05-01/2026-06-01",
    "в марте 2024": "2024-03-01/2024-04-01",
    "в марте 2024 года": "2024-03-01/2024-04-01",
    "в марте прошлого года": "2025-03-01/2025-04-01",
    "в прошлом году в марте": "2025-03-01/2025-04-01",
    "в прошлом марте": "2026-03-01/2026-04-01",
    "за январь": "2026-01-01/2026-02-01",
    "May": "2026-05-01/2026-06-01",
    "2026-03": "2026-03-01/2026-04-01",
}
SEASONS = {
    "last summer": "2026-06-01/2026-09-01",
    "прошлым летом": "2026-06-01/2026-09-01",
    "last autumn": "2025-09-01/2025-12-01",
    "last fall": "2025-09-01/2025-12-01",
    "this autumn": "2026-09-01/2026-12-01",
    "этой зимой": "2025-12-01/2026-03-01",
    "last winter": "2025-12-01/2026-03-01",
    "next summer": "2027-06-01/2027-09-01",
    "in the spring": "2026-03-01/2026-06-01",
    "летом": "2026-06-01/2026-09-01",
    "summer of 2024": "2024-06-01/2024-09-01",
    "летом 2024 года": "2024-06-01/2024-09-01",
    "весной прошлого года": "2025-03-01/2025-06-01",
    "зимой 2024": "2023-12-01/2024-03-01",
}
YEARS = {
    "in 2023": "2023-01-01/2024-01-01",
    "2023": "2023-01-01/2024-01-01",
    "the year 2023": "2023-01-01/2024-01-01",
    "в 2023 году": "2023-01-01/2024-01-01",
    "в 2023": "2023-01-01/2024-01-01",
    "в 2023-м году": "2023-01-01/2024-01-01",
    "Q3 2024": "2024-07-01/2024-10-01",
    "in Q1": "2026-01-01/2026-04-01",
    "the third quarter of 2024": "2024-07-01/2024-10-01",
    "last quarter of 2024": "2024-10-01/2025-01-01",
    "в третьем квартале": "2026-07-01/2026-10-01",
    "в 3-м квартале 2024 года": "2024-07-01/2024-10-01",
    "in the 90s": "1990-01-01/2000-01-01",
    "in the nineties": "1990-01-01/2000-01-01",
    "the 1980s": "1980-01-01/1990-01-01",
    "в девяностых": "1990-01-01/2000-01-01",
    "в 90-х": "1990-01-01/2000-01-01",
    "в нулевые": "2000-01-01/2010-01-01",
    "в 2010-х годах": "2010-01-01/2020-01-01",
}
PARTS = {
    "at the end of 2024": "2024-10-01/2025-01-01",
    "в конце 2024 года": "2024-10-01/2025-01-01",
    "early 2024": "2024-01-01/2024-04-01",
    "mid-2024": "2024-05-01/2024-09-01",
    "early May": "2026-05-01/2026-05-11",
    "mid May": "2026-05-11/2026-05-21",
    "late May": "2026-05-21/2026-06-01",
    "в начале мая": "2026-05-01/2026-05-11",
    "в середине мая": "2026-05-11/2026-05-21",
    "в конце мая": "2026-05-21/2026-06-01",
    "at the beginning of last week": "2026-11-16/2026-11-18",
    "в конце прошлой недели": "2026-11-20/2026-11-23",
    "в начале прошлого года": "2025-01-01/2025-04-01",
    "в конце года": "2026-10-01/2027-01-01",
    "in the late 90s": "1997-01-01/2000-01-01",
    "in the first half of 2024": "2024-01-01/2024-07-01",
    "во второй половине мая": "2026-05-16/2026-06-01",
    "the first week of May": "2026-05-01/2026-05-08",
    "the last week of May": "2026-05-25/2026-06-01",
    "в последнюю неделю мая": "2026-05-25/2026-06-01",
    "the last day of February 2024": "2024-02-29/2024-03-01",
    "the week of June 3rd": "2026-06-01/2026-06-08",
    "two days before May 5": "2026-05-03/2026-05-04",
    "the week after May 5": "2026-05-11/2026-05-18",
    "за день до 5 мая": "2026-05-04/2026-05-05",
    "the second Tuesday of May": "2026-05-12/2026-05-13",
    "в последнюю пятницу мая": "2026-05-29/2026-05-30",
    "во втором полугодии 2024 года": "2024-07-01/2025-01-01",
    "в первых числах мая": "2026-05-01/2026-05-11",
    "by the end of the year": "*/2027-01-01",
    "earlier this month": "2026-11-01/2026-11-29T12:01",
    "later this week": "2026-11-29T12:00/2026-11-30",
}
DATES = {
    "2026-03-14": "2026-03-14/2026-03-15",
    "2026/03/14": "2026-03-14/2026-03-15",
    "14.03.2026": "2026-03-14/2026-03-15",
    "3/14/2026": "2026-03-14/2026-03-15",
    "14/3/2026": "2026-03-14/2026-03-15",
    "3/4/2026": "2026-03-04/2026-03-05",
    "3.4.2026": "2026-04-03/2026-04-04",
    "2026-03-14T10:30": "2026-03-14T10:30/2026-03-14T10:31",
    "2026-03-14 10:30:15.5": "2026-03-14T10:30/2026-03-14T10:31",
    "2026-03-14T10:30:00+03:00": "2026-03-14T07:30/2026-03-14T07:31",
    "2026-W12": "2026-03-16/2026-03-23",
    "7 May 2023": "2023-05-07/2023-05-08",
    "May 7, 2023": "2023-05-07/2023-05-08",
    "may 7, 2023": "2023-05-07/2023-05-08",
    "the 7th of May 2023": "2023-05-07/2023-05-08",
    "5 мая": "2026-05-05/2026-05-06",
    "5 мая 2023 года": "2023-05-05/2023-05-06",
    "5-го мая": "2026-05-05/2026-05-06",
    "пятого мая": "2026-05-05/2026-05-06",
    "двадцать первого мая": "2026-05-21/2026-05-22",
    "5 мая прошлого года": "2025-05-05/2025-05-06",
    "December 5": "2025-12-05/2025-12-06",
    "November 29": "2026-11-29/2026-11-30",
    "February 29": "2024-02-29/2024-03-01",
    "on may 5": "2026-05-05/2026-05-06",
    "on the 5th": "2026-11-05/2026-11-06",
    "15 числа прошлого месяца": "2026-10-15/2026-10-16",
    "5-го числа": "2026-11-05/2026-11-06",
}
OPEN = {
    "since Monday": "2026-11-23/*",
    "с понедельника": "2026-11-23/*",
    "since 2020": "2020-01-01/*",
    "since last week": "2026-11-16/*",
    "since March": "2026-03-01/*",
    "с прошлой недели": "2026-11-16/*",
    "с начала года": "2026-01-01/*",
    "before June": "*/2026-06-01",
    "до июня": "*/2026-06-01",
    "before 2020": "*/2020-01-01",
    "until yesterday": "*/2026-11-28",
    "after 5 May": "2026-05-06/*",
    "после 5 мая": "2026-05-06/*",
    "by Friday": "*/2026-11-28",
    "by the end of 2024": "*/2025-01-01",
}
RANGES = {
    "between 3 and 7 May": "2026-05-03/2026-05-08",
    "с 3 по 7 мая": "2026-05-03/2026-05-08",
    "3-7 мая 2024": "2024-05-03/2024-05-08",
    "May 3-7": "2026-05-03/2026-05-08",
    "between 30 May and 3 June 2024": "2024-05-30/2024-06-04",
    "from March to June 2024": "2024-03-01/2024-07-01",
    "from March to June": "2026-03-01/2026-07-01",
    "from November to February": "2025-11-01/2026-03-01",
    "from November 2023 to February": "2023-11-01/2024-03-01",
    "from November to February 2024": "2023-11-01/2024-03-01",
    "между мартом и июнем": "2026-03-01/2026-07-01",
    "с марта по июнь 2024": "2024-03-01/2024-07-01",
    "from 2019 to 2021": "2019-01-01/2022-01-01",
    "с 2019 по 2021 год": "2019-01-01/2022-01-01",
    "in 2019-2021": "2019-01-01/2022-01-01",
    "from Monday to Friday": "2026-11-23/2026-11-28",
    "с прошлого понедельника по вчера": "2026-11-23/2026-11-29",
    "from 2026-03-14 to 2026-03-16": "2026-03-14/2026-03-17",
    "between the 80s and the 90s": "1980-01-01/2000-01-01",
    "from yesterday to now": "2026-11-28/2026-11-29T12:01",
    "вчера с 10:00 до 12:00": "2026-11-28T10:00/2026-11-28T12:00",
}
HOURS = {
    "last night": "2026-11-28T18:00/2026-11-29T06:00",
    "прошлой ночью": "2026-11-28T18:00/2026-11-29T06:00",
    "tonight": "2026-11-29T18:00/2026-11-30T06:00",
    "this morning": "2026-11-29T05:00/2026-11-29T12:00",
    "сегодня утром": "2026-11-29T05:00/2026-11-29T12:00",
    "вчера вечером": "2026-11-28T17:00/2026-11-29",
    "сегодня ночью": "2026-11-29/2026-11-29T06:00",
    "yesterday morning": "2026-11-28T05:00/2026-11-28T12:00",
    "Friday evening": "2026-11-27T17:00/2026-11-28",
    "on the morning of May 5": "2026-05-05T05:00/2026-05-05T12:00",
    "утром 5 мая": "2026-05-05T05:00/2026-05-05T12:00",
    "yesterday at 15:30": "2026-11-28T15:30/2026-11-28T15:31",
    "вчера в 15:30": "2026-11-28T15:30/2026-11-28T15:31",
    "at 5pm yesterday": "2026-11-28T17:00/2026-11-28T18:00",
    "вчера в 5 вечера": "2026-11-28T17:00/2026-11-28T18:00",
    "yesterday after 5pm": "2026-11-28T17:00/2026-11-29",
    "вчера до 10:00": "2026-11-28/2026-11-28T10:00",
    "в ночь на понедельник": "2026-11-22T20:00/2026-11-23T06:00",
    "at 9:15": "2026-11-29T09:15/2026-11-29T09:16",
}
MEANINGS = {
    **DAYS, **AGO, **AHEAD, **ROLLING, **PERIODS, **WEEKDAYS, **MONTHS, **SEASONS, **YEARS, **PARTS, **DATES,
    **OPEN, **RANGES, **HOURS,
}  # fmt: skip


@pytest.mark.parametrize(("words", "answer"), MEANINGS.items(), ids=MEANINGS.keys())
def test_an_expression_means_its_interval(words: str, answer: str) -> None:
    """Parsed alone, and found as a whole in a sentence of its language when it does not need to be alone."""
    assert short(parse(words, NOW)) == answer
    found = find(words, NOW)
    assert [short(w) for w in found] == [answer]
    assert found[0].text == words


@pytest.mark.parametrize("words", sorted(MEANINGS.keys() - {"May", "2023", "2026-03"}))
def test_an_expression_is_found_in_a_sentence(words: str) -> None:
    """The same words give the same interval between others, and are quoted verbatim."""
    russian = re.search("[а-я]", words)
    before, after = ("Мы чинили сервер ", ", и он упал?") if russian else ("We fixed it ", ", did we?")
    (window,) = find(before + words + after, NOW)
    assert (short(window), window.text) == (MEANINGS[words], words)


@pytest.mark.parametrize("words", sorted(MEANINGS))
def test_case_and_yo_do_not_matter_to_sure_expressions(words: str) -> None:
    """Typed in capitals, with two spaces and with a trailing mark, it parses to the same interval."""
    assert short(parse(f"  {words.replace(' ', '  ')}?", NOW)) == MEANINGS[words]


GRAINS = {
    "15 минут назад": "minute",
    "2 hours ago": "hour",
    "yesterday": "day",
    "last week": "week",
    "in March": "month",
    "Q3 2024": "quarter",
    "прошлым летом": "season",
    "в 2023 году": "year",
    "in the 90s": "decade",
    "last 3 days": "span",
    "since Monday": "span",
    "early May": "span",
    "a few days ago": "span",
}


@pytest.mark.parametrize(("words", "grain"), GRAINS.items())
def test_granularity_says_how_exact_the_words_were(words: str, grain: str) -> None:
    """A month is a month, never a day in it."""
    window = parse(words, NOW)
    assert window is not None
    assert window.granularity == grain


@pytest.mark.parametrize(
    ("words", "way"),
    [("yesterday", "past"), ("last 3 days", "past"), ("recently", "past"), ("before June", "past"),
     ("today", "present"), ("this week", "present"), ("since Monday", "present"),
     ("tomorrow", "future"), ("через 2 дня", "future"), ("the next 3 days", "future"), ("in 2030", "future")],
)  # fmt: skip
def test_direction(words: str, way: str) -> None:
    """Past, future, or present when now is inside."""
    window = parse(words, NOW)
    assert window is not None
    assert window.direction == way


@pytest.mark.parametrize(
    ("words", "answer"),
    [("on Monday", "2026-11-30/2026-12-01"), ("в марте", "2027-03-01/2027-04-01"),
     ("5 мая", "2027-05-05/2027-05-06"), ("this Friday", "2026-12-04/2026-12-05"),
     ("in November", "2026-11-01/2026-12-01"), ("на выходных", "2026-11-28/2026-11-30"),
     ("этой зимой", "2026-12-01/2027-03-01"),
     ("at 15:30", "2026-11-29T15:30/2026-11-29T15:31"), ("last Tuesday", "2026-11-24/2026-11-25"),
     ("from November to February", "2026-11-01/2027-03-01")],
)  # fmt: skip
def test_prefer_future_moves_only_what_names_no_year(words: str, answer: str) -> None:
    """The preference decides where a bare month or weekday lies, not where "last Tuesday" does."""
    assert short(parse(words, NOW, prefer="future")) == answer


# -- what only looks like time -------------------------------------------------------------------

NOT_TIME = [
    "it may fail", "This may fail too", "you may 5 times retry", "MAY be late", "may be", "March on!",
    "we march home", "version 2.0.1", "v1.2.3 and 10.0.19045", "he sat there", "the sun is up",
    "SUN servers", "Sat down", "he wed her", "wait a second", "the second try", "the first step",
    "маяк мая́чит", "на маяке", "маям", "Майя пришла", "RFC 2023", "room 2019", "port 2049",
    "id-2026-x", "user2026", "abc_2026", "CVE-2026-1234", "in 2048 bytes", "the last test run",
    "next step", "last time", "previous version", "the past is gone", "this is it", "this one",
    "в среде разработки", "в среду разработки", "in Spring Boot", "the Spring framework", "fall back",
    "to fall down", "every Monday", "on Mondays", "each friday", "Black Friday", "monday.com",
    "по понедельникам", "каждый понедельник", "прошлый запуск", "следующий шаг", "последний тест",
    "пятой версии", "в третьем тесте", "сто строк", "вернись назад", "10.5 и 3.14", "1/2",
    "12:30:45.123 ratio", "16:9", "a day in the life", "день рождения", "год за годом", "час пик",
    "the 30s timeout", "$2023", "2023 files", "#2023", "2026.1", "завтрак", "вчерась", "лет ему много",
    "дни летят", "mar and dec", "jan is a name", "May I ask?", "April said so", "ask June",
    "in a minute", "last minute change", "99.99.2026", "2026-13-45", "30 февраля", "", " ", "?", "ago",
    "назад", "finished in 3 days", "done in two weeks", "first time in 5 years", "3 out of 2000",
    "через день", "version 1.2.2026", "for 2000 years", "с утра до вечера", "twenty twenty",
    "за неделю до релиза", "between 5 and 7", "from 9 to 5", "в среднем", "в прошлом", "Q1: what is it",
    "page 90s", "part 15:30",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_TIME)
def test_what_looks_like_time_but_is_none_does_not_match(text: str) -> None:
    """Verbs, versions, identifiers, ordinals and recurring days give no window."""
    assert find(text, NOW) == []
    assert find(f"Note {text} here", NOW) == []


# -- texts ---------------------------------------------------------------------------------------


def test_all_expressions_of_a_text_come_in_order_with_their_places() -> None:
    """None overlap, and each is quoted from its place."""
    text = "Last week we met on 5 May 2024; вчера вечером Лена уехала, а в 2023 году жила, since March."
    found = find(text, NOW)
    assert [w.text for w in found] == [
        "Last week",
        "on 5 May 2024",
        "вчера вечером",
        "в 2023 году",
        "since March",
    ]
    assert all(text[slice(*w.span)] == w.text for w in found)
    assert all(a.span[1] <= b.span[0] for a, b in pairwise(found))


def test_a_longer_reading_wins() -> None:
    """ "the day before yesterday" is not "yesterday", "two weeks ago" not "weeks"."""
    assert [w.text for w in find("the day before yesterday, two weeks ago", NOW)] == [
        "the day before yesterday",
        "two weeks ago",
    ]


def test_a_possessive_takes_no_bound() -> None:
    """ "before last week's release" does not mean before last week."""
    assert [short(w) for w in find("before last week's release", NOW)] == ["2026-11-16/2026-11-23"]


def test_parse_wants_the_whole_string() -> None:
    """Anything else around is not understood, so that a caller can say so."""
    for words in (
        "yesterday the server",
        "деплой вчера",
        "last blursday",
        "three moons ago",
        "week",
        "год",
        "",
    ):
        assert parse(words, NOW) is None


def test_length_changing_letters_keep_places() -> None:
    """A capital that lower-cases to two characters does not move the span."""
    text = "İİİ yesterday"
    assert [w.text for w in find(text, NOW)] == ["yesterday"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("three moons ago", True), ("last night", True), ("прошлой зимой", True), ("в прошлый раз", True),
     ("yesterday", True), ("пять вёсен назад", True), ("next tuesday-ish", True), ("a long time ago", True),
     ("the last test run", False), ("next step", False), ("server config", False), ("прогон тестов", False),
     ("", False)],
)  # fmt: skip
def test_looks_temporal(text: str, answer: bool) -> None:
    """Words that promise a time are told from those that do not."""
    assert looks_temporal(text) is answer


# -- zones ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["yesterday", "вчера", "2026-03-14", "last 1 day", "за последний день", "14.03.2026"])
def test_b034_yesterday_is_the_local_calendar_day(words: str) -> None:
    """Three episodes of one local day are in it, whichever way the day is named."""
    zone = timezone(timedelta(hours=3))
    window = parse(words, datetime(2026, 3, 15, 1, 0, tzinfo=zone))
    assert window is not None
    times = [datetime(2026, 3, 14, *hm, tzinfo=zone) for hm in ((0, 10), (12, 0), (23, 50))]
    assert all(window.start <= t < window.end for t in times)
    assert not window.start <= datetime(2026, 3, 13, 23, 59, tzinfo=zone) < window.end


def test_b035_yesterday_ends_before_today() -> None:
    """Today does not leak in."""
    now = datetime(2026, 5, 2, 9, 0, tzinfo=UTC)
    window = parse("yesterday", now)
    assert window is not None
    assert window.start <= datetime(2026, 5, 1, 15, 0, tzinfo=UTC) < window.end <= now.replace(hour=0)


@pytest.fixture(params=["UTC", "Pacific/Midway", "Pacific/Kiritimati", "Asia/Tokyo"])
def _host_zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """The process in another host time zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield
    os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
    time.tzset()


@pytest.mark.usefixtures("_host_zone")
@pytest.mark.parametrize("zone", ZONES)
def test_b036_the_host_zone_never_matters(zone: str) -> None:
    """The zone of now decides, whatever TZ says."""
    now = datetime(2026, 11, 29, 12, 0, tzinfo=ZoneInfo(zone))
    for words, answer in MEANINGS.items():
        if not re.search("hour|час|минут|сутки|T.*[+Z]", words):
            assert short(parse(words, now)) == answer, words
    window = parse("yesterday", now)
    assert window is not None
    assert window.start.utcoffset() == datetime(2026, 11, 28, tzinfo=ZoneInfo(zone)).utcoffset()


@pytest.mark.parametrize(
    ("words", "ages"),
    [
        ("3 days ago", {3}),
        ("3 дня назад", {3}),
        ("last week", {8}),
        ("на прошлой неделе", {8}),
        ("позавчера", set()),
    ],
)
def test_b037_the_right_episodes_are_inside(words: str, ages: set[int]) -> None:
    """Of episodes 1, 3, 8 and 20 days old, each expression holds its own."""
    window = parse(words, NOW)
    assert window is not None
    assert {a for a in (1, 3, 8, 20) if window.start <= NOW - timedelta(a) < window.end} == ages


def test_b040_words_of_an_old_message_count_from_the_message() -> None:
    """ "yesterday" in a transcript of 2026-01-12 is 2026-01-11, whenever it is read."""
    assert short(parse("yesterday", datetime(2026, 1, 12, 10, 0, tzinfo=UTC))) == "2026-01-11/2026-01-12"


def test_b041_tonight_holds_the_evening_of_its_own_zone() -> None:
    """A dinner at 19:17 in +08:00 is tonight there, 11:17Z."""
    now = datetime.fromisoformat("2026-06-12T19:17:00+08:00")
    (window,) = find("dinner with Lena tonight", now)
    assert window.start <= datetime(2026, 6, 12, 11, 17, tzinfo=UTC) < window.end
    assert window.start.utcoffset() == timedelta(hours=8)


@pytest.mark.parametrize("words", ["2026-10-25T02:30:00+03:00", "2026-10-24T23:30:00Z"])
def test_b042_offsets_are_converted_not_relabelled(words: str) -> None:
    """An instant with an offset is the same instant in the zone of now."""
    window = parse(words, NOW.astimezone(ZoneInfo("Asia/Tokyo")))
    assert window is not None
    assert window.start == datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
    assert window.start.utcoffset() == timedelta(hours=9)


def _hours(words: str, now: datetime) -> float:
    window = parse(words, now)
    assert window is not None
    return (window.end.astimezone(UTC) - window.start.astimezone(UTC)) / timedelta(hours=1)


def test_days_of_a_clock_change_have_23_and_25_hours() -> None:
    """A calendar day is as long as it was."""
    berlin = ZoneInfo("Europe/Berlin")
    assert _hours("yesterday", datetime(2026, 3, 30, 9, tzinfo=berlin)) == 23
    assert _hours("вчера", datetime(2026, 10, 26, 9, tzinfo=berlin)) == 25
    assert _hours("last 24 hours", datetime(2026, 10, 25, 12, tzinfo=berlin)) == pytest.approx(24, abs=0.02)


def test_an_hour_that_the_clock_shows_twice_is_one_hour() -> None:
    """ "1 hour ago" across the change is one real hour, its start before its end."""
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 10, 25, 1, 30, tzinfo=UTC).astimezone(berlin)  # 02:30, the second time
    window = parse("1 hour ago", now)
    assert window is not None
    assert window.start < window.end
    assert window.start.astimezone(UTC) == datetime(2026, 10, 25, 0, 0, tzinfo=UTC)
    assert window.end.astimezone(UTC) == datetime(2026, 10, 25, 1, 0, tzinfo=UTC)


def test_a_day_without_midnight_begins_with_its_first_moment() -> None:
    """Where the clock jumps from 00:00 to 01:00 the day starts at 01:00."""
    window = parse("yesterday", datetime(2024, 4, 27, 9, tzinfo=ZoneInfo("Africa/Cairo")))
    assert window is not None
    assert (window.start.hour, window.start.day) == (1, 26)
    assert window.start.astimezone(UTC) == datetime(2024, 4, 25, 22, 0, tzinfo=UTC)


def test_a_day_that_never_was_gives_nothing() -> None:
    """Kiritimati skipped 1994-12-31 (it changed sides of the date line)."""
    assert parse("1994-12-31", datetime(1995, 1, 5, tzinfo=ZoneInfo("Pacific/Kiritimati"))) is None


@pytest.mark.parametrize("words", ["500 years ago", "9999 weeks ago", "2 decades before 1901", "9999 years ago"])
def test_never_a_year_before_1900(words: str) -> None:
    """An impossible past is not understood, rather than answered."""
    assert parse(words, NOW) is None


def test_now_needs_a_zone_and_prefer_a_side() -> None:
    """Both are refused by the name of the field."""
    with pytest.raises(ValueError, match="now"):
        find("yesterday", datetime(2026, 11, 29))
    with pytest.raises(ValueError, match="now"):
        find("yesterday", datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    with pytest.raises(ValueError, match="prefer"):
        parse("yesterday", NOW, prefer="both")


# -- any text ------------------------------------------------------------------------------------

WORDS = sorted({w for text in MEANINGS for w in text.split()} | {w for text in NOT_TIME for w in text.split()})
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.one_of(st.sampled_from(sorted(MEANINGS)), st.text(max_size=6)), max_size=5).map(" ".join),
)
SOME_ZONE = st.sampled_from([ZoneInfo(z) for z in ZONES])
MOMENTS = st.datetimes(datetime(1901, 1, 1), datetime(2200, 1, 1), timezones=SOME_ZONE)


@settings(max_examples=400, deadline=None)
@given(TEXTS, MOMENTS, st.sampled_from(["past", "future"]))
def test_any_text_gives_sound_windows(text: str, now: datetime, prefer: str) -> None:
    """Never raises; start before end, spans inside the text and apart, year >= 1900; parse agrees."""
    found = find(text, now, prefer=prefer)
    for window in found:
        assert window.start.astimezone(UTC) < window.end.astimezone(UTC)
        assert window.start < window.end
        assert window.start.year >= 1900
        assert 0 <= window.span[0] < window.span[1] <= len(text)
        assert text[slice(*window.span)] == window.text
    assert all(a.span[1] <= b.span[0] for a, b in pairwise(found))
    whole = parse(text, now, prefer=prefer)
    assert whole is None or find(text, now, prefer=prefer) in ([whole], [])
    assert looks_temporal(text) in (True, False)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(MEANINGS)), MOMENTS.filter(lambda now: now.year > 1950))
def test_any_now_gives_an_expression_its_meaning(words: str, now: datetime) -> None:
    """Understood at any now: at the ends of months, in years with and without 29 February."""
    window = parse(words, now)
    assert window is not None


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet=" \t\nthe lastdy0123456789.-:/дня", max_size=3000))
def test_long_strange_texts_give_sound_windows(text: str) -> None:
    """No pattern goes wild; what they cost is measured by ``bench/hostile.py``."""
    found = find(text, NOW)
    assert all(window.start < window.end and window.text in text for window in found)


IDLE = (
    "The parser reads the configuration file and builds the index of all memory nodes, then the writer "
    "commits one transaction with every edge and entity so that recall can walk the graph without locks.",
    "Парсер читает файл конфигурации и строит индекс всех узлов памяти, затем писатель фиксирует одну "
    "транзакцию со всеми рёбрами и сущностями, чтобы поиск мог обойти граф без блокировок и ожидания.",
)


@pytest.mark.parametrize("text", IDLE)
def test_a_text_without_time_has_none(text: str) -> None:
    assert find(text, NOW) == []
