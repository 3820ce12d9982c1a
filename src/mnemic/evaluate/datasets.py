"""Read a benchmark: ``BASE.docs.jsonl.xz`` and ``BASE.queries.jsonl.xz``, or the haystack form with
``BASE.sessions.jsonl.xz``.

Documents: conv (scope), id, session, time, speaker, text. Queries: conv, qid, question, answer, type, time, evidence
(document or session ids, see ``evidence_level``), abstain. Plain ``.jsonl`` is read as well.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..clock import to_micros
from ..errors import InvalidInput
from ..lang.when import find

#: Speakers that are roles, not names.
ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
}
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:\D{0,12}?(\d{1,2}):(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Document:
    """One message or passage."""

    id: str
    session: str
    text: str
    role: str
    speaker: str | None
    at: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """One question and what should be found."""

    qid: str
    scope: str
    text: str
    type: str
    at: int | None
    evidence: tuple[str, ...]
    level: str
    abstain: bool
    sessions: tuple[str, ...]
    before_session: str | None


@dataclass(slots=True)
class Dataset:
    """Scopes with their documents in order, and the questions."""

    name: str
    scopes: dict[str, list[Document]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)


def load(base: str | Path, *, queries: str | Path | None = None, limit: int | None = None) -> Dataset:
    """Read a data set.

    Args:
        base: path without ``.docs.jsonl.xz``.
        queries: base of the questions, where it differs (questions in another language over the same documents).
        limit: only the first so many questions (and in the haystack form only their documents).

    Raises:
        InvalidInput: files are missing or not of this form.
    """
    data = Dataset(Path(base).name if queries is None else f"{Path(queries).name}->{Path(base).name}")
    rows = list(_lines(queries or base, "queries"))
    if limit is not None:
        rows = rows[:limit]
    haystack = _path(base, "sessions")
    try:
        if haystack is not None:
            _haystack(data, base, rows)
        else:
            for row in _lines(base, "docs"):
                data.scopes.setdefault(str(row["conv"]), []).append(_document(row))
        data.questions = [_question(row, data.scopes) for row in rows]
    except (KeyError, TypeError) as error:
        raise InvalidInput(
            "dataset", f"{base} has not the expected fields ({error})", "see docs/benchmarks.md"
        ) from error
    return data


def _path(base: str | Path, part: str) -> Path | None:
    for suffix in (".jsonl.xz", ".jsonl"):
        path = Path(f"{base}.{part}{suffix}")
        if path.exists():
            return path
    return None


def _lines(base: str | Path, part: str) -> Iterator[dict[str, Any]]:
    path = _path(base, part)
    if path is None:
        raise InvalidInput("dataset", f"{base}.{part}.jsonl.xz does not exist", "give the path without .docs.jsonl.xz")
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def read_time(text: object) -> int | None:
    """A time as the sets write it ("1:56 pm on 8 May, 2023", "2023/05/21 (Sun) 19:50", "March-15-2024"), in UTC."""
    if not isinstance(text, str) or not text.strip():
        return None
    iso = _ISO.search(text)
    if iso:
        year, month, day, hour, minute = (int(part) if part else 0 for part in iso.groups())
        return to_micros(datetime(year, month, day, hour, minute, tzinfo=UTC))
    windows = find(text.replace("-", " "), datetime(2026, 1, 1, tzinfo=UTC))
    dated = [w for w in windows if w.granularity in ("day", "hour", "minute")]
    return to_micros(dated[-1].start) if dated else None


def _document(row: Mapping[str, Any]) -> Document:
    speaker = row.get("speaker")
    role = ROLES.get(str(speaker or "user").lower(), "user")
    named = str(speaker) if speaker and str(speaker).lower() not in ROLES else None
    return Document(str(row["id"]), str(row["session"]), str(row["text"]), role, named, read_time(row.get("time")))


def _question(row: Mapping[str, Any], scopes: Mapping[str, list[Document]]) -> Question:
    scope = str(row["conv"])
    evidence = tuple(str(e) for e in row.get("evidence") or ())
    level = str(row.get("evidence_level") or "message")
    sessions = tuple(str(s) for s in row.get("evidence_sessions") or ())
    if not sessions:
        if level == "session":
            sessions = evidence
        else:
            found = set(evidence)
            sessions = tuple(dict.fromkeys(d.session for d in scopes.get(scope, ()) if d.id in found))
    return Question(
        qid=str(row["qid"]), scope=scope, text=str(row["question"]), type=str(row.get("type") or "all"),
        at=read_time(row.get("time")), evidence=evidence, level=level, abstain=bool(row.get("abstain")),
        sessions=sessions, before_session=row.get("asked_in_session"),
    )  # fmt: skip


def _haystack(data: Dataset, base: str | Path, rows: list[dict[str, Any]]) -> None:
    wanted = {s for row in rows for s in row["haystack_session_ids"]}
    sessions = {r["session_id"]: r["turns"] for r in _lines(base, "sessions") if r["session_id"] in wanted}
    for row in rows:
        docs: list[Document] = []
        seen: set[str] = set()
        for id_, date in zip(row["haystack_session_ids"], row["haystack_dates"], strict=True):
            if id_ in seen:
                continue
            seen.add(id_)
            for i, turn in enumerate(sessions[id_]):
                if str(turn["content"]).strip():
                    role = ROLES.get(str(turn["role"]).lower(), "user")
                    docs.append(Document(f"{id_}:{i}", id_, str(turn["content"]), role, None, read_time(date)))
        data.scopes[str(row["conv"])] = docs
