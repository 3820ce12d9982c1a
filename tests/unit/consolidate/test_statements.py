"""What statements and remarks do to a memory, told to the memory itself; and the figures that may not fall."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemic import Memory
from mnemic.config import Config
from mnemic.testing import FrozenClock

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

import extraction  # noqa: E402

NOW = "2026-03-01T12:00:00Z"


@pytest.fixture
def memory() -> Iterator[Memory]:
    quiet = Config(background=False)
    with Memory(":memory:", embedder="none", config=quiet, clock=FrozenClock(NOW)) as opened:
        yield opened


# -- statements -----------------------------------------------------------------------------------------------------


def told(memory: Memory, old: str, new: str, **more: str) -> tuple[str, list[str]]:
    """How the second of two statements was taken, and what stands afterwards."""
    memory.remember(old, at="2026-01-10T12:00:00Z")
    node = memory.remember(new, at="2026-02-10T12:00:00Z", **more)
    return node.acknowledged, sorted(n.content for n in memory.timeline(kinds=["semantic", "opinion"]))


def test_a_statement_with_a_slot_is_compared_by_its_words_too(memory: Memory) -> None:
    """Before, only statements that no rule reads were: a slot of its own hid the paraphrase beside it."""
    assert told(memory, "Our main database runs on Postgres", "We use PostgreSQL for the main database")[0] == "known"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kenji lives in New York City", "Kenji lives in NYC"),
        ("I live in Berlin", "Я живу в Берлине"),
        ("My birthday is on March 5", "I was born on the 5th of March"),
    ],
)
def test_one_value_under_another_name_ends_nothing(memory: Memory, old: str, new: str) -> None:
    for n, text in enumerate((old, new)):
        memory.observe(text, session=str(n), at=f"2026-0{n + 1}-10T12:00:00Z")
        memory.consolidate()
    assert len(memory.timeline(kinds=["semantic"], include_superseded=True)) == 1


def test_a_rounded_amount_is_made_exact(memory: Memory) -> None:
    acknowledged, stand = told(memory, "The rent is about 1,200 euros", "The rent is 1,185 euros to be exact")
    assert acknowledged == "stored"
    assert stand == ["The rent is 1,185 euros to be exact"]
    old = memory.explain(memory.timeline(kinds=["semantic"])[0].id).history[0].node
    assert (old.hidden_why, old.valid_until) == ("refined", None)  # it was not wrong, and is not over


def test_words_do_not_end_what_was_confirmed(memory: Memory) -> None:
    old = memory.remember("The staging server is up", at="2026-01-10T12:00:00Z")
    memory.confirm(old.id)
    memory.remember("The staging server is down", at="2026-02-10T12:00:00Z")
    assert len(memory.timeline(kinds=["semantic"])) == 2
    assert [c.right.id for c in memory.review.conflicts()] == [old.id] or [c.left.id for c in memory.review.conflicts()] == [old.id]


def test_two_people_in_one_talk_are_at_odds_and_later_one_of_them_is_right(memory: Memory) -> None:
    said = {"session": "a", "role": "user"}
    memory.observe("The deadline is March 5.", speaker="Anna", at="2026-01-10T12:00:00Z", **said)
    memory.observe("The deadline is March 7.", speaker="Ben", at="2026-01-10T12:20:00Z", **said)
    memory.consolidate()
    assert len(memory.review.conflicts()) == 1
    memory.observe("The deadline is March 9.", speaker="Ben", session="b", at="2026-02-10T12:00:00Z")
    memory.consolidate()
    assert [n.object for n in memory.timeline(kinds=["semantic"])] == ["2026-03-09"]


def test_two_voices_may_be_remembered(memory: Memory) -> None:
    memory.remember("The server room key is with Hans", speaker="Lea", at="2026-01-10T12:00:00Z")
    node = memory.remember("The server room key is with Greg", speaker="Kurt", at="2026-01-10T12:05:00Z")
    assert node.speaker == "Kurt"
    assert len(memory.timeline(kinds=["semantic"])) == 2


# -- messages -------------------------------------------------------------------------------------------------------


def test_what_rules_read_of_the_labelled_dialogues() -> None:
    import json

    from mnemic.consolidate.reader import Rules

    rules = Rules()
    rows = [json.loads(line) for line in extraction.SET.read_text(encoding="utf-8").splitlines()]
    judged = [extraction.judge(row, rules.extract(extraction.page(row), {}).candidates) for row in rows]
    dev, held = (extraction.report([j for j in judged if j.row["part"] == part]) for part in ("dev", "held"))
    assert dev["all"]["precision"] >= 0.97  # recall is told, and no bar: a small reader reads little
    assert held["all"]["precision"] >= 0.93


@pytest.mark.parametrize(
    "text",
    [
        "Технический директор у нас Фарид.",
        "Такса, три рубля за километр.",
        "Машину продал сосед.",
        "Мама в Москве завтра.",
        "Зал, бассейн, сауна — что из этого есть в отеле?",
        "Пока не выбрали между Kafka и NATS.",
        "Фильм про корги, два часа скуки.",
        "She works on a MacBook Air.",
        "Keep it short.",
        "Gym every day sounds awful.",
        "Back in school doing well.",
        "We fly to conclusions too fast.",
        "I actually just hit 20,000 miles on United.",
        "Coffee every morning? Not for me.",
    ],
)
def test_what_only_sounds_like_a_fact_states_none(text: str) -> None:
    from mnemic.consolidate.claims import Said
    from mnemic.consolidate.reader import Rules

    assert Rules().extract([Said("1", text, 1_760_000_000_000_000)], {}).candidates == ()
