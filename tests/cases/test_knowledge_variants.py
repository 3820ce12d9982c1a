"""Many ways to tell of a change, and of what changes nothing: ``knowledge_variants.txt``. No model anywhere.

Two lines a case: what was said when (month and day, of 2026, in the order of arrival), and after ``=`` what stands now.
Some say what is over; that is no statement that stands ("nothing").
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from casekit import Make

from mnemic.models import FACTS


def stories(name: str) -> list[tuple[str, str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return list(zip(lines[::2], (line.removeprefix("= ") for line in lines[1::2]), strict=True))


#: What rules read once and do not any more: known gaps, of which none may close unseen.
GAP = pytest.mark.xfail(strict=True, raises=AssertionError, reason="not read by rules (docs/plans.md)")
CASES = [
    *(pytest.param(*case, id=case[0][:80]) for case in stories("knowledge_variants.txt")),
    *(pytest.param(*case, id=case[0][:80], marks=GAP) for case in stories("knowledge_gaps.txt")),
]


@pytest.mark.parametrize(("story", "stands"), CASES)
def test_what_stands(make: Make, story: str, stands: str) -> None:
    memory = make()
    for i, told in enumerate(story.split(" | ")):
        day, text = told.split(" ", 1)
        memory.observe(text, at=f"2026-{day}T10:00:00Z", session=f"s{i}")
        memory.consolidate()
    now = [node for node in memory.timeline(kinds=FACTS, limit=1000) if node.attributes.get("act") != "end"]
    assert sorted(f"{n.subject} {n.predicate} {n.object}" for n in now) == (
        [] if stands == "nothing" else stands.split("; ")
    )
    memory.consolidate()
    again = [node for node in memory.timeline(kinds=FACTS, limit=1000) if node.attributes.get("act") != "end"]
    assert [node.id for node in again] == [node.id for node in now]


@pytest.mark.parametrize(
    ("first", "then", "day"),
    [
        ("I live in Oslo.", "I moved to Bergen last Friday.", "2026-02-06"),
        ("I live in Oslo.", "I relocated to Bergen two weeks ago.", "2026-01-26"),
        ("Я живу в Твери.", "В прошлый вторник я переехал в Сочи.", "2026-02-03"),
        ("Я живу в Твери.", "На прошлой неделе переехала в Казань.", "2026-02-02"),
        ("I live in Paris.", "I've been living in Madrid since February.", "2026-02-01"),
        ("I work at Initech.", "I quit my job at Initech last Friday.", "2026-02-06"),
    ],
)
def test_when_it_ended(make: Make, first: str, then: str, day: str) -> None:
    memory = make()
    for i, (at, text) in enumerate([("2026-01-10T10:00:00Z", first), ("2026-02-10T10:00:00Z", then)]):
        memory.observe(text, at=at, session=f"s{i}")
        memory.consolidate()
    (old,) = memory.timeline(kinds=FACTS, as_of="2026-01-15", limit=10)
    assert old.valid_until is not None
    ended = memory.timeline(kinds=FACTS, as_of=f"{day}T23:59:59Z", limit=10)
    assert old.id not in [node.id for node in ended]
    assert ended
    assert old.valid_until // 86_400_000_000 == (date.fromisoformat(day) - date(1970, 1, 1)).days


def test_a_week_begins_before_what_was_still_so_in_it(make: Make) -> None:
    for order in (1, -1):
        memory = make(f"order{order}")
        told = [("2026-01-12", "I live in Berlin."), ("2026-01-20", "I moved to Lisbon last week.")]
        for day, text in told[::order]:
            memory.observe(text, at=f"{day}T10:00:00Z", session=day)
            memory.consolidate()
        (now,) = memory.timeline(kinds=FACTS, limit=10)
        assert now.object == "Lisbon"
