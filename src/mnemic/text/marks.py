"""Numbers, units and numbered nouns as ``updates`` reads them; comparing reads ``lang/*/compare.toml``."""

from __future__ import annotations

from collections.abc import Mapping

from .analyse import terms

#: A noun and the number that is its name where they open a sentence: "room 101", «порт 5432», "PR 260".
NUMBERED_NOUNS = frozenset(
    terms(
        "pr issue ticket pull request merge bug task room port line page chapter figure flight gate platform bus train route"
        " error step node worker shard replica instance server host build release invoice order case phase stage sprint"
        " version python node java django section building house apartment team group class grade lesson episode season"
        " pull-request пул-реквест запрос задача тикет баг комната аудитория кабинет порт строка страница глава рисунок рейс"
        " путь платформа автобус поезд маршрут ошибка шаг нода сервер хост сборка релиз счет заказ дело этап спринт версия"
        " раздел дом квартира корпус команда группа класс урок серия сезон конфиг"
    )
)
#: Number words: nominative and oblique forms, by the stem that :func:`terms` makes of them.
_LISTED: Mapping[int, str] = {
    0: "zero ноль", 1: "one один одна одно одного одной", 2: "two два две двух двум двумя двое",
    3: "three три трех трем тремя трое", 4: "four четыре четырех четырем четырьмя четверо", 5: "five пять пяти пятью пятеро",
    6: "six шесть шести шестью шестеро",
    7: "seven семь семи семеро", 8: "eight восемь восьми", 9: "nine девять девяти", 10: "ten десять десяти",
    11: "eleven одиннадцать", 12: "twelve двенадцать двенадцати", 15: "fifteen пятнадцать", 20: "twenty двадцать двадцати",
    30: "thirty тридцать тридцати", 40: "forty сорок сорока", 50: "fifty пятьдесят", 60: "sixty шестьдесят",
    90: "ninety девяносто", 100: "hundred сто ста",
}  # fmt: skip
NUMBER_WORDS = {w: float(n) for n, listed in _LISTED.items() for w in listed.split()}
#: Units written in several ways → one.
UNITS: Mapping[str, str] = {
    alias: unit
    for unit, listed in {
        "s": "s sec second seconds секунд секунда секунды сек с", "min": "min minute minutes минут минута минуты мин",
        "h": "h hour hours час часа часов", "day": "day days день дня дней", "week": "week weeks неделя недели недель",
        "month": "month months месяц месяца месяцев", "year": "year years old лет год года", "%": "% percent процент процента процентов",
        "$": "$ dollar dollars usd доллар доллара долларов", "€": "€ euro euros eur евро", "₽": "₽ rouble roubles ruble rubles rub руб рубль рубля рублей",
        "kg": "kg kilo kilos kilogram kilograms кг кило килограмм", "g": "g gram grams грамм", "mg": "mg мг", "km": "km километр километров км",
        "m": "meter meters metre metres метр метров", "gb": "gb gib гб гигабайт", "mb": "mb mib мб мегабайт",
        "tb": "tb terabyte terabytes тб терабайт", "°": "° degree degrees градус градуса градусов градусах",
        "person": "person people человек людей", "ms": "ms мс",
    }.items()
    for alias in listed.split()
}  # fmt: skip
