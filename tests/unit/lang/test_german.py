"""German, which is data alone: its labelled set of time expressions, of what questions are after, and of questions about oneself."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemic.lang.when import MAX, MIN, find
from mnemic.lang.when_table import EXAMPLE_NOW
from mnemic.recall.plan import classify
from mnemic.text.analyse import about_self, stop_terms, terms
from mnemic.text.sentences import spans

SET = Path(__file__).resolve().parents[2] / "labelled" / "german.jsonl"
NOW = datetime.fromisoformat(EXAMPLE_NOW)


def rows(kind: str) -> list[Any]:
    found = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row["text"], row["answer"], id=row["text"]) for row in found if row["kind"] == kind]


def day(moment: datetime) -> str:
    return "*" if moment in (MIN, MAX) else moment.strftime("%Y-%m-%dT%H:%M").removesuffix("T00:00")


@pytest.mark.parametrize(("text", "answer"), rows("when"))
def test_german_time_expressions(text: str, answer: list[str]) -> None:
    assert [f"{day(w.start)}/{day(w.end)}" for w in find(text, NOW)] == answer


@pytest.mark.parametrize(("text", "answer"), rows("intent"))
def test_german_questions_are_after_something(text: str, answer: list[str]) -> None:
    found = classify(text)
    assert [found.name, found.anchor] == answer


@pytest.mark.parametrize(("text", "answer"), rows("self"))
def test_german_questions_about_the_asker(text: str, answer: bool) -> None:
    assert about_self(terms(text), stop_terms()) is answer


def test_german_abbreviations_end_no_sentence() -> None:
    text = "Wir mögen Obst, z. B. Äpfel. Dann gingen wir."
    assert [text[a:b] for a, b in spans(text)] == ["Wir mögen Obst, z. B. Äpfel. ", "Dann gingen wir."]


@pytest.mark.parametrize("text", ["The dice die was cast in the war", "What did man eat?", "so he hat es an"])
def test_german_stop_words_take_no_english_word_away(text: str) -> None:
    """What is a word of content in English stays in a query: "die", "war", "hat"."""
    assert {"die", "war", "man", "hat", "dice"} & set(text.lower().split()) & stop_terms() == set()
