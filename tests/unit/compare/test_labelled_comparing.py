"""The labelled sets of pairs, and the floors that comparing must keep on them, by words alone."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest
from bench.comparing import LABELLED, NIGHTS, SHARED, measures, nights, rows
from bench.comparing import _sentences as sentences

from mnemic import Memory
from mnemic.compare.relation import relate
from mnemic.config import Config
from mnemic.consolidate.pairs import Told, judge
from mnemic.testing import FrozenClock

LATER = 100 * 3_600_000_000
#: Set → least precision, and least recall, of the dev half by words alone (with vectors it is no worse).
FLOOR = {"duplicates": (0.98, 0.65), "contradictions": (0.98, 0.80)}
JOINED = ("duplicate", "refines", "supersedes")


@pytest.mark.parametrize(
    ("name", "fields", "least"), [("plain_pairs", ("old", "new"), 100), ("near_pairs", ("left", "right"), 200)]
)
def test_a_set_of_plain_pairs_is_well_formed(name: str, fields: tuple[str, str], least: int) -> None:
    found = rows(name)
    assert len(found) >= least
    assert len({tuple(row[f] for f in fields) for row in found}) == len({row["id"] for row in found}) == len(found)
    for row in found:
        assert set(row) == {"id", "lang", "part", *fields}
        digest = hashlib.blake2b(row["id"].encode(), digest_size=1).digest()[0]
        assert row["part"] == ("held" if digest % 2 else "dev")
    count = Counter(row["lang"] for row in found)
    assert min(count["en"], count["ru"]) >= 0.4 * len(found)
    assert (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8") == "".join(
        json.dumps(row, ensure_ascii=False) + "\n" for row in found
    )


@pytest.mark.parametrize("part", ["dev", "held"])
def test_plainly_worded_pairs_end_the_old_value(part: str) -> None:
    found = [judge(Told(r["old"], 0), Told(r["new"], LATER)) for r in rows("plain_pairs") if r["part"] == part]
    assert sum(d.ends == "old" for d in found) >= 0.75 * len(found)


@pytest.mark.parametrize("part", ["dev", "held"])
def test_near_but_different_pairs_are_neither_joined_nor_ended(part: str) -> None:
    found = [judge(Told(r["left"], 0), Told(r["right"], LATER)) for r in rows("near_pairs") if r["part"] == part]
    assert sum(d.verdict in JOINED for d in found) <= 0.02 * len(found)


def test_sentences_that_people_said_do_not_end_each_other() -> None:
    if not SHARED.exists():
        pytest.skip("the benchmark data is not here")
    import random

    pairs = [p for name in ("locomo", "koziev_ru", "carmem", "realmem") for p in sentences(name, random.Random(3))]
    ended = [p for p in pairs if judge(Told(p[0], 0), Told(p[1], LATER)).verdict in ("supersedes", "refines")]
    assert len(pairs) >= 900
    assert len(ended) <= 0.01 * len(pairs)


@pytest.mark.parametrize("name", NIGHTS)
def test_a_set_of_the_night_is_well_formed(name: str) -> None:
    found, label = rows(name), NIGHTS[name][0]
    assert len(found) >= 200
    assert len({row["id"] for row in found}) == len(found)
    count = Counter((row["lang"], row[label]) for row in found)
    assert all(count[lang, value] >= 50 for lang in ("en", "ru") for value in (True, False)), count


@pytest.mark.parametrize("name", NIGHTS)
def test_the_night_keeps_its_floor(name: str) -> None:
    quiet = Config(background=False)
    with Memory(":memory:", embedder="none", config=quiet, clock=FrozenClock("2026-06-01T03:00:00Z")) as memory:
        hits, decided, labelled = measures(nights(name, memory, "dev"))[NIGHTS[name][1]]
    precision, recall = FLOOR[name]
    assert hits >= precision * decided
    assert hits >= recall * labelled


def test_labelled_pairs_are_decided_with_care() -> None:
    from datetime import datetime

    from mnemic.clock import to_micros
    from mnemic.models import ORIGINS

    def told(side: dict[str, str]) -> Told:
        at = to_micros(datetime.fromisoformat(side["at"]))
        return Told(side["text"], at, side["speaker"], side["origin"], ORIGINS[side["origin"]])

    found = [(row, judge(told(row["old"]), told(row["new"]))) for row in rows("pairs")]
    for verdict in ("duplicate", "refines", "supersedes", "conflict"):
        made = [row["decision"] == verdict for row, d in found if d.verdict == verdict]
        assert sum(made) >= 0.95 * len(made), verdict
    assert all(d.ends == row["ends"] for row, d in found if d.verdict == row["decision"] == "supersedes")


def test_relate_is_symmetric_on_the_sets() -> None:
    for row in rows("near_pairs"):
        assert (relate(row["left"], row["right"]).kind == "same") == (relate(row["right"], row["left"]).kind == "same")
