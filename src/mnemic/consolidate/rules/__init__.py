"""The extractor that needs no model: rules for English and Russian, every one a row of a table.

Precision before recall: what is asked, supposed, quoted, told of others or ordered states nothing. What no row reads
stays in its episode, where search finds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, tzinfo
from functools import lru_cache
from time import perf_counter

from ..claims import Candidate, Extraction, Named, Said
from . import (
    changes_english,
    changes_russian,
    english,
    general,
    project_english,
    project_russian,
    russian,
    taste_english,
    taste_russian,
    terse_english,
    terse_russian,
    turns_english,
    turns_russian,
)
from .answers import asked
from .engine import read
from .reading import policy_of
from .row import Row
from .table import Table

__all__ = ["ENGLISH", "RUSSIAN", "Rules"]

ENGLISH: tuple[Row, ...] = (
    *english.ROWS,
    *taste_english.ROWS,
    *project_english.ROWS,
    *changes_english.ROWS,
    *general.ENGLISH,
    *turns_english.ROWS,
    *terse_english.ROWS,
)
RUSSIAN: tuple[Row, ...] = (
    *russian.ROWS,
    *taste_russian.ROWS,
    *project_russian.ROWS,
    *changes_russian.ROWS,
    *general.RUSSIAN,
    *turns_russian.ROWS,
    *turns_russian.PROJECT,
    *terse_russian.ROWS,
)


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, tuple[Table, Table]]:
    """Both tables by the role that speaks (:data:`~.reading.POLICIES`), compiled when first needed."""
    user = Table(ENGLISH), Table(RUSSIAN)
    marked = user[0].only(lambda row: row.assistant), user[1].only(lambda row: row.assistant)
    return {"user": user, "third": user, "assistant": marked, "system": (Table(()), Table(()))}


class Rules:
    """Reads facts by rule. Deterministic, offline, safe to share between threads.

    Args:
        zone: calendar of relative times ("yesterday"), UTC by default.
    """

    name = "rules/1"

    def __init__(self, zone: tzinfo = UTC) -> None:
        self.zone = zone

    def extract(self, page: list[Said], names: Mapping[str, str]) -> Extraction:
        """Read durable things out of episodes of one session, in order.

        Args:
            page: the episodes. names: known entity names (alias → type).
        """
        began = perf_counter()
        tables = _tables()
        candidates: list[Candidate] = []
        entities: list[Named] = []
        skipped: Counter[str] = Counter()
        question = ""
        for said in page:
            found, named, passed = read(said, names, *tables[policy_of(said)], self.zone, self.name, question)
            question = asked(said.text) if policy_of(said) == "assistant" else ""
            candidates += found
            entities += named
            skipped.update(passed)
        return Extraction(tuple(candidates), tuple(entities), dict(skipped), seconds=perf_counter() - began)
