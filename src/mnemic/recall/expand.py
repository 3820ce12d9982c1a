"""Relatives of a query word: terms of the same space that an embedder holds to be close ("flat" – "apartment", «Литва» – «Вильнюс», and across languages)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..store.words import WordIndex

LEAST = 0.5  # likeness below this says nothing
WEIGHT = 0.8  # a relative counts less than the word itself


def relatives(index: WordIndex | None, term: str, vector: NDArray[np.float32] | None) -> Mapping[str, float]:
    """Related terms of a query term → weight in 0…0.8, growing with likeness."""
    if index is None or vector is None or term.isdigit():
        return {}
    return {
        other: WEIGHT * (likeness - LEAST) / (1 - LEAST)
        for other, likeness in index.nearest(term, vector)
        if likeness > LEAST and not other.isdigit()
    }
