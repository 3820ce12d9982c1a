"""Codex CLI rollouts: ``~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .base import Progress, ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, mapping, micros, name_of, short_hash
from .injected import is_own_session, own_words
from .lines import as_utf8, line_start, lines, parse, parse_line
from .records import Item, finish

WRAPPERS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
#: Payloads beside messages: their label, their role, and the fields that hold their words.
PARTS = {
    "reasoning": ("thinking", "assistant", ("summary",)),  # never encrypted_content
    "function_call": ("tool_call", "assistant", ("name", "arguments")),
    "custom_tool_call": ("tool_call", "assistant", ("name", "input")),
    "local_shell_call": ("tool_call", "assistant", ("action",)),
    "web_search_call": ("tool_call", "assistant", ("action",)),
    "function_call_output": ("tool_output", "tool", ("output",)),
    "custom_tool_call_output": ("tool_output", "tool", ("output",)),
    "compacted": ("summary", "system", ("message",)),
}
#: Events that repeat messages; read only in files that hold no messages proper.
EVENT_ROLES = {"user_message": "user", "agent_message": "assistant"}
ROLE_LABELS = {"user": "message", "assistant": "message", "developer": "injected", "system": "injected"}

_MESSAGE_ROW = re.compile(rb'"type"\s*:\s*"message"|^\s*\{\s*"role"\s*:')
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_WARM_UP = 1 << 20
_STEP = 500


class Codex:
    """Rows ``{timestamp, type, payload}``; files from before September 2025 hold the payloads bare."""

    name = "codex"
    appends = True

    def sniff(self, path: Path, head: bytes) -> float:
        for number, raw in enumerate(head.split(b"\n")[:20]):
            row = mapping(next(iter(parse(raw)[0]), None)) if raw.lstrip()[:1] == b"{" else {}
            kind = row.get("type")
            if isinstance(kind, str) and kind in WRAPPERS and isinstance(row.get("payload"), dict):
                return 0.95
            if "record_type" in row or (number == 0 and {"id", "timestamp", "instructions"} <= row.keys()):
                return 0.9
            if kind == "message" and "role" in row and isinstance(row.get("content"), list):
                return 0.8
            if isinstance(kind, str) and kind in PARTS and {"call_id", "encrypted_content"} & row.keys():
                return 0.8
        long_line = head.startswith(b"{") and b"\n" not in head and re.search(rb'"type"\s*:\s*"session_meta"', head)
        return 0.9 if long_line else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        file, exact = as_utf8(file)
        offset = options.offset if exact and options.offset <= file.seek(0, 2) else 0
        reader = _Reader(path, options, offset, exact)
        return finish(reader.rows(file), options, own=reader.look_ahead(file))


class _Reader:
    def __init__(self, path: Path, options: ReadOptions, offset: int, exact: bool) -> None:
        found = _ID_IN_NAME.search(path.stem)
        self._session = found[0] if found else path.stem
        self._options = options
        self._offset = offset
        self._exact = exact
        self._project: str | None = None
        self._model: str | None = None
        self._at: int | None = None
        self._events_only = True
        self._named = False

    def look_ahead(self, file: BinaryIO) -> bool:
        """Learn what the rest depends on: messages proper? which session? is it one of mnemic's own?"""
        for line in lines(file, limit=self._options.max_line):
            if self._offset and line.number <= 20:
                for row in parse(line.data)[0]:
                    self._note(mapping(row))
            if _MESSAGE_ROW.search(line.data):
                self._events_only = False
                if not self._offset:
                    return False
                text = _any_text(line.data)
                if text and not text.lstrip().startswith(("<environment_context>", "<user_instructions>")):
                    return is_own_session(text)
        return False

    def rows(self, file: BinaryIO) -> Iterator[Item]:
        start = line_start(file, self._offset - _WARM_UP)
        end = self._offset
        for line in lines(file, start=start, limit=self._options.max_line):
            where = f"line {line.number}" if not self._offset else f"byte {line.start}"
            values, problem = parse_line(line)
            taken = line.complete or (not problem and all(isinstance(value, dict) for value in values))
            found = [item for value in values for item in self._row(value, where, line.start)] if taken else []
            if problem:
                found.append(Skip(problem if taken else "incomplete_line", where))
            if line.start < self._offset:
                continue
            yield from found
            end = line.end if taken and line.complete else end  # a row may yet be written onto the last line
            if self._exact and line.number % _STEP == 0:
                yield Progress(end)
        if self._exact:
            yield Progress(end)

    def _note(self, row: Mapping[str, Any]) -> None:
        """Take session, project and model from a row that tells them."""
        payload = mapping(row.get("payload"))
        meta = payload if row.get("type") == "session_meta" else row if "instructions" in row else {}
        if not self._named and (found := first(meta, "id")):
            self._session, self._named = found, True
        self._project = name_of(meta.get("cwd")) or name_of(payload.get("cwd")) or self._project
        if row.get("type") == "turn_context":
            self._model = name_of(payload.get("model")) or self._model

    def _row(self, row: object, where: str, start: int) -> list[Record | Skip]:
        if not isinstance(row, dict):
            return [Skip("not_an_object", where)]
        self._note(row)
        stamp = micros(row.get("timestamp"))
        self._at = stamp or self._at
        kind = row.get("type")
        payload = row.get("payload")
        wrapped = isinstance(payload, dict) and isinstance(kind, str) and kind in WRAPPERS
        part = mapping(payload) if wrapped else row
        if wrapped and kind not in ("response_item", "event_msg"):
            if kind != "compacted":
                return [Skip(str(kind), where)]
            part = {**part, "type": "compacted"}
        what = part.get("type", "message" if "role" in part else "")
        base = Record(
            key=f"codex:{self._session}:{stamp if stamp else f'@{start}'}",
            text="",
            role="user",
            session=f"codex:{self._session}",
            at=self._at,
            project=self._project,
            attributes=facts(model=self._model),
        )
        if kind == "event_msg":
            return self._event(base, part, where)
        if what == "message":
            return self._message(base, part, where)
        label, role, names = PARTS.get(what, ("", "", ())) if isinstance(what, str) else ("", "", ())
        if not label:
            header = "record_type" in row or "instructions" in row or kind == "session_meta"
            return [Skip("session_meta" if header else "unknown_type", where)]
        if label not in self._options.keep:
            return [Skip(label, where)]
        texts = (joined(part[name], types=_ANY_TEXT) or compact(part[name]) for name in names if name in part)
        return [_keyed(replace(base, text=" ".join(texts), role=role, label=label), what)]

    def _event(self, base: Record, part: Mapping[str, Any], where: str) -> list[Record | Skip]:
        what = part.get("type")
        role = EVENT_ROLES.get(what) if isinstance(what, str) else None
        text = part.get("message")
        if role is None or not isinstance(text, str):
            return [Skip("event", where)]
        if not self._events_only:
            return [Skip("duplicate", where)]
        words = own_words(text) if role == "user" else text
        return [_keyed(replace(base, text=words or text, role=role, label="message" if words else "injected"))]

    def _message(self, base: Record, part: Mapping[str, Any], where: str) -> list[Record | Skip]:
        role = str(part.get("role"))
        label = ROLE_LABELS.get(role)
        if label is None:
            return [Skip("unknown_role", where)]
        content = part.get("content")
        blocks = content if isinstance(content, list) else [content]
        pictures = sum(mapping(block).get("type") == "input_image" for block in blocks)
        found: list[Record | Skip] = [Skip("image", where, pictures)] if pictures else []
        whole = joined(content)
        base = replace(base, role="system" if role == "developer" else role)
        if role != "user":
            texts = whole
        else:
            texts = "\n\n".join(words for block in blocks if (words := own_words(joined(block))).strip())
            if texts != whole and whole.strip():
                found.append(_keyed(replace(base, text=whole, label="injected"), "injected"))
        if texts.strip():
            found.append(_keyed(replace(base, text=texts, label=label)))
        return found or [Skip("empty", where)]


_ANY_TEXT = frozenset({"text", "input_text", "output_text", "summary_text", "reasoning_text"})


def _keyed(record: Record, kind: str = "") -> Record:
    """Finish the key of ``record``: rows have no ids, so time, role and text stand for them."""
    return replace(record, key=f"{record.key}:{short_hash(record.role, kind, record.text)}")


def _any_text(data: bytes) -> str:
    row = mapping(next(iter(parse(data)[0]), None))
    return joined((mapping(row.get("payload")) or row).get("content"))
