"""What every answer is: a record that JSON knows, with its times as numbers and as datetimes.

A field that holds a time is a ``Micros``, microseconds since 1970-01-01 UTC, in which one can reckon and sort; beside
it the same time stands as an aware datetime under a short name (``node.event_time`` and ``node.at``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from os import PathLike, fspath
from typing import Any, Generic, TypeVar

from .clock import to_datetime

Micros = int
M = TypeVar("M", datetime, datetime | None)


class At(Generic[M]):
    """The time in a field of a record as an aware datetime in UTC; ``None`` where there is none."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, record: object, owner: type | None = None) -> M:
        micros = None if record is None else getattr(record, self._name)
        return None if micros is None else to_datetime(micros)  # type: ignore[return-value]


class Record:
    """What is answered with."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name, as JSON knows them: times as ISO 8601 in UTC, what it holds by the same rule."""
        made: dict[str, Any] = plain(self)
        return made


def plain(value: Any) -> Any:
    """A value as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        out = {}
        for part in fields(value):
            held = getattr(value, part.name)
            timed = held is not None and str(part.type).startswith("Micros")
            out[part.name] = iso(held) if timed else plain(held)
        return out
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, PathLike):
        return fspath(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def iso(micros: Micros) -> str:
    """``2026-03-14T10:00:00Z``; with its fraction where there is one."""
    return to_datetime(micros).isoformat().replace("+00:00", "Z")
