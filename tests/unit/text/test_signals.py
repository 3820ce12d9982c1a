"""Contradiction signals, the phrases they rest on, and what tells two statements apart."""

from __future__ import annotations

import time

import pytest

from mnemic.text import wording
from mnemic.text.analyse import terms
from mnemic.text.marks import IDENTIFIERS, identifiers, marks, told_apart
from mnemic.text.opposites import ENGLISH, RUSSIAN, pairs, table
from mnemic.text.signals import ALL_ELSE_EQUAL, FINDING, WEIGHTS, contradiction, same_thing
from mnemic.text.wording import Phrase, find, polarity, says_change, split_words

TABLES = {name: getattr(wording, name) for name in ("NEGATORS", "NO_NEGATION", "CHANGE", "CORRECTION")}
ROWS = [(name, row) for name, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda value: value.words if isinstance(value, Phrase) else value)
def test_every_row_matches_its_example(name: str, row: Phrase) -> None:
    words = split_words(row.example)
    assert find(words, (row,))
    assert find(words, TABLES[name])


@pytest.mark.parametrize("listed", [ENGLISH, RUSSIAN], ids=["en", "ru"])
def test_opposites_are_many_and_go_both_ways(listed: str) -> None:
    found = {tuple(sorted((terms(a)[-1], terms(b)[-1]))) for a, b in pairs(listed)}
    assert len({pair for pair in found if pair[0] != pair[1]}) >= 150
    assert all(terms(a) and terms(b) for a, b in pairs(listed))
    for a, others in table().items():
        assert all(a in table()[b] for b in others)
        assert a not in others


@pytest.mark.parametrize(("kind", "pattern", "example"), IDENTIFIERS, ids=lambda v: v if isinstance(v, str) else "")
def test_every_kind_of_identifier_has_an_example(kind: str, pattern: object, example: str) -> None:
    assert len(identifiers(f"see {example} there")) == 1


@pytest.mark.parametrize(
    ("a", "b", "signals"),
    [
        ("The server is running", "The server is not running", {"negation"}),
        ("Сервер работает", "Сервер не работает", {"negation"}),
        ("I eat meat", "I no longer eat meat", {"negation", "temporal"}),
        ("Я ем мясо", "Я больше не ем мясо", {"negation", "temporal"}),
        ("She doesn't smoke", "She smokes", {"negation"}),
        ("She doesnt smoke", "She smokes", {"negation"}),
        ("У нас есть принтер", "У нас нет принтера", {"negation"}),
        ("The door is open", "The door is closed", {"antonym"}),
        ("Окно открыто", "Окно закрыто", {"antonym"}),
        ("The door is open", "The door is now closed", {"antonym", "temporal"}),
        ("128 tests are passing", "131 tests are passing", {"numeric"}),
        ("В команде пять человек", "В команде семь человек", {"numeric"}),
        ("The limit is 100 requests", "The limit is now 500 requests", {"numeric", "temporal"}),
        ("The release is on 5 May", "The release is on 8 May", {"temporal"}),
        ("Релиз 5 мая", "Релиз 8 мая", {"temporal"}),
    ],
)
def test_signals_fire(a: str, b: str, signals: set[str]) -> None:
    found = contradiction(a, b)
    assert set(found.signals) == signals
    back = contradiction(b, a)
    assert (set(back.signals), back.score) == (signals, found.score)
    extra = found.score - sum(WEIGHTS[name] for name in signals)
    assert extra == pytest.approx(0) or extra == pytest.approx(ALL_ELSE_EQUAL)
    assert found.found == (found.score >= FINDING)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("PR #260 is merged", "PR #480 is not merged"),
        ("Config for apps.12 is valid", "Config for apps.13 is invalid"),
        ("src/a.py is tested", "src/b.py is untested"),
        ("10.0.0.5 is up", "10.0.0.6 is down"),
        ("eu-west-1 is down", "eu-west-2 is up"),
        ("Anna likes coffee", "Boris doesn't like coffee"),
        ("Я люблю кофе", "Она не любит кофе"),
        ("I am 34 years old", "My sister is 31 years old"),
        ("The food is not good", "The food is bad"),
        ("The server runs Linux", "The server does not run Windows"),
        ("She speaks French", "She speaks not only French"),
        ("The 12 March deploy failed", "The 19 March deploy succeeded"),
        ("Заявка 4512 одобрена", "Заявка 4521 отклонена"),
        ("It rains", "The cat sleeps"),
        ("", ""),
    ],
)
def test_what_speaks_of_two_things_is_no_finding(a: str, b: str) -> None:
    assert not contradiction(a, b).found


def test_one_signal_is_a_hint_unless_all_else_is_equal() -> None:
    assert contradiction("The new office in Riga is open", "The office is closed on Sunday").score < FINDING
    assert contradiction("The office is open", "The office is closed").found


@pytest.mark.parametrize(
    ("a", "b", "kinds"),
    [
        ("PR #260 is merged", "PR #480 is merged", {"identifier"}),
        ("Config for apps.12", "Config for apps.13", {"identifier"}),
        ("v1.2.3 is out", "v1.2.4 is out", {"identifier"}),
        ("see /etc/a.conf", "see /etc/b.conf", {"identifier"}),
        ("We met Anna Petrova", "We met Anna Belova", {"name"}),
        ("It holds 3 chairs", "It holds 4 chairs", {"number"}),
        ("It is on 5 May", "It is on 8 May", {"date"}),
        ("It opens at 9:00", "It opens at 10:00", {"date"}),
        ("Порт 5432 занят", "Порт 6379 занят", {"identifier"}),
        ("PR #260 is merged", "Pull request 260 is merged", set()),
        ("PR #260 is merged", "The request is merged", set()),
        ("My birthday is on March 5", "I was born on the 5th of March", set()),
        ("$5,000 for the trip", "five thousand dollars for the trip", set()),
        ("50 тысяч рублей", "50 000 рублей", set()),
        ("Лене 34", "Лене тридцать четыре", set()),
    ],
)
def test_what_tells_two_statements_apart(a: str, b: str, kinds: set[str]) -> None:
    assert set(told_apart(a, b)) == kinds
    assert set(told_apart(b, a)) == kinds


def test_negation_reaches_to_the_end_of_its_clause() -> None:
    affirmed, denied = polarity("I don't like tea, but coffee is fine")
    assert "tea" in denied
    assert "fine" in affirmed
    assert polarity("Собаки нет")[1] == {terms("собака")[0]}
    assert not polarity("No, it works")[1]
    assert not polarity("Не могу не любить чай")[1]


def test_change_is_heard_in_both_languages() -> None:
    assert says_change("We moved to Riga")
    assert says_change("Мы переехали в Ригу")
    assert not says_change("We live in Riga")
    assert not says_change("Мы живём в Риге")


def test_same_thing_asks_for_shared_content() -> None:
    assert same_thing("The office is on the hill", "The office moved downtown")
    assert not same_thing("The office is in Riga", "The cat is asleep")


@pytest.mark.parametrize(
    "piece",
    ["не ", "a", ".", "a,b.", "open 1 ", "a.", "a-", "a_", "/a", "1.", "1 ", "@", "a@", "`", "#1", "aA", "1,000", "f0", "может ",
     "\U0001f600", "\u0301", "\ud800"],
)  # fmt: skip
def test_hostile_texts_cost_little(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    began = time.perf_counter()
    contradiction(text, text + "x")
    marks(text)
    assert time.perf_counter() - began < 5
