"""Contradictions without a model: new facts against all that is said of the same things. A phase of the night.

Facts recorded since the last look (the first time: within the last seven days) are compared with every fact that shares
their rarer words. What is found becomes an open conflict for a person (``Memory.conflicts()``); neither fact is
touched. A pair that was ever noted, settled or dismissed does not come back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..clock import DAY
from ..models import Act
from ..night import Night, Outcome
from ..store.cards import Card, at_issue, cards
from ..store.facts import F, contradict
from ..store.merging import M
from ..store.rows import first_row, last_row
from ..store.sqlite import SqliteStore
from ..store.tx import Tx
from ..text.analyse import stop_terms
from ..text.contradicting import at_odds
from ..text.sameness import read
from ..text.signals import FINDING, Contradiction

WINDOW = 7 * DAY
PAGE = 200  # new facts compared in one step
#: Words that more facts than this share say little of what a fact is about, and facts compared with one at most.
COMMON, MOST = 2_000, 32
#: Share of the rarity of a fact's words that another one must have to speak of the same.
SHARED = 0.2
_reading = lru_cache(maxsize=16_384)(read)


@dataclass(frozen=True, slots=True)
class Finding:
    """Two facts that contradict each other, by which signals, and how sure that is."""

    newer: Card
    older: Card
    found: Contradiction

    @property
    def why(self) -> str:
        """The signals in words, with the score."""
        signals = "; ".join(f"{name}: {words}" for name, words in self.found.signals.items())
        return f"{signals} ({self.found.score:.2f})"


@dataclass(frozen=True, slots=True)
class Contradictions:
    """The phase.

    Args:
        window: microseconds back from the night that the first look reaches.
    """

    window: int = WINDOW

    def __call__(self, store: SqliteStore, space: str, night: Night) -> Outcome:
        out = Outcome()
        with store.reader() as r:
            known = store.space_no(r, space)
            if known is None:
                return out
            low, high = first_row(known[0]), last_row(known[0])
            found = r.execute(F.job, (f"contradictions:{space}",)).fetchone()
            after = int(json.loads(found[1])["upto"]) if found else low
            since = 0 if found else night.now - self.window
            fresh = [row for (row,) in r.execute(M.fresh_facts, (after, high, since))]
            about = About(r.execute(M.fact_terms, (low, high))) if fresh else None
        for page in (fresh[i : i + PAGE] for i in range(0, len(fresh), PAGE)):
            if night.stop():
                out.finished = False
                return out
            assert about is not None
            with store.reader() as r:
                near = {row: about.near(row) for row in page}
                there = cards(r, {*page, *(row for rows in near.values() for row in rows)})
                noted = at_issue(r, page)
            findings = list(contradictions(there, near, noted))
            if not night.dry_run:
                store.run(lambda tx, f=findings, u=page[-1]: _note(tx, space, f, u))  # type: ignore[misc]
            out.acts += [Act("conflict", f.newer.id, f.why, f.older.id) for f in findings]
            out.counts["conflicts"] += len(findings)
            out.counts["looked_at"] += len(page)
            night.progress(out.counts["looked_at"], len(fresh))
        return out


def contradictions(
    there: Mapping[int, Card], near: Mapping[int, Sequence[int]], noted: set[frozenset[int]]
) -> Iterator[Finding]:
    """Findings among facts and those near to each, every pair once."""
    seen = set(noted)
    for row in sorted(near):
        for other in near[row]:
            pair = frozenset((row, other))
            if row == other or pair in seen or row not in there or other not in there:
                continue
            seen.add(pair)
            older, newer = sorted((there[row], there[other]), key=lambda c: (c.begins, c.recorded_at, c.content, c.id))
            found = _compared(older, newer)
            if found.score >= FINDING:
                yield Finding(newer, older, found)


def _compared(older: Card, newer: Card) -> Contradiction:
    if older.holder and newer.holder and older.holder.casefold() != newer.holder.casefold():
        return Contradiction({}, 0.0)
    if older.slot is not None and newer.slot is not None and older.entity != newer.entity:
        return Contradiction({}, 0.0)
    return at_odds(older.content, newer.content, _reading(older.content), _reading(newer.content))


class About:
    """Which facts speak of the same: the words of all facts of a space, turned round, as arrays.

    Args:
        texts: (row, search text) of facts, ascending.
    """

    def __init__(self, texts: Iterator[tuple[int, str]]) -> None:
        stop, numbers, rows, places, words = stop_terms(), dict[str, int](), list[int](), list[int](), list[int]()
        for place, (row, text) in enumerate(texts):
            rows.append(row)
            for term in set(text.split()) - stop:
                words.append(numbers.setdefault(term, len(numbers)))
                places.append(place)
        self._rows = np.array(rows, dtype=np.int64)
        word, place_of = np.array(words, dtype=np.int32), np.array(places, dtype=np.int32)
        self._count = np.bincount(word, minlength=len(numbers))
        order = np.argsort(word, kind="stable")
        self._by_word = place_of[order]
        self._word_starts = np.concatenate([[0], np.cumsum(self._count)])
        self._by_place = word  # filled place by place
        self._place_starts = np.concatenate([[0], np.cumsum(np.bincount(place_of, minlength=len(rows)))])
        rarity = np.log((1 + len(rows)) / np.maximum(1, self._count)) + 0.1
        self._rarity = rarity.astype(np.float32)

    def near(self, row: int) -> list[int]:
        """Rows of the facts that share most of what is rare in a fact, nearest first."""
        place = int(np.searchsorted(self._rows, row))
        if place >= len(self._rows) or self._rows[place] != row:
            return []
        words = self._by_place[self._place_starts[place] : self._place_starts[place + 1]]
        told = words[self._count[words] <= COMMON]
        if not len(told):
            return []
        total = float(self._rarity[words].sum())
        parts = [self._by_word[self._word_starts[w] : self._word_starts[w + 1]] for w in told]
        places = np.concatenate(parts)
        weights = np.repeat(self._rarity[told], [len(part) for part in parts])
        found, inverse = np.unique(places, return_inverse=True)
        shared = np.bincount(inverse, weights=weights)
        good = np.flatnonzero((shared >= SHARED * total) & (found != place))
        best = good[np.lexsort((found[good], -shared[good]))][:MOST]
        return [int(r) for r in self._rows[found[best]]]


def _note(tx: Tx, space: str, findings: Sequence[Finding], upto: int) -> None:
    """Note findings as open conflicts, where both facts are still what they were, and how far the look came."""
    rows = [card.row for f in findings for card in (f.newer, f.older)]
    there, noted = cards(tx.connection, rows), at_issue(tx.connection, rows)
    for f in findings:
        same = all(c.row in there and there[c.row].content == c.content for c in (f.newer, f.older))
        if same and frozenset((f.newer.row, f.older.row)) not in noted:
            contradict(tx, f.newer.row, f.older.row, f.why, f.found.score)
    payload = json.dumps({"upto": upto})
    tx.connection.execute(F.save_job, (f"contradictions:{space}", "clean-up", "due", payload, None, 0, tx.clock.now()))
