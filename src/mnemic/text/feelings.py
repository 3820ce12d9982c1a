"""How strongly a statement is felt, and whether gladly: its valence, −1…1, by ``lang/*/feelings.toml``. Pure, no model.

What counts is somebody's feeling, not the tone of the news: "the build failed" has no weight, "I hate flaky builds"
has. The rules about words around a feeling are those of Hutto & Gilbert, "VADER" (ICWSM 2014): a negation up to three
words before turns it and takes some of its strength, a word of degree right before it changes the strength, and what
stands before "but" counts half. Of all feelings of one sign the strongest counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from ..lang.pack import joined, rows, words
from .analyse import fold, raw_words

__all__ = ["sentence_around", "valence"]

#: Only so much of a text is read: a statement, not a document.
MAX_CHARS = 4_000
_LONG = 40  # characters of a word worth reading
#: "Not happy" is a sad thing to say; "not sad" is hardly a glad one.
DENIED_GLAD, DENIED_SAD = -0.7, -0.3
REACH = 2  # words between a negation and what it denies
BEFORE_BUT = 0.5
#: How much a word of degree makes of the next feeling.
DEGREES = {"stronger": 1.3, "weaker": 0.6}
#: Signs that speak for themselves.
EMOJI = {0.6: "😍🥰😊😁😄🤩🥳❤💖💕🎉😻🤗", -0.6: "😢😭😡😠😞😔😟😰😱💔😩😫🤬😿"}
_CODE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{0,300}`|«[^«»\n]{1,60}»|\"[^\"\n]{1,60}\"|\bhttps?://\S+|\S*[\w)](?:[_/\\=@#<>{}\[\]]|::|->|\(\)|\.(?=[a-z]))\w\S*",
    re.S,
)
_SENTENCE = re.compile(r"[.!?…\n]+(?=[\s\"'»)]|$)|\n")
_CLAUSE = re.compile(r"[.!?;,:()\[\]\n—–…]+|\s-\s")
_DOT = re.compile(r"(?<=\S)[.,:](?=\S)")  # one inside "3.12" or "a.py" parts nothing
_APOSTROPHE = str.maketrans("’‘ʼё", "'''е")
_WORD = re.compile(r"[^\W\d_]{1,40}(?:'[^\W\d_]+)?")
_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feeling:
    """Phrases of one strength, −1…1. ``weak``: they count only where nothing technical is spoken of ("exhausted")."""

    weight: float
    words: str
    example: str
    weak: bool = False


@cache
def feelings() -> tuple[Feeling, ...]:
    """The rows of all languages."""
    return tuple(Feeling(**{**row, "words": " ".join(row["words"].split())}) for _, row in rows("feelings"))


@cache
def _index() -> dict[str, tuple[tuple[_Words, Feeling], ...]]:
    """Phrases by the first three letters of their first word, the longest first."""
    found: dict[str, list[tuple[_Words, Feeling]]] = {}
    for row in feelings():
        for phrase in row.words.split(","):
            form = tuple(phrase.split())
            found.setdefault(form[0][:3], []).append((form, row))
    return {key: tuple(sorted(rows, key=lambda r: -len(r[0]))) for key, rows in found.items()}


@lru_cache(maxsize=8_192)
def _begun(word: str) -> tuple[tuple[_Words, Feeling], ...]:
    """The phrases that a word may begin."""
    return tuple(row for row in _index().get(word[:3], ()) if _is(word, row[0][0]))


def _is(word: str, form: str) -> bool:
    return word.startswith(form[:-1]) if form.endswith("*") else word == form


@cache
def _degrees() -> dict[str, float]:
    return {word: factor for key, factor in DEGREES.items() for word in words("feelings", key)}


@cache
def _technical() -> tuple[frozenset[str], tuple[str, ...]]:
    forms = words("feelings", "technical")
    return frozenset(f for f in forms if not f.endswith("*")), tuple(f[:-1] for f in forms if f.endswith("*"))


@cache
def _guards() -> re.Pattern[str]:
    return re.compile("|".join(joined(guard["pattern"]) for _, guard in rows("feelings", "guard")))


@cache
def _emoji() -> tuple[re.Pattern[str], dict[str, float]]:
    weights = {sign: weight for weight, signs in EMOJI.items() for sign in signs}
    return re.compile(f"[{''.join(weights)}]"), weights


def valence(text: str) -> float:
    """The emotional weight of a statement: −1 (grief, hate) … 0 (none) … 1 (bliss), two decimals.

    Code, addresses, names of files and titles in quotes are not read; nor is more than the first
    :data:`MAX_CHARS` characters.
    """
    glad = sad = 0.0
    read = text[:MAX_CHARS].translate(_APOSTROPHE).casefold()
    said = _WORD.findall(read)
    if any(_phrase(said, at)[1] for at in range(len(said))):  # most of what is said has none, and is soon read
        for sentence in _sentences(_CODE.sub(" ; ", read)):
            for weight in _felt(sentence):
                glad, sad = max(glad, weight), min(sad, weight)
    if not text.isascii():
        pattern, weights = _emoji()
        for sign in pattern.findall(text[:MAX_CHARS]):
            glad, sad = max(glad, weights[sign]), min(sad, weights[sign])
    return round(max(-1.0, min(1.0, glad + sad)), 2) + 0.0


def sentence_around(text: str, quote: str) -> str:
    """The sentence of a text in which a quote stands; the quote where it is not found to the letter."""
    at = text.find(quote)
    if at < 0 or not quote:
        return quote
    begin = max((m.end() for m in _SENTENCE.finditer(text, max(0, at - MAX_CHARS), at)), default=max(0, at - MAX_CHARS))
    end = _SENTENCE.search(text, at + max(1, len(quote) - 1))
    return text[begin : end.end() if end else len(text)].strip()[:MAX_CHARS]


def _sentences(text: str) -> list[str]:
    """The sentences of a text with the signs that end them."""
    places = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(places) if a < b]


def _felt(sentence: str) -> list[float]:
    """The feelings of one folded sentence."""
    parts = _clauses(_guards().sub(" ; ", sentence))
    said = [word for part in parts for word in part]
    if "?" in sentence and not words("feelings", "you").isdisjoint(said):
        return []
    turn = max((i for i, part in enumerate(parts) if part[0] in words("feelings", "but")), default=0)
    technical = any(map(_is_technical, said))
    return [
        weight * (BEFORE_BUT if i < turn else 1.0)
        for i, part in enumerate(parts)
        for weight in _clause(part, technical)
    ]


def _is_technical(word: str) -> bool:
    whole, begun = _technical()
    return word in whole or word.startswith(begun)


def _clause(said: Sequence[str], technical: bool) -> list[float]:
    degrees = _degrees()
    form_only = {i for a, b in _find(said, "form_only") for i in range(a, b)}
    denials = [past for first, past in _find(said, "denying") if first not in form_only]
    out: list[float] = []
    at, supposed, degree = 0, False, 1.0
    while at < len(said):
        supposed = supposed or said[at] in words("feelings", "supposed")
        size, row = _phrase(said, at)
        nearer = degrees.get(said[at], 0.0)
        if row is None or (nearer and at + 1 < len(said) and _phrase(said, at + 1)[1] is not None):
            degree = nearer or (degree if said[at] in ("a", "of") else 1.0)
            at += 1
            continue
        if not supposed and not (row.weak and technical):
            weight = max(-1.0, min(1.0, row.weight * degree))
            if any(0 <= at - past <= REACH for past in denials):
                weight *= DENIED_GLAD if weight > 0 else DENIED_SAD
            out.append(weight)
        at, degree = at + size, 1.0
    return out if words("feelings", "conditional").isdisjoint(said) else []


def _phrase(said: Sequence[str], at: int) -> tuple[int, Feeling | None]:
    for phrase, row in _begun(said[at]):
        if _stands(said, at, phrase):
            return len(phrase), row
    return 1, None


def _stands(said: Sequence[str], at: int, phrase: _Words) -> bool:
    return at + len(phrase) <= len(said) and all(_is(said[at + i], form) for i, form in enumerate(phrase))


@cache
def _denials(key: str) -> dict[str, list[_Words]]:
    """Phrases that deny, or do so in form only, by the first three letters, the longest first."""
    found: dict[str, list[_Words]] = {}
    for phrase in sorted((tuple(p.split()) for p in words("feelings", key)), key=lambda p: (-len(p), p)):
        found.setdefault(phrase[0][:3], []).append(phrase)
    return found


def _find(said: Sequence[str], key: str) -> list[tuple[int, int]]:
    """Where such phrases stand: (first, past the last), in order, none overlapping."""
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(said):
        size = next((len(p) for p in _denials(key).get(said[at][:3], ()) if _stands(said, at, p)), 0)
        if size:
            out.append((at, at + size))
        at += size or 1
    return out


@cache
def _bare() -> dict[str, str]:
    """Contractions typed without the apostrophe; "wont", "cant" are hardly ever the words of their own."""
    return {word.replace("'", ""): word for word in words("feelings", "denying") if word.endswith("n't")}


def _clauses(text: str) -> list[list[str]]:
    """The folded words of each clause: parted by signs, and before words such as "but", «но»."""
    turns, whole, bare = words("feelings", "turns"), words("feelings", "all"), _bare()
    out: list[list[str]] = []
    for piece in _CLAUSE.split(_DOT.sub("\u00b7", text[:MAX_CHARS])):
        run: list[str] = []
        for word in (fold(raw)[:_LONG] for raw in raw_words(piece.replace("\u00b7", "."))):
            if word in turns and run and run[-1] not in whole:
                out.append(run)
                run = []
            run.append(bare.get(word, word))
        if run:
            out.append(run)
    return out
