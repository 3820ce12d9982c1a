"""The single writer: one thread owns the write connection; callers submit functions and get futures.

Whatever waits in the queue is committed together (group commit), with no artificial delay. Each function runs in a
savepoint, so one that fails takes nothing of the others with it. The queue is bounded: a full one makes callers wait.
The same thread does every checkpoint of the log, between transactions.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

import apsw

from ..errors import StoreClosed, StoreError
from .connect import BUSY_MS, retry_busy, translated

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
    """Keeps the write-ahead log of ``connection`` in bounds. Used by the writer thread only.

    Politely (``PASSIVE``) every 1,000 pages. From 4,000 pages (16 MB) on the log is asked to start over (``TRUNCATE``), and
    again with every further 4,000, waiting the longer for readers the larger it is. While the writer waits no pages are
    added, and whoever begins to read needs the log no more: so it starts over as soon as those have ended who were reading
    when the wait began. No reader that ends within :data:`PATIENT_MS` can therefore make the log larger than 12,000 pages
    and a transaction. One that stays longer is waited for again after :data:`STUCK_SECONDS`, so that it costs the
    writers little. What could not be done while there was work is done when there is none, so the log shrinks soon after
    the last long reader has ended.
    """

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


log = logging.getLogger("mnemic.store")

R = TypeVar("R")
TxT = TypeVar("TxT")

MAX_BATCH = 1_000
MAX_SECONDS = 0.05  # a transaction that has run so long takes no more work on
BUSY_SECONDS = 30.0  # how long a write waits for a lock of another process before it is given up


class _Item:
    """A submission: the function, where its result goes, and since when it waits. Without a function: fold the log."""

    __slots__ = ("fn", "future", "since")

    def __init__(self, fn: Callable[[Any], object] | None) -> None:
        self.fn = fn
        self.future: Future[Any] = Future()
        self.since = time.monotonic()


class Writer(Generic[TxT]):
    """A thread around one write connection.

    Args:
        connection: open, set up, not used by anyone else.
        begin: makes the object handed to the submitted functions, once per transaction.
        reconnect: opens another such connection, after an input/output error.
        path: named in errors.
        capacity: submissions that may wait before callers are held back.
        after_commit: called on the thread after each commit, before the results are handed out.
    """

    def __init__(
        self, connection: apsw.Connection, begin: Callable[[apsw.Connection], TxT], *,
        reconnect: Callable[[], apsw.Connection], path: str, capacity: int = 10_000,
        after_commit: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        self._connection = connection
        self._reconnect = reconnect
        self._begin = begin
        self._path = path
        self._after_commit = after_commit
        self._queue: queue.Queue[_Item | None] = queue.Queue(capacity)
        self._held: _Item | None = None  # taken from the queue, but its turn has not come
        self._closed = False
        self._gate = threading.Lock()
        self._broken = False
        self._log = Log(connection)
        self._thread = threading.Thread(target=self._run, name="mnemic-writer", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[[TxT], R]) -> Future[R]:
        """Queue a function; its result arrives when the transaction that holds it is committed.

        Raises:
            StoreClosed: after :meth:`close`.
        """
        return self._put(_Item(fn))

    def _put(self, item: _Item) -> Future[Any]:
        while True:
            with self._gate:
                if self._closed:
                    raise StoreClosed("this memory is closed")
                with contextlib.suppress(queue.Full):
                    self._queue.put_nowait(item)
                    return item.future
            time.sleep(0.001)  # back-pressure: wait outside the gate so that close() is never held up

    def fold(self) -> Future[bool]:
        """Fold the whole log into the file and empty it, after what is queued; false if readers hold on to it.

        What could not be done now is owed: it is tried again whenever the thread has nothing to do.
        """
        return self._put(_Item(None))

    @property
    def waiting(self) -> int:
        """Submissions in the queue."""
        return self._queue.qsize()

    def close(self) -> None:
        """Commit what is queued, fold the log into the file, close the connection. Idempotent."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
        self._queue.put(None)
        self._thread.join()

    # -- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            item, self._held = self._held, None
            if item is None:
                try:
                    item = self._queue.get(timeout=self._log.patience())
                except queue.Empty:
                    self._log.idle()
                    continue
                if item is None:
                    break
            if item.fn is None:
                if item.future.set_running_or_notify_cancel():
                    self._log.fold(item.future)
                continue
            try:
                last = self._transaction(item)
            except BaseException as error:  # a bug must not leave callers waiting for ever
                log.exception("the writer failed outside a transaction")
                if not item.future.done():
                    item.future.set_exception(error)
                last = False
            self._log.after_commit()
            if last:
                break
        self._log.close()
        self._connection.close()

    def _transaction(self, item: _Item) -> bool:
        """Commit ``item`` and whatever else waits. Returns true when the closing mark was met."""
        done: list[tuple[_Item, object, BaseException | None]] = []
        last = False
        try:
            connection = self._ready()
            retry_busy(lambda: connection.execute("begin immediate"), seconds=BUSY_SECONDS)
        except (apsw.Error, StoreError) as error:
            self._refuse(item, error)
            return False
        began = time.monotonic()
        current: _Item | None = item
        try:
            tx = self._begin(connection)
            while current is not None:
                if current.future.set_running_or_notify_cancel():
                    done.append((current, *self._one(current.fn, tx)))
                current = None
                if len(done) < MAX_BATCH and time.monotonic() - began < MAX_SECONDS:
                    with contextlib.suppress(queue.Empty):
                        following = self._queue.get_nowait()
                        if following is None:
                            last = True
                        elif following.fn is None:
                            self._held = following
                        else:
                            current = following
            connection.execute("commit")
        except BaseException as error:
            with contextlib.suppress(apsw.Error):
                if connection.in_transaction:
                    connection.execute("rollback")
            failure = translated(error, self._path) if isinstance(error, apsw.Error) else error
            log.warning("a write transaction failed: %s", failure)
            self._broken = isinstance(error, apsw.IOError | apsw.CantOpenError)
            if isinstance(error, apsw.FullError | apsw.IOError):
                self._log.make_room()
            for failed, _, problem in done:
                failed.future.set_exception(problem or failure)
            if current is not None and not current.future.done():
                current.future.set_exception(failure)
            return last
        if self._after_commit:
            try:
                self._after_commit()
            except Exception:  # what was committed is acknowledged all the same
                log.exception("what follows a commit failed")
        for finished, result, problem in done:
            if problem is None:
                finished.future.set_result(result)
            else:
                finished.future.set_exception(problem)
        return last

    def _ready(self) -> apsw.Connection:
        """The connection; a new one after an input/output error, so that nothing is retried on a doubtful handle."""
        if self._broken:
            with contextlib.suppress(apsw.Error):
                self._connection.close()
            self._connection = self._reconnect()
            self._log.use(self._connection)
            self._broken = False
        return self._connection

    def _refuse(self, item: _Item, error: apsw.Error | StoreError) -> None:
        """No transaction could be begun: fail the submission, and with it those that have waited as long."""
        failure = translated(error, self._path) if isinstance(error, apsw.Error) else error
        self._broken = self._broken or isinstance(error, apsw.IOError | apsw.CantOpenError)
        waited = time.monotonic() - BUSY_SECONDS / 2
        refused: _Item | None = item
        while refused is not None:
            if refused.future.set_running_or_notify_cancel():
                refused.future.set_exception(failure)
            refused = None
            with contextlib.suppress(queue.Empty):
                following = self._queue.get_nowait()
                if following is None:
                    self._queue.put(None)
                elif following.fn is None or following.since > waited:
                    self._held = following
                else:
                    refused = following

    def _one(self, fn: Callable[[TxT], object] | None, tx: TxT) -> tuple[object, BaseException | None]:
        """Run one function in a savepoint. Errors that end the transaction end it for all; others only the function."""
        assert fn is not None
        connection = self._connection
        connection.execute("savepoint one")
        try:
            result = fn(tx)
        except BaseException as error:
            if not connection.in_transaction:  # SQLite has rolled everything back by itself
                raise
            connection.execute("rollback to one")
            connection.execute("release one")
            return None, translated(error, self._path) if isinstance(error, apsw.Error) else error
        connection.execute("release one")
        return result, None
