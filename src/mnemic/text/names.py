"""Names found by rule: speakers, and capitalised words where a capital says something.

Used for the entity channel and to see whom a question is about. A name is matched exactly (folded), never by a part
of it: "Anna Petrova" is not "Anna Belova".
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ..lang.pack import words
from .analyse import STOP_WORDS, clean, fold, stop_terms, terms

_LETTERS = [chr(code) for code in range(0x41, 0x530)]  # Latin, Greek, Cyrillic
_UPPER = "".join(c for c in _LETTERS if c.isupper())
_LOWER = "".join(c for c in _LETTERS if c.islower())
_WORD = rf"(?<!\w)(?:[{_UPPER}][\w’'-]{{0,78}}[{_LOWER}0-9]|[{_UPPER}]{{2,80}})(?!\w)"
_NAME = re.compile(rf"{_WORD}(?:[ \u00a0]{_WORD})*")
_OPENS = frozenset('.!?…:;"“”«»([*#>-')  # a sentence may begin after one of these

#: Capitalised, but names of times or of speech acts rather than of things.
NOT_NAMES = frozenset(fold(word) for word in words("names", "not_names"))
MAX_NAMES = 12


def alias(name: str) -> str:
    """The form under which a name is looked up: folded, single spaces, no possessive."""
    folded = " ".join(fold(clean(name)).split())
    return folded[:-2] if folded.endswith("'s") else folded


def _begins_sentence(text: str, at: int) -> bool:
    while at and text[at - 1].isspace():
        at -= 1
        if text[at] in "\n\r":
            return True
    return not at or text[at - 1] in _OPENS


def names(text: str) -> list[str]:
    """Names in a text, in order, each once, as they stand there (at most 12).

    A capital at the beginning of a sentence says nothing unless another capital follows it.
    """
    out: dict[str, str] = {}
    for match in _NAME.finditer(text):
        said = match.group().split()
        while said and (fold(said[0]) in NOT_NAMES or fold(said[0]) in STOP_WORDS):
            said.pop(0)
        while said and fold(said[-1]) in NOT_NAMES:
            said.pop()
        if not said:
            continue
        first = match.group().split()[0] == said[0]
        if len(said) == 1 and first and not said[0].isupper() and _begins_sentence(text, match.start()):
            continue
        name = " ".join(said)
        name = re.sub(r"[’']s$", "", name)
        if len(name) > 1 and len(name) <= 80:
            out.setdefault(alias(name), name)
        if len(out) >= MAX_NAMES:
            break
    return list(out.values())


def mentioned(text: str, known: dict[str, str]) -> list[str]:
    """Which of the known names (alias → name) a question names, by whole words and their stems («Анны» → «Анна»)."""
    present = set(terms(text))
    out = []
    for folded, name in known.items():
        wanted = [t for t in terms(folded) if t not in stop_terms()]
        if wanted and all(t in present for t in wanted):
            out.append(name)
    return out


_TABLE = tomllib.loads((Path(__file__).parent / "data" / "places.toml").read_text(encoding="utf-8"))
#: The names of one place, with a stroke between them: "munich/münchen/мюнхен".
PLACES: tuple[str, ...] = tuple(
    row.strip() for rows in _TABLE.values() for row in rows.replace("\n", ";").split(";") if row.strip()
)
