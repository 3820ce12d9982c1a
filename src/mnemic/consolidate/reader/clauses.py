"""The clauses of a message that state something: what is asked, supposed, told by others or meant as a joke is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...text.sentences import spans
from .rows import Language

_CUT = re.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*\.\.\.\s*|\s*…\s*")
_OPEN = 4  # parts that one clause may take in: "Lisbon, Portugal", "apples, pears and plums"
_END = " \t\n.!…,;:'"


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
        asked = (at for _, at, _ in _cuts(sentence, language) if language.begins("asking", sentence[at:].lstrip()))
        sentence = sentence[: next(asked, 0)]
    return "" if any(language.holds(guard, sentence) for guard in ("open", "told", "joke")) else sentence


def _cuts(sentence: str, language: Language) -> list[tuple[int, int, bool]]:
    """Where one part ends, where the next begins, and whether a value may go on over it ("Lisbon, Portugal")."""
    cuts = {(*m.span(), m.group().startswith(",")) for m in _CUT.finditer(sentence)}
    if "break" in language.guards:
        cuts |= {(m.start(), m.start(), False) for m in language.guards["break"].finditer(sentence) if m.start()}
    return [(0, 0, False), *sorted(cuts)]


def clauses(sentence: str, language: Language) -> list[Clause]:
    """The clauses of a sentence, longest first from each beginning."""
    cuts = _cuts(sentence, language)
    begins = [end for _, end, _ in cuts]
    stops = [start for start, _, _ in cuts[1:]] + [len(sentence)]
    out = []
    for i in range(len(stops)):
        far = i + 1
        while far < min(len(stops), i + _OPEN) and cuts[far][2]:
            far += 1
        for j in range(far - 1, i - 1, -1):
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
