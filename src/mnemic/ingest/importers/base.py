"""What an importer is: a reader that turns one file of one format into messages and skips.

An importer never touches the store. It yields, in the order of the file, a :class:`Record` for each thing worth keeping
and a :class:`Skip` for each thing passed over, so that *read = kept + skipped* always adds up. One broken record is a
``Skip``, never an exception: an importer raises only when the file as a whole cannot be read (``OSError``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

#: What a record can be. ``message`` is what a person or a model said; the rest is kept only when asked for.
LABELS = ("message", "note", "summary", "sidechain", "tool_call", "tool_output", "thinking", "injected")

#: Labels that are kept unless the caller chooses otherwise (see docs/importers.md for the reasons).
DEFAULT_KEEP = frozenset({"message", "note", "sidechain"})

#: Reasons of skips that mean damage: an import says where these stood.
DAMAGE = frozenset(
    {"broken_json", "too_deep", "line_too_long", "too_long", "incomplete_line", "damaged_file", "not_an_object"}
)


@dataclass(frozen=True, slots=True)
class Record:
    """One message as it stood in a file.

    Attributes:
        key: outside key, the same on every import of the same message, unique in a space
            (``claude-code:<uuid>``, ``telegram:<chat>:<id>``, ``file:<path>#<heading>``).
        text: what was said, as given; never empty.
        role: ``user``, ``assistant``, ``system`` or ``tool``.
        session: outside key of the conversation.
        at: when it was said, microseconds since 1970 UTC; ``None`` when the file does not say.
        speaker: name of the person, where the format has one.
        label: one of :data:`LABELS`.
        project: working folder or project the conversation belongs to, as the file gives it.
        attributes: further facts worth keeping (model, branch, forwarded_from, reply_to …), JSON-able.
        supersedes_text: this record may be a longer form of one stored before under the same key
            (an answer that was still being written); the longer text wins.
        replaces: what stands in the file now takes the place of what was stored under the same key, shorter
            or not (notes and other files that are edited in place).
    """

    key: str
    text: str
    role: str
    session: str
    at: int | None = None
    speaker: str | None = None
    label: str = "message"
    project: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    supersedes_text: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Skip:
    """Something passed over: ``reason`` is a short stable word (``broken_json``), ``where`` a place."""

    reason: str
    where: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the file has been read: everything before ``offset`` need never be read again.

    Only line formats that grow at their end yield it; the others are read whole each time they change.
    """

    offset: int


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read.

    Attributes:
        keep: labels to yield as records; the others become skips with their label as the reason.
        zone: IANA zone in which times without a zone are read (Telegram's ``date``, Aider's header).
        offset: byte offset to go on from (0 = the start); only for importers whose ``appends`` is true.
        max_line: longest line or JSON element, in bytes, that is parsed (long base64 runs are cut out first);
            longer ones are skipped, so that memory stays bounded.
    """

    keep: frozenset[str] = DEFAULT_KEEP
    zone: str = "UTC"
    offset: int = 0
    max_line: int = 32 * 1024 * 1024


class Importer(Protocol):
    """One format: ``name`` is what ``--format`` takes; ``appends``: the file only ever grows at its end."""

    name: str
    appends: bool

    def sniff(self, path: Path, head: bytes) -> float:
        """How sure (0…1) we are that ``path`` is of this format, by content (``head``: its first 64 KiB)."""
        ...

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Record | Skip | Progress]:
        """Yield the records of an open binary file, in file order, starting at ``options.offset``."""
        ...
