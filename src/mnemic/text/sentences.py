"""Where the sentences of a message stand, and a message without some of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..lang.pack import union
from .analyse import stop_terms, terms

__all__ = ["ABBREVIATED", "spans", "speaking_of", "without"]

#: A full stop after one of these ends no sentence.
ABBREVIATED = re.compile(
    rf"(?:(?<![\w'’])(?:{union('common', 'abbreviated')}|[^\W\d_])|^\s*\d{{1,3}})\.$",
    re.I | re.M,
)
#: … and after one of these only where a capital follows. A year's «г.» is one, that of a town («г. Казань») is none.
_MAY_END = re.compile(rf"(?<![^\W\d])(?:{union('common', 'may_end')})\.$", re.I)
_NUMBER = re.compile(rf"(?<!\w)(?:{union('common', 'number')})\.$", re.I)  # "No. 5", and not the answer "No."
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[\"'”’»)\]]*|(?P<line>\n)")
_LOOK = 12  # characters before a full stop that an abbreviation is looked for in
_WRAPPED = 60  # a line that is this long and goes on in small letters was wrapped, not ended
_TRAILING = re.compile(r"[ \t]+(?=\n)")


def spans(text: str) -> list[tuple[int, int]]:
    """Beginning and end of each sentence with the space behind it; together they are the text.

    A line ends a sentence too, unless it was wrapped.
    """
    cuts = {0, len(text)}
    for found in _END.finditer(text):
        rest = text[found.end() : found.end() + 80]
        after = rest.lstrip()
        if found["line"]:
            if _is_wrapped(text, found.start(), rest):
                continue
        elif not _ends(text[max(0, found.start() - _LOOK) : found.end()].rstrip("\"'”’»)]"), after):
            continue
        cuts.add(len(text) if not after and len(rest) < 80 else found.end() + len(rest) - len(after))
    return list(pairwise(sorted(cuts)))


def _is_wrapped(text: str, at: int, rest: str) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return len(line) >= _WRAPPED and rest[:1].islower()


def _ends(before: str, after: str) -> bool:
    """Whether the signs at the end of some text end its sentence."""
    if before.endswith(("...", "…")):
        return not after[:1].islower()
    if not before.endswith("."):
        return True
    if _MAY_END.search(before):
        return not after or after[0].isupper() or not after[0].isalnum()
    if _NUMBER.search(before):
        return not after[:1].isdigit()
    return not after or not ABBREVIATED.search(before)


def speaking_of(text: str, quotes: Iterable[str], value: str, *, narrow: bool = False) -> list[tuple[int, int]]:
    """The sentences of a text that say something.

    Args:
        quotes: the words in which it says so. value: what it is about, looked for where there are no such words.
        narrow: of a quote of several sentences, those that name the value, if any do.
    """
    every = spans(text)
    quotes = [quote for quote in quotes if quote.strip()]
    found: list[tuple[int, int]] = []
    for quote in quotes:
        words = re.compile(r"\s+".join(map(re.escape, quote.split())), re.I)
        for match in words.finditer(text):
            held = [(a, b) for a, b in every if a < match.end() and match.start() < b]
            found += (_naming(text, held, value) if narrow and len(held) > 1 else []) or held
    return found or _naming(text, every, value) or ([] if quotes else every)


def _naming(text: str, among: Sequence[tuple[int, int]], value: str) -> list[tuple[int, int]]:
    """Those sentences that name all of a value, in any form of its words."""
    wanted = set(terms(value)) - stop_terms()
    return [(a, b) for a, b in among if wanted and wanted <= set(terms(text[a:b]))]


def without(text: str, gone: Iterable[tuple[int, int]]) -> str:
    """A text without some of its sentences; empty where no word is left."""
    leave = set(gone)
    out = ""
    for a, b in spans(text):
        sentence = text[a:b]
        if (a, b) in leave:  # the lines around it stay apart
            breaks = sentence.count("\n", len(sentence.rstrip()))
            sentence = "\n" * (breaks - out.endswith("\n"))
        out += sentence
    rest = _TRAILING.sub("", out).strip()
    return rest if any(map(str.isalnum, rest)) else ""
