"""A profile and what is known of an entity say what holds; what is over stands under "before", with the day of its end."""

from __future__ import annotations

import pytest
from casekit import Make
from test_knowledge import told

from mnemic import Memory
from mnemic.store import entities
from mnemic.tools import Tools

FIRST, SECOND, DAY = "2026-01-10T10:00:00+00:00", "2026-03-01T10:00:00+00:00", "2026-03-01"

#: What held, how it ended, what the profile says then, what it says no more.
OVER = [
    ("I'm allergic to peanuts.", "I'm no longer allergic to peanuts.", "was allergic to peanuts", "Allergic to"),
    ("I work at Alpha.", "I don't work at Alpha any more.", "worked at Alpha", "Works at"),
    ("I have a dog named Rex.", "My dog Rex died.", "Rex (until", "Has a pet"),
    ("I like jazz.", "I no longer like jazz.", "liked jazz", "Likes"),
    ("У меня аллергия на арахис.", "У меня больше нет аллергии на арахис.", "аллергия: арахис", "- Аллергия"),
    ("Я работаю в Газпроме.", "Я больше не работаю в Газпроме.", "место работы: Газпром", "- Место работы"),
    ("У меня есть собака Рекс.", "Моя собака Рекс умерла.", "Рекс (до", "- Питомец"),
]


def profile(memory: Memory, name: str = "user") -> str:
    found = memory.entities.get(name)
    assert found
    return found.profile or ""


@pytest.mark.parametrize(("before", "end", "says", "holds"), OVER, ids=[o[1] for o in OVER])
@pytest.mark.parametrize("known", [True, False], ids=["known", "never heard of"])
def test_what_has_ended_is_told_as_such(make: Make, before: str, end: str, says: str, holds: str, known: bool) -> None:
    memory = make()
    told(memory, *([(FIRST, before)] if known else []), (SECOND, end))
    lines = profile(memory).splitlines()[1:]
    (line,) = [line for line in lines if says in line]
    assert line.startswith(("- Before: ", "- Раньше: "))
    assert f" {DAY})" in line
    assert not any(holds in line for line in lines)
    block = memory.context("tell me about the user, расскажи про user", budget=4_000)
    assert block is None or f"\n- {holds}" not in block.text
    info = Tools(memory).get_entity_info("user")
    assert not [item for item in info.facts if item.object and item.object in line]
    assert [item for item in info.before if item.object and item.object in line]
    assert {item.status for item in info.before} == {"ended"}
    assert {(item.until or "")[:10] for item in info.before} <= {DAY}


AGAIN = [
    ("I work at Alpha.", "I work at Beta now.", "- Works at: Beta", f"- Before: worked at Alpha (until {DAY})"),
    ("I live in Berlin.", "I've moved to Lisbon.", "- Lives in: Lisbon", f"- Before: lived in Berlin (until {DAY})"),
    ("Я живу в Казани.", "Я переехал в Самару.", "- Место жительства: Самара", f"(до {DAY})"),
]


@pytest.mark.parametrize(("before", "after", "holds", "over"), AGAIN)
def test_what_was_replaced_stands_before(make: Make, before: str, after: str, holds: str, over: str) -> None:
    memory = make()
    told(memory, (FIRST, before), (SECOND, after))
    lines = profile(memory).splitlines()
    assert holds in lines
    assert [line for line in lines if line.endswith(over)]


@pytest.mark.parametrize("text", ["The user lives in Rome.", "The user lives in Oslo.", "Пользователь живёт в Риме."])
def test_what_was_never_true_is_not_told(make: Make, text: str) -> None:
    memory = make()
    told(memory, (FIRST, "I live in Berlin."))
    memory.correct(memory.timeline(kinds=["semantic"])[0].id, text)
    assert "Berlin" not in profile(memory)


def test_it_holds_again(make: Make) -> None:
    memory = make()
    told(memory, (FIRST, "I work at Alpha."), (SECOND, "I don't work at Alpha any more."))
    told(memory, ("2026-04-01T10:00:00+00:00", "I work at Alpha again."))
    assert profile(memory).splitlines()[1:] == ["- Works at: Alpha"]


def test_a_forgotten_past_is_not_told_either(make: Make) -> None:
    memory = make()
    told(memory, (FIRST, "I work at Alpha."), (SECOND, "I work at Beta now."))
    (old,) = [n for n in memory.timeline(kinds=["semantic"], include_superseded=True) if n.object == "Alpha"]
    memory.forget(old.id)
    assert "Alpha" not in profile(memory)
    assert not Tools(memory).get_entity_info("user").before


NAMES = [
    (["Моя сестра Мария живёт в Омске.", "Вчера я видел Марию."], ["Марии", "Марией", "марию", "Мария"], "Мария"),
    (
        ["Я работаю в «Альбатросе».", "Для Альбатроса выбрали SQLite."],
        ["Альбатроса", "Альбатросу"],
        "Альбатрос",
    ),
    (["Павел Орлов живёт в Твери."], ["Павла Орлова", "Павлу Орлову", "павел орлов"], "Павел Орлов"),
    (["My sister Anna works at Acme."], ["Anna", "ANNA", "Anna's"], "Anna"),
]


@pytest.mark.parametrize(("said", "asked", "name"), NAMES, ids=[n[2] for n in NAMES])
def test_a_name_is_found_in_any_case(make: Make, said: list[str], asked: list[str], name: str) -> None:
    memory = make()
    told(memory, *((FIRST, text) for text in said))
    memory.flush()
    plain = memory.entities.get(name)
    assert plain
    assert plain.type != "concept"
    for form in asked:
        assert memory.entities.get(form) == plain
        assert Tools(memory).get_entity_info(form) == Tools(memory).get_entity_info(name)


@pytest.mark.parametrize("form", ["Вали", "Вале", "вали"])
def test_where_two_fit_neither_is_meant(make: Make, form: str) -> None:
    memory = make()
    for name, type_ in (("Валя", "person"), ("Валь", "place")):
        memory._store.run(lambda tx, name=name, type_=type_: entities.create(tx, "default", name, type_))
    assert memory.entities.get(form) is None
    found = memory.entities.get("Валя")
    assert found
    assert found.name == "Валя"


@pytest.mark.parametrize("form", ["Мариан", "Марк", "Annas", "", "…", "Мариям Белова"])
def test_other_names_are_other_names(make: Make, form: str) -> None:
    memory = make()
    told(memory, (FIRST, "Моя сестра Мария живёт в Омске."), (SECOND, "My sister Anna works at Acme."))
    assert memory.entities.get(form) is None
