"""The phase that writes profiles of entities: those with enough mentions whose profile is missing or out of date.

What is due is found without making every profile again: an entity that has been mentioned since (its profile notes how
often it was), one whose facts or names the log tells of, and one of whose facts a beginning or an end has come meanwhile.
Of these the inputs are compared, and only what differs is written. An entity of which no fact is known gets an empty profile,
so that it is not looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from ..errors import NotFound
from ..models import Act
from ..phase import PhaseContext, PhaseResult
from ..store import entities, ledger
from ..store.base import Store
from ..store.columns import NEVER, Columns
from ..store.tx import Tx
from .profile import Profile, make
from .profiles import Known, known

__all__ = ["LEAST", "enrich"]

LEAST = 3  # mentions of an entity that gets a profile
PAGE = 200  # entities of one step
CHANGES = 5_000  # entries of the log of one step


def enrich(store: Store, space: str, night: PhaseContext) -> PhaseResult:
    """The phase: see above."""
    return _Run(store, space, night).run()


@dataclass(slots=True)
class _State:
    """How far the log has been read, and when the last whole night was."""

    change: int
    at: int


class _Stopped(Exception):
    """Somebody wants the night to end."""


class _Run:
    """One night of one space."""

    def __init__(self, store: Store, space: str, night: PhaseContext) -> None:
        self.store, self.space, self.night = store, space, night
        self.job = f"enrich:{space}"
        self.out = PhaseResult()
        self.looked_at: set[int] = set()
        self.state: _State

    def run(self) -> PhaseResult:
        newest = self.store.last_change()
        if self.store.space(self.space) is None:
            return self.out
        try:
            if self._load(newest):
                self._changed(newest)
                self._come_true()
            else:
                self._save()  # from here on the log tells what changes, also should this night be cut off
            self._mentioned()
            self.state.change, self.state.at = newest, self.night.now
            self._save()
        except _Stopped:
            self.out.finished = False
        return self.out

    # -- what is due --------------------------------------------------------------------------------------------------

    def _changed(self, newest: int) -> None:
        """Entities of which the log tells since it was last read."""
        while found := self.store.entities_changed(self.space, self.state.change, newest, CHANGES):
            self._all(found[1])
            self.state.change = found[0]
            self._save()

    def _come_true(self) -> None:
        """Entities of facts that have begun or ended by themselves since the last night."""
        columns = self.store.columns(self.space)
        since, now = self.state.at, self.night.now
        begun = (columns.valid_from > since) & (columns.valid_from <= now) & (columns.valid_from != columns.event_time)
        until = columns.valid_until
        ended = np.zeros(columns.n, dtype=bool)
        ended[: len(until)] = (until > since) & (until <= now) & (until != NEVER)
        rows = columns.row[(begun | ended) & (columns.kind != columns.code("kind", "episodic"))].tolist()
        for start in range(0, len(rows), CHANGES):
            self._all(no for _, no in self.store.mentioned(rows[start : start + CHANGES]))

    def _mentioned(self) -> None:
        """Entities that were mentioned since their profile was made, or have none."""
        last = 0
        while numbers := self.store.profiles_due(self.space, last, LEAST, PAGE):
            self._all(numbers)
            last = numbers[-1]

    # -- templates ----------------------------------------------------------------------------------------------------

    def _all(self, numbers: Iterable[int]) -> None:
        wanted = sorted(set(numbers) - self.looked_at)
        self.looked_at.update(wanted)
        for start in range(0, len(wanted), PAGE):
            if self.night.stop():
                raise _Stopped
            self._page(wanted[start : start + PAGE])
            self.night.progress(len(self.looked_at), None)

    def _page(self, numbers: Sequence[int]) -> None:
        todo: list[tuple[Known, Profile | None]] = []
        for found in self._known(numbers):
            stored, mentions = found.stored, found.entity.mentions
            if mentions < LEAST:
                if stored is not None and not found.fresh:
                    todo.append((found, None))
            elif stored is None or not found.fresh:
                made = make(found.subject, found.facts)
                made = made if found.facts else replace(made, text="")
                todo.append((found, replace(made, mentions=mentions)))
            elif stored.mentions != mentions:
                todo.append((found, replace(stored, mentions=mentions)))
        self._write(todo)

    def _known(self, numbers: Sequence[int]) -> list[Known]:
        columns: Columns = self.store.columns(self.space)
        return known(self.store, self.space, columns, self.night.now, self.night.zone, numbers)

    def _write(self, todo: Sequence[tuple[Known, Profile | None]]) -> None:
        """Put profiles down; one that rests on a memory erased meanwhile is left for the next night."""
        if not todo:
            return

        def write(tx: Tx) -> list[bool]:
            there = tx.there({row for found, _ in todo for row in found.rows})
            return [self._put(tx, found, profile, there) for found, profile in todo]

        written = [True] * len(todo) if self.night.dry_run else self.store.run(write)
        for (found, profile), done in zip(todo, written, strict=True):
            if done:
                self._tell(found, profile)

    def _put(self, tx: Tx, found: Known, profile: Profile | None, there: set[int]) -> bool:
        if not there.issuperset(found.rows):
            return False
        try:
            entities.set_profile(tx, self.space, found.entity.id, profile.dump() if profile is not None else None)
        except NotFound:  # merged away or erased
            return False
        return True

    def _tell(self, found: Known, profile: Profile | None) -> None:
        if profile is None:
            self.out.counts["dropped"] += 1
        elif found.stored is not None and replace(found.stored, mentions=profile.mentions) == profile:
            self.out.counts["unchanged"] += 1
        elif not profile.text:
            self.out.counts["nothing known"] += 1
        else:
            self.out.counts["profile"] += 1
            why = f"from {len(found.facts)} facts by {profile.made_by}"
            self.out.acts.append(Act("profile", found.entity.id, why))

    # -- the ledger ---------------------------------------------------------------------------------------------------

    def _load(self, newest: int) -> bool:
        """Read where the last night came to; false where there was none: then every profile is missing anyway."""
        saved = self.store.noted(self.job)
        if saved is None:
            self.state = _State(newest, self.night.now)
            return False
        # an erasure may have emptied it: then all of the log is read again
        self.state = _State(saved.get("change", 0), saved.get("at", 0))
        return True

    def _save(self) -> None:
        if self.night.dry_run:
            return
        state = asdict(self.state)
        self.store.run(lambda tx: ledger.note(tx, self.job, state))
