"""Statements of the same words that say different things are never taken for one: at once, and at night."""

from __future__ import annotations

import pytest

from mnemic import Config, Memory
from mnemic.testing import FrozenClock
from mnemic.text.arrangement import arrange, parted
from mnemic.text.sameness import read, same

APART = [
    ("I owe Tom 20 euros.", "Tom owes me 20 euros."),
    ("Anna lent Boris the drill.", "Boris lent Anna the drill."),
    ("The dog bit the cat.", "The cat bit the dog."),
    ("Кошка укусила собаку.", "Собака укусила кошку."),
    ("The train from Oslo to Bergen is late.", "The train from Bergen to Oslo is late."),
    ("Boris reports to Anna.", "Anna reports to Boris."),
    ("Use tabs instead of spaces.", "Use spaces instead of tabs."),
    ("Run lint before the tests.", "Run the tests before lint."),
    ("Замени foo на bar.", "Замени bar на foo."),
    ("Call foo() before bar().", "Call bar() before foo()."),
    ("x > 5 is required.", "x < 5 is required."),
    ("x >= 5", "x > 5"),
    ("a + b", "a - b"),
    ("^foo$", "^foo"),
    ("Alice pays Bob 10 and Carol 20.", "Alice pays Bob 20 and Carol 10."),
    ("Я должен Пете 500 рублей.", "Петя должен мне 500 рублей."),
    ("Service A calls service B.", "Service B calls service A."),
    ("Сервис А вызывает сервис Б", "Сервис Б вызывает сервис А"),
    ("The parent of node A is node B.", "The parent of node B is node A."),
    ("Anna's manager is Boris.", "Boris's manager is Anna."),
    ("Anna likes tea and Boris likes coffee.", "Anna likes coffee and Boris likes tea."),
    ("Маша любит чай, а Петя кофе.", "Маша любит кофе, а Петя чай."),
    ("Lyon beat Paris 3:1.", "Lyon beat Paris 1:3."),
    ("Кот съел рыбу.", "Рыба съела кота."),
    ("Старый ключ открывает новый замок.", "Новый ключ открывает старый замок."),
    ("Иванов подписывает счета.", "Иванова подписывает счета."),
    ("Александр ведёт склад.", "Александра ведёт склад."),
    ("Женя позвонил.", "Женя позвонила."),
    ("The apartment is number 12A.", "The apartment is number 12B."),
    ("Дом 12А", "Дом 12Б"),
    ("The IBAN ends in 0042.", "The IBAN ends in 42."),
    ("The disk has 10 GB.", "The disk has 10 GiB."),
    ("10 MB a second", "10 Mb a second"),
    ("UserRepo is slow", "UserRepos is slow"),
    ("Rent went up by 5%.", "Rent went up to 5%."),
    ("Цена выросла на 5%", "Цена выросла до 5%"),
    ("Grade A was given.", "A grade was given."),
    ("Use --force here", "Use --no-force here"),
    ("Vitamin B helps", "Vitamin D helps"),
    ("We write C#", "We write C"),
    ("Feature A blocks feature B.", "Feature B blocks feature A."),
    ("Maria's brother is called Tim.", "Tim's brother is called Maria."),
    ("Зарплата 100 до вычета", "Зарплата 100 после вычета"),
]
#: What is parted by its amounts, its firmness or words of opposite sense.
APART_BY_SENSE = [
    ("It is -5 degrees outside.", "It is 5 degrees outside."),
    ("The fee is 0.5%.", "The fee is 5%."),
    ("We meet every 2 days.", "We meet every 2 weeks."),
    ("Встречаемся каждые 2 дня.", "Встречаемся каждые 2 недели."),
    ("Кабель 5 м.", "Кабель 5 мм."),
    ("До дачи 5 метров.", "До дачи 5 километров."),
    ("Rent is 500 per month.", "Rent is 500 per year."),
    ("Зарплата 100 тысяч до вычета налогов.", "Зарплата 100 тысяч после вычета налогов."),
    ("Встреча в 3 часа дня.", "Встреча в 3 часа ночи."),
    ("All tests pass.", "Some tests pass."),
    ("Only Anna has the key.", "Anna has the key."),
    ("The report is almost finished.", "The report is finished."),
    ("Boris may come.", "Boris will come."),
    ("Anna must sign.", "Anna can sign."),
    ("Не менее 3 человек.", "Не более 3 человек."),
    ("Run it with --force.", "Run it with --no-force."),
    ("We write it in C#.", "We write it in C."),
    ("Таблица users_old большая.", "Таблица users большая."),
    ("Vitamin B helps Anna.", "Vitamin D helps Anna."),
]
ONE = [
    ("On Friday we deploy the site.", "We deploy the site on Friday."),
    ("Отчёт сдала Анна.", "Анна сдала отчёт."),
    ("Adam fixed the bug.", "The bug was fixed by Adam."),
    ("My car is a red Volvo.", "My automobile is a red Volvo."),
    ("I was born in Riga in 1990.", "In 1990 I was born in Riga."),
    ("Tom works at Acme in Oslo.", "In Oslo Tom works at Acme."),
    ("По пятницам мы катаем релиз.", "Мы катаем релиз по пятницам."),
    ("The backups run at 3 am.", "Backups run at 3 am"),
    ("We use GitHub.", "We use Github."),
    ("The grant is 20,000 euros.", "The grant is 20 000 euros."),
    ("The backup disk is 2 TB.", "The backup disk holds two terabytes."),
    ("We use PostgreSQL for the main database.", "Our main database runs on Postgres."),
    ("PR #317 чинит вход.", "Вход чинит PR #317."),
]


@pytest.mark.parametrize(("a", "b"), APART)
def test_parted(a: str, b: str) -> None:
    assert parted(arrange(a), arrange(b))
    assert parted(arrange(b), arrange(a))
    assert not parted(arrange(a), arrange(a))
    assert not same(read(a), read(b))


@pytest.mark.parametrize(("a", "b"), ONE)
def test_not_parted(a: str, b: str) -> None:
    assert not parted(arrange(a), arrange(b))
    assert not parted(arrange(b), arrange(a))


@pytest.mark.parametrize(("a", "b"), [*APART, *APART_BY_SENSE])
def test_remembered_beside_each_other_and_both_found(a: str, b: str) -> None:
    config = Config(background=False)
    with Memory(":memory:", embedder=None, clock=FrozenClock("2026-06-01T03:00:00Z"), config=config) as memory:
        first, second = memory.remember(a), memory.remember(b)
        assert first.id != second.id
        assert second.content == b
        assert second.hidden_why != "duplicate"
