"""Fusion: what each feature is, on a handful of rows whose right order can be seen."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from mnemic.clock import SystemClock
from mnemic.recall import rank, sufficiency
from mnemic.recall.evidence import ASKS_ASSISTANT, fit, relatives, speakers
from mnemic.recall.lexical import Floats, distinct, idf, match
from mnemic.recall.plan import read_query
from mnemic.store.columns import Columns
from mnemic.store.rows import NewNode
from mnemic.store.sqlite import SqliteStore
from mnemic.store.vectors import encode
from mnemic.store.words import WordIndex
from mnemic.text.analyse import search_text

TALK = [
    ("Anna", "s1", "I bought a red bicycle in Lisbon"),
    ("Boris", "s1", "How much was it?"),
    ("Anna", "s1", "Two hundred, with the lock"),
    ("Boris", "s2", "My bicycle is green"),
    ("Anna", "s2", "We talked about the weather"),
    ("Boris", "s2", "and nothing else"),
]


@pytest.fixture
def store() -> SqliteStore:
    store = SqliteStore(":memory:", clock=SystemClock())
    nodes = [
        NewNode(
            text, search_text(text), i * 1_000, session=session, channel="import:test", role="user", speaker=speaker
        )
        for i, (speaker, session, text) in enumerate(TALK)
    ]
    store.run(lambda tx: tx.add("default", nodes))
    yield store
    store.close()


def evidence(store: SqliteStore, *terms: str, **kw: object) -> tuple[Columns, rank.Evidence]:
    columns = store.columns("default")
    found = match(store, "default", columns, terms)
    return columns, rank.Evidence([rank.Word(term) for term in found.terms], **kw)  # type: ignore[arg-type]


def test_bm25_is_the_formula(store: SqliteStore) -> None:
    columns = store.columns("default")
    (term,) = match(store, "default", columns, ["bicycl"]).terms
    assert term.places.tolist() == [0, 3]
    assert term.idf == pytest.approx(math.log(1 + (6 - 2 + 0.5) / (2 + 0.5)))
    average = columns.words.mean()
    for place, value in zip(term.places, term.values, strict=True):
        norm = 1.2 * (1 - 0.75 + 0.75 * columns.words[place] / average)
        assert value == pytest.approx(term.idf * 2.2 / (1 + norm), rel=1e-5)


def test_a_term_of_another_space_is_not_counted(store: SqliteStore) -> None:
    store.run(lambda tx: tx.add("other", [NewNode("bicycle bicycle", "bicycl bicycl", 1, session="x")]))
    (term,) = match(store, "default", store.columns("default"), ["bicycl"]).terms
    assert term.places.tolist() == [0, 3]


def small_words(query: str, texts: list[str]) -> dict[str, Floats]:
    return rank.small_words(query, rank.Texts(len(texts), lambda wanted: [texts[i] for i in wanted]), {})


def test_positions_count_repeats() -> None:
    columns = Columns()
    columns.add_rows([(row, 1, 0, 0, "episodic", "message", "user", "", 0, 0, 0, 1.0, 0) for row in (5, 6, 9)])
    lists = [[5, 5, 9], [], [4, 9, 9], [6], [7]]  # 4 and 7 are not in the columns
    places, counts, ends = distinct(columns, [np.array(rows, dtype=np.int64) for rows in lists])
    assert places.tolist() == [0, 2, 2, 1]
    assert counts.tolist() == [2.0, 1.0, 2.0, 1.0]
    assert ends == [2, 2, 3, 4, 4]
    assert distinct(columns, [np.empty(0, dtype=np.int64)] * 2)[2] == [0, 0]


def test_neighbours_complete_the_cover_in_a_dialogue_only(store: SqliteStore) -> None:
    columns, found = evidence(store, "bicycl", "lock")
    scored = rank.score(columns, found)
    words = scored.features["words"]
    assert scored.own[1] == 0  # "How much was it?" has none of the words
    assert words[1] > 0  # but stands between both
    assert words[0] > scored.own[0]  # and the bicycle has the lock two messages on
    assert words[5] < words[3]


def test_session_evidence_goes_to_the_session_that_has_more_of_the_words(store: SqliteStore) -> None:
    columns, found = evidence(store, "bicycl", "lisbon")
    session = rank.score(columns, found).by_session["session"][columns.session]
    assert session[2] > session[5] > 0
    topic = rank.session_bm25(columns, [w.term for w in found.words])
    assert topic[0] == 0
    assert topic[1] > topic[2] > 0


def test_speaker_named_in_the_query(store: SqliteStore) -> None:
    columns = store.columns("default")
    named, names = speakers("What colour is Boris's bicycle?", columns)
    assert names == ["bor"] or names == search_text("Boris").split()
    assert named is not None
    assert named.tolist() == [s == "Boris" for s, _, _ in TALK]
    assert speakers("what colour is the bicycle", columns) == (None, [])


def test_a_relative_counts_less_than_the_word_and_never_twice(store: SqliteStore) -> None:
    columns = store.columns("default")
    bicycle, red, green = match(store, "default", columns, ["bicycl", "red", "green"]).terms
    plain = rank.score(columns, rank.Evidence([rank.Word(red)])).own
    kin = rank.score(columns, rank.Evidence([rank.Word(red, [(green, 0.5), (bicycle, 0.5)])])).own
    assert kin[0] == plain[0]  # red itself is there: its relative bicycle adds nothing
    assert 0 < kin[3] < plain[0]


def test_relatives_have_a_floor_and_leave_numbers_alone() -> None:
    index = WordIndex(2)
    near, far = np.array([0.8, 0.6], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)
    index.add([(1, "flat", 1, encode(near)), (2, "sky", 2, encode(far)), (3, "2024", 3, encode(near))], (3, 3))
    one = np.array([1.0, 0.0], dtype=np.float32)
    found = relatives(index, {"home": one, "2023": one})
    assert list(found["home"]) == ["flat"]
    assert found["home"]["flat"] == pytest.approx(0.8 * (0.8 - 0.5) / 0.5, abs=1e-3)
    assert found["2023"] == {}
    assert relatives(WordIndex(2), {"home": one}) == {"home": {}}


def test_a_long_common_beginning_is_likeness_in_russian_only() -> None:
    index = WordIndex(2)
    away = np.array([0.0, 1.0], dtype=np.float32)
    index.add([(1, "откатыв", 1, encode(away)), (2, "deployments", 2, encode(away))], (2, 2))
    one = np.array([1.0, 0.0], dtype=np.float32)
    found = index.nearest({"откат": one, "deployment": one}, least=-1.0)
    assert dict(found["откат"])["откатыв"] > 0.4
    assert dict(found["deployment"])["deployments"] < 0.01


@pytest.mark.parametrize(
    ("question", "answer"),
    [("кто я?", "ты врач"), ("где твой дом", "мой дом у моря"), ("what is my job?", "the user is a nurse")],
)
def test_persons_are_flipped(question: str, answer: str) -> None:
    features = small_words(question, [search_text(answer), search_text("nothing of the kind")])
    assert features["person"].tolist() == [1.0, 0.0]


def test_small_words_count_in_russian_questions_only() -> None:
    texts = [search_text("я не люблю кофе"), search_text("я люблю кофе")]
    russian = small_words("кто не любит кофе", texts)["grammar"]
    assert russian[0] > russian[1]
    english = small_words("who does not like coffee", [search_text("not coffee"), search_text("coffee")])
    assert not english["grammar"].any()


def test_phrases_stand_side_by_side_small_words_left_out() -> None:
    texts = [search_text(t) for t in ("the release of the train", "train release", "release and then a train", "no")]
    found = small_words("release train", texts)["phrase"]
    assert found[0] > 0
    assert found[1] == 0
    assert found[2] > 0
    assert found[3] == 0


def test_diversify_costs_a_session_that_was_shown() -> None:
    scores = np.array([3.0, 2.99, 2.95, 1.0], dtype=np.float32)
    assert rank.diversify(scores, np.array([1, 1, 2, 2])).tolist() == [0, 2, 1, 3]
    assert rank.diversify(scores, np.array([0, 0, 0, 0])).tolist() == [0, 1, 2, 3]  # no sessions, no cost


def test_feedback_points_at_the_first_hits() -> None:
    vectors = np.eye(3, dtype=np.float32)
    centre = rank.feedback(np.array([9.0, 1.0, 0.0], dtype=np.float32), lambda places: vectors[places])
    assert centre[0] > 0.99
    assert len(rank.feedback(np.array([1.0], dtype=np.float32), lambda places: None)) == 0


def day(iso: str) -> int:
    from mnemic.clock import to_micros

    return to_micros(datetime.fromisoformat(iso).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what happened with the garden in May 2023", [1, 0, 0]),
        ("what happened with the garden in May", [1, 0, 1]),  # of any year
        ("сад в мае 2023 года", [1, 0, 0]),
        ("the garden in 2022", [0, 1, 0]),
        ("the garden", None),
    ],
)
def test_fit_of_the_time_named(query: str, expected: list[int] | None) -> None:
    columns = Columns()
    times = [day("2023-05-08"), day("2022-01-03"), day("2021-05-30")]
    columns.add_rows(
        [(i, 1, 0, 0, "episodic", "message", "user", "", at, at, at, 1.0, 0) for i, at in enumerate(times, 1)]
    )
    found = fit(columns, read_query(query, day("2026-11-29"), UTC).windows)
    assert (None if found is None else [round(float(v)) for v in found]) == expected


def test_a_time_that_nearly_all_rows_fall_into_tells_little() -> None:
    columns = Columns()
    days = [day(f"2026-0{month}-{number:02d}") for month in (9, 8) for number in range(1, 29)]
    times = [*days, day("2026-03-05"), day("2025-01-10")]
    columns.add_rows(
        [(i, 1, 0, 0, "episodic", "message", "user", "", at, at, at, 1.0, 0) for i, at in enumerate(times, 1)]
    )

    def weight(query: str) -> float:
        found = fit(columns, read_query(query, day("2026-09-30"), UTC).windows)
        assert found is not None
        return float(found.max())

    rare, half, most = (weight(f"the garden in {time}") for time in ("March 2026", "August 2026", "2026"))
    assert 0.9 < rare < 1
    assert 0 < most < half < rare


@pytest.mark.parametrize("query", ["what did you suggest for dinner", "что ты мне посоветовал почитать"])
def test_asks_what_the_assistant_said(query: str) -> None:
    assert ASKS_ASSISTANT.search(query)
    assert not ASKS_ASSISTANT.search("what did Anna cook")


def test_idf_is_never_negative() -> None:
    assert idf(10, 10) > 0
    assert idf(10, 1) > idf(10, 5)


def judged(columns: Columns, found: rank.Evidence, places: Any) -> sufficiency.Verdict:
    allowed = np.ones(columns.n, dtype=bool)
    return sufficiency.judge(found, rank.score(columns, found), places, allowed)


def test_sufficiency_falls_when_words_are_missing(store: SqliteStore) -> None:
    columns, found = evidence(store, "bicycl", "lisbon")
    full = judged(columns, found, np.array([0]))
    columns, missing = evidence(store, "bicycl", "helicopt")
    part = judged(columns, missing, np.array([0]))
    assert full.score > part.score
    assert full.name == "strong"
    assert judged(columns, found, np.array([], dtype=np.int64)).name == "none"


def test_sufficiency_sees_that_the_other_person_said_it(store: SqliteStore) -> None:
    columns = store.columns("default")
    named, _ = speakers("Boris", columns)
    (lock, lisbon) = match(store, "default", columns, ["lock", "lisbon"]).terms
    asked_of_boris = rank.Evidence([rank.Word(lock), rank.Word(lisbon)], named=named)
    asked_of_anna = rank.Evidence([rank.Word(lock), rank.Word(lisbon)], named=~named if named is not None else None)
    wrong = judged(columns, asked_of_boris, np.array([0]))
    right = judged(columns, asked_of_anna, np.array([0]))
    assert right.score > wrong.score


def test_every_feature_has_a_weight_and_every_weight_a_feature(store: SqliteStore) -> None:
    columns = store.columns("default")
    columns_with_assistant = Columns()
    columns_with_assistant.add_rows(
        [
            (i, 3, i % 2 + 1, 0, "episodic", "message", role, "", 0, 0, 0, 1.0, 0)
            for i, role in enumerate(["user", "assistant"] * 2)
        ]
    )
    zeros = np.zeros(columns_with_assistant.n, dtype=np.float32)
    made = {"linked"}  # of walks (recall/run.py)
    for own in (True, False):
        found = rank.Evidence([], cosine=zeros, named=zeros > 0, dated=zeros, asks_assistant=True, asks_self=own)
        scored = rank.score(columns_with_assistant, found)
        made |= set(scored.features) | set(scored.by_session)
    assert made | set(small_words("a b", ["a"])) == set(rank.WEIGHTS)
    assert set(rank.CHANNELS) <= set(rank.WEIGHTS)
    assert columns.n == len(TALK)


@pytest.mark.parametrize(("query", "speakers_of_hits"), [("Boris", {"Boris"}), ("what about Anna?", {"Anna"})])
def test_a_name_alone_gives_what_that_person_said(query: str, speakers_of_hits: set[str]) -> None:
    from mnemic import Config, Memory

    with Memory(":memory:", embedder=None, config=Config(background=False)) as memory:
        for speaker, session, text in TALK:
            memory.observe(text, speaker=speaker, session=session)
        assert {h.node.speaker for h in memory.recall(query).hits} == speakers_of_hits
