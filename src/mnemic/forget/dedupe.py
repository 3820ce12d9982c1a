"""Duplicates: facts that say the same become one, with all that stood behind each. A phase of the night.

Every fact gets a number that is equal for all wordings that may be one statement (table ``senses``), so that nothing is
ever compared with everything: a night reads what is new, and looks at the numbers that several facts share. What shares
one is compared in full (:mod:`..compare`), with the survivor and not with a neighbour: a chain of likenesses
makes no duplicate. Who survives depends on the facts alone, so the order of rows changes nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clock import DAY
from ..compare.relation import relate, sense, topic
from ..compare.statement import parse
from ..models import Act
from ..phase import PhaseContext, PhaseResult
from ..store import ledger
from ..store.base import Space, Store
from ..store.merging import Compared, compared, drop_senses, merge, put_senses
from ..store.tx import Tx
from ..strength import Trace, curve_of

SENSES = 100  # shared numbers looked at in one step
#: Facts of one number that are compared in one night.
MOST = 1_000
#: Deeds told alike further apart than this are two deeds ("the build failed"), and states that pass are two of them.
ONE_DEED, ONE_STATE = 7 * DAY, 14 * DAY
_FIRST = -(1 << 63)


@dataclass(frozen=True, slots=True)
class Copy:
    """A fact that says what another one says."""

    copy: Compared
    kept: Compared
    why: str


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The phase.

    Args:
        model: whose vectors tell how near two wordings are; ``None``: words alone decide.
    """

    model: str | None = None

    def __call__(self, store: Store, space: str, night: PhaseContext) -> PhaseResult:
        out = PhaseResult()
        known = store.space(space)
        if known is None:
            return out
        fresh: dict[int, list[int]] = defaultdict(list)
        for said in read_new(store, known, night, out):
            fresh[said.sense].append(said.row)
        if not out.finished:
            return out
        if self.model is None or store.generation(self.model) is None:
            out.note = "by words alone: there are no vectors"
        state = [READER, *store.copies_state(known, self.model)]
        reached = store.noted(f"duplicates:{space}") or {}
        if reached.get("settled") == state:
            return out  # nothing was told, changed or embedded since a night that found no copy
        for groups in _groups(store, known, fresh, night, out):
            self._settle(store, known, groups, night, out)
        whole = out.finished and reached.get("sense", _FIRST) == _FIRST
        if whole and not night.dry_run and not out.counts["merged"]:
            store.run(lambda tx: ledger.note(tx, f"duplicates:{space}", {"sense": _FIRST, "settled": state}))
        return out

    def _settle(
        self, store: Store, space: Space, groups: Sequence[Sequence[int]], night: PhaseContext, out: PhaseResult
    ) -> None:
        """Compare the facts of each group, and merge the copies, all copies of a step in one transaction."""
        with store.snapshot():
            found: list[Copy] = []
            for rows in groups:
                rows = rows[:MOST]
                there, kept_apart = store.compared(rows), store.at_issue(rows)
                mine = [there[row] for row in sorted(there.keys() - store.taken_apart(rows))]
                near = store.means(space, self.model, [c.row for c in mine]) if self.model and len(mine) > 1 else {}
                found += copies(mine, near, kept_apart)
        out.counts["looked_at"] += sum(map(len, groups))
        if night.dry_run or not found:
            changes: Mapping[int, int] = {c.copy.row: 0 for c in found}
        else:
            changes = store.run(lambda tx: _merge(tx, space.name, found, night.actor))
        for c in found:
            if c.copy.row in changes:
                out.acts.append(Act("duplicate", c.copy.id, c.why, c.kept.id, changes[c.copy.row] or None))
                out.counts["merged"] += 1
        if night.dry_run:
            night.gone.update(changes)


# -- which are copies of which -----------------------------------------------------------------------------------------


def copies(
    facts: Iterable[Compared], near: Mapping[int, NDArray[np.float32]], apart: Iterable[frozenset[int]] = ()
) -> list[Copy]:
    """The facts among some that are copies of another one of them, each with the one that stays.

    From the best fact downwards each one either is a copy of one that stays, or stays. What a person confirmed always
    stays.

    Args:
        near: unit vectors by row, where there are any. apart: pairs of rows that are not to be merged.
    """
    told = set(apart)
    stay: dict[object, list[Compared]] = defaultdict(list)
    out: list[Copy] = []
    ordered = sorted(facts, key=_rank)
    # A fact of which nobody knows whose it is may be any of several people's: then it is the copy of none of theirs.
    several = len({card.slot for card in ordered} - {None}) > 1
    for card in ordered:
        asked = stay[card.slot] if several else [other for lot in stay.values() for other in lot]
        for other in sorted(asked, key=_rank):
            if card.confirmed or frozenset((card.row, other.row)) in told:
                continue
            why = _same(card, other, near)
            if why:
                out.append(Copy(card, other, why))
                break
        else:
            stay[card.slot].append(card)
    return out


def _rank(card: Compared) -> tuple[object, ...]:
    """Best first: confirmed, lasting, trusted, with more behind it, older; what is left decides nothing but is always
    the same."""
    return (
        not card.confirmed,
        not _lasts(card),
        -card.trust,
        -card.support,
        card.begins,
        card.content,
        card.recorded_at,
        card.id,
    )


def _lasts(card: Compared) -> bool:
    """Whether a fact never fades: it must not go for one that does."""
    return math.isinf(curve_of(Trace(card.label, card.kind, card.predicate)).stability)


def _same(a: Compared, b: Compared, near: Mapping[int, NDArray[np.float32]]) -> str:
    if a.holder and b.holder and a.holder.casefold() != b.holder.casefold():
        return ""
    if a.project and b.project and a.project != b.project:
        return ""
    one, other = parse(a.content), parse(b.content)
    apart = abs(a.begins - b.begins)
    if one.done and not any(atom.kind == "date" for atom in one.atoms) and apart > ONE_DEED:
        return ""
    if ("today" in one.turn and apart > DAY // 2) or ("passing" in one.turn and apart > ONE_STATE):
        return ""  # "tomorrow" is another day by then
    cosine = float(near[a.row] @ near[b.row]) if a.row in near and b.row in near else None
    found = relate(one, other, cosine=cosine)
    why = found.why if found.kind == "same" else ""
    return f"{why}, cosine {cosine:.2f}" if why and cosine is not None else why


# -- in the file -------------------------------------------------------------------------------------------------------


def _groups(
    store: Store, space: Space, fresh: Mapping[int, list[int]], night: PhaseContext, out: PhaseResult
) -> Iterator[list[list[int]]]:
    """Rows of each number that several facts share, some numbers at a time; goes on where a night was stopped."""
    numbers = sorted(fresh)
    for start in range(0, len(numbers), SENSES):  # of a dry run only
        with store.snapshot():
            both = [store.of_sense(space, n) + fresh[n] for n in numbers[start : start + SENSES]]
        yield [rows for rows in both if len(rows) > 1]
    state = store.noted(f"duplicates:{space.name}")
    last = int(state["sense"]) if state and not night.dry_run else _FIRST
    while True:
        if night.stop():
            out.finished = False
            return
        with store.snapshot():
            asked = store.shared_senses(space, last, SENSES)
            groups = [store.of_sense(space, n) for n in asked if n not in fresh]
        yield groups
        last = asked[-1] if len(asked) == SENSES else _FIRST
        if not night.dry_run:
            store.run(lambda tx, s=last: ledger.note(tx, f"duplicates:{space.name}", {"sense": s}))  # type: ignore[misc]
        if last == _FIRST:
            return


def _merge(tx: Tx, space: str, found: Sequence[Copy], actor: str) -> dict[int, int]:
    """Merge what still is as it was when it was compared; returns row of each copy → number of the change."""
    row = tx.space(space)
    again = compared(tx.connection, [card.row for c in found for card in (c.copy, c.kept)])
    out: dict[int, int] = {}
    for c in found:
        mine, theirs = again.get(c.copy.row), again.get(c.kept.row)
        if mine is None or theirs is None or mine.confirmed:
            continue
        if (mine.content, mine.slot) != (c.copy.content, c.copy.slot) or theirs.slot not in (c.kept.slot, mine.slot):
            continue
        change = merge(tx, row, mine.row, theirs.row, actor=actor, why=f"{c.why}: {c.kept.id}")
        if change is not None:
            out[mine.row] = change
    return out


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
