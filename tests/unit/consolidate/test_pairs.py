"""Two plain statements, judged by their words (no extractor)."""

from __future__ import annotations

import pytest

from mnemic.consolidate import restated
from mnemic.consolidate.claims import Extraction, Said
from mnemic.consolidate.pairs import Statement, judge
from mnemic.consolidate.synonyms import SYNONYMS, one_thing
from mnemic.text.analyse import terms
from mnemic.text.wording import Phrase, find, split_words


class Nothing:
    """An extractor that finds nothing: what is left are the words."""

    name = "nothing"

    def extract(self, page: list[Said], names: object) -> Extraction:
        return Extraction()


def decided(
    old: str, new: str, *, late: bool = False, same_time: bool = False, **more: object
) -> tuple[str, str | None]:
    times = (5, 5) if same_time else (5, 1) if late else (1, 5)
    trust = more.pop("trust", 1.0)
    speakers = more.pop("speakers", (None, None))
    left = Statement(old, times[0], speaker=speakers[0])  # type: ignore[index]
    right = Statement(new, times[1], speaker=speakers[1], trust=trust)  # type: ignore[index,arg-type]
    found = judge(left, right, extractor=Nothing(), **more)  # type: ignore[arg-type]
    return found.verdict, found.ends


@pytest.mark.parametrize("row", [*restated.OPEN, *restated.ONCE], ids=lambda row: row.words)
def test_every_row_matches_its_example(row: Phrase) -> None:
    assert find(split_words(row.example), (row,))


@pytest.mark.parametrize(
    ("old", "new", "verdict", "ends"),
    [
        ("Water boils at 100 degrees", "Water boils at 100 degrees!", "duplicate", None),
        ("PR #260 is merged", "PR #261 is not merged", "coexists", None),
        ("Config for apps.12 is broken", "Config for apps.13 is fine", "coexists", None),
        ("The CTO is Ines", "The CTO is Farid", "supersedes", "old"),
        ("Я работаю в Яндексе", "Теперь я работаю в Озоне", "supersedes", "old"),
        ("The staging server is up", "The staging server is down", "supersedes", "old"),
        ("Флаг NEW_CHECKOUT включен", "Флаг NEW_CHECKOUT выключен", "supersedes", "old"),
        ("I smoke", "I no longer smoke", "supersedes", "old"),
        ("Я курю", "Я больше не курю", "supersedes", "old"),
        ("I speak French", "I speak Portuguese", "coexists", None),
        ("I live in Munich", "I might move to Vienna", "coexists", None),
        ("In 2019 I lived in Madrid", "I live in Dublin", "coexists", None),
        ("The tests fail on Windows", "The tests fail on Windows because of CRLF", "refines", "old"),
        ("The bakery opens at 9", "The bakery opens at 10", "conflict", None),
        ("My son is 6", "My daughter is 9", "coexists", None),
        ("", "", "duplicate", None),
    ],
)
def test_by_words(old: str, new: str, verdict: str, ends: str | None) -> None:
    assert decided(old, new) == (verdict, ends)


def test_a_late_statement_is_itself_over() -> None:
    assert decided("The CTO is Ines", "The CTO is Farid", late=True) == ("supersedes", "new")


def test_less_trust_or_another_voice_makes_a_conflict() -> None:
    assert decided("The CTO is Ines", "The CTO is Farid", trust=0.3)[0] == "conflict"
    assert decided("The CTO is Ines", "The CTO is Farid", speakers=("Anna", "Boris"))[0] == "conflict"
    assert decided("The CTO is Ines", "The CTO is Farid", same_time=True)[0] == "conflict"
    assert decided("I live in Riga", "I live in Oslo", speakers=("Anna", "Boris"))[0] == "coexists"


def test_an_agent_writes_of_the_user_what_the_user_said() -> None:
    assert decided("I have a dog named Rex", "The user has a dog named Rex")[0] == "duplicate"
    assert decided("У меня есть пёс", "У пользователя есть пёс")[0] == "duplicate"


def test_closeness_finds_paraphrases_and_ends_nothing() -> None:
    assert (
        decided("I keep the spare key in the shed", "The spare key is in the garden shed", cosine=0.9)[0]
        != "supersedes"
    )
    assert decided("The client signed the lease", "The client read the lease", cosine=0.99)[0] == "coexists"
    assert decided("PR #1 is merged", "PR #2 is merged", cosine=0.99)[0] == "coexists"
    assert decided("The logo is blue", "The dog is asleep", cosine=0.2)[0] == "coexists"


def test_hostile_texts_are_harmless() -> None:
    for text in ("не " * 40_000, "a" * 100_000, "a.b," * 25_000, "\ud800"):
        assert decided(text, "The CTO is Ines")[0] == "coexists"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Berlin", "Берлине", True),
        ("New York City", "NYC", True),
        ("PostgreSQL", "Postgres", True),
        ("5 March", "пятого марта", True),
        ("Питер", "Санкт-Петербург", True),
        ("one minute", "60 seconds", True),
        ("$1,200", "1200 dollars", True),
        ("120 тысяч рублей", "120 000 рублей", True),
        ("закончен", "завершён", True),
        ("9:30 am", "10:30 am", False),
        ("3.1 beta", "3.2 beta", False),
        ("three cats", "two cats", False),
        ("Prague", "Brno", False),
        ("Омск", "Томск", False),
        ("3.11", "3.12", False),
        ("Pixel 7", "Pixel 8", False),
        ("", "", False),
    ],
)
def test_one_value_under_several_names(a: str, b: str, same: bool) -> None:
    assert one_thing(a, b) == same
    assert one_thing(b, a) == same


def test_synonyms_stand_in_one_row_only() -> None:
    rows = [{" ".join(terms(name)) for name in row.split("/")} for row in SYNONYMS]
    assert all(name for row in rows for name in row)
    assert sum(map(len, rows)) == len(set.union(*rows))
