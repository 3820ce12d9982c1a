"""Read a query: its terms, language, intent, the names and the time in it. Rules are tables, English and Russian."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import tzinfo

from ..clock import to_datetime, to_micros
from ..models import Plan
from ..text.analyse import query_terms, raw_words, stop_terms, terms
from ..text.names import names
from ..text.when import Window, find, looks_temporal

#: Intent → pattern, tried in order; the first that matches wins.
INTENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("why", re.compile(r"\b(why|what caused|reason (?:for|why|that)|how come|because of what|почему|зачем|отчего|из-за чего|по какой причине)\b", re.I)),
    ("when", re.compile(r"\b(when|what (?:date|day|time|year|month)|how long ago|since when|когда|какого числа|в каком (?:году|месяце)|как давно|во сколько)\b", re.I)),
    ("who", re.compile(r"\b(who|whom|whose|кто|кого|кому|кем|чей|чья|чьё|чье|чьи)\b", re.I)),
    ("what", re.compile(r"\b(what|which|where|что|чего|чем|какой|какая|какое|какие|который|где|куда|откуда)\b", re.I)),
)  # fmt: skip

#: Words that ask for many things at once: the answer needs more room.
AGGREGATING = re.compile(
    r"\b(all|every|everything|list|summar\w+|compare|overview|how many|how often|each|both|timeline|history|"
    r"все|всё|всех|каждый|список|перечисли|сравни|обзор|сколько раз|итог|итоги|хронология|история)\b",
    re.I,
)
#: Words that carry a question about a time and say nothing of its subject.
EMPTY_VERBS = frozenset(t for w in ["happen", "happened", "do", "did", "said", "say", "talk", "talked", "discuss", "discussed", "go", "on", "event", "message", "episode", "entry", "новое", "новости", "было", "произошло", "происходило", "случилось", "делали", "делал", "говорили", "говорил", "обсуждали", "обсудили", "стало", "событие", "события", "событий", "сообщение", "сообщения", "сообщений", "запись", "записи", "записей"] for t in terms(w))  # fmt: skip

#: Words by which a question asks: they agree with nothing in the answer.
QUESTION_WORDS = frozenset(t for w in ["кто", "что", "кого", "чего", "кому", "чему", "кем", "чем", "ком", "когда", "где", "куда", "откуда", "почему", "зачем", "как", "какой", "какая", "какие", "какое", "сколько", "чей", "чья", "чье", "чьи", "ли", "what", "when", "where", "which", "who", "whom", "whose", "why", "how", "did", "do", "does", "is", "are", "was", "were"] for t in terms(w))  # fmt: skip

#: complexity → (tokens of a context block, hits)
SIZES = {"simple": (1_000, 5), "complex": (3_000, 20)}
SIMPLE_WORDS = 10
#: A query is read up to so many characters for times, names and intent, and matched by so many of its words: a whole
#: page pasted as a query must not cost a second.
READ_CHARS = 2_000
MAX_TERMS = 256
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A plan with what only ranking needs: the window found, and whether the query asks for nothing but that time."""

    plan: Plan
    windows: tuple[Window, ...]
    only_time: bool
    not_understood: bool


def read_query(query: str, now: int, zone: tzinfo) -> Reading:
    """Read a query. Any text is safe; an empty one has no terms."""
    head = query[:READ_CHARS]
    windows = find(head, to_datetime(now, zone))
    window = windows[0] if windows else None
    rest = query
    for found in reversed(windows):
        rest = rest[: found.span[0]] + " " + rest[found.span[1] :]
    content = [t for t in query_terms(rest) if t not in stop_terms() and t not in EMPTY_VERBS] if windows else []
    intent = next((name for name, pattern in INTENTS if pattern.search(head)), "general")
    words = len(raw_words(query))
    complexity = "simple" if words < SIMPLE_WORDS and not AGGREGATING.search(query) else "complex"
    plan = Plan(
        query=query,
        terms=tuple(query_terms(query)[:MAX_TERMS]),
        language=language(query),
        intent=intent,
        complexity=complexity,
        entities=tuple(names(head)),
        after=to_micros(window.start) if window else None,
        before=to_micros(window.end) if window else None,
        time_text=window.text if window else None,
    )
    return Reading(plan, tuple(windows), bool(windows) and not content, not windows and looks_temporal(head))


def language(text: str) -> str:
    """``ru``, ``en`` or ``other``, by script."""
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if cyrillic == latin == 0:
        return "other"
    return "ru" if cyrillic >= latin else "en"
