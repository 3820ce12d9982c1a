"""Codex CLI rollouts: ``~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .base import DEFAULT_KEEP, ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, mapping, micros, name_of, short_hash
from .lines import Repeats, as_utf8, lines, parse, read_rows
from .records import Item, finish, is_own_session, own_words

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
#: Rows on which the session, the model, and the keys of later rows depend.
_TELLING = re.compile(rb'"type"\s*:\s*"(?:message|session_meta|turn_context|user_message|agent_message)"')
_BARE = re.compile(rb'\s*\{\s*"(?:role|id)"\s*:')
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
#: Events with which a turn begins.
_TURNS = frozenset({"task_started", "turn_started", "user_message"})
_BURST = 500_000  # microseconds: history is copied in one go, and a turn that comes later is the session's own
_PAUSE = 2_000_000


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
        reader = _Reader(path, options)
        own = reader.look_ahead(file, offset)
        rows = read_rows(file, options, reader.row, offset=offset, exact=exact, needless=reader.needless)
        return finish(rows, options, own=own)


class _Reader:
    """Reads the rows of one session, and of those whose history it repeats.

    A fork or a subagent opens with a copy of its parent, often dated anew. Copied rows get the keys that they have in
    the file of the parent, so they are known; where that was not imported, they are its only copy.
    """

    def __init__(self, path: Path, options: ReadOptions) -> None:
        found = _ID_IN_NAME.search(path.stem)
        self._session = found[0] if found else path.stem
        self._options = options
        self._project: str | None = None
        self._model: str | None = None
        self._at: int | None = None
        self._events_only = True
        self._named = False
        self._repeats = Repeats()
        self._born: int | None = None
        self._subagent = False
        self._parent = ""  # the nearest session whose history is repeated
        self._root = ""  # the farthest
        self._own_from: int | None = None  # number of the first row that is no copy
        self._copying = self._in_burst = self._begun = self._sidechain = False
        self._moment: int | str = 0

    def look_ahead(self, file: BinaryIO, offset: int) -> bool:
        """Learn what the rest depends on: messages proper? is the session one of mnemic's own?"""
        for line in lines(file, limit=self._options.max_line):
            if _MESSAGE_ROW.search(line.data):
                self._events_only = False
                if not offset:
                    return False
                text = _any_text(line.data)
                if text and not text.lstrip().startswith(("<environment_context>", "<user_instructions>")):
                    return is_own_session(text)
        return False

    def needless(self, data: bytes) -> bool:
        """Whether nothing hangs on a row; where history is repeated all do, since pauses tell where it ends."""
        told = self._parent or _TELLING.search(data) or _BARE.match(data)
        return not told and self._options.keep <= DEFAULT_KEEP

    def _note(self, row: Mapping[str, Any]) -> None:
        """Take session, project and model from a row that tells them."""
        payload = mapping(row.get("payload"))
        meta = payload if row.get("type") == "session_meta" else row if "instructions" in row else {}
        if found := first(meta, "id"):
            self._meta(found, meta, micros(row.get("timestamp")))
        self._project = name_of(meta.get("cwd")) or name_of(payload.get("cwd")) or self._project
        if row.get("type") == "turn_context":
            self._model = name_of(payload.get("model")) or self._model

    def _meta(self, found: str, meta: Mapping[str, Any], at: int | None) -> None:
        """The first header names the session; one of another session says that its history is repeated here."""
        source = mapping(meta.get("source")).get("subagent") or (meta.get("source") == "subagent")
        forked_from = first(meta, "forked_from_id")
        if not self._named:
            self._session, self._named, self._born = found, True, micros(meta.get("timestamp")) or at
            self._subagent = bool(source) or meta.get("thread_source") == "subagent"
            spawned = first(meta, "parent_thread_id") or first(
                mapping(mapping(source).get("thread_spawn")), "parent_thread_id"
            )
            start = meta.get("subagent_history_start_ordinal")
            start = mapping(meta.get("history_base")).get("end_ordinal_exclusive") if start is None else start
            self._own_from = start if isinstance(start, int) else None
            self._parent = self._root = forked_from or spawned or ""
            self._copying = self._in_burst = bool(forked_from)
        elif found == self._session:
            self._copying = self._in_burst = False  # taken up again
        elif self._copying or not self._begun:
            self._parent = self._parent or found
            self._root = forked_from or found
            self._copying = self._in_burst = True

    def _is_copy(self, row: Mapping[str, Any], stamp: int | None) -> bool:
        """Whether a row surely belongs to the history that is repeated; forgets the copying once it is over."""
        if not self._parent:
            return False
        number = row.get("ordinal")
        if self._own_from is not None and isinstance(number, int):
            self._copying = number < self._own_from
            return self._copying
        if stamp and self._born and stamp < self._born:
            if row.get("type") != "session_meta":
                self._copying = self._in_burst = False  # copies keep their times here
            return True
        since = stamp - self._at if stamp and self._at else 0
        turn = row.get("type") == "turn_context" or mapping(row.get("payload")).get("type") in _TURNS
        self._copying = self._copying and not (turn and since > _BURST)
        self._in_burst = self._in_burst and self._copying and since <= _PAUSE
        return self._in_burst

    def row(self, row: Mapping[str, Any], where: str, mark: str) -> list[Record | Skip]:
        """Read one row."""
        self._note(row)
        stamp = micros(row.get("timestamp"))
        copy = self._is_copy(row, stamp)
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
        self._moment, self._sidechain = stamp or mark, self._subagent and not copy
        # A fork goes on in its parent's keys, as its own forks repeat both; subagents may say the same side by side.
        shared = self._root if copy or self._copying or not self._subagent else ""
        base = Record(
            key=f"codex:{shared or self._session}",
            text="",
            role="user",
            session=f"codex:{self._parent if copy else self._session}",
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
            header = "record_type" in part or "instructions" in part or kind == "session_meta"
            return [Skip("session_meta" if header else "unknown_type", where)]
        if label not in self._options.keep:
            return [Skip(label, where)]
        texts = (joined(part[name], types=_ANY_TEXT) or compact(part[name]) for name in names if name in part)
        return [self._record(base, " ".join(texts), role, label, what)]

    def _event(self, base: Record, part: Mapping[str, Any], where: str) -> list[Record | Skip]:
        what = part.get("type")
        role = EVENT_ROLES.get(what) if isinstance(what, str) else None
        text = part.get("message")
        if role is None or not isinstance(text, str):
            return [Skip("event", where)]
        if not self._events_only:
            return [Skip("duplicate", where)]
        words = own_words(text) if role == "user" else text
        return [self._record(base, words or text, role, "message" if words else "injected")]

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
        role = "system" if role == "developer" else role
        if role != "user":
            texts = whole
        else:
            texts = "\n\n".join(words for block in blocks if (words := own_words(joined(block))).strip())
            if texts != whole and whole.strip():
                found.append(self._record(base, whole, role, "injected", "injected"))
        if texts.strip():
            found.append(self._record(base, texts, role, label))
        return found or [Skip("empty", where)]

    def _record(self, base: Record, text: str, role: str, label: str, kind: str = "") -> Record:
        """Return ``base`` with its words and the key that they give it; of a subagent a model wrote both sides."""
        self._begun = True
        told = (role, kind, text) if self._named else (role, kind, text, str(self._moment))
        key = f"{base.key}:{self._repeats.name(short_hash(*told), self._moment)}"
        if self._sidechain and label == "message":
            role, label = "assistant", "sidechain"
        return replace(base, key=key, text=text, role=role, label=label)


_ANY_TEXT = frozenset({"text", "input_text", "output_text", "summary_text", "reasoning_text"})


def _any_text(data: bytes) -> str:
    row = mapping(next(iter(parse(data)[0]), None))
    return joined((mapping(row.get("payload")) or row).get("content"))
