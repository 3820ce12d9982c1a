"""Erase many rows in short transactions, so that others write and read in between, and finish what was cut off.

A hundred rows or fewer are one transaction. More are noted as a job first, then their packed vectors are taken out
chunk by chunk, then the rows in transactions of about 50 ms; their words leave the keyword index at the end, when it is
merged step by step (a hundred times quicker than removing each word of each row from it).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from .sqlite import Q, SqliteStore
from .tx import Tx
from .vectors import has_rows

AT_ONCE = 100
SECONDS = 0.05
STALE = 60_000_000  # µs without progress after which an erasure counts as cut off
WORDS = 500
LEAST, MOST = 10, 1_000  # rows of one transaction of a large erasure


def erase(store: SqliteStore, space: str, rows: Iterable[int]) -> dict[str, int]:
    """Remove rows and what is derived from them alone.

    The caller empties the log afterwards (:meth:`SqliteStore.checkpoint`): until then it holds the old bytes.

    Returns:
        Counts per table (see :meth:`~mnemic.store.tx.Tx.erase`).
    """
    todo = sorted(set(rows))
    if len(todo) <= AT_ONCE:
        return dict(store.run(lambda tx: tx.erase(space, todo)))
    job = f"erase:{time.time_ns()}:{id(todo)}"
    payload = json.dumps({"space": space, "rows": todo})
    store.run(lambda tx: tx.connection.execute(Q.put_job, (job, "erase", "running", payload, store.now())))
    return _erase(store, space, todo, job)


def finish(store: SqliteStore) -> None:
    """Go on with erasures that a killed process left half done."""
    for job, payload in store.ask("stale_jobs", "erase", store.now() - STALE):
        what = json.loads(payload)
        _erase(store, what["space"], what["rows"], job)
        store.checkpoint()


def _erase(store: SqliteStore, space: str, todo: Sequence[int], job: str) -> dict[str, int]:
    totals: Counter[str] = Counter({"vectors": _erase_vectors(store, space, todo)})
    start, size = 0, AT_ONCE
    while start < len(todo):
        part = todo[start : start + size]
        start += size

        def write(tx: Tx, part: Sequence[int] = part) -> tuple[Mapping[str, int], float]:
            began = time.monotonic()
            done = tx.erase(space, part, bulk=True)
            tx.connection.execute(Q.touch_job, (store.now(), job))
            return done, time.monotonic() - began

        done, took = store.run(write)
        totals.update(done)
        size = max(LEAST, min(MOST, int(size * min(4.0, SECONDS / max(took, 1e-4)))))
    first, more = True, True
    while more:
        more = store.run(lambda tx, first=first: tx.merge_search(first=first, job=job))  # type: ignore[misc]
        first = False
    _erase_words(store, space)
    store.run(lambda tx: tx.connection.execute(Q.drop_job, (job,)))
    return dict(totals)


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


def _erase_words(store: SqliteStore, space: str) -> None:
    """Go through the vocabulary of a space and remove what no row holds any more."""
    last = 0
    while page := store.select_in("words_page", space, last, WORDS):
        terms = [term for _, term in page]
        store.run(lambda tx, terms=terms: tx.drop_words(tx.space(space), terms))  # type: ignore[misc]
        last = page[-1][0]
