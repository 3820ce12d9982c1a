"""Is what was found enough to answer from? A verdict, so that an agent can abstain.

A logistic model over a few features of the ranking, none of which depends on the size of the memory; fitted on the
answerable and unanswerable questions of two data sets, cross-validated by conversation (docs/benchmarks.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models import Sufficiency
from .rank import WEIGHTS, Evidence, Scored, Word

#: Feature → weight in the logit.
COEFFICIENTS: Mapping[str, float] = {
    "bias": -0.84,
    "named_words": 4.35,  # own words: the best message of the person named against the best of the others
    "named_all": -1.0,  # … the same with neighbours and meaning
    "named_first": 0.70,  # the first hit is theirs, were names no help
    "named_share": 1.42,  # share of theirs in the first five
    "rarest_uncovered": -1.29,  # weight of the rarest query word that the first three hits lack
    "unseen": -0.78,  # share of the query, by rarity, that stands nowhere in this memory
    "closest": 2.65,  # likeness of meaning of the closest message
    "lonely": -1.92,  # one message matches far better than the tenth, and yet lacks a word altogether
}
STRONG, WEAK = 0.574, 0.214  # logits 0.3 and −1.3
COSINE_OF_FULL_COVER = 0.55  # stands in for the likeness of meaning where there is no vector search
TENTH = 9
FIRST = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """``strong``, ``weak`` or ``none``, and the number behind it, 0…1."""

    name: Sufficiency
    score: float


def judge(
    found: Evidence, scored: Scored, places: NDArray[np.int64], coefficients: Mapping[str, float] = COEFFICIENTS
) -> Verdict:
    """Judge a ranking by its best places."""
    if not len(places) or not found.words:
        return Verdict("none", 0.0)
    measured = features(found, scored, places)
    logit = sum(coefficients.get(name, 0.0) * value for name, value in measured.items())
    score = round(1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))), 4)
    return Verdict("strong" if score >= STRONG else "weak" if score >= WEAK else "none", score)


def features(found: Evidence, scored: Scored, places: NDArray[np.int64]) -> dict[str, float]:
    """What the verdict goes by (see :data:`COEFFICIENTS`)."""
    out = {"bias": 1.0, "named_words": 0.0, "named_all": 0.0, "named_first": 0.5, "named_share": 0.5}
    named = found.named
    if named is not None and named.any() and not named.all():
        own = scored.own
        every = 4 * scored.features["words"]
        if found.cosine is not None:
            every = every + 6 * found.cosine
        out["named_words"] = float(own[named].max() - own[~named].max())
        out["named_all"] = float(every[named].max() - every[~named].max())
        blind = scored.total - np.float32(WEIGHTS["speaker"]) * scored.features["speaker"]
        first = np.argpartition(-blind, min(5, len(blind) - 1))[:5]
        first = first[np.argsort(-blind[first], kind="stable")]
        out["named_first"] = float(named[first[0]])
        out["named_share"] = float(named[first].mean())
    top = np.zeros(len(scored.own), dtype=bool)
    top[places[:FIRST]] = True
    covered = np.array([coverage(word, top) for word in found.words])
    rarity = np.array([word.term.idf for word in found.words])
    total = float(rarity.sum()) or 1.0
    highest = math.log(1 + (len(scored.own) + 0.5) / 0.5)  # idf of a word that stands nowhere
    out["rarest_uncovered"] = float((rarity * (1 - covered)).max() / highest)
    out["unseen"] = sum(word.term.idf for word in found.words if not len(word.term.places)) / total
    theirs = scored.features["words"] if named is None or not named.any() else scored.features["words"][named]
    count = min(len(theirs), TENTH + 1)
    best = np.sort(np.partition(theirs, len(theirs) - count)[-count:])
    out["lonely"] = float(best[-1] - best[0]) * (1 - float(covered.min()))
    if found.cosine is None:
        out["closest"] = COSINE_OF_FULL_COVER * float((rarity * covered).sum()) / total
    else:
        out["closest"] = float((found.cosine if named is None or not named.any() else found.cosine[named]).max())
    return out


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
