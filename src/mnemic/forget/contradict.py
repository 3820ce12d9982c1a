"""Contradictions without a model: new facts against all that is said of the same things. A phase of the night.

Facts recorded since the last look (the first time: within the last seven days) are compared with every fact of one
topic with them (table ``senses``). What is found becomes an open conflict for a person (``Memory.review.conflicts()``);
neither fact is touched. A pair that was ever noted, settled or dismissed does not come back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..clock import DAY
from ..compare.relation import Relation, relate
from ..compare.statement import parse
from ..models import Act
from ..phase import PhaseContext, PhaseResult
from ..store import ledger
from ..store.base import Store
from ..store.facts import contradict
from ..store.merging import Compared, at_issue, compared
from ..store.tx import Tx
from .dedupe import Sense, read_new

WINDOW = 7 * DAY
PAGE = 200  # new facts compared in one step
#: A topic with so many facts is a list ("crate 17 holds 9 bolts"), where other numbers are other things.
LIST = 100
#: Signal by which two facts exclude each other → how sure a finding is.
SURE: Mapping[str, float] = {"negation": 0.6, "antonym": 0.5, "numeric": 0.5, "temporal": 0.4, "value": 0.4}


@dataclass(frozen=True, slots=True)
class Finding:
    """Two facts that contradict each other, by which signals, and how sure that is."""

    newer: Compared
    older: Compared
    found: Relation

    @property
    def why(self) -> str:
        """The signals in words, with the score."""
        return f"{self.found.signal}: {self.found.why} ({self.score:.2f})"

    @property
    def score(self) -> float:
        return SURE[self.found.signal]


@dataclass(frozen=True, slots=True)
class Contradictions:
    """The phase.

    Args:
        window: microseconds back from the night that the first look reaches.
    """

    window: int = WINDOW

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        out = PhaseResult()
        known = store.space(space)
        if known is None:
            return out
        unwritten = read_new(store, known, night, out)
        if not out.finished:
            return out
        state = store.noted(f"contradictions:{space}")
        after, since = (int(state["upto"]), 0) if state else (known.first, night.now - self.window)
        fresh = store.fresh_facts(known, after, since)
        more = _by_topic(unwritten)
        for page in (fresh[i : i + PAGE] for i in range(0, len(fresh), PAGE)):
            if night.stop():
                out.finished = False
                return out
            with store.snapshot():
                near: dict[int, list[int]] = defaultdict(list)
                for row, other in store.of_topics(known, page, LIST):
                    near[row].append(other)
                for row in page:
                    near[row] += more.get(row, ())
                there = store.compared({*page, *(row for rows in near.values() for row in rows)} - night.gone)
                noted = store.at_issue(page)
            findings = list(contradictions(there, near, noted))
            if not night.dry_run:
                store.run(lambda tx, f=findings, u=page[-1]: _note(tx, space, f, u))  # type: ignore[misc]
            out.acts += [Act("conflict", f.newer.id, f.why, f.older.id) for f in findings]
            out.counts["conflicts"] += len(findings)
            out.counts["looked_at"] += len(page)
            night.progress(out.counts["looked_at"], len(fresh))
        return out


def contradictions(
    there: Mapping[int, Compared], near: Mapping[int, Sequence[int]], noted: set[frozenset[int]]
) -> Iterator[Finding]:
    """Findings among facts and those near to each, every pair once."""
    seen = set(noted)
    for row in sorted(near):
        for other in near[row]:
            pair = frozenset((row, other))
            if row == other or pair in seen or row not in there or other not in there:
                continue
            seen.add(pair)
            older, newer = sorted((there[row], there[other]), key=lambda c: (c.begins, c.recorded_at, c.content, c.id))
            found = _compared(older, newer)
            if found is not None:
                yield Finding(newer, older, found)


def _compared(older: Compared, newer: Compared) -> Relation | None:
    if older.holder and newer.holder and older.holder.casefold() != newer.holder.casefold():
        return None
    if older.project and newer.project and older.project != newer.project:
        return None
    if older.slot is not None and newer.slot is not None and older.entity != newer.entity:
        return None
    found = relate(older.content, newer.content)
    said = parse(newer.content)
    if found.signal not in SURE or said.turn & {"change", "correct"}:
        return None
    if said.done and found.signal == "numeric" and abs(newer.begins - older.begins) > DAY:
        return None  # five kilometres on one day, seven on another
    return found


def _by_topic(unwritten: Sequence[Sense]) -> dict[int, list[int]]:
    """Fact → the others of its topic among facts whose numbers stand in no table, in a dry run."""
    rows: dict[int, list[int]] = defaultdict(list)
    for said in unwritten:
        if said.topic is not None:
            rows[said.topic].append(said.row)
    few = {number: found for number, found in rows.items() if 1 < len(found) < LIST}
    return {row: [other for other in found if other != row] for found in few.values() for row in found}


def _note(tx: Tx, space: str, findings: Sequence[Finding], upto: int) -> None:
    """Note findings as open conflicts, where both facts are still what they were, and how far the look came."""
    rows = [card.row for f in findings for card in (f.newer, f.older)]
    there, noted = compared(tx.connection, rows), at_issue(tx.connection, rows)
    for f in findings:
        same = all(c.row in there and there[c.row].content == c.content for c in (f.newer, f.older))
        if same and frozenset((f.newer.row, f.older.row)) not in noted:
            contradict(tx, f.newer.row, f.older.row, f.why, f.score)
    ledger.note(tx, f"contradictions:{space}", {"upto": upto})
