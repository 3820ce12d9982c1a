"""Reported cases of consolidation with a model that answers badly: nothing wrong is stored, nothing is lost, all goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from casekit import Make, StillClock, found
from test_knowledge import contents, facts

from mnemic import Config, Memory
from mnemic.errors import LLMRefused, LLMTimeout, MnemicError
from mnemic.testing import ScriptedModel


def fact(
    source: int, quote: str, content: str, object: str, predicate: str = "lives_in", **more: Any
) -> dict[str, Any]:
    base = {
        "source": source, "quote": quote, "content": content, "subject": "user", "subject_type": "person",
        "predicate": predicate, "scope": None, "object": object, "object_type": None, "act": "assert",
        "replaces": None, "when": None, "since": None, "until": None,
    }  # fmt: skip
    return {**base, **more}


def answer(*found: dict[str, Any]) -> dict[str, Any]:
    return {"facts": list(found), "entities": []}


@pytest.fixture
def clock() -> StillClock:
    return StillClock("2026-06-01T12:00:00+00:00")


def memory_with(model: ScriptedModel, clock: StillClock) -> Memory:
    return Memory(":memory:", embedder=None, llm=model, config=Config(background=False), clock=clock)


LIVES = fact(1, "I live in Riga", "User lives in Riga", "Riga")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def test_B072_prose_fences_and_broken_answers(clock: StillClock) -> None:
    fenced = "Here are the facts:\n```json\n" + json.dumps(answer(LIVES)) + "\n```"
    model = ScriptedModel(fenced, always="")
    with memory_with(model, clock) as memory:
        memory.observe("I live in Riga.", session="a")
        assert memory.consolidate().facts == 1
        for text in ("I have a cat.", "I work at Acme."):
            memory.observe(text, session="b")
        model.enqueue("", "<think>so the user …</think>{", {"fact": []}, "")
        report = memory.consolidate()
        assert report.failed == 2
        assert report.facts == 0
        assert found(memory, "cat") == ["I have a cat."]  # capture and search go on
        assert memory.observe("and more").acknowledged == "stored"
        calls = len(model.calls)
        assert calls < 40  # tried again a bounded number of times
        again = ScriptedModel(always=lambda messages: answer(
            *(fact(i, "I have a cat", "User has a cat", "cat", "has_pet") for i in (1, 2) if "I have a cat" in str(messages))
        ))  # fmt: skip
        memory._consolidator.__dict__["model"] = again
        assert memory.consolidate().failed == 0
        assert "cat" in contents(facts(memory))


def test_B073_bad_items_are_dropped_and_good_ones_kept(clock: StillClock) -> None:
    model = ScriptedModel(answer(
        fact(99, "I live in Riga", "User lives in Riga", "Riga"),
        fact(2, "I live in Riga", "User lives in Riga", "Riga"),  # the words stand in another message
        fact(1, "I live in Paris", "User lives in Paris", "Paris"),  # nobody said so
        fact(1, "I live in Riga", "User lives in Riga", "Riga", "no_such_predicate"),
        LIVES,
        LIVES,
    ))  # fmt: skip
    with memory_with(model, clock) as memory:
        first = memory.observe("I live in Riga.", session="a")
        memory.observe("The weather is fine.", session="a")
        report = memory.consolidate()
        known = facts(memory)
        assert [node.object for node in known] == ["Riga"]
        assert sum(report.skipped.values()) >= 4
        assert [e.node.id for e in memory.explain(known[0].id).evidence] == [first.id]
        assert known[0].made_by is not None
        assert "extract" in known[0].made_by


def test_B074_without_the_wrapper_nothing_is_lost(clock: StillClock) -> None:
    model = ScriptedModel(LIVES, always=answer())  # the inner object alone, then empty lists
    with memory_with(model, clock) as memory:
        memory.observe("I live in Riga.", session="s0")
        for i in range(1, 8):
            memory.observe(f"note number {i}", session=f"s{i}")
        done = memory.consolidate()
        assert done.episodes == 8
        assert done.failed == 0 or memory.consolidate().failed == 0
        assert memory.consolidate().episodes == 0


def test_B075_the_loop_gives_no_new_facts(make: Make) -> None:
    memory = make()
    memory.observe("I live in Riga.", session="first")
    memory.observe("My sister Anna works at Acme.", session="first")
    memory.consolidate()
    before = [node.id for node in facts(memory)]
    assert before
    evidence = {id_: len(memory.explain(id_).evidence) for id_ in before}
    rules = "You are a helpful assistant. Always answer in short sentences. " * 50
    prompt = "Where do I live, and where does Anna work?"
    for i in range(20):
        block = memory.context(prompt)
        assert block is not None
        memory.observe(f"{block.text}\n\n{prompt}", session=f"loop{i}")
        memory.observe(rules, role="system", session=f"loop{i}")
        memory.consolidate()
    assert [node.id for node in facts(memory)] == before
    assert {id_: len(memory.explain(id_).evidence) for id_ in before} == evidence


def test_B079_refusal_timeout_and_rate_limit(clock: StillClock) -> None:
    asked: list[str] = []

    def reply(messages: Any) -> Any:
        text = str(messages)
        asked.append(text)
        if "FORBIDDEN" in text:
            raise LLMRefused("scripted:test")
        if "SLOW" in text and sum("SLOW" in t for t in asked) < 3:
            raise LLMTimeout("scripted:test")
        return answer(*([LIVES] if "I live in Riga" in text else []))

    model = ScriptedModel(always=reply)
    with memory_with(model, clock) as memory:
        memory.observe("FORBIDDEN words", session="a")
        memory.observe("SLOW words", session="b")
        memory.observe("I live in Riga.", session="c")
        report = memory.consolidate()
        assert report.refused == 1
        assert report.episodes == 3
        assert "Riga" in contents(facts(memory))
        forbidden = sum("FORBIDDEN" in t for t in asked)
        clock.at = "2026-06-03T12:00:00+00:00"
        assert memory.consolidate().failed == 0
        assert sum("FORBIDDEN" in t for t in asked) == forbidden  # a refusal is for good
        assert found(memory, "forbidden words")[0] == "FORBIDDEN words"


def test_errors_of_a_model_are_ours() -> None:
    assert issubclass(LLMRefused, MnemicError)
    assert issubclass(LLMTimeout, MnemicError)
