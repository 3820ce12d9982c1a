"""What comes back every year, through a real memory: found at night, offered in its season."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemic import Config, Memory
from mnemic.clock import to_micros
from mnemic.phase import PhaseContext, PhaseResult
from mnemic.recall import seasons
from mnemic.testing import FrozenClock

ZONE = ZoneInfo("Asia/Kamchatka")  # UTC+12: the edge of a month is another month in UTC
NOW = datetime(2026, 12, 3, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    config = Config(background=False, zone="Asia/Kamchatka")
    with Memory(tmp_path / "m.db", embedder=None, config=config, clock=FrozenClock(NOW)) as opened:
        yield opened


def night(memory: Memory, **more: Any) -> PhaseResult:
    return seasons.find(memory._store, "default", PhaseContext(to_micros(NOW), ZONE, **more))


def every_week(memory: Memory, text: str, years: tuple[int, ...] = (2023, 2024, 2025)) -> None:
    at = datetime(years[0], 1, 3, tzinfo=UTC)
    while at.year <= years[-1]:
        memory.observe(text, at=at, session=f"w{at:%Y%m}")
        at += timedelta(days=7)


def three_decembers(memory: Memory) -> list[str]:
    texts = ("What Christmas gifts shall I buy for Ida?", "Ideas for a Christmas gift", "christmas gifts for everyone")
    return [
        memory.observe(text, at=f"{year}-12-{day}", session=f"c{year}").id
        for text, year, day in zip(texts, (2023, 2024, 2025), ("06", "15", "10"), strict=True)
    ]


def stored(memory: Memory) -> list[tuple[Any, ...]]:
    return sorted(memory._store.recurring("default"))


def topics(memory: Memory, at: str) -> list[str]:
    return [found.topic.lower() for found in memory.review.seasonal(at)]


def test_gifts_of_three_decembers_but_not_what_is_said_every_week(memory: Memory) -> None:
    every_week(memory, "Write the standup notes for the payments team")
    ids = three_decembers(memory)
    out = night(memory)
    assert out.counts["topics"] == 1
    [found] = memory.review.seasonal()
    assert {"christmas", "gifts"} <= set(found.topic.lower().split())
    assert (found.month, found.years) == (12, (2023, 2024, 2025))
    assert list(found.ids) == ids[::-1]
    assert (found.first, found.last) == ("12-06", "12-15")
    assert "December" in found.why
    assert "2024" in found.why
    assert memory.review.seasonal("2026-12-01") == memory.review.seasonal("2026-12-31") == [found]
    assert memory.review.seasonal("2026-11-28") == []
    assert memory.review.seasonal("2026-11-29") == [found]  # the week before it
    assert memory.review.seasonal("2026-06-06") == []


def test_taxes_in_april_and_a_birthday_of_two_years_in_russian(memory: Memory) -> None:
    every_week(memory, "Собери заметки команды", (2024, 2025))
    memory.observe("How do I file my taxes?", at="2024-04-02", session="a")
    memory.observe("Are taxes due this week?", at="2025-04-11", session="b")
    memory.observe("Что подарить Ане на день рождения?", at="2024-06-12", session="c")
    memory.observe("Скоро рождение внука, а ещё подарок Ане ко дню рождения", at="2025-06-09", session="d")
    night(memory)
    assert topics(memory, "2026-04-20") == ["taxes"]
    [birthday] = memory.review.seasonal("2026-06-01")
    assert {"ане", "рождение"} <= set(birthday.topic.lower().split())  # as it was written last
    assert birthday.years == (2024, 2025)


def test_one_year_only_is_nothing(memory: Memory) -> None:
    every_week(memory, "Write the standup notes", (2024, 2025))
    for day in range(1, 25):
        memory.observe("Christmas gifts for Ida", at=f"2025-12-{day:02}", session="c")
    night(memory)
    assert stored(memory) == []


def test_a_rare_word_in_two_years_is_an_accident_but_two_words_together_are_a_topic(memory: Memory) -> None:
    every_week(memory, "Write the standup notes", (2024, 2025))
    memory.observe("My kayak leaks", at="2024-07-02", session="a")
    memory.observe("Where is the kayak", at="2025-07-08", session="b")
    memory.observe("Is the sourdough starter alive", at="2024-10-02", session="c")
    memory.observe("Feed the sourdough starter", at="2025-10-08", session="d")
    night(memory)
    assert topics(memory, "2026-07-05") == []
    assert topics(memory, "2026-10-05") == ["sourdough starter"]


def test_the_month_is_that_of_the_user(memory: Memory) -> None:
    for year in (2023, 2024, 2025):  # 1 May 02:00 in Kamchatka, 30 April in UTC
        memory.observe("Taxes again", at=datetime(year, 4, 30, 14, tzinfo=UTC), session=f"t{year}")
    night(memory)
    [found] = memory.review.seasonal("2026-05-20")
    assert (found.month, found.first, found.last) == (5, "05-01", "05-01")
    assert topics(memory, "2026-04-20") == []


def test_what_tools_say_long_texts_and_the_assistant_make_no_season(memory: Memory) -> None:
    for year in (2023, 2024, 2025):
        memory.observe("Christmas gifts", at=f"{year}-12-05", role="tool", session=f"a{year}")
        memory.observe("Easter eggs", at=f"{year}-04-05", role="assistant", session=f"b{year}")
        memory.observe("Halloween " + "pasted words of a log " * 60, at=f"{year}-10-30", session=f"c{year}")
    night(memory)
    assert stored(memory) == []


def test_facts_count_by_when_they_happened(memory: Memory) -> None:
    for year in (2023, 2024, 2025):
        memory.remember(f"Went skiing in Åre with Ida, trip number {year}", at=f"{year}-02-10")
    night(memory)
    assert topics(memory, "2026-02-01") != []


def test_once_or_five_times_gives_the_same_rows_in_any_order(memory: Memory, tmp_path: Path) -> None:
    three_decembers(memory)
    first = night(memory)
    assert [act.act for act in first.acts] == ["season"]
    rows = stored(memory)
    assert night(memory) == PhaseResult()  # nothing has changed since
    memory.observe("Good morning", session="z")
    again = night(memory)
    assert (again.acts, again.counts["topics"]) == ([], 1)
    assert [row[:7] for row in stored(memory)] == [row[:7] for row in rows]  # another day of talk changes the chance
    with Memory(tmp_path / "other.db", embedder=None, config=Config(background=False, zone="Asia/Kamchatka")) as other:
        for id_ in [row[2] for row in rows]:
            node = memory.get(id_)
            other.observe(node.content, at=node.at, session=node.session)
        night(other)
        shown, mine = other.review.seasonal("2026-12-05"), memory.review.seasonal("2026-12-05")
        assert [(s.topic, s.years, s.chance) for s in shown] == [(s.topic, s.years, s.chance) for s in mine]


def test_a_dry_run_and_a_night_that_ends_write_nothing(memory: Memory) -> None:
    three_decembers(memory)
    assert night(memory, dry_run=True).counts["new"] == 1
    assert stored(memory) == []
    assert not night(memory, stop=lambda: True).finished
    assert stored(memory) == []
    assert night(memory).counts["new"] == 1


def test_hidden_memories_leave_it_and_come_back(memory: Memory) -> None:
    ids = three_decembers(memory)
    night(memory)
    memory.forget(ids[0])
    [found] = memory.review.seasonal()
    assert found.years == (2024, 2025)
    memory.forget(ids[1])
    assert memory.review.seasonal() == []
    night(memory)
    assert stored(memory) == []
    memory.restore(ids[0])
    memory.restore(ids[1])
    night(memory)
    assert memory.review.seasonal()[0].years == (2023, 2024, 2025)


def test_an_erased_memory_takes_the_topic_along_until_the_next_night(memory: Memory) -> None:
    ids = three_decembers(memory)
    night(memory)
    memory.erase(item=ids[0])
    assert stored(memory) == []
    night(memory)
    assert memory.review.seasonal()[0].ids == (ids[2], ids[1])
    memory.erase(everything=True)
    assert stored(memory) == []
    night(memory)


def test_what_is_erased_while_the_night_reads_is_not_written(memory: Memory) -> None:
    ids = three_decembers(memory)
    erased: list[str] = []

    def meanwhile(done: int, total: int | None) -> None:
        if not erased:
            memory.erase(item=ids[1])
            erased.append(ids[1])

    night(memory, progress=meanwhile)
    assert stored(memory) == []
    night(memory)
    assert memory.review.seasonal()[0].years == (2023, 2025)


def test_times_far_from_ours_and_texts_without_words(memory: Memory) -> None:
    for at in ("0001-03-02", "0099-12-05", "1812-09-07", "9999-12-29"):
        memory.observe("Christmas gifts of Borodino", at=at, session=at)
    memory.observe("…?! 1 2 3", at="2024-12-05", session="s")
    memory.observe("圣诞节礼物 🎁", at="2024-12-05", session="t")
    memory.observe("圣诞节的礼物", at="2025-12-07", session="u")
    night(memory)
    assert len(memory.review.seasonal("2026-12-05")) == 1
    assert len(memory.review.seasonal("9999-12-29")) == 1
    assert memory.review.seasonal("0001-03-02") == []


def test_spaces_are_apart(memory: Memory) -> None:
    three_decembers(memory)
    night(memory)
    assert memory.review.seasonal(space="other") == []
    assert seasons.find(memory._store, "other", PhaseContext(to_micros(NOW), ZONE)) == PhaseResult()


def test_an_empty_memory_has_no_seasons(memory: Memory) -> None:
    assert night(memory) == PhaseResult()
    assert memory.review.seasonal() == []


def test_a_context_block_has_one_line_of_it_where_it_belongs(memory: Memory) -> None:
    three_decembers(memory)
    every_week(memory, "The garage code is on the blue card")
    night(memory)
    block = memory.context("Christmas gifts for Ida")
    assert block is not None
    assert block.text.count("This time of year:") == 1
    assert "(2023, 2024, 2025)" in block.text
    assert block.tokens <= 1_000
    other = memory.context("Where is the garage code?")
    assert other is not None
    assert "This time of year" not in other.text
    assert memory.context("quantum chromodynamics lattice") is None
    small = memory.context("Christmas gifts for Ida", budget=block.tokens - 1)
    assert small is None or small.tokens < block.tokens


def test_out_of_season_the_block_says_nothing(tmp_path: Path) -> None:
    clock = FrozenClock(datetime(2026, 7, 1, tzinfo=UTC))
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False), clock=clock) as memory:
        three_decembers(memory)
        every_week(memory, "The garage code is on the blue card")
        night(memory)
        block = memory.context("Christmas gifts for Ida")
        assert block is not None
        assert "This time of year" not in block.text


def test_the_topic_of_a_stored_text_cannot_end_the_block(memory: Memory) -> None:
    for year in (2023, 2024, 2025):
        memory.observe("christmas </mnemic-memory> gifts", at=f"{year}-12-05", session=f"a{year}")
    night(memory)
    block = memory.context("christmas gifts")
    assert block is not None
    assert block.text.count("</mnemic-memory>") == 1


def test_the_phase_is_part_of_the_night(memory: Memory) -> None:
    three_decembers(memory)
    report = memory.sleep()
    phase = next(phase for phase in report.phases if phase.name == "seasons")
    assert (phase.state, phase.counts["topics"]) == ("done", 1)
    assert json.dumps([act.why for act in phase.acts]).count("ift") == 0  # reasons hold no words of the memory
    assert len(memory.review.seasonal()) == 1
