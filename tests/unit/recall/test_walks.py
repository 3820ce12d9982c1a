"""Walks from a question: along a session, to what it names in any case, and to what lies a step behind that."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic import Config, Memory
from mnemic.recall import walks
from mnemic.recall.filters import Filters
from mnemic.recall.walks import Joined, joined, named, onward
from mnemic.testing import FrozenClock

BENCH = Path(__file__).resolve().parents[3] / "bench"


@pytest.fixture
def memory() -> Iterator[Memory]:
    clock = FrozenClock("2026-03-02T09:00:00Z")
    with Memory(":memory:", embedder=None, clock=clock, config=Config(background=False)) as memory:
        yield memory


def tell(memory: Memory, *texts: str) -> None:
    for number, text in enumerate(texts):  # facts and messages by turns
        if number % 2:
            memory.observe(text, session=f"s{number}")
        else:
            memory.remember(text)
    memory.flush()


def names(memory: Memory, query: str, space: str = "default") -> set[str]:
    return {thing.name for thing in named(memory._store, space, query)}


def walk(memory: Memory, query: str, depth: int = 2, space: str = "default") -> dict[str, Joined]:
    store, columns = memory._store, memory._store.columns(space)
    mask = Filters().mask(store, space, columns, memory._clock.now())
    found = joined(store, space, columns, mask, named(store, space, query), depth)
    nodes = store.nodes([j.row for j in found])
    return {nodes[j.row].content: j for j in found}


@pytest.mark.parametrize(
    "texts", [("one", "two", "three", "four"), ("раз", "два", "три", "четыре"), ("a", "b?", "c", "d!")]
)
def test_102_onward_goes_along_the_session_both_ways(memory: Memory, texts: tuple[str, ...]) -> None:
    for text in texts:  # another talk goes on in between
        memory.observe(text, session="this")
        memory.observe("elsewhere", session="other")
    columns = memory._store.columns("default")
    places = [0, 2, 4, 6]
    assert onward(columns, places[1], 2) == places[2:]
    assert onward(columns, places[1], 9) == places[2:]
    assert onward(columns, places[2], -9) == [places[1], places[0]]
    assert onward(columns, places[2], -1) == [places[1]]
    assert onward(columns, places[3], 3) == onward(columns, places[0], -3) == onward(columns, places[0], 0) == []


@pytest.mark.parametrize(("told", "query", "name"), [
    ("К нам пришла Мария.", "Что мы знаем о Марии?", "Мария"), ("К нам пришла Мария.", "кто видел марию", "Мария"),
    ("Вчера звонил Виктор.", "Что у Виктора с машиной?", "Виктор"), ("Нам нужен Альбатрос.", "Когда релиз Альбатроса?", "Альбатрос"),
    ("Нам нужен Альбатрос.", "что с альбатросом", "Альбатрос"), ("Пришла Анна Петрова.", "Где работает Анна?", "Анна Петрова"),
    ("We met Anna Petrova.", "in which city does Anna work?", "Anna Petrova"), ("We met Anna.", "what is Anna's job", "Anna"),
    ("They like Globex.", "is globex any good", "Globex"), ("Всё это купил Лев.", "Чей дом у Льва?", "Лев"),
])  # fmt: skip
def test_103_names_are_found_in_every_form(memory: Memory, told: str, query: str, name: str) -> None:
    memory.observe(told, speaker="Анна Петрова" if "Петрова" in told else None)
    memory.flush()
    assert name in names(memory, query)
    assert names(memory, query, "other") == set()


@pytest.mark.parametrize(("query", "wanted"), [
    ("Who is Marina?", {"Marina"}), ("Who is Maria?", {"Maria"}), ("Кто такая Анна Белова?", {"Анна Белова"}),
    ("Which office is it?", set()), ("какой это офис", set()), ("", set()), ("???", set()), ("Is it Zebulon again?", {"Zebulon"}),
])  # fmt: skip
def test_103_names_that_are_others_are_not_meant(memory: Memory, query: str, wanted: set[str]) -> None:
    tell(
        memory,
        "We hired Maria.",
        "We hired Marina.",
        "Пришла Анна Петрова.",
        "Пришла Анна Белова.",
        "This is the Office Globex.",
        "Вот Офис Глобекса.",
    )
    assert names(memory, query) == wanted


@pytest.mark.parametrize(("told", "query", "far"), [
    (("Anna works at Globex.", "Globex is based in Oslo."), "in which city does Anna work?", "Globex is based in Oslo."),
    (("They say that Anna has joined Globex.", "Globex sits in Oslo."), "Where is Anna's office?", "Globex sits in Oslo."),
    (("Анна работает в Глобексе.", "Глобекс находится в Осло."), "В каком городе работает Анна?", "Глобекс находится в Осло."),
    (("Фарид ведёт проект Альбатрос.", "У Альбатроса сдача в мае."), "Когда Фариду сдавать проект?", "У Альбатроса сдача в мае."),
    (("Кошку Нины зовут Пиксель.", "Пикселю капают капли."), "Чем лечат кошку Нины?", "Пикселю капают капли."),
])  # fmt: skip
def test_108_a_step_further_over_what_both_speak_of(
    memory: Memory, told: tuple[str, str], query: str, far: str
) -> None:
    others = ("Boris works at Initech.", "Initech is based in Riga.", "Олег служит в Инитеке.", "В Риге дожди.")
    tell(memory, *told, *others)
    found = walk(memory, query)
    assert (found[told[0]].depth, found[far].depth) == (1, 2)
    assert found[told[0]].score > found[far].score > 0
    assert len(found[far].via) == 2
    assert not set(others) & set(found)
    assert far not in walk(memory, query, depth=1)


def test_108_more_steps_count_less_and_messages_less_than_facts(memory: Memory) -> None:
    memory.remember("Anna works at Globex.")
    memory.remember("The owner of Globex is Lund Holding.")
    memory.remember("A founder of Lund Holding was Mrs Quist.")
    memory.observe("Yesterday I passed Globex.")
    memory.flush()
    found = walk(memory, "Who pays Anna?", depth=3)
    scores = [
        found[t].score
        for t in (
            "Anna works at Globex.",
            "The owner of Globex is Lund Holding.",
            "A founder of Lund Holding was Mrs Quist.",
        )
    ]
    assert scores == sorted(scores, reverse=True)
    assert (
        found["Yesterday I passed Globex."].score == found["The owner of Globex is Lund Holding."].score * walks.SPOKEN
    )
    assert "A founder of Lund Holding was Mrs Quist." not in walk(memory, "Who pays Anna?")


@pytest.mark.parametrize(("told", "query", "gone"), [
    (("Anna works at Globex.", "Globex is based in Oslo."), "where does Anna work?", 0),
    (("Анна работает в Глобексе.", "Глобекс находится в Осло."), "где работает Анна?", 0),
    (("Anna works at Globex.", "Globex is based in Oslo."), "where does Anna work?", 1),
])  # fmt: skip
def test_108_nothing_is_reached_through_what_is_hidden(
    memory: Memory, told: tuple[str, str], query: str, gone: int
) -> None:
    ids = [memory.remember(text).id for text in told]
    memory.flush()
    memory.forget(ids[gone])
    assert list(walk(memory, query)) == [text for i, text in enumerate(told) if i < gone]


def test_108_a_hub_is_bounded_and_no_bridge(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "HUB", 20)
    monkeypatch.setattr(walks, "DIRECT", 15)
    for number in range(30):
        memory.observe(f"Line {number} of the Ledger.", session=f"s{number}", ack="accepted")
    memory.remember("Anna wrote the Ledger.")
    memory.remember("Boris wrote the Almanac.")
    memory.flush()
    assert list(walk(memory, "What did Anna write?")) == ["Anna wrote the Ledger."]
    assert len(walk(memory, "Where is the Ledger?", depth=1)) == 15
    rare, common = walk(memory, "Who wrote the Almanac?"), walk(memory, "Who wrote the Ledger?")
    assert rare["Boris wrote the Almanac."].score > common["Anna wrote the Ledger."].score


@pytest.mark.parametrize("query", ["", "?", "Анна " * 3_000, "a" * 50_000, "\x00", "%_[", "ß ﬁ 東京"])
def test_any_text_is_safe(memory: Memory, query: str) -> None:
    assert walk(memory, query) == {}
    tell(memory, "Anna met Boris.", "東京 is far.")
    assert all(0 < j.score <= 1 for j in walk(memory, query).values())


def test_the_made_up_worlds_are_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    sys.modules.pop("walks", None)
    bench: Any = importlib.import_module("walks")
    worlds, questions = bench.read()
    kinds = [row["kind"] for row in questions]
    assert (
        min(kinds.count("hop"), kinds.count("who") + kinds.count("what"), kinds.count("after") + kinds.count("before"))
        >= 60
    )
    texts = {(w["lang"], t) for w in worlds for s in w["sessions"] for _, t in s} | {
        (w["lang"], t) for w in worlds for t in w["facts"]
    }
    assert all((row["lang"], text) in texts for row in questions for text in row["wanted"])
    with bench.told(worlds, None) as memory:
        right = [bool(set(row["wanted"]) & set(bench.walked(memory, row))) for row in questions]
    share = {kind: np.mean([r for r, k in zip(right, kinds, strict=True) if k == kind]) for kind in set(kinds)}
    assert share["hop"] >= 0.75
    assert min(share[kind] for kind in share if kind != "hop") >= 0.9
