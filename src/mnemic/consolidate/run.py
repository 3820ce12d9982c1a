"""Consolidation: from episodes to facts, session by session, page by page; can be stopped, killed and run again.

How far a session has been read is its watermark, moved in the same transaction that writes what was found, so that a
page is written once or not at all, and what held nothing is not read again. No transaction is open while an extractor
works. Episodes that an extractor failed on are set aside with a growing pause; what it refused stays refused.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property
from typing import Any

from ..clock import Clock
from ..errors import InvalidInput
from ..llm.base import LLM
from ..models import ConsolidationReport
from ..store import ledger
from ..store.base import Spoken, Store
from ..store.tx import Tx, new_holder
from . import conflicts
from .claims import Confirming, Extraction, Extractor, Said
from .linking import Linker
from .write import Page, claim_of

#: Verdicts with which a fact is written.
WRITTEN = frozenset({"new", "refines", "supersedes", "conflict"})
PAGE = 30  # episodes that an extractor sees at once
SESSIONS = 200  # sessions looked up at once
NAMES = 2_000  # known names handed to the extractor
LEASE_SECONDS = 120.0
#: Pause before an episode that failed is tried again, seconds; after the last it waits for a call by hand.
PAUSES = (60, 600, 3_600, 86_400)


@dataclass(slots=True)
class _Tally:
    sessions: int = 0
    episodes: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    refused: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    note: str = ""


class Consolidator:
    """Turns the episodes of a store into facts: by a language model where one is set, else by the rules."""

    def __init__(self, store: Store, llm: str | LLM | None, clock: Clock, zone: tzinfo) -> None:
        self.store, self._llm, self._clock, self._zone = store, llm, clock, zone
        self._holder = new_holder()
        self._turn = threading.Lock()
        self._extractor: Extractor

    @cached_property
    def rules(self) -> Extractor:
        """The extractor without a model, made when first needed."""
        from .reader import Rules

        return Rules(zone=self._zone)

    @cached_property
    def model(self) -> LLM | None:
        """The language model that this memory was opened with. Resolved when first needed."""
        from ..llm.providers import resolve

        return resolve(self._llm)

    def extractor(self) -> Extractor:
        """The extractor of one run: the model that this memory was opened with, with a budget of its own, or the rules."""
        if self.model is None:
            return self.rules
        from .llm import LLMExtractor

        return LLMExtractor(self.model, zone=self._zone)

    def run(
        self, space: str, session: str | None = None, *, open_too: bool = True, before: int | None = None,
        again: bool = False, since: int | None = None, progress: Callable[[int, int], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> ConsolidationReport:  # fmt: skip
        """Consolidate what is behind its watermark.

        Args:
            session: only this one; ``None``: every session of the space. open_too: also those still going on.
            before: only where the last message was written before this moment, whatever time it bears.
            again: also what was read before, by whomever, of messages said since a moment.
            progress: called with (episodes done, facts so far). stop: asked between pages.

        Raises:
            NotFound: no such session here.
        """
        tally = _Tally()

        def over() -> bool:  # by hand, what is left stays as it is; in the background it is set aside with its pauses
            return stop() or (open_too and bool(tally.note))

        with self._turn:
            if not self._lease(space):
                return _report(tally, note="another process is consolidating this space")
            with contextlib.ExitStack() as after:
                after.callback(self.store.run, lambda tx: tx.release(f"consolidate:{space}", self._holder))
                self._extractor = self.extractor()
                self._retry(space, tally, by_hand=open_too)
                if again:
                    self._again(space, session, since or 0, tally, progress, over)
                for no, watermark, last in self._sessions(space, session, open_too, before):
                    if over():
                        break
                    self._session(space, no, watermark, last, tally, progress, over)
        return _report(tally, f"{tally.note}; what it has not read waits for the next run" if tally.note else "")

    def due(self, space: str) -> bool:
        """Whether an ended session waits to be consolidated, or an episode to be read again."""
        again = self.store.to_read_again(space, self._clock.now(), 1)
        return bool(again or self.store.pending_sessions(space, 1))

    # -- sessions and pages -------------------------------------------------------------------------------------------

    def _sessions(self, space: str, session: str | None, open_too: bool, before: int | None) -> Any:
        if session is not None:
            state = self.store.session_state(space, session)
            yield state.no, state.watermark, state.last or 0
            return
        seen: set[int] = set()
        while True:
            found = self.store.pending_sessions(space, SESSIONS, open_too=open_too, before=before)
            page = [one for one in found if one.no not in seen]
            if not page:
                return
            for one in page:
                seen.add(one.no)
                yield one.no, one.watermark, one.last

    def _session(
        self, space: str, no: int, watermark: int, last: int, tally: _Tally,
        progress: Callable[[int, int], None] | None, stop: Callable[[], bool],
    ) -> None:  # fmt: skip
        """Read one session up to the row that was its last when the run came to it: it may grow all the while."""
        found = False
        while not stop():
            rows = self.store.messages_after(no, watermark, last, PAGE)
            if not rows:
                self.store.run(lambda tx, at=watermark: ledger.read_rest(tx, no, at))  # type: ignore[misc]
                break
            found = True
            self._page(space, rows, tally, no=no, before=watermark)
            watermark = rows[-1].row
            if progress:
                progress(tally.episodes, sum(tally.counts.values()))
        tally.sessions += found

    def _again(
        self, space: str, session: str | None, since: int, tally: _Tally,
        progress: Callable[[int, int], None] | None, stop: Callable[[], bool],
    ) -> None:  # fmt: skip
        """Read anew what lies before the watermarks; they stay where they are."""
        for no, watermark in self.store.read_since(space, since, session):
            at = 0
            while not stop() and (rows := self.store.messages_after(no, at, watermark, PAGE)):
                at = rows[-1].row
                if wanted := [said for said in rows if said.at >= since]:
                    self._page(space, wanted, tally, anew=True)
                if progress:
                    progress(tally.episodes, sum(tally.counts.values()))
            tally.sessions += at > 0

    def _page(
        self, space: str, rows: Sequence[Spoken], tally: _Tally, *, no: int | None = None, before: int = 0,
        anew: bool = False,
    ) -> None:  # fmt: skip
        said = heard(self.store, rows)
        numbers = {one.id: one.row for one in rows}
        extraction = self._extractor.extract(list(said.values()), self.store.known_names(space, NAMES))
        name = self._extractor.name

        def write(tx: Tx) -> Page | None:
            if no is not None and not ledger.read_page(tx, no, before, rows[-1].row):
                return None
            tx.lease(f"consolidate:{space}", self._holder, LEASE_SECONDS)
            where = tx.space(space)
            there = tx.there(numbers.values())
            left = {id_: row for id_, row in numbers.items() if row in there}  # the others were erased meanwhile
            page = Page(tx, where, Linker(tx, where), left, said, name, anew)
            page.write(extraction)
            self._set_aside(tx, space, extraction, left)
            return page

        page = self.store.run(write)
        if page is None:
            return
        tally.counts.update(page.counts)
        tally.skipped.update(page.skipped)
        tally.skipped.update(extraction.skipped)
        tally.episodes += len(rows) - len(extraction.failed)
        tally.failed += len(extraction.failed)
        tally.note = extraction.note or tally.note
        tally.refused += len(extraction.refused)
        tally.calls += extraction.calls
        tally.tokens += extraction.tokens
        tally.seconds += extraction.seconds
        if page.open and isinstance(self._extractor, Confirming):
            self._confirm(space, page.open, self._extractor, tally)

    def _confirm(self, space: str, pairs: Sequence[tuple[int, int]], model: Confirming, tally: _Tally) -> None:
        """Ask a model about conflicts that code could not decide; what it may not decide stays open."""
        known = self.store.facts([row for pair in pairs for row in pair])
        for new, old in pairs:
            if new not in known or old not in known:
                continue
            opinion = model.confirm_conflict(claim_of(known[old]), claim_of(known[new]))
            tally.calls, tally.tokens = tally.calls + opinion.calls, tally.tokens + opinion.tokens
            if opinion.verdict in ("supersedes", "coexists", "duplicate"):
                with contextlib.suppress(InvalidInput):  # confirmed, or trusted more: a person decides
                    conflicts.resolve(
                        self.store,
                        space,
                        known[new].id,
                        known[old].id,
                        opinion.verdict,
                        opinion.reason,
                        actor=opinion.made_by,
                    )
                    tally.counts[f"model: {opinion.verdict}"] += 1

    # -- what failed --------------------------------------------------------------------------------------------------

    def _set_aside(self, tx: Tx, space: str, extraction: Extraction, numbers: Mapping[str, int]) -> None:
        """Remember which episodes must be tried again, and when; those refused never are."""
        unread = dict.fromkeys((*extraction.failed, *extraction.refused))
        for id_ in unread:
            if id_ in numbers:
                ledger.read_again(tx, space, numbers[id_], PAUSES, refused=id_ in extraction.refused)
        ledger.was_read(tx, [row for id_, row in numbers.items() if id_ not in unread])

    def _retry(self, space: str, tally: _Tally, *, by_hand: bool) -> None:
        """Try again what is due; called by hand, also what is still waiting."""
        until = 2**62 if by_hand else self._clock.now()
        rows = self.store.to_read_again(space, until, 1_000, given_up=by_hand)
        for start in range(0, len(rows), PAGE):
            part = rows[start : start + PAGE]
            found = self.store.messages(part)
            if gone := set(part) - {said.row for said in found}:
                self.store.run(lambda tx, gone=gone: ledger.was_read(tx, gone))  # type: ignore[misc]
            if found:
                self._page(space, found, tally)

    def _lease(self, space: str) -> bool:
        return self.store.run(lambda tx: tx.lease(f"consolidate:{space}", self._holder, LEASE_SECONDS))


def heard(store: Store, messages: Sequence[Spoken]) -> dict[str, Said]:
    """Messages by id, without what is forgotten of them."""
    left = store.forgotten([one.row for one in messages]).left
    return {one.id: Said(one.id, left.get(one.row, one.text), *one[3:8]) for one in messages}


def _report(tally: _Tally, note: str = "") -> ConsolidationReport:
    return ConsolidationReport(
        sessions=tally.sessions,
        episodes=tally.episodes,
        facts=sum(n for name, n in tally.counts.items() if name in WRITTEN),
        verdicts=dict(tally.counts),
        skipped=dict(tally.skipped),
        failed=tally.failed,
        refused=tally.refused,
        calls=tally.calls,
        tokens=tally.tokens,
        seconds=round(tally.seconds, 3),
        note=note,
    )
