"""Read a query: its terms, language, intent, the names and the time in it. Rules are tables, English and Russian."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo

from ..clock import to_datetime, to_micros
from ..lang.pack import union, words
from ..lang.when import Window, find, looks_temporal
from ..models import Plan
from ..text.analyse import about_self, query_terms, raw_words, stop_terms, terms
from ..text.names import names
from ..text.sentences import spans
from . import current
from .intents import Embed, classify

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
        """Whether it asks how it was before, or at a time that is over: then what was stands where relevance puts it."""
        over = self.plan.before is not None and self.plan.before <= now
        return over or current.direction(self.plan.query) < 0


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
