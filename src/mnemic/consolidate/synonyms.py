"""One value under several names: «Берлине» and Berlin, NYC, the fifth of March. Short table, pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..text.analyse import terms
from ..text.arrangement import arrange, parted
from ..text.marks import NUMBER_STEMS, UNITS, Marks, marks
from ..text.name_likeness import same_name
from ..text.names import alias
from ..text.place_names import PLACES
from ..text.quantities import SECONDS
from ..text.same_words import senses
from ..text.wording import split_words

#: From this on two written names are one name.
_SAME_NAME = 0.8
#: Letters that a short form has at least.
_SHORT_FORM = 5
#: Values that are one thing under several names.
SYNONYMS: tuple[str, ...] = (
    "developer/programmer/software engineer/software developer/программист/разработчик", "doctor/physician/врач/доктор",
    "lawyer/attorney/юрист", "teacher/schoolteacher/учитель/учительница", "manager/менеджер", "javascript/js", "typescript/ts",
    "kubernetes/k8s", "postgresql/postgres/постгрес", "visual studio code/vs code/vscode", "car/automobile/машина/автомобиль",
    "bike/bicycle/велосипед/велик", "vegetarian/вегетарианец/вегетарианка", "vegan/веган", "done/finished/completed/готово/сделано",
    "married/женат/замужем", "phone/smartphone/телефон/смартфон",
)  # fmt: skip


_COUNTED = (
    NUMBER_STEMS
    | frozenset(t for unit in UNITS for t in terms(unit))
    | frozenset(terms("thousand million тысяч миллион"))
)


def _amounts(found: Marks) -> frozenset[tuple[str, float]]:
    """Numbers with their units, times in seconds: a minute is sixty seconds."""
    return frozenset(
        ("s", value * SECONDS[unit]) if unit in SECONDS else (unit, value)
        for unit, values in found.numbers.items()
        for value in values
    )


@cache
def _synonyms() -> Mapping[str, int]:
    return {
        " ".join(terms(name)): row for row, listed_ in enumerate((*PLACES, *SYNONYMS)) for name in listed_.split("/")
    }


def one_thing(a: str, b: str) -> bool:
    """Whether two values, as written, are one: a synonym, a date, a name in other letters, in another case or short."""
    return _like(a, b) and not parted(arrange(a), arrange(b), values=True)  # "500 per month", "500 per year"


def _like(a: str, b: str) -> bool:
    known = _synonyms()
    row = known.get(" ".join(terms(a)))
    if row is not None and row == known.get(" ".join(terms(b))):
        return True
    left, right = marks(a), marks(b)
    if left.dates and left.dates == right.dates:
        return True
    said, also = (frozenset(s for s in senses(split_words(text)) if not s[0].isdigit()) - _COUNTED for text in (a, b))
    if any(map(str.isdigit, a + b)) or left.numbers or right.numbers:
        exact = left.identifiers == right.identifiers and left.clocks == right.clocks and left.dates == right.dates
        return exact and bool(_amounts(left) or left.clocks) and _amounts(left) == _amounts(right) and said == also
    if said and said == also:
        return True
    short, long = sorted((alias(a), alias(b)), key=len)
    if len(short) >= _SHORT_FORM and long.startswith(short) and not long[len(short) :].strip().isdigit():
        return " " not in long  # Postgres, PostgreSQL
    names = (same_name(a, b, person=True), same_name(a, b, person=False))
    return any(name.whole and (name.score >= _SAME_NAME or "initials" in name.kinds) for name in names)


#: Words that give an amount for not quite exact.
ROUNDLY = frozenset(
    [
        "about",
        "around",
        "roughly",
        "approximately",
        "nearly",
        "almost",
        "примерно",
        "около",
        "приблизительно",
        "порядка",
        "почти",
    ]
)


def rounds(a: str, b: str) -> bool:
    """Whether the first text gives about the amounts that the second gives exactly: "about 1,200 euros", "1,185 euros"."""
    if not ROUNDLY & set(split_words(a)) or ROUNDLY & set(split_words(b)):
        return False
    left, right = marks(a).numbers, marks(b).numbers
    return (
        left.keys() == right.keys()
        and bool(left)
        and all(
            len(left[unit]) == len(right[unit])
            and all(x == _rounded(y, like=x) for x, y in zip(sorted(left[unit]), sorted(right[unit]), strict=True))
            for unit in left
        )
    )


def _rounded(value: float, *, like: float) -> float:
    """A value with as many digits that count as another has: 1,185 like 1,200 is 1,200."""
    digits = len(f"{like:.0f}".rstrip("0")) or 1
    return float(f"{value:.{digits - 1}e}")
