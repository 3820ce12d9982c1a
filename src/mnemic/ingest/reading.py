"""Read a file into batches of messages that are ready to be stored: read, mask, analyse. Knows no store.

It runs in this process or in one beside it (see ``worker_process.py``), so what goes in and comes out is plain.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..models import ORIGINS
from ..store.rows import NewNode
from ..text.analyse import clean
from ..text.ready import ready
from .importers import get
from .importers.base import DAMAGE, Progress, ReadOptions, Record, Skip
from .observe import body_hash

BATCH = 1_000
MOST_CHARS = 2_000_000  # of one batch: several are held at once
PLACES = 100  # of damage, named one by one


@dataclass(frozen=True, slots=True)
class Task:
    """What to read: ``path`` is absolute, ``written_at`` stands for messages without a time (microseconds)."""

    path: str
    format: str
    options: ReadOptions
    mask_secrets: bool
    written_at: int


#: A message, ready: content, terms, words, time, label, key, session, project, role, speaker, attributes, hash of the
#: body, whether it replaces. Bare, because thousands of them go from process to process a second.
Message = tuple[
    str, str, int, int, str, str, str, str | None, str, str | None, dict[str, Any], bytes, bool
]  # fmt: skip


_ORIGINS = {"user": "import", "assistant": "assistant"}


def node_of(message: Message, channel: str) -> NewNode:
    """The node to be written."""
    content, terms, words, at, label, key, session, project, role, speaker, attributes, body, replaces = message
    origin = "external" if label == "injected" else _ORIGINS.get(role, "tool")
    return NewNode(
        content, terms, at, "episodic", label, None, key, session, channel, project, role, speaker, origin,
        ORIGINS[origin],
        attributes=attributes, body_hash=body, grows=True, replaces=replaces, words=words,
    )  # fmt: skip


@dataclass(slots=True)
class Batch:
    """Messages in the order of the file, what was passed over beside them, and the place reached after them.

    Attributes:
        read: things found, skipped ones too. damaged: ``reason, where`` of the first damaged places.
    """

    reached: int
    messages: list[Message] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)

    def __reduce__(self) -> tuple[Any, ...]:
        """On its way from process to process: plain values as marshal writes them are read three times as fast."""
        rest = (self.reached, self.read, self.skipped, self.masked, self.damaged)
        return _batch, (marshal.dumps(self.messages), *rest)


def _batch(
    messages: bytes, reached: int, read: int, skipped: Counter[str], masked: Counter[str], damaged: list[str]
) -> Batch:
    return Batch(reached, marshal.loads(messages), read, skipped, masked, damaged)


def read(task: Task) -> Iterator[Batch]:
    """Yield the batches of a file; the last one tells where the file ended and may hold no message.

    Raises:
        OSError: the file cannot be read.
    """
    path = Path(task.path)
    last_at: dict[str, int] = {}
    batch, chars = Batch(task.options.offset), 0
    with path.open("rb") as file:
        file.seek(task.options.offset)
        for item in get(task.format).read(file, path, task.options):
            if isinstance(item, Record):
                batch.read += 1
                message = _message(item, task, last_at, batch)
                if message is not None:
                    batch.messages.append(message)
                    chars += len(message[0])
                if len(batch.messages) >= BATCH or chars >= MOST_CHARS:
                    yield batch
                    batch, chars = Batch(batch.reached), 0
            elif isinstance(item, Progress):
                batch.reached = item.offset
            elif isinstance(item, Skip):
                batch.read += item.count
                batch.skipped[item.reason] += item.count
                if item.reason in DAMAGE and len(batch.damaged) < PLACES:
                    batch.damaged.append(f"{item.reason}, {item.where}".removesuffix(", "))
    yield batch


def _message(record: Record, task: Task, last_at: dict[str, int], batch: Batch) -> Message | None:
    content, terms, words, masked = ready(clean(record.text), mask_secrets=task.mask_secrets)
    attributes = dict(record.attributes)
    if masked:
        batch.masked.update(masked)
        attributes["masked"] = dict(masked)
    if not content or content.isspace():
        batch.skipped["empty"] += 1
        return None
    at = record.at if record.at is not None else last_at.get(record.session, task.written_at)
    last_at[record.session] = at
    return (
        content,
        terms,
        words,
        at,
        record.label,
        clean(record.key),
        clean(record.session),
        clean(record.project) if record.project else None,
        record.role,
        clean(record.speaker) if record.speaker else None,
        attributes,
        body_hash(content, record.role, record.speaker),
        record.replaces,
    )
