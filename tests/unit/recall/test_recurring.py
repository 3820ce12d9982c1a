"""What makes a season: pure arithmetic on days."""

from __future__ import annotations

import random
from datetime import date, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mnemic.recall.seasons import (
    CHANCE,
    DAYS,
    Activity,
    Season,
    date_in,
    day_of_year,
    likely,
    season,
    span_in,
    within,
    year_of,
)

EVERY_DAY = Activity(range(date(2019, 1, 1).toordinal(), date(2026, 1, 1).toordinal()))
TODAY = date(2026, 6, 1).toordinal()


def found(*days: date, activity: Activity = EVERY_DAY, today: int = TODAY) -> Season | None:
    return season(sorted({d.toordinal() for d in days}), activity, today)


def every(month: int, day: int, *years: int) -> list[date]:
    return [date(year, month, day) for year in years]


def test_the_same_month_in_all_years_and_nothing_else() -> None:
    one = found(*every(12, 5, 2019, 2021, 2023), *every(12, 20, 2020, 2022, 2024, 2025))
    assert one is not None
    assert one.years == (2019, 2020, 2021, 2022, 2023, 2024, 2025)
    assert (date_in(2000, one.first), date_in(2000, one.last)) == (date(2000, 12, 5), date(2000, 12, 20))
    assert one.chance < 1e-5


def test_all_year_round_is_no_season() -> None:
    weekly = [date(2019, 1, 1) + timedelta(days=7 * i) for i in range(360)]
    monthly = [date(y, m, 3) for y in range(2019, 2026) for m in range(1, 13)]
    half_yearly = every(6, 1, *range(2019, 2026)) + every(12, 1, *range(2019, 2026))
    for days in (weekly, monthly, half_yearly):
        assert found(*days) is None


def test_one_year_only_is_nothing_however_often() -> None:
    assert found(*(date(2023, 12, d) for d in range(1, 31))) is None
    assert found(date(2023, 12, 1), date(2024, 1, 5)) is None  # one winter


def test_two_years_are_a_season_unless_the_others_were_watched_in_vain() -> None:
    two = Activity([d.toordinal() for y in (2024, 2025) for d in (date(y, m, 9) for m in range(1, 13))])
    assert found(*every(3, 14, 2024, 2025), activity=two) is not None
    assert found(*every(3, 14, 2024, 2025)) is None  # seven years were watched


def test_a_season_that_is_not_over_need_not_have_been_seen_yet() -> None:
    days = [date(2023, 1, 1) + timedelta(days=i) for i in range(1068)]  # to the 3rd of December 2025
    active = Activity([d.toordinal() for d in days])
    one = found(*every(12, 10, 2023, 2024), activity=active, today=date(2025, 12, 3).toordinal())
    assert one is not None


def test_over_new_year_it_is_one_season_and_one_year() -> None:
    one = found(date(2021, 12, 30), date(2023, 1, 2), date(2023, 12, 31), date(2025, 1, 1), date(2025, 12, 29))
    assert one is not None
    assert len(one.years) == 5
    assert within(day_of_year(date(2026, 1, 1)), one.first, one.last)
    assert not within(day_of_year(date(2026, 1, 20)), one.first, one.last)


def test_leap_day() -> None:
    one = found(
        date(2020, 2, 29), date(2021, 3, 1), date(2022, 2, 28), date(2023, 3, 1), date(2024, 2, 29), date(2025, 2, 28)
    )
    assert one is not None
    assert (one.first, one.last) == (58, 60)
    assert date_in(2023, day_of_year(date(2024, 2, 29))) == date(2023, 3, 1)


def test_a_memory_of_decembers_alone_makes_not_everything_seasonal() -> None:
    decembers = Activity([date(y, 12, d).toordinal() for y in (2023, 2024, 2025) for d in range(1, 32)])
    apart = (date(2023, 12, 2), date(2024, 12, 20), date(2025, 12, 30))
    assert found(*apart, activity=decembers) is None
    even = Activity([date(2023, 1, 1).toordinal() + i for i in range(1096)])
    assert found(*apart, activity=even) is not None


def test_chance_is_near_what_chance_does() -> None:
    """Three random occasions in three years: how often is one as regular as it says?"""
    draw = random.Random(5)
    chances = [
        one.chance
        for _ in range(4_000)
        if (
            one := found(
                *(date(y, 1, 1) + timedelta(days=draw.randrange(365)) for y in (2021, 2022, 2023)), activity=even()
            )
        )
    ]
    for level in (0.005, 0.01, 0.02):
        share = sum(c <= level for c in chances) / 4_000
        assert share <= level * 1.6


def even() -> Activity:
    return Activity(range(date(2021, 1, 1).toordinal(), date(2024, 1, 1).toordinal()))


ordinals = st.lists(
    st.integers(date(2015, 1, 1).toordinal(), date(2025, 12, 31).toordinal()), min_size=1, max_size=40, unique=True
)


@given(ordinals)
def test_whatever_the_days_a_season_is_what_it_says(days: list[int]) -> None:
    days = sorted(days)
    one = season(days, EVERY_DAY, TODAY)
    if one is None:
        return
    assert len(one.years) >= 2
    assert one.chance <= CHANCE
    for year, said in one.mentions.items():
        begin, end = span_in(year, one.first, one.last)
        for day in said:
            assert within(day_of_year(date.fromordinal(day)), one.first, one.last)
            assert begin - 1 <= day <= end + 1
    terms, sorted_days = np.zeros(len(days), dtype=np.int32), np.array(days, dtype=np.int32)
    assert likely(terms, sorted_days, days[-1] - days[0]).tolist() == [0]  # the quick look never loses one


@given(st.integers(0, DAYS - 1), st.integers(0, 150), st.integers(1990, 2030), st.integers(0, 150))
def test_a_day_of_a_season_has_its_year(first: int, length: int, year: int, offset: int) -> None:
    last = (first + length) % DAYS
    begin, end = span_in(year, first, last)
    day = date.fromordinal(min(end, begin + offset))
    assert begin <= end <= begin + DAYS
    assert year_of(day, first, last) == year
