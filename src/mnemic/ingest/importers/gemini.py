"""Gemini CLI sessions: ``~/.gemini/tmp/<project hash>/chats/session-*.json``, one JSON object each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, listing, mapping, micros, name_of, short_hash
from .injected import own_words
from .jsonstream import BrokenValue, JsonStream
from .records import Item, finish

ROLES = {"user": "user", "gemini": "assistant", "model": "assistant"}
_MESSAGE = re.compile(rb'"type"\s*:\s*"(?:user|gemini)"')


class Gemini:
    """One session; tool calls and thoughts hang on the messages."""

    name = "gemini"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] != b"{" or b'"messages"' not in head:
            return 0.0
        if b'"projectHash"' in head:
            return 0.95
        return 0.6 if b'"sessionId"' in head and _MESSAGE.search(head) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(self._read(file, path, options), options)

    def _read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        stream = JsonStream(file, options.max_line, "type")
        header: dict[str, Any] = {}
        at: int | None = None
        for key in stream.members():
            if key != "messages":
                try:
                    header[key] = stream.value()
                except BrokenValue as problem:
                    yield Skip(problem.reason, key)
                continue
            session = f"gemini:{first(header, 'sessionId') or path.stem}"
            at = at or micros(header.get("startTime"))
            for index in stream.elements():
                try:
                    row = stream.value()
                except BrokenValue as problem:
                    yield Skip(problem.reason, f"message {index}")
                    continue
                if not isinstance(row, dict):
                    yield Skip("not_an_object", f"message {index}")
                    continue
                at = micros(row.get("timestamp")) or at
                yield from _message(row, session, at, name_of(header.get("projectHash")))
        if stream.unsound():
            yield Skip("damaged_file", path.name)


def _message(row: Mapping[str, Any], session: str, at: int | None, project_hash: str | None) -> Iterator[Item]:
    kind = row.get("type")
    role = ROLES.get(kind) if isinstance(kind, str) else None
    if role is None:
        yield Skip("unknown_type", session)
        return
    content = row.get("content")
    text = joined(content)
    key = first(row, "id") or short_hash(str(at), role, text or compact(row))
    base = Record(
        key=f"{session}:{key}",
        text=own_words(text) if role == "user" else text,
        role=role,
        session=session,
        at=at,
        attributes=facts(model=name_of(row.get("model")), project_hash=project_hash),
    )
    if base.text.strip():
        yield base
    if base.text != text:
        yield replace(base, key=f"{base.key}#injected", text=text, label="injected")
    thoughts = [mapping(thought) for thought in listing(row.get("thoughts"))]
    for index, thought in enumerate(thoughts):
        words = ": ".join(part for name in ("subject", "description") if isinstance(part := thought.get(name), str))
        yield replace(base, key=f"{base.key}#thought{index}", text=words, label="thinking")
    calls = [mapping(call) for call in listing(row.get("toolCalls"))]
    for index, call in enumerate(calls):
        said = f"{call.get('name')} {compact(call.get('args'))}"
        yield replace(base, key=f"{base.key}#call{index}", text=said, label="tool_call")
        if call.get("result") is not None:
            words = compact(call["result"])
            yield replace(base, key=f"{base.key}#result{index}", text=words, role="tool", label="tool_output")
    if not text.strip() and not thoughts and not calls:
        yield Skip("empty", base.key)
