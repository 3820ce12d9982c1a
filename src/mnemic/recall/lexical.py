"""The lexical channel: BM25 with the statistics of one space, exact over all its rows.

Okapi BM25 (Robertson and Zaragoza 2009), k1 = 1.2, b = 0.75, lengths without stop words. Postings come from the
keyword index as plain row numbers, so no text of a query is ever syntax to anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..store.columns import Columns
from ..store.sqlite import SqliteStore

K1 = 1.2
B = 0.75

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(slots=True)
class Term:
    """One query term in a space: where it stands and what it adds there. ``idf`` is that of the space."""

    text: str
    idf: float
    places: Places
    values: Floats
    counts: Floats

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Leave only the rows that a reader may see."""
        here = mask[self.places]
        self.places, self.values, self.counts = self.places[here], self.values[here], self.counts[here]


@dataclass(slots=True)
class Lexical:
    """The terms of a query, matched."""

    terms: list[Term] = field(default_factory=list)
    n: int = 0


def idf(documents: int, holding: int) -> float:
    """log(1 + (N − n + ½) / (n + ½)): never negative."""
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


def match(store: SqliteStore, space: str, columns: Columns, terms: list[str] | tuple[str, ...]) -> Lexical:
    """Match terms against all rows of a space."""
    out = Lexical(n=columns.n)
    if not columns.n:
        return out
    words = columns.words
    said = columns.derived("said", lambda: columns.session > 0)
    messages = int(np.count_nonzero(said))
    # Statistics are those of the messages: facts repeat them in short, and would bend what is rare and what is long.
    mixed = 0 < messages < columns.n
    average = max(float(words.mean(where=said) if mixed else words.mean()), 1.0)
    for text in terms:
        places, counts = positions(columns, store.postings(space, text))
        if mixed:
            weight = idf(messages, int(np.count_nonzero(said[places])))
        else:
            weight = idf(columns.n, len(places))
        norm = K1 * (1 - B + B * words[places] / average)
        values = (weight * counts * (K1 + 1) / (counts + norm)).astype(np.float32)
        out.terms.append(Term(text, weight, places, values, counts))
    return out


def positions(columns: Columns, rows: NDArray[np.int64]) -> tuple[Places, Floats]:
    """Distinct positions of ascending row numbers, and how often each occurs."""
    if not len(rows):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    new = np.empty(len(rows), dtype=bool)
    new[0] = True
    np.not_equal(rows[1:], rows[:-1], out=new[1:])
    first = np.flatnonzero(new)
    counts = np.empty(len(first), dtype=np.float32)
    np.subtract(first[1:], first[:-1], out=counts[:-1], casting="unsafe")
    counts[-1] = len(rows) - first[-1]
    places = columns.index(rows[first])
    known = places >= 0
    return (places, counts) if known.all() else (places[known], counts[known])
