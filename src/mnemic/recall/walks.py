"""Walks from a question into the graph: on along a session, and from the things it names to what is known of them.

:func:`onward` goes forward or back in a session. :func:`named` finds what a question names, in any case and by a part
of a name; :func:`joined` the rows that speak of it, and those that speak of the same things as these do: Anna works at
Globex, Globex is in Oslo. What few rows speak of counts more than what all do, and less with every step.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..store.base import Store
from ..store.columns import Columns
from ..text.analyse import fold, raw_words, stop_terms, terms
from ..text.name_forms import canonical_forms
from ..text.name_likeness import same_name
from ..text.names import names
from .plan import QUESTION_WORDS, READ_CHARS, Reading
from .rank import PAGE

ONWARD = 3  # messages after or before what a question names
LIKE = 0.5  # least likeness of two names that may be one
UNKNOWN = 0.8  # likeness of a name in the question that nobody is known by
FALL = 0.5  # what a step further counts of the one before it
SPOKEN = 0.5  # what a message counts of a fact, behind the first step
DIRECT = 1_000  # newest rows of each thing that the question names
BEHIND = 50  # newest rows of each thing further on
BRIDGES = 100  # rows that are gone on from in one step, the best
HUB = 500  # of a thing that so many rows speak of nothing follows
_READ = 400  # characters of a row that are read for names
_BEGINNING = 3  # letters that all forms of a name have in common
_MOST_NAMES = 100  # of a space that are compared with a question

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a question names.

    Attributes:
        name: as it is known, or as the question writes it. likeness: how surely it is meant, 0…1.
        entity: its number, ``None`` where nothing is known by that name. stems: of each of its names, by which a text
            speaks of it («Глобексе» of Глобекс) that no mention was noted of.
    """

    name: str
    likeness: float
    entity: int | None
    stems: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Joined:
    """A row that a walk has reached.

    Attributes:
        score: 0…1. depth: 1 where it speaks of what the question names. via: the names on the way to it, the last one
            last.
    """

    row: int
    score: float
    depth: int
    via: tuple[str, ...]


def onward(columns: Columns, place: int, steps: int) -> list[int]:
    """Places of the messages after one in its session, in order; of those before it, nearest first, for ``steps`` below
    0."""
    beside = columns.neighbours()[steps > 0]
    out: list[int] = []
    at = int(beside[place])
    while at >= 0 and len(out) < abs(steps):
        out.append(at)
        at = int(beside[at])
    return out


def walked(reading: Reading, columns: Columns, mask: NDArray[np.bool_], rows: list[int]) -> list[int]:
    """The rows, where a question for what came after or before something has that right behind what it names."""
    steps = {"after": ONWARD, "before": -ONWARD}.get(reading.plan.intent, 0)
    if not steps or not rows:
        return rows
    place = next((int(p) for p in columns.index(rows[:PAGE]) if columns.session[p]), -1)
    if place < 0:
        return rows
    beside = [int(columns.row[p]) for p in onward(columns, place, steps) if mask[p]]
    anchor = int(columns.row[place])
    return list(dict.fromkeys([anchor, *beside, *rows]))


# -- what a question names --------------------------------------------------------------------------------------------


def named(store: Store, space: str, query: str) -> list[Named]:
    """What a question names: «у Виктора», «Марии», "Anna" for Anna Petrova; a whole name before a part of one.

    A part stands for the name of a person, and where it has a capital for any other ("office" is not the office of
    Globex). Of several that a word may stand for, those count that are most like it. A capitalised name that nothing is
    known by counts as it is written.
    """
    head = query[:READ_CHARS]
    written = raw_words(head)
    words = [fold(word) for word in written]
    beginnings: dict[str, set[int]] = {}
    for at, word in enumerate(words):
        if len(word) > 1 and not all(term in stop_terms() or term in QUESTION_WORDS for term in terms(word)):
            for form in (word, *canonical_forms(word)):
                beginnings.setdefault(form[:_BEGINNING], set()).add(at)
    asked = list(beginnings)
    if not asked or not store.columns(space).n:
        return []
    with store.snapshot():
        known = store.names_like(space, asked, _phrases(words), _MOST_NAMES)
        capital = {at for at, word in enumerate(written) if word[:1].isupper()}
        places = ((alias, no, person, beginnings[asked[key]]) for alias, no, person, key in known)
        meant, covered = _meant(words, capital, places)
        out = _things(store, meant)
    strange = [name for name in names(head) if not any(fold(word) in covered for word in raw_words(name))]
    out += [Named(name, UNKNOWN, None, frozenset([tuple(terms(name))])) for name in strange if terms(name)]
    return out


def _meant(
    words: Sequence[str], capital: set[int], known: Iterable[tuple[str, int, int, set[int]]]
) -> tuple[dict[int, float], set[str]]:
    """Entities that words of a question mean → how surely, and the words that do."""
    hits: list[tuple[int, int, int, float]] = []
    best: dict[int, tuple[float, int]] = {}
    for alias, no, person, places in known:
        size = len(alias.split())
        for at in places:
            part = size > 1 and (person or at in capital)
            for length in (size, 1) if part else (size,):
                if at + length > len(words):
                    continue
                likeness = _alike(" ".join(words[at : at + length]), alias)
                if likeness >= LIKE:
                    hits.append((at, length, no, likeness))
                    for covered in range(at, at + length):
                        best[covered] = max(best.get(covered, (0.0, 0)), (likeness, length))
                    break
    meant: dict[int, float] = {}
    for at, length, no, likeness in hits:
        if best[at] == (likeness, length):
            meant[no] = max(likeness, meant.get(no, 0.0))
    return meant, {words[at] for at in best}


def _alike(written: str, alias: str) -> float:
    return max(same_name(written, alias).score, same_name(written, alias, person=False).score)


def _things(store: Store, meant: Mapping[int, float]) -> list[Named]:
    """Entities with the stems of all their names."""
    known: dict[int, tuple[str, set[tuple[str, ...]]]] = {}
    for no, name, alias in store.aliases(meant):
        stems = tuple(terms(alias))
        if stems and not all(stem in stop_terms() for stem in stems):
            known.setdefault(no, (name, set()))[1].add(stems)
    return [Named(name, meant[no], no, frozenset(stems)) for no, (name, stems) in known.items()]


def _phrases(words: Sequence[str]) -> list[str]:
    """Single words and pairs of them."""
    return list(dict.fromkeys([*words, *map(" ".join, itertools.pairwise(words))]))


# -- what speaks of it ------------------------------------------------------------------------------------------------


def joined(
    store: Store, space: str, columns: Columns, mask: NDArray[np.bool_], entities: Sequence[Named], depth: int
) -> list[Joined]:
    """Rows that speak of what a question names, and rows further on by what both speak of, the best first.

    Args:
        mask: rows that may be seen; nothing is reached through one that may not. entities: see :func:`named`.
        depth: 1 for the rows that speak of them, 2 for one step behind these, and so on.
    """
    out: dict[int, Joined] = {}
    frontier: list[tuple[Named, float, tuple[str, ...]]] = [(t, t.likeness, (t.name,)) for t in entities]
    walked = {thing.entity for thing in entities}
    spoken = {stems for thing in entities for stems in thing.stems}
    with store.snapshot():
        for step in range(1, depth + 1):
            fresh: dict[int, Joined] = {}
            most = DIRECT if step == 1 else BEHIND
            everywhere = _rows(store, space, columns, mask, [thing for thing, *_ in frontier], most)
            for (_, strength, via), rows in zip(frontier, everywhere, strict=True):
                if step > 1 and len(rows) > HUB:
                    continue
                score = strength * _rarity(len(rows))
                for row in rows[:most].tolist():
                    if row not in out:
                        had = fresh.get(row)  # of a row that speaks of several, each makes it surer
                        both = score if had is None else 1 - (1 - had.score) * (1 - score)
                        fresh[row] = Joined(row, both, step, via if had is None else had.via)
            if step > 1:
                fresh = _facts_first(columns, fresh)
            out.update(fresh)
            if step == depth or not fresh:
                break
            bridges = sorted(fresh.values(), key=lambda j: (-j.score, -j.row))[:BRIDGES]
            frontier = []
            for thing, reached in _beyond(store, space, bridges):
                if thing.entity not in walked and not thing.stems <= spoken:
                    walked.add(thing.entity)
                    spoken |= thing.stems
                    frontier.append((thing, FALL * reached.score, (*reached.via, thing.name)))
    return sorted(out.values(), key=lambda j: (-j.score, -j.row))


def _rows(
    store: Store, space: str, columns: Columns, mask: NDArray[np.bool_], things: Sequence[Named],
    most: int,
) -> list[Rows]:  # fmt: skip
    """Rows that speak of each thing and may be seen, the newest first: by a mention that was noted (of the newest so
    many), or by its words."""
    numbers = [thing.entity for thing in things if thing.entity is not None]
    noted: dict[int, list[int]] = {}
    for no, row in store.newest_mentions(numbers, most):
        noted.setdefault(no, []).append(row)
    wanted = list(dict.fromkeys(stem for thing in things for stems in thing.stems for stem in stems))
    held = {stem: np.unique(rows) for stem, rows in zip(wanted, store.postings(space, wanted), strict=True)}
    out = []
    for thing in things:
        parts = [np.array(noted.get(-1 if thing.entity is None else thing.entity, ()), dtype=np.int64)]
        for stems in thing.stems:
            rarest, *others = sorted((held[stem] for stem in stems), key=len)
            for rows in others:
                at = np.minimum(np.searchsorted(rows, rarest), max(0, len(rows) - 1))
                rarest = rarest[rows[at] == rarest]  # (no longer than the others, so these are not empty unless it is)
            parts.append(rarest)
        rows = np.unique(np.concatenate(parts))
        places = columns.index(rows)
        out.append(rows[(places >= 0) & mask[places]][::-1])
    return out


def _facts_first(columns: Columns, found: Mapping[int, Joined]) -> dict[int, Joined]:
    """Rows of a further step, the messages among them counting less."""
    rows = list(found.values())
    kinds = columns.kind[columns.index([j.row for j in rows])]
    episodic = kinds == columns.code("kind", "episodic")
    return {
        j.row: Joined(j.row, j.score * SPOKEN, j.depth, j.via) if said else j
        for j, said in zip(rows, episodic, strict=True)
    }


def _beyond(store: Store, space: str, bridges: Sequence[Joined]) -> list[tuple[Named, Joined]]:
    """What rows speak of besides, each with the best of them."""
    order = {j.row: i for i, j in enumerate(bridges)}
    first: dict[int, int] = {}  # entity → the best row that speaks of it
    found = store.mentioned(order)
    words: dict[str, int] = {}
    for row, node in sorted(store.nodes(list(order)).items(), key=lambda item: order[item[0]]):
        for phrase in _phrases([fold(word) for word in raw_words(node.content[:_READ])]):
            words.setdefault(phrase, row)
    found += [(words[alias], no) for alias, no in store.names_exactly(space, words)]
    for row, no in found:
        if no not in first or order[row] < order[first[no]]:
            first[no] = row
    ways = [(thing, bridges[order[first[thing.entity or 0]]]) for thing in _things(store, dict.fromkeys(first, 1.0))]
    return sorted(ways, key=lambda way: order[way[1].row])


def _rarity(rows: int) -> float:
    """1 for what one row speaks of, less the more do: 0.5 for sixteen, 0.29 for a thousand."""
    return 1 / (1 + math.log2(max(1, rows)) / 4)
