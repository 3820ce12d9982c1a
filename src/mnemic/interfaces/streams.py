"""Standard input and output for a protocol alone: whatever prints or reads meanwhile meets stderr and nothing."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO


@contextlib.contextmanager
def take() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Take both streams, also from libraries written in C and from child processes."""
    sys.stdout.flush()
    given, taken = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield given, taken
    finally:
        sys.stdout.flush()
        with contextlib.suppress(OSError):  # nobody reads any more
            taken.flush()


__all__ = ["take"]
