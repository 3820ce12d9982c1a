"""Stories that a tester told, a sentence a month: what is current after each, by rules."""

from __future__ import annotations

import pytest

from mnemic import Config, Memory
from mnemic.models import FACTS
from mnemic.testing import FrozenClock


def facts(story: str, *, order: list[int] | None = None, old: bool = False) -> set[tuple[str, str, str, str]]:
    """Facts after a story: (subject, predicate, value, "end" where it says that it is over)."""
    with Memory(":memory:", config=Config(background=False), embedder=None, clock=FrozenClock("2026-11-29")) as m:
        sentences = story.split(" | ")
        for i in order or range(len(sentences)):
            m.observe(sentences[i], at=f"2026-{i + 1:02}-10T10:00:00Z", session=f"s{i}")
            m.consolidate()
        found = m.timeline(kinds=FACTS, limit=100, include_superseded=old)
        return {(n.subject or "", n.predicate or "", n.object or "", n.attributes.get("act", "")) for n in found}


def values(story: str, predicate: str) -> set[str]:
    """Current values of a predicate after a story."""
    return {value for _, name, value, act in facts(story) if name == predicate and not act}


# -- what is over begins anew --------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0]])
@pytest.mark.parametrize(
    ("story", "predicate", "value"),
    [
        ("I work at Acme. | I quit Acme. | I work at Acme again.", "works_at", "Acme"),
        ("I use Vim. | I no longer use Vim. | I use Vim again.", "uses", "Vim"),
        ("Я работаю в Сбере. | Я больше не работаю в Сбере. | Я снова работаю в Сбере.", "works_at", "Сбер"),
    ],
)
def test_what_begins_anew_is_no_longer_over(story: str, predicate: str, value: str, order: list[int]) -> None:
    assert facts(story, order=order) == {("user", predicate, value, "")}


@pytest.mark.parametrize(
    ("story", "value"),
    [
        ("I work at Acme. | I quit Acme. | I work at Acme again. | I quit Acme.", "Acme"),
        ("Я работаю в Сбере. | Я больше не работаю в Сбере. | Я снова работаю в Сбере. | Я больше не работаю в Сбере.", "Сбер"),
    ],
)  # fmt: skip
def test_what_began_anew_may_be_over_once_more(story: str, value: str) -> None:
    assert facts(story) == {("user", "works_at", value, "end")}


@pytest.mark.parametrize(
    ("story", "predicate", "value"),
    [
        ("I live in Berlin. | I live in Munich. | I live in Berlin.", "lives_in", "Berlin"),
        ("Я живу в Риге. | Я живу в Казани. | Я живу в Риге.", "lives_in", "Рига"),
    ],
)
def test_an_older_note_of_the_same_does_not_end_it(story: str, predicate: str, value: str) -> None:
    assert facts(story, order=[2, 1, 0]) == {("user", predicate, value, "")}


# -- who was one's boss is not -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "names"),
    [
        ("My boss is Tom. | My former boss is Kim.", {"Tom"}),
        ("My boss is Tom. | My old boss is Kim.", {"Tom"}),
        ("My boss is Tom. | Kim is my previous boss.", {"Tom"}),
        ("My boss is Tom. | I had lunch with my former boss Kim.", {"Tom"}),
        ("Моя начальница — Ирина. | Моя бывшая начальница — Ольга.", {"Ирина"}),
        ("Моя начальница — Ирина. | Моя прежняя начальница — Ольга.", {"Ирина"}),
        ("My boss is Tom. | My new boss is Kim.", {"Kim"}),
    ],
)
def test_a_former_relation_is_none(story: str, names: set[str]) -> None:
    assert values(story, "family") == names


# -- states end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "status"),
    [
        ("Kafka is installed. | Kafka is not installed anymore.", set()),
        ("Kafka is installed. | Kafka isn't installed any more.", set()),
        ("The printer is broken. | The printer is no longer broken.", set()),
        ("Kafka установлена. | Kafka больше не установлена.", set()),
        ("Kafka установлена. | Kafka уже не установлена.", set()),
    ],
)
def test_a_state_is_left(story: str, status: set[str]) -> None:
    assert values(story, "status") == status
    assert not any("не" in subject.split() for subject, *_ in facts(story))


# -- one sentence, one fact ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "predicate", "found"),
    [
        ("I am a vegetarian.", "works_as", set()),
        ("I am a vegetarian.", "diet", {"vegetarian"}),
        ("Я вегетарианка.", "works_as", set()),
        ("I am a nurse.", "works_as", {"nurse"}),
        ("Я врач.", "works_as", {"врач"}),
        ("I run on Tuesdays.", "uses", set()),
        ("Я бегаю по вторникам.", "uses", set()),
    ],
)
def test_a_sentence_is_read_in_one_sense(story: str, predicate: str, found: set[str]) -> None:
    assert values(story, predicate) == found


# -- decisions are taken back --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "decided"),
    [
        ("We decided to use Kafka. | We decided not to use Kafka.", set()),
        ("We decided not to use Kafka. | We decided to use Kafka.", {"Kafka"}),
        ("We decided to use Kafka. | We decided against Redis.", {"Kafka"}),
        ("Решили использовать Kafka. | Решили не использовать Kafka.", set()),
        ("Решили использовать Kafka. | Решили отказаться от Kafka.", set()),
        ("Решили использовать Kafka. | Решили отказаться от Redis.", {"Kafka"}),
    ],
)
def test_the_opposite_decision_ends_the_first(story: str, decided: set[str]) -> None:
    assert values(story, "chose") == decided


@pytest.mark.parametrize("story", ["We use Redis. | We dropped Redis.", "Мы используем Redis. | Мы отказались от Redis."])
def test_what_is_over_is_told_once(story: str) -> None:
    assert len(facts(story)) == 1


# -- one more, or at certain times -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "predicate", "current"),
    [
        ("I work at Acme. | I also work at Globex.", "works_at", {"Acme", "Globex"}),
        ("I work at Acme. | On weekends I work at Globex.", "works_at", {"Acme", "Globex"}),
        ("I work at Acme. | I work at Globex part-time.", "works_at", {"Acme", "Globex"}),
        ("I work at Acme. | I now also work at Globex.", "works_at", {"Acme", "Globex"}),
        ("I work at Acme. | I also work at Globex. | I work at Initech now.", "works_at", {"Globex", "Initech"}),
        ("I work at Acme. | I now work at Globex.", "works_at", {"Globex"}),
        ("I live in Berlin. | I also live in Lisbon part of the year.", "lives_in", {"Berlin", "Lisbon"}),
        ("I live in Berlin. | I live in Lisbon.", "lives_in", {"Lisbon"}),
        ("Я работаю в Яндексе. | Я также работаю в Сбере.", "works_at", {"Яндекс", "Сбер"}),
        ("Я работаю в Яндексе. | Теперь я работаю в Сбере.", "works_at", {"Сбер"}),
    ],
)
def test_what_is_one_more_ends_nothing(story: str, predicate: str, current: set[str]) -> None:
    assert values(story, predicate) == current


@pytest.mark.parametrize(
    ("story", "current"),
    [
        ("I love Chinese food. | I hate Chinese cars.", {("likes", "Chinese food"), ("dislikes", "Chinese cars")}),
        ("Я люблю китайскую кухню. | Я ненавижу китайские машины.", {("likes", "китайскую кухню"), ("dislikes", "китайские машины")}),
        ("Я люблю китайскую кухню. | Я больше не люблю китайскую кухню.", set()),
    ],
)  # fmt: skip
def test_a_word_in_common_is_not_the_same_thing(story: str, current: set[tuple[str, str]]) -> None:
    found = {(p, v.casefold()) for _, p, v, act in facts(story) if p in ("likes", "dislikes") and not act}
    stems = {(p, v.casefold()) for p, v in current}
    assert {(p, v[:6]) for p, v in found} == {(p, v[:6]) for p, v in stems}
    assert len(found) == len(stems)


@pytest.mark.parametrize(
    ("story", "where"),
    [
        ("I work at Acme. | The team works at Globex.", {("user", "works_at", "Acme")}),
    ],
)  # fmt: skip
def test_what_is_said_of_the_team_is_not_of_the_speaker(story: str, where: set[tuple[str, str, str]]) -> None:
    assert {(s.casefold(), p, v) for s, p, v, _ in facts(story)} == where


@pytest.mark.parametrize(
    ("story", "pet"),
    [
        ("My dog Rex loves walks. | My dog Rex died.", "Rex"),
    ],
)
def test_a_pet_that_died_is_over_by_its_name(story: str, pet: str) -> None:
    assert not [v for v in values(story, "has_pet") if v == pet]
    assert ("user", "has_pet", pet, "end") in facts(story)


@pytest.mark.parametrize(
    "story",
    ["I live in Munich. | Я живу в Мюнхене.", "Я живу в Лиссабоне. | I live in Lisbon."],
)  # fmt: skip
def test_a_place_under_another_name_is_the_same(story: str) -> None:
    assert len([f for f in facts(story, old=True) if f[1] in ("lives_in", "comes_from")]) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The user logged in", "The user logged out"),
        ("Max leads the team", "Max led the team"),
        ("Max has a dog", "Max had a dog"),
        ("I lost my keys", "I lost your keys"),
        ("The left door is locked", "The right door is locked"),
        ("Table 3 is reserved", "Table 4 is reserved"),
        ("Deploy if the tests pass", "Deploy unless the tests pass"),
        ("Leo's phone is 555 12 34", "Leo's phone is 555 34 12"),
        ("Макса уволил Лёва", "Макс уволил Лёву"),
    ],
)
def test_remember_keeps_two_true_statements(first: str, second: str) -> None:
    with Memory(":memory:", config=Config(background=False), embedder=None, clock=FrozenClock("2026-11-29")) as m:
        m.remember(first)
        assert m.remember(second).acknowledged == "stored"
        assert {n.content for n in m.timeline(kinds=FACTS, limit=10)} == {first, second}


@pytest.mark.parametrize(
    ("story", "current"),
    [
        ("My flatmate is João. | My flatmate is Inês.", {"Inês"}),
        ("My boss is Ann. | My boss is Ben.", {"Ben"}),
        ("My sister is Anna. | My sister is Olga.", {"Anna", "Olga"}),
        ("Моя сестра — Ира. | Моя сестра — Оля.", {"Ира", "Оля"}),
        ("Моя начальница — Ирина. | Моя начальница — Ольга.", {"Ольга"}),
        ("My husband Alexander is home. | My husband Sasha is late.", {"Alexander", "Sasha"}),
    ],
)
def test_one_has_one_flatmate_and_several_sisters(story: str, current: set[str]) -> None:
    assert values(story, "family") == current
