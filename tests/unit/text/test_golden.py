"""What the layers that read words find in all labelled sentences, frozen: names, their forms, times, orders to an agent.

Right and wrong alike: these files say what changes when tables move, not what is good (the tests beside this one do).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from golden import compare
from mnemic.lang.when import find
from mnemic.text.instructions import baits
from mnemic.text.name_forms import canonical_forms, gender_of, name_keys, parted
from mnemic.text.name_likeness import same_name
from mnemic.text.names import alias, names

LABELLED = Path(__file__).resolve().parents[2] / "labelled"
NOW = datetime(2026, 6, 17, 15, 30, tzinfo=UTC)  # a Wednesday
LEAST = 12  # characters of a sentence; shorter values are labels

#: Names as people write them, English and Russian: cases, short forms, initials, generations, particles, two alphabets.
NAMES = (
    """
Анна|Анне|Анны|Аня|Анечка|Anna|Ann|Анна Петрова|Анне Петровой|А. Петрова|Петрова Анна|Анна Сергеевна Петрова|Anna Petrova
Саша|Саше|Александр|Александра|Александру|Александр Орлов|Александра Орлова|Орлову|Sasha|Alexander|Alex
Валентин|Валентина|Валентину|Валентину Иванову|Валентин Иванов|Валентина Иванова|Ivanov|Иванов|Иванова
Соня|Сони|Соне|Софья|Соня Иванова|Сони Ивановой|Sonya Ivanova|Sofia|Sophie
Viktor|Victor|Виктор|Виктора|Виктор Брак|Viktor Brak|Viktor Orlov|V. Orlov|Dr. Orlov|Mr Orlov|orlov
William|Bill|Will|Billy|Elizabeth|Liz|Beth|Robert|Bob|Rob|Katherine|Kate|Katie|Catherine
Henry IV|Henry V|John Smith|John Smith Jr.|Jon Smith|J. Smith|John|Jon|Ludwig van Beethoven|van Beethoven|Anna von Berg
Acme Corp|Acme Corporation|ООО «Ромашка»|Ромашка|Ромашке|New York|New York City|NYC|Нью-Йорк|Нью-Йорке|Łukasz Żak|Lukasz Zak
Марья Ивановна|Марья Ивановна Кац|Пётр|Петр|Петра|Peter|О'Брайен|O'Brien|Жан-Поль|Жан-Полю|Jean-Paul|李明|Ли Мин
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def sentences() -> Iterator[str]:
    """Every sentence of the labelled sets, once, in their order."""
    seen: set[str] = set()

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str) and len(value) >= LEAST and " " in value:
            yield value
        elif isinstance(value, dict):
            for inner in value.values():
                yield from texts(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from texts(inner)

    for path in sorted(LABELLED.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            for text in texts(json.loads(line)):
                if text not in seen:
                    seen.add(text)
                    yield text


def brief(text: str) -> str:
    """Enough of a sentence to find it by."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def test_names_in_sentences() -> None:
    compare("names", ([brief(text), found] for text in sentences() if (found := names(text))))


def test_forms_of_names() -> None:
    compare(
        "name-forms",
        (
            [
                name,
                alias(name),
                list(canonical_forms(name)),
                gender_of(name),
                sorted(name_keys(name)),
                parted(name).name,
            ]
            for name in NAMES
        ),
    )


def test_likeness_of_names() -> None:
    """Every pair of which at least something is alike, as persons and as things."""
    rows = []
    for one, other in combinations(NAMES, 2):
        person, thing = same_name(one, other), same_name(one, other, person=False)
        if person.score or thing.score:
            rows.append([one, other, person.score, list(person.kinds), thing.score, list(thing.kinds)])
    compare("name-likeness", rows)


def test_times_in_sentences() -> None:
    """Each expression once, as it was read in the first sentence that has it."""
    rows: dict[str, Any] = {}
    for text in sentences():
        for window in find(text, NOW):
            bounds = [f"{moment:%Y-%m-%dT%H:%M}" for moment in (window.start, window.end)]
            rows.setdefault(window.text.casefold(), [window.text, *bounds, window.granularity, window.direction])
    compare("times", rows.values())


def test_orders_in_sentences() -> None:
    compare("instructions", ([brief(text), list(found)] for text in sentences() if (found := baits(text))))
