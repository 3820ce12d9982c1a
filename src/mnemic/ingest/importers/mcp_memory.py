"""The file of the official MCP memory server: a graph of entities with observations, and of relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ...lang.pack import union
from .base import ReadOptions, Record, Skip
from .fields import facts, first, listing, mapping, micros, name_of, short_hash
from .jsonstream import documents
from .lines import as_utf8, is_lines, lines, parse_line
from .records import Item, finish

#: Names that forks of the server give the same fields.
RELATION = ("relationType", "relation_type")
ENTITY_TYPE = ("entityType", "entity_type")
TEXT_FIELDS = ("content", "text", "observation")
TIME_FIELDS = ("timestamp", "createdAt", "created_at", "lastModified", "updatedAt")
LISTS = ("entities", "relations")
#: How the server's own instructions call whom it talks with.
USER = re.compile(r"default[ _-]?user|(?:the )?user|me|myself", re.IGNORECASE)
_USER_OPENS = re.compile(rf"(?:{union('recall', 'own')})\b", re.IGNORECASE)
#: Words an observation opens with that lack only their subject: "Works as a luthier".
_VERB = re.compile(rf"(?:{union('recall', 'verb')})(?= )", re.IGNORECASE)
_ENTITY = re.compile(rb'"observations"\s*:\s*\[')
_RELATION = re.compile(rb'"(?:relationType|relation_type)"\s*:\s*"')


class McpMemory:
    """One statement for each observation, told of its entity, and one for each relation; kept as notes."""

    name = "mcp-memory"
    appends = False

    def sniff(self, path: Path, head: bytes) -> float:
        if head.lstrip()[:1] not in (b"{", b"["):
            return 0.0
        entity = _ENTITY.search(head) and re.search(rb'"name"\s*:', head)
        relation = _RELATION.search(head) and b'"from"' in head and b'"to"' in head
        return 0.9 if entity or relation else 0.0

    def read(self, file: BinaryIO, path: Path, options: ReadOptions) -> Iterator[Item]:
        return finish(self._read(file, options), options)

    def _read(self, file: BinaryIO, options: ReadOptions) -> Iterator[Item]:
        for where, row in _rows(file, options):
            if isinstance(row, Skip):
                yield row
            elif "observations" in row:
                yield from _entity(row, where)
            elif first(row, *RELATION):
                yield _relation(row, where)
            elif any(isinstance(row.get(name), list) for name in LISTS):  # the whole graph on one line
                for index, inner in enumerate(
                    inner for name in LISTS for inner in map(mapping, listing(row.get(name)))
                ):
                    place = f"{where} {index}"
                    yield from _entity(inner, place) if "observations" in inner else [_relation(inner, place)]
            else:
                yield Skip("unknown_type", where)


def _rows(file: BinaryIO, options: ReadOptions) -> Iterator[tuple[str, Mapping[str, Any] | Skip]]:
    file, _ = as_utf8(file)
    if not is_lines(file):
        file.seek(0)
        yield from documents(file, options.max_line, "observations", LISTS)
        return
    for line in lines(file, limit=options.max_line):
        where = f"line {line.number}"
        values, problem = parse_line(line)
        for value in values:
            yield where, value if isinstance(value, dict) else Skip("not_an_object", where)
        if problem:
            yield where, Skip(problem, where)


def _spoken(name: str | None) -> str | None:
    """A name as people say it: the server asks for names without blanks."""
    return " ".join(name.replace("_", " ").split()) if name else None


def _entity(row: Mapping[str, Any], where: str) -> Iterator[Item]:
    name = name_of(row.get("name"))
    spoken = _spoken(name)
    if not name or not spoken:
        yield Skip("no_content", where)
        return
    observations = listing(row.get("observations"))
    if not observations:
        yield Skip("empty", where)
    for given in observations:
        text = given if isinstance(given, str) else first(mapping(given), *TEXT_FIELDS)
        if not text or not text.strip():
            yield Skip("empty", where)
            continue
        moments = (micros(mapping(given).get(field)) for field in TIME_FIELDS)
        at = next((moment for moment in moments if moment is not None), None)
        yield _record(name, short_hash(text), statement(spoken, text), at, first(row, *ENTITY_TYPE))


def _relation(row: Mapping[str, Any], where: str) -> Item:
    source, target, relation = name_of(row.get("from")), name_of(row.get("to")), first(row, *RELATION)
    if not source or not target or not relation:
        return Skip("no_content", where)
    verb = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _spoken(relation) or "").lower()
    said = f"{_subject(_spoken(source) or source)} {verb} {_spoken(target)}."
    return _record(source, f"{relation}:{target}", said, micros(row.get("createdAt") or row.get("timestamp")))


def _record(name: str, mark: str, text: str, at: int | None, kind: str | None = None) -> Record:
    session = f"mcp-memory:{name}"
    attributes = facts(entity=_spoken(name), entity_type=_spoken(kind))
    return Record(f"{session}:{mark}", text, "user", session, at, label="note", attributes=attributes)


def _subject(spoken: str) -> str:
    return "User" if USER.fullmatch(spoken) else spoken


def statement(spoken: str, text: str) -> str:
    """Return an observation as a sentence of its own, which names whom it is about.

    >>> statement("Anna Keller", "Works as a luthier")
    'Anna Keller works as a luthier'
    >>> statement("Anna Keller", "blue eyes")
    'Anna Keller: blue eyes'
    """
    text = text.strip()
    subject = _subject(spoken)
    told_of = _USER_OPENS.match(text) if subject == "User" else re.search(rf"(?i)\b{re.escape(subject)}\b", text)
    if told_of:
        return text
    if _VERB.match(text):
        return f"{subject} {text if text[:2].isupper() else text[0].lower() + text[1:]}"
    return f"{subject}: {text}"
