"""``memory.review``: what a person looks over and decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..clock import read_time
from ..errors import InvalidInput
from ..forget import prune
from ..models import MOST, Conflict, Diff, Forecast, Node, Seasonal
from ..recall import seasons
from ..recall.filters import positive, whole

if TYPE_CHECKING:
    from .opened import Opened


class Review:
    """What code left open, what has changed, what stands on little, what will fade; and how to take an act back."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def conflicts(self, *, limit: int = 100, space: str | None = None) -> list[Conflict]:
        """Pairs of memories that contradict each other and wait for a person, the newest first."""
        from ..consolidate import explain

        m = self._memory
        return explain.conflicts(m._store, m._space(space), whole(limit, "limit", 100, 1, MOST))

    def resolve(self, left: str, right: str, verdict: str, *, reason: str = "", space: str | None = None) -> None:
        """Decide about two memories that contradict each other.

        Args:
            left, right: their ids. verdict: ``supersedes`` (left ends right), ``coexists`` (both are true),
                ``duplicate`` (the same), ``keep_left`` or ``keep_right`` (the other one is wrong); ``left``, ``right``
                and ``both`` for short.

        Raises:
            NotFound: no such memory here. InvalidInput: the verdict is unknown or not possible.
        """
        from ..consolidate import conflicts

        conflicts.resolve(
            self._memory._store, self._memory._space(space), left, right, verdict, reason, actor="user"
        )  # fmt: skip

    def weak(self, *, below: float = 0.5, limit: int = 20, space: str | None = None) -> list[Node]:
        """Facts that stand on little (confidence × trust below a bound, not confirmed), the weakest first."""
        from ..consolidate import explain

        if isinstance(below, bool) or not isinstance(below, int | float) or not 0 <= below <= 1:
            raise InvalidInput("below", "must be a number from 0 to 1")
        m = self._memory
        return explain.weak(m._store, m._space(space), float(below), whole(limit, "limit", 20, 1, MOST))

    def forecast(self, days: float = 30, *, space: str | None = None) -> list[Forecast]:
        """What will be hidden within so many days if nobody uses it, the first to go first; ``confirm`` pins one.

        Raises:
            InvalidInput: ``days`` is no positive number.
        """
        m = self._memory
        where = m._space(space)
        m._uses.write()
        return prune.forecast(m._store, where, m._clock.now(), positive(days, "days"), m.config.fading)

    def diff(self, t1: object, t2: object = None, *, space: str | None = None) -> Diff:
        """What changed in belief between two moments (the second is now by default)."""
        from ..consolidate import explain

        m = self._memory
        now = m._clock.now()
        first = read_time(t1, field="t1", tz=m._zone)
        second = read_time(t2, field="t2", tz=m._zone, end_of_day=True)
        if first is None:
            raise InvalidInput("t1", "is missing", "give the earlier moment")
        second = now if second is None else second
        if second < first:
            raise InvalidInput("t2", "is before t1", "give the earlier moment first")
        return explain.diff(m._store, m._space(space), first, second, now)

    def undo(self, change: int, *, space: str | None = None) -> Node | None:
        """Take back one change of the log (see ``explain(id).changes``): of a memory, or of entities (then ``None``).

        Raises:
            NotFound: no such change here. InvalidInput: a later change stands on it.
        """
        from ..store import facts

        m = self._memory
        where = m._space(space)
        number = whole(change, "change", 0, 1, MOST)
        row = m._store.run(lambda tx: facts.undo(tx, tx.space(where), number, actor="user"))
        return m._store.one(row) if row else None

    def seasonal(self, at: object = None, *, space: str | None = None) -> list[Seasonal]:
        """What comes back every year at this time of it, the surest first; found by the nightly run (docs/patterns.md).

        Args:
            at: aware datetime or ISO text, now by default.

        Raises:
            InvalidInput: ``at`` is not a time.
        """
        m = self._memory
        when = read_time(at, field="at", tz=m._zone)
        return seasons.seasonal(m._store, m._space(space), m._clock.now() if when is None else when, m._zone)
