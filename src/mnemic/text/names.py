"""Names found by rule: speakers, and capitalised words where a capital says something. English and Russian.

Used for the entity channel and to see whom a question is about. A name is matched exactly (folded), never by a part
of it: "Anna Petrova" is not "Anna Belova".
"""

from __future__ import annotations

import re

from .analyse import clean, fold, stop_terms, terms
from .stopwords import STOP_WORDS

_LETTERS = [chr(code) for code in range(0x41, 0x530)]  # Latin, Greek, Cyrillic
_UPPER = "".join(c for c in _LETTERS if c.isupper())
_LOWER = "".join(c for c in _LETTERS if c.islower())
_WORD = rf"(?<!\w)(?:[{_UPPER}][\w’'-]{{0,78}}[{_LOWER}0-9]|[{_UPPER}]{{2,80}})(?!\w)"
_NAME = re.compile(rf"{_WORD}(?:[ \u00a0]{_WORD})*")
_OPENS = frozenset('.!?…:;"“”«»([*#>-')  # a sentence may begin after one of these

#: Capitalised, but names of times or of speech acts rather than of things, English and Russian.
_NOT_NAMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december i ok okay yes no hi hey hello thanks thank please sorry wow yeah oh great sure today tomorrow
yesterday later finally recently currently meanwhile maybe perhaps next today's yesterday's what when where who why how
which whose did does is are was were do can could would should will has have
понедельник вторник среда четверг пятница суббота воскресенье январь февраль март апрель май июнь июль август сентябрь
октябрь ноябрь декабрь привет спасибо да нет пожалуйста здравствуйте кто что где когда почему зачем как какой чей
вчера сегодня завтра позавчера послезавтра потом затем теперь сейчас недавно позже наконец однажды также
"""
NOT_NAMES = frozenset(fold(word) for word in _NOT_NAMES.split())
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
        words = match.group().split()
        while words and (fold(words[0]) in NOT_NAMES or fold(words[0]) in STOP_WORDS):
            words.pop(0)
        while words and fold(words[-1]) in NOT_NAMES:
            words.pop()
        if not words:
            continue
        first = match.group().split()[0] == words[0]
        if len(words) == 1 and first and not words[0].isupper() and _begins_sentence(text, match.start()):
            continue
        name = " ".join(words)
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
