"""A change of belief is followed by the log: readers see it at once, and read nothing else anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemic import Config, Memory
from mnemic.store.columns import Columns

QUIET = Config(background=False)


def test_hiding_and_ending_read_no_rows_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, config=QUIET) as memory, Memory(path, embedder=None, config=QUIET) as other:
        message = memory.observe("the red house", session="a")
        fact = memory.remember("The blue house is sold")
        for reader in (memory, other):
            assert len(reader.recall("house").hits) == 2
        read: list[int] = []
        add = Columns.add_rows
        monkeypatch.setattr(Columns, "add_rows", lambda self, rows: (read.append(len(rows)), add(self, rows))[1])
        memory.forget(message.id)
        memory.confirm(fact.id)
        for reader in (memory, other):
            assert [hit.node.id for hit in reader.recall("house").hits] == [fact.id]
        other.restore(message.id)
        for reader in (memory, other):
            assert len(reader.recall("house").hits) == 2
        assert read == []
        new = memory.correct(fact.id, "The blue house is let")
        for reader in (memory, other):
            assert {hit.node.id for hit in reader.recall("house").hits} == {message.id, new.id}
        assert read == [1, 1]  # the new fact, once for each reader


def test_a_merge_of_entities_reads_no_rows_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        for i, name in enumerate(("Northwind", "Northwind Traders")):
            memory.observe(f"Anna works at {name}.", session=str(i), at=f"2026-01-0{i + 1}T10:00:00Z")
            memory.consolidate()
        memory.recall("Anna")
        read: list[int] = []
        add = Columns.add_rows
        monkeypatch.setattr(Columns, "add_rows", lambda self, rows: (read.append(len(rows)), add(self, rows))[1])
        merged = memory.entities.merge("Northwind Traders", "Northwind")
        memory.recall("Anna")
        assert read == []
        assert merged.change is not None
        memory.review.undo(merged.change)
        memory.recall("Anna")
        assert read == []
