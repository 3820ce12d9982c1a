"""Relatives of a query word: terms of the same space that an embedder holds to be close ("flat" – "apartment", «Литва» – «Вильнюс», and across languages)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..store.words import WordIndex

LEAST = 0.5  # likeness below this says nothing
WEIGHT = 0.8  # a relative counts less than the word itself


def relatives(index: WordIndex, vectors: Mapping[str, NDArray[np.float32]]) -> dict[str, Mapping[str, float]]:
    """For each query term its related terms → weight in 0…0.8, growing with likeness."""
    found = index.nearest({term: v for term, v in vectors.items() if not term.isdigit()}, least=LEAST)
    return {
        term: {
            other: WEIGHT * (likeness - LEAST) / (1 - LEAST)
            for other, likeness in found.get(term, ())
            if not other.isdigit()
        }
        for term in vectors
    }
