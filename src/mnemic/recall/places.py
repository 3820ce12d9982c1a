"""Which rows may answer, and where some of them stand whatever their score: pure functions over arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..store.columns import Columns
from ..text.analyse import is_unspaced
from . import rank, walks
from .lexical import Floats
from .plan import Reading

LEAST_COSINE = 0.2
#: In a memory of so few messages what is nearest is worth a look, however far.
FEW, LEAST_OF_FEW = 30, 0.1
HIDDEN = np.float32(-1e9)
PAGE = 10  # hits by which the places of channels, causes and documents are counted
ONWARD = 3  # messages after or before what a question names


def walked(reading: Reading, columns: Columns, mask: NDArray[np.bool_], rows: list[int]) -> list[int]:
    """The rows, where a question for what came after or before something has that right behind what it names."""
    steps = {"after": ONWARD, "before": -ONWARD}.get(reading.plan.intent, 0)
    if not steps or not rows:
        return rows
    place = next((int(p) for p in columns.index(rows[:PAGE]) if columns.session[p]), -1)
    if place < 0:
        return rows
    beside = [int(columns.row[p]) for p in walks.onward(columns, place, steps) if mask[p]]
    anchor = int(columns.row[place])
    return list(dict.fromkeys([anchor, *beside, *rows]))


def grounded(scored: rank.Scored, found: rank.Evidence) -> NDArray[np.bool_]:
    """Which rows have evidence of their own: a word of the query, beside them at least, or a like meaning.

    Where a query is nothing but names, or nothing else of it is found, what those people said is the answer.
    """
    keep: NDArray[np.bool_] = scored.features["words"] > 0
    if found.cosine is not None:
        keep = keep | (found.cosine >= (LEAST_COSINE if len(keep) > FEW else LEAST_OF_FEW))
    if found.named is not None and (found.only_names or not keep.any()):
        keep = keep | found.named
    return keep


def held(found: rank.Evidence, places: NDArray[np.int64]) -> dict[str, list[int]]:
    """Query term → which of some places hold it, as the keyword index says."""
    out: dict[str, list[int]] = {}
    for term in (*(word.term for word in found.words), *found.names):
        if len(term.text) > 1 or not is_unspaced(term.text):  # (such a one was matched by bigrams that begin with it)
            at = np.minimum(np.searchsorted(term.places, places), max(0, len(term.places) - 1))
            out[term.text] = np.flatnonzero(term.places[at] == places).tolist() if len(term.places) else []
    return out


def by_channel(scored: rank.Scored, weights: Mapping[str, float]) -> dict[str, Floats]:
    """Evidence by the channel that it is reported under."""
    out = {
        rank.CHANNELS[name]: values
        for name, values in scored.features.items()
        if name in rank.CHANNELS and weights[name]
    }
    return out if scored.graph is None else out | {"graph": scored.graph}


def keep_firsts(
    places: NDArray[np.int64], channels: dict[str, Floats], allowed: NDArray[np.bool_], count: int
) -> NDArray[np.int64]:
    """The first of the word and of the meaning channel are among the hits, whatever the fusion thinks of them."""
    for name in ("lexical", "vector"):
        values = channels.get(name)
        if values is None or len(places) <= count:
            continue
        first = int(np.argmax(values))
        if not allowed[first]:
            first = int(np.argmax(np.where(allowed, values, HIDDEN)))
        if values[first] > 0 and first not in places[:count]:
            rest = places[places != first]
            places = np.concatenate([rest[: count - 1], [first], rest[count - 1 :]])
    return places
