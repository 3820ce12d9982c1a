"""What of a message its writer says: not what is pasted, quoted, listed, labelled or given to be worked on.

Every replacement keeps the length and the lines, so that places stay places.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .rows import tables

__all__ = ["without_pasted"]

#: A message longer than this holds something that was not written for it.
LONGEST = 1_500
#: More lines than these, not counting empty ones, are a list, a log or a document.
MOST_LINES = 12
#: What stands in quotation marks and has more words than a name.
_NAME = 4
_FENCE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)|(\"\"\"|''').*?(?:\1|\Z)", re.S)
_QUOTE = re.compile(r"“[^”]*”|«[^»]*»|„[^“]*“|\"[^\"\n]*\"|(?<!\w)['‘][^'’\n]*(?:[’'](?=\w)[^'’\n]*)*['’](?!\w)")
_LINE = re.compile(r"[^\n]+")
#: Signs at the head of a line that is none of a letter's or a talk's sentences: a list, a table, a diff, a prompt.
_MARK = re.compile(r"[-*+•–—|>#@$%<]|\d+[.)]\s|[a-z][.)]\s|\[|\w{1,40}@\S{1,60}[:~]")
_INDENT = re.compile(r"\t|[ ]{4}")
_PROMPT = re.compile(r"(?:\w+@[\w-]+[:~\w/]*)?\$ \S")
_CODE = re.compile(
    r"[{};=\\]|->|=>|::|//|\(\)|\w\(\w*\)|</?\w|\w+\.\w+\(|\b[A-Z_]{4,}\b.*\b[A-Z_]{4,}\b|\d\d:\d\d:\d\d|^\s*at \S+:\d"
)
#: "Lola: I live in Madrid": a few words with capitals, then what somebody says.
_LABEL = re.compile(r"[ \t]*([^\W_][^\n:.!?,]{0,40}):(?=\s|$)")
_INLINE_CODE = re.compile(r"`[^`\n]+`")


def without_pasted(text: str) -> str:
    """The text with what others have written, as far as it can be told, blanked out."""
    text = _FENCE.sub(_blank, text)
    if _holds("work", text) or _holds("letter", text):  # "summarise this chat": what it is about is not theirs
        return _blank_all(text)
    text = _QUOTE.sub(lambda m: m.group() if len(m.group().split()) <= _NAME else _blank(m), text)
    out, foreign, at = [], False, 0
    for line in _LINE.finditer(text):
        out.append(text[at : line.start()])
        at = line.end()
        kept, foreign = (_blank(line), True) if foreign else _own_line(line.group())
        out.append(kept)
    return "".join([*out, text[at:]])


def plain(text: str) -> bool:
    """Whether a message is one that somebody has typed, as far as its length and lines tell."""
    return len(text) <= LONGEST and sum(1 for line in text.split("\n") if line.strip()) <= MOST_LINES


def _own_line(line: str) -> tuple[str, bool]:
    """What of a line is its writer's, and whether all that follows is foreign."""
    if not line.strip():
        return line, False
    label = _LABEL.match(line)
    head = label[1].lower() if label else line.partition(":")[0].lower()
    own = _heads("mine", head)
    ends = line.rstrip().endswith(":")
    if ends and not own:
        return line if not label else _blank_all(line), True
    if _PROMPT.match(line.lstrip()):  # a command, and then what it printed
        return _blank_all(line), True
    if ":" in line and not own and _heads("foreign", head):
        return line[: len(head)] + _blank_all(line[len(head) :]), True
    if label and not own and (label[1][:1].isupper() or "_" in head) and len(head.split()) <= 3:
        return _blank_all(line), False
    if _INDENT.match(line) or _MARK.match(line.lstrip()) or _CODE.search(_INLINE_CODE.sub(" ", line)):
        return _blank_all(line), False
    return line, False


def _holds(guard: str, text: str) -> bool:
    return any(language.holds(guard, text) for language in tables())


@lru_cache(maxsize=1_000)
def _heads(guard: str, head: str) -> bool:
    """As :func:`_holds`, for what stands before a colon: the same in many lines."""
    return _holds(guard, head)


def _blank(match: re.Match[str]) -> str:
    return _blank_all(match.group())


def _blank_all(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
