"""The lexical channel: BM25 with the statistics of one space, exact over all its rows.

Okapi BM25 (Robertson and Zaragoza 2009), k1 = 1.2, b = 0.75, lengths without stop words. Postings come from the
keyword index as plain row numbers, so no text of a query is ever syntax to anything.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..store.base import Store
from ..store.columns import Columns

K1 = 1.2
B = 0.75
AT_ONCE = 16_384  # rows; of more, new memory costs what fewer calls save

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


def match(store: Store, space: str, columns: Columns, terms: Sequence[str]) -> Lexical:
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
    found = store.postings(space, terms)
    for group in _groups(found):
        places, counts, ends = distinct(columns, found[group])
        spans = list(itertools.pairwise([0, *ends]))
        if mixed:
            weights = [idf(messages, int(np.count_nonzero(said[places[start:end]]))) for start, end in spans]
        else:
            weights = [idf(columns.n, end - start) for start, end in spans]
        norm = K1 * (1 - B + B * words[places] / average)
        every = np.repeat(np.array(weights, dtype=np.float32), [end - start for start, end in spans])
        values = (every * counts * (K1 + 1) / (counts + norm)).astype(np.float32)
        for text, weight, (start, end) in zip(terms[group], weights, spans, strict=True):
            out.terms.append(Term(text, weight, places[start:end], values[start:end], counts[start:end]))
    return out


def positions(columns: Columns, found: Sequence[NDArray[np.int64]]) -> list[Places]:
    """Distinct positions of each of some lists of ascending row numbers."""
    return [distinct(columns, [rows])[0] for rows in found]


def _groups(found: Sequence[NDArray[np.int64]]) -> list[slice]:
    """Runs of terms that are matched at once: of rare terms it is the number of calls that costs."""
    out, start, size = [], 0, 0
    for i, rows in enumerate(found):
        if i > start and size + len(rows) > AT_ONCE:
            out.append(slice(start, i))
            start, size = i, 0
        size += len(rows)
    if found:
        out.append(slice(start, len(found)))
    return out


def distinct(columns: Columns, found: Sequence[NDArray[np.int64]]) -> tuple[Places, Floats, list[int]]:
    """Distinct positions of lists of ascending row numbers, how often each occurs, and where the positions of each list
    end."""
    rows = found[0] if len(found) == 1 else np.concatenate(found)
    if not len(rows):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32), [0] * len(found)
    ends = np.cumsum([len(one) for one in found])
    new = np.empty(len(rows), dtype=bool)
    new[0] = True
    np.not_equal(rows[1:], rows[:-1], out=new[1:])
    new[ends[:-1][ends[:-1] < len(rows)]] = True
    first = np.flatnonzero(new)
    counts = np.empty(len(first), dtype=np.float32)
    np.subtract(first[1:], first[:-1], out=counts[:-1], casting="unsafe")
    counts[-1] = len(rows) - first[-1]
    places = columns.index(rows[first])
    known = places >= 0
    if not known.all():
        places, counts, first = places[known], counts[known], first[known]
    return places, counts, np.searchsorted(first, ends).tolist()
