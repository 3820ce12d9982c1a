"""A statement taken apart: what is read out of it."""

from __future__ import annotations

import pytest

from mnemic.compare.statement import first_person, parse
from mnemic.lang import pack


def keys(text: str, kind: str) -> list[str]:
    return [atom.key for atom in parse(text).atoms if atom.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("PR #260 is merged", "id", ["260"]),
        ("src/auth.py needs a refactor", "id", ["src/auth.py"]),
        ("The client is on 0.4.0", "id", ["0.4.0"]),
        ("Call me on 555-0134", "id", ["555-0134"]),
        ("Set `max_connections`", "id", ["max_connections"]),
        ("Room 101 is taken", "id", ["101"]),
        ("The API is on port 8080", "number", ["8080"]),
        ("It takes two minutes", "number", ["120s"]),
        ("Бюджет 50 тысяч рублей", "number", ["50000₽"]),
        ("It weighs 3 kg", "number", ["3000g"]),
        ("twenty five percent", "number", ["25%"]),
        ("The call is at 4:30 pm", "clock", ["16:30"]),
        ("Созвон в 3 часа дня", "clock", ["15:00"]),
        ("The standup is at 10", "clock", ["10:00"]),
        ("We meet on the 7th of May", "date", ["5/7"]),
        ("Релиз 14 мая 2026 года", "date", ["5/14/2026"]),
        ("2026-05-14 is the day", "date", ["5/14/2026"]),
        ("Мы встретились во вторник", "date", ["d2"]),
        ("In 2019 we moved", "date", ["y2019"]),
    ],
)
def test_what_is_no_plain_word(text: str, kind: str, expected: list[str]) -> None:
    assert keys(text, kind) == expected


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("The office is now in Riga", "change"), ("Офис теперь в Риге", "change"), ("I no longer eat meat", "stop"),
        ("I sold my car", "end"), ("Actually the port is 8080", "correct"), ("Поправка: порт 8080", "correct"),
        ("I also work at a bakery", "add"), ("I used to live in Riga", "past"), ("Раньше я жил в Риге", "past"),
        ("I'm in Rome this week", "today"), ("Сегодня я дома", "today"),
    ],
)  # fmt: skip
def test_words_that_turn_a_statement(text: str, turn: str) -> None:
    assert turn in parse(text).turn


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("I might move to Vienna", "open"), ("If it rains, we stay", "condition"), ("I plan to move", "plan"),
        ("Хочу переехать", "wish"), ("Нужно подписать", "duty"), ("You can use tabs", "may"), ("Only Tom has a key", "only"),
        ("Все тесты прошли", "all"), ("Some tests pass", "some"), ("Kate said so", "report"),
    ],
)  # fmt: skip
def test_how_firmly_it_is_said(text: str, firm: str) -> None:
    assert firm in parse(text).firm


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The server is not running", {"server": False}), ("Сервер не работает", {"сервр": False}),
        ("I don't like tea, but I like coffee", {"tea": True, "coffe": False}), ("She speaks not only French", {"french": False}),
    ],
)  # fmt: skip
def test_what_a_negation_covers(text: str, denied: dict[str, bool]) -> None:
    found = {atom.key: atom.denied for atom in parse(text).atoms}
    assert {key: found[key] for key in denied} == denied


def test_an_agent_writes_of_the_user_what_the_user_would_say() -> None:
    assert first_person("The user's dog is Rex") == "my dog is Rex"
    assert first_person("У пользователя есть пёс") == "у меня есть пёс"
    assert first_person("The username is root") == "The username is root"


def test_a_text_is_parsed_once() -> None:
    assert parse("The CTO is Ines") is parse("The CTO is Ines")


def test_every_language_that_compares_has_the_same_classes() -> None:
    tables = {code: pack.load(code, "compare") for code in pack.languages() if pack.load(code, "compare")}
    assert {"en", "ru"} <= set(tables)
    for code in ("en", "ru"):
        assert all(tables[code][section] for section in ("turn", "firm", "who", "number", "frame", "same", "opposite"))
    assert set(tables["en"]["firm"]) == set(tables["ru"]["firm"])
    assert set(tables["en"]["turn"]) == set(tables["ru"]["turn"])
    assert all(len(t["number"]["months"]) == 12 and len(t["number"]["weekdays"]) == 7 for t in tables.values())
