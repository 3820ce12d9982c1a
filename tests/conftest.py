"""Every test lives in a home of its own and sees none of the user's settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Longer runs of the reliability tests than CI makes."""
    group = parser.getgroup("mnemic")
    group.addoption("--crash-cycles", type=int, default=100, help="kill -9 cycles (500 before a release)")
    group.addoption("--share-seconds", type=float, default=8.0, help="how long four processes share one file (30)")
    group.addoption("--scale", type=float, default=1.0, help="size of the growth and volume tests, 1.0 in CI (10)")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in list(os.environ):
        if name.startswith("MNEMIC_"):
            monkeypatch.delenv(name)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """The path of a memory that does not exist yet."""
    return tmp_path / "memory.db"


@pytest.fixture
def scale(request: pytest.FixtureRequest) -> float:
    """Factor of the volume tests."""
    return float(request.config.getoption("--scale"))
