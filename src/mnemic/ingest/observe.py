"""The hot path: from what a caller gives to a node ready to be written. No model, no embedding, no network."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Any

from ..clock import key_id, read_time
from ..errors import InvalidInput
from ..models import KINDS, ORIGINS, ROLES, Node
from ..store.rows import NewNode, dump_json
from ..text.analyse import clean as clean
from ..text.ready import analyse
from ..text.recalled import without_memory
from ..text.secrets import mask

#: Origin of a message when the caller's channel names none.
ORIGIN_OF_ROLE = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "unknown"}
MAX_KEY = 4_096
MAX_CHARS = 20_000_000
_BLANK = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*+")  # white or invisible


def storable(text: object) -> str:
    """The text as it can be kept in every store: lone surrogates become U+FFFD, NUL becomes its symbol U+2400.

    Raises:
        InvalidInput: not text, or nothing but white space and invisible signs, or longer than 20 million characters.
    """
    if not isinstance(text, str):
        raise InvalidInput("text", f"must be text, not {type(text).__name__}", "give a non-empty string")
    if _BLANK.fullmatch(text):
        raise InvalidInput("text", "is empty", "give a non-empty string")
    if len(text) > MAX_CHARS:
        raise InvalidInput("text", f"is longer than {MAX_CHARS} characters", "split it")
    return clean(text)


def name(value: object, field: str) -> str | None:
    """A name given by a caller (session, key, speaker …): text without surrounding meaning, or ``None``."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InvalidInput(field, f"must be text, not {type(value).__name__}")
    if len(value) > MAX_KEY:
        raise InvalidInput(field, f"is longer than {MAX_KEY} characters")
    return clean(value)


def choice(value: str | None, known: Sequence[str], field: str) -> str | None:
    """One of a fixed list, or ``None``."""
    if value is None or value == "":
        return None
    if value not in known:
        raise InvalidInput(field, f"{value!r} is not known", f"one of {', '.join(known)}")
    return value


def tag_list(value: object) -> tuple[str, ...]:
    """Tags as given: a list of texts, or one text."""
    if value is None or value == "":
        return ()
    items = [value] if isinstance(value, str) else list(value) if isinstance(value, Sequence) else None
    if items is None or not all(isinstance(item, str) and item for item in items):
        raise InvalidInput("tags", "must be a list of non-empty texts")
    return tuple(dict.fromkeys(clean(item) for item in items))


def body_hash(content: str, *rest: str | None) -> bytes:
    """What tells the same body from another one under one key."""
    return hashlib.blake2b("\x1f".join([content, *(r or "" for r in rest)]).encode(), digest_size=16).digest()


def prepare(
    text: object,
    *,
    now: int,
    zone: tzinfo,
    kind: str = "episodic",
    label: str = "message",
    role: str | None = "user",
    session: str | None = None,
    channel: str = "",
    project: str | None = None,
    speaker: str | None = None,
    at: object = None,
    valid_from: object = None,
    key: str | None = None,
    origin: str | None = None,
    importance: float = 1.0,
    confidence: float = 1.0,
    tags: object = None,
    attributes: Mapping[str, Any] | None = None,
    mask_secrets: bool = True,
    terms: bool = True,
) -> NewNode:
    """Check everything and build the node; without ``terms``, all but what :func:`analysed` adds.

    Raises:
        InvalidInput: names the field and the remedy; nothing was written.
    """
    content = without_memory(storable(text))
    if not content:
        remedy = "give what was said, without the block that context() put before it"
        raise InvalidInput("text", "is nothing but recalled memory", remedy)
    masked: Mapping[str, int] = {}
    if mask_secrets:
        content, masked = mask(content)
    role = choice(role, ROLES, "role")
    origin = choice(origin, tuple(ORIGINS), "origin") or ORIGIN_OF_ROLE.get(role or "", "unknown")
    when = read_time(at, field="at", tz=zone)
    if not isinstance(importance, int | float) or isinstance(importance, bool) or not 0 <= importance < 1e6:
        raise InvalidInput("importance", "must be a number from 0 up", "1.0 is ordinary")
    if attributes is not None and not isinstance(attributes, Mapping):
        raise InvalidInput("attributes", "must be a mapping")
    extra = dict(attributes or {})
    if masked:
        extra["masked"] = dict(masked)
    written = dump_json(extra) or "{}"
    if clean(written) != written:
        extra = json.loads(clean(written))
    speaker = name(speaker, "speaker")
    node = NewNode(
        content=content,
        terms="",
        event_time=now if when is None else when,
        kind=choice(kind, KINDS, "kind") or "episodic",
        label=name(label, "label") or "message",
        key=name(key, "key"),
        session=name(session, "session"),
        channel=name(channel, "channel") or "",
        project=name(project, "project"),
        role=role,
        speaker=name(speaker, "speaker"),
        origin=origin,
        trust=ORIGINS[origin],
        valid_from=read_time(valid_from, field="valid_from", tz=zone),
        confidence=confidence,
        importance=float(importance),
        attributes=extra,
        tags=tag_list(tags),
        body_hash=body_hash(content, role, speaker),
    )
    return analysed(node) if terms else node


def analysed(node: NewNode) -> NewNode:
    """The node with its search terms. Nothing can go wrong in it, so it may follow the acceptance."""
    if node.words is None:
        node.terms, node.words = analyse(node.content)
    return node


def pending(node: NewNode, space: str, now: int) -> Node:
    """What is known of a node before its commit."""
    return Node(
        id=key_id(space, node.key) if node.key else node.id or "",
        space=space,
        kind=node.kind,
        label=node.label,
        content=node.content,
        event_time=node.event_time,
        recorded_at=now,
        key=node.key,
        session=node.session,
        role=node.role,
        speaker=node.speaker,
        origin=node.origin,
        trust=node.trust,
        attributes=node.attributes,
        tags=node.tags,
        acknowledged="accepted",
    )
