"""From channels to one order: every row of a space gets a handful of numbers, and a weighted sum of them.

One table of weights for all kinds of memories, chosen by cross-validation over eight data sets (docs/benchmarks.md has
the ablation of each feature). Score fusion instead of reciprocal ranks: see docs/adr/0002-score-fusion.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..knobs import KNOBS
from ..lang.pack import languages, load
from ..store.columns import Columns, Sessions
from ..store.vectors import VectorIndex
from ..text.analyse import is_unspaced, stop_terms, terms
from .lexical import K1, B, Floats, Places, Term, idf
from .plan import MAX_TERMS, QUESTION_WORDS, READ_CHARS

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


# A second look at the best few hundred rows: what is too dear to ask of all of them. Small words and persons ("who am
# I?" is answered by "you are …"), phrases, likeness to the first hits (pseudo-relevance feedback, Rocchio 1971), and a
# small cost for a session that has already been shown (maximal marginal relevance, Carbonell and Goldstein 1998).

CANDIDATES = 150
FEEDBACK_HITS = 5
FEEDBACK_WEIGHT = 1.0
SESSION_COST = 0.1
DIVERSE_AMONG = 30
DIVERSE_FIRST = 10


def _flip_table() -> dict[str, frozenset[str]]:
    """Term of a person in a question → terms that stand for it in the answer."""
    table: dict[str, set[str]] = {}
    for row in (row.split() for language in languages() for row in load(language, "recall").get("persons", ())):
        for term in terms(row[0]):
            table.setdefault(term, set()).update(t for other in row[1:] for t in terms(other))
    return {key: frozenset(value) for key, value in table.items()}


FLIP = _flip_table()


class Texts:
    """Search texts of the candidates, read when first asked for: of most queries only a few are needed.

    Args:
        count: how many candidates there are.
        read: gives the search texts (normalised terms, space-separated) of the candidates at some positions.
    """

    def __init__(self, count: int, read: Callable[[Sequence[int]], Sequence[str]]) -> None:
        self.count = count
        self._read = read
        self._known: dict[int, str] = {}

    def of(self, wanted: Sequence[int]) -> list[str]:
        """Some texts, with a space at both ends."""
        missing = [i for i in wanted if i not in self._known]
        if missing:
            self._known.update((i, f" {text} ") for i, text in zip(missing, self._read(missing), strict=True))
        return [self._known[i] for i in wanted]

    def holding(self, word: str) -> list[int]:
        """Which of all texts hold a term."""
        spaced = f" {word} "
        return [i for i, text in enumerate(self.of(range(self.count))) if spaced in text]


def small_words(query: str, texts: Texts, held: Mapping[str, Sequence[int]]) -> dict[str, Floats]:
    """Agreement of small words, persons and phrases between a query and candidate search texts.

    Args:
        query: as asked.
        texts: of the candidates.
        held: which candidates hold a term, as far as that is known without their texts.

    Returns:
        Feature → one number per candidate.
    """
    asked = terms(query[:READ_CHARS])[:MAX_TERMS]
    stop = stop_terms()
    count = texts.count
    russian = any("а" <= c <= "я" for c in query.lower())
    grammar = np.zeros(count, dtype=np.float32)
    person = np.zeros(count, dtype=np.float32)
    for word in dict.fromkeys(asked):
        if word not in stop or word in QUESTION_WORDS:
            continue
        flipped = FLIP.get(word)
        if flipped:
            for other in flipped:
                person[texts.holding(other)] = 1
        elif russian:
            found = texts.holding(word)
            weight = math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5)) / 8
            grammar[found] += np.float32(weight)
    return {"grammar": grammar, "person": person, "phrase": phrases(asked, texts, held)}


def phrases(asked: Sequence[str], texts: Texts, held: Mapping[str, Sequence[int]]) -> Floats:
    """How many pairs of neighbouring content words of the query stand side by side in each text, by rarity."""
    stop = stop_terms()
    content = [t for t in asked if t not in stop]
    out = np.zeros(texts.count, dtype=np.float32)
    if len(content) < 2:
        return out
    has = {word: set(held[word] if word in held else texts.holding(word)) for word in content}
    together = {pair: sorted(has[pair[0]] & has[pair[1]]) for pair in set(pairwise(content))}
    texts.of(list({i for close in together.values() for i in close}))  # all at once: what costs is to ask
    for (first, second), close in together.items():
        both = [i for i, text in zip(close, texts.of(close), strict=True) if _side_by_side(first, second, text, stop)]
        if both:
            out[both] += np.float32(math.log(1 + texts.count / len(both)) / max(1, len(content) - 1))
    return out


def _side_by_side(first: str, second: str, padded: str, stop: frozenset[str]) -> bool:
    """Whether two terms follow each other in a text, small words between them left out."""
    spaced = f" {first} "
    at = padded.find(spaced)
    while at >= 0:
        start = at + len(spaced)
        while (end := padded.find(" ", start)) >= 0 and padded[start:end] in stop:
            start = end + 1
        if padded[start:end] == second:
            return True
        at = padded.find(spaced, at + 1)
    return False


def feedback(scores: Floats, vectors: Callable[[NDArray[np.int64]], Floats | None]) -> Floats:
    """Weighted mean direction of the first hits, to which the others are then compared; ``None``-safe.

    Args:
        scores: of the candidates, best first.
        vectors: gives the mean vector of the candidates at some positions, shape (k, dimension).

    Returns:
        Unit vector, or an empty array where the first hits have no vectors.
    """
    first = np.arange(min(FEEDBACK_HITS, len(scores)))
    found = vectors(first)
    if found is None or not len(first):
        return np.empty(0, dtype=np.float32)
    share = np.exp(scores[first] - scores[0])
    centre = (share[:, None] * found).sum(axis=0)
    length = float(np.linalg.norm(centre))
    return (centre / length).astype(np.float32) if length > 0 else np.empty(0, dtype=np.float32)


def diversify(scores: Floats, sessions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Order of the candidates (given best first): each hit taken from a session makes its others cost a little more."""
    head = min(DIVERSE_AMONG, len(scores))
    left, session = scores[:head].tolist(), sessions[:head].tolist()
    taken = dict.fromkeys(session, 0)
    order: list[int] = []
    rest = list(range(head))
    for _ in range(min(DIVERSE_FIRST, head)):
        best = max(rest, key=lambda i: left[i] - SESSION_COST * taken[session[i]])
        rest.remove(best)
        order.append(best)
        taken[session[best]] += session[best] > 0
    return np.concatenate([[*order, *rest], np.arange(head, len(scores))]).astype(np.int64)
