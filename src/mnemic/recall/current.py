"""What holds now: of statements on one matter by one speaker, the newest stands first.

A question that names no past asks for what holds now, and the older statement often repeats its words better ("I live in
Oslo" beside "found my own place! a studio in Lisbon"). So among the first hits a later statement on the same matter
rises to just above the earlier one. A question that asks for how it was before turns the order round. Two texts are on
the same matter when they are clearly more alike than the first hits are among themselves; in a memory of a few
messages relevance says little and time much, so there nearly all that answers counts as one matter. The constants were
chosen on hand-written dialogues and checked on LoCoMo, BEAM and LongMemEval (docs/adr/0010-what-holds-now.md; the ablation
is in docs/benchmarks.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..lang.pack import union, words
from ..store.columns import Columns
from ..text.analyse import terms
from .lexical import Floats

FIRST = 6  # statements among which a later one may rise
#: Likeness above the mean of the first hits at which two texts begin to count as one matter, by the size of the memory.
FEW, MANY = (60, -0.3), (250, 0.25)
WIDTH = 0.1  # … and how much more makes it certain
LEAST = 0.15  # share of the best score that a statement needs to rise
LEAP = 0.85  # share of the best score that it may leap at the most
ASKING = 12  # content words up to which a text that ends with a question mark is nothing but a question
ABOVE = 0.01  # by so much the later stands above the earlier
ANSWERS = 0.25  # share of the best own answer to the query that it needs besides
WORDS = 0.05  # share of the best match of the query's words, or of their relatives, by which a later one may rise
SURE = 0.45  # likeness from which the older one is said to have a newer one

#: A question about a past: what was, happened or was done. It is answered by relevance alone.
PAST = re.compile(union("recall", "past"), re.I)
#: A question about how it was before it changed: the older statement is the answer.
BEFORE = re.compile(union("recall", "before"), re.I)
#: Words by which people tell that something has changed, as stems of search texts: a later statement that has neither one
#: of these nor a word of the query does not rise ("My boss is Bob" over "My wife is Ann").
CHANGE = frozenset(t for word in words("recall", "change") for t in terms(word))


def direction(query: str) -> int:
    """1: the newest first, −1: the oldest first, 0: neither."""
    if BEFORE.search(query):
        return -1
    return 0 if PAST.search(query) else 1


def statements(columns: Columns, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows state something of their speaker's own: no answers of the assistant, no mere questions."""
    asks = columns.asks[places].astype(bool) & (columns.words[places] <= ASKING)
    out: NDArray[np.bool_] = (columns.role[places] != columns.code("role", "assistant")) & ~asks
    return out


def derived(columns: Columns, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows are facts."""
    out: NDArray[np.bool_] = columns.kind[places] != columns.code("kind", "episodic")
    return out


def lift(
    way: int, columns: Columns, places: NDArray[np.int64], scores: Floats, alike: Floats, answers: Floats,
    rises: NDArray[np.bool_], *, asks: bool,
) -> tuple[Floats, dict[int, int]]:  # fmt: skip
    """What the first statements gain, and which of them has a newer one on its matter.

    Args:
        way: see :func:`direction`. places: of the statements in the columns, best first. scores: theirs.
        alike: likeness of each to each, −1…1, shape (n, n). answers: how far each answers the query by its own words
            and meaning. rises: which may rise: those that have a word of the query, or say that something changed. asks: the query is a question; a few words are looked up, and what holds them best comes first.

    Returns:
        (what to add to each score, position of an older statement → of the newest on the same matter).
    """
    n = len(places)
    at, session = columns.event_time[places], columns.session[places]
    told = derived(columns, places)  # facts are the user's words
    voice = np.where(told, columns.code("role", "user"), columns.role[places]).astype(np.int64) * (1 << 32)
    voice += columns.speaker[places]
    pairs = (at[:, None] > at[None, :] if way > 0 else at[:, None] < at[None, :]) & (voice[:, None] == voice[None, :])
    pairs &= (session[:, None] != session[None, :]) | (session[:, None] == 0)
    top = float(scores.max())
    m = min(n, FIRST)
    mean = (float(alike[:m, :m].sum()) - m) / max(1, m * (m - 1))
    (few, low), (many, high) = FEW, MANY
    grown = min(1.0, max(0.0, math.log(max(columns.n, 1) / few) / math.log(many / few)))
    few_say_all = asks & ~(told[:, None] | told[None, :])  # facts are worded alike
    least = np.where(~few_say_all, high, low + (high - low) * grown)
    sure = np.clip((alike - mean - least) / WIDTH, 0, 1) * pairs
    gap = scores[None, :] - scores[:, None]
    leaps = (gap <= LEAP * top) & (scores[:, None] >= LEAST * top)
    leaps &= rises[:, None]
    leaps &= answers[:, None] >= ANSWERS * answers.max(initial=0.0)
    leaps[m:, :] = leaps[:, m:] = False
    gained: Floats = np.where(leaps, sure * np.maximum(gap + ABOVE, 0), 0).max(axis=1).astype(np.float32)
    newest: dict[int, int] = {}
    if way > 0:
        for old in range(n):
            newer = np.flatnonzero(pairs[:, old] & ~told & (alike[:, old] >= max(SURE, mean + high)))
            if len(newer):
                newest[old] = int(newer[np.argmax(at[newer])])
    return gained, newest


def changed(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which search texts say that something has changed, by :data:`CHANGE`."""
    return np.array([not CHANGE.isdisjoint(text.split()) for text in texts], dtype=bool)


def by_words(texts: Sequence[str]) -> Floats:
    """Likeness of search texts by the words they share (Dice), for memories without vectors; shape (n, n)."""
    held = [set(text.split()) for text in texts]
    out = np.eye(len(held), dtype=np.float32)
    for i, one in enumerate(held):
        for j in range(i):
            out[i, j] = out[j, i] = 2 * len(one & held[j]) / max(1, len(one) + len(held[j]))
    return out
