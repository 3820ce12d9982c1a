"""Ranking as a whole: a frozen order, the direction of each weight, what neighbours count, and where verdicts begin."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from golden import FOLDER, compare
from mnemic import Config, Memory
from mnemic.recall import rank, sufficiency
from mnemic.recall.lexical import match
from mnemic.store.columns import Columns
from mnemic.store.rows import NewNode
from mnemic.store.sqlite import SqliteStore
from mnemic.testing import FrozenClock
from mnemic.text.analyse import search_text

CORPUS = tomllib.loads((FOLDER / "ranking.toml").read_text("utf-8"))
ROLES = ("user", "assistant")
FIRST = 10


def place_of(memory: Memory) -> Mapping[str, int]:
    """Id → place in the corpus, after all of it was observed."""
    places = {}
    for i, (session, day, who, text) in enumerate(CORPUS["messages"]):
        voice = {"role": who} if who in ROLES else {"speaker": who}
        places[memory.observe(text, session=session, at=f"{day}T10:{i:02}:00Z", **voice).id] = i
    memory.flush()
    return places


@pytest.mark.parametrize("embedder", [None, "hash:256"], ids=["words", "hash"])
def test_the_order_is_frozen(embedder: str | None) -> None:
    """The first ten of every question, its verdict, and the number behind the verdict to two places."""
    rows: list[Any] = []
    with Memory(
        ":memory:", embedder=embedder, clock=FrozenClock(CORPUS["now"]), config=Config(background=False)
    ) as memory:
        places = place_of(memory)
        for question in CORPUS["questions"]:
            answer = memory.recall(question, limit=FIRST)
            rows.append([question, answer.sufficiency, [places[hit.node.id] for hit in answer.hits]])
    compare("ranking-words" if embedder is None else "ranking-hash", rows)


# -- the direction of each weight --------------------------------------------------------------------------------------

#: Feature → (question, what must come first, what else was said, as [session, who, text]). But for that feature they are alike.
DIRECTIONS: Mapping[str, tuple[str, list[str], list[list[str]]]] = {
    "question": (
        "the harbour lighthouse",
        ["b", "Boris", "The lighthouse of the harbour is old."],
        [["a", "Boris", "The lighthouse of the harbour is old?"]],
    ),
    "phrase": (
        "release train",
        ["a", "Boris", "friday the release train today"],
        [["b", "Boris", "friday the train release today"]],
    ),
    "speaker": (
        "What did Anna say about the bicycle?",
        ["a", "Anna", "The bicycle is in the cellar"],
        [["b", "Boris", "The bicycle is in the cellar"]],
    ),
    "topic": (
        "harbour",
        ["a", "Boris", "The harbour was cold today"],
        [["a", "Boris", "Fishing boats of the harbour with long ropes and anchors"],
         ["a", "Boris", "Grey cranes of the harbour with lamps and cables"], ["b", "Boris", "The harbour was cold today"],
         ["b", "Boris", "The dentist was kind"], ["b", "Boris", "The dentist again"]],
    ),
    "user": (
        "What is my plan?",
        ["a", "user", "The plan is to paint the boat"],
        [["b", "assistant", "The plan is to paint the boat"]],
    ),
    "asked": (
        "Which plan did you suggest?",
        ["a", "assistant", "The plan is to paint the boat"],
        [["b", "user", "The plan is to paint the boat"]],
    ),
    "person": (
        "Где стоит твой дом?",
        ["a", "Boris", "Там мой дом стоит"],
        [["b", "Boris", "Там ваш дом стоит"]],
    ),
    "grammar": (
        "Кто не любит кофе?",
        ["a", "Boris", "Я не люблю кофе"],
        [["b", "Boris", "Я уж люблю кофе"]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("feature", DIRECTIONS)
def test_each_feature_speaks_for_what_has_it(feature: str, swapped: bool) -> None:
    """Of messages that are otherwise alike the right one comes first, whichever was said first."""
    question, right, others = DIRECTIONS[feature]
    said = [*others, right] if swapped else [right, *others]
    with Memory(":memory:", embedder=None, clock=FrozenClock(), config=Config(background=False)) as memory:
        for session, who, text in said:
            memory.observe(text, session=session, **({"role": who} if who in ROLES else {"speaker": who}))
        first = memory.recall(question).hits[0].node
        assert [first.session, first.speaker or first.role, first.content] == right


@pytest.mark.parametrize("question", ["the garden in March 2026", "the garden in March", "сад в марте 2026 года"])
def test_a_time_that_is_named_speaks_for_what_was_said_then(question: str) -> None:
    """The weight of ``date``: the same words, said in the month that is named and in two others."""
    with Memory(":memory:", embedder=None, clock=FrozenClock("2026-06-20"), config=Config(background=False)) as memory:
        for month in (2, 3, 4):
            memory.observe(f"The garden, сад, looks fine {month}", session=str(month), at=f"2026-0{month}-10")
        assert [hit.node.session for hit in memory.recall(question).hits][:1] == ["3"]


@pytest.mark.parametrize("feature", rank.WEIGHTS)
def test_every_weight_has_its_sign(feature: str) -> None:
    """All speak for a message, but for one: that it asks."""
    assert math.copysign(1, rank.WEIGHTS[feature]) == (-1 if feature == "question" else 1)


@pytest.mark.parametrize("feature", ["words", "meaning", "speaker", "date", "user", "question"])
def test_a_score_is_the_weighted_sum_of_its_features(feature: str) -> None:
    """Of every row, features of its session included."""
    columns = Columns()
    columns.add_rows(
        [(i, 3, 1 + i // 2, 0, "episodic", "message", role, "", 0, 0, 0, 1.0, i % 2) for i, role in enumerate(["user", "assistant"] * 2)]
    )  # fmt: skip
    numbers = np.array([0.1, 0.9, 0.4, 0.2], dtype=np.float32)
    found = rank.Evidence([], cosine=numbers, named=numbers > 0.3, dated=numbers)
    scored = rank.score(columns, found)
    total = sum(rank.WEIGHTS[name] * values for name, values in scored.features.items())
    total = total + sum(rank.WEIGHTS[name] * values[columns.session] for name, values in scored.by_session.items())
    assert np.allclose(scored.total, total, atol=1e-5)
    without = rank.score(columns, found, {**rank.WEIGHTS, feature: 0.0})
    assert np.allclose(scored.total - without.total, rank.WEIGHTS[feature] * scored.features[feature], atol=1e-5)


# -- neighbours --------------------------------------------------------------------------------------------------------


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    """A dialogue in which one word stands in the third message, and another one of a single speaker."""
    store = SqliteStore(":memory:", clock=FrozenClock())
    texts = ["one fair day", "one long walk", "one red harbour", "one cold lunch", "one late train", "one grey night"]
    nodes = [
        NewNode(text, search_text(text), i, session=session, channel="import:t", role="user", speaker="ab"[i % 2 * talk])
        for session, talk in (("talk", 1), ("diary", 0)) for i, text in enumerate(texts)
    ]  # fmt: skip
    store.run(lambda tx: tx.add("default", nodes))
    yield store
    store.close()


def test_a_word_counts_less_two_messages_away_than_one(store: SqliteStore) -> None:
    """Shares of neighbours: .8 and .5 of what the word counts in its own message, less as the neighbour is long."""
    columns = store.columns("default")
    found = match(store, "default", columns, [search_text("harbour")])
    words = rank.score(columns, rank.Evidence([rank.Word(term) for term in found.terms])).features["words"]
    assert rank.BESIDE == (0.8, 0.5)
    lean = rank.SHORT / (rank.SHORT + columns.words[0])
    share = words[:6] / words[2]
    assert np.allclose(share, [0.5 * lean, 0.8 * lean, 1, 0.8 * lean, 0.5 * lean, 0], atol=1e-4)
    assert np.flatnonzero(words[6:]).tolist() == [2]  # where one talks to himself, messages stand alone


def test_what_is_in_no_session_has_no_session_to_speak_for_it(store: SqliteStore) -> None:
    """Facts are of no session; together they are not one."""
    store.run(
        lambda tx: tx.add(
            "default", [NewNode(t, search_text(t), 9, kind="semantic") for t in ("a red harbour", "a harbour")]
        )
    )
    columns = store.columns("default")
    found = match(store, "default", columns, [search_text("harbour")])
    graph = rank.score(columns, rank.Evidence([rank.Word(term) for term in found.terms])).graph
    assert graph is not None
    assert graph[-2:].tolist() == [0, 0]
    assert graph[2] > 0


@pytest.mark.parametrize("talk", [["Anna", "Boris"], ["Анна", "Борис"], ["user", "assistant"]])
def test_what_may_not_be_seen_does_not_speak_for_its_neighbours(talk: list[str]) -> None:
    """A message that was forgotten brings in neither the one before it nor the one after."""
    with Memory(":memory:", embedder=None, clock=FrozenClock(), config=Config(background=False)) as memory:
        nodes = [
            memory.observe(text, session="s", **({"role": who} if who in ROLES else {"speaker": who}))
            for text, who in zip(["It was cold", "The harbour froze", "What a winter", "Indeed"], talk * 2, strict=True)
        ]
        assert len(memory.recall("harbour").hits) > 1
        memory.forget(nodes[1].id)
        assert memory.recall("harbour").hits == ()


# -- the verdict -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (0.99, "strong"),
        (0.785, "strong"),
        (0.775, "weak"),
        (0.5, "weak"),
        (0.205, "weak"),
        (0.195, "none"),
        (0.01, "none"),
    ],
)
@pytest.mark.parametrize("table", ["WORDS", "MEANING"])
def test_where_verdicts_begin(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, table: str, score: float, name: str
) -> None:
    """Strong from .78, weak from .2: published with the share of right answers behind each (docs/benchmarks.md)."""
    logit = math.log(score / (1 - score))
    monkeypatch.setattr(sufficiency, table, {"bias": (logit, logit)})
    columns = store.columns("default")
    found = match(store, "default", columns, [search_text("harbour")])
    cosine = np.zeros(columns.n, dtype=np.float32) if table == "MEANING" else None
    evidence = rank.Evidence([rank.Word(term) for term in found.terms], cosine=cosine)
    allowed = np.ones(columns.n, dtype=bool)
    verdict = sufficiency.judge(evidence, rank.score(columns, evidence), np.array([2]), allowed)
    assert (verdict.name, verdict.score) == (name, pytest.approx(score, abs=1e-4))


def test_without_words_or_hits_there_is_no_verdict(store: SqliteStore) -> None:
    """A query of nothing but small words is answered by nothing, and so is one without hits."""
    columns = store.columns("default")
    allowed = np.ones(columns.n, dtype=bool)
    empty = rank.Evidence([])
    assert sufficiency.judge(empty, rank.score(columns, empty), np.array([0]), allowed) == sufficiency.Verdict(
        "none", 0.0
    )
    found = rank.Evidence([rank.Word(t) for t in match(store, "default", columns, [search_text("harbour")]).terms])
    nothing = np.array([], dtype=np.int64)
    assert sufficiency.judge(found, rank.score(columns, found), nothing, allowed) == sufficiency.Verdict("none", 0.0)


#: Feature → what more of it says: 1 for an answer, −1 against. In a memory of many messages, by words and by meaning.
SPEAKS = {"uncovered": -1, "unseen": -1, "lonely": -1, "named_words": 1, "named_share": 1, "closest": 1}


@pytest.mark.parametrize(
    ("table", "feature"), [(t, f) for t in ("WORDS", "MEANING") for f in SPEAKS if f in getattr(sufficiency, t)]
)
def test_what_a_verdict_goes_by_has_its_sign(table: str, feature: str) -> None:
    """Words that stand nowhere and a lone match speak against an answer; closeness and the one who was named, for it."""
    assert math.copysign(1, getattr(sufficiency, table)[feature][1]) == SPEAKS[feature]
