"""Wording that says a thing holds beside another: every row of the tables, and what only looks like one."""

from __future__ import annotations

import re

import pytest

from mnemic.text.additions import ADDITION, TIMES, aside, one_more, recurring
from mnemic.text.wording import find, split_words


@pytest.mark.parametrize("row", ADDITION, ids=lambda row: row.words)
def test_every_phrase_of_addition_is_found_in_its_example(row: object) -> None:
    example = row.example  # type: ignore[attr-defined]
    assert find(split_words(example), ADDITION)
    assert one_more(example)
    assert aside(example)


@pytest.mark.parametrize(("pattern", "example"), TIMES)
def test_every_pattern_of_times_is_found_in_its_example(pattern: str, example: str) -> None:
    found = re.search(rf"\b{pattern}\b", example.lower().replace("ё", "е"))
    assert found
    assert aside(example) == found[0]
    assert not one_more(example)


@pytest.mark.parametrize("text", ["I also work at Globex", "Ещё я работаю в школе", "User works at Globex (also)", "Живу в Риге и ещё в Казани"])  # fmt: skip
def test_also_says_one_more(text: str) -> None:
    assert one_more(text)


@pytest.mark.parametrize(
    "text",
    [
        "Also, I work at Globex now", "I work at Globex", "On Monday I moved to Riga", "Since Friday I work at Globex",
        "Я ещё работаю в Яндексе", "В понедельник я переехал в Ригу", "Boris, also known as Bob, works at Acme", "",
    ],
)  # fmt: skip
def test_what_only_goes_on_telling_says_nothing_of_the_kind(text: str) -> None:
    assert not aside(text)
    assert not one_more(text)


def test_days_and_seasons_are_named_in_both_languages() -> None:
    assert recurring("on Mondays and in the evening")
    assert recurring("по понедельникам и вечером")
    assert not recurring("I work at Acme")
