"""What is known while one episode is read: who speaks, what is taken from whom, what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ..claims import Candidate, Named, Said
from .subjects import Subject

CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is taken from a role: statements about the speaker, about others, and rows marked ``assistant``."""

    own: bool
    others: bool
    marked: bool


#: Role or channel → what is taken from it.
POLICIES: Mapping[str, Policy] = {
    "user": Policy(True, True, True),
    "assistant": Policy(False, False, True),
    "third": Policy(False, True, True),
    "system": Policy(False, False, False),
}


def policy_of(said: Said) -> str:
    """The row of :data:`POLICIES` an episode falls under: channel before role."""
    if said.role == "system":
        return "system"
    if said.role == "tool" or said.origin in ("tool", "external"):
        return "third"
    if said.role == "assistant" or said.origin == "assistant":
        return "assistant"
    return "user"


@dataclass(slots=True)
class Reading:
    """What is known while one episode is read."""

    said: Said
    text: str
    policy: Policy
    speaker: str
    clock: datetime
    maker: str
    found: dict[tuple[str, ...], Candidate] = field(default_factory=dict)
    named: dict[str, Named] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    last: Subject | None = None

    def skip(self, why: str) -> None:
        self.skipped[why] = self.skipped.get(why, 0) + 1
