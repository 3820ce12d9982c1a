"""Entities on an open transaction: found, made, named, merged, split, and all of that undone.

Facts hold the *text* of their subject and object, and the number of the entity they are about in their slot. So a merge
moves mentions, aliases and slots, and rewrites no memory.

What changes an entity by decision (a merge, a split, a new name or type) is logged in ``changes`` under an act
``entity.*`` with all that :func:`undo` needs. Mentions and profiles are derived and not logged by themselves.
Everything happens inside one space; an id of another space is not found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, NotFound
from ..models import Entity
from ..text.analyse import terms
from ..text.names import alias
from .queries import load
from .rows import entity_from, first_row, last_row
from .tx import Q, SpaceRow, Tx

E, F = load("entities.sql"), load("facts.sql")
#: Rows of one entity that are read to see whom it is mentioned with.
MAX_TOGETHER = 200


@dataclass(frozen=True, slots=True)
class EntityRow:
    """A row of ``entities`` (``space`` is the number of the space, ``profile`` JSON text)."""

    no: int
    id: str
    space: int
    type: str
    name: str
    profile: str | None
    mentions: int
    first_seen: int | None
    last_seen: int | None


# -- looking up -------------------------------------------------------------------------------------------------------


def get(tx: Tx, space: str, entity: str) -> EntityRow:
    """The entity of an id.

    Raises:
        NotFound: there is none in this space.
    """
    return _get(tx, tx.space(space), entity)


def aliases(connection: Any, no: int) -> list[tuple[str, str]]:
    """Names of an entity as they are looked up, each with the type it stands under. Reads only."""
    return [(name, type_) for name, type_ in connection.execute(E.aliases, (no,))]


def together(connection: Any, numbers: Iterable[int]) -> dict[int, list[int]]:
    """Entities (numbers) that the same memories mention, the most frequent first. Reads only."""
    out: dict[int, list[int]] = {}
    for no, other, _ in connection.execute(E.together, (json.dumps(list(numbers)), MAX_TOGETHER)):
        out.setdefault(no, []).append(other)
    return out


def of_type(tx: Tx, space: SpaceRow, type_: str, most: int) -> list[tuple[int, Entity]]:
    """Entities of a type by number, at most so many, the most mentioned first."""
    return [
        (r[0], entity_from(r, space.name)) for r in tx.connection.execute(F.entities_of_type, (space.no, type_, most))
    ]


def called(tx: Tx, space: SpaceRow, name: str, type_: str) -> list[tuple[int, Entity]]:
    """Those of a type that have a name."""
    found = tx.connection.execute(F.entity_of_alias, (space.no, alias(name), type_))
    return [(row[0], entity_from(row, space.name)) for row in found]


def meant_by(connection: Any, space_no: int, act: str, before: str | None) -> set[int]:
    """Numbers of the entities that a logged act was about, as far as they are there. Reads only."""
    if act == "entity.undo":
        undone = connection.execute(E.change, (space_no, int(before or 0))).fetchone()
        before = undone[1] if undone else None
    content = json.loads(before) if before else {}
    ids = [content[name] for name in ("entity", "other") if name in content] if isinstance(content, dict) else []
    found = [connection.execute(E.entity_of_id, (space_no, id_)).fetchone() for id_ in ids]
    return {row[0] for row in found if row is not None}


# -- making -----------------------------------------------------------------------------------------------------------


def create(tx: Tx, space_name: str, name: str, type_: str, further: Iterable[str] = ()) -> str:
    """Make an entity and return its id; where the space has one of this name and type already, that one's."""
    space = tx.space(space_name)
    held = tx.entity(space, name, type_)
    if held is not None:
        return row_of(tx, held).id
    no, id_ = tx.new_entity(space, name, type_)
    for other in further:
        tx.connection.execute(Q.new_alias, (space.no, alias(other), type_, no))
    return id_


def edit(
    tx: Tx, space_name: str, entity: str, *, name: str | None = None, type_: str | None = None, actor: str,
    why: str = "",
) -> int:  # fmt: skip
    """Change the name or the type of an entity; its aliases go with the type. Returns the number of the change.

    Raises:
        InvalidInput: another entity of the type has that name: they are to be merged.
    """
    space = tx.space(space_name)
    found = _get(tx, space, entity)
    new_name, new_type = name or found.name, type_ or found.type
    before = {"entity": entity, "name": found.name, "type": found.type, "aliases": aliases(tx.connection, found.no)}
    held = tx.connection.execute(Q.alias_entity, (space.no, alias(new_name), new_type)).get
    if held not in (None, found.no):
        raise InvalidInput("name", "another entity of this type has it", "merge the two")
    tx.connection.execute(E.set_entity, (new_type, new_name, found.profile, found.no))
    if new_type != found.type:
        for old, under in aliases(tx.connection, found.no):
            _move_alias(tx, space, (old, under), new_type, found.no)
    tx.connection.execute(Q.new_alias, (space.no, alias(new_name), new_type, found.no))
    return tx.log(space, actor, "entity.edit", None, before, {"name": new_name, "type": new_type}, why or None)


def set_profile(tx: Tx, space_name: str, entity: str, profile: str | None) -> None:
    """Store the profile of an entity, JSON text (see :mod:`mnemic.consolidate.profile`)."""
    found = _get(tx, tx.space(space_name), entity)
    tx.connection.execute(E.set_entity, (found.type, found.name, profile, found.no))


# -- merging and splitting --------------------------------------------------------------------------------------------


def merge(tx: Tx, space_name: str, keep: str, gone: str, *, actor: str, why: str = "") -> int:
    """Make two entities one: mentions and aliases of ``gone`` go to ``keep``. Returns the number of the change.

    Raises:
        NotFound: one of them is not in this space. InvalidInput: they are the same.
    """
    space, execute = tx.space(space_name), tx.connection.execute
    one, other = _get(tx, space, keep), _get(tx, space, gone)
    if one.no == other.no:
        raise InvalidInput("merge", "an entity cannot be merged with itself")
    rows, own = _rows(tx, other.no), set(_rows(tx, one.no))
    names = aliases(tx.connection, other.no)
    before = {
        "entity": keep,
        "other": gone,
        "gone": [other.no, other.id, other.type, other.name, other.profile, other.first_seen, other.last_seen],
        "mentions": [one.mentions, other.mentions],
        "seen": [one.first_seen, one.last_seen],
        "profile": one.profile,
        "aliases": names,
        "rows": rows,
        "both": [row for row in rows if row in own],
    }
    before["slots"] = [row for (row,) in execute(E.slots_of, (other.no,))]
    execute(E.move_slots, (one.no, json.dumps(before["slots"])))
    _mention(tx, space, one.no, rows)
    moved = [(name, _move_alias(tx, space, (name, under), one.type, one.no)) for name, under in names]
    execute(E.delete_entity, (other.no,))
    execute(E.recount, (one.no,))
    return tx.log(space, actor, "entity.merge", None, before | {"moved": moved}, {"name": one.name}, why or None)


def split(
    tx: Tx, space_name: str, entity: str, name: str, *, rows: Sequence[int] | None = None, type_: str | None = None,
    actor: str, why: str = "",
) -> tuple[int, str]:  # fmt: skip
    """Take a name out of an entity into one of its own, with the mentions that are by this name.

    Args:
        name: one of its aliases, as the new entity is to be written. rows: mentions that go with it; by default those
            whose text calls it so and by no other name of the old entity; those that call it both ways stay in both.
        type_: of the new entity, by default that of the old one.

    Returns:
        The number of the change and the id of the new entity.

    Raises:
        NotFound: the entity has no such name. InvalidInput: it has no other, or the name is taken in that type.
    """
    space, execute = tx.space(space_name), tx.connection.execute
    old = _get(tx, space, entity)
    taken = alias(name)
    names = aliases(tx.connection, old.no)
    mine = [pair for pair in names if pair[0] == taken]
    rest = sorted({other for other, _ in names if other != taken})
    if not mine:
        raise NotFound("name", name)
    if not rest:
        raise InvalidInput("name", "it is the only name of the entity", "rename the entity instead")
    held = execute(Q.alias_entity, (space.no, taken, type_ or old.type)).get
    if held not in (None, old.no):
        raise InvalidInput("name", "another entity of this type has it", "merge the two")
    had = _rows(tx, old.no)
    texts = execute(E.texts, (json.dumps(had),)).fetchall()
    called = {row: _called([str(part) for part in parts if part], [taken, *rest]) for row, *parts in texts}
    if rows is None:
        rows = [row for row in had if taken in called[row]]
        stay = {row for row in rows if len(called[row]) > 1}
    else:
        rows, stay = sorted(set(rows) & set(had)), set()
    new = tx.clock.new_id()
    execute(Q.new_entity, (new, space.no, type_ or old.type, name))
    no = tx.connection.last_insert_rowid()
    for pair in mine:
        execute(E.drop_alias, (space.no, *pair, old.no))
    execute(Q.new_alias, (space.no, taken, type_ or old.type, no))
    _mention(tx, space, no, rows)
    moved = [row for row in rows if row not in stay]
    slots = [row for (row,) in execute(E.slots_of, (old.no,)) if row in set(moved)]
    execute(E.move_slots, (no, json.dumps(slots)))
    execute(E.drop_mentions, (old.no, json.dumps(moved)))
    left = _surface(tx, space, rest) if alias(old.name) == taken else old.name
    execute(E.set_entity, (old.type, left, old.profile, old.no))
    for changed in (old.no, no):
        execute(E.recount, (changed,))
    before = {
        "entity": entity, "other": new, "name": old.name, "left": left, "profile": old.profile, "aliases": mine,
        "mentions": [old.mentions], "seen": [old.first_seen, old.last_seen], "rows": moved, "slots": slots,
    }  # fmt: skip
    return tx.log(space, actor, "entity.split", None, before, {"name": name}, why or None), new


# -- undoing ----------------------------------------------------------------------------------------------------------


def undo(tx: Tx, space_name: str, change: int, *, actor: str, why: str = "") -> int:
    """Undo a logged change of entities; returns the number of the change that says so.

    What came later stays: mentions that the kept entity got after a merge are its own, a name that has gone on to a
    third entity is that one's, erased rows stay erased.

    Raises:
        NotFound: no such change in this space, or the entity is there no more (a later merge took it and
            is to be undone first). InvalidInput: it is undone already.
    """
    space = tx.space(space_name)
    found = tx.connection.execute(E.change, (space.no, change)).fetchone()
    if found is None or found[0] not in _UNDO or found[1] is None:
        raise NotFound("change", str(change))
    if tx.connection.execute(E.undone, (space.no, str(change))).fetchone():
        raise InvalidInput("change", "it is undone already")
    before = json.loads(found[1])
    entity = _get(tx, space, before["entity"])
    _UNDO[found[0]](tx, space, entity, before)
    return tx.log(space, actor, "entity.undo", None, change, None, why or None)


def _undo_merge(tx: Tx, space: SpaceRow, keep: EntityRow, before: dict[str, Any]) -> None:
    execute = tx.connection.execute
    no, id_, type_, name, profile, first, last = before["gone"]
    if execute(E.entity_of_id, (space.no, id_)).fetchone():
        raise InvalidInput("change", "the entity is there already")
    new = int(execute(E.put_entity, (no, id_, space.no, type_, name, profile, first, last)).get)
    for (alias_, under), (_, moved) in zip(before["aliases"], before["moved"], strict=True):
        if moved is not None:  # else the kept one had the name itself
            execute(E.drop_alias, (space.no, alias_, moved, keep.no))
        execute(Q.new_alias, (space.no, alias_, under, new))
    execute(E.move_slots, (new, json.dumps(before["slots"])))
    has, both = set(_rows(tx, keep.no)), set(before["both"])
    rows = [row for row in before["rows"] if row in has]
    _mention(tx, space, new, rows)
    execute(E.drop_mentions, (keep.no, json.dumps([row for row in rows if row not in both])))
    execute(E.set_entity, (keep.type, keep.name, before["profile"], keep.no))
    _settle(tx, keep.no, before["mentions"][0], before["seen"])
    _settle(tx, new, before["mentions"][1], [first, last])


def _undo_split(tx: Tx, space: SpaceRow, old: EntityRow, before: dict[str, Any]) -> None:
    execute = tx.connection.execute
    new = _get(tx, space, before["other"])
    _mention(tx, space, old.no, _rows(tx, new.no))
    names = aliases(tx.connection, new.no)
    execute(E.move_slots, (old.no, json.dumps([row for (row,) in execute(E.slots_of, (new.no,))])))
    execute(E.delete_entity, (new.no,))
    back = [tuple(pair) for pair in before["aliases"]]
    for name, under in [*back, *((n, old.type) for n, _ in names if n not in {n for n, _ in back})]:
        execute(Q.new_alias, (space.no, name, under, old.no))
    name = before["name"] if old.name == before["left"] else old.name
    execute(E.set_entity, (old.type, name, before["profile"], old.no))
    _settle(tx, old.no, before["mentions"][0], before["seen"])


def _undo_edit(tx: Tx, space: SpaceRow, entity: EntityRow, before: dict[str, Any]) -> None:
    execute, wanted = tx.connection.execute, {tuple(pair) for pair in before["aliases"]}
    names = {name for name, _ in wanted}
    for pair in aliases(tx.connection, entity.no):
        if pair in wanted:
            continue
        execute(E.drop_alias, (space.no, *pair, entity.no))
        if pair[0] not in names and pair[0] != alias(entity.name):  # learned since
            wanted.add((pair[0], before["type"]))
    execute(E.set_entity, (before["type"], before["name"], entity.profile, entity.no))
    for pair in sorted(wanted):
        execute(Q.new_alias, (space.no, *pair, entity.no))


_UNDO = {
    "entity.merge": _undo_merge,
    "entity.split": _undo_split,
    "entity.edit": _undo_edit,
}


def scrub(tx: Tx, space_name: str) -> int:
    """After an erasure: take names and profiles of what is gone out of the log and of profiles; returns how many.

    A change stays, without its content, where an entity of it neither exists nor could come back by undoing a merge.
    """
    space, execute = tx.space(space_name), tx.connection.execute
    alive = {id_ for (id_,) in execute(E.entity_ids, (space.no,))}
    undone: dict[str, int] = {}
    count = 0
    for no, act, before, after in execute(E.entity_changes, (space.no,)).fetchall():  # the newest first
        if act == "entity.undo":
            undone[before or ""] = no
            continue
        content = json.loads(before) if before else {}
        if not content:
            continue
        if act == "entity.merge" and str(no) not in undone and content["entity"] in alive:
            alive.add(content["other"])
        if {content["entity"], content.get("other", content["entity"])} <= alive:
            _strip(tx, no, content, after)
            continue
        for blank in filter(None, (no, undone.get(str(no)))):
            execute(E.blank_change, (blank,))
            count += 1
    execute(E.drop_profiles, (space.no,))
    return count + int(tx.connection.changes())


# -- parts ------------------------------------------------------------------------------------------------------------


def _get(tx: Tx, space: SpaceRow, entity: str) -> EntityRow:
    found = tx.connection.execute(E.entity_of_id, (space.no, entity)).fetchone()
    if found is None:
        raise NotFound("entity", entity)
    return EntityRow(*found)


def row_of(tx: Tx, no: int) -> EntityRow:
    """The entity of a number that is there."""
    return EntityRow(*tx.connection.execute(E.entity, (no,)).fetchone())


def _rows(tx: Tx, no: int) -> list[int]:
    return [row for (row,) in tx.connection.execute(E.rows_of, (no,))]


def _mention(tx: Tx, space: SpaceRow, no: int, rows: Sequence[int]) -> int:
    tx.connection.execute(E.put_mentions, (no, json.dumps(list(rows)), first_row(space.no), last_row(space.no)))
    return int(tx.connection.changes())


def _move_alias(tx: Tx, space: SpaceRow, pair: tuple[str, str], type_: str, to: int) -> str | None:
    """Put an alias under a type and an entity; returns the type it stands under now, ``None``: it was there already.

    Where a third entity of the type has the name, it keeps it, and the alias stays under its old type.
    """
    execute = tx.connection.execute
    name, under = pair
    holder = execute(Q.alias_entity, (space.no, name, under)).get
    if holder is not None:
        execute(E.drop_alias, (space.no, name, under, holder))
    held = execute(Q.alias_entity, (space.no, name, type_)).get
    if held == to:
        return None
    wanted = type_ if held is None else under
    execute(Q.new_alias, (space.no, name, wanted, to))
    return wanted


def _settle(tx: Tx, no: int, mentions: int, seen: Sequence[int | None]) -> None:
    """Counts as they are; the times as they were where nothing has changed since."""
    tx.connection.execute(E.recount, (no,))
    if row_of(tx, no).mentions == mentions:
        tx.connection.execute(E.set_seen, (*seen, no))


def _strip(tx: Tx, no: int, content: dict[str, Any], after: str | None) -> None:
    """Profiles in the log may quote what was erased; they are made again."""
    if "profile" not in content:
        return
    content["profile"] = None
    if "gone" in content:
        content["gone"][4] = None
    tx.connection.execute(E.set_before, (json.dumps(content, ensure_ascii=False, separators=(",", ":")), no))


def _called(texts: Sequence[str], names: Sequence[str]) -> set[str]:
    """By which of the names some texts call an entity: the longest at each place, in any case form."""
    wanted = sorted(((terms(name), name) for name in names), key=lambda pair: -len(pair[0]))
    out = set()
    for text in texts:
        words, at = terms(text), 0
        while at < len(words):
            hit = next(((t, n) for t, n in wanted if t and words[at : at + len(t)] == t), None)
            if hit:
                out.add(hit[1])
            at += len(hit[0]) if hit else 1
    return out


def _surface(tx: Tx, space: SpaceRow, names: Sequence[str]) -> str:
    """How a name was written before a merge took its entity away; else as it is looked up. The longest of the names."""
    written: dict[str, str] = {}
    for _, act, before, _ in tx.connection.execute(E.entity_changes, (space.no,)):
        if act == "entity.merge" and before:
            name = json.loads(before)["gone"][3]
            written.setdefault(alias(name), name)
    best = max(names, key=lambda name: (name in written, len(name), name))
    return str(written.get(best, best))
