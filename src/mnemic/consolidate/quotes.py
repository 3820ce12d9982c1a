"""Finds a quotation in the text it is said to be from: verbatim but for white space, quotation marks and dashes."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher

from ..text.analyse import stop_terms, terms
from ..text.recalled import blocks

__all__ = ["Source", "alike", "plain", "stands", "without_recalled"]

_SIGNS = dict.fromkeys(map(ord, "“”„‟«»‹›\"'`´‘’‚‛′″＂＇"), "'") | dict.fromkeys(map(ord, "‐‑‒–—―−－"), "-")
_GONE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
#: What a model adds at the ends of a quotation, or leaves out there.
_ENDS = " '.,;:!?…-()[]*_"
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SHORTEST = 2  # letters or digits; a shorter one is everywhere


def without_recalled(text: str) -> str:
    """The text with blocks of recalled memory blanked out, places unchanged: they are no new evidence."""
    at, out = 0, []
    for start, end in blocks(text):
        out += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*out, text[at:]])


def plain(text: str) -> str:
    """The form in which texts are compared."""
    return "".join(sign for sign, _, _ in _plain(text)).strip()


def alike(a: str, b: str) -> bool:
    """Whether two texts differ in nothing but signs at their ends and case."""
    return plain(a).strip(_ENDS).casefold() == plain(b).strip(_ENDS).casefold()


#: Part of the content words of a value that must stand in the words it was read from.
STANDS = 0.6


def stands(value: str, text: str) -> bool:
    """Whether a text says a value: letter by letter, or its words in whatever form ("Lisbon", «в Риге»: «Рига»)."""
    if plain(value).casefold().strip(_ENDS) in plain(text).casefold():
        return True
    wanted, there = set(terms(value)), set(terms(text))
    wanted = wanted - stop_terms() or wanted
    # A number stands whole or not at all: 500 euros are not 5,000 euros.
    if not wanted or {term for term in wanted if term.isdigit()} - there:
        return False
    return len(wanted & there) >= STANDS * len(wanted)


def _plain(text: str) -> list[tuple[str, int, int]]:
    """The signs of the plain form with the place of each in the text: begin and end."""
    out: list[tuple[str, int, int]] = []
    at, size = 0, len(text)
    while at < size:
        end = at + 1
        while end < size and unicodedata.combining(text[end]):
            end += 1
        cluster = text[at:end]
        for sign in unicodedata.normalize("NFC", cluster) if not cluster.isascii() else cluster:
            if sign.isspace():
                if out and out[-1][0] == " ":
                    continue
                out.append((" ", at, end))
            elif sign not in _GONE:
                out.append((_SIGNS.get(ord(sign), sign), at, end))
        at = end
    return out


class Source:
    """A text in which quotations are looked for, read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        signs = _plain(without_recalled(text))
        self._plain = "".join(sign for sign, _, _ in signs)
        self._folded = self._plain.casefold()
        self._places = [(begin, end) for _, begin, end in signs]

    def find(self, quote: str) -> str | None:
        """The quoted words as they stand in the text, or ``None``."""
        wanted = plain(quote)
        for form in (wanted, wanted.strip(_ENDS)):
            if sum(sign.isalnum() for sign in form) < _SHORTEST:
                return None
            at = self._plain.find(form)
            if at >= 0:
                return self._text[self._places[at][0] : self._places[at + len(form) - 1][1]]
        return None

    def nearest(self, quote: str) -> str:
        """The words of the text that are most like a quotation that does not stand there; "" where none are."""
        wanted = Counter(terms(quote))
        places = [m.span() for m in _WORD.finditer(self._text)]
        stems = [tuple(terms(self._text[begin:end])) for begin, end in places]
        size = max(1, len(_WORD.findall(quote)))
        best, found = (0, 0.0), ""
        for at in range(max(1, len(places) - size + 1)):
            shared = sum((wanted & Counter(stem for word in stems[at : at + size] for stem in word)).values())
            if not shared or shared < best[0]:
                continue
            words = self._text[places[at][0] : places[min(at + size, len(places)) - 1][1]]
            if (score := (shared, SequenceMatcher(None, quote, words).quick_ratio())) > best:
                best, found = score, words
        return found

    def has(self, words: str) -> bool:
        """Whether words stand there, whatever their case."""
        form = plain(words).casefold().strip(_ENDS)
        return bool(form) and form in self._folded
