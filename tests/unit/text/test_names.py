"""Names by rule, and the form under which they are looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.names import MAX_NAMES, alias, mentioned, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Anna Petrova and Łukasz Żak in Riga", ["Anna Petrova", "Łukasz Żak", "Riga"]),
        ("Вчера Анна Петрова звонила Олегу", ["Анна Петрова", "Олегу"]),
        ("Yesterday Anna came. Then Boris left.", ["Anna", "Boris"]),
        ("The cat sat. Dogs bark.", []),
        ("call getUserName on the iPhone", []),
        ("NASA and IBM", ["NASA", "IBM"]),
        ("with O'Brien's dog", ["O'Brien"]),
        ("on Monday in March", []),
        ("в Понедельник с Ольгой", ["Ольгой"]),
        ("Meet me\nAnna", []),
        ("anna ANNA Anna Anna", ["ANNA Anna Anna"]),
        ("", []),
    ],
)
def test_examples(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Анна Белова", "АННА  БЕЛОВА"),
        ("Zoë", "ZOE"),
        ("Anna's", "anna"),
        ("Anna’s", "anna"),
        ("Пётр", "петр"),
        ("a\tb", "A b"),
    ],
)
def test_aliases_that_are_equal(one: str, other: str) -> None:
    assert alias(one) == alias(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna Belova", "Anna Petrova"), ("Anna", "Ann"), ("Белов", "Белова"), ("apps.01", "apps.02"), ("й", "и")],
)
def test_aliases_that_are_not(one: str, other: str) -> None:
    assert alias(one) != alias(other)


@given(st.text(alphabet=st.characters(), max_size=300))
def test_never_raises_and_is_bounded(text: str) -> None:
    found = names(text)
    assert len(found) <= MAX_NAMES
    assert len({alias(n) for n in found}) == len(found)
    alias(text).encode()
    assert alias(alias(text)) == alias(text) or alias(text).endswith("'s")


def test_mentioned_by_whole_words_and_their_forms() -> None:
    known = {alias(n): n for n in ("Анна", "Anna Petrova", "Riga", "队列")}
    assert mentioned("что сказали Анне?", known) == ["Анна"]
    assert mentioned("where does Anna live", known) == []
    assert mentioned("did Anna Petrova visit Riga", known) == ["Anna Petrova", "Riga"]
    assert mentioned("队列端口错配", known) == ["队列"]


@pytest.mark.parametrize("part", ["Abc. ", "A'", "The ", "A", "Ab ", "Abc" + " " * 50, "Ab\n"])
def test_long_texts_give_a_few_names(part: str) -> None:
    """However many there are; what they cost is measured by ``bench/hostile.py``."""
    assert len(names((part * 300_000)[:300_000])) <= MAX_NAMES
