"""Between rows of the file and the models of the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvalidInput
from ..models import Entity, Node

SPACE_SHIFT = 40
#: Rows that one space can ever hold (a trillion); spaces are the bits above.
SPACE_ROWS = 1 << SPACE_SHIFT


def first_row(space: int) -> int:
    """Lowest row number of a space."""
    return space << SPACE_SHIFT


def last_row(space: int) -> int:
    """Highest row number of a space."""
    return (space << SPACE_SHIFT) + SPACE_ROWS - 1


def short_id(row: int) -> str:
    """A row of a space as a reference of a few characters: ``#`` and its number. An id may be given so everywhere."""
    return f"#{row & (SPACE_ROWS - 1)}"


@dataclass(slots=True)
class NewNode:
    """A node to be written; see :class:`mnemic.models.Node` for the meaning of the fields.

    ``terms`` is the normalised search text, made by the caller so that the writer thread need not, as is ``words``, its
    length (``None``: still to be counted).
    ``grows``: under a known key a longer body replaces the shorter one instead of being refused.
    ``replaces``: under a known key the newer body takes the place of the older one, shorter or not.
    """

    content: str
    terms: str
    event_time: int
    kind: str = "episodic"
    label: str = "message"
    id: str | None = None  # given where the caller needs it before the commit; ignored when there is a key
    key: str | None = None
    session: str | None = None
    channel: str = ""
    project: str | None = None
    role: str | None = None
    speaker: str | None = None
    origin: str = "unknown"
    trust: float = 0.2
    valid_from: int | None = None
    confidence: float = 1.0
    importance: float = 1.0
    valence: float = 0.0
    stability: float | None = None
    shape: float = 0.8
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    made_by: str | None = None
    body_hash: bytes = b""
    grows: bool = False
    replaces: bool = False
    words: int | None = None


def dump_json(value: Mapping[str, Any], name: str = "attributes") -> str | None:
    """JSON text of a mapping, ``None`` for an empty one.

    Raises:
        InvalidInput: not JSON (an object of a class, NaN, a circle).
    """
    if not value:
        return None
    try:
        return json.dumps(dict(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(name, "cannot be written as JSON", "use text, numbers, lists and objects only") from error


def node_of(row: tuple[Any, ...], space: str, tags: tuple[str, ...] = ()) -> Node:
    """A node from a row of ``nodes_in`` (without its leading row number)."""
    (
        id_, kind, label, content, key, session, role, speaker, origin, trust, event_time, valid_from, valid_until,
        recorded_at, closed_at, hidden_at, hidden_why, confidence, importance, valence, stability, shape, access_count,
        last_accessed, subject, predicate, object_, attributes, made_by, project, cold,
    ) = row  # fmt: skip
    return Node(
        id=id_, space=space, kind=kind, label=label, content=content, event_time=event_time, recorded_at=recorded_at,
        key=key, session=session, role=role, speaker=speaker, origin=origin, trust=trust, valid_from=valid_from,
        valid_until=valid_until, closed_at=closed_at, hidden_at=hidden_at, hidden_why=hidden_why, confidence=confidence,
        importance=importance, valence=valence, stability=stability, shape=shape, access_count=access_count,
        last_accessed=last_accessed, subject=subject, predicate=predicate, object=object_,
        attributes=json.loads(attributes) if attributes else {}, tags=tags, made_by=made_by, project=project,
        cold=bool(cold),
    )  # fmt: skip


def entity_from(row: tuple[Any, ...], space: str) -> Entity:
    """An entity from a row of ``entity_by_id`` and its like."""
    _, id_, type_, name, mentions, last, first, aliases = row
    return Entity(id_, space, type_, name, tuple(aliases.split("\n")) if aliases else (), mentions, first, last)
