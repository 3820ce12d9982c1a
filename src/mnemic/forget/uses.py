"""Useful accesses, noted in memory on the read path and written in batches off it: reading takes no lock of the file.

Useful is what was shown to the agent in a context block, asked for by id, or the first answer of a recall; what the
package searches for its own purposes never is. A process that is killed loses the accesses of its last ten seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ..store import facts
from ..store.base import Store

MOST_WAITING = 100_000  # memories; beyond, the oldest would only grow a process that has no background


class Uses:
    """Id → (how many useful accesses, the last one), until they are written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[int, int]] = {}

    def note(self, ids: Iterable[str], at: int) -> None:
        """Count one access of each memory at a time (microseconds UTC); whose rows they are is looked up when written."""
        with self._lock:
            for id_ in ids:
                count, last = self._waiting.get(id_, (0, at))
                self._waiting[id_] = (count + 1, max(last, at))
            full = len(self._waiting) >= MOST_WAITING
        if full:
            self.write()

    def write(self) -> int:
        """Write what waits, in one transaction; returns how many memories that were.

        Raises:
            StoreError: not written; it waits on.
        """
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        if not waiting:
            return 0
        try:
            self._store.run(lambda tx: facts.use_ids(tx, waiting))
        except BaseException:
            with self._lock:
                for id_, (count, last) in waiting.items():
                    more, later = self._waiting.get(id_, (0, last))
                    self._waiting[id_] = (count + more, max(last, later))
            raise
        return len(waiting)
