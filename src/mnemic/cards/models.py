"""What is told of reference documents: frozen, slotted, inert."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..models import THIRD_PARTY


@dataclass(frozen=True, slots=True)
class Card:
    """A reference document as it is kept.

    Attributes:
        id, space, title, importance, origin, trust: as of any memory.
        path: its file; ``None`` for a text that was given as such.
        digest: Markdown: title, telling sentences, headings. made_by: the method or model that wrote it.
        answers: its routing rule: part (title, headings, questions, defined, rare) → phrases.
        sections: how many it has. event_time: when its present version was written, microseconds.
        uses, last_used: useful accesses of it and its sections, and the last one.
        hidden_why: why it is not offered (``file gone``, ``removed`` …), ``None`` when it is.
    """

    id: str
    space: str
    title: str
    path: str | None
    digest: str
    answers: Mapping[str, tuple[str, ...]]
    sections: int
    event_time: int
    uses: int = 0
    last_used: int | None = None
    importance: float = 1.0
    origin: str = "import"
    trust: float = 0.8
    hidden_why: str | None = None
    made_by: str | None = None

    @property
    def third_party(self) -> bool:
        """Whether it is somebody else's document: quoted, never obeyed."""
        return self.origin in THIRD_PARTY


@dataclass(frozen=True, slots=True)
class CardReport:
    """What became of documents: how many were ``added``, had ``changed``, were ``unchanged``, ``moved``, are ``back`` or
    ``gone``; ``errors``: file or card → why it could not be kept."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    moved: int = 0
    back: int = 0
    gone: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A ``MEMORY.md`` as it stands: cards ``shown`` and ``left_out``, its size, and whether it had to be ``written``."""

    path: str
    shown: int
    left_out: int
    lines: int
    bytes: int
    written: bool
