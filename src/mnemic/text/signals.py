"""Signs that two short statements contradict each other, English and Russian: pure, no model.

Four signals, each with its weight; together they reach a finding at :data:`FINDING`. A signal fires only where both
texts speak of the same thing: they share what they are about, and nothing tells their subjects apart (another
identifier, another name, another person speaking of themselves, another day). One signal alone is a hint; it is a
finding where the texts agree in everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .analyse import fold, stop_terms, terms
from .marks import NUMBER_STEMS, Marks, capitalised, marks
from .opposites import table
from .wording import CHANGE, MAX_CHARS, content_stems, find, polarity, split_words

__all__ = ["FINDING", "KIN", "WEIGHTS", "Contradiction", "contradiction", "folded", "person", "same_thing"]

#: Signal → what it adds to the score.
WEIGHTS: Mapping[str, float] = {"negation": 0.35, "antonym": 0.25, "numeric": 0.25, "temporal": 0.15}
#: Added once where a signal fired and the texts agree in all other content: then one signal is enough.
ALL_ELSE_EQUAL = 0.15
#: From this score on a pair is worth looking at.
FINDING = 0.40
#: Share of the shorter text's content that the other must hold too.
_SHARED = 0.5

#: Who a sentence is about where a pronoun says it; two persons are two subjects.
_PERSONS: Mapping[str, str] = {
    **dict.fromkeys(
        [
            "i",
            "me",
            "my",
            "mine",
            "myself",
            "we",
            "our",
            "us",
            "я",
            "меня",
            "мне",
            "мной",
            "мой",
            "моя",
            "мое",
            "мои",
            "мы",
            "нас",
            "нам",
            "наш",
            "наша",
            "наше",
            "наши",
            "мою",
            "моего",
            "моей",
            "моем",
            "моему",
            "моим",
            "моими",
            "моих",
            "нашу",
            "нашего",
            "нашей",
            "нашем",
            "нашему",
            "нашим",
            "нашими",
            "наших",
        ],
        "I",
    ),
    **dict.fromkeys(["he", "him", "his", "himself", "он", "его", "него", "ему", "нему", "ним", "нем"], "he"),
    **dict.fromkeys(["she", "her", "hers", "herself", "она", "ее", "нее", "ей", "ней"], "she"),
    **dict.fromkeys(["they", "them", "their", "они", "их", "них", "им", "ними"], "they"),
    **dict.fromkeys(["you", "your", "yours", "ты", "тебя", "тебе", "твой", "твоя", "вы", "вас", "вам", "ваш"], "you"),
}
#: Whose somebody is: "my sister lives in Tver" is not about me.
KIN = frozenset(
    terms(
        "sister brother mother father mom dad wife husband son daughter uncle aunt cousin grandmother grandfather boss colleague"
        " friend neighbour neighbor boyfriend girlfriend partner roommate team company"
        " сестра сестры сестре брат брату мать мама маме отец папа папе жена жены жене муж мужу сын сыну дочь дочери дядя тетя"
        " бабушка дедушка начальник начальница коллега друг друга подруга сосед соседка парень девушка партнер команда компания"
    )
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What was found.

    Attributes:
        signals: name → the words it was read from, for a person. score: sum of the weights, 0…1.
    """

    signals: Mapping[str, str]
    score: float

    @property
    def found(self) -> bool:
        """Whether it is a finding."""
        return self.score >= FINDING


@dataclass(frozen=True, slots=True)
class _Read:
    """A statement as signals see it."""

    words: tuple[str, ...]
    stems: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]
    marks: Marks
    capital: frozenset[str]
    person: str
    kin: frozenset[str]
    changes: bool


def person(words: Sequence[str]) -> str:
    """Who a sentence speaks of where a pronoun near its beginning says it ("I", "he", …), "" where none does."""
    return next((_PERSONS[w] for w in words[:6] if w in _PERSONS), "")


def _read(text: str) -> _Read:
    text = text[:MAX_CHARS]
    words = split_words(text)
    affirmed, denied = polarity(text)
    every = frozenset(terms(text))
    return _Read(
        words=tuple(words),
        stems=frozenset(content_stems(words)),
        affirmed=affirmed,
        denied=denied,
        marks=marks(text),
        capital=capitalised(text),
        person=person(words),
        kin=every & KIN,
        changes=bool(find(words, CHANGE)),
    )


def contradiction(a: str, b: str) -> Contradiction:
    """Signals that two statements cannot both be true at one time.

    Symmetric. Only the first :data:`~.wording.MAX_CHARS` characters are read.
    """
    left, right = _read(a), _read(b)
    signals: dict[str, str] = {}
    if not _parted(left, right):
        for name, found in (
            ("negation", _negation(left, right)),
            ("antonym", _antonym(left, right)),
            ("numeric", _numeric(left, right)),
        ):
            if found:
                signals[name] = found
        if _differ_in_numbers(left, right):  # "request 12 was granted", "request 21 was refused"
            signals = {name: found for name, found in signals.items() if name == "numeric"}
        if found := _dates(left, right):
            signals = {"temporal": found}  # what differs besides differs on another day
        elif signals and (found := _change(left, right)):
            signals["temporal"] = found
    score = sum(WEIGHTS[name] for name in signals)
    if signals and _all_else_equal(left, right):
        score += ALL_ELSE_EQUAL
    return Contradiction(signals, round(min(1.0, score), 2))


def same_thing(a: str, b: str) -> bool:
    """Whether two statements may be about the same thing: shared content, no other identifier, name or person."""
    left, right = _read(a), _read(b)
    return not _parted(left, right) and _overlap(left.stems, right.stems) >= _SHARED


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Share of the smaller set that the other has."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _differ(a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(a - b) and bool(b - a)


def _differ_in_numbers(a: _Read, b: _Read) -> bool:
    one = {v for values in a.marks.numbers.values() for v in values}
    other = {v for values in b.marks.numbers.values() for v in values}
    return bool(one - other) and bool(other - one)


def _parted(a: _Read, b: _Read) -> bool:
    """Whether something tells the subjects of two statements apart."""
    if a.person and b.person and a.person != b.person:
        return True
    if a.kin != b.kin and (a.person or b.person):
        return True
    if _differ(a.marks.identifiers, b.marks.identifiers):
        return True
    # A capital on both sides that the other lacks: Anna and Boris. At the beginning of a sentence any word has one,
    # so there it counts only where it opens both.
    left, right = a.capital - b.stems, b.capital - a.stems
    return bool(left and right)


def _rest(a: _Read, b: _Read, *but: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """What is shared, and what each has alone, of content other than numbers and the words in question."""
    drop = {*but, *(s for s in a.stems | b.stems if s[:1].isdigit() or s in NUMBER_STEMS)}
    left, right = a.stems - drop, b.stems - drop
    return left & right, left - right, right - left


def _negation(a: _Read, b: _Read) -> str:
    """A predicate that one affirms and the other denies."""
    for one, other in ((a, b), (b, a)):
        flipped = (one.denied - one.affirmed) & (other.affirmed - other.denied)
        if not flipped:
            continue
        shared, left, right = _rest(one, other)
        # Each with something of its own: "runs Linux", "does not run Windows".
        if left and right and len(shared) < 3:
            continue
        if len(shared) / max(1, min(len(shared) + len(left), len(shared) + len(right))) >= _SHARED:
            return " ".join(sorted(flipped))
    return ""


def _antonym(a: _Read, b: _Read) -> str:
    """A word in one whose opposite is in the other, neither denied, the rest alike."""
    opposites = table()
    mine, theirs = _all_stems(a), _all_stems(b)
    for stem in sorted(mine - theirs):
        for other in sorted(opposites.get(stem, frozenset()) & (theirs - mine)):
            if (stem in a.denied) != (other in b.denied):
                continue  # "not good" and "bad" agree
            shared, left, right = _rest(a, b, stem, other)
            if shared and not (left and right and len(shared) < 2) and _agree(shared, left, right):
                return f"{stem} / {other}"
    return ""


def _all_stems(read: _Read) -> frozenset[str]:
    """Content, and the stop words that have opposites ("on", "up", "all")."""
    opposites = table()
    return read.stems | {t for w in read.words for t in terms(w) if t in stop_terms() and t in opposites}


def _agree(shared: frozenset[str], left: frozenset[str], right: frozenset[str]) -> bool:
    return len(shared) / (len(shared) + min(len(left), len(right))) >= _SHARED


def _numeric(a: _Read, b: _Read) -> str:
    """Another number of the same unit, of the same thing."""
    shared, left, right = _rest(a, b)
    if not shared or not _agree(shared, left, right) or (left and right and len(shared) < 2):
        return ""
    for unit in sorted(a.marks.numbers.keys() & b.marks.numbers.keys()):
        one, other = a.marks.numbers[unit], b.marks.numbers[unit]
        if not one & other:
            return f"{_shown(one)} / {_shown(other)} {unit}".strip()
    if _differ(a.marks.clocks, b.marks.clocks):
        return f"{' '.join(sorted(a.marks.clocks))} / {' '.join(sorted(b.marks.clocks))}"
    return ""


def _shown(values: frozenset[float]) -> str:
    return " ".join(f"{value:g}" for value in sorted(values))


def _dates(a: _Read, b: _Read) -> str:
    """Another date of the same thing."""
    shared, left, right = _rest(a, b)
    one, other = a.marks.dates, b.marks.dates
    if shared and _agree(shared, left, right) and _differ(one, other) and not one & other:
        return f"{' '.join(sorted(one))} / {' '.join(sorted(other))}"
    return ""


def _change(a: _Read, b: _Read) -> str:
    """One of the two says that it is otherwise than before."""
    if a.changes == b.changes:
        return ""
    said = a if a.changes else b
    first, past = find(said.words, CHANGE)[0]
    return " ".join(said.words[first:past])


def _all_else_equal(a: _Read, b: _Read) -> bool:
    """Whether the content that is left without opposites and numbers is one and the same."""
    opposites = table()
    mine, theirs = _all_stems(a), _all_stems(b)
    drop = {s for s in mine if opposites.get(s, frozenset()) & theirs} | {
        s for s in theirs if opposites.get(s, frozenset()) & mine
    }
    shared, left, right = _rest(a, b, *drop)
    return bool(shared) and not left and not right


def folded(text: str) -> str:
    """A statement as it is compared word for word: folded, no signs, single spaces."""
    return " ".join(fold(word) for word in split_words(text))
