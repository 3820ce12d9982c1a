"""Forms of names: every row of the tables by its example, and what must never be joined."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.name_forms import (
    Pattern,
    canonical_forms,
    decline,
    english_names,
    folded,
    gender_of,
    given_names,
    name_keys,
    parted,
    patterns,
    skeleton,
)  # fmt: skip
from mnemic.text.name_likeness import noun_endings, same_name, weights

#: Written → name and details.
EXAMPLES: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("Junlei, tech lead", "Junlei", {"role": "tech lead"}),
    ("Junlei from core team", "Junlei", {"from": "core team"}),
    ("Junlei (tech lead)", "Junlei", {"role": "tech lead"}),
    ("Junlei — Tech Lead, from core team", "Junlei", {"role": "Tech Lead", "from": "core team"}),
    ("junlei - lead", "junlei", {"role": "lead"}),
    ("Junlei", "Junlei", {}),
    ("tech lead Junlei", "Junlei", {"role": "tech lead"}),
    ("Tech Lead Junlei Wu", "Junlei Wu", {"role": "Tech Lead"}),
    ("our accountant Apple Ivanova", "Apple Ivanova", {"role": "accountant"}),
    ("наш бухгалтер Apple Ivanova", "Apple Ivanova", {"role": "бухгалтер"}),
    ("Анна из Казани", "Анна", {"from": "Казани"}),
    ("Анна Белова, директор", "Анна Белова", {"role": "директор"}),
    ("Dr. Smith", "Smith", {"title": "Dr."}),
    ("профессору Иванову", "Иванову", {"title": "профессору"}),
    ("Anna at Acme", "Anna", {"at": "Acme"}),
    ("King, Martin", "Martin King", {}),
    ("Орлов, Виктор", "Виктор Орлов", {}),
    ("John Smith, Jr.", "John Smith Jr.", {}),
    ("De la Cruz, Maria", "Maria De la Cruz", {}),
    ("Anna, Boris", "Anna", {}),
    ("from Berlin", "from Berlin", {}),
    ("Mr. and Mrs. Smith", "Mr. and Mrs. Smith", {}),
    ("Olga, my sister", "Olga", {"role": "my sister"}),
    ("коллега Пётр из отдела продаж", "Пётр", {"role": "коллега", "from": "отдела продаж"}),
    ("von Berg", "von Berg", {}),
    ("Anna-Maria", "Anna-Maria", {}),
    ("Joan of Arc", "Joan of Arc", {}),
    ("Doctor", "Doctor", {}),
    ("the boss", "the boss", {}),
)

GIVEN = given_names()
#: Names of things, not of persons, in the examples of the weights.
THINGS = {"spacing", "initials", "generic"}


def test_there_are_enough_names() -> None:
    assert len(GIVEN) >= 80
    assert len({full for fulls in english_names().values() for full in fulls}) >= 80
    assert all(name.shorts for name in GIVEN)
    assert len({(name.name, name.gender) for name in GIVEN}) == len(GIVEN)


@pytest.mark.parametrize("name", GIVEN, ids=lambda name: name.name)
def test_every_form_of_every_name_leads_back_to_it(name: object) -> None:
    assert name in GIVEN
    given = GIVEN[GIVEN.index(name)]  # type: ignore[arg-type]
    for word in (given.name, *given.variants, *given.shorts):
        for form in decline(word, given.gender):
            assert given.name in canonical_forms(form), form
            assert same_name(form, given.name).score >= 0.3, form


@pytest.mark.parametrize("pattern", patterns("given"), ids=lambda p: p.example)
def test_given_names_decline_as_the_example_says(pattern: Pattern) -> None:
    word, *forms = pattern.example.split()
    wanted = {form for cell in forms for form in cell.split("/")} | {word}
    assert set(decline(word, pattern.genders[0], address=len(forms) == 6)) == wanted


@pytest.mark.parametrize("pattern", patterns("surname"), ids=lambda p: p.example)
def test_surnames_and_patronymics_are_read_in_every_case(pattern: Pattern) -> None:
    word, *forms = pattern.example.split()
    for form in [word, *(form for cell in forms for form in cell.split("/"))]:
        assert word in canonical_forms(form), form


@pytest.mark.parametrize("pattern", patterns("plain"), ids=lambda p: p.example)
def test_other_surnames_are_read_beside_a_given_name(pattern: Pattern) -> None:
    word, *forms = pattern.example.split()
    first = decline("виктор", "m") if "m" in pattern.genders else decline("анна", "f")
    by_case = {case: form for form, cases in first.items() for case in cases}
    for case, cell in zip("gdaip", forms, strict=True):
        for form in cell.split("/"):
            full = f"{'виктор' if 'm' in pattern.genders else 'анна'} {word}"
            assert full in canonical_forms(f"{by_case[case]} {form}"), (case, form)
            assert canonical_forms(form) == (form,), "alone it does not decline"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Саше", ("александр", "александра")),
        ("Саши", ("александр", "александра")),
        ("Саша", ("александр", "александра")),
        ("Саш", ("александр", "александра")),
        ("Александру", ("александр", "александра")),
        ("Александром", ("александр",)),
        ("Александрой", ("александра",)),
        ("Александр", ("александр",)),
        ("Иванову", ("иванов", "иванова")),
        ("Ивановой", ("иванова",)),
        ("Орловым", ("орлов",)),
        ("Петровичу", ("петрович",)),
        ("Саше Орлову", ("александр орлов",)),
        ("Саше Орловой", ("александра орлова",)),
        ("Орлов Виктор", ("виктор орлов",)),
        ("Виктору Петровичу Орлову", ("виктор петрович орлов",)),
        ("Анне Брак", ("анна брак",)),
        ("Тарасу Шевченко", ("тарас шевченко",)),
        ("Салтыкову-Щедрину Михаилу", ("михаил салтыков-щедрин",)),
        ("Льва Яшина", ("лев яшин",)),
        ("Алёна", ("елена",)),
        ("Гёте", ("гете",)),
        ("Junlei", ("junlei",)),
        ("王小明", ("王小明",)),
        ("", ()),
        ("  «»  ", ()),
    ],
)  # fmt: skip
def test_canonical_forms(written: str, expected: tuple[str, ...]) -> None:
    assert canonical_forms(written) == expected


@pytest.mark.parametrize(
    ("name", "gender"), [("Анне", "f"), ("Саша", ""), ("Саше Орлову", "m"), ("Белову", ""), ("Anna", ""), ("", "")]
)
def test_gender_is_kept_where_known(name: str, gender: str) -> None:
    assert gender_of(name) == gender


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ви\u0301ктор", "виктор"), ("ＡＣＭＥ", "acme"), ("Łukasz ŻAK", "lukasz zak"), ("«Ромашка»", "ромашка"),
        ("Café Москва", "cafe москва"), ("مُحَمَّد", "محمد"), ("ΝΙΚΟΣ", "νικος"), ("İstanbul", "istanbul"),
        ("Anna’s", "anna"), ("O’Brien", "o'brien"), ("Артём", "артем"), ("C++", "c++"), (" a\t b ", "a b"),
    ],
)  # fmt: skip
def test_folding(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize("kind", weights())
def test_every_weight_by_its_example(kind: str) -> None:
    weight = weights()[kind]
    found = same_name(weight.one, weight.other, person=kind not in THINGS)
    assert weight.reason in found.reason
    assert kind in found.kinds
    if kind != "several":  # always together with another likeness
        assert found.kinds == (kind,)
        assert found.score == weight.score


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("Саша", "Александра", 0.7),
        ("Саше", "Саша", 0.9),
        ("Mike", "Michael", 0.6),
        ("Bob", "Robert", 0.6),
        ("Bob Smith", "Robert Smith", 0.6),
        ("Виктор Орлов", "Viktor Orlov", 0.9),
        ("Юрий Соловьёв", "Yuri Solovyov", 0.9),
        ("Евгений Щукин", "Yevgeny Shchukin", 0.9),
        ("Ксения Хан", "Xenia Khan", 0.9),
        ("Джону", "Джон", 0.6),
        ("Джону Смиту", "Джон Смит", 0.6),
        ("Anna Berg", "Anna Johanna von Berg", 0.8),
        ("von Berg", "Anna Johanna von Berg", 0.6),
        ("В. П. Орлов", "Виктор Петрович Орлов", 0.4),
    ],
)  # fmt: skip
def test_persons_that_may_be_one(one: str, other: str, least: float) -> None:
    assert same_name(one, other).score >= least
    assert same_name(one, other) == same_name(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jutta", "Anna Johanna von Berg"),
        ("Johanna", "Anna Johanna von Berg"),
        ("Анна Белова", "Анна Петрова"),
        ("Анна", "Инна"),
        ("Анна Белова", "Виктор Белов"),
        ("Маша", "Миша"),
        ("Павел", "Павлов"),
        ("Viktor Orlov", "Viktor Brak"),
        ("Orlov-1", "Orlov-2"),
        ("Москва", "Moscow"),
        ("V", "Viktor Orlov"),
        ("V", "Viktor"),
        ("王", "王小明"),
        ("", "Anna"),
        ("a" * 200, "a" * 201),
    ],
)
def test_persons_that_are_not(one: str, other: str) -> None:
    assert same_name(one, other).score == 0
    assert same_name(other, one).score == 0


@pytest.mark.parametrize(
    ("one", "other"), [("Александра Орлова", "Александр Орлов"), ("Валентина", "Валентин"), ("Иванова", "Иванов")]
)
def test_a_woman_is_hardly_the_man_of_whose_name_hers_is_a_form(one: str, other: str) -> None:
    assert same_name(one, other).score <= 0.4


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("ДГИА", "DGIA", 0.9), ("Москва", "Москве", 0.95), ("Газпром", "Газпромом", 0.95), ("Ростов", "Ростову", 0.95),
        ("Нижний Новгород", "Нижнем Новгороде", 0.95), ("Липецк", "Липецка", 0.7), ("OpenAI", "Open AI", 0.9),
        ("Москва", "Moscow", 0.0), ("Config for apps.12", "Config for apps.13", 0.0), ("v1.2", "v12", 0.0),
        ("ticket 41", "ticket 14", 0.0), ("Пушкин", "Пушкино", 0.0), ("C", "C++", 0.0), ("ИТ", "IT", 0.0),
        ("Postgres", "PostgreSQL", 0.0), ("Falcon", "Heron", 0.0), ("Java", "JavaScript", 0.0), ("Рига", "Рим", 0.0),
    ],
)  # fmt: skip
def test_things(one: str, other: str, score: float) -> None:
    assert same_name(one, other, person=False).score == score
    assert same_name(other, one, person=False).score == score


def test_noun_endings_are_told_apart() -> None:
    assert len(set(noun_endings())) == len(noun_endings())


def test_where_names_are_alike_they_have_a_key_in_common() -> None:
    names = [w for weight in weights().values() for w in (weight.one, weight.other)]
    names += ["Саша Орлов", "Sasha Orlov", "Bob", "Rob Smith", "В. Орлов", "V. Orlov", "Москва", "Москве", "New York"]
    for one, other in combinations(names, 2):
        for person in (True, False):
            if same_name(one, other, person=person).score:
                assert name_keys(one) & name_keys(other), (one, other)


@pytest.mark.parametrize(("written", "name", "details"), EXAMPLES)
def test_names_without_what_is_said_beside_them(written: str, name: str, details: dict[str, str]) -> None:
    assert (parted(written).name, dict(parted(written).details)) == (name, details)


@given(st.text(max_size=150), st.text(max_size=150))
def test_nothing_raises_and_scores_are_in_bounds(one: str, other: str) -> None:
    for person in (True, False):
        found = same_name(one, other, person=person)
        assert 0 <= found.score <= 1
        assert found == same_name(other, one, person=person)
    assert isinstance(parted(one).name, str)
    assert folded(folded(one)) == folded(one)


@given(
    st.lists(
        st.sampled_from(
            ["Саше", "Орлову", "Виктора", "Брака", "анна-мария", "Валентина", "von", ".", "-", "В.", "Ж", ",", "("]
        ),
        max_size=9,
    )
)
def test_nothing_raises_on_what_looks_like_names(words: list[str]) -> None:
    name = " ".join(words)
    assert len(canonical_forms(name)) <= 200
    assert same_name(name, "Валентина Брака").score <= 1
    assert parted(name).name or not name.strip()


@pytest.mark.parametrize(
    "text",
    ["а-" * 50_000, "Саше " * 20_000, "." * 100_000, ", " * 50_000, "С" * 100_000, "Саше-" * 24, "\0\ud800" * 50_000],
    ids=lambda text: text[:6].encode("utf-8", "replace").decode(),
)
def test_long_and_hostile_names(text: str) -> None:
    """They are bounded; what they cost is measured by ``bench/hostile.py``."""
    assert len(canonical_forms(text)) <= 200
    assert len(name_keys(text)) <= 1_000
    assert len(parted(text).name) <= len(text)
    assert len(skeleton(text[:100])) <= 200
    assert 0 <= same_name(text, text + "x").score <= 1
    assert same_name(text, "Саша Орлов", person=False).score < 1
