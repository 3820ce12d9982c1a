"""What every fact says and speaks of, as numbers (table ``senses``): made once for each fact, by whichever phase comes first.

Two wordings that may be one statement have one sense, two statements that may contradict each other one topic: so nothing
has to be compared with everything. See :func:`mnemic.compare.relation.sense` and :func:`~mnemic.compare.relation.topic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..compare.relation import sense, topic
from ..compare.statement import parse
from ..phase import PhaseContext, PhaseResult
from ..store import ledger
from ..store.compared import compared
from ..store.merging import M
from ..store.rows import first_row, last_row
from ..store.sqlite import SqliteStore
from ..store.tx import Tx

#: Changes when texts are read in another way: then every number is made anew.
READER = "3"
PAGE = 500  # facts read in one step


@dataclass(frozen=True, slots=True)
class Sense:
    """The numbers of a fact."""

    row: int
    sense: int
    topic: int | None


def read_new(store: SqliteStore, space: str, no: int, night: PhaseContext, out: PhaseResult) -> list[Sense]:
    """Give every new fact its numbers; where nothing may be written, in a dry run, they are handed back instead.

    ``out.finished`` is false afterwards where it was stopped.
    """
    low, high = first_row(no), last_row(no)
    job = f"senses:{space}"
    state = ledger.reached(store, job) or {"reader": READER, "upto": low}
    if state["reader"] != READER:
        state = {"reader": READER, "upto": low}
        if not night.dry_run:
            store.run(lambda tx: tx.connection.execute(M.drop_senses, (low, high)) and None)
    told: list[Sense] = []
    upto = int(state["upto"])
    while True:
        with store.reader() as r:
            rows = r.execute(M.facts_after, (upto, high, PAGE)).fetchall()
        if not rows:
            return told
        if night.stop():
            out.finished = False
            return told
        page = [_numbers(row, text) for row, text in rows]
        upto = page[-1].row
        if night.dry_run:
            told += page
        else:
            store.run(lambda tx, p=page, u=upto: _note(tx, job, p, u))  # type: ignore[misc]
        out.counts["read"] += len(page)
        night.progress(out.counts["read"], None)


def _numbers(row: int, text: str) -> Sense:
    said = parse(text)
    return Sense(row, sense(said), topic(said))


def _note(tx: Tx, job: str, page: Sequence[Sense], upto: int) -> None:
    there = compared(tx.connection, [s.row for s in page])  # not those erased meanwhile
    tx.connection.executemany(M.put_sense, [(s.row, s.sense, s.topic) for s in page if s.row in there])
    ledger.note(tx, job, {"reader": READER, "upto": upto})
