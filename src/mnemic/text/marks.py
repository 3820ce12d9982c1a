"""What makes two statements speak of two things however alike they sound: identifiers, names, numbers, dates.

"PR #260" is not "PR #480", «Config for apps.12» is not «Config for apps.13», Anna is not Boris. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..lang.lexicon import hour_of
from .analyse import fold, raw_words, stop_terms, terms
from .names import NOT_NAMES, names
from .wording import MAX_CHARS, content_stems, split_words

#: Kinds of identifiers, each with an example. Quantifiers are bounded: no text makes them slow.
IDENTIFIERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("url", re.compile(r"\bhttps?://[^\s<>\"'»)]{1,200}"), "https://example.com/a"),
    ("address", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b"), "10.0.0.5"),
    ("mail", re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b"), "anna@example.com"),
    ("path", re.compile(r"(?<![\w.])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@-]{1,80}){2,12}"), "/etc/nginx/nginx.conf"),
    ("path", re.compile(r"(?<![\w./])[\w-]{1,60}(?:/[\w.@-]{1,60}){1,10}\.[a-z]{1,5}\b"), "src/main.py"),
    (
        "file",
        re.compile(r"(?<![\w./-])[\w-]{1,60}(?:\.[\w-]{1,40}){0,3}\.[a-zA-Z][a-zA-Z0-9]{0,4}\b(?![\w/])"),
        "auth.py",
    ),
    (
        "version",
        re.compile(
            r"(?<![\w.])(?!\d\d?\.\d\d\.(?:19|20)\d\d(?!\d))v?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+]?(?:rc|beta|alpha|dev)\.?\d{0,3})?\b(?![\w.]*\d)"
        ),
        "v1.2.3",
    ),
    ("dotted", re.compile(r"(?<![\w.])[A-Za-z_][\w-]{0,40}(?:\.[\w-]{1,40}){1,6}(?![\w])"), "apps.12"),
    ("numbered", re.compile(r"(?:#|№\s?)\d{1,9}\b"), "#260"),
    ("ticket", re.compile(r"\b[A-ZА-ЯЁ]{2,10}-\d{1,7}\b"), "ABC-123"),
    ("hash", re.compile(r"\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b"), "9fceb02"),
    ("code", re.compile(r"`[^`\n]{1,120}`"), "`max_connections`"),
    ("snake", re.compile(r"(?<!\w)(?:[^\W_]{1,40}_+){1,8}[^\W_]{1,40}(?!\w)"), "max_connections"),
    ("camel", re.compile(r"\b[a-z]{2,20}(?:[A-Z][a-z0-9]{1,20}){1,6}\b"), "getUser"),
    ("label", re.compile(r"(?<![\w-])[A-Za-zА-яЁё]{1,20}(?:-[A-Za-zА-яЁё]{1,20}){0,4}-\d{1,6}(?![\w-])"), "eu-west-1"),
)
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
#: Most identifiers read out of one text.
MOST = 64
_MONTHS = (
    "january jan январ", "february feb феврал", "march mar март", "april apr апрел", "may май мая", "june jun июн",
    "july jul июл", "august aug август", "september sep sept сентябр", "october oct октябр", "november nov ноябр",
    "december dec декабр",
)  # fmt: skip
_DAYS = (
    "monday mon понедельник", "tuesday tue вторник", "wednesday wed сред", "thursday thu четверг",
    "friday fri пятниц", "saturday sat суббот", "sunday sun воскресень",
)  # fmt: skip
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
#: Stems of what only counts or measures.
NUMBER_STEMS = frozenset(terms(" ".join(NUMBER_WORDS)))
_ORDINALS = {
    w: float(n + 1)
    for n, listed in enumerate(
        ("first перв", "second втор", "third трет", "fourth четверт", "fifth пят", "sixth шест", "seventh седьм",
         "eighth восьм", "ninth девят", "tenth десят")
    )
    for w in listed.split()
}  # fmt: skip
_SCALES = {"k": 1e3, "thousand": 1e3, "тысяч": 1e3, "тыс": 1e3, "million": 1e6, "миллион": 1e6, "млн": 1e6, "m": 1e6}
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


@dataclass(frozen=True, slots=True)
class Marks:
    """What sets a statement apart.

    Attributes:
        identifiers, names, dates: folded. numbers: unit ("" where none) → values. clocks: times of day ("15:30").
    """

    identifiers: frozenset[str]
    names: frozenset[str]
    dates: frozenset[str]
    clocks: frozenset[str]
    numbers: Mapping[str, frozenset[float]]


def identifiers(text: str) -> list[str]:
    """Identifiers of a text in order of place: paths, hosts, versions, ticket numbers, names of code and settings."""
    return [name for name, _ in _identified(text)]


def _identified(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Identifiers (folded, each once, at most :data:`MOST`) with the place where each stands."""
    text = text[:MAX_CHARS]
    found: dict[str, tuple[int, int]] = {}
    taken: list[tuple[int, int]] = []
    for _, pattern, _ in IDENTIFIERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if len(taken) >= MOST or any(a < end and start < b for a, b in taken):
                continue
            taken.append((start, end))
            found.setdefault(fold(match.group().strip("`# №().,")), (start, end))
    words = raw_words(text)
    place = before = 0  # content words so far
    for word, after, following in zip(words, words[1:], [*words[2:], ""], strict=False):
        place = max(text.find(word, place), 0)
        # "Room 101 is taken" names a room; "we meet in room 101" says where.
        dated = _named_day(fold(following), _MONTHS)
        if before < 2 and after.isdigit() and not dated and (stems := terms(word)) and stems[-1] in NUMBERED_NOUNS:
            found.setdefault(after, (place, place + len(word) + 1 + len(after)))
        before += bool(content_stems([fold(word)]))
    return sorted(((name, place) for name, place in found.items() if name), key=lambda pair: pair[1])


#: Identifiers that are as often the value of a thing as its name.
_VALUE_KINDS = re.compile(r"v?\d+(?:\.\d+){1,3}(?:[-+:]?\w{1,12})?")


def may_be_value(identifier: str) -> bool:
    """Whether an identifier may be the value of something ("the client is at 0.4.0", "the base is at 10.0.0.9")."""
    return _VALUE_KINDS.fullmatch(identifier) is not None


@lru_cache(maxsize=8_192)
def _named_day(word: str, listed: tuple[str, ...]) -> int | None:
    for number, forms in enumerate(listed):
        for form in forms.split():
            if word == form or (not form.isascii() and len(form) > 3 and word.startswith(form)):
                return number + 1
    return None


def _dates(text: str) -> Iterator[str]:
    for match in re.finditer(
        r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)|(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d|\.\d)", text
    ):
        year, month, day, d, m, y = match.groups()
        yield f"{int(m or month)}/{int(d or day)}"
        yield f"y{year or y}"
    words = [re.sub(r"(?<=\d)-?(?:st|nd|rd|th|го|е)$", "", w) for w in split_words(text)]
    for i, word in enumerate(words):
        month_of = _named_day(word, _MONTHS)
        if month_of and not (word in ("may", "mar", "march", "sept") and not _near_number(words, i)):
            day_of = next(
                (n for j in (i - 1, i + 1, i - 2) if 0 <= j < len(words) and (n := _day_number(words[j]))), None
            )
            yield f"{month_of}/{day_of}" if day_of else f"{month_of}/"
        elif weekday := _named_day(word, _DAYS):
            if len(word) > 3 or not word.isascii():
                yield f"d{weekday}"
        elif re.fullmatch(r"(?:19|20)\d\d", word):
            yield f"y{word}"


def _near_number(words: list[str], i: int) -> bool:
    around = words[max(0, i - 2) : i] + words[i + 1 : i + 2]
    return any(
        _day_number(w) or w in ("in", "since", "until", "for", "of", "by") or re.fullmatch(r"\d{4}", w) for w in around
    )


def _day_number(word: str) -> int | None:
    if word.isdigit() and 1 <= int(word[:9]) <= 31:
        return int(word)
    for stem, value in _ORDINALS.items():
        if word == stem or (not stem.isascii() and word.startswith(stem)):
            return int(value)
    return None


_HALF = "am|pm|утра|вечера|ночи"
#: "16:30", "4:30 pm", "4 pm", «8 утра», «3 часа дня»; «3 дня» are days.
_CLOCK = re.compile(
    rf"(?<![\d.:])([01]?\d|2[0-4])[:.]([0-5]\d)(?![\d:]|\.\d)(?:\s?({_HALF}|дня)\b)?"
    rf"|(?<![\d.:])(1?\d)(?:\s?({_HALF})|\s?час(?:а|ов)?\s({_HALF}|дня))\b",
    re.I,
)
_AT = re.compile(
    rf"\b(?:at|в|к) (\d{{1,2}}|{'|'.join(NUMBER_WORDS)})(?=\s?(?:am|pm|o'clock|утра|вечера|дня|ночи|час)|\s?[.,;!?)]?\s*$|[.,;!?]\s)",
    re.I,
)
_AFTER = re.compile(rf"(?:\s?(?:o'clock|час(?:а|ов)?))?\s({_HALF}|дня)\b", re.I)


def _clocks(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    read: list[tuple[int, int]] = []
    for match in _CLOCK.finditer(text):
        hour, minute, half, bare, *behind = match.groups()
        half = (half or behind[0] or behind[1] or "").lower()
        if match.group().find(".") > 0 and not half:
            continue  # 3.10 is more often a version
        read.append(match.span())
        yield match.span(), f"{hour_of(int(hour or bare), half)}:{minute or '00'}"
    for match in _AT.finditer(text):
        at = int(NUMBER_WORDS.get(match[1].lower(), match[1]))
        if at <= 24 and not any(start < match.end() and match.start(1) < end for start, end in read):
            half = _AFTER.match(text, match.end())
            yield match.span(), f"{hour_of(at, half[1].lower() if half else '')}:00"


@lru_cache(maxsize=2_048)  # one statement is compared with several, one after the other
def marks(text: str) -> Marks:
    """What sets a statement apart from others that sound alike."""
    text = text[:MAX_CHARS]
    named = _identified(text)
    clocks = list(_clocks(text))
    rest = _without(text, [span for span, _ in clocks])
    return Marks(
        identifiers=frozenset(name for name, _ in named),
        names=frozenset(" ".join(terms(name)) for name in names(text)),
        dates=frozenset(_dates(rest)),
        clocks=frozenset(clock for _, clock in clocks),
        numbers=_numbers(_without(rest, [span for _, span in named])),
    )


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with blanks in the place of some spans."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _numbers(text: str) -> Mapping[str, frozenset[float]]:
    """Unit → values. A number without a unit stands under the content word after it, or else under ""."""
    out: dict[str, set[float]] = {}
    flat = re.sub(r"(?<=\d)-?(?:st|nd|rd|th|го|е)\b", "", text)
    flat = re.sub(r"(?<=\d)[ \u00a0,](?=\d{3}(?!\d))", "", flat)
    flat = re.sub(r"(\d)([^\W\d_]+)", r"\1 \2", re.sub(r"([$€₽%°])", r" \1 ", flat))
    tokens = [fold(t) for t in re.findall(r"[$€₽%°]|[^\W\d_]+|\d+(?:[.,]\d+)?(?:\.\d+)*", flat)]
    stop = stop_terms()
    for i, token in enumerate(tokens):
        value = NUMBER_WORDS.get(token)
        if value is not None and 0 < value < 10 and i and 20 <= NUMBER_WORDS.get(tokens[i - 1], 0) <= 90:
            continue  # the second half of "thirty four"
        if (
            value is not None
            and 20 <= value <= 90
            and 0 < NUMBER_WORDS.get(tokens[i + 1] if i + 1 < len(tokens) else "", 0) < 10
        ):
            value += NUMBER_WORDS[tokens[i + 1]]
        if value is None and token[0].isdigit() and token.count(".") < 2 and len(token) < 16:
            value = float(token.replace(",", "."))
        if value is None or any(_named_day(t, _MONTHS) for t in tokens[max(0, i - 1) : i + 2]) or 1900 <= value < 2100:
            continue
        j = i + 1
        if j < len(tokens) and (stem := _scale(tokens[j])):
            value, j = value * stem, j + 1
        before = tokens[i - 1] if i else ""
        after = tokens[j] if j < len(tokens) else ""
        unit = UNITS.get(after) or (UNITS[before] if before in ("$", "€", "₽") else "")
        if not unit and before.isalpha() and (stems := terms(before)) and stems[-1] in NUMBERED_NOUNS:
            unit = stems[-1]
        if not unit and after.isalpha() and (stems := terms(after)) and stems[0] not in stop:
            unit = stems[0]
        out.setdefault(unit, set()).add(value)
    return {unit: frozenset(values) for unit, values in out.items()}


def _scale(word: str) -> float | None:
    return next((s for w, s in _SCALES.items() if word == w or (len(w) > 4 and word.startswith(w))), None)


def capitalised(text: str) -> frozenset[str]:
    """Stems of all words with a capital, sentence-initial ones included, but for function words and names of days."""
    return frozenset(
        t
        for word in raw_words(text[:MAX_CHARS])
        if word[0].isupper() and fold(word) not in NOT_NAMES
        for t in content_stems([fold(word)])
    )


def told_apart(a: str, b: str) -> tuple[str, ...]:
    """By what two statements are about different things: ``identifier``, ``name``, ``number``, ``date``.

    A kind tells apart where each has something of it that the other lacks: "PR #260" and "PR #480". What only one of
    them names ("PR #260" and "the request") leaves it open. Numbers, dates and the like may be just the values that a
    statement gives: whether they part two subjects or contradict each other is the caller's to judge.
    """
    left, right = marks(a), marks(b)
    out = []
    if _differ(left.identifiers, right.identifiers):
        out.append("identifier")
    if _differ(left.names, right.names):
        out.append("name")
    if any(_differ(left.numbers[u], right.numbers[u]) for u in left.numbers.keys() & right.numbers.keys()):
        out.append("number")
    if _differ(left.dates, right.dates) or _differ(left.clocks, right.clocks):
        out.append("date")
    return tuple(out)


def _differ(a: frozenset[str] | frozenset[float], b: frozenset[str] | frozenset[float]) -> bool:
    return bool(set(a) - set(b)) and bool(set(b) - set(a))
