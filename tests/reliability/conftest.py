"""The server that forks workers, one for the whole session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from crash import Server

pytest.register_assert_rewrite("crash")


@pytest.fixture(scope="session")
def workers() -> Iterator[Server]:
    """Starts, kills and waits for processes."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    from crash import Server

    with Server() as server:
        yield server
