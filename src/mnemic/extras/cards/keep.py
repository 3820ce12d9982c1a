"""Put a document down as a card and sections, and bring both up to what the document says now.

Sections are matched by the hash of their text: what is the same keeps its row, its vectors and its use; what changed
under the same headings ends where its successor begins; what is no longer there ends. The file is read outside any
transaction, each step is one, and all of them together may be cut off anywhere: the next run goes on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...clock import key_id
from ...errors import InvalidInput
from ...models import ORIGINS
from ...store import documents, facts
from ...store.base import Store
from ...store.documents import CARD, MADE_BY, SECTION, CardState, SectionState
from ...store.rows import NewNode
from ...store.tx import SpaceRow, Tx
from ...text.ready import analyse
from .read import Document, Section

BATCH = 500  # sections written in one transaction
REPLACED, REMOVED = "the document was edited", "no longer in the document"
ERASED = ("was erased before", "what was erased does not come back; give it another text")


@dataclass(frozen=True, slots=True)
class Given:
    """A document to be kept.

    Attributes:
        source: path of its file, or the name of a text, as it stands in ``sources``.
        state: what the card is to know of its file. at: time of this version, microseconds.
        row: the card, where it is known already. shown: somebody asked for it, so a hidden card is offered again.
        importance: ``None`` leaves it.
    """

    document: Document
    source: str
    state: dict[str, Any]
    at: int
    origin: str = "import"
    importance: float | None = None
    row: int | None = None
    shown: bool = False
    actor: str = "user"


@dataclass(slots=True)
class Kept:
    """What became of it: the row of the card (0: it was erased meanwhile), whether it is new, and how many sections
    were ``added``, ``replaced``, ``removed``, ``kept`` or are ``erased``."""

    row: int = 0
    new: bool = False
    done: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def changed(self) -> bool:
        """Whether the document says something else than before."""
        return any(self.counts[name] for name in ("added", "replaced", "removed"))


def keep(store: Store, space: str, given: Given) -> Kept:
    """Write a document; returns when its sections are those of the file.

    Raises:
        InvalidInput: all of it was erased before.
    """
    ready = {section.mark: _node(section, place, given) for place, section in enumerate(given.document.sections)}
    kept = Kept()
    while not kept.done:
        step = store.run(lambda tx, given=given: _step(tx, space, given, ready))  # type: ignore[misc]
        kept.row, kept.done, kept.new = step.row, step.done, kept.new or step.new
        given = replace(given, row=step.row)
        kept.counts["added"] += step.counts["added"]
        for name in ("replaced", "removed", "kept", "erased"):
            kept.counts[name] = step.counts[name]
    kept.counts["added"] -= kept.counts["replaced"]
    return kept


def _node(section: Section, place: int, given: Given) -> NewNode:
    terms, words = analyse(section.text)
    return NewNode(
        section.text, terms, given.at, "semantic", SECTION, origin=given.origin, trust=ORIGINS[given.origin],
        attributes={"headings": list(section.headings), "mark": section.mark, "place": place}, made_by=MADE_BY,
        words=words,
    )  # fmt: skip


def _step(tx: Tx, space_name: str, given: Given, ready: dict[str, NewNode]) -> Kept:
    """One transaction: some of the new sections, or the last of them and the end of the old ones."""
    space = tx.space(space_name)
    row = given.row if given.row is not None else documents.row_of_path(tx, space, given.source)
    card = None if row is None else documents.state(tx.connection, row)
    if given.row is not None and card is None:
        return Kept(done=True)  # erased meanwhile, and so it stays
    base = str(card.attributes.get("base", card.key)) if card else f"card:{given.source}"
    known = documents.sections(tx.connection, card.row) if card else []
    live: dict[str, SectionState] = {}
    for old in known:
        if not old.ended:
            live.setdefault(old.mark, old)
    new, erased = _keys(tx, space, base, [s for s in given.document.sections if s.mark not in live])
    out = Kept(counts=Counter({"erased": erased, "kept": len(given.document.sections) - len(new) - erased}))
    if card is None:
        if erased and not new:
            raise InvalidInput("path", *ERASED)
        card, out.new = _new(tx, space, base, given), True
    else:
        _update(tx, space, card, given)
    out.row = card.row
    source = documents.source_of(tx, space, given.source)
    written = _write(tx, space_name, card, new[:BATCH], ready, source)
    out.counts["added"] = len(written)
    if len(new) > BATCH:
        return out
    wanted = {section.mark for section in given.document.sections}
    gone = [old for old in known if not old.ended and (old.mark not in wanted or live[old.mark].row != old.row)]
    newest = max((old.row for old in gone), default=0)
    earlier = [s for s in live.values() if s.mark in wanted and s.begins == given.at and s.row > newest]
    heirs = [(s.row, s.headings) for s in earlier] + [(row, section.headings) for row, section in written]
    _end(tx, space_name, gone, heirs, given, out)
    state = {**card.attributes, **given.state}
    if state != card.attributes:
        documents.put_state(tx, card.row, state)
    out.done = True
    return out


def _keys(tx: Tx, space: SpaceRow, base: str, new: Sequence[Section]) -> tuple[list[tuple[str, Section]], int]:
    """A free key for each new section, and how many were erased and stay so. A text that comes back after it had ended
    is a new section: what was so twice has two intervals."""
    out: list[tuple[str, Section]] = []
    erased = 0
    for section in new:
        key = first = f"{base}#{section.mark}"
        number = 1
        while tx.row_of(key_id(space.name, key)) is not None:
            number += 1
            key = f"{first}@{number}"
        if space.tombstones and tx.is_erased(space, key_id(space.name, key)):
            erased += 1
        else:
            out.append((key, section))
    return out, erased


def _new(tx: Tx, space: SpaceRow, base: str, given: Given) -> CardState:
    values = ("card", 0, given.state.get("size", 0), 0, given.state.get("hash", ""), "")
    source = documents.source_of(tx, space, given.source)
    number = tx.put_source(space.name, given.source, values) if source is None else source
    key, count = base, 1
    while _taken(tx, space, key):  # by a card whose file has moved away, or that was erased
        count += 1
        key = f"{base}@{count}"
    title = str(given.state.get("given") or given.state.get("name") or CARD)
    terms, words = analyse(title)
    node = NewNode(
        title, terms, given.at, "semantic", CARD, key=key, origin=given.origin, trust=ORIGINS[given.origin],
        importance=1.0 if given.importance is None else given.importance, attributes={"base": base, "title": title},
        made_by=MADE_BY, words=words,
    )  # fmt: skip
    row = tx.add(space.name, [node], source=number)[0].row
    made = documents.state(tx.connection, row)
    assert made is not None
    return made


def _taken(tx: Tx, space: SpaceRow, key: str) -> bool:
    id_ = key_id(space.name, key)
    return tx.row_of(id_) is not None or tx.is_erased(space, id_)


def _update(tx: Tx, space: SpaceRow, card: CardState, given: Given) -> None:
    """The file of a known card: moved, back, or asked for again."""
    if given.source != card.attributes.get("path", given.source):
        values = ("card", 0, given.state.get("size", 0), 0, given.state.get("hash", ""), "")
        documents.move(tx, space, card, given.source, values)
    if card.hidden_at is not None and (given.shown or card.gone):
        documents.show_again(tx, space, card, actor=given.actor)
    if given.importance is not None:
        facts.alter(tx, space, card.row, "importance", {"importance": given.importance}, actor=given.actor, why="given")


def _write(
    tx: Tx, space_name: str, card: CardState, new: Sequence[tuple[str, Section]], ready: dict[str, NewNode],
    source: int | None,
) -> list[tuple[int, Section]]:  # fmt: skip
    nodes = []
    for key, section in new:
        node = ready[section.mark]
        node.key = key
        nodes.append(node)
    if not nodes:
        return []
    out = []
    for (_, section), written in zip(new, tx.add(space_name, nodes, source=source), strict=True):
        if written.outcome == "stored":
            facts.support(tx, written.row, card.row, "")
            out.append((written.row, section))
    return out


def _end(
    tx: Tx, space_name: str, gone: Sequence[SectionState], new: Sequence[tuple[int, tuple[str, ...]]], given: Given,
    out: Kept,
) -> None:  # fmt: skip
    """End what is no longer there; what is new under the same headings takes its place, in order."""
    space = tx.space(space_name)
    heirs: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, headings in new:
        heirs[headings].append(row)
    for old in gone:
        until = max(given.at, old.begins)
        heir = heirs[old.headings].pop(0) if heirs[old.headings] else None
        if heir is not None:
            facts.supersede(
                tx, space, old.row, heir, until, confidence=1.0, stability=None, actor=given.actor, why=REPLACED
            )
            out.counts["replaced"] += 1
        else:
            values = {"valid_until": until, "closed_at": tx.clock.now()}
            facts.alter(tx, space, old.row, "ended", values, actor=given.actor, why=REMOVED)
            out.counts["removed"] += 1
