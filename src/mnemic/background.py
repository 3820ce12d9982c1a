"""One thread per memory for what follows the hot path: names, vectors, silent sessions, facts, the nightly run.

It wakes when something was committed, and at least every ten seconds; a failure is logged and tried again later.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import EmbeddingError, StoreClosed, StoreError
from .forget.uses import Uses
from .ingest.embedding import Embedding
from .ingest.naming import Naming
from .models import CaughtUp, SleepReport
from .store.base import Store

if TYPE_CHECKING:
    from .consolidate.run import Consolidator
    from .sleep import Sleeper

log = logging.getLogger("mnemic.background")

IDLE_SECONDS = 10.0
SETTLE_SECONDS = 0.02
QUIET_SECONDS = 10.0  # without a message from this process, before facts are read out of ended sessions
LOADING = 5.0  # seconds: a time in which a model that takes one or two to load is loaded for any text
WORTH_LOADING = 32  # texts for which it is loaded in a shorter one
#: Pause after the first, second … failure in a row, seconds.
PAUSES = (0.5, 2.0, 8.0, 30.0)


class Background:
    """Does what is due, on its own thread or when asked (:meth:`drain`).

    Consolidator and sleeper are asked for when there is quiet, not before: they take long to load.
    """

    def __init__(
        self,
        store: Store,
        embedding: Embedding | None,
        naming: Naming,
        consolidator: Callable[[], Consolidator] | None,
        uses: Uses,
        sleeper: Callable[[], Sleeper],
        minutes: int,
    ) -> None:
        self._store, self._embedding, self._naming, self._consolidator = store, embedding, naming, consolidator
        self._uses, self._sleeper, self._minutes = uses, sleeper, minutes
        self._written = time.monotonic()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._turn = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to work on a thread."""
        self._thread = threading.Thread(target=self._run, name="mnemic-background", daemon=True)
        self._thread.start()

    def wake(self, *, captured: bool = False) -> None:
        """Something was committed; ``captured``: messages, and not only what this thread writes itself."""
        if captured:
            self._written = time.monotonic()
        self._wake.set()

    def drain(self, progress: Callable[[int], None] | None = None) -> int:
        """Do all that is due now, on this thread; returns how many texts were embedded."""
        total = 0
        while not self._stop.is_set():
            with self._turn:
                embedded, more = self._step()
            total += embedded
            if progress:
                progress(total)
            if not more:
                break
        return total

    def catch_up(self, seconds: float, *, quiet: float, facts: bool, nights: bool) -> CaughtUp:
        """Do what is due for so long, on this thread: a step of it always, and none that begins after the time is
        over."""
        until = time.monotonic() + seconds
        embedded = episodes = found = 0
        note = ""
        slept: dict[str, SleepReport] = {}

        def over() -> bool:
            return self._stop.is_set() or time.monotonic() >= until

        def embed() -> None:
            nonlocal embedded, note
            more = True
            try:
                while more:
                    with self._turn:
                        done, more = self._step(pays)
                    embedded, more = embedded + done, more and not over()
            except EmbeddingError as error:  # holds up nothing else
                note = str(error)

        pays = self._pays(seconds)
        embed()
        spaces, before = self._store.spaces(), self._store.now() - int(quiet * 1e6) + 1
        consolidator = self._consolidator if facts else None
        for space in spaces if not over() else ():
            waiting = self._store.pending_sessions(space, 1, before=before)
            if consolidator is not None and waiting and not over():
                read = consolidator().run(space, open_too=False, before=before, stop=over)
                episodes, found = episodes + read.episodes, found + read.facts
        if found and not over():
            embed()
        for space in spaces if nights else ():
            if not over() and self._sleeper().due(space):
                left = min(self._minutes * 60.0, until - time.monotonic())
                slept[space] = self._sleeper().run(space, seconds=left, stop=over)
        return CaughtUp(embedded, episodes, found, slept, note)

    def _pays(self, seconds: float) -> bool:
        """Whether to embed in so short a time: not where a model would be loaded for a few texts."""
        embedding = self._embedding
        if embedding is None or seconds >= LOADING or not getattr(embedding.embedder, "slow_start", False):
            return True
        return sum(map(embedding.due, self._store.spaces())) >= WORTH_LOADING

    def stop(self) -> None:
        """End after the step that is running. Idempotent."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        if self._embedding is not None:
            with contextlib.suppress(StoreClosed):
                self._embedding.release()

    def _step(self, embed: bool = True) -> tuple[int, bool]:
        self._store.finish_erasing()
        self._naming.finish()
        self._uses.write()
        if self._silent():
            self._store.run(lambda tx: tx.complete_silent())
        if self._embedding is None or not embed:
            return 0, False
        outcome = self._embedding.step()  # last: an embedder that is out of order holds up nothing else
        return outcome.embedded, outcome.left

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            self._wake.wait(IDLE_SECONDS)
            self._wake.clear()
            self._stop.wait(SETTLE_SECONDS)  # let a burst of messages become one batch
            try:
                more = True
                while more and not self._stop.is_set():
                    with self._turn:
                        _, more = self._step()
                self._consolidate()
                self._sleep()
                failures = 0
            except StoreClosed:
                return
            except (StoreError, EmbeddingError) as error:
                log.warning("background work waits: %s", error)
                failures += 1
            except Exception:
                log.exception("background work failed")
                failures += 1
            if failures:
                self._stop.wait(PAUSES[min(failures, len(PAUSES)) - 1])
                self._wake.set()

    def _consolidate(self) -> None:
        """Read facts out of ended sessions, when nobody is writing; a new message interrupts it between two pages."""
        if self._consolidator is None or not self._quiet():
            return
        consolidator = self._consolidator()
        for space in self._store.spaces():
            if consolidator.due(space) and self._quiet():
                consolidator.run(space, open_too=False, stop=lambda: not self._quiet())

    def _sleep(self) -> None:
        """The nightly run, once it is due and nobody is writing; a new message interrupts it between two steps."""
        for space in self._store.spaces() if self._quiet() else ():
            sleeper = self._sleeper()
            if self._quiet() and sleeper.due(space):
                sleeper.run(space, seconds=self._minutes * 60.0, stop=lambda: not self._quiet())

    def _quiet(self) -> bool:
        return not self._stop.is_set() and time.monotonic() - self._written >= QUIET_SECONDS

    def _silent(self) -> bool:
        return self._store.any_silent()
