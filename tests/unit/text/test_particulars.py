"""Small things that part statements of the same words, and what may differ without parting them."""

from __future__ import annotations

import pytest

from mnemic.text.contradicting import at_odds
from mnemic.text.sameness import read, same, topic


def merged(a: str, b: str) -> bool:
    one, other = read(a), read(b)
    assert same(one, other) == same(other, one)
    return bool(same(one, other))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # whose, which, where
        ("I know his password", "I know her password"), ("I lost my keys", "I lost your keys"),
        ("Я знаю его пароль", "Я знаю её пароль"), ("This server is backed up", "That server is backed up"),
        ("The spare key is here", "The spare key is there"), ("Oleg voted for", "Oleg voted against"),
        # how firmly
        ("Deploy if the tests pass", "Deploy unless the tests pass"), ("Clients must use TLS", "Clients should use TLS"),
        ("Some tests pass on Windows", "Most tests pass on Windows"), ("Офис открыт только в воскресенье", "Офис открыт кроме воскресенья"),
        ("The function returns nothing on error", "The function returns on error"),
        # when, how much
        ("The report is due by Friday", "The report is due after Friday"), ("The train leaves in 3 days", "The train leaves for 3 days"),
        ("The rent is 2,000 euros", "The rent is 2,050 euros"), ("Аренда 2 000 евро", "Аренда 2 050 евро"),
        ("Leo's phone is 555 12 34", "Leo's phone is 555 34 12"), ("Zenit won 3-2", "Zenit won 2-3"),
        ("The exam is on 03/05", "The exam is on 05/03"), ("Bob owes Tom 30 of 50 euros", "Bob owes Tom 50 of 30 euros"),
        # signs and letters
        ("His blood type is A+", "His blood type is A-"), ("The done mark is ✅", "The done mark is ❌"),
        ("The config is in /etc/App", "The config is in /etc/app"), ("Anna works in the IT department", "Anna works in the department"),
        # done, being done, to do
        ("Max is paid weekly", "Max pays weekly"), ("Fix the login bug", "The login bug is fixed"), ("Leo is annoying", "Leo is annoyed"),
        ("The flat is being painted", "The flat is painted"), ("Max is a pilot", "Max has been a pilot"), ("Анна врач", "Анна была врачом"),
        # another form is another thing
        ("Долг Анне 500 рублей", "Долг Анны 500 рублей"), ("Телефон Валерия", "Телефон Валерии"),
        ("She has an import job", "She has an important job"), ("Anna has a daughter", "Anna has daughters"),
        ("Анна учит музыке в школе", "Анна учится музыке в школе"),
        # words that carry something
        ("We bought a used car", "We bought a car"), ("The name field is required", "The type field is required"),
        ("Max has a hard disk", "Max has a difficult disk"), ("Turn right at the church", "Turn correct at the church"),
        # who is whose
        ("Max is Leo's boss", "Leo is Max's boss"), ("It is Max that Leo trusts", "It is Leo that Max trusts"),
    ],
)  # fmt: skip
def test_small_things_part_statements(a: str, b: str) -> None:
    assert not merged(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The colour of the logo is teal.", "The color of the logo is teal."), ("The budget is $5k.", "The budget is $5,000."),
        ("Пользователь играет на виолончели.", "Я играю на виолончели."), ("On Friday we deploy Orion", "We deploy Orion on Friday"),
        ("The config lives in /etc/heron/app.toml.", "Config is located in /etc/heron/app.toml."),
         
        ("In Riga we deploy at night", "We deploy in Riga at night"), ("The report was written by Anna", "Anna wrote the report"),
    ],
)  # fmt: skip
def test_other_wordings_stay_the_same(a: str, b: str) -> None:
    assert merged(a, b)


def odds(a: str, b: str) -> bool:
    one, other = read(a), read(b)
    return topic(one) is not None and topic(one) == topic(other) and at_odds(b, one, other).score >= 0.4


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The old server runs Debian", "The new server runs Debian"), ("Local backups are encrypted", "Remote backups are encrypted"),
        ("Левая дверь закрыта", "Правая дверь закрыта"), ("Импорт заказов работает", "Экспорт заказов работает"),
        ("Anna has a big dog", "Anna has a small dog"), ("Uploads are limited to 5 MB", "Downloads are limited to 5 MB"),
        ("Table 3 is reserved", "Table 4 is reserved"), ("Box 7 holds cables", "Box 8 holds cables"), ("Вагон 5 пуст", "Вагон 6 пуст"),
        ("We won the cup in 2019", "We won the cup in 2021"), ("Leo is not just a colleague", "Leo is a colleague"),
        ("Nobody except Anna has a key", "Anna has a key"), ("Not all tests pass", "All tests pass"), ("Лев не всегда спит днём", "Лев спит днём"),
    ],
)  # fmt: skip
def test_what_names_another_thing_or_denies_a_part_is_no_contradiction(a: str, b: str) -> None:
    assert not odds(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The server is old", "The server is new"), ("I hate olives.", "I love olives."), ("The warranty lasts 2 years.", "The warranty lasts 5 years."),
        ("Таймаут 30 секунд.", "Таймаут 60 секунд."), ("Enable the cache", "Disable the cache"), ("The door is open", "The door is not open"),
        ("Nils was born in 1984.", "Nils was born in 1986."), ("Дверь открыта", "Дверь закрыта"),
    ],
)  # fmt: skip
def test_plain_contradictions_are_found(a: str, b: str) -> None:
    assert odds(a, b)
