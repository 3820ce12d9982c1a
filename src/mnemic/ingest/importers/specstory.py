"""SpecStory Markdown: ``.specstory/history/*.md``, conversations of coding agents for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import facts, micros, short_hash, zone_of
from .injected import own_words
from .lines import text_of
from .records import Item, finish

_SNIFF = re.compile(rb"<!--[^>]{0,40}SpecStory|^_\*\*(?:User|Agent|Assistant)\b[^\n]*\*\*_[ \t]*\r?$", re.MULTILINE)
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
        return 0.9 if _SNIFF.search(head) and not head.lstrip().startswith((b"{", b"[")) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_read(text_of(file), path, options), options)


def _read(text: str, path: Path, options: ReadOptions) -> Iterator[Item]:
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
