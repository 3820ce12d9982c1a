"""A second look at the best few hundred rows: what is too dear to ask of all of them.

Small words and persons ("who am I?" is answered by "you are …"), phrases, likeness to the first hits
(pseudo-relevance feedback, Rocchio 1971), and a small cost for a session that has already been shown (maximal marginal
relevance, Carbonell and Goldstein 1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..lang.pack import languages, load
from ..text.analyse import stop_terms, terms
from .lexical import Floats
from .plan import MAX_TERMS, QUESTION_WORDS, READ_CHARS

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
