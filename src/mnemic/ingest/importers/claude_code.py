"""Claude Code transcripts: ``~/.claude/projects/<folder>/<session>.jsonl``, ``agent-*.jsonl`` beside them."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from .base import Progress, ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, mapping, micros, name_of, short_hash
from .jsonstream import BrokenValue, JsonStream
from .lines import Line, as_utf8, line_start, lines, parse
from .records import Item, finish, is_own_session, own_words

#: Row types that hold nobody's words, passed over under their own name.
SILENT_TYPES = frozenset(
    {
        "agent-name", "ai-title", "attachment", "content-replacement", "continued-in", "custom-title",
        "file-history-snapshot", "last-prompt", "mode", "permission-mode", "pr-link", "progress",
        "queue-operation", "system", "tag", "worktree-state",
    }
)  # fmt: skip
#: Block types that hold no text, passed over under their own name.
SILENT_BLOCKS = frozenset({"image", "document", "redacted_thinking", "server_tool_use", "web_search_tool_result"})

#: Rows that are not even parsed (a fifth of the rows, two thirds of the bytes).
_UNREAD = ((b'"progress"', "progress"), (b'"file-history-snapshot"', "file-history-snapshot"))
_FIRST_TYPE = b'"type":'
_USER_BLOCKS = b'"type":"user","message":{"role":"user","content":[{"'
_ANSWER_BLOCKS = b'"role":"assistant","content":[{"type":"'
_BLOCK_TYPE = re.compile(rb'(thinking|tool_use)"')
_RESULT_KEYS = (b'tool_use_id"', b'type":"tool_result"')
_ID = re.compile(rb'"(?:uuid|parentUuid)"\s*:\s*"([^"\\]{1,80})"')
_USER_TYPE = re.compile(rb'"type"\s*:\s*"user"')
_CHANNEL = re.compile(rb'"origin"\s*:\s*(?:\{[^{}]*?"kind"\s*:\s*)?"(?!human")')
_NO_PROMPT = re.compile(rb'"tool_result"|"isMeta"\s*:\s*true|' + _CHANNEL.pattern)
#: How a long first row opens that holds what was typed ahead or added (a prompt given on the command line).
_OPENS_SILENT = re.compile(rb'\s*\{\s*"type"\s*:\s*"(?:queue-operation|attachment|last-prompt)"')

_PART_LABELS = {"thinking": "thinking", "tool_use": "tool_call"}
_WARM_UP = 1 << 20  # bytes before the offset read again, for what hangs together with what follows
_HEAD = 4 << 10
_OPENING = 200  # rows among which the first words of a session stand
_WINDOW = 64  # how many items an answer is held back for its other parts
_STEP = 500  # rows between two reports of progress


@dataclass(slots=True)
class _Answer:
    """One answer of the model, split over the rows that share its ``message.id``."""

    record: Record
    blocks: list[str] = field(default_factory=list)
    given: bool = False

    def whole(self) -> Record:
        self.given = True
        return replace(self.record, text="\n\n".join(self.blocks))


Found = Iterable[Record | Skip | _Answer]


class ClaudeCode:
    """One JSON object a line; rows of type ``user`` and ``assistant`` hold the conversation."""

    name = "claude-code"
    appends = True

    def sniff(self, path: Path, head: bytes) -> float:
        for raw in head.split(b"\n")[:40]:
            row = mapping(next(iter(parse(raw)[0]), None)) if raw.lstrip()[:1] == b"{" else {}
            kind = row.get("type")
            if kind == "summary" and "leafUuid" in row:
                return 0.95
            if kind in ("user", "assistant") and isinstance(row.get("message"), dict):
                if {"sessionId", "uuid", "parentUuid"} & row.keys() or "content" in row["message"]:
                    return 0.95
            elif kind in SILENT_TYPES and {"sessionId", "messageId", "uuid"} & row.keys():
                return 0.9
        array = head.lstrip()[:1] == b"[" and b'"parentUuid"' in head and b'"isSidechain"' in head
        long_line = b"\n" not in head and (
            _OPENS_SILENT.match(head) or (b'"sessionId":"' in head and b'"parentUuid":' in head)
        )
        return 0.9 if array else 0.8 if long_line else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        file, exact = as_utf8(file)
        head = file.read(_HEAD)
        if head.lstrip().startswith(b"["):
            file.seek(0)
            return finish(_Reader(path, options).document(file), options)
        offset = options.offset if exact and options.offset <= file.seek(0, 2) else 0
        own = offset > 0 and _opens_own_session(lines(file, limit=options.max_line))
        return finish(_Reader(path, options, offset, exact).rows(file), options, own=own)


def _opens_own_session(rows: Iterable[Line]) -> bool:
    for line in islice(rows, _OPENING):
        for row in map(mapping, parse(line.data)[0]):
            text = joined(mapping(row.get("message")).get("content")) if row.get("type") == "user" else ""
            if is_own_session(text) or (own_words(text) and not _put_in(row)):
                return is_own_session(text)
    return False


def _put_in(row: Mapping[str, Any]) -> bool:
    """Whether a row in the user's name came through another channel: a hook, a finished task, another agent, a chat."""
    return row.get("isMeta") is True or _channel(row) is not None


def _channel(row: Mapping[str, Any]) -> str | None:
    """The channel a row names, unless it is the keyboard, or the agent that a subagent has its task from."""
    origin = row.get("origin") or mapping(row.get("attachment")).get("origin")
    kind = name_of(mapping(origin).get("kind", origin if isinstance(origin, str) else None))
    return None if kind == "human" or (kind == "coordinator" and row.get("isSidechain") is True) else kind


class _Reader:
    """Reads one file: rows into records, the parts of an answer together, abandoned branches marked."""

    def __init__(self, path: Path, options: ReadOptions, offset: int = 0, exact: bool = True) -> None:
        self._path = path
        self._options = options
        self._offset = offset
        self._unread_labels = not options.keep & {"tool_output", "tool_call", "thinking"}
        self._exact = exact  # byte offsets can be trusted
        self._seen: set[str] = set()
        self._answers: dict[str, _Answer] = {}
        self._queued: set[str] = set()
        self._foreign: set[str] = set()
        self._last_at: dict[str, int] = {}
        self._abandoned: set[str] = set()
        self._waiting: deque[Item | _Answer] = deque()
        self._types: Mapping[str, Callable[[Mapping[str, Any], str], Found]] = {
            "user": self._user,
            "assistant": self._assistant,
            "summary": self._summary,
            "queue-operation": self._queue,
            "attachment": self._attachment,
        }

    def rows(self, file: BinaryIO) -> Iterator[Item]:
        """Read lines; what lies before the offset is only remembered."""
        start, limit = line_start(file, self._offset - _WARM_UP), self._options.max_line
        self._abandoned = _abandoned(self._ahead(lines(file, start=start, limit=limit)))
        end = self._offset
        for line in lines(file, start=start, limit=limit):
            found, consumed = self._line(line)
            if line.start < self._offset:
                for item in found:
                    if isinstance(item, _Answer):
                        item.given = True
                continue
            self._waiting.extend(found)
            end = line.end if consumed and line.complete else end  # a row may yet be written onto the last line
            if self._exact and line.number % _STEP == 0:
                self._waiting.append(Progress(end))
            yield from self._ripe(_WINDOW)
        yield from self._ripe(0)
        if self._exact:
            yield Progress(end)

    def _ahead(self, rows: Iterable[Line]) -> Iterator[Line]:
        """Pass rows on, noting what came through other channels: it may stand in the queue before, with no origin."""
        for line in rows:
            if _CHANNEL.search(line.data):
                for row in filter(_put_in, map(mapping, parse(line.data)[0])):
                    prompt = mapping(row.get("attachment")).get("prompt")
                    self._foreign.add(own_words(joined(mapping(row.get("message")).get("content") or prompt)))
            yield line

    def document(self, file: BinaryIO) -> Iterator[Item]:
        """Read the same rows from one JSON array, as some tools save them."""
        stream = JsonStream(file, self._options.max_line, "type")
        for index in stream.elements():
            try:
                row = mapping(stream.value())
                inner = mapping(mapping(mapping(row.get("content")).get("content")).get("data"))
                self._waiting.extend(self._row(inner or row, f"element {index}"))
            except BrokenValue as problem:
                self._waiting.append(Skip(problem.reason, f"element {index}"))
            yield from self._ripe(_WINDOW)
        yield from self._ripe(0)
        if stream.unsound():
            yield Skip("damaged_file", self._path.name)

    def _ripe(self, held: int) -> Iterator[Item]:
        while len(self._waiting) > held:
            item = self._waiting.popleft()
            yield item.whole() if isinstance(item, _Answer) else item

    def _line(self, line: Line) -> tuple[Found, bool]:
        """Return what a line gives, and whether it was taken (a last line still being written is not)."""
        data = line.data
        where = f"line {line.number}" if not self._offset else f"byte {line.start}"
        if line.problem:
            return [Skip(line.problem, where)], line.complete
        if not data.strip():
            return [Skip("blank_line", where)], line.complete
        sound = line.complete and data.endswith(b"}") and b"}{" not in data
        if sound and (reason := self._reason_unread(data)):
            return [Skip(reason, where)], True
        values, problem = parse(data)
        if not line.complete and (problem or not all(isinstance(value, dict) for value in values)):
            return [Skip("incomplete_line", where)], False
        found = [item for value in values for item in self._row(value, where)]
        return [*found, Skip(problem, where)] if problem else found, True

    def _reason_unread(self, data: bytes) -> str | None:
        """Return why a sound row need not be parsed at all; judged by the first ``type`` in it."""
        at = data.find(_FIRST_TYPE, 0, 800)
        if at < 0:
            return None
        for mark, reason in _UNREAD:
            if data.startswith(mark, at + len(_FIRST_TYPE)):
                return reason
        label = ""
        if data.startswith(_USER_BLOCKS, at) and data.startswith(_RESULT_KEYS, at + len(_USER_BLOCKS)):
            label = "tool_output"
        elif (block := data.find(_ANSWER_BLOCKS, at, 1600)) >= 0:
            kind = _BLOCK_TYPE.match(data, block + len(_ANSWER_BLOCKS))
            label = _PART_LABELS[kind[1].decode()] if kind else ""
        unwanted = label and self._unread_labels and b'"type":"text"' not in data
        return label if unwanted else None

    def _row(self, row: object, where: str) -> Found:
        if not isinstance(row, dict):
            return [Skip("not_an_object", where)]
        kind = row.get("type")
        if not isinstance(kind, str) or kind not in self._types:
            return [Skip(kind if isinstance(kind, str) and kind in SILENT_TYPES else "unknown_type", where)]
        uuid = name_of(row.get("uuid"))
        if uuid in self._seen:
            return [Skip("duplicate", where)]
        try:
            found = list(self._types[kind](row, where))
        except RecursionError:
            return [Skip("too_deep", where)]
        if uuid and not all(isinstance(item, Skip) and item.reason == "no_content" for item in found):
            self._seen.add(uuid)
        return found

    def _base(self, row: Mapping[str, Any], label: str = "message") -> Record:
        """Return the record of ``row`` without its text."""
        session = first(row, "sessionId", "session_id") or self._path.stem
        at = micros(row.get("timestamp"))
        if at is None:
            at = self._last_at.get(session)
        else:
            self._last_at[session] = at
        uuid = name_of(row.get("uuid"))
        sidechain = row.get("isSidechain") is True
        message = mapping(row.get("message"))
        channel = _channel(row)
        return Record(
            key=f"claude-code:{uuid or short_hash(session, str(at), compact(message.get('content')))}",
            text="",
            role="assistant" if row.get("type") == "assistant" or sidechain else "user",
            session=f"claude-code:{session}",
            at=at,
            label="sidechain" if sidechain and label == "message" else label,
            speaker=first(mapping(row.get("origin")), "user", "from", "server") if channel else None,
            project=name_of(row.get("cwd")),
            attributes=facts(
                channel=channel,
                model=name_of(message.get("model")),
                git_branch=name_of(row.get("gitBranch")),
                agent=name_of(row.get("agentId")),
                prompt=sidechain and row.get("type") == "user",
                plan=isinstance(row.get("planContent"), str),
                branch="abandoned" if uuid in self._abandoned else None,
            ),
        )

    def _part(self, base: Record, mark: str, label: str, role: str, content: object) -> Record | Skip:
        """Return a record beside the message itself, or the skip it would become."""
        if label not in self._options.keep:
            return Skip(label, base.key)
        text = joined(content) or ("" if isinstance(content, (list, str)) else compact(content))
        return replace(base, key=f"{base.key}#{mark}", text=text, role=role, label=label)

    def _user(self, row: Mapping[str, Any], where: str) -> Found:
        content = mapping(row.get("message")).get("content")
        if not isinstance(content, (str, list)):
            yield Skip("no_content", where)
            return
        summary = row.get("isCompactSummary") is True or row.get("isVisibleInTranscriptOnly") is True
        base = self._base(row, "summary" if summary else "injected" if _put_in(row) else "message")
        said: list[str] = []
        for index, block in enumerate(content if isinstance(content, list) else [content]):
            text = block if isinstance(block, str) else mapping(block).get("text")
            kind = mapping(block).get("type", "text")
            if isinstance(text, str) and kind == "text":
                words = own_words(text) if base.label in ("message", "sidechain") else text
                if words != text:
                    yield self._part(base, f"{index}.injected", "injected", base.role, text)
                if words.strip() and words not in said:
                    said.append(words)
            elif kind == "tool_result":
                yield self._part(base, str(index), "tool_output", "tool", mapping(block).get("content"))
            else:
                yield Skip(kind if isinstance(kind, str) and kind in SILENT_BLOCKS else "unknown_block", where)
        text = "\n\n".join(said)
        if text in self._queued:
            self._queued.discard(text)
            yield Skip("duplicate", where)
        elif text:
            yield replace(base, text=text)

    def _assistant(self, row: Mapping[str, Any], where: str) -> Found:
        message = mapping(row.get("message"))
        content = message.get("content")
        if not isinstance(content, (str, list)):
            yield Skip("no_content", where)
            return
        if isinstance(content, list) and (reasons := self._unwanted(content)):
            yield from (Skip(reason, where) for reason in reasons)
            return
        notice = message.get("model") == "<synthetic>" or row.get("isApiErrorMessage") is True
        base = self._base(row, "injected" if notice else "message")
        for index, block in enumerate(content if isinstance(content, list) else [content]):
            text = block if isinstance(block, str) else mapping(block).get("text")
            kind = mapping(block).get("type", "text")
            if isinstance(text, str) and kind == "text":
                yield from self._answer(base, name_of(message.get("id")), text)
            elif kind == "thinking":
                yield self._part(base, str(index), "thinking", "assistant", mapping(block).get("thinking"))
            elif kind == "tool_use":
                call = [mapping(block).get("name"), compact(mapping(block).get("input"))]
                yield self._part(base, str(index), "tool_call", "assistant", call)
            else:
                yield Skip(kind if isinstance(kind, str) and kind in SILENT_BLOCKS else "unknown_block", where)

    def _unwanted(self, content: list[Any]) -> list[str]:
        """Return the labels of the blocks of an answer if none of them is to be kept; else nothing."""
        labels = [_PART_LABELS.get(str(block.get("type")), "") if isinstance(block, dict) else "" for block in content]
        return labels if all(label and label not in self._options.keep for label in labels) else []

    def _answer(self, base: Record, message_id: str | None, text: str) -> Found:
        """Join ``text`` to the answer it belongs to; an answer already given is given again, longer."""
        if not text.strip():
            return
        key = base.key
        if message_id:
            short = len(message_id) < 16  # made by hand, unique in its session at best
            key = f"{base.session}:{message_id}" if short else f"claude-code:{message_id}"
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = _Answer(replace(base, key=key, supersedes_text=True))
            yield answer
        elif text in answer.blocks:
            yield Skip("duplicate", key)
            return
        elif answer.given:
            answer.given = False
            yield answer
        answer.blocks.append(text)

    def _summary(self, row: Mapping[str, Any], where: str) -> Found:
        text = row.get("summary")
        if not isinstance(text, str):
            return [Skip("no_content", where)]
        key = f"claude-code:summary:{first(row, 'leafUuid', 'uuid') or short_hash(text)}"
        return [replace(self._base(row, "summary"), key=key, text=text, role="system")]

    def _queue(self, row: Mapping[str, Any], where: str) -> Found:
        """What was typed while the model worked; it seldom comes again as a user row."""
        text = row.get("content")
        if row.get("operation") != "enqueue" or not isinstance(text, str) or not text.strip():
            return [Skip("queue-operation", where)]
        return self._typed_ahead(row, text)

    def _attachment(self, row: Mapping[str, Any], where: str) -> Found:
        attachment = mapping(row.get("attachment"))
        prompt = attachment.get("prompt")
        if attachment.get("type") != "queued_command" or not joined(prompt):
            return [Skip("attachment", where)]
        return self._typed_ahead(row, joined(prompt))

    def _typed_ahead(self, row: Mapping[str, Any], text: str) -> Found:
        words = own_words(text)
        base = self._base(row, "injected" if _put_in(row) or words in self._foreign else "message")
        if not words or re.fullmatch(r"\s*/[\w:-]+\s*", words):
            return [Skip("injected", base.key)]
        if words in self._queued:
            return [Skip("duplicate", base.key)]
        self._queued.add(words)
        key = f"{base.session}:queued:{short_hash(str(row.get('timestamp')), words)}"
        return [replace(base, key=key, text=words, attributes={**base.attributes, "queued": True})]


def _abandoned(rows: Iterable[Line]) -> set[str]:
    """Return the uuids of branches left by a rewind: a prompt typed where the talk had gone on already.

    Reads ids off the bytes without parsing, since only few files hold a rewind. Parallel tool calls fork
    too, but none of their forks begins with a prompt.
    """
    parents: dict[str, str] = {}
    children: dict[str, list[str]] = {}
    prompts: set[str] = set()
    for line in rows:
        data = line.data
        own = _ID.match(data, max(0, data.rfind(b'"uuid"')))
        if not own or (uuid := own[1].decode("utf-8", "replace")) in parents:
            continue
        above = _ID.match(data, max(0, data.find(b'"parentUuid"')))
        parent = above[1].decode("utf-8", "replace") if above else ""
        parents[uuid] = parent
        children.setdefault(parent, []).append(uuid)
        if parent and len(children[parent]) > 1 and _USER_TYPE.search(data) and not _NO_PROMPT.search(data):
            prompts.add(parent)
    return left_by_rewinds(parents, {fork: children[fork] for fork in prompts})


def left_by_rewinds(parents: dict[str, str], forks: Mapping[str, list[str]]) -> set[str]:
    """Return the nodes on branches that were left: at each fork the child with the latest node stays.

    Args:
        parents: parent of each node, in the order of the file (parents before children).
        forks: the nodes at which the talk was taken up again, with their children.
    """
    if not forks:
        return set()
    latest = {node: index for index, node in enumerate(parents)}
    for node, parent in reversed(parents.items()):
        if parent in latest:
            latest[parent] = max(latest[parent], latest[node])
    left: set[str] = set()
    for node, parent in parents.items():
        if parent in left or (parent in forks and node != max(forks[parent], key=latest.__getitem__)):
            left.add(node)
    return left
