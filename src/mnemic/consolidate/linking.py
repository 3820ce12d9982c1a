"""From names to entities of the file, within one transaction: what :mod:`.link` decides, put down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..models import Entity
from ..store import entities
from ..store.tx import SpaceRow, Tx
from ..text.names import alias
from .claims import USER, Candidate, Named, Said
from .link import UNTYPED, Known, Resolution, Talk, resolve

SURE = 0.5  # belief in a link from which it counts as one
#: Types of what may be named without saying what it is.
_THINGS = ("organization", "project", "tool")
MOST = 5_000  # entities of one type that a name is compared with, the most mentioned first


@dataclass(slots=True)
class Linker:
    """Finds or makes the entities that a page of episodes speaks of.

    Attributes:
        tx, space: where. unclear: entity number → ids of those whom its name could mean.
    """

    tx: Tx
    space: SpaceRow
    unclear: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _names: dict[int, str] = field(default_factory=dict)
    _known: dict[str, list[Known]] = field(default_factory=dict)
    _found: dict[tuple[str, str], int] = field(default_factory=dict)
    _present: set[str] = field(default_factory=set)

    def named(self, named: Named, row: int, at: int) -> int:
        """An entity that an episode names; the episode mentions it."""
        entity = self.entity(named.name, named.type, named.aliases, at)
        self.mention(entity, row, at)
        return entity

    def subject(self, candidate: Candidate, said: Said | None = None, row: int | None = None) -> int:
        """The entity a fact is about; ``user`` is the unnamed user of the space."""
        further = candidate.aliases.get(candidate.subject, ())
        entity = self.entity(candidate.subject, candidate.subject_type, further, candidate.event_time)
        if said is not None and row is not None:
            self.mention(entity, row, said.at)
        return entity

    def object(self, candidate: Candidate, row: int) -> int:
        """The entity that is the value of a fact; the fact mentions it."""
        further = candidate.aliases.get(candidate.object, ())
        entity = self.entity(candidate.object, candidate.object_type or UNTYPED, further, candidate.event_time)
        self.mention(entity, row, candidate.event_time)
        return entity

    def mention(self, entity: int, row: int, at: int) -> None:
        """Link a row to an entity."""
        self.tx.mention(entity, [(row, at)])

    def name(self, entity: int) -> str:
        """Canonical name of an entity."""
        if entity not in self._names:
            self._names[entity] = entities.row_of(self.tx, entity).name
        return self._names[entity]

    def entity(self, name: str, type_: str, further: tuple[str, ...] = (), at: int | None = None) -> int:
        """Number of the entity that a name means here, made if nobody known is meant."""
        key = (alias(name), type_)
        if key in self._found:
            return self._found[key]
        if name == USER:
            found = self.tx.entity(self.space, USER, "person") or self._make(USER, "person")
        else:
            found = self._resolved(Named(name, type_, "", further), at)
        self._found[key] = found
        return found

    # -- inside -------------------------------------------------------------------------------------------------------

    def _typed(self, named: Named) -> int | None:
        """The one thing known by exactly this name, for a name of which the words around it do not say what it is.

        «Наш офис» is an organisation, «офис теперь …» a concept; a name before a verb counts as a person's until
        somebody says that it is a firm's.
        """
        if named.type not in (UNTYPED, "person") or self.tx.entity(self.space, named.name, named.type) is not None:
            return None
        found = {entity for type_ in _THINGS if (entity := self.tx.entity(self.space, named.name, type_)) is not None}
        return found.pop() if len(found) == 1 else None

    def _resolved(self, named: Named, at: int | None) -> int:
        if (typed := self._typed(named)) is not None:
            return typed
        if named.type == UNTYPED:
            # Words of no known kind are the most of all names, and likeness says nothing of them: their own name or none.
            return self.tx.entity(self.space, named.name, UNTYPED) or self._make(named.name, UNTYPED)
        known = [*self._entities(named.type), *self._untyped(named)]
        told = resolve(named, known, Talk(at, frozenset(self._present)))
        if told.verdict == "unresolved" and self._present:
            could = {candidate.id for candidate in told.candidates}
            known = self._with_company([k for k in known if k.id in could])
            told = resolve(named, known, Talk(at, frozenset(self._present)))
        if told.verdict == "same" and told.entity is not None:
            self._learn(told.entity, named, told)
            entity = self._numbers[told.entity]
        else:
            entity = self.tx.entity(self.space, told.name, told.type) or self._make(told.name, told.type)
            for further in named.aliases:
                self.tx.name_entity(self.space, entity, further, told.type)
        if told.verdict == "unresolved" or 0 < told.confidence < SURE:
            self.unclear[entity] = tuple(candidate.id for candidate in told.candidates)
        else:
            self._present.add(self._id(entity))
        return entity

    def _learn(self, entity: str, named: Named, told: Resolution) -> None:
        """A name known as a mere concept takes the type it is given now; further names are kept."""
        where, no = self.space.name, self._numbers[entity]
        if told.type != UNTYPED and any(known.id == entity for known in self._known.get(UNTYPED, [])):
            entities.edit(self.tx, where, entity, type_=told.type, actor="link", why="its type was told")
            self._known.clear()
        for id_ in told.absorb:
            gone = self._numbers.pop(id_)
            entities.merge(self.tx, where, entity, id_, actor="link", why="the same name, of no type")
            # Its number may be given to another entity: nothing may still point to it.
            self._found = {key: no if found == gone else found for key, found in self._found.items()}
            self._names.pop(gone, None)
            self.unclear.pop(gone, None)
            self._known.clear()
        if told.learn:
            for name in (told.name, *named.aliases):
                self.tx.name_entity(self.space, no, name, told.type)

    def _entities(self, type_: str) -> list[Known]:
        if type_ not in self._known:
            self._known[type_] = [self._as_known(*e) for e in entities.of_type(self.tx, self.space, type_, MOST)]
        return self._known[type_]

    def _untyped(self, named: Named) -> list[Known]:
        """Entities without a type that have one of the names."""
        found = {}
        for name in (named.name, *named.aliases):
            for no, entity in entities.called(self.tx, self.space, name, UNTYPED):
                found[entity.id] = self._as_known(no, entity)
        self._known[UNTYPED] = list(found.values())
        return self._known[UNTYPED]

    def _as_known(self, no: int, e: Entity) -> Known:
        self._numbers[e.id] = no
        return Known(e.id, e.type, e.name, e.aliases, e.mentions, e.last_seen)

    def _with_company(self, known: list[Known]) -> list[Known]:
        """Entities with those that the same memories mention."""
        found = entities.together(self.tx.connection, [self._numbers[k.id] for k in known])
        return [replace(k, together=frozenset(map(self._id, found.get(self._numbers[k.id], ())))) for k in known]

    def _id(self, entity: int) -> str:
        return entities.row_of(self.tx, entity).id

    def _make(self, name: str, type_: str) -> int:
        entity, id_ = self.tx.new_entity(self.space, name, type_)
        self._numbers[id_] = entity
        if type_ in self._known:
            self._known[type_].append(Known(id_, type_, name, (alias(name),)))
        return entity


__all__ = ["USER", "Linker"]
