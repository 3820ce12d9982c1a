"""Claude.ai data export: ``conversations.json`` (a list), or the JSON of one chat."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, listing, mapping, micros, name_of, short_hash
from .jsonstream import documents
from .marks import without_placeholders
from .records import Item, finish
from .tree import read_tree

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
#: Blocks beside the text: their label, and the fields that hold their words.
BLOCKS = {
    "thinking": ("thinking", ("thinking",)),
    "tool_use": ("tool_call", ("input",)),
    "tool_result": ("tool_output", ("content",)),
    "voice_note": ("message", ("text", "transcript")),
}
_ROOT = "00000000-0000-4000-8000-000000000000"
_CHAT = re.compile(rb'"chat_messages"\s*:\s*\[')


class ClaudeAI:
    """One conversation after another; edited and repeated branches marked."""

    name = "claude-ai"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        return 0.95 if head.lstrip()[:1] in (b"[", b"{") and _CHAT.search(head) else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(self._read(file, path, options), options)

    def _read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        for where, found in documents(file, options.max_line, "chat_messages", ("conversations",)):
            if isinstance(found, Skip):
                yield found
            elif isinstance(found.get("chat_messages"), list):
                yield from _conversation(found, where)
            else:
                yield Skip("no_conversation", where)


def _conversation(talk: Mapping[str, Any], where: str) -> Iterator[Item]:
    rows = listing(talk.get("chat_messages"))
    if not rows:
        yield Skip("no_messages", where)
    session = first(talk, "uuid", "conversation_id", "id") or short_hash(compact(talk.get("name")), compact(rows))
    messages: dict[str, Mapping[str, Any]] = {}
    parents: dict[str, str | None] = {}
    before: str | None = None
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            yield Skip("not_an_object", f"{where} message {index}")
            continue
        key = first(row, "uuid", "id") or f"#{index}"
        if key in messages:
            yield Skip("duplicate", f"{where} {key}")
            continue
        parent = name_of(row.get("parent_message_uuid")) if "parent_message_uuid" in row else before
        messages[key], parents[key] = row, None if parent == _ROOT else parent
        before = key
    order, abandoned = read_tree(parents, name_of(talk.get("current_leaf_message_uuid")))
    project = talk.get("project")
    at = micros(talk.get("created_at")) or micros(talk.get("updated_at"))
    for key in order:
        row = messages[key]
        at = micros(row.get("created_at")) or at
        base = Record(
            key=f"claude-ai:{session}:{key}",
            text="",
            role=ROLES.get(str(row.get("sender")), ""),
            session=f"claude-ai:{session}",
            at=at,
            project=first(project, "name", "uuid") if isinstance(project, dict) else name_of(project),
            attributes=facts(
                title=name_of(talk.get("name")),
                model=name_of(talk.get("model")),
                branch="abandoned" if key in abandoned else None,
            ),
        )
        yield from _message(base, row) if base.role else [Skip("unknown_role", base.key)]


def _message(base: Record, row: Mapping[str, Any]) -> Iterator[Item]:
    content = row.get("content")
    text = without_placeholders(joined(content))
    plain = row.get("text")
    if not text.strip() and isinstance(plain, str):
        text = without_placeholders(_unthought(plain, content))
    if text.strip():
        yield replace(base, text=text)
    others = 0
    for index, block in enumerate(listing(content)):
        kind = mapping(block).get("type")
        if isinstance(block, str) or kind == "text" or ("text" in mapping(block) and kind is None):
            continue
        others += 1
        label, names = BLOCKS.get(str(kind), ("", ()))
        words = "\n\n".join(_words(block[name]) for name in names if name in block)
        if label and words.strip():
            yield replace(base, key=f"{base.key}#{index}", text=words, label=label)
        else:
            yield Skip(label or "unknown_block", base.key)
    for index, file in enumerate(listing(row.get("attachments"))):
        others += 1
        extract = mapping(file).get("extracted_content")
        if isinstance(extract, str) and extract.strip():
            name = name_of(mapping(file).get("file_name"))
            attributes = {**base.attributes, **facts(file=name)}
            key = f"{base.key}#attachment{index}"
            yield replace(base, key=key, text=extract, label="injected", attributes=attributes)
        else:
            yield Skip("attachment", base.key)
    files = listing(row.get("files_v2")) or listing(row.get("files"))
    if files:
        yield Skip("file", base.key, len(files))
    if not text.strip() and not others and not files:
        yield Skip("empty", base.key)


def _unthought(plain: str, content: object) -> str:
    """The plain form of a message tells the blocks it could show one after another, thoughts among them."""
    for block in map(mapping, listing(content)):
        thought = block.get("thinking")
        if isinstance(thought, str) and thought.strip():
            plain = plain.replace(thought.strip(), "", 1)
    return plain


def _words(value: object) -> str:
    return joined(value) if isinstance(value, (str, list)) else compact(value)
