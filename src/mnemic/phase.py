"""What the phases of the nightly run share: the night they are given, and what they say they did.

A phase is a function ``(store, space, night) -> PhaseResult`` in the folder of its stage; :mod:`mnemic.sleep` puts them in
order. It works in short transactions, each of which leaves a correct file and remembers how far it came, so that a
killed night goes on where it was; it asks ``night.stop()`` between them. The same night twice gives the same rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo

from .models import Act


def never() -> bool:
    """A stop that is never asked for."""
    return False


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """One nightly run.

    Attributes:
        now: when it began, microseconds UTC; what a phase decides goes by this, not by the clock.
        zone: the user's. dry_run: say what would be done, write nothing.
        stop: asked between two steps; true once the time is up, somebody else has the lease, or the caller wants to end.
        progress: told (steps done, steps in all where that is known). gone: rows that a dry run would have hidden by now.
    """

    now: int
    zone: tzinfo
    dry_run: bool = False
    stop: Callable[[], bool] = never
    progress: Callable[[int, int | None], None] = lambda done, total: None
    gone: set[int] = field(default_factory=set)

    @property
    def actor(self) -> str:
        """Who stands in the log behind what the night changes."""
        return "sleep"


@dataclass(slots=True)
class PhaseResult:
    """What a phase did: every act with its reason, counts by name, whether it came to its end, and why not if so."""

    acts: list[Act] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    finished: bool = True
    note: str = ""
