"""The labelled pairs of statements: well formed, enough of each kind, halves that can be compared."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from mnemic.consolidate.claims import Verdict
from mnemic.models import ORIGINS

PATH = Path(__file__).resolve().parents[2] / "labelled" / "pairs.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
LEAST = {"duplicate": 90, "refines": 30, "supersedes": 90, "coexists": 100, "conflict": 50}
KINDS = {
    "abbreviation",
    "antonym",
    "cause",
    "condition",
    "correction",
    "identifier",
    "late",
    "location",
    "many",
    "name",
    "negation",
    "numeric",
    "paraphrase",
    "plan",
    "slot",
    "spelling",
    "status",
    "subject",
    "taste",
    "temporal",
    "trust",
    "value",
    "verbatim",
    "version",
    "voice",
    "less exact",
    "word order",
}
FIELDS = {"id", "lang", "old", "new", "decision", "ends", "kind", "contradiction", "same", "part"}


def at(side: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(side["at"])


def test_the_classes_are_verdicts_of_the_product() -> None:
    assert set(LEAST) == set(get_args(Verdict)) - {"new"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_pair_is_well_formed(row: dict[str, Any]) -> None:
    assert set(row) == FIELDS
    assert re.fullmatch(rf"{row['lang']}-\d{{3}}", row["id"])
    assert row["lang"] in {"en", "ru", "mixed"}
    assert row["part"] in {"dev", "held"}
    assert row["kind"] in KINDS
    for side in (row["old"], row["new"]):
        assert set(side) == {"text", "at", "speaker", "origin"}
        assert side["text"] == side["text"].strip() != ""
        assert side["origin"] in ORIGINS
        assert at(side).tzinfo is not None
        if row["lang"] != "mixed":
            assert bool(re.search("[а-яё]", side["text"], re.I)) == (row["lang"] == "ru")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_labels_agree_with_each_other(row: dict[str, Any]) -> None:
    late = at(row["new"]) < at(row["old"])
    if row["decision"] == "supersedes":
        assert row["ends"] == ("new" if late else "old")
        assert ORIGINS[row["new"]["origin"]] >= ORIGINS[row["old"]["origin"]] or late
    else:
        assert row["ends"] is None
    assert not late or row["kind"] == "late"
    assert row["contradiction"] == (row["decision"] in {"supersedes", "conflict"})
    assert row["same"] == (row["decision"] == "duplicate" and row["kind"] != "less exact")
    if row["decision"] == "conflict":
        lower = ORIGINS[row["new"]["origin"]] < ORIGINS[row["old"]["origin"]]
        assert lower or (at(row["new"]) - at(row["old"])).total_seconds() <= 2 * 3600


def test_there_are_enough_of_each() -> None:
    assert len(ROWS) >= 360
    found = Counter(row["decision"] for row in ROWS)
    assert all(found[name] >= least for name, least in LEAST.items()), found
    for flag in ("same", "contradiction"):
        assert sum(row[flag] for row in ROWS) >= 100
    languages = Counter(row["lang"] for row in ROWS)
    assert abs(languages["en"] - languages["ru"]) <= 0.05 * len(ROWS)
    assert languages["mixed"] >= 10
    assert sum(row["ends"] == "new" for row in ROWS) >= 10


def test_halves_are_alike() -> None:
    found = Counter((row["lang"], row["decision"], row["part"]) for row in ROWS)
    for lang, decision, _ in found:
        assert abs(found[lang, decision, "dev"] - found[lang, decision, "held"]) <= 1, (lang, decision)
    parts = Counter(row["part"] for row in ROWS)
    assert abs(parts["dev"] - parts["held"]) <= 2


def test_nothing_stands_twice() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({(row["old"]["text"], row["new"]["text"]) for row in ROWS}) == len(ROWS)


def test_words_shared_do_not_give_the_answer_away() -> None:
    """In every large class some pairs share most of their words and some share few."""

    def shared(row: dict[str, Any]) -> float:
        a, b = (set(re.findall(r"\w+", row[side]["text"].casefold())) for side in ("old", "new"))
        return len(a & b) / len(a | b)

    for decision in ("duplicate", "supersedes", "coexists", "conflict"):
        values = [shared(row) for row in ROWS if row["decision"] == decision]
        assert sum(v >= 0.5 for v in values) >= 5, decision
        assert sum(v <= 0.3 for v in values) >= 5, decision
