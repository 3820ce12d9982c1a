"""The labelled duplicates and contradictions: well formed, and the floor that the dev half must keep, through Memory."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from datetime import datetime

import pytest
from bench.sleep_pairs import SETS, measures, pairs, seen

#: Set → least precision, and least recall, of the dev half by words alone (with vectors it is no worse).
FLOOR = {"duplicates": (0.95, 0.65), "contradictions": (0.85, 0.80)}


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_well_formed(name: str) -> None:
    rows = pairs(name)
    label = SETS[name][0]
    assert len(rows) >= 200
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert {"id", "lang", "left", "right", label, "kind", "part"} == set(row)
        digest = hashlib.blake2b(row["id"].encode(), digest_size=1).digest()[0]
        assert row["part"] == ("held" if digest % 2 else "dev")
        for side in (row["left"], row["right"]):
            assert side["text"] == side["text"].strip() != ""
            assert datetime.fromisoformat(side["at"]).tzinfo is not None
            assert bool(re.search("[а-яё]", side["text"], re.I)) == (row["lang"] == "ru")
    count = Counter((row["lang"], row[label]) for row in rows)
    assert all(count[lang, value] >= 50 for lang in ("en", "ru") for value in (True, False)), count
    assert abs(count["en", True] + count["en", False] - len(rows) / 2) <= 0.05 * len(rows)


@pytest.mark.parametrize("name", SETS)
def test_the_dev_half_keeps_its_floor(name: str) -> None:
    found = measures(seen(name, [row for row in pairs(name) if row["part"] == "dev"], "none"))
    precision, recall = FLOOR[name]
    assert found["precision"] >= precision
    assert found["recall"] >= recall
