"""Rows of one language, ready to run: compiled, and found by their cue words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from .row import Row

_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A row with its pattern ready."""

    row: Row
    regex: re.Pattern[str]
    look: re.Pattern[str] | None


#: A class of capitals in a pattern means capitals, whatever the rest of it overlooks.
_CAPITALS = re.compile(r"\[[^\]]*(?:A-Z|А-ЯЁ)[^\]]*\]")


def _strict(match: re.Match[str]) -> str:
    loose = any(small in match.group() for small in ("a-z", "а-я", "\\w"))
    return match.group() if loose else f"(?-i:{match.group()})"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_CAPITALS.sub(_strict, pattern), re.I)


class Table:
    """Rows of one language, found by their cue words."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(
            Compiled(row, _compiled(row.pattern), _compiled(row.look) if row.look else None) for row in rows
        )
        self._words: dict[str, list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}
        for number, compiled in enumerate(self.rows):
            for cue in compiled.row.cue.split():
                index = self._beginnings if cue.endswith("*") else self._words
                index.setdefault(cue.rstrip("*"), []).append(number)
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})

    def fitting(self, words: AbstractSet[str], text: str) -> list[Compiled]:
        """Rows that a sentence of these words may fit, in their order."""
        found: set[int] = set()
        whole, beginnings = self._words, self._beginnings
        for word in whole.keys() & words:
            found.update(whole[word])
        if beginnings:
            for word in words:
                for length in self._lengths:
                    if length > len(word):
                        break
                    if (head := word[:length]) in beginnings:
                        found.update(beginnings[head])
        rows = (self.rows[number] for number in sorted(found))
        return [compiled for compiled in rows if compiled.look is None or compiled.look.search(text)]

    def only(self, keep: Callable[[Row], bool]) -> Table:
        """A table of some of the rows."""
        return Table(compiled.row for compiled in self.rows if keep(compiled.row))


def words_of(text: str) -> set[str]:
    """The words of a sentence in small letters; "name's" is also "name"."""
    written = set(_WORDS.findall(text.lower()))
    if "'" in text:
        written.update([word.split("'", 1)[0] for word in written if "'" in word])
    return written
