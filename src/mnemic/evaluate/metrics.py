"""Measures of a ranked list against what should be found. Pure functions; every number is between 0 and 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def recall_at(ranked: Sequence[str], wanted: Iterable[str], k: int) -> float:
    """Share of the wanted ids among the first ``k``."""
    need = set(wanted)
    return len(need & set(ranked[:k])) / len(need)


def all_at(ranked: Sequence[str], wanted: Iterable[str], k: int) -> float:
    """1 when every wanted id is among the first ``k``."""
    return float(set(wanted) <= set(ranked[:k]))


def hit_at(ranked: Sequence[str], wanted: Iterable[str], k: int) -> float:
    """1 when any wanted id is among the first ``k``."""
    return float(bool(set(wanted) & set(ranked[:k])))


def ndcg_at(ranked: Sequence[str], wanted: Iterable[str], k: int) -> float:
    """Normalised discounted cumulative gain with binary relevance (Järvelin and Kekäläinen 2002)."""
    need = set(wanted)
    gain = sum(1 / math.log2(i + 2) for i, id_ in enumerate(ranked[:k]) if id_ in need)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(k, len(need))))
    return gain / ideal


def reciprocal_rank(ranked: Sequence[str], wanted: Iterable[str]) -> float:
    """1 / rank of the first wanted id, 0 when there is none."""
    need = set(wanted)
    return next((1 / (i + 1) for i, id_ in enumerate(ranked) if id_ in need), 0.0)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Chance that a random positive scores above a random negative (ties count half); ``None`` without both."""
    if not positive or not negative:
        return None
    scored = sorted([(score, 1) for score in positive] + [(score, 0) for score in negative])
    ranks, i = 0.0, 0
    while i < len(scored):
        j = i
        while j < len(scored) and scored[j][0] == scored[i][0]:
            j += 1
        ranks += sum(kind for _, kind in scored[i:j]) * (i + j + 1) / 2
        i = j
    n, m = len(positive), len(negative)
    return (ranks - n * (n + 1) / 2) / (n * m)


def mean(values: Sequence[float]) -> float | None:
    """Mean, ``None`` of nothing."""
    return sum(values) / len(values) if values else None


def standard_error(values: Sequence[float]) -> float | None:
    """Standard error of the mean over questions; ``None`` for fewer than two."""
    if len(values) < 2:
        return None
    centre = sum(values) / len(values)
    return math.sqrt(sum((v - centre) ** 2 for v in values) / (len(values) - 1) / len(values))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value below which a share of all values lies (nearest rank)."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]
