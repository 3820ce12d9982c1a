"""The cold tier by night: texts of episodes that are old and were not used for long go to the side file."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import StoreBusy
from ...phase import PhaseContext, PhaseResult
from ...store import freezing
from ...store.sqlite import SqliteStore

DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Cold:
    """The phase that freezes, removes what nobody needs in the side file, and gives the room back.

    What is frozen is where it is, so a phase that was cut off needs no other mark to go on by.

    Args:
        days: age from which an episode goes, by when it happened and when it was last used; 0: none does.
    """

    days: float

    def __call__(self, store: SqliteStore, space: str, night: PhaseContext) -> PhaseResult:
        out = PhaseResult()
        due = freezing.waiting(store, space, night.now - int(self.days * DAY)) if self.days else []
        if night.dry_run:
            out.counts.update(due=len(due), due_bytes=sum(size for _, size in due))
            return out
        if due:
            freezing.learn(store, [row for row, _ in due])
        for page in freezing.pages(due):
            if night.stop():
                out.finished = False
                return out
            done = freezing.freeze(store, page)
            out.counts.update(frozen=done.memories, text_bytes=done.text_bytes, packed_bytes=done.packed_bytes)
            night.progress(out.counts["frozen"], len(due))
        freezing.finish_erased(store)
        try:
            out.counts["removed"] += freezing.sweep(store, night.now)
        except StoreBusy as error:  # next night
            out.note = str(error)
        if not night.stop():
            out.counts["freed_bytes"] += freezing.shrink(store)
        return out
