"""The most telling sentences of a document, chosen without a model, in any language that has stems and stop words.

SumBasic (Nenkova and Vanderwende 2005): a sentence is worth the mean probability of its content words in the document;
the best one that holds the likeliest word is taken, and the words it has told count as the square of what they did, so
that the next one says something else. Words that occur once say nothing of the whole (Luhn 1958), as long as others do
not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .analyse import stop_terms, terms
from .sections import paragraphs
from .sentences import ABBREVIATED

__all__ = ["plain", "sentences", "telling"]

SHORTEST, LONGEST = 3, 40  # content words of a sentence that can stand alone
MOST_CHARS = 320
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_CODE = re.compile(r"(?: {4}|\t)(?!\s*(?:[-*+]|\d{1,3}[.)])\s)")
_TABLE = re.compile(r"^\s*\|")
_BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_IMAGE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\n]{0,500}\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_)(?=\S)|(?<=\S)(\*\*|__|\*|_)(?!\w)")
_TAG = re.compile(r"<!--.{0,500}?-->|</?[a-zA-Z][^<>\n]{0,200}>")
_END = re.compile(r"(?<=[.!?…。！？])[\"'”’»)\]]*(?:\s+(?=[\"'“«(\[]*[A-ZА-ЯЁ0-9])|(?<=[。！？]))")


def plain(text: str) -> str:
    """Words without the marks of Markdown, on one line."""
    text = _TAG.sub(" ", _LINK.sub(r"\1", _IMAGE.sub(" ", text)))
    return " ".join(_EMPHASIS.sub("", text).split())


def sentences(body: str) -> list[str]:
    """Sentences and list items of the prose in a section; code, tables and what is too long to be one are left out."""
    out: list[str] = []
    for paragraph in paragraphs(body):
        run: list[str] = []
        fenced = False
        for line in paragraph.split("\n"):
            if _FENCE.match(line):
                fenced = not fenced
                continue
            if fenced or _CODE.match(line):
                continue
            bullet = _BULLET.match(line)
            if bullet or _TABLE.match(line):
                out += _cut(" ".join(run))
                run = []
            if not _TABLE.match(line):
                run.append(line[bullet.end() :] if bullet else line.lstrip(" \t>"))
        out += _cut(" ".join(run))
    return out


def _cut(text: str) -> list[str]:
    """One paragraph or item at the ends of its sentences."""
    out: list[str] = []
    held = ""
    for part in _END.split(plain(text)):
        held = f"{held} {part.strip()}".strip()
        if not ABBREVIATED.search(held):
            out.append(held)
            held = ""
    return [sentence for sentence in [*out, held] if sentence and len(sentence) <= MOST_CHARS]


def telling(candidates: Sequence[str], count: int) -> list[int]:
    """Positions of the most telling of some sentences, in their order, ``count`` at most.

    The same sentences in the same order give the same answer; what is equally good is taken from the front.
    """
    stop = stop_terms()
    held = [[term for term in terms(sentence) if term not in stop] for sentence in candidates]
    seen = Counter(term for words in held for term in words)
    total = sum(seen.values()) or 1
    least = 2 if any(number > 1 for number in seen.values()) else 1
    chance = {term: number / total if number >= least else 0.0 for term, number in seen.items()}
    left = [i for i, words in enumerate(held) if SHORTEST <= len(words) <= LONGEST]
    left = left or [i for i, words in enumerate(held) if words]  # headings, short notes
    chosen: list[int] = []
    told: set[str] = set()
    while left and len(chosen) < count:
        likeliest = max({term for i in left for term in held[i]}, key=lambda term: (chance[term], term))
        best = max(
            (i for i in left if likeliest in held[i]),
            key=lambda i: (sum(chance[term] for term in held[i]) / len(held[i]), -i),
        )
        left.remove(best)
        same = " ".join(held[best])
        if same in told:
            continue
        told.add(same)
        chosen.append(best)
        for term in set(held[best]):
            chance[term] *= chance[term]
    return sorted(chosen)
