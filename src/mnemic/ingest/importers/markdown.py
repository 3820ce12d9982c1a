"""Formats written in Markdown: notes, and the histories that SpecStory and Aider keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from ...text.digest import front_matter, sections
from .base import ReadOptions, Record, Skip
from .fields import facts, micros, short_hash, zone_of
from .lines import text_of
from .records import Item, finish, own_words

_DAY_IN_NAME = re.compile(r"(\d{4}-\d\d-\d\d)")
_SNIFF_HEADING = re.compile(rb"^#{1,6}[ \t]+\S|^---[ \t]*\r?\n[\w-]+:", re.MULTILINE)
#: Front matter fields that tell when a note was written, the most telling first.
DATE_FIELDS = ("date", "created", "created_at", "creation date", "updated", "modified", "updated_at")
_TEXT_NAMES = frozenset({".md", ".markdown", ".mdown", ".txt", ".text", ".rst", ".org", ""})


class MarkdownNotes:
    """A note's time: its front matter, else its name (``2026-01-31 Call.md``), else the file's."""

    name = "markdown"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if not head.strip() or b"\x00" in head or head.lstrip()[:1] in (b"{", b"[", b"<"):
            return 0.0
        try:
            head[:-4].decode()
        except UnicodeDecodeError:
            return 0.0
        if _SNIFF_HEADING.search(head):
            return 0.3
        return 0.1 if path.suffix.lower() in _TEXT_NAMES else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_notes(text_of(file), path, options), options)


def _notes(text: str, path: Path, options: ReadOptions) -> Iterator[Item]:
    session = f"file:{path.absolute().as_posix()}"
    fields, text = front_matter(text)
    at = _time(fields, path, options)
    times_used: dict[str, int] = {}
    for headings, body in sections(text):
        name = " / ".join(heading for heading in headings if heading)
        times_used[name] = times_used.get(name, 0) + 1
        key = f"{session}#{name}" + (f"~{times_used[name]}" if times_used[name] > 1 else "")
        if not body.strip():
            if headings:
                yield Skip("empty", key)
            continue
        yield Record(
            key=key,
            text=(f"{name}\n\n" if name else "") + body.strip("\n"),
            role="user",
            session=session,
            at=at,
            label="note",
            attributes=facts(
                headings=[heading for heading in headings if heading] or None,
                title=fields.get("title"),
                tags=fields.get("tags"),
            ),
            replaces=True,
        )


def _time(fields: Mapping[str, str], path: Path, options: ReadOptions) -> int | None:
    zone = zone_of(options.zone)
    for name in DATE_FIELDS:
        if (at := micros(fields.get(name), zone)) is not None:
            return at
    if (day := _DAY_IN_NAME.search(path.stem)) and (at := micros(day[1], zone)) is not None:
        return at
    try:
        return path.stat().st_mtime_ns // 1000
    except (OSError, ValueError):
        return None


# SpecStory Markdown: ``.specstory/history/*.md``, conversations of coding agents for people.

_SPECSTORY = re.compile(rb"<!--[^>]{0,40}SpecStory|^_\*\*(?:User|Agent|Assistant)\b[^\n]*\*\*_[ \t]*\r?$", re.MULTILINE)
_SESSION = re.compile(r"<!--\s*(?:[\w ]+?)\s*Session\s+([\w-]{6,64})", re.IGNORECASE)
_TITLE_TIME = re.compile(r"^# .*?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?)", re.MULTILINE)
_TURN = re.compile(r"^_\*\*(User|Agent|Assistant)\b[ \t]*(.*?)\*\*_[ \t]*$", re.MULTILINE)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?")
_RULE_AT_END = re.compile(r"\s*\n---\s*\Z")
#: Parts of a turn that are not its words.
PARTS = (
    ("thinking", re.compile(r"<think>.*?</think>", re.DOTALL)),
    ("tool_call", re.compile(r"<tool-use\b.*?</tool-use>", re.DOTALL)),
)


class SpecStory:
    """Turns open with ``_**User (time)**_`` or ``_**Agent (model time)**_`` and end with a rule."""

    name = "specstory"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        return 0.9 if _SPECSTORY.search(head) and not head.lstrip().startswith((b"{", b"[")) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_history(text_of(file), path, options), options)


def _history(text: str, path: Path, options: ReadOptions) -> Iterator[Item]:
    zone = zone_of(options.zone)
    session_id = _SESSION.search(text)
    session = f"specstory:{session_id[1] if session_id else short_hash(str(path.absolute()))}"
    title = _TITLE_TIME.search(text)
    at = micros(title[1], zone) if title else None
    turns = list(_TURN.finditer(text))
    if not turns and text.strip():
        yield Skip("no_turns", path.name)
    for number, turn in enumerate(turns):
        body = text[turn.end() : turns[number + 1].start() if number + 1 < len(turns) else len(text)]
        when = _TIME.search(turn[2])
        at = (micros(when[0], zone) if when else None) or at
        role = "user" if turn[1] == "User" else "assistant"
        rest = turn[2].strip("() \t")
        model = rest.replace(when[0], "").strip() if when else rest
        yield from _turn(_RULE_AT_END.sub("", body).strip(), role, session, number, at, model)


def _turn(body: str, role: str, session: str, number: int, at: int | None, model: str) -> Iterator[Item]:
    key = f"{session}:{number}:{role}"  # not of the text: the file is written anew while an answer grows
    attributes = facts(model=model if role == "assistant" else None)
    for label, pattern in PARTS:
        for index, part in enumerate(pattern.findall(body)):
            mark = f"{key}#{label}{index}"
            yield Record(mark, part, role, session, at, label=label, attributes=attributes, replaces=True)
        body = pattern.sub("", body).strip()
    words = own_words(body) if role == "user" else body
    if words.strip():
        yield Record(key, words, role, session, at, attributes=attributes, replaces=True)
    elif body:
        yield Skip("injected", key)
    else:
        yield Skip("empty", key)


_HEADER = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)$")
_COMMAND = re.compile(r"[/!]\S*")
#: Commands whose argument is a question or a task in the user's words.
SPEAKING_COMMANDS = frozenset({"/ask", "/code", "/architect", "/context", "/copy-context", "/help", "/commit"})
# Aider history: ``.aider.chat.history.md``, Markdown in which the user's lines begin with ``####``.

_AIDER = re.compile(rb"^# aider chat started at \d{4}-\d\d-\d\d", re.MULTILINE)


class Aider:
    """Sessions open with a header that has the only time there is; all messages of a session get it."""

    name = "aider"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        return 0.95 if _AIDER.search(head) and not head.lstrip().startswith((b"{", b"[")) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_chats(text_of(file).split("\n"), path, options), options)


def _chats(rows: list[str], path: Path, options: ReadOptions) -> Iterator[Item]:
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
