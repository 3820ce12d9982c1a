"""Entities that are one under two entries, found at night: names were linked as they came, some before others.

Merged is only what the names alone make certain: somebody in another case or script («Александру», "Aleksandr" for
«Александр»), and a bare name of no known type that is exactly the name of one known thing. Initials, first names and
nicknames are left to the talk they were said in (:mod:`.link`). What a person has taken apart stays apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import NotFound
from ..models import Act
from ..phase import PhaseContext, PhaseResult
from ..store import entities
from ..store.base import Store
from ..store.tx import Tx
from ..text.name_forms import name_keys
from ..text.name_likeness import same_name
from .link import UNTYPED

#: Likeness of whole names from which two persons are one.
CERTAIN = 0.9
#: Names that share a key with more others than this are too common to say anything.
MOST_ALIKE = 50
MOST = 20_000  # entities looked at in one night, the most mentioned first


@dataclass(frozen=True, slots=True)
class Known:
    """An entity as it is compared: folded names without repeats."""

    id: str
    type: str
    name: str
    names: frozenset[str]
    mentions: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entries that are one: the more mentioned is kept."""

    keep: Known
    gone: Known
    why: str


def merge_same(store: Store, space: str, night: PhaseContext) -> PhaseResult:
    """The phase: merge entities that are certainly one; each merge is a logged act that ``undo`` takes back."""
    out = PhaseResult()
    with store.snapshot():
        found = store.entity_list(space, None, MOST)
        apart = store.kept_apart(space)
    known = [Known(e.id, e.type, e.name, frozenset(e.aliases), e.mentions) for e in found]
    out.counts["looked_at"] = len(known)
    for pair in pairs(known):
        if night.stop():
            out.finished = False
            break
        if frozenset((pair.keep.id, pair.gone.id)) in apart:
            continue
        change = None if night.dry_run else store.run(lambda tx, p=pair: _merge(tx, space, p, night.actor))  # type: ignore[misc]
        if change is not None or night.dry_run:
            out.acts.append(Act("merged", pair.gone.id, pair.why, other=pair.keep.id, change=change))
            out.counts["merged"] += 1
    return out


def _merge(tx: Tx, space: str, pair: Pair, actor: str) -> int | None:
    try:
        return entities.merge(tx, space, pair.keep.id, pair.gone.id, actor=actor, why=pair.why)
    except NotFound:  # erased or merged meanwhile
        return None


def pairs(known: Sequence[Known]) -> list[Pair]:
    """Which entities are one, each gone once, by what is known of all: an entity with two likely partners is left."""
    partners: dict[str, list[Pair]] = defaultdict(list)
    for pair in (*_untyped(known), *_persons(known)):
        partners[pair.gone.id].append(pair)
    sure = [found[0] for found in partners.values() if len({p.keep.id for p in found}) == 1 and found[0].why]
    gone = {pair.gone.id for pair in sure}
    return sorted((p for p in sure if p.keep.id not in gone), key=lambda p: p.gone.id)


def _untyped(known: Sequence[Known]) -> Iterator[Pair]:
    """A name of no type that exactly one typed entity has."""
    typed: dict[str, list[Known]] = defaultdict(list)
    for entity in known:
        if entity.type != UNTYPED:
            for name in entity.names:
                typed[name].append(entity)
    for entity in known:
        if entity.type == UNTYPED:
            owners = {owner.id: owner for name in entity.names for owner in typed.get(name, ())}
            for owner in owners.values():
                yield Pair(owner, entity, f"the same name, now known as {owner.type}")


def _persons(known: Sequence[Known]) -> Iterator[Pair]:
    """Persons whose whole names are forms of one."""
    by_key: dict[str, list[int]] = defaultdict(list)
    persons = [entity for entity in known if entity.type == "person"]
    for n, entity in enumerate(persons):
        for key in {key for name in entity.names for key in name_keys(name) if not key.endswith(".")}:
            by_key[key].append(n)
    seen: set[tuple[int, int]] = set()
    for members in by_key.values():
        if not 1 < len(members) <= MOST_ALIKE:
            continue
        for place, one in enumerate(members):
            for other in members[place + 1 :]:
                if (one, other) in seen:
                    continue
                seen.add((one, other))
                keep, gone = sorted((persons[one], persons[other]), key=lambda e: (-e.mentions, e.id))
                why = _one(keep, gone)
                if why is not None:
                    yield Pair(keep, gone, why)


def _one(keep: Known, gone: Known) -> str | None:
    """Why two persons are one: their full names agree as a whole. "" where they are one only in one of several readings of a
    form: «Валентину Иванову» is Валентин or Валентина, and where both are known, it goes to neither."""
    evidence = same_name(keep.name, gone.name)
    if evidence.whole and evidence.score >= CERTAIN:
        return evidence.reason
    return "" if evidence.whole and "several" in evidence.kinds else None


__all__ = ["Known", "Pair", "merge_same", "pairs"]
