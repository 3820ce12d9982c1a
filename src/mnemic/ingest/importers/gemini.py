"""Gemini CLI sessions below ``~/.gemini/tmp/<project>/chats/``.

Up to 0.38 a session is one JSON object in ``session-*.json``. Since 0.39 it is a log, ``session-*.jsonl``: a header,
then messages (written again whenever they change), ``$set`` (the header again, or all that the model now has before it)
and ``$rewindTo`` (a message is taken back, with all after it). Subagents lie in a folder named after their session.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, listing, mapping, micros, name_of, short_hash
from .jsonstream import BrokenValue, JsonStream
from .lines import as_utf8, lines, parse, read_rows
from .records import Item, finish, is_own_session, own_words

ROLES = {"user": "user", "gemini": "assistant", "model": "assistant"}
#: Types of rows that the program itself says, passed over under their own name.
NOTICES = frozenset({"info", "error", "warning"})
#: What the program answers in the model's name when it has shortened a conversation.
CANNED = frozenset({"Got it. Thanks for the additional context!"})
_MESSAGE = re.compile(rb'"type"\s*:\s*"(?:user|gemini)"')
_LOG = re.compile(rb'\s*\{\s*"\$set"\s*:\s*\{|\s*\{\s*"\$rewindTo"\s*:')


class Gemini:
    """One session; tool calls and thoughts hang on the messages."""

    name = "gemini"
    appends = True

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] != b"{":
            return 0.0
        if b'"projectHash"' in head and b'"sessionId"' in head:
            return 0.95
        for raw in head.split(b"\n")[:20]:
            row = mapping(next(iter(parse(raw)[0]), None))
            if row.get("type") == "gemini" and "id" in row:
                return 0.7
        if _LOG.match(head):
            return 0.9
        if b'"messages"' not in head:
            return 0.0
        return 0.95 if b'"projectHash"' in head else 0.6 if b'"sessionId"' in head and _MESSAGE.search(head) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        file, exact = as_utf8(file)
        if not _is_log(file):
            file.seek(0)
            return finish(_document(file, path, options), options)
        offset = options.offset if exact and options.offset <= file.seek(0, 2) else 0
        state = _replay(file, options)
        reader = _LogReader(path, state, offset, options)
        return finish(read_rows(file, options, reader.row, offset=offset, exact=exact), options, own=state.own)


def _is_log(file: BinaryIO) -> bool:
    """Whether the file is a log: whole objects line by line, and not one object with the messages in it."""
    opening = list(islice((line for line in lines(file) if line.data.strip()), 2))
    found = [parse(line.data) for line in opening]
    whole = [values[0] for values, problem in found if problem is None and isinstance(values[0], dict)]
    return bool(whole) and (len(opening) > 1 or "messages" not in whole[0])


def _document(file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
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
        talk = _Talk.of(header, path)
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
            yield from _message(row, talk, at)
    if stream.unsound():
        yield Skip("damaged_file", path.name)


# -- the log ----------------------------------------------------------------------------------------------------------


def _messages(row: Mapping[str, Any], mark: str) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Yield the messages of a row: their place, each, and whether it stands in a list of what the model has."""
    if name_of(row.get("id")):
        yield mark, row, False
        return
    patch = row.get("$set", row)
    for index, message in enumerate(listing(mapping(patch).get("messages"))):
        if name_of(mapping(message).get("id")):
            yield f"{mark}/{index}", message, True


@dataclass(slots=True)
class _State:
    """What became of a log as a whole: ids, no texts."""

    header: dict[str, Any] = field(default_factory=dict)
    final: dict[str, str] = field(default_factory=dict)  # id → where its last words stand
    taken_back: set[str] = field(default_factory=set)
    copies: set[str] = field(default_factory=set)  # said before under another id
    own: bool = False


def _replay(file: BinaryIO, options: ReadOptions) -> _State:
    """Read a log once for what its later lines make of the earlier ones."""
    state = _State()
    live: dict[str, None] = {}
    worded: set[str] = set()
    said: Counter[str] = Counter()

    def read(row: Mapping[str, Any], where: str, mark: str) -> list[Item]:
        state.header = {**_header(row), **state.header}
        target = name_of(row.get("$rewindTo"))
        if target in live:
            ids = list(live)
            for gone in ids[ids.index(target) :]:
                state.taken_back.add(gone)
                del live[gone]
        here: Counter[str] = Counter()
        for place, message, listed in _messages(row, mark):
            key = str(name_of(message["id"]))
            words = _words(message)
            state.own = state.own or (message.get("type") == "user" and not said and is_own_session(words))
            told = short_hash(str(message.get("type")), words)
            here[told] += 1
            new = key not in state.final
            if new and listed and words and here[told] <= said[told]:
                state.copies.add(key)  # a shortened conversation is written down anew, with new ids and times
            elif new and words:
                said[told] += 1
            if words or key not in worded:
                state.final[key] = place
            if words:
                worded.add(key)
            state.taken_back.discard(key)
            live[key] = None
        return []

    for _ in read_rows(file, options, read, offset=0, exact=False):
        pass
    return state


def _header(row: Mapping[str, Any]) -> dict[str, Any]:
    if "id" in row:
        return {}
    patch = mapping(row.get("$set", row))
    return {name: patch[name] for name in ("sessionId", "projectHash", "startTime", "kind") if name_of(patch.get(name))}


class _LogReader:
    """Gives each message once, where its last words stand, and once more when it is taken back later."""

    def __init__(self, path: Path, state: _State, offset: int, options: ReadOptions) -> None:
        self._state = state
        self._talk = _Talk.of(state.header, path)
        self._at = micros(state.header.get("startTime"))
        self._offset, self._keep = offset, options.keep
        self._given: dict[str, list[Record]] = {}  # by an import before this one

    def row(self, row: Mapping[str, Any], where: str, mark: str) -> Iterator[Item]:
        """Read one row."""
        target = name_of(row.get("$rewindTo"))
        if target:
            yield Skip("rewind", where)
            yield from self._taken_back(target)
            return
        found = False
        for place, message, _ in _messages(row, mark):
            found = True
            key = str(name_of(message["id"]))
            self._at = micros(message.get("timestamp")) or self._at
            if key in self._state.copies or self._state.final.get(key) != place:
                yield Skip("duplicate", where)
                continue
            side = key in self._state.taken_back
            items = list(_message(message, self._talk, self._at, "abandoned" if side else None))
            if int(mark[1:].partition("+")[0]) < self._offset:
                self._given[key] = [i for i in items if isinstance(i, Record) and i.label in self._keep]
            yield from items
        if not found:
            known = row.keys() & {"$set", "sessionId", "projectHash", "lastUpdated"}
            yield Skip("metadata" if known else "unknown_type", where)

    def _taken_back(self, target: str) -> Iterator[Item]:
        ids = list(self._given)
        for key in ids[ids.index(target) :] if target in self._given else ():
            yield from self._given[key] if key in self._state.taken_back else ()


# -- a message --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Talk:
    session: str
    project_hash: str | None
    subagent: bool

    @classmethod
    def of(cls, header: Mapping[str, Any], path: Path) -> _Talk:
        kind = name_of(header.get("kind"))
        nested = path.parent.parent.name == "chats" and kind is None
        session = f"gemini:{first(header, 'sessionId') or path.stem}"
        return cls(session, name_of(header.get("projectHash")), kind == "subagent" or nested)


def _texts(row: Mapping[str, Any]) -> list[str]:
    """The texts of a message as its author saw it, thoughts among the parts left out."""
    content = row.get("displayContent") or row.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = (part if isinstance(part, str) else mapping(part).get("text") for part in parts if not _thought(part))
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _thought(part: object) -> bool:
    return mapping(part).get("thought") is True


def _words(row: Mapping[str, Any]) -> str:
    return "\n\n".join(_texts(row))


def _message(row: Mapping[str, Any], talk: _Talk, at: int | None, branch: str | None = None) -> Iterator[Item]:
    kind = row.get("type")
    role = ROLES.get(kind) if isinstance(kind, str) else None
    if role is None:
        yield Skip(kind if isinstance(kind, str) and kind in NOTICES else "unknown_type", talk.session)
        return
    texts = _texts(row)
    text = "\n\n".join(texts)
    words = "\n\n".join(filter(str.strip, map(own_words, texts))) if role == "user" else text
    canned = role == "assistant" and text.strip() in CANNED
    label = "injected" if canned else "sidechain" if talk.subagent else "message"
    base = Record(
        key=f"{talk.session}:{first(row, 'id') or short_hash(str(at), role, text or compact(row))}",
        text=words,
        role="assistant" if talk.subagent else role,
        session=talk.session,
        at=at,
        label=label,
        attributes=facts(model=name_of(row.get("model")), project_hash=talk.project_hash, branch=branch),
        replaces=True,  # of what is written again the later words count
    )
    if words.strip():
        yield base
    if words != text:
        yield replace(base, key=f"{base.key}#injected", text=text, label="injected")
    yield from _parts(row, base)
    if not (text.strip() or listing(row.get("thoughts")) or listing(row.get("toolCalls")) or _other(row)):
        yield Skip("empty", base.key)


def _other(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The parts of a message beside its text."""
    return [
        part for part in map(mapping, listing(row.get("content"))) if part and (_thought(part) or "text" not in part)
    ]


def _parts(row: Mapping[str, Any], base: Record) -> Iterator[Record | Skip]:
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
    for index, part in enumerate(_other(row)):
        key = f"{base.key}#part{index}"
        if _thought(part):
            yield replace(base, key=key, text=str(part.get("text") or ""), label="thinking")
        elif "functionCall" in part and not calls:
            yield replace(base, key=key, text=compact(part["functionCall"]), label="tool_call")
        elif "functionResponse" in part:
            words = compact(part["functionResponse"])
            yield replace(base, key=key, text=words, role="tool", label="tool_output")
        elif "functionCall" not in part:
            yield Skip("image" if "inlineData" in part or "fileData" in part else "unknown_block", base.key)
