"""From channels to one order: every row of a space gets a handful of numbers, and a weighted sum of them.

One table of weights for all kinds of memories, chosen by cross-validation over eight data sets (docs/benchmarks.md has
the ablation of each feature). Score fusion instead of reciprocal ranks: see docs/adr/0002-score-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..knobs import KNOBS
from ..store.columns import Columns, Sessions
from ..store.vectors import VectorIndex
from ..text.analyse import is_unspaced
from .lexical import K1, B, Floats, Places, Term, idf

#: Feature → weight, where none are set (what each means: :data:`mnemic.knobs.KNOBS`). The channel of each is in
#: :data:`CHANNELS`.
WEIGHTS: Mapping[str, float] = KNOBS["weights"].default
#: Feature → the channel it is reported under.
CHANNELS: Mapping[str, str] = {
    "words": "lexical",
    "session": "graph",
    "topic": "graph",
    "meaning": "vector",
    "theme": "graph",
    "speaker": "entity",
    "date": "time",
}
SHORT = 40.0  # a message of so many words leans on its neighbours by half
BESIDE = (0.8, 0.5)  # what a word counts one and two messages away
REACH = len(BESIDE)
AT_ONCE = 200_000  # numbers: sessions of as many terms as are counted together
LEAST_COSINE = 0.2
#: In a memory of so few messages what is nearest is worth a look, however far.
FEW, LEAST_OF_FEW = 30, 0.1
HIDDEN = np.float32(-1e9)
PAGE = 10  # hits by which the places of channels, causes and documents are counted
DENSE = 20  # a word in one of so many rows is cheaper to follow through all rows than from place to place


@dataclass(slots=True)
class Word:
    """A query word with its relatives in a space, and the weight of each."""

    term: Term
    relatives: Sequence[tuple[Term, float]] = ()


@dataclass(slots=True)
class Evidence:
    """What a query found in a space, before weighting. Arrays have one number per row of the space.

    Attributes:
        words: the query words with their relatives, names of speakers left out.
        names: query words that are names of speakers.
        cosine: likeness of meaning, or ``None`` when no vector search took place.
        named: rows spoken by someone whom the query names, or ``None``.
        dated: how well the time of a row fits the time in the query, 0…1, or ``None``.
        asks_assistant: the query asks what the assistant said. asks_self: it asks about the one who asks.
        only_names: the query holds nothing but names of speakers.
        vectors: those that the query was compared with. echoes: questions that say no more than the query, or ``None``.
    """

    words: Sequence[Word]
    names: Sequence[Term] = ()
    cosine: Floats | None = None
    named: NDArray[np.bool_] | None = None
    dated: Floats | None = None
    asks_assistant: bool = False
    asks_self: bool = True
    only_names: bool = False
    vectors: VectorIndex | None = None
    echoes: NDArray[np.bool_] | None = None


@dataclass(slots=True)
class Scored:
    """Scores of all rows and what they were made of.

    Attributes:
        total: the weighted sum, by row.
        own: what a message's own words gave, by row.
        features: before weighting, by row.
        by_session: features of whole sessions, before weighting, by session number (0: none).
        graph: the weighted sum of those, by row.
    """

    total: Floats
    own: Floats
    features: dict[str, Floats] = field(default_factory=dict)
    by_session: dict[str, Floats] = field(default_factory=dict)
    graph: Floats | None = None


def score(columns: Columns, found: Evidence, weights: Mapping[str, float] = WEIGHTS) -> Scored:
    """Score every row of a space."""
    features: dict[str, Floats] = {}
    by_session: dict[str, Floats] = {}
    sessions = columns.session
    several = columns.session_count() > 1
    own, features["words"], session = _word_features(columns, found.words)
    if several:
        by_session["session"] = session
        topic = session_bm25(columns, [*(w.term for w in found.words), *found.names])
        placed = columns.derived("placed", lambda: (sessions > 0).astype(np.float32))
        best = (own * placed).max(initial=0.0)  # of a message: facts are short, and would stretch the scale
        by_session["topic"] = topic * np.float32(best / max(float(topic.max(initial=0.0)), 1e-6))
    if found.cosine is not None:
        cosine = np.maximum(found.cosine, 0)
        features["meaning"] = cosine
        if several:
            counts = np.maximum(columns.session_sizes()[0], 1)
            by_session["theme"] = (np.bincount(sessions, weights=cosine) / counts).astype(np.float32)
    if found.named is not None:
        features["speaker"] = found.named.astype(np.float32)
    if found.dated is not None:
        features["date"] = found.dated
    assistant = columns.derived("assistant", lambda: _said_by(columns, "assistant"))
    if assistant.any():
        if found.asks_self:
            features["user"] = columns.derived("user", lambda: _said_by(columns, "user"))
        if found.asks_assistant:
            features["asked"] = assistant
        if weights.get("reply") and not found.asks_self:
            fit = own if found.cosine is None else own + features["meaning"]
            asked = columns.derived("asked", lambda: _asked(columns))
            features["reply"] = np.where(asked >= 0, fit[asked], np.float32(0))
    features["question"] = columns.derived("question", lambda: columns.asks * (1 - _said_by(columns, "assistant")))
    total = np.zeros(columns.n, dtype=np.float32)
    part = np.empty_like(total)
    for name, values in features.items():
        total += np.multiply(values, np.float32(weights.get(name, 0.0)), out=part)
    if not by_session:
        return Scored(total, own, features)
    summed = sum(np.float32(weights.get(name, 0.0)) * values for name, values in by_session.items())
    assert isinstance(summed, np.ndarray)
    summed[0] = 0  # what is in no session
    graph = summed[sessions]
    total += graph
    return Scored(total, own, features, by_session, graph)


def _said_by(columns: Columns, role: str) -> Floats:
    out: Floats = (columns.role == columns.code("role", role)).astype(np.float32)
    return out


def _asked(columns: Columns) -> Places:
    """Place of the user's message that each message of the assistant answers, -1 for all other rows."""
    sequence = columns.sequence()
    order = np.arange(columns.n) if sequence.order is None else sequence.order
    user = (columns.role == columns.code("role", "user"))[order]
    at = np.arange(columns.n)
    last = np.maximum.accumulate(np.where(user, at, -1))
    session = columns.session[order]
    replies = (columns.role == columns.code("role", "assistant"))[order] & (last >= 0) & (session > 0)
    replies &= session[last] == session
    out = np.full(columns.n, -1, dtype=np.int64)
    out[order[replies]] = order[last[replies]]
    return out


def _word_features(columns: Columns, words: Sequence[Word]) -> tuple[Floats, Floats, Floats]:
    """Word evidence of every message: its own, with what stands beside it, and (per session number) of its session.

    A word counts once: as itself or as its best relative, in the message or, weaker, one or two messages away. All but
    ``own`` is done in the order of the sessions, where a neighbour is a step to the side.
    """
    n, sequence = columns.n, columns.sequence()
    beside = columns.derived("beside", lambda: _beside(columns))
    own = np.zeros(n, dtype=np.float32)
    session = np.zeros(columns.session_count() + 1, dtype=np.float32)
    around, best, near = (np.zeros(n + 2 * REACH, dtype=np.float32) for _ in range(3))
    inner = slice(REACH, n + REACH)
    shown = np.empty(n, dtype=np.float32)
    total = sum(word.term.idf for word in words) or 1.0
    for word in words:
        places, values = word.term.places, word.term.values
        at = _at(sequence, places)
        if word.relatives:
            best[at] = values
            every = [places]
            for other, weight in word.relatives:
                bounded = weight * min(1.0, word.term.idf / max(other.idf, 1e-6))
                there = _at(sequence, other.places)
                best[there] = np.maximum(best[there], np.float32(bounded) * other.values)
                every.append(other.places)
            # a place may stand here twice: it then reads, and is given, the same number twice
            places = np.concatenate(every)
            at = _at(sequence, places)
            values = best[at]
        own[places] += values
        if len(places) * DENSE > n:
            best[at] = values
            near[:] = best
            for step, share in beside.items():
                np.multiply(share[inner], best[REACH - step : n + REACH - step], out=shown)
                np.maximum(near[inner], shown, out=near[inner])
            around += near
            near[:] = 0
            session[sequence.numbers] += np.maximum.reduceat(best[inner], sequence.starts)
        else:
            near[at] = values
            touched = [at]
            for step, share in beside.items():
                there = at + step
                near[there] = np.maximum(near[there], share[there] * values)
                touched.append(there)
            joined = np.concatenate(touched)
            around[joined] += near[joined]
            near[joined] = 0
            top = np.zeros_like(session)
            np.maximum.at(top, columns.session[places], values)
            session += top
        best[at] = 0
    nearby = around[inner] if sequence.position is None else around[inner][sequence.position]
    return own / total, nearby / total, session / total


def _at(sequence: Sessions, places: Places) -> Places:
    """Positions of rows in the padded order of the sessions."""
    return (places if sequence.position is None else sequence.position[places]) + REACH


def _beside(columns: Columns) -> dict[int, Floats]:
    """Step → what a word counts at each position when it stands so many messages before: 0 over the end of a session.

    In the order of the sessions, padded at both ends, so that a step never leads out of the array.
    """
    n, sequence = columns.n, columns.sequence()
    lean = np.add(columns.words, SHORT, dtype=np.float32)
    np.divide(np.float32(SHORT), lean, out=lean)  # in place: at half a million rows, new memory is what costs
    lean *= columns.dialogue()
    if sequence.order is not None:
        lean = lean[sequence.order]
    out: dict[int, Floats] = {}
    for distance, share in enumerate(BESIDE, 1):
        together = sequence.together(distance)
        for step in (distance, -distance):
            out[step] = np.zeros(n + 2 * REACH, dtype=np.float32)
            first = max(step, 0)
            reached = slice(first, first + len(together))
            here = out[step][REACH:][reached]
            np.multiply(lean[reached], together, out=here)
            here *= np.float32(share)
    return out


def session_bm25(columns: Columns, terms: Sequence[Term]) -> Floats:
    """BM25 of whole sessions, by session number."""
    counts, lengths = columns.session_sizes()
    size = len(counts)
    out = np.zeros(size, dtype=np.float32)
    count = int(np.count_nonzero(counts[1:]))
    if not count:
        return out
    norm = K1 * (1 - B + B * lengths / max(float(lengths[1:].sum()) / count, 1.0))
    step = max(1, AT_ONCE // size)
    for some in (terms[start : start + step] for start in range(0, len(terms), step)):
        which = np.repeat(np.arange(len(some)) * size, [len(term.places) for term in some])
        places = np.concatenate([term.places for term in some])
        weights = np.concatenate([term.counts for term in some])
        flat = np.bincount(columns.session[places] + which, weights=weights, minlength=len(some) * size)
        frequency = flat.reshape(len(some), size)
        holding = np.count_nonzero(frequency[:, 1:], axis=1).tolist()
        rarity = np.array([[idf(count, found)] for found in holding])
        out += (rarity * frequency * (K1 + 1) / (frequency + norm)).sum(axis=0).astype(np.float32)
    out[0] = 0
    return out


def grounded(scored: Scored, found: Evidence) -> NDArray[np.bool_]:
    """Which rows have evidence of their own: a word of the query, beside them at least, or a like meaning.

    Where a query is nothing but names, or nothing else of it is found, what those people said is the answer.
    """
    keep: NDArray[np.bool_] = scored.features["words"] > 0
    if found.cosine is not None:
        keep = keep | (found.cosine >= (LEAST_COSINE if len(keep) > FEW else LEAST_OF_FEW))
    if found.named is not None and (found.only_names or not keep.any()):
        keep = keep | found.named
    return keep


def held(found: Evidence, places: NDArray[np.int64]) -> dict[str, list[int]]:
    """Query term → which of some places hold it, as the keyword index says."""
    out: dict[str, list[int]] = {}
    for term in (*(word.term for word in found.words), *found.names):
        if len(term.text) > 1 or not is_unspaced(term.text):  # (such a one was matched by bigrams that begin with it)
            at = np.minimum(np.searchsorted(term.places, places), max(0, len(term.places) - 1))
            out[term.text] = np.flatnonzero(term.places[at] == places).tolist() if len(term.places) else []
    return out


def by_channel(scored: Scored, weights: Mapping[str, float]) -> dict[str, Floats]:
    """Evidence by the channel that it is reported under."""
    out = {CHANNELS[name]: values for name, values in scored.features.items() if name in CHANNELS and weights[name]}
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
