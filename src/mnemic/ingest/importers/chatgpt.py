"""ChatGPT data export: ``conversations.json``, a list of conversations, each a tree of messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, listing, mapping, micros, name_of, short_hash
from .jsonstream import documents
from .records import Item, finish
from .tree import read_tree

#: What each content type is; one that is missing here is taken as a message if it has text.
CONTENT_LABELS = {
    "text": "message",
    "multimodal_text": "message",
    "code": "tool_call",
    "execution_output": "tool_output",
    "tether_quote": "tool_output",
    "tether_browsing_display": "tool_output",
    "sonic_webpage": "tool_output",
    "system_error": "tool_output",
    "thoughts": "thinking",
    "reasoning_recap": "thinking",
}
#: Content that is the user's profile or instructions, never something said.
PROFILE_TYPES = frozenset({"user_editable_context", "model_editable_context"})
ROLE_LABELS = {"system": "injected", "tool": "tool_output"}

_CONVERSATION = re.compile(rb'"mapping"\s*:\s*\{')
_NODE = re.compile(rb'"(?:author|parent|children|current_node|message)"\s*:')


class ChatGPT:
    """One conversation after another; the shown line first, edited and repeated branches marked."""

    name = "chatgpt"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] not in (b"[", b"{") or not _CONVERSATION.search(head):
            return 0.0
        return 0.95 if _NODE.search(head) else 0.4

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(self._read(file, path, options), options)

    def _read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        for where, found in documents(file, options.max_line, "mapping", ("conversations",)):
            if isinstance(found, Skip):
                yield found
            elif isinstance(found.get("mapping"), dict):
                yield from _conversation(found, where)
            else:
                yield Skip("no_conversation", where)


def _conversation(talk: Mapping[str, Any], where: str) -> Iterator[Item]:
    nodes = {key: mapping(node) for key, node in talk["mapping"].items()}
    parents = {key: name_of(node.get("parent")) for key, node in nodes.items()}
    for key, node in nodes.items():  # some exports only list children
        for child in listing(node.get("children")):
            if isinstance(child, str) and child in parents and parents[child] is None and child != key:
                parents[child] = key
    order, abandoned = read_tree(parents, name_of(talk.get("current_node")))
    session = first(talk, "conversation_id", "id") or _made_id(talk, [(key, nodes[key]) for key in order])
    times = [micros(mapping(node.get("message")).get("create_time")) for node in nodes.values()]
    at = micros(talk.get("create_time")) or micros(talk.get("update_time"))
    at = at or min((time for time in times if time), default=None)
    title = name_of(talk.get("title"))
    for key in order:
        message = nodes[key].get("message")
        if not isinstance(message, dict):
            yield Skip("no_message", f"{where} {key}"[:200])
            continue
        at = micros(message.get("create_time")) or at
        yield from _message(message, key, f"chatgpt:{session}", at, title, key in abandoned)


def _made_id(talk: Mapping[str, Any], nodes: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """An id for a conversation without one: of how it began, which stays the same while it grows."""
    said = next((node for node in nodes if _parts(mapping(mapping(node[1].get("message")).get("content")))[0]), None)
    return short_hash(compact(talk.get("title")), compact(talk.get("create_time")), compact(said))


def _message(
    message: Mapping[str, Any], node: str, session: str, at: int | None, title: str | None, side: bool
) -> Iterator[Item]:
    key = f"{session}:{first(message, 'id') or node}"
    metadata = mapping(message.get("metadata"))
    content = mapping(message.get("content"))
    kind = content.get("content_type")
    if metadata.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0:
        yield Skip("hidden", key)
        return
    if (isinstance(kind, str) and kind in PROFILE_TYPES) or metadata.get("is_user_system_message") is True:
        yield Skip("profile", key)
        return
    author = mapping(message.get("author"))
    role = author.get("role")
    if role not in ("user", "assistant", "system", "tool"):
        yield Skip("unknown_role", key)
        return
    label = CONTENT_LABELS.get(kind, "message") if isinstance(kind, str) else "message"
    label = ROLE_LABELS.get(role, label)
    if role == "assistant" and label == "message" and message.get("recipient") not in (None, "", "all"):
        label = "tool_call"
    texts, pictures = _parts(content)
    if pictures:
        yield Skip("image", key, pictures)
    if not texts:
        if not pictures:
            yield Skip("empty", key)
        return
    yield Record(
        key=key,
        text="\n\n".join(texts),
        role=role,
        session=session,
        at=at,
        label=label,
        attributes=facts(
            title=title,
            model=name_of(metadata.get("model_slug")),
            tool=name_of(author.get("name")) if role == "tool" else None,
            branch="abandoned" if side else None,
        ),
    )


def _parts(content: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the texts of a message's content and how many pictures and files stand between them."""
    texts: list[str] = []
    pictures = 0
    for part in [*listing(content.get("parts")), *listing(content.get("thoughts"))]:
        text = part if isinstance(part, str) else mapping(part).get("text") or mapping(part).get("content")
        if isinstance(text, str) and text.strip():
            texts.append(text)
        elif isinstance(part, dict):
            pictures += 1
    for field in ("text", "result", "content"):
        if not texts and isinstance(content.get(field), str) and content[field].strip():
            texts.append(content[field])
    if not texts and isinstance(content.get("parts"), str) and content["parts"].strip():
        texts.append(content["parts"])
    return texts, pictures
