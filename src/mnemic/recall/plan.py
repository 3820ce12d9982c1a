"""Read a query: its terms, language, intent, the names and the time in it. Rules are tables, English and Russian."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..clock import to_datetime, to_micros
from ..lang.pack import filled, joined, languages, load, rows, union, words
from ..lang.when import Window, find, looks_temporal
from ..models import Plan
from ..text.analyse import about_self, query_terms, raw_words, stop_terms, terms
from ..text.names import names
from ..text.sentences import spans
from . import believed

# What a question is after: a reason, a time, a person, a thing, what came after or before something, or none of these.
# A keyword at its beginning decides. Else the likeness of its meaning to exemplars does, where there is an embedder;
# where that says nothing, or there is none, a keyword anywhere in the question. All of it is tables:
# ``lang/*/intents.toml``.

#: Texts to unit vectors of queries.
Embed = Callable[[Sequence[str]], Sequence[NDArray[np.float32]]]

THRESHOLD = 0.45  # cosine with the best exemplar below which it says nothing
READ = 500  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question is after.

    Attributes:
        name: ``why``, ``when``, ``who``, ``what``, ``after``, ``before`` or ``general``.
        anchor: of ``after`` and ``before``, the words for what came first or last; else empty.
        score: of an exemplar, its cosine; of a keyword 1, of ``general`` 0. by: ``keyword``, ``exemplar`` or ``""``.
    """

    name: str
    anchor: str = ""
    score: float = 1.0
    by: str = "keyword"


GENERAL = Intent("general", score=0.0, by="")

#: In the order in which their keywords are tried.
NAMES = ("why", "when", "who", "what")


def _written(query: str) -> tuple[str, ...]:
    """The languages in whose letters a question is written: only their patterns are compiled for it."""
    known = [code for code in languages() if load(code, "intents")]
    return tuple(c for c in known if re.search(f"[{load(c, 'lexicon').get('letters', 'a-z')}]", query.lower()))


@cache
def _lead(codes: tuple[str, ...]) -> str:
    words = "|".join(joined(said) for code in codes if (said := load(code, "intents").get("lead")))
    return rf"(?:(?:{words})[\s,:—-]+)*" if words else ""


@cache
def _asking(name: str, codes: tuple[str, ...], *, begins: bool) -> re.Pattern[str]:
    """The keywords of an intent in some languages, at the beginning of a question or anywhere in it."""
    words = (load(code, "intents").get("keyword", {}).get(name) for code in codes)
    before = rf"\W*{_lead(codes)}" if begins else r"\b"
    return re.compile(rf"{before}(?:{'|'.join(joined(said) for said in words if said) or '(?!)'})", re.I)


@cache
def exemplars() -> Mapping[str, tuple[str, ...]]:
    """Intent → questions of that kind, in all languages."""
    every = [load(code, "intents").get("exemplar", {}) for code in languages()]
    return {name: tuple(text for given in every for text in given.get(name, ())) for name in (*NAMES, GENERAL.name)}


@cache
def _sequences(codes: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Which way → patterns whose group ``anchor`` is what came first (``after``) or last (``before``)."""
    return tuple(
        (
            row["way"],
            re.compile(filled(row["pattern"], load(code, "intents")["parts"] | {"lead": _lead(codes)}), re.I | re.S),
        )
        for code, row in rows("intents", "sequence")
        if code in codes
    )


@cache
def _around_anchor() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What joins the anchor to the question and says nothing of it, and anchors that name nothing ("that")."""
    return re.compile(rf"^(?:{union('intents', 'joint')})", re.I), re.compile(
        f"(?:{union('intents', 'demonstrative')})", re.I
    )


_ANY_DAY = datetime(2026, 6, 15, 12, tzinfo=UTC)

_lock = threading.Lock()
_vectors: WeakKeyDictionary[object, NDArray[np.float32]] = WeakKeyDictionary()


def classify(query: str, embed: Embed | None = None) -> Intent:
    """What a question is after. Without ``embed`` by keywords alone; what ``embed`` raises is the caller's.

    Vectors of the exemplars are made once for each embedder (the object that ``embed`` is a method of, or the
    function).
    """
    head = query[:READ]
    codes = _written(head)
    sequence = _sequence(head, codes)
    if sequence is not None:
        return sequence
    begins = next((name for name in NAMES if _asking(name, codes, begins=True).match(head)), None)
    if begins is not None:
        return Intent(begins)
    if embed is not None and head.strip():
        cosines = _exemplars(embed) @ np.asarray(embed([head])[0], dtype=np.float32)
        best = int(np.argmax(cosines))
        likeness = float(cosines[best])
        if likeness >= THRESHOLD:
            return Intent(_of_exemplars()[best], score=likeness, by="exemplar")
        if not head.rstrip(' \t\n"”»)').endswith("?"):
            return GENERAL  # "tell him what I said" asks for nothing
    held = next((name for name in NAMES if _asking(name, codes, begins=False).search(head)), None)
    return GENERAL if held is None else Intent(held)


@cache
def _of_exemplars() -> tuple[str, ...]:
    return tuple(name for name, texts in exemplars().items() for _ in texts)


def _exemplars(embed: Embed) -> NDArray[np.float32]:
    owner = getattr(embed, "__self__", embed)
    with _lock:
        known = _vectors.get(owner)
    if known is None:
        known = np.asarray(embed([text for texts in exemplars().values() for text in texts]), dtype=np.float32)
        with _lock:
            _vectors[owner] = known
    return known


def _sequence(query: str, codes: tuple[str, ...]) -> Intent | None:
    """A question for what came after or before something that it names; a mere time is a time, not something."""
    joint, demonstrative = _around_anchor()
    for way, pattern in _sequences(codes):
        found = pattern.fullmatch(query.strip())
        if found is None:
            continue
        anchor = joint.sub("", found["anchor"].strip(' \t\n,.;:!?"”»…')).strip()
        if anchor and not demonstrative.fullmatch(anchor):
            rest = anchor
            for window in reversed(find(anchor, _ANY_DAY)):
                rest = rest[: window.span[0]] + rest[window.span[1] :]
            return Intent(way, anchor) if re.search(r"\w{3}", rest) else Intent("when")
    return None


#: Words that ask for many things at once: the answer needs more room.
AGGREGATING = re.compile(union("recall", "aggregating"), re.I)
#: Words that carry a question about a time and say nothing of its subject.
EMPTY_VERBS = frozenset(t for w in words("recall", "empty_verbs") for t in terms(w))
#: Words by which a question asks: they agree with nothing in the answer.
QUESTION_WORDS = frozenset(t for w in words("recall", "question_words") for t in terms(w))

SIMPLE_WORDS = 10
#: A query is read up to so many characters for times, names and intent, and matched by so many of its words: a whole
#: page pasted as a query must not cost a second.
READ_CHARS = 2_000
MAX_TERMS = 256
LONG = 1_500  # characters of a prompt from which on it is read for its questions
MAX_READ = 100_000  # … and no further than this
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A plan with what only ranking needs: the window found, and whether the query asks for nothing but that
    time, or for nothing but what is known of the one who asks."""

    plan: Plan
    windows: tuple[Window, ...]
    only_time: bool
    not_understood: bool
    about_self: bool = False

    def of_a_past(self, now: int) -> bool:
        """Whether it asks how it was before, or at a time that is over: then what was stands where relevance puts
        it."""
        over = self.plan.before is not None and self.plan.before <= now
        return over or believed.direction(self.plan.query) < 0


def focus(query: str) -> str:
    """What a long prompt asks for: its questions, or where it has none its beginning and its end."""
    if len(query) <= LONG:
        return query
    asked = [query[a:b].strip() for a, b in spans(query[:MAX_READ]) if query[a:b].rstrip().endswith(("?", "？"))]
    if asked:
        return " ".join(asked)[-READ_CHARS:]
    return query[: READ_CHARS // 2] + "\n" + query[-READ_CHARS // 2 :]


def complexity(query: str) -> str:
    """``simple`` for a short question of one thing, ``complex`` for a long one or one for many things."""
    return "simple" if len(raw_words(query)) < SIMPLE_WORDS and not AGGREGATING.search(query) else "complex"


def read_query(query: str, now: int, zone: tzinfo, embed: Embed | None = None) -> Reading:
    """Read a query. Any text is safe; an empty one has no terms. ``embed``: for intents by example."""
    head = query[:READ_CHARS]
    windows = find(head, to_datetime(now, zone))
    window = windows[0] if windows else None
    rest = query
    for found in reversed(windows):
        rest = rest[: found.span[0]] + " " + rest[found.span[1] :]
    content = [t for t in query_terms(rest) if t not in stop_terms() and t not in EMPTY_VERBS] if windows else []
    intent = classify(head, embed).name
    plan = Plan(
        query=query,
        terms=tuple(query_terms(query)[:MAX_TERMS]),
        language=language(query),
        intent=intent,
        complexity=complexity(query),
        entities=tuple(names(head)),
        after=to_micros(window.start) if window else None,
        before=to_micros(window.end) if window else None,
        time_text=window.text if window else None,
    )
    only_time, unread = bool(windows) and not content, not windows and looks_temporal(head)
    return Reading(plan, tuple(windows), only_time, unread, about_self(terms(head), stop_terms()))


def language(text: str) -> str:
    """``ru``, ``en`` or ``other``, by script."""
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if cyrillic == latin == 0:
        return "other"
    return "ru" if cyrillic >= latin else "en"
