"""Phrases that turn the sense of a sentence: negation and change, English and Russian. Tables and their reader.

A phrase is words separated by spaces, folded; ``word*`` matches any word that begins so. Every row has an example,
which the tests enumerate. Matching goes word by word through an index of first words: no regular expression can blow
up on a hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .analyse import fold, raw_words

#: Only so much of a text is read: signals compare statements, not documents.
MAX_CHARS = 4_000
_LONG = 40  # characters of a word worth reading


def listed(words: str) -> frozenset[str]:
    """A set of words as a table writes them: separated by spaces."""
    return frozenset(words.split())


_CLAUSE = re.compile(r"[.!?;,:()\[\]\n—–…]+|\s-\s")
#: Words that open a clause in which an earlier negation no longer holds.
#: "Anything but jazz" is one clause.
_ALL = listed("anything nothing everything all none")
_TURNS = listed("but however although though while whereas because so since но однако зато хотя потому поэтому")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A row: the words, and a sentence in which they mean what the table says."""

    words: str
    example: str


#: What denies the words after it in its clause (``before``: those before it, where none follows).
NEGATORS: tuple[Phrase, ...] = (
    Phrase("not", "The server is not running"),
    Phrase("no", "There are no tests"),
    Phrase("never", "I never drink coffee"),
    Phrase("without", "The build works without Docker"),
    Phrase("neither", "Neither backup works"),
    Phrase("nor", "nor does it run"),
    Phrase("none", "None of the tests pass"),
    Phrase("nobody", "Nobody uses the printer"),
    Phrase("cannot", "The agent cannot write files"),
    Phrase("don't", "I don't like tea"),
    Phrase("doesn't", "It doesn't rain here"),
    Phrase("didn't", "The job didn't finish"),
    Phrase("isn't", "The door isn't locked"),
    Phrase("aren't", "The keys aren't there"),
    Phrase("wasn't", "The fix wasn't deployed"),
    Phrase("weren't", "The lights weren't on"),
    Phrase("won't", "The car won't start"),
    Phrase("can't", "I can't swim"),
    Phrase("couldn't", "We couldn't build it"),
    Phrase("wouldn't", "I wouldn't eat meat"),
    Phrase("shouldn't", "You shouldn't use it"),
    Phrase("hasn't", "She hasn't moved"),
    Phrase("haven't", "They haven't paid"),
    Phrase("hadn't", "He hadn't slept"),
    Phrase("mustn't", "You mustn't touch it"),
    Phrase("needn't", "You needn't wait"),
    Phrase("ain't", "It ain't working"),
    Phrase("stopped", "I stopped drinking coffee"),
    Phrase("stop", "Please stop sending reports"),
    Phrase("quit", "She quit smoking"),
    Phrase("gave up", "He gave up meat"),
    Phrase("lacks", "The flat lacks a balcony"),
    Phrase("lacking", "The flat is lacking a balcony"),
    Phrase("discontinued", "Support of Python 3.8 is discontinued"),
    Phrase("dropped", "Support of Python 3.8 was dropped"),
    Phrase("cancelled", "The trip is cancelled"),
    Phrase("canceled", "The trip is canceled"),
    Phrase("impossible", "Login is impossible"),
    Phrase("unable", "I am unable to eat gluten"),
    Phrase("refuses", "He refuses to eat meat"),
    Phrase("refused", "He refused to eat meat"),
    Phrase("не", "Сервер не работает"),
    Phrase("нет", "Здесь нет принтера"),
    Phrase("нету", "У меня нету кота"),
    Phrase("без", "Сборка идет без докера"),
    Phrase("ни", "Ни один тест не прошел"),
    Phrase("отсутств*", "Балкон отсутствует"),
    Phrase("прекращ*", "Поддержка прекращена"),
    Phrase("отменил*", "Поездка отменилась"),
    Phrase("отменен*", "Поездка отменена"),
    Phrase("невозмож*", "Вход невозможен"),
    Phrase("отказыва*", "Он отказывается от мяса"),
    Phrase("никогда", "Я никогда не пью кофе"),
    Phrase("никто", "Никто не пользуется принтером"),
    Phrase("перестал*", "Я перестал пить кофе"),
    Phrase("бросил*", "Она бросила курить"),
    Phrase("прекратил*", "Мы прекратили поддержку"),
    Phrase("отказал* от", "Он отказался от мяса"),
)

#: Negation in form only.
NO_NEGATION: tuple[Phrase, ...] = (
    Phrase("not only", "She speaks not only French"),
    Phrase("no doubt", "No doubt it works"),
    Phrase("no problem", "No problem, it works"),
    Phrase("why not", "Why not use tea"),
    Phrase("не только", "Он знает не только французский"),
    Phrase("не могу не", "Не могу не любить чай"),
    Phrase("нельзя не", "Нельзя не любить чай"),
    Phrase("не просто", "Это не просто чай"),
)

_Index = Mapping[str, tuple[tuple[str, ...], ...]]


_indexes: dict[int, tuple[tuple[Phrase, ...], tuple[_Index, _Index]]] = {}


def _index(table: tuple[Phrase, ...]) -> tuple[_Index, _Index]:
    """The index of a table, made once. Known by identity: to hash a table costs more than to search it."""
    known = _indexes.get(id(table))
    if known is None or known[0] is not table:
        known = _indexes[id(table)] = (table, _make_index(table))
    return known[1]


def _make_index(table: tuple[Phrase, ...]) -> tuple[_Index, _Index]:
    """Phrases by their first word, and by the first three letters where that word is a stem."""
    whole: dict[str, list[tuple[str, ...]]] = {}
    begun: dict[str, list[tuple[str, ...]]] = {}
    for phrase in table:
        words = tuple(phrase.words.split())
        where, key = (begun, words[0][:3]) if words[0].endswith("*") else (whole, words[0])
        where.setdefault(key, []).append(words)
    ordered = [{k: tuple(sorted(v, key=len, reverse=True)) for k, v in d.items()} for d in (whole, begun)]
    return ordered[0], ordered[1]


def _fits(words: Sequence[str], at: int, phrase: tuple[str, ...]) -> bool:
    return at + len(phrase) <= len(words) and all(
        words[at + i].startswith(p[:-1]) if p.endswith("*") else words[at + i] == p for i, p in enumerate(phrase)
    )


def find(words: Sequence[str], table: tuple[Phrase, ...]) -> list[tuple[int, int]]:
    """Where phrases of a table stand among folded words: (first, past the last), in order, longest first, none
    twice."""
    whole, begun = _index(table)
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        for phrase in whole.get(words[at], ()) + begun.get(words[at][:3], ()):
            if _fits(words, at, phrase):
                out.append((at, at + len(phrase)))
                at += len(phrase)
                break
        else:
            at += 1
    return out


#: Contractions typed without the apostrophe; "wont", "cant" are hardly ever the words of their own.
_BARE = {
    n.words.replace("'", ""): n.words for n in NEGATORS if n.words.endswith("n't") and n.words not in ("won't", "can't")
} | {"wont": "won't", "cant": "can't"}


def split_words(text: str) -> list[str]:
    """Folded words of a text as phrases are matched against: contractions whole, missing apostrophes put back."""
    folded = [fold(word)[:_LONG] for word in raw_words(text[:MAX_CHARS])]
    return [_BARE.get(word, word) for word in folded]


def clauses(text: str) -> list[list[str]]:
    """The folded words of each clause: parted by signs, and before words such as "but", «но»."""
    out: list[list[str]] = []
    # A dot inside "3.12" or "a.py" parts nothing.
    for piece in _CLAUSE.split(re.sub(r"(?<=\S)[.,:](?=\S)", "\u00b7", text[:MAX_CHARS])):
        run: list[str] = []
        for word in split_words(piece.replace("\u00b7", ".")):
            if word in _TURNS and run and run[-1] not in _ALL:
                out.append(run)
                run = []
            run.append(word)
        if run:
            out.append(run)
    return out
