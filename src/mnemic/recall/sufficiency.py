"""Is what was found enough to answer from? A verdict, so that an agent can abstain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models import Sufficiency
from .lexical import Floats
from .rank import Evidence, Scored

STRONG, WEAK = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class Verdict:
    """``strong``, ``weak`` or ``none``, and the number behind it, 0…1."""

    name: Sufficiency
    score: float


def judge(found: Evidence, scored: Scored, places: NDArray[np.int64], scores: Floats) -> Verdict:
    """Judge the best places of a ranking."""
    if not len(places) or not found.words:
        return Verdict("none", 0.0)
    top = set(places[:3].tolist())
    total = sum(w.term.idf for w in found.words) or 1.0
    covered = sum(w.term.idf for w in found.words if top & set(w.term.places.tolist()))
    share = covered / total
    close = float(found.cosine[places[:3]].max()) if found.cosine is not None else share
    score = round(min(1.0, max(0.0, 0.6 * share + 0.4 * close)), 4)
    return Verdict("strong" if score >= STRONG else "weak" if score >= WEAK else "none", score)
