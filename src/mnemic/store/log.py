"""The write-ahead log of one write connection: when it is folded into the file, and how it is kept small.

Politely (``PASSIVE``) every 1,000 pages. From 4,000 pages (16 MB) on the log is asked to start over (``TRUNCATE``), and
again with every further 4,000, waiting the longer for readers the larger it is. While the writer waits no pages are
added, and whoever begins to read needs the log no more: so it starts over as soon as those have ended who were reading
when the wait began. No reader that ends within :data:`PATIENT_MS` can therefore make the log larger than 12,000 pages
and a transaction. One that stays longer is waited for again after :data:`STUCK_SECONDS`, so that it costs the
writers little. What could not be done while there was work is done when there is none, so the log shrinks soon after
the last long reader has ended.
"""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import Future

import apsw

BUSY_MS = 5_000
PASSIVE_PAGES = 1_000
TRUNCATE_PAGES = 4_000
#: Longer than an ordinary reader takes on a busy machine.
PATIENT_MS = 3_000
STUCK_SECONDS = 20.0
#: Pages of the log → milliseconds that a checkpoint may wait for readers.
WAITS = ((TRUNCATE_PAGES, 20), (2 * TRUNCATE_PAGES, 200), (3 * TRUNCATE_PAGES, PATIENT_MS))
FOLD_SECONDS = 5.0
FOLD_MS = 100
IDLE_SECONDS = 1.0
LONGEST_IDLE = 15.0


class Log:
    """Keeps the log of ``connection`` in bounds. Used by the writer thread only."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._pages = 0  # in the log, as of the last commit of this connection
        self._highest = 0  # since the log's file was emptied: a log that starts over keeps its size
        self._tried_at = 0  # pages when the last polite checkpoint was made
        self._next = TRUNCATE_PAGES  # pages at which the next truncating one is made
        self._again = 0.0  # and no such before this moment
        self._owed = False
        self._pause = IDLE_SECONDS
        self._folds: list[tuple[Future[bool], float]] = []
        self.use(connection)

    def use(self, connection: apsw.Connection) -> None:
        """Look after this connection from now on."""
        self._connection = connection
        connection.set_wal_hook(self._note)

    def _note(self, connection: apsw.Connection, database: str, pages: int) -> int:
        if pages < self._pages:  # another connection has made it start over
            self._tried_at, self._next = 0, TRUNCATE_PAGES
        self._pages = pages
        self._highest = max(self._highest, pages)
        return apsw.SQLITE_OK

    def patience(self) -> float | None:
        """Seconds after which an idle writer thread should call :meth:`idle`; ``None``: there is nothing to do."""
        if self._folds:
            return 0.02
        return self._pause if self._owed or self._highest >= PASSIVE_PAGES else None

    def after_commit(self) -> None:
        """Called between transactions."""
        if self._folds:
            self._try_folds()
        elif self._pages >= self._next and time.monotonic() >= self._again:
            wait = next(ms for pages, ms in reversed(WAITS) if self._pages >= pages)
            if not self._truncate(wait):
                self._next = self._pages + TRUNCATE_PAGES
                self._again = time.monotonic() + STUCK_SECONDS if wait == PATIENT_MS else 0.0
                self._pause = IDLE_SECONDS
        elif self._pages - self._tried_at >= PASSIVE_PAGES:
            self._tried_at = self._pages
            with contextlib.suppress(apsw.Error):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def idle(self) -> None:
        """Called when there has been nothing to do for :meth:`patience` seconds."""
        if self._folds:
            self._try_folds()
        elif self._truncate(WAITS[0][1]):
            self._pause = IDLE_SECONDS
        else:
            self._pause = min(self._pause * 2, LONGEST_IDLE)

    def make_room(self) -> None:
        """The disk is full: fold what can be folded, so that the log is written from its beginning again."""
        with contextlib.suppress(apsw.Error):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def fold(self, done: Future[bool]) -> None:
        """Empty the log now, or within a few seconds between other work; ``done`` gets whether that was possible."""
        self._owed = True
        self._folds.append((done, time.monotonic() + FOLD_SECONDS))
        self._try_folds()

    def close(self) -> None:
        """Leave as little as possible behind."""
        emptied = self._truncate(200)
        for done, _ in self._folds:
            done.set_result(emptied)
        self._folds.clear()

    def _try_folds(self) -> None:
        emptied, now = self._truncate(FOLD_MS), time.monotonic()
        for waiting in list(self._folds):
            if emptied or now > waiting[1]:
                self._folds.remove(waiting)
                waiting[0].set_result(emptied)

    def _truncate(self, wait_ms: int) -> bool:
        try:
            self._connection.set_busy_timeout(wait_ms)
            try:
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            finally:
                self._connection.set_busy_timeout(BUSY_MS)
        except apsw.Error:
            return False
        self._pages = self._highest = self._tried_at = 0
        self._next, self._again = TRUNCATE_PAGES, 0.0
        self._owed = False
        return True
