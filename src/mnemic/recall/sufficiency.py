"""Is what was found enough to answer from? A verdict, so that an agent can abstain.

A logistic model over a few features of the ranking, fitted by ``bench/verdict.py`` on answerable and unanswerable
questions over memories of 1 to 6,000 messages, with an embedder and without, in several languages, and cross-validated
by set (docs/benchmarks.md has the reliability diagram). Questions that say no more than the query are no evidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models import Sufficiency
from .rank import WEIGHTS, Evidence, Scored, Word

#: Feature → weight in the logit, in a memory of few messages and in one of many (:data:`SIZES`): where meaning takes
#: part, and where only words do. A lone match is a good sign among five messages and a bad one among five thousand.
MEANING: Mapping[str, tuple[float, float]] = {
    "bias": (-2.59, -0.28),
    "cover": (-0.15, -1.55),
    "cover_first": (4.79, -0.07),
    "uncovered": (-0.52, -1.46),
    "unseen": (0.42, -0.68),
    "lonely": (0.05, -3.56),
    "named_words": (2.41, 6.49),
    "named_all": (-0.01, -1.42),
    "named_first": (0.15, 1.11),
    "named_share": (-0.58, 2.17),
    "closest": (6.6, 4.45),
    "apart": (0.63, -1.2),
    "both": (-5.34, -0.89),
}
WORDS: Mapping[str, tuple[float, float]] = {
    "bias": (1.09, 0.87),
    "cover": (-2.3, -1.89),
    "cover_first": (3.34, -0.06),
    "uncovered": (-0.33, -1.99),
    "unseen": (-1.94, -0.7),
    "lonely": (0.56, -2.62),
    "named_words": (0.2, 5.87),
    "named_all": (-0.27, -2.41),
    "named_first": (1.29, 1.38),
    "named_share": (-1.56, 3.43),
}
SIZES = (60, 300)
STRONG, WEAK = 0.78, 0.2
USUAL = 200  # a word is as rare as in a memory of so many messages at least: on the first day every word is rare
FIRST, TENTH = 3, 9


@dataclass(frozen=True, slots=True)
class Verdict:
    """``strong``, ``weak`` or ``none``, and the number behind it, 0…1."""

    name: Sufficiency
    score: float


def judge(found: Evidence, scored: Scored, places: NDArray[np.int64], allowed: NDArray[np.bool_]) -> Verdict:
    """Judge a ranking by its best places; ``allowed``: the rows that may answer."""
    if not len(places) or not found.words:
        return Verdict("none", 0.0)
    measured = features(found, scored, places, allowed)
    coefficients = WORDS if found.cosine is None else MEANING
    share = grown(int(np.count_nonzero(allowed)))
    logit = sum(
        ((1 - share) * few + share * many) * measured.get(name, 0.0) for name, (few, many) in coefficients.items()
    )
    score = round(1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))), 4)
    return Verdict("strong" if score >= STRONG else "weak" if score >= WEAK else "none", score)


def grown(n: int) -> float:
    """0 for a memory of few messages, 1 for one of many."""
    few, many = SIZES
    return min(1.0, max(0.0, math.log(max(n, 1) / few) / math.log(many / few)))


def features(
    found: Evidence, scored: Scored, places: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> dict[str, float]:
    """What the verdict goes by.

    ``cover``, ``cover_first``: share of the query's words, by rarity, that the first three hits hold, and the first
    one. ``uncovered``: weight of the rarest that they lack. ``unseen``: share that stands nowhere. ``closest``,
    ``apart``: likeness of meaning of the closest message, and how far it is above the tenth. ``lonely``: one message
    matches far better than the tenth and yet lacks a word. ``named…``: whether whom the query names said it.
    """
    words, n = found.words, len(scored.own)
    cosine = None if found.cosine is None else np.where(allowed, found.cosine, 0)
    named = None if found.named is None else found.named & allowed
    theirs = allowed if named is None or not named.any() else named
    rarity = np.array([rare(n, len(word.term.places)) for word in words])
    total = float(rarity.sum()) or 1.0
    top, best = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    top[places[:FIRST]] = True
    best[places[:1]] = True
    covered = np.array([coverage(word, top) for word in words])
    matched = np.sort(scored.features["words"][theirs])[::-1]
    out = {
        "bias": 1.0,
        "cover": float((rarity * covered).sum()) / total,
        "cover_first": sum(r * coverage(word, best) for r, word in zip(rarity, words, strict=True)) / total,
        "uncovered": float((rarity * (1 - covered)).max() / rare(n, 0)),
        "unseen": sum(r for r, word in zip(rarity, words, strict=True) if not len(word.term.places)) / total,
        "lonely": float(matched[0] - matched[min(TENTH, len(matched) - 1)]) * (1 - float(covered.min())),
        "named_words": 0.0,
        "named_all": 0.0,
        "named_first": 0.5,
        "named_share": 0.5,
    }
    if cosine is not None:
        close = np.sort(cosine[theirs])[::-1]
        out["closest"] = float(close[0])
        out["apart"] = float(close[0] - close[min(TENTH, len(close) - 1)]) if len(close) > FIRST else 0.0
        out["both"] = out["closest"] * out["cover"]
    if named is not None and named.any() and (others := allowed & ~named).any():
        out["named_words"] = float(scored.own[named].max() - scored.own[others].max())
        every = 4 * scored.features["words"] + (0 if cosine is None else 6 * cosine)
        out["named_all"] = float(every[named].max() - every[others].max())
        blind = np.where(allowed, scored.total - np.float32(WEIGHTS["speaker"]) * scored.features["speaker"], -np.inf)
        first = np.argsort(-blind, kind="stable")[:5]
        out["named_first"] = float(named[first[0]])
        out["named_share"] = float(named[first].mean())
    return out


def rare(n: int, holding: int) -> float:
    """How much a word says that so many of n messages hold."""
    return math.log(1 + (max(n, USUAL) - holding + 0.5) / (holding + 0.5))


def coverage(word: Word, top: NDArray[np.bool_]) -> float:
    """How well a query word, or a relative of it, is covered by the best of some rows (a mask): 0…1 of its idf."""
    own, best = word.term.idf, 0.0
    for bounded, term in [(1.0, word.term), *((w * min(1.0, own / max(t.idf, 1e-6)), t) for t, w in word.relatives)]:
        here = term.values[top[term.places]]
        if len(here):
            best = max(best, bounded * float(here.max()))
            if best >= own:
                break
    return min(1.0, best / (own or 1.0))
