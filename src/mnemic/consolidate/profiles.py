"""What is shown of an entity: its stored profile where that is fresh, else the template over its facts as they are now.

A profile is made from the facts that mention the entity: those that hold, and of those it is about also what is over. Words of third parties (pages, tools, unknown voices) are
left out: in a profile they could no longer be told from the rest. A profile is fresh while its inputs are the same
(:func:`profile.is_stale`), which is checked on every read, so a stale one is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from ..clock import to_datetime
from ..models import ORIGINS, THIRD_PARTY, Entity, Node
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import left_out
from ..store.facts import ends
from ..text.names import alias
from .profile import LABELS, Fact, Profile, Subject, inputs_hash, is_stale, load, make

__all__ = ["MOST_FACTS", "Known", "current", "eligible", "known", "of"]

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
    """Which rows of a space are facts, said by the user or his agent, that hold or did before."""
    facts: NDArray[np.bool_] = columns.visible(None, None, now, ended=True) & (
        columns.kind != columns.code("kind", "episodic")
    )
    facts = left_out(facts, columns)
    return facts & (columns.trust > np.float32(_OTHERS))


def known(store: Store, space: str, columns: Columns, now: int, zone: tzinfo, numbers: Iterable[int]) -> list[Known]:
    """Some entities with their facts at a moment, by number; those that are there no more are left out.

    Args:
        zone: in which days are counted.
    """
    mask, holding = eligible(columns, now), columns.visible(None, None, now)
    wanted = set(numbers)
    with store.snapshot():
        found = store.profiled(space, wanted)
        mentions = np.array(store.mentioning(wanted), dtype=np.int64).reshape(-1, 2)
    places = columns.index(mentions[:, 1])
    keep = (places >= 0) & mask[places] if columns.n else np.zeros(len(places), dtype=bool)
    owners, places = mentions[keep, 0], places[keep]
    order = (
        np.lexsort((-places, -columns.event_time[places], ~holding[places], owners))
        if len(places)
        else np.empty(0, dtype=np.int64)
    )
    owners, rows = owners[order], columns.row[places[order]] if len(places) else places
    first = {no: int(np.searchsorted(owners, no)) for no, *_ in found}
    mine = {
        no: rows[start : min(int(np.searchsorted(owners, no, side="right")), start + MOST_FACTS)].tolist()
        for no, start in first.items()
    }
    nodes = store.nodes(sorted({row for part in mine.values() for row in part}))
    return [_known(no, entity, stored, mine[no], nodes, now, zone) for no, entity, stored in found]


def _known(
    no: int, entity: Entity, stored: str | None, rows: Sequence[int], nodes: Mapping[int, Node], now: int, zone: tzinfo
) -> Known:
    names = {alias(name) for name in (entity.name, *entity.aliases)}
    kept: dict[int, Fact] = {}
    for row in rows:
        n = nodes.get(row)
        if n is None or n.third_party:
            continue
        about = n.subject is not None and alias(n.subject) in names
        over = _over(n, about, now)
        if over is not None and (not about or (n.valid_until is not None and over <= _begins(n))):
            continue  # it is over for somebody else, or was never true
        kept[row] = Fact(
            n.id, n.content, n.predicate, n.object, str(n.attributes.get("scope", "")), n.valid_from, n.confidence,
            about, None if over is None else to_datetime(over, zone).date().isoformat(),
        )  # fmt: skip
    return Known(no, entity, tuple(kept.values()), tuple(kept), load(stored))


def _over(node: Node, about: bool, now: int) -> int | None:
    """When what a fact speaks of was over; ``None``: it holds. "No longer" in words of its own holds."""
    if node.valid_until is not None and node.valid_until <= now:
        return node.valid_until
    return _begins(node) if ends(node) and about and node.object and node.predicate in LABELS else None


def _begins(node: Node) -> int:
    return node.event_time if node.valid_from is None else node.valid_from


def of(store: Store, space: str, name: str, zone: tzinfo) -> Known | None:
    """The entity of this name with what is known of it; where several have the name, whom most is known of."""
    found = store.entities_meant(space, name)
    if not found:
        return None
    columns = store.columns(space)
    every = known(store, space, columns, store.now(), zone, [no for no, _ in found])
    return max(every, key=lambda k: (len(k.facts), k.entity.mentions, -k.no), default=None)


def current(found: Known) -> Profile | None:
    """The profile to be shown; ``None`` where nothing is known."""
    if not found.facts:
        return None
    return found.stored if found.stored is not None and found.fresh else make(found.subject, found.facts)
