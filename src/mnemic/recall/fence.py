"""Text of a memory as a prompt may hold it: on one line, never the end of its own fence, never cut inside a character."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]{0,20}"
_OPEN, _SLASH = r"(?:[<＜﹤‹⟨〈]|&(?:lt|\#0{0,5}60|\#x0{0,5}3c);)", "[/／⁄∕]?"
#: Tags by which prompts are put together, and the marks of chat templates: none of them may look like one.
_FENCE = re.compile(
    rf"{_OPEN}{_HIDDEN}({_SLASH}){_HIDDEN}(?:"
    + _HIDDEN.join("mnemic") + rf"{_HIDDEN}[-_‐-―−]?{_HIDDEN}" + _HIDDEN.join("memory")
    + r"|(?=(?:memor(?:y|ies)|system|assistant|instructions?)\b)\w+)",
    re.I,
)  # fmt: skip
#: Any of the signs that these begin with; most texts have none.
_SIGNS = re.compile(r"[<＜﹤‹⟨〈&\[]")
_TEMPLATE = re.compile(r"<\|(?=\w)|\[(?=/?INST\])|<<(?=/?SYS>>)", re.I)


def quoted(text: str) -> str:
    """On one line, and without anything a model might read as the end of the block."""
    line = " ".join(text.split())
    return _TEMPLATE.sub("(", _FENCE.sub(r"<\1quoted-memory", line)) if _SIGNS.search(line) else line


def cut(text: str, limit: int) -> str:
    """The beginning of a text, never ending inside a character that a reader sees as one."""
    end = min(limit, len(text))
    least = max(0, end - 64)  # more than that is no character but a stack of marks
    place = end
    while place > least and _joined(text, place):
        place -= 1
    return text[: place if place > least or not least else end].rstrip()


def _joined(text: str, place: int) -> bool:
    """Whether the characters before and after a place belong together: marks, joiners, skin tones, tags, flags, jamo."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    code = ord(right)
    if (
        "\u200d" in (left, right)
        or unicodedata.category(right) in ("Mn", "Mc", "Me")
        or unicodedata.combining(left) == 9
    ):
        return True
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or (0x1160 <= code <= 0x11FF):
        return True
    run = 0
    if 0x1F1E6 <= code <= 0x1F1FF:
        while run < place and 0x1F1E6 <= ord(text[place - 1 - run]) <= 0x1F1FF:
            run += 1
    return run % 2 == 1
