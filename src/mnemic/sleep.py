"""The nightly run: the phases in order, one process at a time, within a time, to be killed and run again.

What has been done is noted in the ledger (table ``jobs``) after each phase, so that a night that was cut off goes on
where it was; inside a phase the phase itself remembers. The same night twice changes nothing the second time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from .clock import Clock, to_datetime
from .consolidate.causal import Causes
from .consolidate.enrich import enrich
from .consolidate.run import Consolidator
from .consolidate.same import merge_same
from .errors import MnemicError
from .forget.contradict import Contradictions
from .forget.dedupe import Duplicates
from .forget.prune import Decay
from .ingest.embedding import Embedding
from .knobs import FADES, FadeKnobs
from .models import PhaseReport, SleepReport
from .phase import PhaseContext, PhaseResult, never
from .recall.seasons import find as seasons
from .store import ledger
from .store.sqlite import SqliteStore
from .store.tx import new_holder

log = logging.getLogger("mnemic.sleep")

Phase = Callable[[SqliteStore, str, PhaseContext], PhaseResult]
#: Told (phase, steps done, steps in all where known).
Progress = Callable[[str, int, int | None], None]
LEASE_SECONDS = 120.0
RENEW_SECONDS = 20.0
#: A phase may use this share of the time that is left, so that the first one does not starve the others.
SHARE = 0.5


def phases(
    consolidator: Consolidator,
    embedding: Embedding | None,
    early: Iterable[tuple[str, Phase]] = (),
    late: Iterable[tuple[str, Phase]] = (),
    fading: FadeKnobs = FADES,
) -> tuple[tuple[str, Phase], ...]:
    """Name and function of each phase, in the order of a night; ``early`` and ``late``: those of :mod:`mnemic.extras`, before
    and after what is done to memories; ``fading``: how memories fade."""
    return (
        ("consolidate", Consolidating(consolidator)),
        ("entities", merge_same),
        *early,
        # before those that compare by meaning, so that a second night of the day sees no more than the first
        *((("embed", Embedded(embedding)),) if embedding is not None else ()),
        ("duplicates", Duplicates(embedding.embedder.name if embedding is not None else None)),
        ("contradictions", Contradictions()),
        ("decay", Decay(fading)),
        ("enrich", enrich),
        ("causes", Causes(lambda: consolidator.model)),
        ("seasons", seasons),
        *late,
        ("optimise", optimise),
    )


@dataclass(frozen=True, slots=True)
class Consolidating:
    """The phase that reads facts out of the sessions that have ended."""

    consolidator: Consolidator

    def __call__(self, store: SqliteStore, space: str, night: PhaseContext) -> PhaseResult:
        out = PhaseResult()
        if night.dry_run:
            out.counts["waiting"] = int(self.consolidator.due(space))
            return out
        store.run(lambda tx: tx.complete_silent())
        report = self.consolidator.run(
            space, open_too=False, stop=night.stop, progress=lambda done, facts: night.progress(done, None)
        )
        out.counts.update(sessions=report.sessions, episodes=report.episodes, facts=report.facts, failed=report.failed)
        out.note = report.note
        out.finished = not night.stop()
        return out


@dataclass(frozen=True, slots=True)
class Embedded:
    """The phase that fills the vectors still due."""

    embedding: Embedding

    def __call__(self, store: SqliteStore, space: str, night: PhaseContext) -> PhaseResult:
        out = PhaseResult()
        if night.dry_run:
            out.counts["due"] = self.embedding.due(space)
            return out
        more = True
        while more:
            if night.stop():
                out.finished = False
                break
            step = self.embedding.step()
            more = step.left
            out.counts["embedded"] += step.embedded
            night.progress(out.counts["embedded"], None)
        return out


def optimise(store: SqliteStore, space: str, night: PhaseContext) -> PhaseResult:
    """The phase that merges the keyword index, packs the columns, renews the planner's statistics and folds the log in."""
    out = PhaseResult()
    if night.dry_run:
        return out
    for step in store.merge_search():
        if night.stop():
            out.finished = False
            return out
        night.progress(step, None)
    store.pack_columns(space)
    store.run(lambda tx: tx.optimise())
    try:
        store.checkpoint()
    except MnemicError as error:  # a reader holds the log: it is folded in later, and the night is no failure for it
        out.note = str(error)
    return out


class Sleeper:
    """Runs nights over the spaces of one store."""

    def __init__(
        self, store: SqliteStore, clock: Clock, zone: tzinfo, schedule: str | None, night: Sequence[tuple[str, Phase]]
    ) -> None:
        self._store, self._clock, self._zone, self._schedule = store, clock, zone, schedule
        self._phases = tuple(night)
        self._holder = new_holder()

    def run(
        self,
        space: str,
        *,
        dry_run: bool = False,
        seconds: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = never,
    ) -> SleepReport:
        """One night of a space.

        Args:
            dry_run: say what would be done, and do nothing. seconds: time it may take; ``None``: as long as it takes.
            progress: told of every step. stop: asked between steps.
        """
        began = time.monotonic()
        if dry_run:
            watch = _Watch(self, space, stop, began, None, dry_run=True)
            return self._night(space, watch, self._clock.now(), frozenset(), progress)
        if not self._lease(space):
            return SleepReport(note="another process is running the night of this space")
        try:
            watch = _Watch(self, space, stop, began, seconds)
            now, done = self._begin(space)
            return self._night(space, watch, now, done, progress)
        finally:
            self._store.run(lambda tx: tx.release(f"sleep:{space}", self._holder))

    def due(self, space: str) -> bool:
        """Whether a scheduled night has come and not been run to its end. A new space waits for the next one."""
        if self._schedule is None:
            return False
        now = self._clock.now()
        if ledger.last_night(self._store, space) is None:
            first = self._store.first_told(space) or now
            self._store.run(lambda tx: ledger.note(tx, f"sleep:{space}", {"began": first, "whole": True, "done": []}))
        due = ledger.next_night(self._store, space, self._schedule, self._zone)
        return due is not None and due <= now

    # -- inside -------------------------------------------------------------------------------------------------------

    def _night(
        self, space: str, watch: _Watch, now: int, done: frozenset[str], progress: Progress | None
    ) -> SleepReport:
        reports: list[PhaseReport] = []
        finished = set(done)
        for name, phase in self._phases:
            if name in done:
                reports.append(PhaseReport(name, "skipped", note="was done before this night was cut off"))
                continue
            report = self._phase(space, name, phase, watch, now, progress)
            reports.append(report)
            if report.state == "done":
                finished.add(name)
            if not watch.dry_run:
                whole = len(finished) == len(self._phases)
                counts = {r.name: dict(r.counts) for r in reports}
                state = {"began": now, "whole": whole, "done": sorted(finished), "counts": counts}
                self._store.run(lambda tx, s=state: ledger.note(tx, f"sleep:{space}", s))  # type: ignore[misc]
        return SleepReport(tuple(reports), round(time.monotonic() - watch.began, 3), watch.dry_run)

    def _phase(
        self, space: str, name: str, phase: Phase, watch: _Watch, now: int, progress: Progress | None
    ) -> PhaseReport:
        began = time.monotonic()
        watch.next_phase(began)
        if watch.over():
            return PhaseReport(name, "stopped", note="the night was over before it")

        def tell(done: int, total: int | None) -> None:
            if progress is not None:
                progress(name, done, total)

        night = PhaseContext(now, self._zone, watch.dry_run, watch.over, tell)
        try:
            tell(0, None)
            out = phase(self._store, space, night)
        except MnemicError as error:  # the next phases do not depend on it; it is tried again in the next night
            log.warning("%s: %s", name, error)
            return PhaseReport(name, "failed", round(time.monotonic() - began, 3), note=str(error))
        seconds = round(time.monotonic() - began, 3)
        return PhaseReport(
            name, "done" if out.finished else "stopped", seconds, dict(out.counts), tuple(out.acts), out.note
        )

    def _begin(self, space: str) -> tuple[int, frozenset[str]]:
        """When this night began and what of it is done: a night of today that was cut off goes on."""
        now = self._clock.now()
        last = ledger.last_night(self._store, space)
        if last is not None and not last["whole"]:
            began, done = int(last["began"]), frozenset(last["done"])
            if to_datetime(began, self._zone).date() == to_datetime(now, self._zone).date():
                return began, done
        self._store.run(lambda tx: ledger.note(tx, f"sleep:{space}", {"began": now, "whole": False, "done": []}))
        return now, frozenset()

    def _lease(self, space: str) -> bool:
        return self._store.run(lambda tx: tx.lease(f"sleep:{space}", self._holder, LEASE_SECONDS))


@dataclass(slots=True)
class _Watch:
    """Says when a night, or a phase of it, is over; keeps the lease alive meanwhile."""

    sleeper: Sleeper
    space: str
    stop: Callable[[], bool]
    began: float
    seconds: float | None
    dry_run: bool = False
    _until: float | None = None
    _renewed: float = field(default_factory=time.monotonic)
    _lost: bool = False

    def next_phase(self, now: float) -> None:
        """A phase begins: it has its share of what is left."""
        if self.seconds is not None:
            left = self.began + self.seconds - now
            self._until = now + max(0.0, left) * SHARE

    def over(self) -> bool:
        """Whether the caller wants to end, the time is up, or somebody else has taken the lease."""
        now = time.monotonic()
        if self._lost or self.stop() or (self._until is not None and now >= self._until):
            return True
        if not self.dry_run and now - self._renewed > RENEW_SECONDS:
            self._renewed = now
            self._lost = not self.sleeper._lease(self.space)
        return self._lost
