"""Which document answers a question: its words against the routing rules of all documents.

A question goes to a document as far as the rule holds its words, the rarer among all rules the more: half for all of the
rule and half for its best single phrase, since words that stand together under one heading say more than the same words
from everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.analyse import query_terms, stop_terms, terms
from ..text.routing import KINDS, Rule

#: From this score on a question is for the document.
LEAST = 0.5
MOST_CHARS = 2_000  # of a question that are read
REASONS = 3
#: Words by which one asks for a document and that say nothing of its subject, English and Russian.
ASKING = frozenset(
    term
    for word in [
        "mean",
        "means",
        "meaning",
        "define",
        "definition",
        "explain",
        "describe",
        "tell",
        "show",
        "find",
        "say",
        "document",
        "doc",
        "docs",
        "page",
        "read",
        "значит",
        "означает",
        "значение",
        "определение",
        "объясни",
        "объяснить",
        "расскажи",
        "расскажите",
        "покажи",
        "найди",
        "такое",
        "такой",
        "документ",
        "документация",
        "страница",
        "сказано",
        "написано",
    ]
    for term in terms(word)
)


@dataclass(frozen=True, slots=True)
class Match:
    """A document for a question: its place among those given, how much of the question its rule holds (0…1), and the
    phrases that do, each with the kind it is of."""

    place: int
    score: float
    reasons: tuple[tuple[str, str], ...]


class Routes:
    """The rules of some documents, ready to be asked.

    Args:
        rules: one for each document; equal scores are answered in their order.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.count = len(rules)
        self._phrases: list[tuple[str, str]] = []  # kind, phrase
        owners: list[int] = []
        counts: list[float] = []
        holding: dict[str, list[int]] = {}
        stop = stop_terms()
        for place, rule in enumerate(rules):
            for kind, (weight, name) in KINDS.items():
                for phrase in getattr(rule, kind):
                    for term in {term for term in terms(phrase) if term not in stop}:
                        holding.setdefault(term, []).append(len(owners))
                    self._phrases.append((name, phrase))
                    owners.append(place)
                    counts.append(weight)
        self._owner = np.array(owners, dtype=np.int64)
        self._counts = np.array(counts, dtype=np.float64)
        self._holding = {term: np.array(numbers, dtype=np.int64) for term, numbers in holding.items()}

    def match(
        self, question: str, *, among: NDArray[np.bool_] | None = None, least: float = LEAST, limit: int = 3
    ) -> list[Match]:
        """The documents that a question is for, the best first.

        Args:
            among: of which documents, by place. least: lowest score. limit: how many at most.
        """
        stop = stop_terms()
        said = [term for term in query_terms(question[:MOST_CHARS]) if term not in stop]
        said = [term for term in said if term not in ASKING] or said
        none = np.empty(0, dtype=np.int64)
        held = [self._holding.get(term, none) for term in said]
        owners = [self._owner[numbers] for numbers in held]
        rarity = [np.log(1 + (self.count + 1) / (len(np.unique(own)) + 1)) for own in owners]
        if not any(map(len, held)):
            return []
        whole = np.zeros(self.count)
        phrases = np.zeros(len(self._owner))
        for numbers, own, weight in zip(held, owners, rarity, strict=True):
            counted = weight * self._counts[numbers]
            phrases[numbers] += counted
            best = np.zeros(self.count)
            np.maximum.at(best, own, counted)
            whole += best
        touched = np.unique(np.concatenate(held))
        single = np.zeros(self.count)
        np.maximum.at(single, self._owner[touched], phrases[touched])
        scores = np.round((whole + single) / (2 * sum(rarity)), 4)
        good = scores >= least if among is None else (scores >= least) & among
        places = np.flatnonzero(good)
        places = places[np.argsort(-scores[places], kind="stable")][:limit]
        return [Match(int(p), float(scores[p]), self._reasons(touched, phrases, int(p))) for p in places]

    def _reasons(
        self, touched: NDArray[np.int64], phrases: NDArray[np.float64], place: int
    ) -> tuple[tuple[str, str], ...]:
        mine = touched[self._owner[touched] == place]
        order = mine[np.argsort(-phrases[mine], kind="stable")][:REASONS]
        return tuple(self._phrases[number] for number in order)
