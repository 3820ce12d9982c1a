"""Times of day as they are said in English and Russian, each in its one form."""

from datetime import UTC, datetime

import pytest

from mnemic.lang.when import parse
from mnemic.text.marks import marks


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("the call is at 3 pm", "15:00"),
        ("Meeting at 3 PM tomorrow", "15:00"),
        ("the call is at five pm", "17:00"),
        ("the call is at 4:30 pm", "16:30"),
        ("the train leaves at 12 am", "0:00"),
        ("lunch is at 12 pm", "12:00"),
        ("the call is at 15:00", "15:00"),
        ("встреча в 3 часа дня", "15:00"),
        ("встреча в три часа дня", "15:00"),
        ("встреча к 7 вечера", "19:00"),
        ("поезд в 11 часов вечера", "23:00"),
        ("поезд в 2 часа ночи", "2:00"),
        ("поезд в 11 часов ночи", "23:00"),
        ("поезд в 12 ночи", "0:00"),
        ("подъём в 8 утра", "8:00"),
    ],
)
def test_a_time_of_day_has_one_form(said: str, clock: str) -> None:
    assert marks(said).clocks == {clock}


def test_a_query_reads_them_alike() -> None:
    now = datetime(2026, 11, 30, 18, tzinfo=UTC)
    for said, hour in (
        ("at 3 pm", 15),
        ("at 12 am", 0),
        ("в 3 часа дня", 15),
        ("в 2 часа ночи", 2),
        ("в 11 часов ночи", 23),
    ):
        window = parse(said, now)
        assert window is not None
        assert window.start.hour == hour, said


@pytest.mark.parametrize("said", ["через 3 дня", "это займёт 3 часа", "версия 3.10", "осталось 12 дней"])
def test_what_is_no_time_of_day(said: str) -> None:
    assert not marks(said).clocks
