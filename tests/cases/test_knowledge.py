"""Reported cases of knowledge: facts that change, late news, copies, relative time, corrections. No model anywhere."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from casekit import Make, StillClock, found

from mnemic import InvalidInput, Memory, Node
from mnemic.clock import to_datetime, to_micros
from mnemic.models import FACTS


def facts(memory: Memory, query: str = "", **filters: Any) -> list[Node]:
    """Facts that stand now, or at the times given; all of them, or those a query finds."""
    if query:
        return [hit.node for hit in memory.recall(query, kinds=FACTS, limit=50, **filters).hits]
    return memory.timeline(kinds=FACTS, limit=1_000, **filters)


def told(memory: Memory, *said: tuple[str, str], **fields: Any) -> None:
    """Episodes (time, text), each in a session of its own, consolidated one after the other."""
    for i, (at, text) in enumerate(said):
        memory.observe(text, at=at, session=f"told-{i}-{at}", **fields)
        memory.consolidate()


def contents(nodes: list[Node]) -> str:
    return " | ".join(node.content for node in nodes)


# -- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I moved to Riga two days ago.", 10),
        ("Позавчера я переехала в Казань.", 10),
    ],
)
def test_B040_relative_time_counts_from_the_message(make: Make, text: str, day: int) -> None:
    memory = make(clock=StillClock("2026-11-29T12:00:00+00:00"))
    memory.observe(text, at="2026-01-12T10:00:00+00:00", session="s")
    memory.consolidate()
    known = facts(memory, include_superseded=True)
    assert known, "nothing was read"
    for node in known:
        when = to_datetime(node.event_time)
        assert (when.year, when.month, when.day) == (2026, 1, day), (node.content, when)
        assert not any(word in node.content.casefold() for word in ("yesterday", "вчера", "ago", "позавчера"))


def test_B040_imported_transcript(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(
        '{"role": "user", "content": "yesterday I moved to Porto", "timestamp": "2026-01-12T09:00:00Z"}\n',
        encoding="utf-8",
    )
    memory = make(clock=StillClock("2026-11-29T12:00:00+00:00"))
    memory.import_(path)
    memory.consolidate()
    known = facts(memory)
    assert len(known) == 1
    assert to_datetime(known[0].event_time).date().isoformat() == "2026-01-11"
    assert "2026-01-11" in known[0].content or "yesterday" not in known[0].content


def test_B041_B042_offsets_are_converted(make: Make) -> None:
    memory = make(zone="Asia/Shanghai")
    node = memory.observe("dinner with Lena tonight", at="2026-06-12T19:17:00+08:00")
    assert node.at == datetime(2026, 6, 12, 11, 17, tzinfo=UTC)
    block = memory.context("dinner with Lena")
    assert block is not None
    assert "2026-06-12" in block.text
    instants = [
        memory.observe(f"note {i}", at=at).at
        for i, at in enumerate(["2026-10-25T02:30:00+03:00", "2026-10-25T02:30:00Z", "2026-10-25T02:30:00"])
    ]
    assert [i.astimezone(UTC).hour for i in instants] == [23, 2, 18]
    for bare in (1792884600, 1792884600000):
        with pytest.raises(InvalidInput, match="at"):
            memory.observe("an epoch", at=bare)


def test_B043_a_dated_source_never_gives_an_undated_fact(make: Make) -> None:
    memory = make()
    told(
        memory,
        ("2026-08-13T09:00:00+00:00", "We decided to use PostgreSQL for storage."),
        ("2026-08-13T18:00:00+00:00", "We decided to use PostgreSQL for storage."),
    )
    known = facts(memory)
    assert known
    for node in known:
        assert to_datetime(node.event_time).date().isoformat() == "2026-08-13"
        assert len(memory.explain(node.id).evidence) == 2


def test_B046_an_interval_that_ends_before_it_begins(make: Make) -> None:
    memory = make()
    with pytest.raises(InvalidInput, match="valid_until"):
        memory.remember("The office is in Riga", valid_from="2026-05-01", valid_until="2026-04-01")
    assert memory.status()["nodes"] == 0 if "nodes" in memory.status() else not facts(memory)


# -- supersession ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("I love Chinese food.", "I hate Chinese food now.", "hate"),
        ("I like jazz.", "I don't like jazz any more.", "jazz"),
        ("Я живу в Москве.", "Я переехала в Казань.", "Казан"),
        ("I live in Berlin.", "I've moved to Lisbon.", "Lisbon"),
        ("I work at Acme.", "I started working at Globex last week.", "Globex"),
    ],
)
def test_B047_a_change_leaves_one_current_fact(make: Make, before: str, after: str, word: str) -> None:
    memory = make()
    told(memory, ("2026-01-10T10:00:00+00:00", before), ("2026-02-10T10:00:00+00:00", after))
    now = facts(memory)
    assert len(now) == 1, contents(now)
    assert word in now[0].content
    chain = memory.explain(now[0].id).history
    assert len(chain) == 2, [v.node.content for v in chain]
    assert chain[0].node.valid_until is not None
    assert chain[0].why
    old = facts(memory, as_of="2026-01-20")
    assert [node.id for node in old] == [chain[0].node.id]


def test_B048_the_same_sentence_is_evidence_not_copies(make: Make) -> None:
    memory = make()
    sentence = "I live in Porto."
    for day in (1, 2, 3):
        told(memory, (f"2026-03-0{day}T10:00:00+00:00", sentence))
    known = facts(memory)
    assert len(known) == 1, contents(known)
    explained = memory.explain(known[0].id)
    assert len(explained.evidence) == 3
    assert len(explained.history) == 1


def test_B049_other_subjects_and_relations_end_nothing(make: Make) -> None:
    memory = make()
    told(memory, *((f"2026-01-0{i}T10:00:00+00:00", text) for i, text in enumerate(
        ["Vera works at Acme.", "We use PostgreSQL.", "Vera lives in Oslo."], 1)))  # fmt: skip
    before = {node.id for node in facts(memory)}
    assert len(before) == 3, contents(facts(memory))
    told(memory, ("2026-02-01T10:00:00+00:00", "Acme opened an office in Riga, Vera mentioned it."))
    assert before <= {node.id for node in facts(memory)}


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("Олег живёт в Твери.", "Олег переехал в Сочи.", "Тверь", "Сочи"),
    ],
)
def test_B050_both_shapes_end_alike(make: Make, before: str, after: str, old: str, new: str) -> None:
    memory = make()
    told(memory, ("2026-01-10T10:00:00+00:00", before), ("2026-02-10T10:00:00+00:00", after))
    now = facts(memory)
    assert len(now) == 1, contents(now)
    assert now[0].object == new
    first = memory.explain(now[0].id).history[0].node
    assert first.object == old
    assert first.valid_until == to_micros(datetime(2026, 2, 10, 10, tzinfo=UTC))


@pytest.mark.parametrize(
    ("newer", "older", "now_word", "then_word"),
    [
        ("I live in Lisbon.", "I live in Berlin.", "Lisbon", "Berlin"),
        ("Я работаю в Сбере.", "Я работаю в Яндексе.", "Сбер", "Яндекс"),
    ],
)
def test_B051_a_late_note_does_not_end_a_newer_fact(
    make: Make, newer: str, older: str, now_word: str, then_word: str
) -> None:
    memory = make()
    told(memory, ("2023-09-23T10:00:00+00:00", newer), ("2023-09-21T10:00:00+00:00", older))
    assert now_word in contents(facts(memory))
    assert then_word not in contents(facts(memory))
    assert then_word in contents(facts(memory, as_of="2023-09-21"))
    assert now_word not in contents(facts(memory, as_of="2023-09-21"))


def test_B052_a_correction_takes_the_place(make: Make) -> None:
    memory = make()
    old = memory.remember("NAS in the hall is a Synology")
    new = memory.correct(old.id, "NAS in the hall is a Fnos")
    assert found(memory, "NAS in the hall") == [new.content]
    assert set(found(memory, "NAS in the hall", include_superseded=True)) == {old.content, new.content}
    hit = memory.recall("NAS in the hall").hits[0]
    assert [node.id for node in hit.history] == [old.id]
    again = memory.correct(hit.node.id, "NAS in the hall is a TrueNAS")
    assert [v.node.id for v in memory.explain(again.id).history] == [old.id, new.id, again.id]
    memory.forget(again.id)
    assert found(memory, "NAS in the hall") == []


@pytest.mark.parametrize("text", ["I live in Berlin.", "Я живу в Берлине."])
@pytest.mark.parametrize("why", ["false", "forgotten"])
def test_B054_what_is_wrong_does_not_come_back(make: Make, text: str, why: str) -> None:
    memory = make()
    told(memory, ("2026-01-10T10:00:00+00:00", text))
    node = facts(memory)[0]
    memory.forget(node.id, why=why)
    for _ in range(3):
        memory.consolidate()
    memory._store.run(lambda tx: tx.connection.execute("update sessions set watermark = 0"))  # read all of it again
    memory.consolidate()
    assert facts(memory) == []
    memory.restore(node.id)
    assert [n.id for n in facts(memory)] == [node.id]


def test_B077_ten_runs_are_one(make: Make) -> None:
    memory = make()
    said = ["I live in Berlin.", "My sister Anna works at Acme.", "We decided to use SQLite.", "I love hiking.", "ok"]
    for i in range(100):
        memory.observe(said[i % 5], session=f"s{i // 10}", at=f"2026-01-{1 + i // 10:02d}T10:{i % 60:02d}:00+00:00")
    first = memory.consolidate()
    assert first.episodes == 100
    count = [node.id for node in facts(memory, include_superseded=True)]
    assert 0 < len(count) <= 12
    for _ in range(9):
        again = memory.consolidate()
        assert again.episodes == 0
        assert [node.id for node in facts(memory, include_superseded=True)] == count
    memory._store.run(lambda tx: tx.connection.execute("update sessions set watermark = 0"))
    memory.consolidate()
    assert [node.id for node in facts(memory, include_superseded=True)] == count


# -- two clocks ------------------------------------------------------------------------------------------------------


def test_diff_and_known_at(make: Make) -> None:
    clock = StillClock("2026-01-15T00:00:00+00:00")
    memory = make(clock=clock)
    told(memory, ("2026-01-10T10:00:00+00:00", "I live in Berlin."))
    clock.at = "2026-02-15T00:00:00+00:00"
    told(memory, ("2026-02-10T10:00:00+00:00", "I moved to Lisbon."))
    change = memory.review.diff("2026-01-20", "2026-02-20")
    assert "Lisbon" in contents(list(change.added))
    assert "Berlin" in contents(list(change.ended))
    assert "Berlin" in contents(facts(memory, known_at="2026-02-01"))  # nobody knew of the move yet
    assert "Berlin" in contents(facts(memory, as_of="2026-02-01"))
    assert "Lisbon" in contents(facts(memory))
    undone = memory.restore(change.ended[0].id)
    assert undone.valid_until is None
