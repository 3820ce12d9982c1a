"""Reference documents in recall: the place that sections share with what was said, and the cards that a question is for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..models import THIRD_PARTY, Routed
from ..store.columns import Columns
from ..store.documents import CARD, SECTION, C, labelled, version
from ..store.sqlite import SqliteStore
from ..text.routing import Rule
from .routing import LEAST, Routes

#: Sections of one document among the hits, and their part of all hits, as long as other memories answer too.
OF_ONE, SHARE = 3, 0.5
POINTED = 3  # cards that a recall points to


@dataclass(slots=True)
class Rules:
    """The routing rules of each space, read again when one has changed."""

    store: SqliteStore
    _held: dict[str, _Held] = field(default_factory=dict)

    def route(
        self, space: str, question: str, columns: Columns, mask: NDArray[np.bool_], *, limit: int = POINTED,
        least: float = LEAST,
    ) -> tuple[Routed, ...]:  # fmt: skip
        """The cards that a question is for, of those that may be seen."""
        cards = labelled(columns, CARD)
        if cards is None:
            return ()
        held = self._read(space, columns.row[cards].tolist())
        found = held.routes.match(question, among=held.seen(columns, mask), limit=limit, least=least)
        return tuple(
            replace(
                held.cards[m.place], score=m.score, why=", ".join(f"{kind} “{phrase}”" for kind, phrase in m.reasons)
            )
            for m in found
        )

    def _read(self, space: str, rows: list[int]) -> _Held:
        with self.store.reader() as r:
            found = self.store.space_no(r, space)
            stamp = version(r, found[0] if found else 0)
            held = self._held.get(space)
            if held is not None and held.stamp == stamp and len(held.asked) == len(rows):
                return held
            stored = r.execute(C.rules_of, (json.dumps(rows),)).fetchall()
        cards = [
            Routed(id_, title or "", path, 0.0, "", origin in THIRD_PARTY) for _, id_, origin, title, path, _ in stored
        ]
        routes = Routes([Rule.load(json.loads(rule) if rule else {}) for *_, rule in stored])
        held = _Held(stamp, rows, np.array([row for row, *_ in stored], dtype=np.int64), routes, cards)
        self._held[space] = held
        return held


@dataclass(frozen=True, slots=True)
class _Held:
    """The rules of one space as they were read: ``asked`` rows, of which those in ``rows`` were there."""

    stamp: str
    asked: list[int]
    rows: NDArray[np.int64]
    routes: Routes
    cards: list[Routed]

    def seen(self, columns: Columns, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of them may be seen."""
        places = columns.index(self.rows)
        out: NDArray[np.bool_] = (places >= 0) & mask[places]
        return out


def share(columns: Columns, rows: Sequence[int], count: int) -> list[int]:
    """Rows in order, where sections of documents leave room among the first ``count`` for what else answers.

    Those beyond :data:`OF_ONE` of one document, or :data:`SHARE` of all, stand behind the others.
    """
    sections = labelled(columns, SECTION)
    if sections is None:
        return list(rows)
    places = columns.index(rows)
    of = [int(columns.source[place]) if place >= 0 and sections[place] else 0 for place in places]
    seen: Counter[int] = Counter()
    room = max(1, round(count * SHARE))
    first: list[int] = []
    behind: list[int] = []
    others = len(of) - sum(1 for source in of if source)
    for row, source in zip(rows, of, strict=True):
        if len(first) >= count or not source:
            first.append(row)
            continue
        full = seen.total() >= room and others > len(first) - seen.total()
        if seen[source] >= OF_ONE or full:
            behind.append(row)
        else:
            seen[source] += 1
            first.append(row)
    return [*first[:count], *behind, *first[count:]]  # those that made way come next, or fill what nothing else does
