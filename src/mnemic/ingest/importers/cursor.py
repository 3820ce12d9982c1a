"""Cursor agent transcripts: ``~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, joined, mapping, micros, name_of, short_hash, zone_of
from .lines import Repeats, as_utf8, lines, parse, read_rows
from .records import Item, finish, is_own_session, own_words

ROLES = {"user": ("user", "message"), "assistant": ("assistant", "message"), "system": ("system", "injected")}
#: Blocks beside the text: their label, their role, and the fields that hold their words.
BLOCKS = {
    "thinking": ("thinking", "assistant", ("thinking", "text")),
    "tool_use": ("tool_call", "assistant", ("name", "input")),
    "tool_result": ("tool_output", "tool", ("content",)),
}
#: Row types that hold nobody's words, passed over under their own name.
SILENT_TYPES = frozenset({"turn_ended", "turn_started", "summary", "metadata"})
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_STAMP = re.compile(r"\s*<timestamp>\s*([^<]{0,200}?)\s*</timestamp>\s*")
#: What stands for reasoning that was taken out.
_REDACTED = re.compile(r"[ \t]*\[REDACTED\][ \t]*$", re.MULTILINE)
_GAP = re.compile(r"\n\s*\n\s*\n")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = re.compile(
    r"(?:[a-z]+,\s*)?([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4}),?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?"
    r"\s*([ap]m)?\s*(?:\(?(?:utc|gmt)\s*(?:([+−-])(\d{1,2}):?(\d\d)?)?\)?)?",
    re.IGNORECASE,
)


class Cursor:
    """Rows ``{role, message: {content}}`` without ids; the time stands in a tag of the user's text."""

    name = "cursor"
    appends = True

    def sniff(self, path: Path, head: bytes) -> float:
        for raw in head.split(b"\n")[:20]:
            row = mapping(next(iter(parse(raw)[0]), None)) if raw.lstrip()[:1] == b"{" else {}
            if _is_message(row):
                return 0.9
        long_line = b"\n" not in head and re.match(rb'\s*\{\s*"role"\s*:\s*"\w+"\s*,\s*"message"\s*:\s*\{', head)
        return 0.8 if long_line else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        file, exact = as_utf8(file)
        offset = options.offset if exact and options.offset <= file.seek(0, 2) else 0
        reader = _Reader(file, path, options)
        return finish(read_rows(file, options, reader.row, offset=offset, exact=exact), options, own=reader.own)


def _is_message(row: Mapping[str, Any]) -> bool:
    known = row.get("role") in ROLES if isinstance(row.get("role"), str) else False
    return known and "content" in mapping(row.get("message")) and not {"uuid", "sessionId"} & row.keys()


class _Reader:
    def __init__(self, file: BinaryIO, path: Path, options: ReadOptions) -> None:
        self._zone = zone_of(options.zone)
        data = next((line.data for line in lines(file, limit=options.max_line) if line.data.strip()), b"")
        opening = mapping(next(iter(parse(data)[0]), None))
        self.own = is_own_session(joined(mapping(opening.get("message")).get("content")))
        # a file that was renamed is known by how it begins, which stays the same while it grows
        session = path.stem if _ID.search(path.stem) else short_hash(compact(opening))
        self._session = f"cursor:{session}"
        self._subagent = path.parent.name == "subagents"
        self._repeats = Repeats()
        self._at: int | None = None

    def row(self, row: Mapping[str, Any], where: str, mark: str) -> Iterator[Item]:
        """Read one row."""
        if not _is_message(row):
            kind = row.get("type")
            yield Skip(kind if isinstance(kind, str) and kind in SILENT_TYPES else "unknown_type", where)
            return
        role, label = ROLES[row["role"]]
        message = mapping(row.get("message"))
        content = message["content"]
        text = joined(content)
        for stamp in _STAMP.findall(text) if role == "user" else ():
            self._at = _time(stamp, self._zone) or self._at
        base = Record(
            key=self._session,
            text=text,
            role=role,
            session=self._session,
            at=self._at,
            label=label,
            attributes=facts(model=name_of(message.get("model"))),
        )
        found = list(self._said(base)) + list(self._blocks(base, content, where))
        for item in found or [Skip("empty", where)]:
            yield self._keyed(item, mark) if isinstance(item, Record) else item

    def _said(self, base: Record) -> Iterator[Record]:
        """What was said, and what the editor put around it."""
        if base.role != "user":
            words = _GAP.sub("\n\n", _REDACTED.sub("", base.text)).strip()
        else:
            text = _STAMP.sub("\n", base.text).strip()
            words = own_words("\n\n".join(map(str.strip, _QUERY.findall(text))) if _QUERY.search(text) else text)
            if words.split() != _QUERY.sub(r"\1", text).split():
                yield replace(base, text=text, label="injected")
        if words.strip():
            sidechain = self._subagent and base.role == "user"
            yield replace(base, text=words, role="assistant" if sidechain else base.role, label=self._label(base))

    def _label(self, base: Record) -> str:
        return "sidechain" if self._subagent and base.label == "message" else base.label

    def _blocks(self, base: Record, content: object, where: str) -> Iterator[Record | Skip]:
        for block in map(mapping, content if isinstance(content, list) else ()):
            kind = str(block.get("type", "text"))
            label, role, names = BLOCKS.get(kind, ("", "", ()))
            if label:
                text = " ".join(joined(block[name]) or compact(block[name]) for name in names if name in block)
                yield replace(base, text=text, role=role, label=label)
            elif not isinstance(block.get("text"), str) and block:
                yield Skip("image" if "image" in kind else "unknown_block", where)

    def _keyed(self, record: Record, mark: str) -> Record:
        name = self._repeats.name(short_hash(record.role, record.label, record.text), mark)
        return replace(record, key=f"{record.key}:{name}")


def _time(stamp: str, zone: tzinfo) -> int | None:
    """Return the time of a tag: ``Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)``, or in any form that other files use."""
    found = _TIME.search(stamp)
    if not found or found[1].lower() not in _MONTHS:
        return micros(stamp, zone)
    month, day, year, hour, minute, second, half, sign, hours, minutes = found.groups()
    at_hour = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    if re.search(r"(?i)utc|gmt", stamp):
        ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        zone = timezone(-ahead if sign in ("-", "−") else ahead) if ahead < timedelta(hours=24) else UTC
    try:
        moment = datetime(
            int(year), _MONTHS.index(month.lower()) + 1, int(day), at_hour, int(minute), int(second or 0), tzinfo=zone
        )
    except ValueError:
        return None
    return micros(moment.isoformat())
