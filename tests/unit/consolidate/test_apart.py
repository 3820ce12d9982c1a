"""Rules that run in a process of their own find what they find here, and consolidation survives its loss."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from datetime import UTC, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any

import pytest

from mnemic import Config, Memory
from mnemic.consolidate import apart
from mnemic.consolidate.apart import RulesApart
from mnemic.consolidate.claims import Said
from mnemic.consolidate.rules import Rules

PAGES = 6
PER_PAGE = 30
AT = 1_760_000_000_000_000
WHAT_IS_KNOWN = "select id, content, kind, label, confidence, trust, valid_from, valid_until from nodes where kind != 'episodic' order by id"


def page(number: int) -> list[Said]:
    texts = [f"I moved to Riga in {2000 + number}.", "Моего брата зовут Виктор.", "What do you think?"]
    return [Said(f"e{number}-{i}", text, AT + i, "user") for i, text in enumerate(texts)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[RulesApart]:
    """Everything is read by a process beside; the list holds who asked."""
    seen: list[RulesApart] = []
    extract = RulesApart.extract

    def noted(self: RulesApart, *given: Any) -> Any:
        seen.append(self)
        return extract(self, *given)

    monkeypatch.setattr(RulesApart, "extract", noted)
    monkeypatch.setattr(apart, "HERE", 0)
    monkeypatch.setattr(apart, "possible", lambda: True)
    return seen


@pytest.fixture(params=[UTC, timezone(timedelta(hours=3))], ids=["UTC", "+3"])
def beside(request: pytest.FixtureRequest, asked: list[RulesApart]) -> Iterator[RulesApart]:
    zone: tzinfo = request.param
    made = RulesApart(Rules(zone), zone)
    yield made
    made.close()
    made.close()


def without_seconds(extraction: Any) -> tuple[Any, ...]:
    return extraction.candidates, extraction.entities, extraction.skipped


def test_the_same_is_found(beside: RulesApart) -> None:
    here = Rules(beside._zone)
    for number in range(3):
        apart_, own = (rules.extract(page(number), {"виктор": "person"}) for rules in (beside, here))
        assert beside._process._process is not None
        assert without_seconds(apart_) == without_seconds(own)
        assert apart_.candidates


def test_a_process_that_dies_is_replaced_by_reading_here(beside: RulesApart) -> None:
    first = beside.extract(page(0), {})
    running = beside._process._process
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert without_seconds(beside.extract(page(0), {})) == without_seconds(first)
    assert beside._process._process is None


def test_a_zone_that_cannot_be_handed_over_is_no_reason_to_fail(asked: list[RulesApart]) -> None:
    class Local(tzinfo):
        def __init__(self, hours: int) -> None:
            self.hours = hours

        def utcoffset(self, _: object) -> timedelta:
            return timedelta(hours=self.hours)

        def dst(self, _: object) -> timedelta:
            return timedelta(0)

    made = RulesApart(Rules(Local(1)), Local(1))
    assert made.extract(page(0), {}).candidates
    made.close()


def fill(path: Path) -> Memory:
    memory = Memory(path, embedder=None, config=Config(background=False))
    for number in range(PAGES * PER_PAGE):
        memory.observe(f"My friend number {number} lives in Riga. I like tea from 19{number % 100:02d}.", session="s")
    return memory


def known(memory: Memory) -> list[Any]:
    with memory._store.reader() as r:
        return [row[1:] for row in r.execute(WHAT_IS_KNOWN)]


def test_consolidation_writes_the_same_and_leaves_no_process(tmp_path: Path, asked: list[RulesApart]) -> None:
    with fill(tmp_path / "apart.db") as memory:
        report = memory.consolidate()
        found = sorted(row[0] for row in known(memory))
    assert len(asked) == PAGES
    assert all(rules._apart and rules._process._process is None for rules in asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "possible", lambda: False)
        with fill(tmp_path / "here.db") as memory:
            here = memory.consolidate()
            assert found == sorted(row[0] for row in known(memory))
    assert (report.episodes, report.facts, report.verdicts) == (here.episodes, here.facts, here.verdicts)
    assert report.facts


def test_a_short_session_needs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart.WorkerProcess, "ask", lambda *_: pytest.fail("not worth a process"))
    with Memory(tmp_path / "m.db", embedder=None, config=Config(background=False)) as memory:
        for number in range(PER_PAGE):
            memory.observe(f"I like tea number {number}", session="s")
        assert memory.consolidate().episodes == PER_PAGE
