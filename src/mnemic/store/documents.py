"""Cards in the file: a node for each reference document, nodes for its sections, and how both are told from the rest.

Functions on an open transaction (``tx``), a reader's connection, or the columns of a space. What a document says stands
in its sections; the card itself holds what was made of them (digest, rule) and the state of its file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.ready import analyse
from .columns import Columns
from .facts import F, hidden_with
from .queries import load
from .rows import dump_json
from .tx import Q, SpaceRow, Tx

C = load("documents.sql")
CARD, SECTION = "card", "card_section"
MADE_BY = "cards/1"
GONE = "file gone"  # why a card is hidden whose file is not there
#: What a card knows of itself when the words of its document may no longer stand in it.
STATE = frozenset({"base", "path", "root", "mtime_ns", "size", "hash", "given", "name"})


@dataclass(frozen=True, slots=True)
class CardState:
    """A card as it stands in the file."""

    row: int
    id: str
    key: str
    content: str
    attributes: Mapping[str, Any]
    hidden_at: int | None
    hidden_why: str | None
    source: int | None
    importance: float
    origin: str
    made_by: str | None

    @property
    def gone(self) -> bool:
        """Whether it is hidden for nothing but its missing file."""
        return self.hidden_at is not None and self.hidden_why == GONE


@dataclass(frozen=True, slots=True)
class SectionState:
    """A section that a card has or had: ``headings`` lead to it, ``mark`` is the hash of its text."""

    row: int
    id: str
    headings: tuple[str, ...]
    mark: str
    begins: int
    ended: bool
    hidden_why: str | None


# -- telling them apart -----------------------------------------------------------------------------------------------


def labelled(columns: Columns, label: str) -> NDArray[np.bool_] | None:
    """Which rows are cards or sections; ``None`` where there are none. A fact that a user called so has no source."""
    code = columns.code("label", label)
    if code < 0:
        return None
    found: NDArray[np.bool_] = (columns.label == code) & (columns.source > 0)
    return found if found.any() else None


def drop(mask: NDArray[np.bool_], rows: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """A mask without some rows; ``None``: there are none."""
    return mask if rows is None else mask & ~rows


def left_out(mask: NDArray[np.bool_], columns: Columns) -> NDArray[np.bool_]:
    """A mask without cards and sections: what was said or is believed, not what stands in documents."""
    for label in (CARD, SECTION):
        mask = drop(mask, labelled(columns, label))
    return mask


def rows_of_cards(columns: Columns) -> list[int]:
    """Row numbers of all cards of a space, hidden ones too."""
    found = labelled(columns, CARD)
    return [] if found is None else [int(row) for row in columns.row[found]]


# -- reading ----------------------------------------------------------------------------------------------------------


def state(connection: Any, row: int) -> CardState | None:
    """A card by its row."""
    found = connection.execute(C.card_state, (row,)).fetchone()
    if found is None:
        return None
    row, id_, key, content, attributes, *rest = found
    return CardState(row, id_, key or "", content, json.loads(attributes or "{}"), *rest)


def sections(connection: Any, card: int) -> list[SectionState]:
    """Every section a card ever had, in the order they were written."""
    out = []
    for row, id_, attributes, begins, until, _, why in connection.execute(C.sections_of, (card,)):
        known = json.loads(attributes or "{}")
        headings = tuple(map(str, known.get("headings", ())))
        out.append(SectionState(row, id_, headings, str(known.get("mark", "")), begins, until is not None, why))
    return out


def among(connection: Any, rows: Collection[int]) -> set[int]:
    """Those of some rows that are sections of documents."""
    return {row for (row,) in connection.execute(C.sections_among, (json.dumps(sorted(rows)),))} if rows else set()


def row_of_path(tx: Tx, space: SpaceRow, path: str) -> int | None:
    """The card of a file, whether offered or not."""
    found = tx.connection.execute(C.card_of_path, (space.no, path)).get
    return None if found is None else int(found)


def source_of(tx: Tx, space: SpaceRow, path: str) -> int | None:
    """The number of a file, ``None`` where it is not known."""
    found = tx.connection.execute(C.source_of, (space.no, path)).get
    return None if found is None else int(found)


# -- writing ----------------------------------------------------------------------------------------------------------


def put_state(tx: Tx, row: int, attributes: Mapping[str, Any]) -> None:
    """Write what a card knows of its file; nothing that is searched changes."""
    tx.connection.execute(C.set_attributes, (dump_json(attributes), row))


def describe(
    tx: Tx, space: SpaceRow, row: int, content: str, attributes: Mapping[str, Any], *, made_by: str, at: int,
    digest: bytes,
) -> None:  # fmt: skip
    """Put a digest and a rule into a card; readers and the embedder look at it again.

    ``recorded_at`` moves with it: asked what was known earlier, a card that was made later is not offered.
    """
    terms, words = analyse(content)
    values = (content, digest, words, dump_json(attributes), made_by, at, tx.clock.now(), row)
    tx.connection.execute(C.describe, values)
    tx.reindex(row, terms)
    tx.changed_text(space, row)


def move(tx: Tx, space: SpaceRow, card: CardState, path: str, values: Sequence[Any]) -> None:
    """The file of a card has another name: card and sections follow it."""
    source = source_of(tx, space, path) or tx.put_source(space.name, path, values)
    tx.connection.execute(C.move_rows, (source, card.row))
    tx.changed(space, [card.row, *(section.row for section in sections(tx.connection, card.row))])


def hide_gone(tx: Tx, space: SpaceRow, card: CardState, *, actor: str) -> None:
    """The file is gone: the card is not offered, nor are its sections."""
    tx.hide(space.name, [card.row], GONE, actor=actor)
    rows = [s.row for s in sections(tx.connection, card.row) if s.hidden_why is None]
    tx.hide(space.name, rows, f"source {GONE}", actor=actor)


def show_again(tx: Tx, space: SpaceRow, card: CardState, *, actor: str) -> None:
    """Offer a hidden card again, and what was hidden along with it; a section that was hidden by itself stays so."""
    rows = [section.row for section in sections(tx.connection, card.row)]
    tx.unhide(space.name, [card.row, *hidden_with(tx.connection, rows, f"source {card.hidden_why}")], actor=actor)


def blank(tx: Tx, space: SpaceRow, gone: Collection[int]) -> int:
    """Sections are about to be erased: what was made of them goes from the cards that stay. Returns how many those are.

    The next refresh makes digest and rule again, from the sections that are left.
    """
    rows = [row for (row,) in tx.connection.execute(C.cards_losing, (json.dumps(sorted(gone)),))]
    for row in rows:
        card = state(tx.connection, row)
        if card is None:
            continue
        path = str(card.attributes.get("path") or "")
        title = str(card.attributes.get("given") or card.attributes.get("name") or PurePath(path).stem or CARD)
        kept = {name: value for name, value in card.attributes.items() if name in STATE}
        at = int(tx.connection.execute(F.begins, (row,)).get)
        describe(tx, space, row, title, {**kept, "title": title}, made_by=MADE_BY, at=at, digest=b"")
    if rows:  # names that the digests spoke of
        named = json.dumps([entity for (entity,) in tx.connection.execute(Q.doomed_entities, (json.dumps(rows),))])
        tx.connection.execute(Q.delete_mentions, (json.dumps(rows),))
        tx.connection.execute(Q.recount_entities, (named,))
    return len(rows)
