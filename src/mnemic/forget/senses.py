"""What every fact says and speaks of, as numbers (table ``senses``): made once for each fact, by whichever phase comes
first.

Two wordings that may be one statement have one sense, two statements that may contradict each other one topic: so
nothing has to be compared with everything. See :func:`mnemic.compare.relation.sense` and
:func:`~mnemic.compare.relation.topic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..compare.relation import sense, topic
from ..compare.statement import parse
from ..phase import PhaseContext, PhaseResult
from ..store import ledger
from ..store.base import Space, Store
from ..store.merging import drop_senses, put_senses
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


def read_new(store: Store, space: Space, night: PhaseContext, out: PhaseResult) -> list[Sense]:
    """Give every new fact its numbers; where nothing may be written, in a dry run, they are handed back instead.

    ``out.finished`` is false afterwards where it was stopped.
    """
    job = f"senses:{space.name}"
    state = store.noted(job) or {"reader": READER, "upto": space.first}
    if state["reader"] != READER:
        state = {"reader": READER, "upto": space.first}
        if not night.dry_run:
            store.run(lambda tx: drop_senses(tx, space))
    told: list[Sense] = []
    upto = int(state["upto"])
    while True:
        rows = store.facts_after(space, upto, PAGE)
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
    put_senses(tx, [(s.row, s.sense, s.topic) for s in page])
    ledger.note(tx, job, {"reader": READER, "upto": upto})
