"""Whether two plain statements say the same in other words, and which says more. Pure functions on their texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..text.analyse import terms
from ..text.marks import NUMBER_STEMS, UNITS, Marks, capitalised, marks
from ..text.opposites import table
from ..text.same_words import senses
from ..text.wording import CHANGE, CORRECTION, Phrase, content_stems, find, polarity, split_words

__all__ = ["ONCE", "OPEN", "Sameness", "Text", "one_topic", "same", "take"]

#: Cosine of two texts from which they may be the same said otherwise. However high, it does not tell "bought" from "sold".
CLOSE = 0.80
#: Share of content words that two wordings of one thing have in common, at least.
ALIKE = 0.75
#: What is not so yet, or not surely: it ends nothing and nothing ends it.
OPEN: tuple[Phrase, ...] = (
    Phrase("might", "I might move to Vienna"), Phrase("may be", "It may be broken"), Phrase("maybe", "Maybe we move"),
    Phrase("perhaps", "Perhaps it is off"), Phrase("if", "If it rains, we stay"), Phrase("would", "I would move"),
    Phrase("could", "We could use Redis"), Phrase("plan to", "I plan to move"), Phrase("thinking of", "I am thinking of moving"),
    Phrase("thinking about", "I am thinking about moving"), Phrase("going to", "I am going to move"), Phrase("want to", "I want to move"),
    Phrase("может", "Может, перееду"), Phrase("может быть", "Может быть, перееду"), Phrase("возможно", "Возможно, перееду"),
    Phrase("если", "Если дождь, остаёмся"), Phrase("планиру*", "Планирую переехать"), Phrase("собира*", "Собираюсь переехать"),
    Phrase("думаю о", "Думаю о переезде"), Phrase("хочу", "Хочу переехать"), Phrase("хотел* бы", "Хотел бы переехать"),
)  # fmt: skip
#: What was so once, by its own words.
ONCE: tuple[Phrase, ...] = (
    Phrase("used to", "I used to live in Riga"), Phrase("formerly", "Formerly I lived in Riga"),
    Phrase("back then", "Back then I lived in Riga"), Phrase("as a child", "As a child I lived in Riga"),
    Phrase("раньше", "Раньше я жил в Риге"), Phrase("когда-то", "Когда-то я жил в Риге"),
    Phrase("в детстве", "В детстве я жил в Риге"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Text:
    """A statement taken apart."""

    words: tuple[str, ...]
    stems: frozenset[str]
    senses: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]
    marks: Marks
    capital: frozenset[str]
    changes: bool
    corrects: bool
    open: bool
    once: bool


def take(text: str) -> Text:
    words = split_words(text)
    affirmed, denied = polarity(text)
    corrects = bool(find(words, CORRECTION))
    form = {i for table in (CHANGE, CORRECTION) for first, past in find(words, table) for i in range(first, past)}
    found = marks(text)
    return Text(
        words=tuple(word for i, word in enumerate(words) if i not in form),
        stems=frozenset(content_stems(words)),
        senses=senses([word for i, word in enumerate(words) if i not in form]),
        affirmed=affirmed,
        denied=denied,
        marks=found,
        capital=capitalised(text),
        changes=bool(form) or corrects,
        corrects=corrects,
        open=bool(find(words, OPEN)),
        once=bool(find(words, ONCE)) or (any(d.startswith("y") for d in found.dates) and not form),
    )


Sameness = Literal["equal", "finer", "coarser"]


def one_topic(a: Text, b: Text) -> bool:
    return a.open == b.open and (a.once == b.once or a.marks.dates == b.marks.dates or not a.once or not b.once)


def same(a: Text, b: Text, cosine: float | None) -> Sameness | None:
    """Whether two texts say the same: the same content and the same polarity, and nothing that sets them apart."""
    if not a.stems or not b.stems or a.changes != b.changes:
        return None
    if _double_negation(a, b):
        return "equal"
    if (a.denied & b.affirmed) - a.affirmed or (b.denied & a.affirmed) - b.affirmed or bool(a.denied) != bool(b.denied):
        return None
    coarser = _coarser(a.marks.dates, b.marks.dates), _coarser(b.marks.dates, a.marks.dates)
    if any(coarser) and not _apart_but_dates(a.marks, b.marks) and _plain(a) == _plain(b):
        return "finer" if coarser[0] else "coarser"
    if _apart(a.marks, b.marks):
        return None
    shared, alike = a.senses & b.senses, _alike(a.senses, b.senses)
    bare = _bare(a.marks) == _bare(b.marks)
    if bare and _plain(a) == _plain(b):
        return "equal"
    if len(a.senses) >= 3 and a.senses < b.senses:
        return "finer"
    if bare and any(_bare(a.marks)) and _alike(_plain(a), _plain(b)) >= 0.5:
        return "equal"
    # Close in meaning, each with a word of its own: that is how two values differ, too. So only one may have more.
    left, right = _plain(a), _plain(b)
    nested = left <= right or right <= left
    close = cosine is not None and cosine >= CLOSE and _alike(left, right) >= 0.5
    if bare and nested and (alike >= ALIKE or close):
        return "equal"
    if shared == a.senses and len(shared) >= 2 and len(b.senses) > len(a.senses):
        return "finer"
    if shared == b.senses and len(shared) >= 2 and len(a.senses) > len(b.senses):
        return "coarser"
    return None


def _double_negation(a: Text, b: Text) -> bool:
    """Whether one denies a word whose opposite the other states, of one thing: "isn't reachable", "unreachable"."""
    for one, other in ((a, b), (b, a)):
        for denied in one.denied - one.affirmed - other.stems:
            said = {s for s in other.affirmed - one.stems if _opposite(denied, s)}
            if said and one.stems - {denied} == other.stems - said and _bare(a.marks) == _bare(b.marks):
                return True
    return False


#: What makes a word its own opposite at its beginning.
_UN = ("un", "in", "im", "ir", "dis", "не")


def _opposite(one: str, other: str) -> bool:
    if other in table().get(one, frozenset()):
        return True
    bare = next((other[len(p) :] for p in _UN if other.startswith(p)), "")
    return len(bare) >= 4 and (one.startswith(bare) or bare.startswith(one))


def _coarser(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether the first gives only the month of a date whose day the second gives ("5/" and "5/14")."""
    left, right = a - b, b - a
    return bool(left) and all(d.endswith("/") and any(r.startswith(d) for r in right) for d in left)


def _plain(text: Text) -> frozenset[str]:
    """Its content without what identifiers and numbers are made of."""
    marked = {t for i in text.marks.identifiers for t in terms(i)}
    return frozenset(s for s in text.senses - marked - NUMBER_STEMS - _UNIT_STEMS if not s[0].isdigit())


_UNIT_STEMS = frozenset(t for unit in UNITS for t in terms(unit))


def _alike(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0


def _bare(found: Marks) -> tuple[object, ...]:
    numbers = frozenset(v for values in found.numbers.values() for v in values)
    return found.identifiers, found.dates, found.clocks, numbers


def _apart_but_dates(a: Marks, b: Marks) -> bool:
    return _apart(replace(a, dates=frozenset()), replace(b, dates=frozenset()))


def _apart(a: Marks, b: Marks) -> bool:
    """Whether each has an identifier, a date, a time or a number that the other lacks."""
    left, right = _bare(a), _bare(b)
    return any(bool(x - y) and bool(y - x) for x, y in zip(left, right, strict=True))  # type: ignore[operator]
