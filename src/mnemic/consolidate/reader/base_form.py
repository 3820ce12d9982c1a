"""Values in their base form, where a language bends them: «в Махачкале» is Махачкала, «с женой Лилей» is Лиля."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

_NAMES = ("Geox", "Name", "Surn", "Orgn", "Patr")


@cache
def _analyser() -> Any:
    import pymorphy3  # its dictionary takes 40 ms: only where a row of such a language has fired

    return pymorphy3.MorphAnalyzer()


def base(value: str, cases: str, to: str = "nomn") -> str:
    """The value in the nominative: its adjectives and its first noun, or all words of a name; the rest stays.

    Args:
        cases: in which it may stand, of pymorphy's names, the likeliest first ("accs gent"). to: the case wanted.
    """
    words = value.split()
    parsed = [_best(word, cases.split()) for word in words]
    if not any(parsed):
        return value
    head = next((i for i, p in enumerate(parsed) if p is not None and p.tag.POS == "NOUN"), None)
    out = list(words)
    for i, p in enumerate(parsed):
        if head is None or p is None or (i > head and not (words[i][0].isupper() and words[head][0].isupper())):
            break
        wanted = {to}
        noun = parsed[head]
        if i != head and p.tag.POS != "NOUN" and noun is not None:
            wanted |= {"plur"} if noun.tag.number == "plur" else {noun.tag.gender or "masc", "sing"}
            if to == "accs" and noun.tag.animacy and "femn" not in wanted:
                wanted.add(noun.tag.animacy)
        bent = p.inflect(wanted)
        if bent is not None:
            out[i] = _as_written(bent.word, words[i]) + "," * words[i].endswith(",")
    return " ".join(out)


def personal(word: str) -> bool:
    """Whether a word may be the name of somebody, in the nominative: «Офис», «Сестра» and «Оли» are none."""
    parses = [p for p in _analyser().parse(word) if p.is_known]
    return not parses or any("nomn" in p.tag and any(name in p.tag for name in _NAMES) for p in parses)


def lemma(word: str) -> str:
    """The nominative singular of a noun: «сестру», «сестре» → «сестра»."""
    found = [p for p in _analyser().parse(word) if p.tag.POS == "NOUN"]
    return str(found[0].normal_form) if found else word


def _best(word: str, cases: Sequence[str]) -> Any:
    """The likeliest reading of a word in one of the cases; names before other words where it has a capital."""
    if not re.search(r"[а-яё]", word, re.I):
        return None
    parses = [p for p in _analyser().parse(word.strip("«»\"'.,")) if p.tag.POS in ("NOUN", "ADJF", "PRTF", "ADJS")]
    if word[0].isupper():
        parses.sort(key=lambda p: not any(name in p.tag for name in _NAMES))
    for case in cases:
        for p in parses:
            if case in p.tag:
                return p
    return None


def _as_written(bent: str, written: str) -> str:
    """The bent word with the capitals of the written one: «Санкт-Петербурге» → «Санкт-Петербург»."""
    capitals = [part[:1].isupper() for part in written.strip("«»").split("-")]
    parts = bent.split("-")
    out = "-".join(
        part[:1].upper() + part[1:] if i < len(capitals) and capitals[i] else part for i, part in enumerate(parts)
    )
    return f"«{out}»" if written.startswith("«") and written.endswith("»") else out
