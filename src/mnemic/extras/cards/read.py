"""From a file or a text to the sections of a card: decoded, masked, cut at headings, long parts at paragraphs.

A cut depends on the paragraphs around it alone, so that an edit moves the cuts beside it and no others: what was not
edited is the same section as before, with its row and its vectors.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...embed.chunks import chunk
from ...errors import InvalidInput
from ...text.analyse import clean
from ...text.digest import front_matter, paragraphs, plain, sections
from ...text.ready import ready

MOST_BYTES = 32 * 1024 * 1024
LEAST, MOST = 400, 1_000  # characters of a part of a long section: what is embedded whole (ingest/embedding.py)
LONGEST_NAME = 200  # characters of a title or heading
#: Names of files that are taken from a folder; a file that is named itself may be called anything.
SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".txt", ".text", ".rst", ".org", ".adoc"})
#: Folders below a given one that hold nobody's documents.
IGNORED_FOLDERS = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CYRILLIC = re.compile(r"[а-яА-ЯёЁ]")
_MIXED = re.compile(r"[A-Za-z][а-яё]|[а-яё][A-Za-z]")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: the headings that lead to it, and its text with them in front, as it is stored."""

    headings: tuple[str, ...]
    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read. ``name``: the title in its front matter; ``masked``: kind of secret → how many."""

    name: str | None
    sections: tuple[Section, ...]
    masked: Mapping[str, int]


def hash_of(data: bytes) -> str:
    """What tells a file from another one."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def load(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        InvalidInput: too big. OSError: cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InvalidInput("path", f"{path} is bigger than {MOST_BYTES >> 20} MiB", "split it")
    return data


def decode(data: bytes) -> str:
    r"""The text of a document: UTF-8 or UTF-16, else the Windows code page that fits; every line ends with ``\n``.

    Raises:
        InvalidInput: no text.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    else:
        if b"\0" in data:
            raise InvalidInput("path", "is no text: it holds zero bytes", "give Markdown or plain text")
        text = _decode(data)
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head = text[:100_000]
    if len(_CONTROL.findall(head)) + head.count("\ufffd") > len(head) // 20:
        raise InvalidInput("path", "is no text: too much of it cannot be read", "give Markdown or plain text")
    return clean(text)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    lenient = data.decode("utf-8", "replace")
    strange = sum(byte > 127 for byte in data)
    if lenient.count("\ufffd") * 10 < strange:  # UTF-8 with a few broken bytes
        return lenient
    cyrillic = data.decode("cp1251", "replace")
    if len(_CYRILLIC.findall(cyrillic)) * 5 > strange * 4 and len(_MIXED.findall(cyrillic)) * 20 < strange:
        return cyrillic
    return data.decode("cp1252", "replace")


def document(text: str, *, mask_secrets: bool = True) -> Document:
    """A text as sections, its secrets masked; none where it says nothing."""
    made = ready(text, mask_secrets=mask_secrets)
    fields, body = front_matter(made.text)
    found: list[Section] = []
    seen: Counter[str] = Counter()
    names: list[str] = []
    for given, content in sections(body, underlined=True):
        headings = tuple(plain(heading)[:LONGEST_NAME] for heading in given if heading.strip())
        if not content.strip():
            names += headings[-1:]
            continue
        for part in parts(content):
            found.append(_section(headings, part, seen))
    if not found and names:
        found.append(_section((), "\n".join(names), seen))
    name = plain(fields.get("title", ""))[:LONGEST_NAME]
    return Document(name or None, tuple(found), dict(made.masked))


def _section(headings: tuple[str, ...], body: str, seen: Counter[str]) -> Section:
    lead = " / ".join(headings)
    text = f"{lead}\n\n{body}" if lead else body
    mark = hashlib.blake2b(text.encode(), digest_size=10).hexdigest()
    seen[mark] += 1
    return Section(headings, text, mark if seen[mark] == 1 else f"{mark}~{seen[mark]}")


def parts(body: str) -> Iterator[str]:
    """A section whole, or where it is long in parts of whole paragraphs, as far as those are short enough."""
    body = body.strip("\n")
    if len(body) <= MOST:
        yield body.rstrip()
        return
    held: list[str] = []
    size = 0
    for paragraph in paragraphs(body):
        if held and size + len(paragraph) > MOST:
            yield "\n\n".join(held)
            held, size = [], 0
        if len(paragraph) > MOST:
            yield from chunk(paragraph, MOST, max_chunks=2 * len(paragraph) // MOST + 2)
            continue
        held.append(paragraph)
        size += len(paragraph) + 2
        if size >= LEAST and zlib.crc32(paragraph.encode()) % 2 == 0:
            yield "\n\n".join(held)
            held, size = [], 0
    if held:
        yield "\n\n".join(held)
