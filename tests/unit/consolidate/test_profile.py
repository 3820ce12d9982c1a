"""Profiles by template: what they show, in which language, and when they are stale."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.consolidate.profile import (
    LABELS,
    MAX_BEFORE,
    MAX_VALUES,
    PASSING,
    PAST,
    Fact,
    Profile,
    Subject,
    inputs_hash,
    is_stale,
    load,
    make,
)
from mnemic.consolidate.slots import SLOTS

VERA = Subject("Vera", "person", ("Верa",))
FACTS = (
    Fact("f1", "Vera works at Acme", "works_at", "Acme", since=1),
    Fact("f2", "Vera likes tea", "likes", "tea", since=2),
    Fact("f3", "Vera likes chess", "likes", "chess", since=3),
    Fact("f4", "Vera's favourite colour is green", "favorite", "green", "colour", since=4),
    Fact("f5", "Vera met a bear", None, None, since=5),
    Fact("f6", "Boris is married to Vera", "married_to", "Vera", since=6, about=False),
)


def test_english() -> None:
    made = make(VERA, FACTS)
    assert made.text.splitlines() == [
        "**Vera** (also called: Верa)",
        "- Works at: Acme",
        "- Likes: chess, tea",
        "- Favourite colour: green",
        "- Also: Vera met a bear",
        "- Named in: Boris is married to Vera",
    ]
    assert made.language == "en"
    assert made.facts == ("f1", "f3", "f2", "f4", "f5", "f6")


def test_russian() -> None:
    facts = [
        Fact("a", "Вера работает в Газпроме", "works_at", "Газпром"),
        Fact("b", "Вера использует PostgreSQL", "uses", "PostgreSQL"),
        Fact("c", "Муж Веры – Олег", "family", "Олег", "муж"),
    ]
    made = make(Subject("Вера Белова", "person"), facts)
    assert made.text.splitlines() == [
        "**Вера Белова**",
        "- Место работы: Газпром",
        "- Муж: Олег",
        "- Использует: PostgreSQL",
    ]
    assert made.language == "ru"


def test_the_order_of_facts_says_nothing() -> None:
    assert make(VERA, FACTS) == make(VERA, FACTS[::-1])


@pytest.mark.parametrize(
    "changed",
    [
        FACTS[1:],
        (*FACTS, Fact("f7", "Vera has a dog", "has_pet", "dog")),
        (replace(FACTS[0], object="Initech"), *FACTS[1:]),
        (replace(FACTS[0], since=9), *FACTS[1:]),
    ],
)
def test_stale_when_an_input_changes(changed: tuple[Fact, ...]) -> None:
    made = make(VERA, FACTS)
    assert not is_stale(made, VERA, FACTS[::-1])
    assert is_stale(made, VERA, changed)


def test_stale_when_the_entity_is_renamed_or_has_none() -> None:
    assert is_stale(make(VERA, FACTS), replace(VERA, name="Vera Belova"), FACTS)
    assert is_stale(None, VERA, FACTS)


def test_it_survives_storage() -> None:
    made = make(VERA, FACTS)
    assert load(made.dump()) == made
    assert isinstance(load(made.dump()), Profile)


@pytest.mark.parametrize("broken", [None, "", "{", "[]", "{}", '{"text": 1}', "null"])
def test_what_cannot_be_read_is_none(broken: str | None) -> None:
    assert load(broken) is None


def test_long_and_many_values_are_cut() -> None:
    many = [Fact(f"f{i:02}", f"x likes {i}", "likes", f"thing {i} " + "w" * 1000, since=i) for i in range(20)]
    made = make(Subject("x", "person"), many)
    assert len(made.facts) == MAX_VALUES
    assert all(len(line) < 900 for line in made.text.splitlines())


def test_an_entity_without_facts_has_its_name() -> None:
    assert make(Subject("Acme", "organization"), []).text == "**Acme**"


def test_labels_are_of_slots() -> None:
    assert set(LABELS) <= set(SLOTS)


@given(
    st.lists(st.builds(Fact, st.text(max_size=5), st.text(), st.sampled_from([None, *LABELS]), st.text(), st.text()))
)
def test_never_raises_and_each_line_is_one(facts: list[Fact]) -> None:
    made = make(Subject("x", "person"), facts)
    assert all(line.startswith(("- ", "**")) for line in made.text.split("\n"))
    assert set(made.facts) <= {f.id for f in facts}
    assert len(inputs_hash(VERA, facts)) == 32


def test_what_is_over_stands_behind_what_holds() -> None:
    facts = [
        Fact("a", "Vera works at Acme", "works_at", "Acme", since=1, until="2026-03-01"),
        Fact("b", "Vera no longer works at Acme", "works_at", "Acme", since=2, until="2026-03-01"),
        Fact("c", "Vera works at Initech", "works_at", "Initech", since=3),
        Fact("d", "Vera likes tea", "likes", "tea", since=1, until="2025-01-01"),
        Fact("e", "Vera likes tea", "likes", "Tea", since=4),  # it holds again
        Fact("f", "Vera prefers jazz", "prefers", "jazz", "music", since=1, until="2024-05-01"),
        Fact("g", "Vera was chair of the club", None, None, since=1, until="2023-05-01"),
        Fact("h", "Vera is 33", "age", "33", since=1, until="2025-05-01"),  # of no interest
        Fact("i", "Boris is married to Vera", "married_to", "Vera", since=1, about=False, until="2020-01-01"),
        Fact("j", "Vera has a dog", "has_pet", "dog", since=1, until="2026-03-02"),
        Fact("k", "Vera has a cat", "has_pet", "cat", since=1, until="2026-02-01"),
    ]
    made = make(VERA, facts)
    assert made.text.splitlines()[1:] == [
        "- Works at: Initech",
        "- Likes: Tea",
        "- Before: had a pet: dog (until 2026-03-02), cat (until 2026-02-01)",
        "- Before: worked at Acme (until 2026-03-01)",
        "- Before: preferred (music) jazz (until 2024-05-01)",
        "- Before: Vera was chair of the club (until 2023-05-01)",
    ]
    assert made == make(VERA, facts[::-1])
    assert is_stale(made, VERA, [replace(facts[0], until=None), *facts[1:]])
    assert set(made.facts) == {"c", "e", "j", "k", "b", "f", "g"}


def test_what_is_over_in_russian() -> None:
    facts = [
        Fact("a", "Вера работает в Газпроме", "works_at", "Газпром", since=1, until="2026-03-01"),
        Fact("b", "У Веры аллергия на арахис", "allergic_to", "арахис", since=1, until="2026-02-01"),
        Fact("c", "Муж Веры – Олег", "family", "Олег", "муж", since=1, until="2025-02-01"),
    ]
    assert make(Subject("Вера", "person"), facts).text.splitlines()[1:] == [
        "- Раньше: место работы: Газпром (до 2026-03-01)",
        "- Раньше: аллергия: арахис (до 2026-02-01)",
        "- Раньше: муж: Олег (до 2025-02-01)",
    ]


def test_of_much_that_is_over_the_latest() -> None:
    facts = [
        Fact(f"f{i}", f"x {i}", p, f"thing {i}", str(i), since=i, until=f"20{10 + i}-01-01") for i, p in enumerate(PAST)
    ]
    made = make(Subject("x", "person"), facts)
    assert len(made.text.splitlines()) == 1 + MAX_BEFORE
    assert set(PAST) | PASSING <= set(LABELS)
