"""The sections of a Markdown document, and its most telling sentences, chosen without a model, in any
language that has stems and stop words.

SumBasic (Nenkova and Vanderwende 2005): a sentence is worth the mean probability of its content words in the document;
the best one that holds the likeliest word is taken, and the words it has told count as the square of what they did, so
that the next one says something else. Words that occur once say nothing of the whole (Luhn 1958), as long as others do
not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from .analyse import stop_terms, terms
from .sentences import ABBREVIATED

__all__ = ["front_matter", "paragraphs", "plain", "sections", "sentences", "telling"]

SHORTEST, LONGEST = 3, 40  # content words of a sentence that can stand alone
MOST_CHARS = 320
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


_HEADING = re.compile(r"(#{1,6})[ \t]+")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)$")
_FRONT = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]{0,40}):[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_LIST = re.compile(r"\s*(?:[-*+>|#]|\d+[.)])")


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """The fields of the front matter by lower-case name, and the text after it."""
    front = _FRONT.match(text)
    if front is None:
        return {}, text
    fields = {name.strip().lower(): value.strip("\"'") for name, value in _FIELD.findall(front[1])}
    return fields, text[front.end() :]


class _Fences:
    """Whether a line stands in a code fence: there ``#`` and blank lines are text."""

    def __init__(self) -> None:
        self._open = ""

    def holds(self, line: str) -> bool:
        """Whether the line is code or the edge of it; lines are given in order."""
        mark = _FENCE.match(line)
        if self._open:
            if mark and mark[1].startswith(self._open) and not mark[2].strip():
                self._open = ""
            return True
        if mark:
            self._open = mark[1]
        return mark is not None


def sections(text: str, *, underlined: bool = False) -> Iterator[tuple[list[str], str]]:
    """Yield the headings of each section (outermost first, ``""`` for a level left out) and its body.

    Args:
        underlined: lines above a row of ``=`` or ``-`` are headings too.
    """
    headings: list[str] = []
    held: list[str] = []
    fences = _Fences()
    for line in text.split("\n"):
        code = fences.holds(line)
        found = None if code else _HEADING.match(line)
        depth, name = (len(found[1]), _name(line[found.end() :])) if found else (0, "")
        if underlined and not code and not found and held and _UNDERLINE.match(line) and _titles(held):
            depth, name = (1 if line[0] == "=" else 2), held.pop().strip()
        if not depth:
            held.append(line)
            continue
        if headings or any(line.strip() for line in held):
            yield list(headings), "\n".join(held)
        headings = [*headings[: depth - 1], *[""] * (depth - 1 - len(headings)), name]
        held = []
    if headings or any(line.strip() for line in held):
        yield list(headings), "\n".join(held)


def _name(rest: str) -> str:
    """The words of a heading, without the signs that may close it."""
    name = rest.strip()
    bare = name.rstrip("#")
    return bare.rstrip() if bare[-1:] in (" ", "\t") else name


def _titles(held: list[str]) -> bool:
    """Whether the last line is a paragraph of its own, so that a row below it underlines a heading."""
    last = held[-1]
    return bool(last.strip()) and not _LIST.match(last) and (len(held) == 1 or not held[-2].strip())


def paragraphs(body: str) -> list[str]:
    """What stands between blank lines; a code fence is one paragraph with what is in it."""
    out: list[str] = []
    held: list[str] = []
    fences = _Fences()
    for line in body.split("\n"):
        if fences.holds(line) or line.strip():
            held.append(line)
        elif held:
            out.append("\n".join(held))
            held = []
    if held:
        out.append("\n".join(held))
    return out
