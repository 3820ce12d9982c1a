"""The data exports of ChatGPT and Claude.ai: ``conversations.json``, a list of conversations whose messages form a
tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .base import ReadOptions, Record, Skip
from .fields import compact, facts, first, joined, listing, mapping, micros, name_of, short_hash
from .jsonstream import documents
from .records import Item, finish, without_placeholders

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
        return finish(_conversations(file, options, "mapping", dict, _conversation), options)


def _conversations(
    file: BinaryIO,
    options: ReadOptions,
    field: str,
    kind: type,
    read: Callable[[Mapping[str, Any], str], Iterator[Item]],
) -> Iterator[Item]:
    """The conversations of an export: those that hold their messages in a ``field`` of a ``kind``."""
    for where, found in documents(file, options.max_line, field, ("conversations",)):
        if isinstance(found, Skip):
            yield found
        elif isinstance(found.get(field), kind):
            yield from read(found, where)
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
        return finish(_conversations(file, options, "chat_messages", list, _chat), options)


def _chat(talk: Mapping[str, Any], where: str) -> Iterator[Item]:
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
        yield from _chat_message(base, row) if base.role else [Skip("unknown_role", base.key)]


def _chat_message(base: Record, row: Mapping[str, Any]) -> Iterator[Item]:
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


class Tree(NamedTuple):
    """The order in which to read the nodes, and which of them hang on a branch that is not shown."""

    order: list[str]
    abandoned: frozenset[str]


def read_tree(parents: Mapping[str, str | None], leaf: str | None) -> Tree:
    """Order the nodes of a conversation: the shown line from its root to ``leaf``, then everything else.

    A node is *abandoned* when it hangs on the shown line without being part of it: the question was edited or the
    answer made again. Nodes that cannot be tied to the shown line (a parent is missing, links run in a circle) are kept
    as they stand in the file, before the shown line, and are not marked. Every node comes once, whatever the links say.

    Args:
        parents: parent of each node, in the order of the file.
        leaf: the node at the end of the shown line; when unknown, the last node without children.
    """
    if not parents:
        return Tree([], frozenset())
    last_child = {parent: node for node, parent in parents.items() if parent != node}
    if leaf not in parents:
        leaf = next((node for node in reversed(list(parents)) if node not in last_child), list(parents)[-1])
    below = {leaf}
    while (child := last_child.get(leaf)) is not None and child not in below:
        leaf = child  # the export names a node that the conversation went on from
        below.add(child)
    shown: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in shown:
        shown[node] = None
        node = parents[node]
    hangs: dict[str, bool] = dict.fromkeys(shown, True)
    for start in parents:
        path: list[str] = []
        step: str | None = start
        seen: set[str] = set()
        while step is not None and step in parents and step not in hangs and step not in seen:
            path.append(step)
            seen.add(step)
            step = parents[step]
        tied = hangs.get(step, False) if step is not None else False
        hangs.update(dict.fromkeys(path, tied))
    loose = [node for node in parents if not hangs[node]]
    side = [node for node in parents if hangs[node] and node not in shown]
    return Tree(loose + list(reversed(shown)) + side, frozenset(side))
