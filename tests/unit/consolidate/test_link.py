"""Whom a name means: the cases B056 to B060 as they meet the pure function, and their kinds."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.consolidate import link
from mnemic.consolidate.claims import Named
from mnemic.consolidate.link import DAY, INTRODUCED, LEAST, MARGIN, SIGNALS, UNCERTAIN, Known, Resolution, Talk, resolve

NOW = 1_780_000_000_000_000
ORLOV = Known("orlov", "person", "Viktor Orlov", ("viktor orlov",), 300, NOW - DAY, frozenset({"anna", "falcon"}))
BRAK = Known("brak", "person", "Viktor Brak", ("viktor brak",), 3, NOW - 200 * DAY, frozenset({"heron", "olga"}))
BERG = Known("berg", "person", "Anna Johanna von Berg", ("anna johanna von berg",))


def find(
    name: str, *known: Known, type_: str = "person", talk: Talk | None = None, aliases: tuple[str, ...] = ()
) -> Resolution:
    return resolve(Named(name, type_, "e", aliases), known, talk)


def test_B056_homonyms_of_another_type_stay_apart() -> None:
    apple = Known("apple", "organization", "Apple", ("apple",))
    person = find("our accountant Apple Ivanova", apple)
    assert (person.verdict, person.name, person.details) == ("new", "Apple Ivanova", {"role": "accountant"})
    bare = find("Apple", apple)
    assert bare.verdict == "new"
    assert bare.candidates[0].id == "apple"
    ivanova = Known("ivanova", "person", "Apple Ivanova", ("apple ivanova",))
    assert find("Apple", apple, ivanova, type_="organization").entity == "apple"
    assert find("бухгалтер Apple Ivanova", apple, ivanova).entity == "ivanova"
    assert find("Jira", Known("p", "project", "Jira"), type_="tool").verdict == "new"


@pytest.mark.parametrize("written", ["Viktor", "viktor", "Виктор", "Виктору", "Витя"])
def test_B057_a_first_name_of_two_people_is_nobodys(written: str) -> None:
    for known in permutations((ORLOV, BRAK)):
        found = find(written, *known, talk=Talk(NOW))
        assert (found.verdict, found.entity, found.learn) == ("unresolved", None, False)
        assert {c.id for c in found.candidates} == {"orlov", "brak"}


def test_B057_nor_is_it_who_has_the_alias_or_many_mentions() -> None:
    named = Known("orlov", "person", "Viktor Orlov", ("viktor", "viktor orlov"), 300, NOW)
    assert find("Viktor", named, BRAK).verdict == "unresolved"
    assert find("Viktor", named).entity == "orlov"
    untyped = Known("0", "concept", "Viktor", ("viktor",), 20)
    assert find("Viktor", ORLOV, BRAK, untyped).verdict == "unresolved"


def test_B057_the_session_decides_with_low_confidence_and_names_the_other() -> None:
    for talk, expected in (
        (Talk(NOW, frozenset({"brak"})), "brak"),
        (Talk(NOW, frozenset({"orlov"})), "orlov"),
        (Talk(NOW, frozenset({"heron", "olga"})), "brak"),
        (Talk(NOW, frozenset({"anna", "falcon"})), "orlov"),
    ):
        found = find("Viktor", ORLOV, BRAK, talk=talk)
        assert (found.verdict, found.entity, found.confidence, found.learn) == ("same", expected, UNCERTAIN, False)
        assert [c.id for c in found.candidates] == [{"brak": "orlov", "orlov": "brak"}[expected]]
    both = Talk(NOW, frozenset({"brak", "orlov"}))
    assert find("Viktor", ORLOV, BRAK, talk=both).verdict == "unresolved"
    one = Talk(NOW, frozenset({"olga"}))
    assert find("Viktor", ORLOV, BRAK, talk=one).verdict == "unresolved"


def test_B057_a_bare_entity_keeps_its_name_but_not_for_sure() -> None:
    bare = Known("v", "person", "Viktor", ("viktor",), 20)
    found = find("Viktor", ORLOV, BRAK, bare)
    assert (found.entity, found.confidence) == ("v", UNCERTAIN)
    assert {c.id for c in found.candidates} == {"orlov", "brak"}
    assert find("Viktor", bare).confidence == 1.0


@pytest.mark.parametrize("written", ["Jutta", "Johanna", "Hanna", "Иоганна", "Anna Petrova", "Anja Berg"])
def test_B058_another_name_is_another_person(written: str) -> None:
    assert find(written, BERG).verdict == "new"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Viktor", "Viktor Orlov"), ("Витя", "Виктор Орлов"), ("Саше", "Александр Орлов"), ("Саша", "Александра Белова"),
        ("Виктору", "Viktor Orlov"), ("Anna", "Anna Johanna von Berg"), ("Орлову", "Виктор Орлов"),
        ("Виктора Брака", "Виктор Брак"), ("Виктор Петрович", "Виктор Петрович Орлов"), ("Junlei", "Junlei Wu"),
        ("В. Орлов", "Виктор Орлов"), ("Sasha", "Саша Орлов"), ("Орловой", "Анна Орлова"),
    ],
)  # fmt: skip
def test_part_of_a_name_is_the_only_person_of_it(written: str, name: str) -> None:
    found = find(written, Known("x", "person", name), BERG if "Anna" not in name else BRAK)
    assert (found.verdict, found.entity) == ("same", "x")
    assert LEAST <= found.confidence < 1
    if " " not in written:
        assert not found.learn


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Саша", ("Александр Орлов", "Александра Белова")),
        ("Орлов", ("Виктор Орлов", "Павел Орлов")),
        ("Виктор Орлов", ("Виктор Петрович Орлов", "Виктор Иванович Орлов")),
        ("Sam", ("Sam Brown", "Sam Green")),
    ],
)
def test_several_that_fit_are_unresolved(written: str, names: tuple[str, str]) -> None:
    found = find(written, *(Known(n, "person", n) for n in names))
    assert found.verdict == "unresolved"
    assert sorted(c.name for c in found.candidates) == sorted(names)


@pytest.mark.parametrize(
    ("written", "names", "expected"),
    [
        ("Александре", ("Александр Орлов", "Александра Белова"), None),
        ("Александрой", ("Александр Орлов", "Александра Белова"), "Александра Белова"),
        ("Саше Орлову", ("Александр Орлов", "Александра Орлова"), "Александр Орлов"),
        ("Орлова", ("Виктор Орлов", "Анна Орлова"), "Анна Орлова"),
        ("Mike", ("Mike Brown", "Michael Green"), "Mike Brown"),
        ("Виктор Орлов", ("Виктор Орлов", "Виктор Петрович Орлов"), "Виктор Орлов"),
    ],
)
def test_case_and_gender_choose(written: str, names: tuple[str, ...], expected: str | None) -> None:
    assert find(written, *(Known(n, "person", n) for n in names)).entity == expected


def test_english_short_names_are_weaker() -> None:
    brown = Known("x", "person", "Michael Brown")
    assert find("Mike Brown", brown).entity == "x"
    found = find("Mike", brown)
    assert (found.verdict, found.candidates[0].id) == ("new", "x")
    assert find("Mike", brown, talk=Talk(NOW, frozenset({"x"}))).confidence == UNCERTAIN


def test_B059_the_same_name_is_the_same_entity_in_every_run() -> None:
    known: list[Known] = []
    for run in range(4):
        for written in ("ДГИА", "DGIA", "«дгиа»"):
            found = find(written, *known, type_="organization")
            if found.entity is None:
                known.append(Known(f"e{run}", "organization", written, (written.casefold(),)))
    assert len(known) == 1


@pytest.mark.parametrize(
    "pattern", ["Config for apps.{:02}", "ticket OC-{}", "Конфиг для apps.{}", "build {}", "10.0.0.{}", "Release 1.{}"]
)
def test_B059_names_that_differ_in_a_number_stay_apart(pattern: str) -> None:
    known: list[Known] = []
    for _ in range(2):
        for i in range(15):
            name = pattern.format(i)
            found = find(name, *known, type_="concept")
            if found.entity is None:
                known.append(Known(f"e{len(known)}", "concept", name, (name.casefold(),)))
            else:
                assert found.confidence == 1.0
    assert len(known) == 15


@pytest.mark.parametrize(
    ("written", "details"),
    [
        ("Junlei, tech lead", {"role": "tech lead"}), ("Junlei from core team", {"from": "core team"}), ("Junlei", {}),
        ("Junlei (core team)", {"role": "core team"}), ("tech lead Junlei", {"role": "tech lead"}), ("JUNLEI", {}),
    ],
)  # fmt: skip
def test_B060_a_role_is_a_detail_and_no_part_of_the_name(written: str, details: dict[str, str]) -> None:
    found = find(written, Known("j", "person", "Junlei", ("junlei",)))
    assert (found.entity, found.details) == ("j", details)
    first = find(written)
    assert (first.verdict, first.name.casefold(), first.details) == ("new", "junlei", details)


def test_a_full_name_is_who_was_just_introduced_but_not_an_old_bare_name() -> None:
    anna = Known("a", "person", "Anna", ("anna",), INTRODUCED)
    talk = Talk(NOW, frozenset({"a"}))
    assert find("Anna Petrova", anna, talk=talk).entity == "a"
    apart = find("Anna Petrova", anna)
    assert (apart.verdict, apart.candidates[0].id) == ("new", "a")
    often = Known("a", "person", "Anna", ("anna",), 20)
    assert find("Anna Petrova", often, talk=talk).verdict == "new"


def test_an_untyped_entity_takes_the_type_and_is_absorbed() -> None:
    concept = Known("c", "concept", "DGIA", ("dgia",))
    found = find("DGIA", concept, type_="organization")
    assert (found.entity, found.type) == ("c", "organization")
    beside = find("DGIA", concept, Known("o", "organization", "ДГИА", ("дгиа",)), type_="organization")
    assert (beside.entity, beside.absorb) == ("o", ("c",))
    assert find("Anna Belova", Known("p", "person", "Anna Belova"), type_="concept").type == "person"


def test_names_that_the_text_calls_the_same() -> None:
    city = Known("n", "place", "New York City", ("new york city",))
    alone = find("NYC", city, type_="place")
    assert (alone.verdict, alone.candidates[0].id) == ("new", "n")
    assert find("NYC", city, type_="place", aliases=("New York City",)).entity == "n"


@pytest.mark.parametrize(
    ("written", "name"), [("Москве", "Москва"), ("Газпромом", "Газпром"), ("Нижнем Новгороде", "Нижний Новгород")]
)
def test_things_in_another_case(written: str, name: str) -> None:
    assert find(written, Known("x", "place", name), type_="place").entity == "x"


@pytest.mark.parametrize(
    ("written", "name"), [("Moscow", "Москва"), ("Postgres", "PostgreSQL"), ("Java", "JavaScript")]
)
def test_likeness_of_meaning_or_of_letters_joins_nothing(written: str, name: str) -> None:
    assert find(written, Known("x", "tool", name), type_="tool").verdict == "new"


def test_no_signal_decides_by_being_recent_alone() -> None:
    assert SIGNALS["recent"].weight < MARGIN
    assert SIGNALS["company"].weight < MARGIN <= 2 * SIGNALS["company"].weight
    assert all(signal.reason for signal in SIGNALS.values())


def test_an_empty_name_is_nobody() -> None:
    assert find(" «» ").verdict == "new"
    assert not find("").learn


NAMES = st.sampled_from(
    ["Viktor", "Viktor Orlov", "Саша", "Саше Орлову", "Apple", "DGIA", "ДГИА", "apps.1", "", "—", "Mike"]
)


@given(
    st.text(max_size=60) | NAMES, st.lists(st.tuples(NAMES, st.sampled_from(["person", "concept", "tool"])), max_size=6)
)
def test_an_answer_is_whole_and_does_not_depend_on_the_order(name: str, given_: list[tuple[str, str]]) -> None:
    known = [Known(str(i), type_, n, (n.casefold(),)) for i, (n, type_) in enumerate(given_)]
    found = find(name, *known)
    assert found == find(name, *known[::-1])
    assert (found.entity is not None) == (found.verdict == "same")
    assert found.entity not in {c.id for c in found.candidates}
    assert 0 <= found.confidence <= 1
    assert found.reason


def test_what_is_known_of_ten_thousand_people_is_not_worked_out_again() -> None:
    known = [
        Known(str(i), "person", f"Person{i % 100}x Family{i}y", (f"person{i % 100}x family{i}y",))
        for i in range(10_000)
    ]
    find("Viktor Orlov", *known)
    before = link._keys.cache_info().misses
    find("Viktor Brak", *known)
    assert link._keys.cache_info().misses - before <= 1  # of the name that is asked for
