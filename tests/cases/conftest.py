"""Fixtures of the case tests: a memory made of texts, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from casekit import Make, Maker


@pytest.fixture
def make() -> Iterator[Make]:
    """``make("text", "text", embedder=…)``: a private memory that holds these texts, each in a session of its own."""
    maker = Maker()
    yield maker
    maker.close()
