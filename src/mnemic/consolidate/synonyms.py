"""One value under several names: «Берлине» and Berlin, NYC, the fifth of March. Short table, pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..text.analyse import terms
from ..text.marks import marks
from ..text.name_likeness import same_name
from ..text.names import alias

#: From this on two written names are one name.
_SAME_NAME = 0.8
#: Letters that a short form has at least.
_SHORT_FORM = 5
#: Values that are one thing under several names.
SYNONYMS: tuple[str, ...] = (
    "санкт-петербург/петербург/питер/спб/saint petersburg/st petersburg", "москва/мск/moscow", "екатеринбург/екб",
    "new york city/new york/nyc", "los angeles/la", "san francisco/sf", "united states/usa/us/сша", "united kingdom/uk/britain",
    "developer/programmer/software engineer/software developer/программист/разработчик", "doctor/physician/врач/доктор",
    "lawyer/attorney/юрист", "teacher/schoolteacher/учитель/учительница", "manager/менеджер", "javascript/js", "typescript/ts",
    "kubernetes/k8s", "postgresql/postgres/постгрес", "visual studio code/vs code/vscode", "car/automobile/машина/автомобиль",
    "bike/bicycle/велосипед/велик", "vegetarian/вегетарианец/вегетарианка", "vegan/веган", "done/finished/completed/готово/сделано",
    "married/женат/замужем", "phone/smartphone/телефон/смартфон",
)  # fmt: skip


@cache
def _synonyms() -> Mapping[str, int]:
    return {" ".join(terms(name)): row for row, listed_ in enumerate(SYNONYMS) for name in listed_.split("/")}


def one_thing(a: str, b: str) -> bool:
    """Whether two values, as written, are one: a synonym, a date, a name in other letters, in another case or short."""
    known = _synonyms()
    row = known.get(" ".join(terms(a)))
    if row is not None and row == known.get(" ".join(terms(b))):
        return True
    dates = marks(a).dates
    if dates and dates == marks(b).dates:
        return True
    short, long = sorted((alias(a), alias(b)), key=len)
    if len(short) >= _SHORT_FORM and long.startswith(short) and not long[len(short) :].strip().isdigit():
        return " " not in long  # Postgres, PostgreSQL
    names = (same_name(a, b, person=True), same_name(a, b, person=False))
    return any(name.whole and (name.score >= _SAME_NAME or "initials" in name.kinds) for name in names)
