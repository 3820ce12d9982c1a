"""Aider history: ``.aider.chat.history.md``, Markdown in which the user's lines begin with ``####``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import micros, short_hash, zone_of
from .lines import text_of
from .records import Item, finish

_HEADER = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)$")
_COMMAND = re.compile(r"[/!]\S*")
#: Commands whose argument is a question or a task in the user's words.
SPEAKING_COMMANDS = frozenset({"/ask", "/code", "/architect", "/context", "/copy-context", "/help", "/commit"})
_SNIFF = re.compile(rb"^# aider chat started at \d{4}-\d\d-\d\d", re.MULTILINE)


class Aider:
    """Sessions open with a header that has the only time there is; all messages of a session get it."""

    name = "aider"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        return 0.95 if _SNIFF.search(head) and not head.lstrip().startswith((b"{", b"[")) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_read(text_of(file).split("\n"), path, options), options)


def _read(rows: list[str], path: Path, options: ReadOptions) -> Iterator[Item]:
    zone = zone_of(options.zone)
    started = ""
    number = 0
    for kind, text in _blocks(rows):
        if kind == "session":
            started, number = text, 0
            continue
        number += 1
        session = f"aider:{started or short_hash(str(path.absolute()))}"
        words = _words(text) if kind == "user" else text
        if not text.strip():
            yield Skip("empty", f"{session}:{number}")
            continue
        yield Record(
            key=f"{session}:{number}:{short_hash(kind, text)}",
            text=words or text,
            role={"user": "user", "tool": "tool"}.get(kind, "assistant"),
            session=session,
            at=micros(started, zone) if started else None,
            label="tool_output" if kind == "tool" else "message" if words else "injected",
            project=str(path.absolute().parent),
        )


def _words(text: str) -> str:
    """Return the user's words: commands that only steer the program have none."""
    command = _COMMAND.match(text)
    if not command:
        return text
    return text if command[0] in SPEAKING_COMMANDS and text[command.end() :].strip() else ""


def _blocks(rows: list[str]) -> Iterator[tuple[str, str]]:
    """Yield ``(kind, text)``: ``session`` (its time), ``user``, ``tool`` or ``assistant``."""
    kind = "assistant"
    held: list[str] = []
    fenced_until = -1
    for index, row in enumerate(rows):
        header = _HEADER.match(row) if index > fenced_until else None
        if index <= fenced_until or not row.startswith(("#### ", "####", "> ", ">")):
            now = "assistant"
        elif row.startswith("####"):
            now = "user" if row == "####" or row[4:5] == " " else "assistant"
        else:
            now = "tool"
        if header or now != kind:
            if any(line.strip() for line in held):
                yield kind, "\n".join(held).strip("\n")
            held, kind = [], now
        if header:
            yield "session", header[1]
            kind = "assistant"
            continue
        if now == "assistant":
            held.append(row)
            if index > fenced_until and (fence := _FENCE.match(row)):
                fenced_until = _fence_end(rows, index, fence[1])
        else:
            held.append(row.removeprefix("####" if now == "user" else ">")[1:].removesuffix("  "))
    if any(line.strip() for line in held):
        yield kind, "\n".join(held).strip("\n")


def _fence_end(rows: list[str], start: int, mark: str) -> int:
    """Return the row that closes the fence opened at ``start``, or ``start`` if it was left open.

    A fence that runs over a session header is believed only if the next fence row after it is a bare one:
    an answer that was cut off leaves its fence open, and then the header is a real one.
    """
    header_seen = False
    for index in range(start + 1, len(rows)):
        row = rows[index]
        if _HEADER.match(row):
            header_seen = True
        fence = _FENCE.match(row)
        if fence and fence[1][0] == mark[0] and len(fence[1]) >= len(mark):
            if not fence[2].strip():
                return index
            if header_seen:
                return start
    return start
