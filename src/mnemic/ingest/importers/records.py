"""The last step of every importer: clean texts, take out marks, apply ``keep``, drop doubles and own sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...text.recalled import without_memory
from .base import DEFAULT_KEEP, Progress, ReadOptions, Record, Skip
from .fields import clean, short_hash
from .injected import is_own_session
from .marks import without_marks

_LONGEST_KEY = 1000
Item = Record | Skip | Progress


def finish(items: Iterable[Item], options: ReadOptions, *, own: bool = False) -> Iterator[Item]:
    """Yield ``items`` as the contract wants them.

    Args:
        items: what an importer read, records of every label among them.
        options: its ``keep`` decides which records stay records.
        own: the sessions of this file are known to be mnemic's own (reading went on from an offset).
    """
    given: dict[str, int] = {}
    own_sessions: dict[str, bool] = {}
    for item in items:
        if not isinstance(item, Record):
            yield item
            continue
        record = _cleaned(item)
        if record.session not in own_sessions and record.role in ("user", "system"):
            mine = is_own_session(record.text)
            if mine or record.label in DEFAULT_KEEP:  # injected text may stand before the first real words
                own_sessions[record.session] = mine
        if own or own_sessions.get(record.session):
            yield Skip("own_session", record.key)
        elif record.label not in options.keep:
            yield Skip(record.label, record.key)
        elif not record.text.strip():
            yield Skip("empty" if not item.text.strip() else "injected", record.key)
        else:
            digest = hash(record.text)  # of this process and run only
            before = given.get(record.key)
            if before is not None and (before == digest or not record.supersedes_text):
                yield Skip("duplicate", record.key)
                continue
            given[record.key] = digest
            yield record


def _short(name: str) -> str:
    """Return a key of bearable length: headings, paths and damaged ids may be of any."""
    return name if len(name) <= _LONGEST_KEY else f"{name[: _LONGEST_KEY - 13]}~{short_hash(name)}"


def _cleaned(record: Record) -> Record:
    text = without_marks(without_memory(clean(record.text)))
    key, session = _short(clean(record.key)), _short(clean(record.session))
    speaker = clean(record.speaker) if record.speaker else None
    project = clean(record.project) if record.project else None
    if (text, key, session, speaker, project) == (
        record.text,
        record.key,
        record.session,
        record.speaker,
        record.project,
    ):
        return record
    return replace(record, text=text, key=key, session=session, speaker=speaker, project=project)
