"""Markdown read as a tree of headings: front matter, sections, paragraphs. Pure functions; ``\\n`` ends a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

__all__ = ["front_matter", "paragraphs", "sections"]

_HEADING = re.compile(r"(#{1,6})[ \t]+")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)$")
_FRONT = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]{0,40}):[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_LIST = re.compile(r"\s*(?:[-*+>|#]|\d+[.)])")


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """The fields of the front matter by lower-case name, and the text after it."""
    front = _FRONT.match(text)
    if front is None:
        return {}, text
    fields = {name.strip().lower(): value.strip("\"'") for name, value in _FIELD.findall(front[1])}
    return fields, text[front.end() :]


class _Fences:
    """Whether a line stands in a code fence: there ``#`` and blank lines are text."""

    def __init__(self) -> None:
        self._open = ""

    def holds(self, line: str) -> bool:
        """Whether the line is code or the edge of it; lines are given in order."""
        mark = _FENCE.match(line)
        if self._open:
            if mark and mark[1].startswith(self._open) and not mark[2].strip():
                self._open = ""
            return True
        if mark:
            self._open = mark[1]
        return mark is not None


def sections(text: str, *, underlined: bool = False) -> Iterator[tuple[list[str], str]]:
    """Yield the headings of each section (outermost first, ``""`` for a level left out) and its body.

    Args:
        underlined: lines above a row of ``=`` or ``-`` are headings too.
    """
    headings: list[str] = []
    held: list[str] = []
    fences = _Fences()
    for line in text.split("\n"):
        code = fences.holds(line)
        found = None if code else _HEADING.match(line)
        depth, name = (len(found[1]), _name(line[found.end() :])) if found else (0, "")
        if underlined and not code and not found and held and _UNDERLINE.match(line) and _titles(held):
            depth, name = (1 if line[0] == "=" else 2), held.pop().strip()
        if not depth:
            held.append(line)
            continue
        if headings or any(line.strip() for line in held):
            yield list(headings), "\n".join(held)
        headings = [*headings[: depth - 1], *[""] * (depth - 1 - len(headings)), name]
        held = []
    if headings or any(line.strip() for line in held):
        yield list(headings), "\n".join(held)


def _name(rest: str) -> str:
    """The words of a heading, without the signs that may close it."""
    name = rest.strip()
    bare = name.rstrip("#")
    return bare.rstrip() if bare[-1:] in (" ", "\t") else name


def _titles(held: list[str]) -> bool:
    """Whether the last line is a paragraph of its own, so that a row below it underlines a heading."""
    last = held[-1]
    return bool(last.strip()) and not _LIST.match(last) and (len(held) == 1 or not held[-2].strip())


def paragraphs(body: str) -> list[str]:
    """What stands between blank lines; a code fence is one paragraph with what is in it."""
    out: list[str] = []
    held: list[str] = []
    fences = _Fences()
    for line in body.split("\n"):
        if fences.holds(line) or line.strip():
            held.append(line)
        elif held:
            out.append("\n".join(held))
            held = []
    if held:
        out.append("\n".join(held))
    return out
