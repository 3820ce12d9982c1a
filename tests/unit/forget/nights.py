"""What the tests of the clean-up share: a memory with a standing clock, and a night of one phase."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Any

from mnemic import Config, Memory
from mnemic.phase import PhaseContext, PhaseResult
from mnemic.testing import FrozenClock

_numbers = itertools.count()
START = "2026-03-01T03:00:00Z"


@contextmanager
def memory_at(
    path: object = ":memory:", embedder: Any = None, start: str = START
) -> Iterator[tuple[Memory, FrozenClock]]:
    """A memory that does nothing by itself."""
    clock = FrozenClock(start)
    with Memory(str(path), embedder=embedder, clock=clock, config=Config(background=False)) as memory:
        yield memory, clock


def night(
    memory: Memory, phase: Callable[..., PhaseResult], *, space: str = "default", dry_run: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> PhaseResult:  # fmt: skip
    """One night of one phase."""
    return phase(memory._store, space, PhaseContext(memory._store.now(), UTC, dry_run, stop))


def remember(memory: Memory, *texts: str, **given: Any) -> list[str]:
    """Facts under keys of their own, so that nothing compares them on the way in; their ids."""
    return [memory.remember(text, key=f"{next(_numbers)}", **given).id for text in texts]


def offered(memory: Memory, *ids: str) -> list[bool]:
    """Which of some memories are offered."""
    return [memory.explain(id_).node.hidden_at is None for id_ in ids]


def rows(memory: Memory) -> tuple[list[Any], list[Any]]:
    """Every node and edge row of a file, as they stand."""
    with memory._store.reader() as r:
        nodes = r.execute("select * from nodes order by row").fetchall()
        edges = r.execute("select * from edges order by source, relation, target").fetchall()
    return nodes, edges
