"""``memory.entities``: who and what is known by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import InvalidInput, NotFound
from ..models import MOST, Entity
from ..recall.filters import whole
from ..text.names import alias

if TYPE_CHECKING:
    from .opened import Opened

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Entities:
    """Persons, places, projects, things: look them up, join two that are one, part one that is two."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def get(self, name: str, *, space: str | None = None) -> Entity | None:
        """The entity of this name with its profile, ``None``: there is none. Letters may be large or small, with or
        without accents; a Russian name may stand in any case («Марии»), where only one entity fits.

        The profile is the one that the nightly run has stored, where nothing has changed since, else made on the spot.
        """
        if not isinstance(name, str):
            raise InvalidInput("name", f"must be text, not {type(name).__name__}")
        where = self._memory._space(space)
        found = self._memory._store.entities_meant(where, name)
        if not found:
            return None
        about = self._about(where, name)
        return replace(found[0][1], profile=about[0] if about is not None else None)

    def merge(self, keep: str, gone: str, *, why: str = "", space: str | None = None) -> Entity:
        """Make two entities one: names, memories and facts of ``gone`` go to ``keep``; ``undo(entity.change)`` of
        ``memory.review`` takes it back.

        Args:
            keep, gone: id or name of each.

        Raises:
            NotFound: one of them is not here. InvalidInput: they are the same.
        """
        from ..store import entities

        store, where = self._memory._store, self._memory._space(space)
        one, other = self._id(where, keep), self._id(where, gone)
        change = store.run(lambda tx: entities.merge(tx, where, one, other, actor="user", why=why))
        return replace(store.entity_of(where, one), change=change)

    def split(self, entity: str, name: str, *, why: str = "", space: str | None = None) -> Entity:
        """Take one name out of an entity into one of its own, with the memories that call it so;
        ``undo(entity.change)`` of ``memory.review`` takes it back.

        Raises:
            NotFound: no such entity, or it has no such name. InvalidInput: it is its only name.
        """
        from ..store import entities

        store, where = self._memory._store, self._memory._space(space)
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("name", "is empty", "give one of the names of the entity")
        old = self._id(where, entity)
        change, new = store.run(lambda tx: entities.split(tx, where, old, name, actor="user", why=why))
        return replace(store.entity_of(where, new), change=change)

    def list(self, *, type: str | None = None, limit: int = 100, space: str | None = None) -> Sequence[Entity]:
        """Entities, the most mentioned first; of one type (``person``, ``place``, ``project`` …), or all."""
        count = whole(limit, "limit", 100, 1, MOST)
        return self._memory._store.entity_list(self._memory._space(space), type, count)

    def _about(self, where: str, name: str) -> tuple[str, tuple[str, ...]] | None:
        """The profile of an entity and the ids of the facts that it shows, for a context block."""
        from ..consolidate import profiles

        known = profiles.of(self._memory._store, where, name, self._memory._zone)
        shown = profiles.current(known) if known is not None else None
        return None if shown is None else (shown.text, shown.facts)

    def _id(self, where: str, target: str) -> str:
        """Id of an entity that is given by id or by name."""
        if not isinstance(target, str) or not target.strip():
            raise InvalidInput("entity", "is empty", "give the id or the name of an entity")
        if ID.fullmatch(target):
            return target
        found = self._memory._store.entities(where, alias(target))
        if not found:
            raise NotFound("entity", target)
        return found[0][1].id
