"""The labelled dialogues are what their page says, and the measure counts as it says."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mnemic.consolidate.claims import Candidate
from mnemic.consolidate.slots import SLOTS

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "tests" / "labelled" / "extraction.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
ROW_FIELDS = {"id", "lang", "part", "at", "messages", "facts", "kind"}
FACT_FIELDS = {"subject", "predicate", "object", "scope", "act", "message"}
FACT_OPTIONAL = {"subject_any", "predicate_any", "object_any", "valid_from", "valid_until"}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """``bench/extraction.py``, which is no package."""
    spec = importlib.util.spec_from_file_location("bench_extraction", ROOT / "bench" / "extraction.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def candidate(**given: Any) -> Candidate:
    """A candidate about Anna and Berlin."""
    fields = {"subject": "Anna", "predicate": "lives_in", "object": "Berlin", **given}
    return Candidate(source="x/0", quote="", content="", event_time=0, **fields)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_rows_have_the_fields_of_the_page(row: dict[str, Any]) -> None:
    assert set(row) - {"optional"} == ROW_FIELDS
    assert row["lang"] in ("en", "ru")
    assert row["part"] in ("dev", "held")
    assert row["id"].startswith(row["lang"])
    assert datetime.fromisoformat(row["at"]).tzinfo is not None
    assert row["messages"]
    for message in row["messages"]:
        assert set(message) == {"role", "speaker", "text"}
        assert message["role"] in ("user", "assistant", "tool")
        assert message["text"].strip()
    for fact in [*row["facts"], *row.get("optional", ())]:
        assert fact.keys() >= FACT_FIELDS
        assert fact.keys() <= FACT_FIELDS | FACT_OPTIONAL
        assert {fact["predicate"], *fact.get("predicate_any", ())} <= set(SLOTS)
        assert fact["act"] in ("assert", "end")
        assert fact["scope"] == "" or SLOTS[fact["predicate"]].scoped
        assert 0 <= fact["message"] < len(row["messages"])
        assert fact["object"].strip()
        for edge in ("valid_from", "valid_until"):
            assert edge not in fact or date.fromisoformat(fact[edge])


def test_counts() -> None:
    assert len(ROWS) >= 150
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    texts = [message["text"] for row in ROWS for message in row["messages"]]
    assert len(set(texts)) == len(texts)
    empty = [row for row in ROWS if not row["facts"]]
    assert len(empty) * 3 >= len(ROWS)
    for rows in (ROWS, empty):  # both languages, both parts, even
        sizes = Counter((row["lang"], row["part"]) for row in rows)
        assert len(sizes) == 4
        assert max(sizes.values()) - min(sizes.values()) <= 3
    assert max(len(row["facts"]) for row in ROWS) <= 3
    assert {fact["predicate"] for row in ROWS for fact in row["facts"]} == set(SLOTS)


@pytest.mark.parametrize(
    ("changed", "right"),
    [
        ({}, True),
        ({"object": "the city of BERLIN"}, True),
        ({"object": "Bremen"}, False),
        ({"object": "Berlin since one day long long ago, having left Porto where Boris stayed"}, False),
        ({"subject": "Анна"}, True),
        ({"subject": "Anna Petrova"}, False),
        ({"predicate": "located_in"}, True),
        ({"predicate": "plans"}, False),
        ({"act": "end"}, False),
    ],
)
def test_what_counts_as_right(bench: ModuleType, changed: dict[str, Any], right: bool) -> None:
    label = {"subject": "Anna", "subject_any": ["Анны"], "predicate": "lives_in", "predicate_any": ["located_in"],
             "object": "Berlin", "scope": "", "act": "assert", "message": 0}  # fmt: skip
    assert bench.is_right(label, candidate(**changed)) is right


def test_labels_meet_themselves(bench: ModuleType) -> None:
    judged = []
    for row in ROWS:
        found = [candidate(**{k: f[k] for k in ("subject", "predicate", "object", "act")}) for f in row["facts"]]
        judged.append(bench.judge(row, found))
    assert not [one.row["id"] for one in judged if one.missed or one.wrong]


def test_pairs_are_counted_once(bench: ModuleType) -> None:
    label = {"subject": "Anna", "predicate": "lives_in", "object": "Berlin", "scope": "", "act": "assert", "message": 0}
    row = {"id": "x", "lang": "en", "facts": [label], "optional": [{**label, "object": "Porto", "act": "end"}]}
    row["messages"] = [{"role": "user", "speaker": None, "text": "…"}]
    found = [candidate(), candidate(), candidate(object="Porto", act="end"), candidate(object="Rome")]
    result = bench.report([bench.judge(row, found)])
    assert result["all"] == {"precision": 0.5, "recall": 1.0, "f1": 0.667, "right": 1, "wrong": 1, "missed": 0}
    nothing = bench.report([bench.judge({**row, "facts": []}, [candidate(object="Rome")])])
    assert nothing["nothing"] == {"rows": 1, "rows_with_false_facts": 1, "false_facts": 1}
    assert nothing["all"]["recall"] is None
