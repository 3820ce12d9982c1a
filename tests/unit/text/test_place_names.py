"""Places under several names: every row is one place, and no name stands for two."""

from __future__ import annotations

import pytest

from mnemic.compare.relation import same_value
from mnemic.text.analyse import terms
from mnemic.text.names import PLACES


@pytest.mark.parametrize("row", PLACES)
def test_the_names_of_a_row_are_one_place(row: str) -> None:
    first, *others = row.split("/")
    assert others
    for other in others:
        assert same_value(first.title(), other.title())


def test_no_name_stands_for_two_places() -> None:
    seen: dict[str, str] = {}
    for row in PLACES:
        for name in row.split("/"):
            assert seen.setdefault(" ".join(terms(name)), row) == row


@pytest.mark.parametrize(
    ("a", "b"), [("Paris", "Рим"), ("Germany", "Греция"), ("Vienna", "Венеция"), ("Мюнхен", "Милан")]
)
def test_two_places_are_two(a: str, b: str) -> None:
    assert not same_value(a, b)
