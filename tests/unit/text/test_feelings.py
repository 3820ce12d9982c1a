"""How statements are felt: the tables, the words around a feeling, and what only sounds like one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.lang.pack import rows
from mnemic.text import feelings
from mnemic.text.analyse import fold
from mnemic.text.feelings import Feeling, sentence_around, valence

SET = Path(__file__).resolve().parents[2] / "labelled" / "feelings.jsonl"


@pytest.mark.parametrize("row", feelings.feelings(), ids=lambda row: row.example)
def test_every_row_hears_its_example_and_its_words_are_folded(row: Feeling) -> None:
    assert valence(row.example) * row.weight > 0
    for word in row.words.replace(",", " ").split():
        assert word == fold(word)


@pytest.mark.parametrize("example", [guard["example"] for _, guard in rows("feelings", "guard")])
def test_every_guard_is_needed(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert valence(example) == 0
    monkeypatch.setattr(feelings, "_guards", lambda: re.compile("(?!)"))
    assert valence(example) != 0


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I'm not happy about the move", -1),
        ("I never enjoyed it", -1),
        ("Я не рад", -1),
        ("Я совсем не рада переезду", -1),
        ("Он уже не боится собак", 1),
        ("I am no longer afraid of dogs", 1),
        ("I was sad, but now I'm happy", 1),
        ("Мне было грустно, но теперь я счастлив", 1),
        ("She is not only happy, she is in love", 1),
        ("Couldn't be happier.", 1),
        ("Я ужасно рад", 1),
        ("I’m so proud of you", 1),
        ("If you are unhappy, call us", 0),
        ("Are you happy?", 0),
        ("Я был бы рад", 0),
        ("It works like a charm", 0),
        ("kill -9 the process and execute it again", 0),
        ("fatal error: out of memory", 0),
        ("ради интереса", 0),
        ("благодаря кэшу", 0),
        ("`assert happy is True`", 0),
        ("def test_sad_user(): hate.py", 0),
        ("Мы съездили 😍", 1),
        ("", 0),
        ("…?!", 0),
    ],
)
def test_words_around_a_feeling(text: str, sign: int) -> None:
    value = valence(text)
    assert (value > 0) - (value < 0) == sign


def test_degrees_and_what_stands_before_but() -> None:
    assert valence("I'm a bit sad") > valence("I'm sad") > valence("I'm very sad")
    assert valence("Я немного рад") < valence("Я рад") < valence("Я очень рад")
    assert valence("I hate it but I love her") == pytest.approx(0.45)
    assert abs(valence("I am not happy")) < valence("I am happy")


def test_technical_talk_has_no_weak_feelings_but_strong_ones() -> None:
    assert valence("The evening was awful") < 0
    assert valence("The latency of the server is awful") == 0
    assert valence("I hate this server") < 0


@given(st.text(max_size=300))
def test_any_text_is_bounded_and_read_the_same_twice(text: str) -> None:
    assert -1 <= valence(text) <= 1
    assert valence(text) == valence(text)


@given(
    st.lists(
        st.sampled_from(["love", "not", "hate", "но", "очень", "рад", "if", "`", "\n", "?", ".", "😍"]), max_size=40
    )
)
def test_any_mix_of_its_own_words_is_bounded(words: list[str]) -> None:
    assert -1 <= valence(" ".join(words)) <= 1


def test_the_sentence_around_a_quote() -> None:
    text = "Hello there. I am so glad that we moved to Riga! See v1.2 of the plan."
    assert sentence_around(text, "moved to Riga") == "I am so glad that we moved to Riga!"
    assert sentence_around(text, "v1.2") == "See v1.2 of the plan."
    assert sentence_around(text, "not there") == "not there"
    assert sentence_around(text, "") == ""


def test_the_labelled_set() -> None:
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 120
    signs = [(row["sign"], (v > 0) - (v < 0)) for row in rows for v in [valence(row["text"])]]
    felt = [(want, got) for want, got in signs if want]
    neutral = [got for want, got in signs if not want]
    assert len(neutral) * 2 >= len(rows)
    assert sum(want == got for want, got in felt) / len(felt) >= 0.9
    assert sum(map(bool, neutral)) / len(neutral) <= 0.05
