"""Reference documents in recall: the place that sections share with what was said, and the cards that a question is for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..models import THIRD_PARTY, Routed
from ..store.columns import Columns
from ..store.documents import CARD, SECTION, C, labelled, version
from ..store.sqlite import SqliteStore
from ..text.routing import LEAST, Routes, Rule

#: Sections of one document among the hits, and their part of all hits, as long as other memories answer too.
OF_ONE, SHARE = 3, 0.5
POINTED = 3  # cards that a recall points to


@dataclass(frozen=True, slots=True)
class _Known:
    """What is shown of a card: its row, id, title, path, whether it is a third party's."""

    row: int
    id: str
    title: str
    path: str | None
    third_party: bool


@dataclass(slots=True)
class Rules:
    """The routing rules of each space, read again when one has changed."""

    store: SqliteStore
    _held: dict[str, tuple[str, Routes, dict[str, _Known]]] = field(default_factory=dict)

    def route(
        self, space: str, question: str, columns: Columns, mask: NDArray[np.bool_], *, limit: int = POINTED,
        least: float = LEAST,
    ) -> tuple[Routed, ...]:  # fmt: skip
        """The cards that a question is for, of those that may be seen."""
        cards = labelled(columns, CARD)
        if cards is None:
            return ()
        shown = {str(row) for row in columns.row[cards & mask]}
        routes, known = self._read(space, columns.row[cards].tolist())
        found = routes.match(question, among=shown, least=least)[:limit]
        return tuple(
            Routed(
                known[match.key].id, known[match.key].title, known[match.key].path, match.score,
                ", ".join(f"{kind} “{phrase}”" for kind, phrase in match.reasons), known[match.key].third_party,
            )
            for match in found
        )  # fmt: skip

    def _read(self, space: str, rows: Sequence[int]) -> tuple[Routes, dict[str, _Known]]:
        with self.store.reader() as r:
            found = self.store.space_no(r, space)
            stamp = f"{version(r, found[0] if found else 0)}:{len(rows)}"
            held = self._held.get(space)
            if held is not None and held[0] == stamp:
                return held[1], held[2]
            rules: dict[str, Rule] = {}
            known: dict[str, _Known] = {}
            for row, id_, origin, title, path, rule in r.execute(C.rules_of, (json.dumps(rows),)):
                rules[str(row)] = Rule.load(json.loads(rule) if rule else {})
                known[str(row)] = _Known(row, id_, title or "", path, origin in THIRD_PARTY)
        routes = Routes(rules)
        self._held[space] = (stamp, routes, known)
        return routes, known


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
