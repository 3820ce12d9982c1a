"""Remarks in passing against known preferences."""

from __future__ import annotations

import pytest

from mnemic.consolidate import everyday
from mnemic.consolidate.claims import Claim
from mnemic.consolidate.preferences import read
from mnemic.text.wording import Phrase, find, split_words

TABLES = ("DISMISS", "PRAISE", "INDIFFERENT", "AFTERTHOUGHT", "TURNED", "LASTING", "CONCESSION")
ROWS = [row for name in TABLES for row in getattr(everyday, name)]


def known(*values: tuple[str, str]) -> list[Claim]:
    """Preferences of one user: (scope, value)."""
    return [Claim(value, f"{scope}: {value}", "user", "prefers", value, scope) for scope, value in values]


KNOWN = known(
    ("restaurant: cuisine", "Italian"),
    ("restaurant: price range", "cheap"),
    ("music: genre", "jazz"),
    ("radio: favourite station", "EchoWave FM"),
    ("parking: preference for covered parking", "yes"),
    ("parking: need for security", "indifferent"),
    ("routing: avoidance of road types", "toll roads"),
    ("car: seat heating", "high"),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_every_row_matches_its_example(row: Phrase) -> None:
    assert find(split_words(row.example), (row,))


def test_concepts_are_named_where_they_oppose() -> None:
    assert {name for row in everyday.OPPOSED for name in row} <= everyday.CONCEPTS.keys()
    assert set(everyday.IMPLIED) | set(everyday.IMPLIED.values()) <= everyday.CONCEPTS.keys()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm in the mood for pasta, is there a good Italian place?", "Italian"),
        ("Something affordable to eat, please", "cheap"),
        ("Put on EchoWave FM", "EchoWave FM"),
        ("I can't get enough of jazz", "jazz"),
        ("Включи джаз", "jazz"),
        ("Find parking with a roof", "yes"),
        ("Avoid toll roads on the way", "toll roads"),
    ],
)
def test_what_repeats_a_preference_is_kept_as_one(text: str, value: str) -> None:
    reading = read(text, [*KNOWN, *known(("музыка: жанр", "джаз"))] if value == "jazz" and "джаз" in text else KNOWN)
    assert [d.verdict for d in reading.decisions] == ["duplicate"]
    assert reading.decisions[0].target == (value if "джаз" not in text else "джаз")
    assert not reading.asserts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I think I'm over Italian food, let's skip it", "Italian"),
        ("Anything but jazz, please", "jazz"),
        ("I've had enough of jazz. Let's turn that off", "jazz"),
        ("I don't want EchoWave FM anymore, can we avoid that?", "EchoWave FM"),
        ("Rock instead of jazz", "jazz"),
        ("Jazz just isn't for me", "jazz"),
        ("Parking doesn't need a roof any more, it doesn't matter if it is covered", "yes"),
        ("I've changed my mind about toll roads, include them", "toll roads"),
        ("Set the seat heating to low", "high"),
        ("Find a fancy restaurant, something upscale", "cheap"),
    ],
)
def test_what_takes_a_preference_back_ends_that_one_only(text: str, value: str) -> None:
    reading = read(text, KNOWN, at=9)
    assert [(d.verdict, d.target, d.ends, d.at) for d in reading.decisions] == [("supersedes", value, "old", 9)]


@pytest.mark.parametrize("text", ["Хватит джаза", "Я разлюбил джаз", "Надоел джаз, выключи его", "Всё, кроме джаза"])
def test_russian_takes_back_too(text: str) -> None:
    reading = read(text, known(("музыка: жанр", "джаз"), ("еда: кухня", "итальянская")))
    assert [(d.verdict, d.target) for d in reading.decisions] == [("supersedes", "джаз")]


@pytest.mark.parametrize(
    "text", ["Play some reggae", "Find a sushi bar", "What a lovely day", "Remind me to call Anna", "", "не " * 50_000]
)
def test_what_speaks_of_none_ends_none(text: str) -> None:
    assert not [d for d in read(text, KNOWN).decisions if d.verdict == "supersedes"]


def test_something_new_is_asserted() -> None:
    reading = read("Play some reggae from now on", KNOWN)
    assert not reading.decisions
    assert "reggae" in reading.asserts


def test_asking_once_does_not_end_indifference() -> None:
    assert not read("Find a parking spot with security", KNOWN).decisions
    (found,) = read("Always find me a parking spot with security", KNOWN).decisions
    assert (found.verdict, found.target) == ("supersedes", "indifferent")


def test_ended_and_hidden_preferences_are_not_read() -> None:
    over = [Claim("x", "jazz", "user", "prefers", "jazz", "music: genre", valid_until=5)]
    assert not read("No more jazz", over).decisions


def test_meaning_decides_between_preferences_named_alike() -> None:
    both = known(("charging while traveling", "dc"), ("charging at work", "dc "))
    near = {both[0].content: 0.2, both[1].content: 0.9}
    reading = read("No dc charging", both, near=lambda _, content: near[content])
    assert [d.target for d in reading.decisions] == ["dc "]
