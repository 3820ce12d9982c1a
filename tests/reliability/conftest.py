"""The server that forks workers, one for the whole session."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("crash")
from crash import Server


@pytest.fixture(scope="session")
def workers() -> Iterator[Server]:
    """Starts, kills and waits for processes."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    with Server() as server:
        yield server
