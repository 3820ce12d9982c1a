"""Finds where a text says outright that one thing caused another: "X because Y", "that's why X", «из-за Y», «поэтому
X».

Only explicit words count (``lang/*/causes.toml``). A question, a supposition, a guess and a denied reason ("not because
of the money") say nothing. Linear in the length of a text; only so much of one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from ..lang.pack import filled, load, rows, union
from .analyse import stop_terms, terms

__all__ = ["Reason", "Span", "asks", "asks_why", "between", "reasons"]

MAX_CHARS = 8_000  # of one message
SENTENCE = 600  # characters of a sentence that are read
PLACES = 8  # connectives of one sentence that are looked at
REACTING = 8  # words of a sentence that only reacts to another one
QUOTE = 300  # characters of a quotation
NOUN_PHRASE = 3  # words after «из-за» at the beginning of a sentence that may be all there is
SHORT = 60  # words of a message whose words another one may take up: a long one holds the words of anything
AHEAD = 1  # sentences before the reason, in a message that takes up the words of the one before it
ENOUGH = 2 / 3  # share of the words of a part that must stand in the other message, for the part to mean it
#: Places of a part of a reason in its text: begin and end.
Span = tuple[int, int]
_FOLD = str.maketrans({"ё": "е", "Ё": "Е", **dict.fromkeys("’‘ʼ`", "'"), "\u00a0": " "})
_SENTENCE = re.compile(r"[^\n.!?…]+(?:\.(?=[^\s.])[^\n.!?…]*)*[.!?…]*[\"'»”)]*")
_FENCE = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>.*$", re.S | re.M)
_COMMA = re.compile(r"[,;—–]\s*|\s-\s")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")


#: Key of the tables → pattern around its words of all languages.
_AROUND = {
    "negated": "(?:%s)",
    "supposed": r"\b(?:%s)\b",
    "guessed": r"\b(?:%s)\b",
    "pronoun": r"(?:%s)\b",
    "pointer": r"^\W*(?:%s)\W*$",
    "opener": r"^\W*(?:(?:%s)[\s,.!;:—–-]*)+$",
    "reaction": r"^\W*(?:%s)\b",
    "self": r"\b(?:%s)\b",
    "asks_why": r"\b(?:%s)\b",
    "main": "(?:%s)",
    "adjective": "(?:%s)$",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement of a reason.

    Attributes:
        word: by which words, as the table names them. quote: the sentence, verbatim, shortened around the words.
        cause, effect: where each stands in the text; ``None``: it is what was said before the text.
        sure: the words alone say it; otherwise it is only worth asking a model about.
    """

    word: str
    quote: str
    cause: Span | None
    effect: Span | None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str  # folded, as long as it stands there
    at: int
    asks: bool


def reasons(text: str, *, answers: bool = False, sure: bool = True) -> list[Reason]:
    """The reasons that a text gives, in order; one for each sentence at most.

    Args:
        answers: the text answers a question for a reason, so that "Because …" at its beginning is all cause. sure: only
            where the words alone say it.
    """
    text = text[:MAX_CHARS]
    flat = _FENCE.sub(lambda found: " " * len(found[0]), text).translate(_FOLD)
    out: list[Reason] = []
    lower = flat.lower()
    if not [hint for hint in _by_hint(sure=sure) if hint in lower]:  # most texts: not looked at further
        return out
    before: _Sentence | None = None
    for sentence in _sentences(flat):
        found = None if sentence.asks else _read(text, sentence, before, answers=answers and before is None, sure=sure)
        if found:
            out.append(found)
        if before is not None or not _reacts(sentence.text):
            before = sentence
    return out


def asks(text: str) -> bool:
    """Whether a text only asks: every sentence of it that says something is a question."""
    said = [s for s in _sentences(text[:MAX_CHARS].translate(_FOLD)) if not _reacts(s.text) and _content(s.text)]
    return bool(said) and all(s.asks for s in said)


def asks_why(text: str) -> bool:
    """Whether the last question of a text is one for the reason."""
    questions = [s for s in _sentences(text[:MAX_CHARS].translate(_FOLD)) if s.asks]
    return bool(questions) and bool(_pattern("asks_why").search(questions[-1].text))


def between(before: str, text: str, found: Reason, *, asked: bool = False) -> Literal["before", "text"] | None:
    """Which of two messages, one right before the other, is the cause of the other by a reason that the later one
    gives.

    A part of the reason that only points back means the message before; so does one whose words stand there. ``None``:
    both parts stand in the later message, or both in the one before, or the one before asserts nothing.

    Args:
        asked: the later message does what the one before asks for, as an assistant does: it takes up words of a
            request, which asserts nothing. Only a question for the reason is then answered by it.
    """
    question, why = asks(before), asks_why(before)
    if found.cause is None:
        return None if question or not _content(before) else "before"
    if found.effect is None:
        return None if (question and not why) or not _content(before) else "text"
    if asked and not why:
        return None
    first = min(found.cause[0], found.effect[0])
    if len(_WORD.findall(before)) > SHORT or sum(not _reacts(s.text) for s in _sentences(text[:first])) > AHEAD:
        return None
    said = set(_content(before))
    whole = set(_content(f"{text[slice(*found.cause)]} {text[slice(*found.effect)]}"))
    if len(whole & said) >= ENOUGH * len(whole):
        return None  # it only repeats what was said
    cause, effect = (_share(text, span, said, why=why) for span in (found.cause, found.effect))
    if cause >= ENOUGH and effect < ENOUGH and not question:
        return "before"
    if effect >= ENOUGH and cause < ENOUGH and (why or not question):
        return "text"
    return None


def _share(text: str, span: Span, said: set[str], *, why: bool) -> float:
    """How much of a part of a reason another message holds.

    A single word says nothing, unless it answers a question, or a pronoun at the beginning points there too ("It
    failed").
    """
    part = text[slice(*span)]
    words = set(_content(part))
    both = words & said
    if len(both) > 1:
        return len(both) / len(words)
    points = _pattern("pronoun").match(part) and all(_reacts(s.text) for s in _sentences(text[: span[0]]))
    return 1.0 if both and both == words and (why or points) else 0.0


def _content(text: str) -> list[str]:
    stop = stop_terms()
    return [t for t in terms(text[:MAX_CHARS]) if t not in stop]


def _sentences(flat: str) -> Iterator[_Sentence]:
    for found in _SENTENCE.finditer(flat):
        part = found[0]
        if part.strip():
            yield _Sentence(part[:SENTENCE], found.start(), "?" in part[-4:] or bool(_question().match(part)))


def _reacts(sentence: str) -> bool:
    """Whether a sentence only reacts to what another one has said."""
    words = len(_WORD.findall(sentence))
    if not words:
        return True
    at = 0
    while words <= REACTING and (found := _pattern("reaction").match(sentence[at:])):
        at += found.end()
    return bool(at) and not _pattern("self").search(sentence, at)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(_AROUND[key] % (union("causes", key) or "(?!)"), re.I)


@cache
def _question() -> re.Pattern[str]:
    """How a question for the reason begins that may lack its sign; "why not" asks for none."""
    return re.compile(rf"\W*(?:(?:{union('causes', 'joins')})\s+)?(?:{union('causes', 'asks')})\b(?!\s+not\b)", re.I)


@dataclass(frozen=True, slots=True)
class Connective:
    """A row of the table, ready to be looked for; what its fields mean stands in ``lang/en/causes.toml``."""

    word: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    order: str
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    sure: bool
    noun: bool
    example: str
    ordinary: str


@cache
def connectives() -> tuple[Connective, ...]:
    """All rows. Where several fit at one place, the first of them counts."""
    return tuple(_connective(language, row) for language, row in rows("causes"))


def _connective(language: str, row: Mapping[str, Any]) -> Connective:
    parts = load(language, "causes").get("parts", {})

    def compiled(key: str, around: str = "%s") -> re.Pattern[str] | None:
        return re.compile(around.replace("%s", filled(row[key], parts)), re.I) if key in row else None

    pattern = compiled("pattern")
    assert pattern is not None
    return Connective(
        row["word"],
        tuple(row["hint"].split("|")),
        pattern,
        row["order"],
        compiled("before", "(?:%s)$"),
        compiled("after"),
        row.get("sure", True),
        row.get("noun", False),
        row["example"],
        row.get("ordinary", ""),
    )


@cache
def _by_hint(*, sure: bool) -> dict[str, list[tuple[int, Connective]]]:
    """Hint → rows, each with its place in the table."""
    out: dict[str, list[tuple[int, Connective]]] = {}
    for order, row in enumerate(connectives()):
        if row.sure or not sure:
            for hint in row.hints:
                out.setdefault(hint, []).append((order, row))
    return out


def _places(sentence: str, *, sure: bool) -> list[tuple[int, int, Connective, re.Match[str]]]:
    """Where words of the table stand in their sense, the earliest first, then in the order of the table."""
    found = []
    lower = sentence.lower()
    hinted = {order: row for hint, rows in _by_hint(sure=sure).items() if hint in lower for order, row in rows}
    for order, row in sorted(hinted.items()):
        for match in row.pattern.finditer(sentence):
            end = match.start("effect") if row.order == "named" else match.end()
            if row.before and row.before.search(sentence[: match.start()]):
                continue
            if row.after and row.after.match(sentence[end:]):
                continue
            found.append((match.start(), order, row, match))
    found.sort(key=lambda place: place[:2])
    return found[:PLACES]


def _read(text: str, sentence: _Sentence, before: _Sentence | None, *, answers: bool, sure: bool) -> Reason | None:
    places = _places(sentence.text, sure=sure)
    if not places or _pattern("supposed").search(sentence.text):
        return None
    start = places[0][0]  # of the first connective, denied or not: what stands before it is the other part
    for at, _, row, match in places:
        if _pattern("negated").search(sentence.text[:at]) or _is_guess(sentence.text, match, row):
            continue
        parts = _parts(sentence, start, row, match, before, answers=answers)
        if parts is None:
            continue
        return Reason(row.word, _quote(text, sentence, match), *parts, sure=row.sure)
    return None


def _is_guess(sentence: str, match: re.Match[str], row: Connective) -> bool:
    guessed = _pattern("guessed")
    after = " ".join(sentence[match.end() :].split()[: 2 if row.order == "effect first" else 3])
    return bool(guessed.search(sentence[: match.start()]) or guessed.search(after))


Parts = tuple[Span | None, Span | None]


def _parts(
    sentence: _Sentence, start: int, row: Connective, match: re.Match[str], before: _Sentence | None, *, answers: bool
) -> Parts | None:
    """(cause, effect); ``None`` where one of them is missing."""
    text = sentence.text
    if row.order == "named":
        cause, effect = _trim(text, *match.span("cause")), _trim(text, *match.span("effect"))
        return (_span(sentence, *cause), _span(sentence, *effect)) if cause and effect else None
    left: Span | None = _trim(text, 0, start)
    right: Span | None = _trim(text, match.end(), len(text))
    if right is None or not _content(text[slice(*right)]):
        return None
    opening = left is None or bool(_pattern("opener").match(text[slice(*left)]))
    pointing = not opening and left is not None and bool(_pattern("pointer").match(text[slice(*left)]))
    if row.order == "effect first" and opening and not answers and (inner := _inner(text, right, row)):
        right, left, opening = inner[0], inner[1], False
    outer: Span | None
    if opening or pointing:
        outer = (before.at, before.at + len(before.text.rstrip())) if before is not None else None
    else:
        assert left is not None
        outer = _span(sentence, *left)
    near = _span(sentence, *right)
    return (near, outer) if row.order == "effect first" else (outer, near)


def _inner(text: str, right: Span, row: Connective) -> tuple[Span, Span] | None:
    """Cause and effect of a sentence that opens with the words: "Because it rained, we stayed", «Из-за дождя
    остались»."""
    rest = text[slice(*right)]
    for comma in _COMMA.finditer(rest):
        if _pattern("main").match(rest[comma.end() :]) and comma.start():
            cause, effect = (
                _trim(text, right[0], right[0] + comma.start()),
                _trim(text, right[0] + comma.end(), right[1]),
            )
            return (cause, effect) if cause and effect else None
    words = list(_WORD.finditer(rest))
    if not row.noun or len(words) <= NOUN_PHRASE:
        return None
    head = 1 if _pattern("adjective").search(words[0][0].lower()) else 0
    end = right[0] + words[head].end()
    cause, effect = _trim(text, right[0], end), _trim(text, end, right[1])
    return (cause, effect) if cause and effect else None


def _trim(text: str, start: int, end: int) -> Span | None:
    """A place without blanks and signs at its ends; ``None`` where nothing is left."""
    words = list(_WORD.finditer(text, start, end))
    return (words[0].start(), words[-1].end()) if words else None


def _span(sentence: _Sentence, start: int, end: int) -> Span:
    return sentence.at + start, sentence.at + end


def _quote(text: str, sentence: _Sentence, match: re.Match[str]) -> str:
    """The sentence as it stands in the text; a long one is cut around the words."""
    start, end = 0, len(sentence.text)
    if end > QUOTE:
        start = max(0, min(match.start() - QUOTE // 2, end - QUOTE))
        end = start + QUOTE
    return text[sentence.at + start : sentence.at + end].strip()
