"""What is shown of an entity: its stored profile where that is fresh, else the template over its facts as they are now.

A profile is made from the current facts that mention the entity. Words of third parties (pages, tools, unknown voices) are
left out: in a profile they could no longer be told from the rest. A profile is fresh while its inputs are the same
(:func:`profile.is_stale`), which is checked on every read, so a stale one is never shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models import ORIGINS, THIRD_PARTY, Entity, Node
from ..store.columns import Columns
from ..store.documents import left_out
from ..store.queries import load as queries
from ..store.rows import entity_from
from ..store.sqlite import SqliteStore
from ..text.names import alias
from .profile import Fact, Profile, Subject, inputs_hash, is_stale, load, make

__all__ = ["MOST_FACTS", "Known", "current", "eligible", "known", "of"]

P = queries("enriching.sql")
MOST_FACTS = 500  # of one entity, the newest
#: Facts believed no more than this came by a channel of others.
_OTHERS = max(ORIGINS[origin] for origin in THIRD_PARTY)


@dataclass(frozen=True, slots=True)
class Known:
    """An entity with what a profile of it is made from.

    Attributes:
        no: its number in the file. stored: the profile that is kept, if any. rows: of the facts, to see whether they are
            still there.
    """

    no: int
    entity: Entity
    facts: tuple[Fact, ...]
    rows: tuple[int, ...]
    stored: Profile | None

    @property
    def subject(self) -> Subject:
        """The entity as the template sees it."""
        return Subject(self.entity.name, self.entity.type, self.entity.aliases)

    @property
    def inputs(self) -> str:
        """Hash of what a profile would be made from now."""
        return inputs_hash(self.subject, self.facts)

    @property
    def fresh(self) -> bool:
        """Whether the stored profile may be shown."""
        return not is_stale(self.stored, self.subject, self.facts)


def eligible(columns: Columns, now: int) -> NDArray[np.bool_]:
    """Which rows of a space are current facts, said by the user or his agent."""
    facts: NDArray[np.bool_] = columns.visible(None, None, now) & (columns.kind != columns.code("kind", "episodic"))
    facts = left_out(facts, columns)
    return facts & (columns.trust > np.float32(_OTHERS))


def known(
    store: SqliteStore, space: str, columns: Columns, mask: NDArray[np.bool_], numbers: Iterable[int]
) -> list[Known]:
    """Some entities with their facts, by number; those that are there no more are left out."""
    wanted = json.dumps(sorted(set(numbers)))
    with store.reader() as r:
        found = r.execute(P.profiled, (wanted,)).fetchall()
        mentions = np.array(r.execute(P.rows_of_all, (wanted,)).fetchall(), dtype=np.int64).reshape(-1, 2)
    places = columns.index(mentions[:, 1])
    keep = (places >= 0) & mask[places] if columns.n else np.zeros(len(places), dtype=bool)
    owners, places = mentions[keep, 0], places[keep]
    order = np.lexsort((-places, -columns.event_time[places], owners)) if len(places) else np.empty(0, dtype=np.int64)
    owners, rows = owners[order], columns.row[places[order]] if len(places) else places
    first = {no: int(np.searchsorted(owners, no)) for no, *_ in found}
    mine = {
        no: rows[start : min(int(np.searchsorted(owners, no, side="right")), start + MOST_FACTS)].tolist()
        for no, start in first.items()
    }
    nodes = store.nodes(sorted({row for part in mine.values() for row in part}))
    return [_known(row[0], entity_from(row[:8], space), row[8], mine[row[0]], nodes) for row in found]


def _known(no: int, entity: Entity, stored: str | None, rows: Sequence[int], nodes: Mapping[int, Node]) -> Known:
    names = {alias(name) for name in (entity.name, *entity.aliases)}
    kept = {row: nodes[row] for row in rows if row in nodes and not nodes[row].third_party}
    facts = tuple(
        Fact(
            n.id, n.content, n.predicate, n.object, str(n.attributes.get("scope", "")), n.valid_from, n.confidence,
            about=n.subject is not None and alias(n.subject) in names,
        )
        for n in kept.values()
    )  # fmt: skip
    return Known(no, entity, facts, tuple(kept), load(stored))


def of(store: SqliteStore, space: str, name: str) -> Known | None:
    """The entity of exactly this name with what is known of it; where several have the name, whom most is known of."""
    found = store.entities(space, alias(name))
    if not found:
        return None
    columns = store.columns(space)
    every = known(store, space, columns, eligible(columns, store.now()), [no for no, _ in found])
    return max(every, key=lambda k: (len(k.facts), k.entity.mentions, -k.no), default=None)


def current(found: Known) -> Profile | None:
    """The profile to be shown; ``None`` where nothing is known."""
    if not found.facts:
        return None
    return found.stored if found.stored is not None and found.fresh else make(found.subject, found.facts)
