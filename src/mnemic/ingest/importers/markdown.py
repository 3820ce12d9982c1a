"""Notes in Markdown or plain text: one record per section, opened by the path of its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from ...text.digest import front_matter, sections
from .base import ReadOptions, Record, Skip
from .fields import facts, micros, zone_of
from .lines import text_of
from .records import Item, finish

_DAY_IN_NAME = re.compile(r"(\d{4}-\d\d-\d\d)")
_SNIFF_HEADING = re.compile(rb"^#{1,6}[ \t]+\S|^---[ \t]*\r?\n[\w-]+:", re.MULTILINE)
#: Front matter fields that tell when a note was written, the most telling first.
DATE_FIELDS = ("date", "created", "created_at", "creation date", "updated", "modified", "updated_at")
_TEXT_NAMES = frozenset({".md", ".markdown", ".mdown", ".txt", ".text", ".rst", ".org", ""})


class MarkdownNotes:
    """A note's time: its front matter, else its name (``2026-01-31 Call.md``), else the file's."""

    name = "markdown"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if not head.strip() or b"\x00" in head or head.lstrip()[:1] in (b"{", b"[", b"<"):
            return 0.0
        try:
            head[:-4].decode()
        except UnicodeDecodeError:
            return 0.0
        if _SNIFF_HEADING.search(head):
            return 0.3
        return 0.1 if path.suffix.lower() in _TEXT_NAMES else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(_read(text_of(file), path, options), options)


def _read(text: str, path: Path, options: ReadOptions) -> Iterator[Item]:
    session = f"file:{path.absolute().as_posix()}"
    fields, text = front_matter(text)
    at = _time(fields, path, options)
    times_used: dict[str, int] = {}
    for headings, body in sections(text):
        name = " / ".join(heading for heading in headings if heading)
        times_used[name] = times_used.get(name, 0) + 1
        key = f"{session}#{name}" + (f"~{times_used[name]}" if times_used[name] > 1 else "")
        if not body.strip():
            if headings:
                yield Skip("empty", key)
            continue
        yield Record(
            key=key,
            text=(f"{name}\n\n" if name else "") + body.strip("\n"),
            role="user",
            session=session,
            at=at,
            label="note",
            attributes=facts(
                headings=[heading for heading in headings if heading] or None,
                title=fields.get("title"),
                tags=fields.get("tags"),
            ),
            replaces=True,
        )


def _time(fields: Mapping[str, str], path: Path, options: ReadOptions) -> int | None:
    zone = zone_of(options.zone)
    for name in DATE_FIELDS:
        if (at := micros(fields.get(name), zone)) is not None:
            return at
    if (day := _DAY_IN_NAME.search(path.stem)) and (at := micros(day[1], zone)) is not None:
        return at
    try:
        return path.stat().st_mtime_ns // 1000
    except (OSError, ValueError):
        return None
