"""Plain message lists: OpenAI style ``[{role, content}]``, JSON lines, ``{"messages": […]}``, ShareGPT."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, listing, mapping, micros, zone_of
from .jsonstream import BrokenValue, JsonStream
from .lines import as_utf8, is_lines, line_start, read_rows
from .records import Item, finish

#: Roles as tools write them: our role and label.
ROLES = {
    "user": ("user", "message"),
    "human": ("user", "message"),
    "assistant": ("assistant", "message"),
    "ai": ("assistant", "message"),
    "bot": ("assistant", "message"),
    "gpt": ("assistant", "message"),
    "model": ("assistant", "message"),
    "system": ("system", "injected"),
    "developer": ("system", "injected"),
    "tool": ("tool", "tool_output"),
    "function": ("tool", "tool_output"),
}
#: Names under which each fact is found, the first that is there counts.
ROLE_FIELDS = ("role", "from", "sender", "author")
TEXT_FIELDS = ("content", "value", "text", "message")
TIME_FIELDS = ("timestamp", "created_at", "createdAt", "create_time", "created", "time", "date", "at", "ts")
SESSION_FIELDS = (
    "session",
    "session_id",
    "sessionId",
    "conversation_id",
    "conversationId",
    "conversation",
    "thread_id",
)
ID_FIELDS = ("key", "id", "uuid", "message_id")
NAME_FIELDS = ("speaker", "name", "user")
LIST_FIELDS = ("messages", "conversation", "conversations", "history", "turns")
_LISTS = frozenset(LIST_FIELDS)
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})
_ROLE = re.compile(rb'"(?:role|from|sender)"\s*:\s*"(?:' + "|".join(ROLES).encode() + rb')"', re.IGNORECASE)
_TEXT = re.compile(rb'"(?:content|value|text|parts)"\s*:')
_WARM_UP = 64 << 10


class Messages:
    """Messages without a format of their own; ids, times, sessions, names are used where given."""

    name = "messages"
    appends = True

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] not in (b"[", b"{") or not _ROLE.search(head) or not _TEXT.search(head):
            return 0.0
        return 0.5

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        file, exact = as_utf8(file)
        reader = _Reader(path, options)
        found = reader.rows(file, exact) if is_lines(file) else reader.document(file)
        return finish(found, options)


class _Reader:
    def __init__(self, path: Path, options: ReadOptions) -> None:
        self._options = options
        self._zone = zone_of(options.zone)
        self._file = f"file:{path.absolute().as_posix()}"
        self._last_at: dict[str, int] = {}

    def rows(self, file: BinaryIO, exact: bool) -> Iterator[Item]:
        """JSON lines: a message each, or a conversation each."""
        size = file.seek(0, 2) if exact else 0
        offset = self._options.offset if self._options.offset <= size else 0
        start = line_start(file, offset - _WARM_UP)

        def read(row: Mapping[str, Any], where: str, mark: str) -> list[Item]:
            return self._value(row, mark, where)

        return read_rows(file, self._options, read, offset=offset, exact=exact, start=start)

    def document(self, file: BinaryIO) -> Iterator[Item]:
        """One JSON document: a list of messages or conversations, or an object that holds one."""
        stream = JsonStream(file, self._options.max_line)
        header: dict[str, Any] = {}
        if stream.peek() == b"{":
            for key in stream.members():
                if key in LIST_FIELDS and stream.peek() == b"[":
                    yield from self._elements(stream, header)
                else:
                    try:
                        header[key] = stream.value()
                    except BrokenValue as problem:
                        yield Skip(problem.reason, key)
        else:
            yield from self._elements(stream, header)
        if stream.unsound():
            yield Skip("damaged_file", self._file)

    def _elements(self, stream: JsonStream, header: Mapping[str, Any]) -> Iterator[Item]:
        for index in stream.elements():
            where = f"element {index}"
            try:
                value = stream.value()
            except BrokenValue as problem:
                yield Skip(problem.reason, where)
            else:
                yield from self._value(value, str(index), where, header)

    def _value(self, value: object, mark: str, where: str, header: Mapping[str, Any] | None = None) -> list[Item]:
        if not isinstance(value, dict):
            return [Skip("not_an_object", where)]
        above = header or {}
        for name in () if _LISTS.isdisjoint(value) else LIST_FIELDS:
            if isinstance(value.get(name), list):
                session = first(value, *SESSION_FIELDS, *ID_FIELDS) or f"{self._file}#{mark}"
                found: list[Item] = []
                for index, row in enumerate(value[name]):
                    place = f"{where} message {index}"
                    if isinstance(row, dict):
                        found += self._message(row, f"{mark}.{index}", place, {**value, "session": session})
                    else:
                        found.append(Skip("not_an_object", place))
                return found or [Skip("no_messages", where)]
        return self._message(value, mark, where, above)

    def _message(self, row: Mapping[str, Any], mark: str, where: str, header: Mapping[str, Any]) -> list[Item]:
        said_by = row.get("role") or next((row[name] for name in ROLE_FIELDS if name in row), None)
        if isinstance(said_by, dict):
            said_by = said_by.get("role", said_by)
        role, label = ROLES.get(said_by.lower(), ("", "")) if isinstance(said_by, str) else ("", "")
        if not role:
            return [Skip("unknown_role", where)]
        content = row.get("content")
        if content is None:
            content = next((row[name] for name in TEXT_FIELDS if row.get(name) is not None), None)
            if isinstance(content, dict) and "text" not in content:  # {"role": …, "message": {"content": …}}
                content = content.get("content")
        session = first(row, *SESSION_FIELDS) or first(header, *SESSION_FIELDS) or self._file
        given = first(row, *ID_FIELDS)
        times = (
            micros(source[name], self._zone)
            for source in (row, header)
            if source
            for name in TIME_FIELDS
            if source.get(name) is not None
        )
        at = next((time for time in times if time is not None), None) or self._last_at.get(session)
        if at is not None:
            self._last_at[session] = at
        base = Record(
            key=f"messages:{session}:{given}" if given else f"{self._file}#{mark}",
            text=joined(content),
            role=role,
            session=session if session == self._file or session.startswith("file:") else f"messages:{session}",
            at=at,
            speaker=first(row, *NAME_FIELDS) if role in ("user", "assistant") else None,
            label=label,
            project=first(row, "project", "cwd") or first(header, "project", "cwd"),
            attributes=facts(model=first(row, "model") or first(header, "model")),
        )
        found: list[Item] = [base] if base.text.strip() else []
        if found and isinstance(content, str) and "tool_calls" not in row:  # as nearly always
            return found
        others = [
            block
            for block in listing(content)
            if isinstance(block, dict) and str(block.get("type")) not in _TEXT_BLOCKS
        ]
        for block in others:
            if not isinstance(block.get("text"), str):
                kind = block.get("type")
                image = isinstance(kind, str) and "image" in kind
                found.append(Skip("image" if image else "unknown_block", where))
        for index, call in enumerate(listing(row.get("tool_calls"))):
            what = mapping(mapping(call).get("function")) or mapping(call)
            text = f"{what.get('name')} {compact(what.get('arguments'))}"
            found.append(replace(base, key=f"{base.key}#call{index}", text=text, label="tool_call"))
        if not found:
            found.append(Skip("empty", where))
        return found
