"""A memory with a clock that is moved by hand, and a folder for documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cardkit import RUNBOOK, Sections

from mnemic import Config, Memory
from mnemic.testing import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    # later than any file a test can write, so that files are never "of the future"
    return FrozenClock("2099-01-01T12:00:00Z")


@pytest.fixture
def memory(tmp_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    quiet = Config(background=False, consolidate=False)
    with Memory(tmp_path / "memory.db", embedder="hash:64", config=quiet, clock=clock) as memory:
        yield memory


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


@pytest.fixture
def runbook(docs: Path) -> Path:
    path = docs / "billing.md"
    path.write_text(RUNBOOK, encoding="utf-8")
    return path


@pytest.fixture
def sections(memory: Memory) -> Sections:
    """Id → text of the sections that are offered."""
    return lambda: {n.id: n.content for n in memory.timeline(labels="card_section", limit=100_000)}
