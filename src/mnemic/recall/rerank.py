"""A second look at the best few hundred rows: what is too dear to ask of all of them.

Small words and persons ("who am I?" is answered by "you are …"), phrases, likeness to the first hits
(pseudo-relevance feedback, Rocchio 1971), and a small cost for a session that has already been shown (maximal marginal
relevance, Carbonell and Goldstein 1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..text.analyse import stop_terms, terms
from .lexical import Floats
from .plan import QUESTION_WORDS
from .rank import WEIGHTS

CANDIDATES = 300
FEEDBACK_HITS = 5
FEEDBACK_WEIGHT = 1.0
SESSION_COST = 0.1
DIVERSE_AMONG = 30
DIVERSE_FIRST = 10


def _flip_table() -> dict[str, frozenset[str]]:
    """Term of a person in a question → terms that stand for it in the answer, English and Russian."""
    pairs = "я ты|меня тебя|мне тебе|мной тобой|мой твой|моя твоя|мое твое|мои твои|моего твоего|моей твоей|моему твоему|моим твоим|моих твоих|мою твою|моем твоем"  # fmt: skip
    table: dict[str, set[str]] = {}

    def add(a: str, b: str) -> None:
        for x in terms(a):
            table.setdefault(x, set()).update(terms(b))

    for pair in pairs.split("|"):
        first, second = pair.split()
        add(first, second)
        add(second, first)
        add(first, "пользователь")
    for word in ("i", "my", "me"):
        add(word, "user")
    return {key: frozenset(value) for key, value in table.items()}


FLIP = _flip_table()


def small_words(query: str, texts: Sequence[str], weights: Mapping[str, float] = WEIGHTS) -> dict[str, Floats]:
    """Agreement of small words, persons and phrases between a query and candidate search texts.

    Args:
        query: as asked. texts: search text of each candidate (normalised terms, space-separated).

    Returns:
        Feature → one number per candidate.
    """
    asked = terms(query)
    stop = stop_terms()
    documents = [set(text.split()) for text in texts]
    count = len(documents)
    russian = any("а" <= c <= "я" for c in query.lower())
    grammar = np.zeros(count, dtype=np.float32)
    person = np.zeros(count, dtype=np.float32)
    for word in dict.fromkeys(asked):
        if word not in stop or word in QUESTION_WORDS:
            continue
        flipped = FLIP.get(word)
        if flipped:
            person[[i for i, d in enumerate(documents) if d & flipped]] = 1
        elif russian:
            holding = [i for i, d in enumerate(documents) if word in d]
            weight = math.log(1 + (count - len(holding) + 0.5) / (len(holding) + 0.5)) / 8
            grammar[holding] += np.float32(weight)
    return {"grammar": grammar, "person": person, "phrase": phrases(asked, texts)}


def phrases(asked: Sequence[str], texts: Sequence[str]) -> Floats:
    """How many pairs of neighbouring content words of the query stand side by side in each text, by rarity."""
    stop = stop_terms()
    content = [t for t in asked if t not in stop]
    out = np.zeros(len(texts), dtype=np.float32)
    pairs = set(zip(content, content[1:], strict=False))
    if not pairs:
        return out
    found: dict[tuple[str, str], list[int]] = {pair: [] for pair in pairs}
    firsts = {first for first, _ in pairs}
    for i, text in enumerate(texts):
        words = text.split()
        if firsts.isdisjoint(words):
            continue
        own = [w for w in words if w not in stop]
        for pair in set(zip(own, own[1:], strict=False)) & pairs:
            found[pair].append(i)
    for places in found.values():
        if places:
            out[places] += np.float32(math.log(1 + len(texts) / len(places)) / max(1, len(content) - 1))
    return out


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
    left = list(range(head))
    penalty = np.zeros(head, dtype=np.float32)
    order: list[int] = []
    for _ in range(min(DIVERSE_FIRST, head)):
        best = max(left, key=lambda i: scores[i] - penalty[i])
        left.remove(best)
        order.append(best)
        if sessions[best] > 0:
            penalty += np.float32(SESSION_COST) * (sessions[:head] == sessions[best])
    return np.array([*order, *left, *range(head, len(scores))], dtype=np.int64)
