"""Erase many rows in short transactions, so that others write and read in between, and finish what was cut off.

A hundred rows or fewer are one transaction. More are noted as a job first, then their packed vectors are taken out
chunk by chunk, then the rows in transactions of about 50 ms; their words leave the keyword index at the end, when it is
merged step by step (a hundred times quicker than removing each word of each row from it). Each transaction takes what
stood on its rows with it and mends the rest (:mod:`.erase_dependents`), so that a killed erasure leaves nothing half done.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ColdMissing, MissingExtra, StoreError
from . import entities, erasure_proof, freezing
from .connect import open_connection
from .erase_dependents import Aftermath, forget_names, mend_surfaces, reach, texts_of
from .erasure_proof import Traces
from .facts import F
from .rows import first_row, last_row
from .tx import Q, SpaceRow, Tx, X, hash_of
from .vectors import has_rows

if TYPE_CHECKING:
    from .sqlite import SqliteStore

log = logging.getLogger("mnemic.store")

AT_ONCE = 100
SECONDS = 0.05
STALE = 60_000_000  # µs without progress after which an erasure counts as cut off
WORDS = 500
LEAST, MOST = 10, 1_000  # rows of one transaction of a large erasure


@dataclass(slots=True)
class _Work:
    """One erasure: what it is about, what it has removed, and what must not be found afterwards."""

    store: SqliteStore
    space: str
    asked: frozenset[int]
    actor: str
    totals: Counter[str] = field(default_factory=Counter)
    traces: Traces = field(default_factory=Traces)
    terms: set[str] = field(default_factory=set)  # of the erased texts
    named: dict[int, set[str]] = field(default_factory=dict)  # entity → runs of terms that spoke of it

    # -- in a transaction -----------------------------------------------------------------------------------------

    def part(self, tx: Tx, rows: Iterable[int], *, bulk: bool) -> None:
        """Remove some of the rows and what was made from them, and mend the rest."""
        space = tx.space(self.space)
        bounds = first_row(space.no), last_row(space.no)
        gone = sorted(row for row in reach(tx.connection, rows) if bounds[0] <= row <= bounds[1])
        self._note(tx, gone)
        freezing.note_erased(tx, self.store.path, gone)
        aftermath = Aftermath(tx, space, frozenset(gone), self.asked)
        aftermath.before()
        self.totals.update(tx.erase(self.space, gone, bulk=bulk, derived=frozenset(gone) - self.asked))
        aftermath.space = tx.space(self.space)
        aftermath.after()
        self.totals.update(aftermath.counts)

    def _note(self, tx: Tx, gone: Sequence[int]) -> None:
        """Keep in memory, for the time of the erasure, what has to be looked for."""
        self.traces.add(texts_of(tx.connection, gone))
        part = json.dumps(gone)
        runs = dict(tx.connection.execute(Q.texts_in, (part, True)).fetchall())
        for run in runs.values():
            self.terms.update(run.split())
        for row, entity in tx.connection.execute(F.mentions_of, (part,)).fetchall():
            self.named.setdefault(entity, set()).add(runs.get(row, ""))

    def finish(self, tx: Tx, job: str | None = None) -> None:
        """Names, reasons and results that quoted the erased; and the entry that says what was done, without content."""
        space = tx.space(self.space)
        runs = {run for entity in self.named for run in self.named[entity]}
        self.totals["names"] += forget_names(tx, space, list(self.named), runs)
        tx.connection.execute(X.delete_lone_entities, (space.no,))
        self.totals["entities"] += tx.connection.changes()
        self.totals["changes"] += entities.scrub(tx, self.space)
        self._jobs(tx)
        if self.totals["nodes"]:
            counts = json.dumps({name: count for name, count in sorted(self.totals.items()) if count})
            values = (space.no, tx.clock.now(), self.actor, "erase", None, None, counts, None)
            tx.connection.execute(F.new_change, values)
        if job is not None:
            tx.connection.execute(Q.drop_job, (job,))
        tx.changed(space, [])

    def _jobs(self, tx: Tx) -> None:
        """Jobs that quote the erased: those that are done keep their state, the others go."""
        words = None
        for id_, state, *parts in tx.connection.execute(X.other_jobs).fetchall():
            if words is None:
                words = self.traces.distinctive(tx.connection)
            if any(word in text for text in parts if text for word in words):
                tx.connection.execute(X.blank_job if state == "done" else Q.drop_job, (id_,))
                self.totals["jobs"] += 1

    def surfaces(self, tx: Tx, space: SpaceRow, terms: Collection[str]) -> None:
        """Forms of words that only the erased texts had."""
        self.totals["words"] += mend_surfaces(tx, space, terms, (first_row(space.no), last_row(space.no)))

    # -- in many ----------------------------------------------------------------------------------------------------

    def small(self) -> None:
        """All at once."""

        def write(tx: Tx) -> None:
            self.part(tx, self.asked, bulk=False)
            self.surfaces(tx, tx.space(self.space), self.terms)
            self.finish(tx)

        self.store.run(write)

    def large(self, job: str) -> None:
        """Step by step, each step noted under the job."""
        todo = sorted(self.asked)
        self.totals["vectors"] += _erase_vectors(self.store, self.space, todo)
        start, size = 0, AT_ONCE
        while start < len(todo):
            rows = todo[start : start + size]
            start += size
            took = self.store.run(lambda tx, rows=rows: self._step(tx, rows, job))  # type: ignore[misc]
            size = max(LEAST, min(MOST, int(size * min(4.0, SECONDS / max(took, 1e-4)))))
        first, more = True, True
        while more:
            more = self.store.run(lambda tx, first=first: tx.merge_search(first=first, job=job))  # type: ignore[misc]
            first = False
        self._words()
        self.store.run(lambda tx: self.finish(tx, job))

    def _step(self, tx: Tx, rows: Sequence[int], job: str) -> float:
        began = time.monotonic()
        self.part(tx, rows, bulk=True)
        tx.connection.execute(X.progress_job, (self.store.now(), json.dumps(self.totals), job))
        return time.monotonic() - began

    def _words(self) -> None:
        """Go through the vocabulary of a space and remove what no row holds any more."""
        last = 0
        while page := self.store._in(self.space, Q.words_page, last, WORDS):
            terms = [term for _, term in page]

            def write(tx: Tx, terms: Sequence[str] = terms) -> None:
                space = tx.space(self.space)
                tx.drop_words(space, terms)
                self.surfaces(tx, space, self.terms.intersection(terms))

            self.store.run(write)
            last = page[-1][0]

    def receipt(self) -> dict[str, int]:
        """Counts, and what a search of all bytes for the erased has found. The log should be empty by now."""
        with self.store.reader(fresh=True) as r:
            strings = self.traces.distinctive(r) if self.totals["nodes"] else []
            scanned, found = erasure_proof.search(self.store.path, strings) if strings else (0, [])
            asked = json.dumps(found, ensure_ascii=False)
            rightly = {text for (text,) in r.execute(X.held_elsewhere, (asked,))} if found else set()
            if left := [string for string in found if string not in rightly]:
                with contextlib.suppress(ColdMissing, MissingExtra):  # then it holds nothing to be found either
                    rightly |= {text for (text,) in r.execute(X.held_cold, (json.dumps(left, ensure_ascii=False),))}
        left = [string for string in found if string not in rightly]
        if left:
            log.warning("erased, but %d strings of it are still in the bytes: a reader holds the log", len(left))
        return {**self.totals, "searched": len(strings), "scanned": scanned, "found": len(left)}


def erase(store: SqliteStore, space: str, rows: Iterable[int], *, actor: str = "user") -> dict[str, int]:
    """Remove rows and what was made from them, and empty the log.

    Returns:
        Counts per table, of ``facts`` that were made from the rows, of memories that lost ``evidence`` or were
        ``reopened``, of episodes ``to_read_again``; and the proof: how many strings were ``searched`` in how many bytes
        (``scanned``), and how many of them were ``found``. That is 0 unless a reader elsewhere still holds the log.
    """
    work = _Work(store, space, frozenset(rows), actor)
    if len(work.asked) <= AT_ONCE:
        work.small()
    else:
        job = f"erase:{time.time_ns()}:{id(work)}"
        payload = json.dumps({"space": space, "rows": sorted(work.asked), "actor": actor})
        store.run(lambda tx: tx.connection.execute(Q.put_job, (job, "erase", "running", payload, store.now())))
        work.large(job)
    return _proved(work)


def finish(store: SqliteStore) -> None:
    """Go on with erasures that a killed process left half done."""
    for job, payload, result in store._rows(Q.stale_jobs, "erase", store.now() - STALE):
        what = json.loads(payload)
        work = _Work(store, what["space"], frozenset(what["rows"]), what.get("actor", "user"))
        work.totals.update(json.loads(result or "{}"))
        work.large(job)
        _proved(work)
    _from_side(store)


def again(store: SqliteStore, other: Path) -> Mapping[str, int]:
    """Erase from this file what was erased from another one, by the hashes that are left there.

    For a backup that is older than an erasure: open the backup, name the file that it replaces.

    Raises:
        StoreError: the other file cannot be read.
    """
    totals: Counter[str] = Counter()
    for space in store.spaces():
        connection = open_connection(str(other), write=False)
        try:
            hashes = {bytes(found) for (found,) in connection.execute(X.tombstones, (space,))}
        finally:
            connection.close()
        rows = [row for row, id_ in store._within(space, X.ids) if hash_of(id_) in hashes] if hashes else []
        if rows:
            totals.update(erase(store, space, rows))
    return dict(totals)


def _proved(work: _Work) -> dict[str, int]:
    try:
        work.store.checkpoint()
    except StoreError as error:
        log.warning("erased, but the log could not be emptied yet: %s", error)
    _from_side(work.store)
    return work.receipt()


def _from_side(store: SqliteStore) -> None:
    try:
        freezing.finish_erased(store)
    except (StoreError, MissingExtra) as error:
        log.warning("erased, but not yet from the side file: %s", error)


def _erase_vectors(store: SqliteStore, space: str, todo: Sequence[int]) -> int:
    """Rewrite each packed chunk that holds some of the rows once, each in a transaction of its own."""
    numbers, gone, removed = np.array(todo, dtype=np.int64), set(todo), 0
    hit: list[tuple[int, int]] = []
    with store.reader() as r:
        found = store.space_no(r, space)
        if found is None:
            return 0
        for no, _, dimension in r.execute(Q.generations).fetchall():
            held = r.execute(Q.vector_chunk_rows, (no, found[0]))
            hit += [(chunk, dimension) for chunk, rows in held if has_rows(rows, numbers)]
    for chunk, dimension in hit:
        removed += store.run(lambda tx, c=chunk, d=dimension: tx.thin_chunk(c, d, gone))  # type: ignore[misc]
    return removed
