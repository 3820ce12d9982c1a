"""The extractor that needs no model: it reads few forms of words, as rows of data, and reads them whole.

What is asked, supposed, hedged, quoted, pasted, told of others or meant as a joke states nothing. What no row reads
stays in its message, where search finds it; an agent or a language model reads more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo
from time import perf_counter

from ..claims import Extraction, Said
from .facts import read

__all__ = ["Rules"]


class Rules:
    """Reads facts by rule. Deterministic, offline, safe to share between threads.

    Args:
        zone: calendar of relative times ("yesterday"), UTC by default.
    """

    name = "rules/2"

    def __init__(self, zone: tzinfo = UTC) -> None:
        self.zone = zone

    def extract(self, page: list[Said], names: Mapping[str, str]) -> Extraction:
        """Read durable things out of episodes of one session: only what people say, and only of what is theirs.

        Args:
            page: the episodes. names: known entity names (alias → type); not needed to read.
        """
        began = perf_counter()
        found = [
            candidate
            for said in page
            if said.role in (None, "user") and said.origin != "assistant" and not said.third_party
            for candidate in read(said, self.zone, self.name)
        ]
        return Extraction(tuple(found), seconds=perf_counter() - began)
