"""The lives of ``bench/life.py``: whether they are well-formed, what counts, and ten days of one."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mnemic import Context, Memory
from mnemic.consolidate.slots import SLOTS

ROOT = Path(__file__).resolve().parents[3]
LIVES = ("en", "ru", "coding")
KINDS = {"now", "then", "why", "who", "profile", "procedure", "plan"}


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """``bench/life.py``, which is no package."""
    spec = importlib.util.spec_from_file_location("bench_life", ROOT / "bench" / "life.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("name", LIVES)
def test_a_life_has_twenty_conversations_in_order_and_one_act_of_each(bench: ModuleType, name: str) -> None:
    events, _ = bench.read(name)
    messages = [e for e in events if "role" in e]
    assert len({e["session"] for e in messages}) >= 20
    assert [e["when"] for e in events] == sorted(e["when"] for e in events)
    assert events[0]["day"] == 1
    assert events[-1]["day"] < bench.DAYS
    assert sorted(e["act"] for e in events if "act" in e) == ["confirm", "correct", "forget"]
    ids = [e["id"] for e in events if "id" in e]
    assert len(ids) == len(set(ids))
    assert all(e["told"] in ids for e in events if "act" in e)
    for message in messages:
        assert not message.get("filler") or not {"id", "facts"} & message.keys(), message["text"]
        for fact in message.get("facts", ()):
            assert fact["predicate"] in SLOTS
            assert fact.get("quote", "") in message["text"]
    for act in (e for e in events if "gone" in e):  # else another message could show it rightly
        assert [m["id"] for m in messages if bench.holds(act["gone"], m["text"])] == [act["told"]]


@pytest.mark.parametrize("name", LIVES)
def test_questions_are_answered_by_the_message_they_name(bench: ModuleType, name: str) -> None:
    events, every = bench.read(name)
    questions = [q for q in every if q["kind"] != "gone"]
    assert len(every) == len(questions) + sum("gone" in e for e in events)
    said = {e["id"]: e.get("new", e["text"]) for e in events if "id" in e}
    assert len(questions) >= 22
    assert {q["kind"] for q in questions} == KINDS
    assert len({q["ask"] for q in questions}) == len(questions)
    for question in questions:
        now, stale = question["now"], question.get("stale")
        if "told" in question:
            assert bench.holds(now, said[question["told"]]), question
        else:
            assert all(any(bench.holds(pattern, text) for text in said.values()) for pattern in now), question
        if "was" in question:
            assert bench.holds(stale, said[question["was"]]), question
            assert not bench.holds(now, said[question["was"]]), question
        assert not bench.holds(now, question["ask"]), question
        assert not (stale and bench.holds(stale, question["ask"])), question


BLOCK = """<mnemic-memory note="x">
## About the user
- Lives in Oslo
## What was said, and when
- [2026-09-01, user] I live in Bergen. (changed since 2026-09-20)
- [2026-09-01, user] Bergen it is.
- [2026-09-01, user] My flat in Bergen is cold.
- [2026-09-20, user] Ok.
- [2026-09-21, user] Ok. I'm on my way.
</mnemic-memory>"""


@pytest.mark.parametrize(
    ("now", "stale", "answered", "first", "unmarked"),
    [
        ("Oslo", "Bergen", True, True, 2),
        ("on my way", "Bergen", True, False, 2),
        ("Paris", "Bergen", False, False, 2),
        ("Oslo", "Madrid", True, True, 0),
        (["Oslo", "flat"], "Bergen", True, True, 1),
        (["Oslo", "Paris"], "Bergen", False, True, 2),
    ],
)
def test_what_counts_in_a_block(
    bench: ModuleType, now: Any, stale: str, answered: bool, first: bool, unmarked: int
) -> None:
    question = {"ask": "Where?", "kind": "now", "now": now, "stale": stale}
    row = bench.judged(question, Context(BLOCK, 50, (), "strong"), ["Ok.", "Hi!"], ["telescope"])
    assert (row["answered"], row["current_first"], len(row["unmarked"])) == (answered, first, unmarked)
    assert (row["filler"], row["lines"], row["profile"], row["gone"]) == (1, 6, True, False)
    none = bench.judged(question, None, ["Ok."], [])
    assert none["none"]
    assert not none["answered"]
    leak = bench.judged({"ask": "?", "kind": "gone", "now": ""}, Context(BLOCK, 50, (), "strong"), [], ["on my way"])
    figures = bench.summary([row | {"echo": True}, leak | {"echo": False}])
    assert (figures["questions"], figures["gone"], figures["echo"], figures["none"]) == (1, 1, 1, 0)
    assert not none["current_first"]


def test_the_running_session_is_told_where_it_can_be(bench: ModuleType) -> None:
    class Named:
        def context(self, prompt: str, *, session: str | None = None) -> Any:
            return session

    class Filters:
        def context(self, prompt: str, **filters: Any) -> Any:
            return filters

    assert bench.asker(Named())("Hi", "a") == "a"
    assert bench.asker(Filters())("Hi", "a") == {}


@pytest.mark.parametrize(("name", "by"), [("en", "rules"), ("ru", "agent"), ("coding", "none")])
def test_ten_days_of_a_life(bench: ModuleType, name: str, by: str) -> None:
    rows, refused = bench.run(name, by, "hash:256", days=10)
    assert refused == []
    assert len(rows) >= 3
    figures = bench.summary(rows)
    assert figures["questions"] == sum(row["kind"] != "gone" for row in rows)
    assert figures.keys() >= {key for key, *_ in bench.BARS}
    assert all(0 <= figures[key] <= 1 for key in ("answered", "filler"))
    assert all(row["block"] is None or row["lines"] for row in rows)


def test_acts_reach_the_fact_and_else_the_message(bench: ModuleType) -> None:
    events, _ = bench.read("en")
    clock = bench.AskedAt()
    with Memory(":memory:", embedder="hash:256", config=bench.Config(background=False), clock=clock) as memory:
        assert bench.live(memory, clock, events, "agent") == []
        shown = {node.content for node in memory.timeline(limit=1000)}
    assert not any("telescope" in text for text in shown)
    assert "The move may cost 2,900 pounds at most." in shown
