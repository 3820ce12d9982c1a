"""What an erasure takes with it, and what it leaves to be mended: knowledge that stood on the erased.

Functions on an open transaction. A memory is *made from* the first source it was derived from, and from every source
that it draws on as a whole (a link without quotes: summaries). When one of those goes, its words go. Any other source
is evidence: the memory stays and loses it. Statements of a person (nothing made them) stand by themselves.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ..text.analyse import raw_words, terms
from . import documents, facts
from .facts import F
from .queries import load
from .tx import SpaceRow, Tx

X = load("erasing.sql")
ACTOR = "erase"
#: Acts of the log that ended a memory for the sake of another one. "corrected" is not among them: that it was never
#: true is the word of a person, not of the newer text.
ENDED = frozenset({"superseded", "undo"})
NEAR = 5_000_000  # µs between a piece of evidence and the change of belief that it brought
LEVELS = 1_000  # of memories made from memories
MOST_MENTIONS = 5_000  # memories of one entity that are looked through for one of its names
MANY = 20  # memories that hold a word, from which on its form tells nothing
USER = "user"  # the unnamed user of a space keeps that name


@dataclass(frozen=True, slots=True)
class Link:
    """From a memory to what it stands on."""

    memory: int
    source: int
    relation: str
    at: int
    whole: bool
    confidence: float
    made_by: str | None
    kind: str
    hidden_at: int | None
    trust: float
    origin: str


def _json(rows: Iterable[int]) -> str:
    return json.dumps(sorted(rows))


def links_of(connection: Any, rows: Iterable[int]) -> dict[int, list[Link]]:
    """What memories stand on, the oldest link first; those that stand on nothing are left out."""
    out: dict[int, list[Link]] = {}
    for memory, source, relation, at, whole, *rest in connection.execute(X.sources, (_json(rows),)):
        out.setdefault(memory, []).append(Link(memory, source, relation, at, bool(whole), *rest))
    return out


def reach(connection: Any, rows: Iterable[int]) -> set[int]:
    """The rows and everything whose words were made from them, through any number of steps."""
    asked = set(rows)
    gone = set(asked)
    pairs = connection.execute(X.duplicates, (_json(asked),)).fetchall()
    if pairs:
        repeats = _others(connection, {copy for _, copy in pairs})
        gone |= {copy for _, copy in pairs if repeats[copy] <= asked}
    new = gone
    while new:
        near = {row for (row,) in connection.execute(X.drawn_from, (_json(new),))} - gone
        new = (
            {memory for memory, links in links_of(connection, near).items() if _made_from(links, gone)}
            if near
            else set()
        )
        gone = gone | new
    return gone


def _made_from(links: Sequence[Link], gone: Collection[int]) -> bool:
    derived = [link for link in links if link.relation == "derived_from"]
    if not derived or derived[0].made_by is None:
        return False
    return derived[0].source in gone or any(link.whole and link.source in gone for link in derived)


def _others(connection: Any, copies: Iterable[int]) -> dict[int, set[int]]:
    """Hidden repetition → statements that it repeats."""
    out: dict[int, set[int]] = {copy: set() for copy in copies}
    for copy, statement in connection.execute(X.repeats, (_json(out),)):
        out[copy].add(statement)
    return out


@dataclass(slots=True)
class Aftermath:
    """One step of an erasure, within one transaction: :meth:`before` the rows are removed, and :meth:`after`.

    Attributes:
        tx, space: where. gone: rows that are about to be removed. asked: those of the whole erasure that the caller
            named; what else is gone stood on them. counts: name → how many.
    """

    tx: Tx
    space: SpaceRow
    gone: frozenset[int]
    asked: Collection[int]
    counts: Counter[str] = field(default_factory=Counter)
    _leaning: set[int] = field(default_factory=set)
    _was: dict[int, list[Link]] = field(default_factory=dict)

    def before(self) -> None:
        """Undo what the erased did to memories that stay, and have the other sources of dropped facts read again."""
        execute = self.tx.connection.execute
        part = _json(self.gone)
        derived = {row for row in self.gone if row not in self.asked}
        self.counts["facts"] += len(derived)
        self._read_again(derived)
        self._leaning = {row for (row,) in execute(X.leaning, (part,))} - self.gone
        self._was = links_of(self.tx.connection, self._leaning) if self._leaning else {}
        ended = {old for _, old in execute(F.predecessors, (part,))} - self.gone
        for row in sorted(
            ended - documents.among(self.tx.connection, ended)
        ):  # a document does not go back to an older text
            self._reopen(row)
        self._offer_repeats(part)
        self._forget_reasons({row for (row,) in execute(X.opposed, (part,))} - self.gone)
        documents.blank(self.tx, self.space, self.gone)

    def after(self) -> None:
        """What has lost a source is believed as far as the others carry it, and so is all that was derived from it."""
        self.counts["evidence"] += len(self._leaning)
        waiting, was = self._leaning, self._was
        before: dict[int, float] = {}
        for _ in range(LEVELS):
            is_ = links_of(self.tx.connection, waiting)
            changed: dict[int, float] = {}
            for row in sorted(waiting):
                trust = self._believe(row, was.get(row) or is_.get(row, []), is_.get(row, []), before)
                if trust is not None:
                    changed[row] = trust
            if not changed:
                break
            before = changed
            waiting, was = {row for (row,) in self.tx.connection.execute(X.drawn_from, (_json(changed),))}, {}

    # -- ends -------------------------------------------------------------------------------------------------------

    def _reopen(self, row: int) -> None:
        """What an erased memory ended: ended now by what ended that one, or no longer."""
        heirs = self._heirs(row)
        if heirs:
            begins = {heir: int(self.tx.connection.execute(F.begins, (heir,)).get) for heir in heirs}
            heir = min(heirs, key=lambda n: (begins[n], n))
            facts.link(self.tx, heir, "supersedes", row)
            if self._belief(row)["valid_until"] is not None:
                self._alter(row, "superseded", {"valid_until": begins[heir]})
            return
        now = self._belief(row)
        if now["hidden_why"] == "refined":
            self._alter(row, "restore", {"hidden_at": None, "hidden_why": None})
            self.counts["reopened"] += 1
        if now["valid_until"] is None:
            return
        ended = self._ending(row, now["valid_until"])
        if ended is not None and ended.act not in ENDED:
            return
        values: dict[str, Any] = {"valid_until": None, "closed_at": None}
        if ended is not None:
            values = {name: value for name, value in ended.before.items() if now[name] == ended.after[name]}
            values["valid_until"] = ended.before["valid_until"]
        self._alter(row, "reopened", values)
        self.counts["reopened"] += 1

    def _ending(self, row: int, until: int) -> facts.Change | None:
        """The change that ended a memory; what an earlier erasure made of it is passed over."""
        for change in reversed(facts.changes_of(self.tx.connection, [row])):
            if "valid_until" in change.after and change.after["valid_until"] == until:
                if change.actor != ACTOR or change.before["valid_until"] is None:
                    return change
                until = change.before["valid_until"]
        return None

    def _heirs(self, row: int) -> set[int]:
        """Memories that stay and have ended the row, or the erased ones that had."""
        out: set[int] = set()
        frontier, seen = {row}, {row}
        while frontier:
            newer = {new for _, new in self.tx.connection.execute(F.successors, (_json(frontier),))} - seen
            seen |= newer
            out |= newer - self.gone
            frontier = newer & self.gone
        return out

    def _belief(self, row: int) -> dict[str, Any]:
        return dict(zip(facts.BELIEF, self.tx.connection.execute(F.belief, (row,)).fetchone(), strict=True))

    def _alter(self, row: int, act: str, values: Mapping[str, Any]) -> None:
        facts.alter(self.tx, self.space, row, act, values, actor=ACTOR, why=None)

    def _offer_repeats(self, part: str) -> None:
        """Repetitions that were hidden behind an erased statement speak for themselves now."""
        pairs = self.tx.connection.execute(X.duplicates, (part,)).fetchall()
        copies = {copy for _, copy in pairs} - self.gone
        if not copies:
            return
        others = _others(self.tx.connection, copies)
        free = sorted(copy for copy in copies if others[copy] <= self.gone)
        self.counts["reopened"] += self.tx.unhide(self.space.name, free, actor=ACTOR)

    # -- evidence ---------------------------------------------------------------------------------------------------

    def _read_again(self, derived: Collection[int]) -> None:
        """Facts that other episodes hold too are read out of those by the next consolidation. What was hidden is not:
        its other sources would bring it back."""
        if not derived:
            return
        visible = {row for (row,) in self.tx.connection.execute(X.visible, (_json(derived),))}
        rows = {
            link.source
            for links in links_of(self.tx.connection, visible).values()
            for link in links
            if link.kind == "episodic" and link.hidden_at is None and link.source not in self.gone
        }
        kind, now = f"extract:{self.space.name}", self.tx.clock.now()
        for row in sorted(rows - set(self.asked)):
            self.tx.connection.execute(X.put_due, (f"extract:{row}", kind, json.dumps({"row": row}), now))
            self.counts["to_read_again"] += self.tx.connection.changes()

    def _believe(self, row: int, was: Sequence[Link], is_: Sequence[Link], before: Mapping[int, float]) -> float | None:
        """Set trust and confidence of a memory by the sources it has left.

        Args:
            was, is_: what it stood on and stands on. before: source → its trust before it was changed just now.

        Returns:
            The trust it had, where that was changed.
        """
        now, values = facts.belief(self.tx, row), {}
        if now is None:
            return None
        left = [link.trust for link in is_ if link.relation == "derived_from"]
        had = [before.get(link.source, link.trust) for link in was if link.relation == "derived_from"]
        if left and (min(left) < now["trust"] or (had and abs(now["trust"] - min(had)) < 1e-9)):
            values["trust"] = min(left)
        held = {link.source for link in is_}
        origins = {link.origin for link in is_}
        confidence = now["confidence"]
        for link in was:
            if link.source not in held and link.origin not in origins:
                confidence = self._without(row, link, confidence)
        if confidence != now["confidence"]:
            values["confidence"] = confidence
        if values:
            facts.alter(self.tx, self.space, row, "evidence", values, actor=ACTOR, why="a source was erased")
        return now["trust"] if values.get("trust", now["trust"]) != now["trust"] else None

    def _without(self, row: int, link: Link, confidence: float) -> float:
        """Confidence without what one piece of evidence had added: the part of the doubt it took away comes back."""
        log = facts.changes_of(self.tx.connection, [row])
        raised = [
            c
            for c in log
            if c.act == "evidence" and c.actor != ACTOR and abs(c.at - link.at) <= NEAR and "confidence" in c.after
        ]
        if not raised or "confidence" not in raised[0].before:
            return confidence
        change = min(raised, key=lambda c: abs(c.at - link.at))
        before, after = change.before["confidence"], change.after["confidence"]
        if not before < after < 1 or confidence >= 1 or confidence < before:
            return confidence
        return float(max(before, round(1 - (1 - confidence) * (1 - before) / (1 - after), 4)))

    # -- words ------------------------------------------------------------------------------------------------------

    def _forget_reasons(self, rows: Collection[int]) -> None:
        """Reasons in the log of memories that stay may quote what is erased."""
        if not rows:
            return
        foreign = {term for text in texts_of(self.tx.connection, self.gone) for term in terms(text)}
        for row in sorted(rows):
            own = {term for text in texts_of(self.tx.connection, [row]) for term in terms(text)}
            for change in facts.changes_of(self.tx.connection, [row]):
                if change.why and not foreign.isdisjoint(set(terms(change.why)) - own):
                    self.tx.connection.execute(X.blank_why, (change.no,))


def texts_of(connection: Any, rows: Iterable[int]) -> Iterator[str]:
    """Every text that rows hold: what was said, by whom, tags, details, search terms."""
    for row in connection.execute(X.said, (_json(rows),)).fetchall():
        yield from (str(text) for text in row if text)


def forget_names(tx: Tx, space: SpaceRow, entities: Sequence[int], said: Collection[str]) -> int:
    """Take from entities the names that only erased texts gave them; returns how many.

    Args:
        entities: numbers of those that the erased spoke of. said: terms of the erased texts, a run for each text.
    """
    execute = tx.connection.execute
    erased = [f" {run} " for run in said]
    count = 0
    rows = execute(X.names_of, (json.dumps(sorted(entities)),)).fetchall()
    for no, group in groupby(rows, key=lambda row: row[0]):
        names = list(group)
        every = list(dict.fromkeys(alias for _, _, alias, _ in names))
        doubtful = {alias for alias in every if alias != USER and _held(alias, erased)}
        if len(every) < 2 or not doubtful:
            continue
        for found, *others in execute(X.mentioning, (no, MOST_MENTIONS)).fetchall():
            run = [f" {found or ''} ", *(f" {' '.join(terms(text))} " for text in others if text)]
            doubtful = {alias for alias in doubtful if not _held(alias, run)}
            if not doubtful:
                break
        rest = [alias for alias in every if alias not in doubtful] or every[:1]
        lost = [alias for alias in every if alias not in rest]
        for alias in lost:
            execute(X.drop_alias, (no, alias))
            count += 1
        if lost and not any(_same(names[0][1], alias) for alias in rest):
            execute(X.rename_entity, (max(rest, key=len).title(), no))
        for number, *texts in execute(X.entity_changes, (space.no,)).fetchall() if lost else ():
            if any(alias in text.casefold() for alias in lost for text in texts if text):
                execute(X.blank_change, (number,))
    return count


def _held(alias: str, runs: Iterable[str]) -> bool:
    wanted = f" {' '.join(terms(alias))} "
    return any(wanted in run for run in runs)


def _same(name: str, alias: str) -> bool:
    return terms(name) == terms(alias)


def mend_surfaces(tx: Tx, space: SpaceRow, asked: Collection[str], bounds: tuple[int, int]) -> int:
    """Words that others hold too, in another form: the vocabulary shows a form that is left. Returns how many changed.

    Args:
        asked: terms of the erased texts. bounds: first and last row of the space.
    """
    execute, count = tx.connection.execute, 0
    for no, term, surface in execute(X.surfaces, (space.no, json.dumps(sorted(asked), ensure_ascii=False))).fetchall():
        if surface == term:
            continue
        held = [text for (text,) in execute(X.holders, (term, *bounds, MANY + 1))]
        if len(held) > MANY:
            continue  # a common word in a common form
        words = [word.casefold() for text in held for word in raw_words(text)]
        if surface in words:
            continue
        form = next((word for word in words if terms(word) == [term]), term)
        execute(X.set_surface, (form, no))
        count += 1
    return count
