"""What a question is after: keywords first, exemplars where there is an embedder, and the anchor of after and before."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemic.recall.plan import NAMES, THRESHOLD, classify, exemplars

BENCH = Path(__file__).resolve().parents[3] / "bench"
#: Example phrases of a memory that routes by intent.
PHRASES = [
    ("why", "why did"), ("why", "what caused the delay"), ("why", "reason for the switch"), ("why", "почему"), ("why", "в чем причина"),
    ("why", "В чём причина сбоя?"), ("why", "из-за чего"), ("when", "when did"), ("when", "timeline of events"), ("when", "Timeline of the move"),
    ("when", "когда"), ("when", "хронология событий"), ("when", "Последовательность событий в мае"), ("who", "who is"), ("who", "кто такой"),
    ("who", "с кем я был"), ("what", "what is"), ("what", "tell me everything about"), ("what", "tell me all about Globex"), ("what", "что такое"),
    ("what", "расскажи всё о"), ("what", "Расскажи все о Вене"), ("what", "where is the key"), ("general", "hello there"), ("general", "продолжай"),
]  # fmt: skip


@pytest.mark.parametrize(("intent", "phrase"), PHRASES)
def test_98_phrases_by_keywords_alone(intent: str, phrase: str) -> None:
    found = classify(phrase)
    assert (found.name, found.anchor) == (intent, "")


@pytest.mark.parametrize(("lead", "rest", "intent"), [
    ("So, ", "why did we stop?", "why"), ("Can you tell me ", "who called?", "who"), ("Ну а ", "почему так вышло?", "why"),
    ("Слушай, ты не помнишь, ", "когда сдача?", "when"), ("Напомни мне, пожалуйста, ", "где ключи", "what"), ("I wonder ", "how long ago it was", "when"),
])  # fmt: skip
def test_98_words_before_the_question_do_not_matter(lead: str, rest: str, intent: str) -> None:
    assert classify(lead + rest) == classify(rest)
    assert classify(rest).name == intent


class Meanings:
    """An embedder that knows two directions: like the exemplars of one intent, or like nothing."""

    def __init__(self, like: str) -> None:
        self.like, self.calls = like, Counter[str]()

    def embed(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        self.calls.update(texts)
        near, far = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
        return [near if t in exemplars().get(self.like, ()) or t.startswith("~") else far for t in texts]


@pytest.mark.parametrize("intent", exemplars())
def test_99_exemplars_decide_where_no_keyword_does_and_are_embedded_once(intent: str) -> None:
    model = Meanings(intent)
    for text in ("~the grounds", "~основания", "~whatever it may be"):
        found = classify(text, model.embed)
        assert (found.name, found.by, found.score >= THRESHOLD) == (intent, "exemplar", True)
    all_of_them = {t for texts in exemplars().values() for t in texts}
    assert all(model.calls[t] == 1 for t in all_of_them)
    assert classify("why, ~", model.embed).by == "keyword"


def test_99_below_the_threshold_a_keyword_in_a_question_counts() -> None:
    def far(texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [np.array([0, 1] if t in all_of_them else [1, 0], np.float32) for t in texts]

    all_of_them = {t for texts in exemplars().values() for t in texts}
    assert classify("Marta left, but for what reason?", far).name == "why"
    assert classify("Марта ушла, а по какой причине?", far).name == "why"
    assert classify("Let him know what I think", far).name == "general"
    assert classify("Передай ему, что я опоздаю", far).name == "general"


def test_99_there_are_exemplars_of_every_intent_in_both_languages() -> None:
    assert set(NAMES) | {"general"} == set(exemplars())
    for texts in exemplars().values():
        russian = [t for t in texts if any("а" <= c <= "я" for c in t)]
        assert 5 <= len(russian) <= len(texts) - 5
    assert 54 <= sum(map(len, exemplars().values())) <= 60


@pytest.mark.parametrize(("query", "way", "anchor"), [
    ("what happened after the server melted?", "after", "the server melted"), ("Что было после того, как сервер расплавился?", "after", "сервер расплавился"),
    ("what did we do before the launch", "before", "the launch"), ("Что мы делали до запуска?", "before", "запуска"),
    ("The boat sank. And what happened then?", "after", "The boat sank"), ("Лодка затонула, а что было потом?", "after", "Лодка затонула"),
    ("After the boat sank, where did they go?", "after", "the boat sank"), ("После того как лодка затонула, куда они пошли?", "after", "лодка затонула"),
])  # fmt: skip
def test_102_after_and_before_name_their_anchor(query: str, way: str, anchor: str) -> None:
    found = classify(query)
    assert (found.name, found.anchor) == (way, anchor)


@pytest.mark.parametrize(("query", "intent"), [
    ("What happened after March 5?", "when"), ("Что было после пятницы?", "when"), ("what did we do before last Monday", "when"),
    ("who was she named after?", "who"), ("What is the plan for after lunch?", "what"), ("Why did it fail after the update?", "why"),
    ("Who looked after the cat?", "who"), ("Сколько идти до вокзала?", "what"), ("Почему он ушёл до ужина?", "why"), ("what do I have to do before the release?", "what"),
])  # fmt: skip
def test_102_other_uses_of_these_words_are_no_sequence(query: str, intent: str) -> None:
    found = classify(query)
    assert (found.name, found.anchor) == (intent, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "?",
        "\x00",
        "→ %",
        "after",
        "после",
        "what happened after?",
        "a" * 100_000,
        "что было " * 5_000,
        "after, " * 5_000,
    ],
)
def test_any_text_is_safe(text: str) -> None:
    assert classify(text).anchor == ""


def test_98_the_labelled_set_keeps_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    sys.modules.pop("intents", None)
    intents: Any = importlib.import_module("intents")
    rows = intents.read()
    assert len(rows) >= 120
    counts, _ = intents.measure(rows, None)
    assert counts["dev"] >= 0.9 * counts["all dev"]
    assert counts["held"] >= 0.85 * counts["all held"]
