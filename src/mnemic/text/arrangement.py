"""What parts two statements made of the same words: signs and identifiers to the letter, and what stands where.

"Use tabs instead of spaces" and "Use spaces instead of tabs" hold the same words, and so do ``x > 5`` and ``x < 5``,
"apartment 12A" and "12B", «Иванов подписывает» and «Иванова подписывает». Whoever merges statements asks here first. Pure,
English and Russian, made to say "parted" rather once too often: what is kept beside its like costs little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .analyse import fold, raw_words, terms
from .equivalents import PREPOSITIONS, canonical
from .particulars import Particulars, differ, particulars
from .stopwords import STOP_WORDS
from .wording import MAX_CHARS, listed

__all__ = ["Arrangement", "arrange", "parted"]

#: Comparison and pattern signs anywhere, signs of reckoning between spaces.
_OPERATORS = re.compile(r"[<>=≤≥≠^|~]+|(?<=\s)[+*/−-](?=\s)|(?<=\w)\$(?!\w)")
#: "0042" is not 42; times and dates with a nought are compared as such.
_LEADING_ZEROS = re.compile(r"(?<![\w.,:/-])(?<!\d )0\d+(?![.,:/-]?\d)")
#: The letter of a number ("12A"), where it is no unit.
_NUMBERED = re.compile(r"\d([A-Za-zА-Яа-яЁё])(?!\w)")
_UNIT_LETTERS = listed("m h k d s g w x l c t v м ч с г д к л т в")
_NEGATIVE = re.compile(r"(?<![\w)])[-\u2212](\d+)")
_SCORE = re.compile(r"(?<![\w:.])\d{1,2}:\d(?![\d:])")
_FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
_SHARP = re.compile(r"\b[A-Za-z](?:#|\+\+)")
_IDENTIFIER = re.compile(r"[A-Za-z]*[a-z][A-Z]\w*|\w*[^\W_]_\w+")
#: What a measure is said to be; where two statements each say so, they must say the same.
_MEASURES: Mapping[str, re.Pattern[str]] = {
    "bytes": re.compile(r"(?<![A-Za-z])[KMGT](i?[Bb])(?![A-Za-z])"),  # a thousand or 1,024, bytes or bits
    "percent": re.compile(r"(\d+(?:[.,]\d+)?) ?%"),
    "before": re.compile(r"(?<!\w)(by|to|from|на|до|с|от) [$€£₽]?\d", re.I),  # up by 5 % is not up to 5 %
    "rate": re.compile(
        r"(?<!\w)(?:per|a|an|each|every|в|за|кажд\w+) (hour|day|week|month|quarter|year|час|день|недел|месяц|квартал|год)", re.I
    ),
    "hour": re.compile(r"(?:час\w*|\d) ?(дня|ночи|утра|вечера|am|pm)(?!\w)", re.I),
    "bound": re.compile(r"(?<!\w)(?:не|at|no) (менее|более|меньше|больше|раньше|позже|позднее|least|most|more|less|fewer|later|earlier)", re.I),
}  # fmt: skip
#: Prepositions that turn a statement into another one, canonical.
_TURNING = listed("before after over under with without до после с без")
_PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys(listed("i me my mine я мне меня мной мой моя мое мои"), "i"),
    **dict.fromkeys(listed("we us our мы нас нам нами наш наша наше наши"), "we"),
    **dict.fromkeys(listed("you your ты тебя тебе вы вас вам твой ваш"), "you"),
    **dict.fromkeys(listed("he him his она ее ей he she her он его ему они их им they them"), "they"),
}
#: Words of the passive.
_TURNED = listed("by нами мной мною")
#: Words that a sentence is put together with, and that may come and go.
_GLUE = STOP_WORDS - listed("instead than before after but except кроме вместо чем")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A statement by its letters and its order.

    Attributes:
        exact: signs and marks that must be the same ones. identifiers: words with a capital or a line inside, folded.
        single: letters that stand alone ("vitamin B"). measures: by kind of :data:`_MEASURES`.
        under: preposition → the steps after it.
        steps: whatever could change places with something else, in order. forms: Russian words as written, in order.
        words: all words, folded. turned: a passive, whose order says nothing beside an active sentence. small: the rest.
    """

    exact: tuple[tuple[str, ...], ...]
    identifiers: frozenset[str]
    single: tuple[str, ...]
    measures: Mapping[str, frozenset[str]]
    under: Mapping[str, frozenset[str]]
    steps: tuple[str, ...]
    forms: tuple[str, ...]
    words: frozenset[str]
    turned: bool
    small: Particulars


def arrange(text: str) -> Arrangement:
    """Take a statement apart; the first 4,000 characters count."""
    text = text[:MAX_CHARS]
    raw = raw_words(text)
    folded = [fold(word) for word in raw]
    canon = canonical()
    steps: list[str] = []
    under: dict[str, set[str]] = {}
    preposition = ""
    for word, low in zip(raw, folded, strict=True):
        if low in PREPOSITIONS:
            preposition = PREPOSITIONS[low]
            continue
        if low in _PRONOUNS:
            steps.append(_PRONOUNS[low])
        elif low not in _GLUE or (len(word) == 1 and word.isupper() and steps):
            steps += [canon.get(stem, stem) for stem in terms(low)[-1:]]
        else:
            continue
        if preposition:
            under.setdefault(preposition, set()).add(steps[-1])
        preposition = ""
    return Arrangement(
        exact=(
            tuple(_OPERATORS.findall(text)),
            tuple(_NEGATIVE.findall(text)),
            tuple(_LEADING_ZEROS.findall(text)),
            tuple(sorted(letter for letter in map(fold, _NUMBERED.findall(text)) if letter not in _UNIT_LETTERS)),
            tuple(sorted(_FLAG.findall(text))),
            tuple(sorted(map(fold, _SHARP.findall(text)))),
            tuple(_SCORE.findall(text)),
        ),
        identifiers=frozenset(fold(word) for word in raw if _IDENTIFIER.fullmatch(word)),
        single=tuple(sorted(w for w in raw[1:] if len(w) == 1 and w.isalpha() and w.isupper() and w not in "IЯ")),
        measures={
            kind: frozenset(found if kind == "bytes" else map(fold, found))
            for kind, pattern in _MEASURES.items()
            if (found := pattern.findall(text))
        },
        under={word: frozenset(steps) for word, steps in under.items()},
        steps=tuple(steps),
        forms=tuple(word for word in folded if not word.isascii() and word not in _GLUE),
        words=frozenset(folded),
        turned=bool(_TURNED & set(folded)),
        small=particulars(text),
    )


def parted(a: Arrangement, b: Arrangement, *, values: bool = False) -> str:
    """By what two statements are different ones though their words are the same; "" where they may be one.

    ``values``: they are no sentences, but names or amounts, and have neither tense nor person.
    """
    if a.exact != b.exact or a.single != b.single:
        return "signs"
    if any(a.measures[kind] != b.measures[kind] for kind in a.measures.keys() & b.measures.keys()):
        return "measures"
    if _nearly_named(a, b) or _nearly_named(b, a):
        return "identifiers"
    if _governed_otherwise(a, b):
        return "prepositions"
    if _other_gender(a.forms, b.forms):
        return "gender"
    return ("" if values else differ(a.small, b.small, turned=a.turned or b.turned)) or (
        "order" if a.turned == b.turned and _rearranged(a, b) else ""
    )


def _nearly_named(a: Arrangement, b: Arrangement) -> bool:
    """Whether the second holds a word of the same stem as an identifier of the first, and not that one: UserRepos."""
    missing = {stem for word in a.identifiers - b.words for stem in terms(word)}
    return bool(missing) and any(stem in missing for word in b.words - a.words for stem in terms(word))


def _governed_otherwise(a: Arrangement, b: Arrangement) -> bool:
    """Whether what both name stands under other prepositions: "lint before the tests", "the tests before lint"."""
    mine, theirs = (frozenset(r.under) & _TURNING for r in (a, b))
    if mine and theirs and mine != theirs:
        return True
    both = frozenset(a.steps) & frozenset(b.steps)
    return any(
        not one & other and one & both and other & both
        for one, other in ((a.under[word], b.under[word]) for word in a.under.keys() & b.under.keys())
    )


def _other_gender(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two Russian sentences differ by nothing but the sex of whom they speak of: «Иванов», «Иванова»."""
    if len(a) != len(b):
        return False
    differ = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    return bool(differ) and all(_masculine_and_feminine(*sorted(pair, key=len)) for pair in differ)


def _masculine_and_feminine(short: str, long: str) -> bool:
    return long == short + "а" or (short.endswith("ий") and long == short[:-2] + "ая")


def _rearranged(a: Arrangement, b: Arrangement) -> bool:
    """Whether what both statements name stands in an order that more than one move would bring about.

    "On Friday we deploy" has one piece moved; in "Anna lent Boris" and "Boris lent Anna" two have changed places.
    """
    left, right = _numbered(a.steps), _numbered(b.steps)
    both = set(left) & set(right)
    one, other = [step for step, n in left if (step, n) in both], [step for step, n in right if (step, n) in both]
    if one == other:
        return False
    first = next(i for i, (x, y) in enumerate(zip(one, other, strict=True)) if x != y)
    last = next(i for i, (x, y) in enumerate(zip(one[::-1], other[::-1], strict=True)) if x != y)
    for start, end in {(first, last), (first, 0), (0, last), (0, 0)}:  # words that repeat may seem to have stayed
        before, after = one[start : len(one) - end], other[start : len(other) - end]
        if any(before[i:] + before[:i] == after for i in range(1, len(before))):
            return False
    # Turned about its verb, a Russian sentence says by its cases who does what to whom: «Отчёт сдала Анна».
    about = any([*one[i + 1 :], one[i], *one[:i]] == other for i in range(1, len(one) - 1))
    return not (about and len(set(one)) == len(one) and a.forms and set(a.forms) == set(b.forms))


def _numbered(steps: Sequence[str]) -> list[tuple[str, int]]:
    """Each step with how often it stood before, so that "service A calls service B" has two services."""
    seen: Counter[str] = Counter()
    out = []
    for step in steps:
        out.append((step, seen[step]))
        seen[step] += 1
    return out
