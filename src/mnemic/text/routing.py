"""What questions a document answers: a rule made of its title, headings, the words it defines and those rare in it.

A question goes to a document as far as the rule holds its words, the rarer among all documents the more: half for all
of the rule and half for its best single phrase, since words that stand together under one heading say more than the
same words from everywhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

from ..lang.pack import filled, load, rows, words
from .analyse import query_terms, raw_words, stop_terms, terms
from .digest import plain

__all__ = ["KINDS", "LEAST", "Rule", "asked", "defined", "definitions", "rare", "rule_of", "score"]

#: Part of a rule → what a word there counts, and how it is called in a reason.
KINDS: Mapping[str, tuple[float, str]] = {
    "title": (1.0, "title"),
    "headings": (1.0, "heading"),
    "questions": (1.0, "question"),
    "defined": (1.0, "defines"),
    "rare": (0.8, "term"),
}
#: From this score on a question is for the document.
LEAST = 0.5
REASONS = 3
MOST_QUERY = 2_000  # characters of a question that are read
MOST = {"headings": 120, "defined": 60, "rare": 40, "questions": 12}
MOST_CHARS = 120  # of one phrase
MOST_WORD = 40  # characters of a rare word
_TERM = r"[^\W\d_][\w.+#/-]*(?: [\w.+#/-]+){0,4}"
_CAPITAL = r"[A-ZА-ЯЁ][\w.+#/-]*(?: [\w.+#/-]+){0,4}?"


@cache
def definitions() -> tuple[tuple[str, re.Pattern[str], str, str], ...]:
    """How a text says what a word means: name, pattern whose groups are the words defined, an example with one of
    them."""
    parts = {"term": _TERM, "capital": _CAPITAL}
    every = [*load("", "routing")["definition"], *(row for _, row in rows("routing", "definition"))]
    return tuple((row["name"], re.compile(filled(row["pattern"], parts)), row["example"], row["word"]) for row in every)


@cache
def _asking() -> frozenset[str]:
    """Stems of words by which one asks for a document and that say nothing of its subject."""
    return frozenset(term for word in words("routing", "asking") for term in terms(word))


@dataclass(frozen=True, slots=True)
class Rule:
    """What a document answers, as phrases in its own words."""

    title: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    defined: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()

    def dump(self) -> dict[str, list[str]]:
        """As JSON knows it, empty parts left out."""
        return {field.name: list(values) for field in fields(self) if (values := getattr(self, field.name))}

    @classmethod
    def load(cls, stored: object) -> Rule:
        """A stored rule; what cannot be read is left out."""
        given = stored if isinstance(stored, Mapping) else {}
        return cls(**{
            name: tuple(value for value in given.get(name, ()) if isinstance(value, str))
            for name in KINDS
            if isinstance(given.get(name, ()), list | tuple)
        })  # fmt: skip


def rule_of(title: str, sections: Sequence[tuple[Sequence[str], str]], questions: Iterable[str] = ()) -> Rule:
    """The rule of a document, from its sections (headings, outermost first, and body)."""
    headings = dict.fromkeys(
        plain(headings[-1])[:MOST_CHARS] for headings, _ in sections if headings and headings[-1].strip()
    )
    headings.pop(title, None)
    bodies = [body for _, body in sections]
    return Rule(
        title=(title[:MOST_CHARS],) if title else (),
        headings=tuple(headings)[: MOST["headings"]],
        questions=tuple(
            dict.fromkeys(" ".join(q.split())[:MOST_CHARS] for q in questions if q.strip())
        )[: MOST["questions"]],
        defined=defined(bodies),
        rare=rare(bodies),
    )  # fmt: skip


def defined(bodies: Iterable[str]) -> tuple[str, ...]:
    """The words that texts define, in order."""
    found: dict[str, None] = {}
    for body in bodies:
        for _, pattern, _, _ in definitions():
            for match in pattern.finditer(body):
                found_words = (plain(word).rstrip(".,:;")[:MOST_CHARS] for word in match.groups() if word)
                found.update((word, None) for word in found_words if _says(word))
        if len(found) >= MOST["defined"]:
            break
    return tuple(found)[: MOST["defined"]]


def rare(bodies: Sequence[str]) -> tuple[str, ...]:
    """The words that are often in few of some texts: what each is about, as written.

    Weighted by frequency × log(1 + texts / texts that hold it) (Spärck Jones 1972); names of code count double.
    """
    often: Counter[str] = Counter()
    holding: Counter[str] = Counter()
    stems: dict[str, str] = {}  # word as written → its term, "" for one that says nothing
    first: dict[str, str] = {}  # term → the way it was first written
    for body in bodies:
        here: set[str] = set()
        for word in raw_words(body):
            stem = stems.get(word)
            if stem is None:
                stem = stems[word] = _stem(word)
            if stem:
                first.setdefault(stem, word)
                often[stem] += 1
                here.add(stem)
        holding.update(here)
    weight = {
        stem: count * math.log(1 + len(bodies) / holding[stem]) * (2 if _coded(first[stem]) else 1)
        for stem, count in often.items()
    }
    best = sorted(weight, key=lambda stem: (-weight[stem], stem))[: MOST["rare"]]
    return tuple(first[stem] for stem in best)


def _stem(word: str) -> str:
    if not 3 <= len(word) <= MOST_WORD or not any(map(str.isalpha, word)) or not _says(word):
        return ""
    return " ".join(terms(word))


def _coded(word: str) -> bool:
    """Whether a word is a name of code: ``retry_after``, ``HTTP2``, ``getUser``, ``app.yaml``."""
    return any(c.isdigit() or c in "_./" for c in word) or word[1:] != word[1:].lower()


def _says(word: str) -> bool:
    stop = stop_terms()
    return any(term not in stop for term in terms(word))


def asked(question: str) -> list[str]:
    """The words of a question that say what it is about."""
    stop = stop_terms()
    said = [term for term in query_terms(question[:MOST_QUERY]) if term not in stop]
    return [term for term in said if term not in _asking()] or said


def score(rule: Rule, rarity: Mapping[str, float]) -> tuple[float, tuple[tuple[str, str], ...]]:
    """How much of a question a rule holds, 0…1, and the phrases that do, the best first, each with the kind it is of.

    Args:
        rarity: word of the question (see :func:`asked`) → how much it counts.
    """
    best: dict[str, float] = {}
    phrases: list[tuple[float, str, str]] = []
    for kind, (weight, name) in KINDS.items():
        for phrase in getattr(rule, kind):
            here = {term: weight * rarity[term] for term in set(terms(phrase)) & rarity.keys()}
            if here:
                phrases.append((sum(sorted(here.values())), name, phrase))
                best.update((term, counted) for term, counted in here.items() if counted > best.get(term, 0.0))
    if not phrases:
        return 0.0, ()
    phrases.sort(key=lambda found: -found[0])
    whole = sum(rarity.values())
    reasons = tuple((name, phrase) for _, name, phrase in phrases[:REASONS])
    return round((sum(sorted(best.values())) + phrases[0][0]) / (2 * whole), 4), reasons
