"""The clauses of a message that state something: what is asked, supposed, told by others or meant as a joke is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...text.sentences import spans
from .rows import Language

_CUT = re.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*\.\.\.\s*|\s*…\s*")
_OPEN = 4  # parts that one clause may take in: "Lisbon, Portugal", "apples, pears and plums"
_END = " \t\n.!…,;:"


class Clause(NamedTuple):
    """Words that may state something, from where to where they stand, and what follows them in their sentence."""

    text: str
    start: int
    end: int
    after: str


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences with their places, without empty ones."""
    for start, end in spans(text):
        sentence = text[start:end]
        if sentence.strip():
            yield start + len(sentence) - len(sentence.lstrip()), sentence.strip()


def stated(sentence: str, language: Language) -> str:
    """What of a sentence is meant as said: all of it, of a question what stands before it is asked, or nothing."""
    if sentence.rstrip("\"')»”").endswith("?"):
        asked = (at for _, at in _cuts(sentence, language) if language.begins("asking", sentence[at:].lstrip()))
        sentence = sentence[: next(asked, 0)]
    return "" if any(language.holds(guard, sentence) for guard in ("open", "told", "joke")) else sentence


def _cuts(sentence: str, language: Language) -> list[tuple[int, int]]:
    """Where one part ends and where the next begins."""
    cuts = {m.span() for m in _CUT.finditer(sentence)}
    if "break" in language.guards:
        cuts |= {(m.start(), m.start()) for m in language.guards["break"].finditer(sentence) if m.start()}
    return [(0, 0), *sorted(cuts)]


def clauses(sentence: str, language: Language) -> list[Clause]:
    """The clauses of a sentence, longest first from each beginning."""
    cuts = _cuts(sentence, language)
    begins = [end for _, end in cuts]
    stops = [start for start, _ in cuts[1:]] + [len(sentence)]
    last = len(stops)
    out = []
    for i in range(last):
        for j in range(min(last, i + _OPEN) - 1, i - 1, -1):
            start, end = begins[i], stops[j]
            while start < end and sentence[start].isspace():
                start += 1
            lead = language.begins("lead", sentence[start:end])
            while lead and lead.end():
                start += lead.end()
                while start < end and sentence[start] in " ,":
                    start += 1
                lead = language.begins("lead", sentence[start:end])
            text = sentence[start:end].rstrip(_END)
            if text:
                out.append(Clause(text, start, start + len(text), sentence[end:].lstrip(" ,;:—–-")))
    return out
