"""Reported cases of entities: homonyms, bare first names, one name many times, roles, merging and undoing it."""

from __future__ import annotations

import pytest
from casekit import Make
from test_knowledge import contents, facts, told

from mnemic import Memory


def people(memory: Memory) -> dict[str, int]:
    return {entity.name: entity.mentions for entity in memory.entities.list(type="person", limit=1_000)}


def test_B056_homonyms_of_different_type_stay_apart(make: Make) -> None:
    memory = make()
    told(
        memory,
        ("2026-01-01T10:00:00+00:00", "I work at Apple."),
        ("2026-01-02T10:00:00+00:00", "Apple Ivanova lives in Riga."),
    )
    known = [e for e in memory.entities.list(limit=1_000) if "apple" in e.name.casefold() and e.type != "concept"]
    assert {(e.name, e.type) for e in known} == {("Apple", "organization"), ("Apple Ivanova", "person")}
    about = {e.name: {n.id for n in facts(memory, entity=e.name)} for e in known}
    assert about["Apple"]
    assert about["Apple Ivanova"]
    assert about["Apple"].isdisjoint(about["Apple Ivanova"])


def test_B057_a_bare_name_is_not_silently_one_of_two(make: Make) -> None:
    memory = make()
    told(memory, *((f"2026-01-{i:02d}T10:00:00+00:00", "Viktor Orlov works at Acme.") for i in range(1, 29)))
    told(memory, ("2026-02-01T10:00:00+00:00", "Viktor Brak works at Globex."))
    before = {name: count for name, count in people(memory).items() if "Viktor " in name}
    assert set(before) == {"Viktor Orlov", "Viktor Brak"}
    told(memory, *((f"2026-03-{i:02d}T10:00:00+00:00", "Viktor lives in Riga.") for i in range(1, 21)))
    after = {name: count for name, count in people(memory).items() if "Viktor " in name}
    assert after == before
    found = facts(memory, "Viktor Riga")
    assert found
    assert len(found[0].attributes["subject_could_be"]) == 2


def test_B058_a_first_name_never_joins_another_person(make: Make) -> None:
    memory = make()
    told(
        memory,
        ("2026-01-01T10:00:00+00:00", "Anna Johanna von Berg works at Acme."),
        ("2026-01-02T10:00:00+00:00", "Jutta works at Globex."),
    )
    assert {"Anna Johanna von Berg", "Jutta"} <= set(people(memory))
    assert "Globex" not in contents(facts(memory, entity="Anna Johanna von Berg"))


def test_B059_one_normalised_name_is_one_entity(make: Make) -> None:
    memory = make()
    for i, name in enumerate(["DGIA", "ДГИА", "DGIA", "Dgia"]):
        told(memory, (f"2026-01-0{i + 1}T10:00:00+00:00", f"I work at {name}."))
    mine = [e for e in memory.entities.list(limit=1_000) if e.type == "organization"]
    assert len(mine) == 1, [(e.name, e.type) for e in mine]
    for i in range(15):
        told(memory, (f"2026-02-{i + 1:02d}T10:00:00+00:00", f"Config for apps.{i:02d} depends on redis."))
    names = {e.name for e in memory.entities.list(limit=1_000) if "apps." in e.name}
    assert len(names) in (0, 15), names


def test_B060_a_role_is_no_part_of_the_name(make: Make) -> None:
    memory = make()
    told(
        memory,
        ("2026-01-01T10:00:00+00:00", "Junlei lives in Riga."),
        ("2026-01-02T10:00:00+00:00", "My colleague Junlei is here."),
        ("2026-01-03T10:00:00+00:00", "Junlei works at Acme."),
    )
    assert [name for name in people(memory) if "junlei" in name.casefold()] == ["Junlei"]


@pytest.mark.parametrize(
    "forms",
    [
        ["Саша живёт в Туле.", "Я позвонил Саше вчера, Саша работает в Сбере."],
        ["Мой брат Александр живёт в Туле.", "Александр работает в Сбере."],
    ],
)
def test_russian_forms_are_one_person(make: Make, forms: list[str]) -> None:
    memory = make()
    told(memory, *((f"2026-01-0{i + 1}T10:00:00+00:00", text) for i, text in enumerate(forms)))
    assert len([name for name in people(memory) if name.startswith(("Саш", "Александр"))]) == 1


def test_B062_merge_and_undo(make: Make) -> None:
    memory = make()
    for i, text in enumerate([
        "Anna lives in NYC.", "Boris lives in NYC.", "Carl lives in NYC.", "Dana lives in NYC.", "Egor lives in NYC.",
        "Fay lives in NYC.", "Gus lives in NYC.", "Hal lives in New York City.", "Ian lives in New York City.",
        "Jan lives in New York City.", "Kim lives in New York City.",
    ]):  # fmt: skip
        told(memory, (f"2026-01-{i + 1:02d}T10:00:00+00:00", text))
    memory.observe("Anna lives in NYC.", session="x", space="other")
    memory.consolidate(space="other")
    other = [(e.name, e.mentions) for e in memory.entities.list(space="other")]

    def state() -> dict[str, tuple[int, list[str]]]:
        return {
            name: (entity.mentions, sorted(n.content for n in facts(memory, entity=name)))
            for name in ("NYC", "New York City")
            if (entity := memory.entities.get(name)) is not None
        }

    before = state()
    assert (len(before["NYC"][1]), len(before["New York City"][1])) == (7, 4)
    keep = memory.entities.get("New York City")
    gone = memory.entities.get("NYC")
    assert keep is not None
    assert gone is not None
    change = memory.entities.merge(keep.id, gone.id).change
    merged = memory.entities.get("NYC")
    assert merged is not None
    assert merged.id == keep.id
    assert len(facts(memory, entity="New York City")) == 11
    assert len(facts(memory)) == 11  # none lost, none doubled
    assert [(e.name, e.mentions) for e in memory.entities.list(space="other")] == other
    assert change is not None
    memory.review.undo(change)
    assert state() == before
