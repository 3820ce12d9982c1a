"""The worker server of the reliability tests, and files to upgrade."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "reliability"))


@pytest.fixture(scope="session")
def workers() -> Iterator[Any]:
    """Starts, kills and waits for processes."""
    from crash import Server

    with Server() as server:
        yield server


@pytest.fixture
def old(db: Path) -> Path:
    """A memory in the format of this program."""
    from mnemic import Memory

    with Memory(db, embedder=None) as memory:
        for n in range(30):
            memory.observe(f"episode number {n}", session=f"s{n // 10}", tags=["kept"])
    return db


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Turns this process into one that knows two more migrations."""
    from mnemic.store import connect, queries

    def turn() -> None:
        import upgrade

        known = [*queries.migrations(), *upgrade.STEPS]
        monkeypatch.setattr(connect, "migrations", lambda: known)
        monkeypatch.setattr(connect, "LATEST", upgrade.NOW + 2)

    return turn
