"""Reference documents in recall: the place that sections share with what was said, and the cards that a question is for."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..models import THIRD_PARTY, Routed
from ..store.base import Store
from ..store.columns import Columns
from ..store.documents import CARD, SECTION, labelled
from ..text.routing import LEAST, Rule, asked, score
from .lexical import positions

#: Sections of one document among the hits, and their part of all hits, as long as other memories answer too.
OF_ONE, SHARE = 3, 0.5
POINTED = 3  # cards that a recall points to
CANDIDATES = 16  # cards whose rules are read for a question: those that hold most of its words


def route(
    store: Store, space: str, question: str, columns: Columns, mask: NDArray[np.bool_], *, limit: int = POINTED,
    least: float = LEAST,
) -> tuple[Routed, ...]:  # fmt: skip
    """The cards that a question is for by their rules, of those that may be seen, best first.

    All words of a rule stand in the text of its card, so the keyword index knows which cards can reach the score at all.
    """
    cards, words = labelled(columns, CARD), asked(question)
    if cards is None or not words:
        return ()
    places = np.flatnonzero(cards & mask)
    reach = np.zeros(len(places))
    rarity: dict[str, float] = {}
    for word, holding in zip(words, positions(columns, store.postings(space, words)), strict=True):
        there = np.zeros(columns.n, dtype=bool)
        there[holding] = True
        held = there[places]
        rarity[word] = math.log(1 + (len(places) + 1) / (int(np.count_nonzero(held)) + 1))
        reach += rarity[word] * held
    near = np.flatnonzero(reach >= least * sum(rarity.values()) - 1e-9)
    near = near[np.argsort(-reach[near], kind="stable")][: max(CANDIDATES, 4 * limit)]
    found = []
    for row, id_, origin, title, path, rule in store.card_rules(columns.row[places[near]].tolist()):
        value, reasons = score(Rule.load(json.loads(rule) if rule else {}), rarity)
        if value >= least:
            why = ", ".join(f"{kind} “{phrase}”" for kind, phrase in reasons)
            found.append((-value, row, Routed(id_, title or "", path, value, why, origin in THIRD_PARTY)))
    return tuple(card for _, _, card in sorted(found, key=lambda item: item[:2])[:limit])


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
