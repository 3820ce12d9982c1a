"""Compiles the rows of :mod:`when_tables`, each at its first use, and says which to try on a text."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache

from .when_tables import (
    DAYPARTS,
    DECADES,
    EXPRESSIONS,
    FRAGMENTS,
    INCLUSIVE,
    JOINTS,
    LEADS,
    MONTHS,
    NAMED_DAYS,
    NUMBERS,
    ORDINALS,
    OTHER_CUES,
    PERIODS,
    PROMISES,
    RELATIVE,
    SEASONS,
    SHAPES,
    UNITS,
    VAGUE,
    WEEKDAYS,
    Joint,
    Row,
    Table,
)


def _words(table: Table[int] | Table[str], lang: str) -> str:
    """One alternation of all words of a table; stems with the same endings are grouped, to half the size."""
    stems: dict[str, list[str]] = {}
    for _, english, russian in table:
        words = english if lang == "en" else russian
        parted = re.fullmatch(r"([а-я]+)(\(\?:[^()]*\))", words)
        if words:
            stems.setdefault(parted[2] if parted else "", []).append(parted[1] if parted else words)
    return "(?:" + "|".join(f"(?:{'|'.join(group)}){ending}" for ending, group in stems.items()) + ")"


@cache
def _macros(lang: str) -> dict[str, str]:
    """What ``{name}`` stands for in the patterns of one language."""
    unit, number, rel = _words(UNITS, lang), _words(NUMBERS, lang), _words(RELATIVE, lang)
    digits = r"(?<![0-9][.,])[0-9]{1,4}(?:[.,]5)?"
    count = rf"(?:{digits}|{number}(?:[\s-]{{1,3}}(?:and )?{number}){{0,2}})"
    count = rf"(?:{count}(?:(?: ?[-–—] ?| (?:or|to|или) ){count})?|{VAGUE})"
    if lang == "en":
        amount = (
            rf"(?:half an? {unit}|an? {unit} or two"
            rf"|(?:an? (?:{number} )?|{count} )(?:and a half )?{unit}(?: and a half)?)"
        )
        year = rf"(?:{rel} year)"
    else:
        one = "(?:год|месяц|неделю|день|сутки|час|минуту|минутку|секунду|квартал|десятилетие)"
        amount = (
            rf"(?:{count} (?:с половиной )?{unit}|полтор[аы] {unit}"
            rf"|пол(?:года|часа|месяца|дня)|{unit} {count}|(?<!половиной\s){one})"
        )
        year = rf"(?:{rel} год(?:а|у|ом|е)?)"
    plain_year = r"(?:19|20)[0-9]{2}(?![\w:/-]|[.,][0-9])(?: (?:год(?:а|у|ом|е)?|г\b\.?))?"
    return {
        "month": _words(MONTHS, lang),
        "weekday": _words(WEEKDAYS, lang),
        "season": _words(SEASONS, lang),
        "dayword": _words(NAMED_DAYS, lang),
        "period": _words(PERIODS, lang),
        "decade": _words(DECADES, lang),
        "daypart": _words(DAYPARTS, lang),
        "rel": rel,
        "unit": unit,
        "ord": _words(ORDINALS, lang),
        "amount": amount,
        "year": "(?:(?:19|20)[0-9]{2})",
        "day": "(?:3[01]|[12][0-9]|0?[1-9])",
        "nthday": rf"(?:(?:{_words(ORDINALS[-2:], lang)}[\s-]{{1,3}})?{_words(ORDINALS[1:], lang)})",
        "yref": rf"(?:{plain_year}|{year})",
    }


def expand(pattern: str, lang: str) -> str:
    """The regular expression of a row: ``{day}`` is a named group, ``{day=d1}`` is d1, ``{?day}`` unnamed."""

    def named(found: re.Match[str]) -> str:
        words = _macros("ru" if lang == "ru" else "en")[found[2]]
        return words if found[1] else f"(?P<{found[3] or found[2]}>{words})"

    pattern = re.sub(r"\{([a-z_]+)\}", lambda m: FRAGMENTS.get(m[1], m[0]), pattern)
    expanded = re.sub(r"\{(\??)([a-z]+)(?:=([a-z0-9]+))?\}", named, pattern)
    return expanded.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")


#: What a text must hold for a pattern to be worth trying, as "month:en".
_KINDS: dict[str, Table[int] | Table[str]] = {
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "season": SEASONS,
    "dayword": NAMED_DAYS,
    "decade": DECADES,
    "daypart": DAYPARTS,
    "unit": (*UNITS, *PERIODS, ("half", "", "пол(?:года|часа|месяца|дня)")),
}


_ENGLISH, _RUSSIAN = re.compile("[a-z]"), re.compile("[а-я]")


@cache
def _cue(lang: int) -> re.Pattern[str]:
    """One cheap pattern that is in every text of a language that holds an expression (tested), and in few others."""
    forms = {both[lang] for table in _KINDS.values() for _, *both in table}
    words = [form for form in forms if form and not form.startswith("(?:the")]
    any_of = "|".join((*sorted(words), OTHER_CUES)).replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")
    return re.compile(rf"(?<!\w)(?:{any_of})(?!\w)|(?<![0-9])(?:19|20)[0-9]{{2}}(?![0-9])")


@cache
def _relative_words() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:(?P<en>{_words(RELATIVE, 'en')})|{_words(RELATIVE, 'ru')})(?!\w)")


@cache
def _form_of(kind: str) -> re.Pattern[str]:
    """All forms of the words of a kind."""
    return re.compile("|".join(f"{english}|{russian}" for _, english, russian in _KINDS[kind]))


@lru_cache(4096)
def _kinds_of(word: str) -> frozenset[str]:
    languages = [lang for lang, letters in (("en", "[a-z]"), ("ru", "[а-я]")) if re.search(letters, word)]
    found = list(languages)
    for kind in _KINDS:
        if _form_of(kind).fullmatch(word):
            found += [f"{kind}:{lang}" for lang in languages]
    return frozenset((*found, "num") if re.search("[0-9]", word) else found)


def kinds(folded: str) -> frozenset[str]:
    """The kinds of word a text holds: languages, tables, ``num`` for digits; empty when it has no cue."""
    # Of most texts the pattern of one language is enough; compiling both holds up the first answer of a process.
    russian = _RUSSIAN.search(folded) is not None
    languages = [lang for lang, there in enumerate((not russian or _ENGLISH.search(folded), russian)) if there]
    words = {m[0] for lang in languages for m in _cue(lang).finditer(folded)}
    if not words:
        return frozenset()
    relative = {"rel:en" if m["en"] else "rel:ru" for m in _relative_words().finditer(folded)}
    return frozenset().union(relative, *map(_kinds_of, words))


class Pattern:
    """A row with its pattern in one language, compiled when a text first holds the kinds of word it needs."""

    def __init__(self, row: Row, lang: str, before: str, after: str) -> None:
        self.row = row
        certain = row.pattern.replace("(?:{rel} )?", "")
        names = {a or b for a, b in re.findall(r"\{\??([a-z]+)|\(\?P<(unit)>", certain)}
        names = {"unit" if n in ("period", "amount") else n for n in names} & {*_KINDS, "rel"}
        #: The kinds without which it cannot match. A lead word may be in another language than what it leads.
        self.needs = frozenset(f"{n}:{lang}" for n in names) | ({lang} if not after.endswith("Z") else set())
        self.lang = lang
        self._guards = before, after
        self._words = row.hint.split("|") if row.hint.replace("|", "").isalpha() else []

    def promises(self, part: str) -> bool:
        """Whether a part of a text holds what every match holds; its own pattern is not compiled for that."""
        return any(word in part for word in self._words) if self._words else re.search(self.row.hint, part) is not None

    @cached_property
    def regex(self) -> re.Pattern[str]:
        before, after = self._guards
        return re.compile(before + expand(self.row.pattern, self.lang) + after)


def _patterns(rows: tuple[Row, ...], before: str, after: str) -> tuple[Pattern, ...]:
    pairs = ((row, lang) for row in rows for lang in (("en", "ru") if row.lang == "both" else (row.lang,)))
    return tuple(Pattern(row, lang, before, after) for row, lang in pairs)


EXPRESSION_PATTERNS = _patterns(EXPRESSIONS, r"(?<!\w)(?<![0-9][.,:/-])(?:", r")(?!\w)")
#: These stand right before an expression: searched in the text that ends there.
SHAPE_PATTERNS = _patterns(SHAPES, r"(?<!\w)(?:", r")(?:[\s-]{1,3}|(?<=-))\Z")
LEAD_PATTERNS = _patterns(LEADS, r"(?<!\w)(?:", r")\s{1,3}\Z")


@cache
def joints() -> tuple[tuple[Joint, re.Pattern[str], re.Pattern[str]], ...]:
    """Every row of :data:`JOINTS` with its two patterns: left of the first expression, and the gap."""
    found = []
    for row in JOINTS:
        lead = re.compile(rf"(?<!\w)(?:{expand(row.lead, 'en')})\Z")
        found.append((row, lead, re.compile(expand(row.gap, "en"))))
    return tuple(found)


@cache
def inclusive() -> re.Pattern[str]:
    """Words after an expression that count the day it names in."""
    return re.compile(expand(INCLUSIVE, "en"))


def promised(folded: str) -> bool:
    """Whether a text holds one of :data:`PROMISES`."""
    return any(
        _promise(n, "").search(folded) and _promise(n, then).search(folded) for n, (*_, then) in enumerate(PROMISES)
    )


@cache
def _promise(number: int, then: str) -> re.Pattern[str]:
    """The pattern of one of :data:`PROMISES`: with what follows the first word, or of that word alone, soon compiled."""
    lang, first, _ = PROMISES[number]
    after = rf"\s(?:\w+\s){{0,2}}?(?:{expand(then, lang)})s?" if then else ""
    return re.compile(rf"(?<!\w)(?:{first}){after}(?!\w)")
