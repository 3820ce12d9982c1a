"""The questions over coding history: well formed, their answers are there, and the bench counts what it says."""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mnemic import Config, Memory
from shared import SHARED

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "tests" / "labelled" / "coding_questions.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
FIELDS = {"id", "q", "answers", "file", "must", "kind", "lang", "echo", "tune"}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``bench/coding.py``, which finds its neighbours by their names, and the shared material where the tests do."""
    if SHARED is not None:
        monkeypatch.setenv("MNEMIC_SHARED", str(SHARED))
    monkeypatch.syspath_prepend(ROOT / "bench")
    return importlib.import_module("coding")


def test_rows_are_well_formed(bench: ModuleType) -> None:
    assert len(ROWS) >= 60
    for row in ROWS:
        assert row.keys() == FIELDS, row["id"]
        assert row["answers"], row["id"]
        assert len(set(row["answers"])) == len(row["answers"]), row["id"]
        assert row["kind"] in bench.KINDS, row["id"]
        assert row["lang"] == ("ru" if re.search("[а-яё]", row["q"]) else "en"), row["id"]
        re.compile(row["must"])
    assert len({row["id"] for row in ROWS}) == len({row["q"] for row in ROWS}) == len(ROWS)


def test_enough_of_each_kind_and_halves_by_file() -> None:
    assert len({row["file"] for row in ROWS}) >= 40
    assert sum(row["lang"] == "ru" for row in ROWS) >= 10
    assert sum(row["echo"] for row in ROWS) >= 10
    assert len({(row["file"], row["tune"]) for row in ROWS}) == len({row["file"] for row in ROWS})
    halves = Counter(row["tune"] for row in ROWS)
    assert abs(halves[True] - halves[False]) <= 2


@pytest.mark.skipif(SHARED is None, reason="the shared material is absent (set MNEMIC_SHARED)")
def test_every_answer_is_stored_and_has_the_words_of_an_answer(bench: ModuleType, tmp_path: Path) -> None:
    bench.unpack(tmp_path)
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        memory.import_(tmp_path)
        ids = bench.ids_of_rows(memory, tmp_path)
        stored = {node.id: node for node in memory.timeline(limit=100_000)}
    said = Counter[str]()
    for row in ROWS:
        for uuid in row["answers"]:
            node = stored[ids[uuid]]
            said[node.role or ""] += 1
            assert bench.answered(row, node.content), (row["id"], uuid)
    assert said["assistant"] > 10 * said["user"]


@pytest.mark.parametrize(
    ("question", "answer", "must", "shown"),
    [
        ("why was the cache removed?", "The cache served stale prices.", "stale", True),
        ("почему убрали кэш?", "Кэш отдавал старые цены.", "старые", True),
        ("why was the cache removed?", "The cache served stale prices.", "prices of oil", False),
    ],
)
def test_what_is_counted(bench: ModuleType, question: str, answer: str, must: str, shown: bool) -> None:
    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        memory.observe(question, role="user", session="one")
        wanted = memory.observe(answer, role="assistant", session="one").id
        asked = bench.ask(memory, {"q": question, "answers": ["a"], "must": must}, {"a": wanted})
    assert asked.rank == 1  # the question itself is no answer
    assert asked.measures == {"first3": 1.0, "shown3": 1.0, "first10": 1.0, "block": float(shown), "users": 0.0}
