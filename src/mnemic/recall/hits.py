"""From rows to hits: the nodes, their rank in each channel, what is shown with them, and the reason in words.

Questions and their answers belong together: a question that is found brings its reply, and answers nothing itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..models import Hit, Node
from ..store.base import Store
from ..store.columns import Columns
from .lexical import Floats, Term

#: Rows read to replace those that say the same words, and twice as many each time.
SPARE = 4
MOST_AT_ONCE = 1_000
#: Of so few it is quicker to count what stands above each than to sort.
FEW = 64
STEPS = 40  # messages of a turn that are looked through for its answer
WORTH = 0.35  # share of the question's score that a reply to a mere remark needs
BEST = 2  # replies of one turn that are shown, those that fit the query best


def build(store: Store, rows: Iterable[int], scores: Mapping[int, float], limit: int) -> tuple[list[int], list[Hit]]:
    """The first hits of some rows, best first; the same words again are one hit. Returns their rows beside them."""
    kept: list[int] = []
    hits: list[Hit] = []
    seen: set[str] = set()
    left, size, spare = iter(rows), limit, SPARE
    while page := list(itertools.islice(left, size)):  # many repeats of one text must not starve the answer
        nodes = store.nodes(page)
        for row in page:
            node = nodes.get(row)
            if node is None:
                continue
            same = " ".join(node.content.split()).casefold()
            if same in seen:
                continue
            seen.add(same)
            kept.append(row)
            hits.append(Hit(node, round(scores.get(row, 1.0), 5), {}))
            if len(hits) >= limit:
                return kept, hits
        size, spare = min(spare, MOST_AT_ONCE), 2 * spare
    return kept, hits


def with_ranks(
    hits: Sequence[Hit], places: NDArray[np.int64], channels: Mapping[str, Floats], mask: NDArray[np.bool_]
) -> list[Hit]:
    """Hits with their rank (1 = first) in each channel that found them, and the reason in words."""
    found: list[dict[str, int]] = [{} for _ in hits]
    seen = None if mask.all() else np.flatnonzero(mask)
    for name, values in channels.items():
        mine = values[places] if seen is None else np.where(mask[places], values[places], np.float32(0))
        if not (mine > 0).any():
            continue
        shown = values if seen is None else values[seen]
        if len(hits) <= FEW:
            ranks = [1 + int(np.count_nonzero(shown > value)) for value in mine]
        else:
            better = np.sort(shown)
            ranks = (len(better) - np.searchsorted(better, mine, side="right") + 1).tolist()
        for i in np.flatnonzero(mine > 0):
            found[i][name] = ranks[i]
    return [replace(hit, channels=ranks, why=explain(hit.node, ranks)) for hit, ranks in zip(hits, found, strict=True)]


def with_channel(hits: Sequence[Hit], name: str, first: int = 1) -> list[Hit]:
    """Hits of a single channel, in its order."""
    return [replace(hit, channels={name: i}, why=explain(hit.node, {name: i})) for i, hit in enumerate(hits, first)]


def with_neighbours(
    store: Store,
    hits: Sequence[Hit],
    places: NDArray[np.int64],
    columns: Columns,
    mask: NDArray[np.bool_],
    count: int,
) -> list[Hit]:
    """Hits with the visible messages before and after each in its session."""
    before, after = columns.neighbours()
    around: list[list[int]] = []
    for place in places:
        sides: list[list[int]] = []
        for links in (before, after):
            at, side = int(place), []
            for _ in range(count):
                at = int(links[at])
                if at < 0:
                    break
                if mask[at]:
                    side.append(int(columns.row[at]))
            sides.append(side)
        around.append([*sides[0][::-1], *sides[1]])
    nodes = store.nodes([row for rows in around for row in rows])
    return [
        replace(hit, neighbours=tuple(nodes[row] for row in rows if row in nodes))
        for hit, rows in zip(hits, around, strict=True)
    ]


def with_company(
    store: Store, hits: Sequence[Hit], rows: Sequence[int], columns: Columns,
    beside: Mapping[int, Sequence[int]], newest: Mapping[int, int],
) -> list[Hit]:  # fmt: skip
    """Hits with what is shown with them (by place), and the newest statement on the same matter (by row)."""
    shown = {int(columns.row[place]): [int(columns.row[other]) for other in found] for place, found in beside.items()}
    if not shown and not newest:
        return list(hits)
    nodes = store.nodes(list(dict.fromkeys([row for found in shown.values() for row in found] + [*newest.values()])))
    return [
        replace(
            hit,
            answer=tuple(nodes[other] for other in shown.get(row, ()) if other in nodes),
            newer=nodes.get(newest.get(row, -1)),
        )
        for row, hit in zip(rows, hits, strict=True)
    ]


def explain(node: Node, channels: Mapping[str, int]) -> str:
    """One line in words: when, by whom, and by which channels at which rank."""
    found = ", ".join(f"{name} #{place}" for name, place in sorted(channels.items(), key=lambda item: item[1]))
    who = node.speaker or node.role or node.label
    return f"{node.at.date()} {who}: found by {found or 'its time'}{', cold' if node.cold else ''}"


def echoes(columns: Columns, terms: Sequence[Term]) -> NDArray[np.bool_] | None:
    """Questions that say nothing but words of the query; ``None`` where there are none.

    "When does the ferry leave?" asked once more finds itself: as evidence it is worth nothing.
    """
    asks = columns.asks.astype(bool)
    if not asks.any() or not terms:
        return None
    held = np.bincount(
        np.concatenate([term.places for term in terms]),
        weights=np.concatenate([term.counts for term in terms]),
        minlength=columns.n,
    )
    out: NDArray[np.bool_] = asks & (columns.words > 0) & (held >= columns.words)
    return out if out.any() else None


def turn(columns: Columns, place: int) -> tuple[int, list[int]]:
    """The user's message that a turn began with (−1: none), and the assistant's messages in it."""
    before, after = columns.neighbours()
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    start = place
    for _ in range(STEPS):
        if start < 0 or columns.role[start] == user:
            break
        start = int(before[start])
    else:
        start = -1
    replies: list[int] = []
    at = int(after[start if start >= 0 else place])
    for _ in range(STEPS):
        if at < 0 or columns.role[at] == user:
            break
        if columns.role[at] == assistant:
            replies.append(at)
        at = int(after[at])
    return start, replies


def beside(columns: Columns, mask: NDArray[np.bool_], places: Sequence[int], total: Floats) -> Mapping[int, list[int]]:
    """Place of a hit → places of what is shown with it.

    With a question, the replies that fit best and the last one, which sums up; with a reply, what was asked, and the
    other replies of its turn that fit.
    """
    if "assistant" not in columns.names["role"]:
        return {}
    user, assistant = columns.code("role", "user"), columns.code("role", "assistant")
    out: dict[int, list[int]] = {}
    for place in places:
        if place < 0 or columns.role[place] not in (user, assistant) or not columns.session[place]:
            continue
        asked, replies = turn(columns, place)
        replies = [other for other in replies if mask[other] and other != place]
        best = sorted(replies, key=lambda other: -float(total[other]))[:BEST]
        if columns.role[place] == user:
            worth = columns.asks[place] or (best and total[best[0]] >= WORTH * total[place])
            shown = [*best, replies[-1]] if best and worth else []
        else:
            shown = [asked, *(other for other in best if total[other] >= WORTH * total[place])]
        shown = [other for other in dict.fromkeys(shown) if other >= 0 and mask[other]]
        if shown:
            out[place] = sorted(shown)
    return out
