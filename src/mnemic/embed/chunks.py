"""Cut a text that is longer than a model reads well into pieces that it does.

Pure functions on strings; no model is asked. Cuts fall, in this order of liking, at a blank line, a line end, a
sentence end, a space; only when a stretch has none of them between two letters, and then never inside what a reader
sees as one character (a grapheme cluster), unless that one "character" alone fills half a piece.
"""

from __future__ import annotations

import re
import unicodedata

from mnemic.errors import InvalidInput

#: Most pieces that one text is cut into. At 600 characters a piece it covers 614,400 characters whole at least.
MAX_CHUNKS = 2_048

#: Where a piece may end, best first. The match's end is the cut. (Possessive: no input makes them slow.)
_BOUNDARIES = (
    re.compile(r"\n[ \t\r]*+\n\s*+"),
    re.compile(r"\n\s*+"),
    re.compile(r"(?<![.!?…؟।])[.!?…؟।]++[\"'”’»)\]]*+\s++|[。！？]++[”」』）]*+\s*+"),
    re.compile(r"\s++"),
)

_ZERO_WIDTH_JOINER = "\u200d"


def spans(text: str, max_chars: int, *, max_chunks: int = MAX_CHUNKS) -> list[tuple[int, int]]:
    """Return the pieces of ``text`` as ``(start, end)`` offsets, in order, never overlapping.

    Args:
        text: any text.
        max_chars: longest piece, in characters (code points).
        max_chunks: most pieces. A text of at most ``max_chars * max_chunks / 2`` characters is covered
            whole: every character that is not white space lies in a piece. A longer one is *sampled*:
            ``max_chunks`` pieces spread evenly from its first to its last character.

    Returns:
        Offsets into ``text``, without the white space around each piece; empty when the text is blank.

    Raises:
        InvalidInput: a limit below 1.
    """
    if max_chars < 1:
        raise InvalidInput("max_chars", "must be at least 1")
    if max_chunks < 1:
        raise InvalidInput("max_chunks", "must be at least 1")
    size = len(text)
    if size > max_chars and size > max_chars * max_chunks // 2:
        return _sample(text, max_chars, max_chunks)
    found: list[tuple[int, int]] = []
    start = 0
    while start < size:
        end = _cut(text, start, max_chars)
        _add(found, text, start, end)
        start = end
    return found


def chunk(text: str, max_chars: int, *, max_chunks: int = MAX_CHUNKS) -> list[str]:
    """The pieces of :func:`spans` as strings: each at most ``max_chars`` characters, none of them blank."""
    return [text[start:end] for start, end in spans(text, max_chars, max_chunks=max_chunks)]


def _cut(text: str, start: int, limit: int) -> int:
    """Where the piece that begins at ``start`` ends: at most ``limit`` characters on, always at least one."""
    rest = len(text) - start
    if rest <= limit:
        return len(text)
    # The last two pieces share what is left, so that no crumb of three words becomes a vector of its own.
    ideal = rest // 2 if rest < 2 * limit else limit
    low, high = start + (limit + 1) // 2, start + limit
    for boundary in _BOUNDARIES:
        ends = [match.end() for match in boundary.finditer(text, low, high)]
        if ends:
            return min(ends, key=lambda end: abs(end - start - ideal))
    return _back_to_cluster(text, low, high)


def _back_to_cluster(text: str, low: int, high: int) -> int:
    """The last place in ``[low, high]`` where a cut splits no grapheme cluster; ``high`` when there is none."""
    for place in range(high, low - 1, -1):
        if not _joined(text, place):
            return place
    return high


def _joined(text: str, place: int) -> bool:
    """Whether the characters on both sides of ``place`` belong to one grapheme cluster.

    The cases of UAX 29 that occur in conversation: combining and spacing marks, joiners, conjuncts, emoji modifiers and
    tags, flags, Hangul jamo, CR LF, and the two halves of a surrogate pair left in a string by a broken reader.
    """
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    if right.isascii() and left.isascii():
        return left == "\r" and right == "\n"
    if _ZERO_WIDTH_JOINER in (left, right) or unicodedata.category(right) in ("Mn", "Mc", "Me"):
        return True
    if unicodedata.combining(left) == 9 and right.isalpha():  # a virama binds the consonant after it
        return True
    code_left, code_right = ord(left), ord(right)
    if 0x1F3FB <= code_right <= 0x1F3FF or 0xE0020 <= code_right <= 0xE007F:  # skin tone; flag tags
        return True
    if 0xD800 <= code_left <= 0xDBFF and 0xDC00 <= code_right <= 0xDFFF:
        return True
    if _flag(code_left) and _flag(code_right):
        run = 0
        while place - 1 - run >= 0 and _flag(ord(text[place - 1 - run])):
            run += 1
        return run % 2 == 1
    return _jamo(code_left) and _jamo_tail(code_right)


def _flag(code: int) -> bool:
    return 0x1F1E6 <= code <= 0x1F1FF


def _jamo(code: int) -> bool:
    return 0x1100 <= code <= 0x11FF or 0xAC00 <= code <= 0xD7A3


def _jamo_tail(code: int) -> bool:
    return 0x1100 <= code <= 0x11FF


def _sample(text: str, max_chars: int, max_chunks: int) -> list[tuple[int, int]]:
    """``max_chunks`` pieces spread evenly over a text too long to be covered, its head and its tail among them."""
    found: list[tuple[int, int]] = []
    size = len(text)
    step = (size - max_chars) / max(1, max_chunks - 1)
    for number in range(max_chunks):
        start = round(number * step)
        end = min(size, start + max_chars)
        if start and not text[start - 1].isspace():
            space = _BOUNDARIES[-1].search(text, start, start + max_chars // 2)
            start = space.end() if space else _back_to_cluster(text, max(0, start - 64), start)
        start = max(start, found[-1][1] if found else 0)
        end = min(end, start + max_chars)  # where it begins earlier, not to cut a character, it ends earlier
        if start < end < size:
            end = _cut(text, start, end - start)
        _add(found, text, start, end)
    return found


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    """Append the span without the white space around it, if anything is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        found.append((start, end))
