"""From channels to one order: every row of a space gets a handful of numbers, and a weighted sum of them.

One table of weights for all kinds of memories, chosen by cross-validation over eight data sets (docs/benchmarks.md has
the ablation of each feature). Score fusion instead of reciprocal ranks: see docs/adr/0002-score-fusion.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..store.columns import Columns
from .lexical import Floats, Places, Term

#: Feature → weight.
WEIGHTS: Mapping[str, float] = {
    "lexical": 4.7,  # words of the query, or their relatives, in the message or right beside it
    "session": 1.4,  # … anywhere in its session
    "vector": 6.5,  # likeness of meaning
    "substance": 5.0,  # … damped for short messages
    "theme": 4.0,  # … of the whole session
    "speaker": 4.6,  # said by someone whom the query names
    "user": 3.9,  # said by the user, where an assistant takes part
    "asked": 1.4,  # said by the assistant, when the query asks what it said
    "question": -1.05,  # the message itself is a question
}
SHORT = 20.0  # a message of so many words leans on its neighbours by half
BESIDE = (0.5, 0.25)  # what a word counts one and two messages away
SUBSTANCE = 0.3


@dataclass(slots=True)
class Word:
    """A query word with its relatives in a space, and the weight of each."""

    term: Term
    relatives: Sequence[tuple[Term, float]] = ()


@dataclass(slots=True)
class Evidence:
    """What a query found in a space, before weighting. Arrays have one number per row of the space.

    Attributes:
        words: the query words with their relatives.
        cosine: likeness of meaning, or ``None`` when no vector search took place.
        named: rows spoken by someone whom the query names, or ``None``.
        asks_assistant: the query asks what the assistant said.
    """

    words: Sequence[Word]
    cosine: Floats | None = None
    named: NDArray[np.bool_] | None = None
    asks_assistant: bool = False


@dataclass(slots=True)
class Scored:
    """Scores of all rows and the features they were made of; ``own`` is what a message's own words gave."""

    total: Floats
    own: Floats
    features: dict[str, Floats] = field(default_factory=dict)


def score(columns: Columns, found: Evidence, weights: Mapping[str, float] = WEIGHTS) -> Scored:
    """Score every row of a space."""
    n = columns.n
    features: dict[str, Floats] = {}
    talk = columns.dialogue()
    lean = (SHORT / (SHORT + columns.words) * talk).astype(np.float32)
    own, features["lexical"], session = _word_features(columns, found.words, lean)
    sessions = columns.session
    if talk.size and columns.session_count() > 1:
        features["session"] = session[sessions] * (sessions > 0)
    if found.cosine is not None:
        cosine = np.maximum(found.cosine, 0)
        features["vector"] = cosine
        average = max(float(columns.words.mean()), 1.0)
        features["substance"] = (cosine * (columns.words / (columns.words + SUBSTANCE * average))).astype(np.float32)
        if columns.session_count() > 1:
            counts = np.maximum(np.bincount(sessions), 1)
            features["theme"] = ((np.bincount(sessions, weights=cosine) / counts)[sessions] * (sessions > 0)).astype(np.float32)
    if found.named is not None:
        features["speaker"] = found.named.astype(np.float32)
    assistant = columns.role == columns.code("role", "assistant")
    if assistant.any():
        features["user"] = (columns.role == columns.code("role", "user")).astype(np.float32)
        if found.asks_assistant:
            features["asked"] = assistant.astype(np.float32)
    total = np.zeros(n, dtype=np.float32)
    for name, values in features.items():
        total += np.float32(weights.get(name, 0.0)) * values
    return Scored(total, own, features)


def _word_features(columns: Columns, words: Sequence[Word], lean: Floats) -> tuple[Floats, Floats, Floats]:
    """Word evidence of every message: its own, with what stands beside it, and (per session number) of its session.

    A word counts once: as itself or as its best relative, in the message or, weaker, one or two messages away.
    """
    n = columns.n
    before, after = columns.neighbours()
    own = np.zeros(n, dtype=np.float32)
    around = np.zeros(n, dtype=np.float32)
    session = np.zeros(columns.session_count() + 1, dtype=np.float32)
    best = np.zeros(n, dtype=np.float32)
    near = np.zeros(n, dtype=np.float32)
    total = sum(word.term.idf for word in words) or 1.0
    for word in words:
        best[word.term.places] = word.term.values
        for other, weight in word.relatives:
            bounded = weight * min(1.0, word.term.idf / max(other.idf, 1e-6))
            best[other.places] = np.maximum(best[other.places], np.float32(bounded) * other.values)
        places = np.flatnonzero(best)
        values = best[places]
        own[places] += values
        top = np.zeros_like(session)
        np.maximum.at(top, columns.session[places], values)
        session += top
        near[places] = values
        for links in (before, after):
            at = places
            for share in BESIDE:
                at = np.where(at >= 0, links[at], -1)
                here = at >= 0
                target = at[here]
                near[target] = np.maximum(near[target], np.float32(share) * lean[target] * values[here])
        touched = np.flatnonzero(near)
        around[touched] += near[touched]
        near[touched] = 0
        best[places] = 0
    return own / total, around / total, session / total


__all__ = ["WEIGHTS", "Evidence", "Floats", "Places", "Scored", "Word", "score"]
