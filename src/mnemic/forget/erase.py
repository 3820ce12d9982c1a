"""Erase: remove the bytes of memories for good, in short transactions so that others go on meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import InvalidInput, NotFound
from ..store.base import Store
from ..text.name_likeness import same_name
from ..text.names import alias

MOST_NAMES = 50_000  # names that are compared with that of an entity to be erased


@dataclass(frozen=True, slots=True)
class Targets:
    """What to erase: exactly one of these. ``everything`` is the whole space."""

    item: str | None = None
    session: str | None = None
    source: str | None = None
    entity: str | None = None
    everything: bool = False

    def rows(self, store: Store, space: str) -> list[int]:
        """Rows of the target.

        Raises:
            InvalidInput: none or several targets. NotFound: there is no such thing in this space.
        """
        given = [v for v in (self.item, self.session, self.source, self.entity, self.everything or None) if v]
        if len(given) != 1:
            raise InvalidInput(
                "erase", "needs exactly one target", "item=, session=, source=, entity= or everything=True"
            )
        if self.item:
            return [store.node(space, self.item)[0]]
        if self.session:
            number = store.session_no(space, self.session)
            if number is None:
                raise NotFound("session", self.session)
            return store.rows_of_session(number)
        if self.source:
            rows = store.rows_of_source(space, str(Path(self.source).expanduser().resolve()))
            if not rows:
                raise NotFound("source", self.source)
            return rows
        if self.entity:
            found = store.rows_of_entity(space, alias(self.entity))
            if not found:
                raise NotFound("entity", self.entity)
            forms = [
                row for form in _case_forms(store, space, self.entity) for row in store.rows_of_entity(space, form)
            ]
            return sorted({*found, *forms})
        return store.rows_of_space(space)


def _case_forms(store: Store, space: str, name: str) -> list[str]:
    """Names of no known type that are a case form of a full name («Анну Жукову» for «Анна Жукова»), as aliases."""
    if " " not in name.strip():  # «Саше» may be another one
        return []
    untyped = store.entity_list(space, "concept", MOST_NAMES)
    return [alias(e.name) for e in untyped if same_name(name, e.name).kinds == ("case",)]


def erase(store: Store, space: str, targets: Targets) -> Mapping[str, int]:
    """Remove a target and all that was made from it; returns counts and proof (see
    :func:`mnemic.store.erasing.erase`)."""
    return store.erase(space, targets.rows(store, space))


def erase_again(store: Store, other: Path) -> Mapping[str, int]:
    """Erase what was erased from another file: see :func:`mnemic.store.erasing.again`.

    Raises:
        InvalidInput: there is no such file.
    """
    if not other.is_file():
        raise InvalidInput("path", f"there is no file {other}", "name the memory that the backup replaces")
    return store.erase_again(other)
