"""What a store promises, in words. SQLite is the first implementation; PostgreSQL comes behind the same contract tests.

Semantics that every implementation keeps:

* **Acknowledged is kept.** A future from ``submit`` that has a result is committed; a crash loses nothing of it.
* **All or nothing.** What one submitted function writes is one act: nodes, edges, tags and index rows together.
* **Order.** Functions run in the order of submission; rows of a space are numbered in the order they were written.
* **One space.** Every read names one space and never answers from another; an unknown space is empty.
* **Reads never write**, and never wait for a writer. What a reader was given does not change while others write.
* **Erased is gone.** Erased bytes are in no file of the store once the log was emptied; their keys stay refused.
* **Derived is derived.** Keyword index, columns and vectors can be dropped and built again from the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..models import Entity, Node, Session
from .columns import Columns
from .tx import Tx
from .vectors import VectorIndex

R = TypeVar("R")


class Store(Protocol):
    """A place where the memories of many spaces are kept."""

    path: str

    def submit(self, fn: Callable[[Tx], R]) -> Future[R]:
        """Queue a write; the future resolves after its commit, or with the error, in which case nothing was written."""
        ...

    def columns(self, space: str) -> Columns:
        """Columns of all rows of a space as of now. What was handed out does not change; the next may share it."""
        ...

    def postings(self, space: str, terms: Sequence[str]) -> list[NDArray[np.int64]]:
        """Rows of a space that hold each of some terms, once per occurrence, ascending."""
        ...

    def vectors(self, space: str, model: str) -> VectorIndex | None:
        """Vectors of a space made by the model of that name, as of now; ``None`` when there is none."""
        ...

    def literal(self, space: str, text: str, limit: int) -> list[int]:
        """Rows whose original text holds ``text`` to the letter, newest first."""
        ...

    def nodes(self, rows: Sequence[int], *, every: bool = False) -> Mapping[int, Node]:
        """Nodes by row number, messages without what is forgotten of them; unknown rows are left out and, unless it is
        ``every`` one, those that are forgotten."""
        ...

    def rows_of(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Row numbers of ids in a space; a foreign id and an unknown id are both left out."""
        ...

    def entities(self, space: str, alias: str) -> list[tuple[int, Entity]]:
        """Entities that an alias (normalised, exact) names."""
        ...

    def sessions(self, space: str, limit: int, offset: int) -> list[Session]:
        """Sessions of a space, the latest first."""
        ...

    def status(self, space: str) -> Mapping[str, Any]:
        """Counts, index parity, log size, versions; no full scan."""
        ...

    def close(self) -> None:
        """Commit what is queued and let go of the file. Idempotent."""
        ...
