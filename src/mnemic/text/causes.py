"""Finds where a text says outright that one thing caused another: "X because Y", "that's why X", «из-за Y», «поэтому X».

Only explicit words count (:mod:`cause_tables`). A question, a supposition, a guess and a denied reason ("not because of
the money") say nothing. Linear in the length of a text; only so much of one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .analyse import stop_terms, terms
from .cause_tables import (
    ASKS_WHY,
    CONNECTIVES,
    GUESSED,
    NEGATED,
    OPENERS,
    POINTER,
    PRONOUN,
    REACTION,
    SELF,
    SUPPOSED,
    Connective,
)  # fmt: skip

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
_FOLD = str.maketrans("ёЁ’‘ʼ`\u00a0", "еЕ'''' ")
_SENTENCE = re.compile(r"[^\n.!?…]+(?:\.(?=[^\s.])[^\n.!?…]*)*[.!?…]*[\"'»”)]*")
_QUESTION = re.compile(
    r"\W*(?:(?:and|but|so|а|и|но|так)\s+)?(?:why|how\s+come|почему|зачем|отчего)\b(?!\s+not\b)", re.I
)
_FENCE = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>.*$", re.S | re.M)
_COMMA = re.compile(r"[,;—–]\s*|\s-\s")
_MAIN = re.compile(
    r"(?:(?:i|you|he|she|it|we|they|there|this|that|these|the|my|our|his|her|their|your)\b(?:'\w+)?\s+\w+|(?!(?:и|а|но|или|что|чтобы|"
    r"когда|котор\w+|где|если|как|да|and|or|but|which|who|that|to|so)\b)[а-я]+\s+[а-я]+)",
    re.I,
)
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_ADJECTIVE = re.compile(r"(?:ого|его|ой|ей|ых|их|моего|своего|этой|этих)$")


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
        answers: the text answers a question for a reason, so that "Because …" at its beginning is all cause. sure: only where the words alone say it.
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
    return bool(questions) and bool(_compiled(ASKS_WHY).search(questions[-1].text))


def between(before: str, text: str, found: Reason, *, asked: bool = False) -> Literal["before", "text"] | None:
    """Which of two messages, one right before the other, is the cause of the other by a reason that the later one gives.

    A part of the reason that only points back means the message before; so does one whose words stand there. ``None``:
    both parts stand in the later message, or both in the one before, or the one before asserts nothing.

    Args:
        asked: the later message does what the one before asks for, as an assistant does: it takes up words of a request,
            which asserts nothing. Only a question for the reason is then answered by it.
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

    A single word says nothing, unless it answers a question, or a pronoun at the beginning points there too ("It failed").
    """
    part = text[slice(*span)]
    words = set(_content(part))
    both = words & said
    if len(both) > 1:
        return len(both) / len(words)
    points = _compiled(PRONOUN).match(part) and all(_reacts(s.text) for s in _sentences(text[: span[0]]))
    return 1.0 if both and both == words and (why or points) else 0.0


def _content(text: str) -> list[str]:
    stop = stop_terms()
    return [t for t in terms(text[:MAX_CHARS]) if t not in stop]


def _sentences(flat: str) -> Iterator[_Sentence]:
    for found in _SENTENCE.finditer(flat):
        part = found[0]
        if part.strip():
            yield _Sentence(part[:SENTENCE], found.start(), "?" in part[-4:] or bool(_QUESTION.match(part)))


def _reacts(sentence: str) -> bool:
    """Whether a sentence only reacts to what another one has said."""
    words = len(_WORD.findall(sentence))
    if not words:
        return True
    at = 0
    while words <= REACTING and (found := _compiled(REACTION).match(sentence[at:])):
        at += found.end()
    return bool(at) and not _compiled(SELF).search(sentence, at)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table, ready to be looked for."""

    row: Connective
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(
        _Row(
            row,
            tuple(row.hint.split("|")),
            re.compile(row.pattern, re.I),
            re.compile(rf"(?:{row.before})$", re.I) if row.before else None,
            re.compile(row.after, re.I) if row.after else None,
        )
        for row in CONNECTIVES
    )


@cache
def _by_hint(*, sure: bool) -> dict[str, list[tuple[int, _Row]]]:
    """Hint → rows, each with its place in the table."""
    out: dict[str, list[tuple[int, _Row]]] = {}
    for order, row in enumerate(_rows()):
        if row.row.sure or not sure:
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
            end = match.start("effect") if row.row.order == "named" else match.end()
            if row.before and row.before.search(sentence[: match.start()]):
                continue
            if row.after and row.after.match(sentence[end:]):
                continue
            found.append((match.start(), order, row.row, match))
    found.sort(key=lambda place: place[:2])
    return found[:PLACES]


def _read(text: str, sentence: _Sentence, before: _Sentence | None, *, answers: bool, sure: bool) -> Reason | None:
    places = _places(sentence.text, sure=sure)
    if not places or _compiled(SUPPOSED).search(sentence.text):
        return None
    start = places[0][0]  # of the first connective, denied or not: what stands before it is the other part
    for at, _, row, match in places:
        if _compiled(NEGATED).search(sentence.text[:at]) or _is_guess(sentence.text, match, row):
            continue
        parts = _parts(sentence, start, row, match, before, answers=answers)
        if parts is None:
            continue
        return Reason(row.word, _quote(text, sentence, match), *parts, sure=row.sure)
    return None


def _is_guess(sentence: str, match: re.Match[str], row: Connective) -> bool:
    guessed = _compiled(GUESSED)
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
    opening = left is None or bool(_compiled(rf"^\W*(?:{OPENERS}[\s,.!;:—–-]*)+$").match(text[slice(*left)]))
    pointing = not opening and left is not None and bool(_compiled(rf"^\W*(?:{POINTER})\W*$").match(text[slice(*left)]))
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
    """Cause and effect of a sentence that opens with the words: "Because it rained, we stayed", «Из-за дождя остались»."""
    rest = text[slice(*right)]
    for comma in _COMMA.finditer(rest):
        if _MAIN.match(rest[comma.end() :]) and comma.start():
            cause, effect = (
                _trim(text, right[0], right[0] + comma.start()),
                _trim(text, right[0] + comma.end(), right[1]),
            )
            return (cause, effect) if cause and effect else None
    words = list(_WORD.finditer(rest))
    if row.word not in ("из-за", "вследствие", "благодаря", "в результате аварии") or len(words) <= NOUN_PHRASE:
        return None
    head = 1 if _ADJECTIVE.search(words[0][0].lower()) else 0
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
