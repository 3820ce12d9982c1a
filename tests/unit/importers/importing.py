"""Helpers of the importer tests."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

from mnemic.ingest.importers import LABELS, Progress, ReadOptions, Record, Skip, get

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "importers"
EVERYTHING = frozenset(LABELS)

#: Fixture files and the importer that must recognise each.
FORMATS = {
    "claude_code.jsonl": "claude-code",
    "codex.jsonl": "codex",
    "gemini.json": "gemini",
    "gemini.jsonl": "gemini",
    "cursor.jsonl": "cursor",
    "mcp_memory.jsonl": "mcp-memory",
    "chatgpt.json": "chatgpt",
    "claude_ai.json": "claude-ai",
    "telegram.json": "telegram",
    "telegram_account.json": "telegram",
    "specstory.md": "specstory",
    "aider.md": "aider",
    "messages.json": "messages",
    "messages.jsonl": "messages",
    "notes.md": "markdown",
}


class Outcome:
    """What an importer gave: ``records``, ``skips`` (counts by reason), ``offset`` (the last progress)."""

    def __init__(self, items: list[Record | Skip | Progress]) -> None:
        self.items = items
        self.records = [item for item in items if isinstance(item, Record)]
        self.skips: Counter[str] = Counter()
        for item in items:
            if isinstance(item, Skip):
                self.skips[item.reason] += item.count
        self.offset = max((item.offset for item in items if isinstance(item, Progress)), default=0)

    @property
    def texts(self) -> list[str]:
        return [record.text for record in self.records]

    def said(self, role: str) -> list[str]:
        return [record.text for record in self.records if record.role == role]

    def of(self, label: str) -> list[Record]:
        return [record for record in self.records if record.label == label]


def run(name: str, data: bytes | str | Path, *, path: str = "/data/file", **options: Any) -> Outcome:
    """Read ``data`` (bytes, text, or a file) with the importer ``name``."""
    importer = get(name)
    if isinstance(data, Path):
        with data.open("rb") as file:
            return Outcome(list(importer.read(file, data, ReadOptions(**options))))
    raw = data.encode() if isinstance(data, str) else data
    return Outcome(list(importer.read(io.BytesIO(raw), Path(path), ReadOptions(**options))))


def jsonl(*rows: Any) -> bytes:
    """Return ``rows`` as JSON lines; bytes and strings stand as they are."""
    return b"".join(
        row + b"\n"
        if isinstance(row, bytes)
        else json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        for row in rows
    )
