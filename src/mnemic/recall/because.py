"""The causes of hits, for questions that ask why: they get a place right behind the hit that they explain.

A walk along causal edges from the best hits, through live edges and rows that the filters let pass. Bounded, so that an
answer to the words of the question is never lost for it: the first hit stays first, and few causes come in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..models import Hit
from ..store.base import Store
from ..store.columns import Columns
from ..store.graph import Cause

HEAD = 5  # best hits whose causes are looked for
DEPTH = 4  # steps of a chain of causes
SHARE = 3  # one in so many hits may be a cause that was put there
_SHOWN = 80  # characters of a hit in the reason of its cause


def placed(
    store: Store, columns: Columns, mask: NDArray[np.bool_], rows: Sequence[int], count: int, known_at: int
) -> tuple[list[int], dict[int, Cause]]:
    """Rows in order with the causes of the first ones behind them, and by row what each is the cause of."""
    order = list(rows)
    if count < 2 or not order:
        return order, {}
    head = order[: min(HEAD, count)]

    def visible(row: int) -> bool:
        place = int(columns.index([row])[0])
        return place >= 0 and bool(mask[place])

    with store.snapshot():
        found = store.causes(head, known_at, depth=DEPTH, allowed=visible)
        read = store.derived([cause.row for cause in found]) if found else []
    facts: dict[int, list[int]] = {}
    for episode, fact in read:
        facts.setdefault(episode, []).append(fact)
    known = set(order)
    speaks = {  # a message may be spoken for by a fact that was read from it
        cause.row: next((row for row in (cause.row, *facts.get(cause.row, ())) if row in known), cause.row)
        for cause in found
    }
    out: dict[int, Cause] = {}
    last: dict[int, int] = {}  # hit → the last cause put behind it
    moved = 0
    for cause in found:
        row, effect = speaks[cause.row], speaks.get(cause.effect, cause.effect)
        if effect not in order or row == effect:
            continue
        target = order.index(last.get(effect, effect)) + 1
        at = order.index(row) if row in order else None
        if at is None or at > target:
            if moved >= max(1, count // SHARE):
                continue
            moved += 1
            if at is not None:
                order.pop(at)
            order.insert(target, row)
        if at is None or at >= target:
            last[effect] = row
        out.setdefault(row, replace(cause, row=row, effect=effect))
    return order, out


def told(hits: Sequence[Hit], rows: Sequence[int], found: Mapping[int, Cause]) -> list[Hit]:
    """Hits with what they are said to be the cause of: the graph channel, and the words."""
    if not found:
        return list(hits)
    shown = dict(zip(rows, hits, strict=True))
    out = []
    for row, hit in shown.items():
        cause = found.get(row)
        effect = shown.get(cause.effect) if cause is not None else None
        if cause is None or effect is None:
            out.append(hit)
            continue
        text = " ".join(effect.node.content.split())
        text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        quote = f": “{cause.quote}”" if cause.quote else ""
        why = f"{hit.why}; cause of “{text}”{quote} (confidence {cause.confidence:g})"
        graph = min(cause.depth, hit.channels.get("graph", cause.depth))
        out.append(replace(hit, channels={**hit.channels, "graph": graph}, why=why))
    return out
