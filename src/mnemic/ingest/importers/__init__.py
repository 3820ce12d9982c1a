"""Importers: one module per format or family of them, all behind :class:`~mnemic.ingest.importers.base.Importer`.

>>> from pathlib import Path
>>> [importer.name for importer in importers()][:2]
['claude-code', 'codex']
"""

from __future__ import annotations

from pathlib import Path

from mnemic.errors import InvalidInput

from .base import DEFAULT_KEEP, LABELS, Importer, Progress, ReadOptions, Record, Skip
from .claude_code import ClaudeCode
from .codex import Codex
from .cursor import Cursor
from .exports import ChatGPT, ClaudeAI
from .gemini import Gemini
from .markdown import Aider, MarkdownNotes, SpecStory
from .mcp_memory import McpMemory
from .messages import Messages
from .telegram import Telegram

__all__ = [
    "DEFAULT_KEEP",
    "LABELS",
    "Importer",
    "Progress",
    "ReadOptions",
    "Record",
    "Skip",
    "get",
    "importers",
    "recognise",
]

#: The formats known, the more telling ones first: of two that are equally sure, the first is taken.
_BUILT_IN: tuple[Importer, ...] = (
    ClaudeCode(),
    Codex(),
    Gemini(),
    Cursor(),
    McpMemory(),
    ChatGPT(),
    ClaudeAI(),
    Telegram(),
    SpecStory(),
    Aider(),
    Messages(),
    MarkdownNotes(),
)
_HEAD = 64 * 1024


def importers() -> tuple[Importer, ...]:
    """Return every importer."""
    return _BUILT_IN


def get(name: str) -> Importer:
    """Return the importer called ``name``; raises :class:`InvalidInput` with the names there are."""
    for importer in _BUILT_IN:
        if importer.name == name:
            return importer
    names = ", ".join(importer.name for importer in _BUILT_IN)
    raise InvalidInput("format", f"unknown format {name!r}", f"one of {names}")


def recognise(path: Path) -> Importer | None:
    """Return the importer surest of ``path`` by the first 64 KiB of its content, or ``None``."""
    with path.open("rb") as file:
        head = readable_head(file.read(_HEAD))
    sure, _, best = max((importer.sniff(path, head), -rank, importer) for rank, importer in enumerate(_BUILT_IN))
    return best if sure > 0 else None


def readable_head(head: bytes) -> bytes:
    """Return ``head`` as UTF-8 without a byte order mark (the form that ``sniff`` takes)."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace").encode()
    return head.removeprefix(b"\xef\xbb\xbf")
