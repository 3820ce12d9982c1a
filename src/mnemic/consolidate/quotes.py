"""Finds a quotation in the text it is said to be from: verbatim but for white space, quotation marks and dashes."""

from __future__ import annotations

import unicodedata

from ..text.recalled import blocks

__all__ = ["Source", "alike", "plain", "without_recalled"]

_SIGNS = dict.fromkeys(map(ord, "“”„‟«»‹›\"'`´‘’‚‛′″＂＇"), "'") | dict.fromkeys(map(ord, "‐‑‒–—―−－"), "-")
_GONE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
#: What a model adds at the ends of a quotation, or leaves out there.
_ENDS = " '.,;:!?…-()[]*_"
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

    def has(self, words: str) -> bool:
        """Whether words stand there, whatever their case."""
        form = plain(words).casefold().strip(_ENDS)
        return bool(form) and form in self._folded
