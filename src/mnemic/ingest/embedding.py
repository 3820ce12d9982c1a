"""Embeddings that follow the hot path: which rows still lack a vector is read from the file, so a crash loses no work.

One pass reads a batch of due rows, embeds it outside any transaction, and writes vectors, failures and the new
high-water mark together. A text that fails is tried again with growing pauses, then set aside with its reason.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..embed import Embedder, TextRefused, chunk, embed_each
from ..errors import EmbeddingError, StoreError
from ..store.leases import new_holder
from ..store.rows import first_row
from ..store.sqlite import VECTOR_CHUNK, SqliteStore
from ..store.tx import Q, Tx
from ..store.vectors import encode
from ..text.analyse import raw_words, search_text, stop_terms

log = logging.getLogger("mnemic.embedding")

LEASE = "embedding"
LEASE_SECONDS = 60.0
#: Pause before the n-th further attempt, seconds.
BACKOFF = (2.0, 15.0, 120.0)
#: Characters of a piece of text that gets a vector of its own, about 60 words: what is asked for is found better in a
#: small piece (docs/benchmarks.md), and models blur long ones.
PIECE = 360
#: Vectors that one text gets at most: its first two pieces and the last. Every word of it is in the keyword index; a
#: vector for each piece of a long answer costs a multiple of the time and found nothing more (docs/benchmarks.md).
PIECES = 3
#: Words with vectors that one space may have; rarer newcomers beyond are found by themselves only.
MAX_WORDS = 60_000


@dataclass(frozen=True, slots=True)
class Due:
    """A row that waits for its vector."""

    row: int
    text: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one pass did."""

    embedded: int = 0
    failed: int = 0
    left: bool = False


class Embedding:
    """Fills the vector index of every space of a store with one embedder.

    Args:
        on_failure: told (space, row, reason) when a text is set aside for good.
    """

    def __init__(
        self,
        store: SqliteStore,
        embedder: Embedder,
        clock: Clock,
        *,
        batch: int = 64,
        retries: int = 3,
        on_failure: Callable[[str, int, str], None] | None = None,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.clock = clock
        self.batch = batch
        self.retries = retries
        self._holder = new_holder()
        self._generation: int | None = None
        self._on_failure = on_failure

    # -- what is due --------------------------------------------------------------------------------------------------

    def generation(self) -> int:
        """Number of this embedder's vector generation, made on first use.

        Raises:
            EmbeddingError: the file knows the same name with another dimension.
        """
        if self._generation is None:
            name, dimension = self.embedder.name, self.embedder.dimension
            found = self.store.ask("generation", name)
            if not found:
                self.store.run(lambda tx: tx.connection.execute(Q.new_generation, (name, dimension, self.clock.now())))
                found = self.store.ask("generation", name)
            if found[0][1] != dimension:
                raise EmbeddingError(
                    f"vectors of {name!r} in this file have dimension {found[0][1]}, the embedder gives {dimension}: "
                    "give it another name or run `mnemic reembed`"
                )
            self._generation = int(found[0][0])
        return self._generation

    def due(self, space: str) -> int:
        """How many rows of a space wait for a first vector or a further attempt."""
        numbers = {name: (no, seq) for no, name, seq, _ in self.store.ask("spaces")}
        if space not in numbers:
            return 0
        no, seq = numbers[space]
        known = self.store.ask("generation", self.embedder.name)
        if not known:
            return int(seq)
        upto = self.store.ask("embedded_upto", known[0][0], no)
        waiting = seq - (upto[0][0] - first_row(no) if upto else 0)
        count, given_up, _ = self.store.select_in_range("failures", space, known[0][0])[0]
        return int(waiting + count - (given_up or 0))

    # -- one pass -----------------------------------------------------------------------------------------------------

    def step(self) -> Outcome:
        """Embed one batch. ``left`` says that more is due now.

        Raises:
            StoreError: the file cannot be written; try again later.
            EmbeddingError: the embedder is out of order for every text; nothing was written, try again later.
        """
        generation = self.generation()
        if not self._anything_due(generation):
            return Outcome()  # an idle memory writes nothing, not even a lease
        if not self.store.run(lambda tx: tx.lease(LEASE, self._holder, LEASE_SECONDS)):
            return Outcome()
        for no, space, seq, _ in self.store.ask("spaces"):
            found = self.store.ask("embedded_upto", generation, no)
            upto = found[0][0] if found else first_row(no)
            newest = first_row(no) + seq
            if upto < newest:
                rows = self.store.ask("due_rows", upto, newest, self.batch)
                reached = rows[-1][0] if len(rows) == self.batch else newest
                due = [Due(row, content, 0) for row, content in rows]
                done, failed = self._embed(space, no, generation, due, reached)
                return Outcome(done, failed, left=True)
        retry = self.store.ask("due_retries", generation, self.clock.now(), self.batch)
        if retry:
            names = {no: name for no, name, _, _ in self.store.ask("spaces")}
            no = retry[0][0] >> 40
            due = [Due(r, c, n) for r, c, n in retry if r >> 40 == no]
            done, failed = self._embed(names[no], no, generation, due, None)
            return Outcome(done, failed, left=bool(done))
        return Outcome()

    def _anything_due(self, generation: int) -> bool:
        for no, _, seq, _ in self.store.ask("spaces"):
            found = self.store.ask("embedded_upto", generation, no)
            if seq and (not found or found[0][0] < first_row(no) + seq):
                return True
        return bool(self.store.ask("due_retries", generation, self.clock.now(), 1))

    def _embed(self, space: str, no: int, generation: int, due: list[Due], reached: int | None) -> tuple[int, int]:
        pieces: list[str] = []
        owner: list[int] = []
        for i, item in enumerate(due):
            parts = pieces_of(item.text, min(self.embedder.max_chars, PIECE))
            pieces += parts
            owner += [i] * len(parts)
        vectors: list[list[NDArray[np.float32]]] = [[] for _ in due]
        reasons: dict[int, EmbeddingError] = {}
        for start in range(0, len(pieces), self.batch * 4):
            span = slice(start, start + self.batch * 4)
            for i, answer in zip(owner[span], embed_each(self.embedder, pieces[span], kind="document"), strict=True):
                if isinstance(answer, EmbeddingError):
                    reasons[i] = answer
                else:
                    vectors[i].append(answer)
        words, word_vectors = self._new_words(no, generation, [item.text for item in due])
        now = self.clock.now()
        failures: list[tuple[int, int, int, int | None, str]] = []
        for i, error in reasons.items():
            if not isinstance(error, TextRefused):
                raise error  # the service's fault, not the text's: nothing is written, the pass is repeated later
            if vectors[i]:
                continue  # most of a long text is better than nothing; its words are in the keyword index anyway
            attempts = due[i].attempts + 1
            gone = attempts >= self.retries or not error.retryable
            pause = BACKOFF[min(attempts, len(BACKOFF)) - 1]
            failures.append(
                (generation, due[i].row, attempts, None if gone else now + int(pause * 1e6), str(error)[:300])
            )

        def write(tx: Tx) -> None:
            execute = tx.connection.execute
            erased: set[int] = set()  # while we were embedding them
            for item, found in zip(due, vectors, strict=True):
                content = execute(Q.content_of, (item.row,)).get
                if content is None:
                    erased.add(item.row)
                    continue
                if content != item.text:  # it has grown meanwhile
                    execute(Q.put_failure, (generation, item.row, 0, 0, "the text has grown"))
                    continue
                execute(Q.delete_vector, (generation, item.row))
                for part, vector in enumerate(found):
                    execute(Q.put_vector, (generation, item.row, part, encode(vector)))
                if found:
                    execute(Q.clear_failure, (generation, item.row))
            tx.connection.executemany(Q.put_failure, [f for f in failures if f[1] not in erased])
            tx.connection.executemany(Q.new_word, words)
            tx.connection.executemany(Q.put_word_vector, word_vectors)
            if erased:
                tx.drop_words(tx.space(space), [term for _, term, _ in words])
            if reached is not None:
                execute(Q.set_embedded, (generation, no, reached))
            pack(tx, generation, no, self.embedder.dimension)

        self.store.run(write)
        for _, row, _, retry_at, reason in failures:
            if retry_at is None and self._on_failure:
                self._on_failure(space, row, reason)
        return sum(1 for found in vectors if found), len(failures)

    def _new_words(
        self, space: int, generation: int, texts: list[str]
    ) -> tuple[list[tuple[int, str, str]], list[tuple[int, str, bytes]]]:
        """Words of the texts that the space, or the generation, does not know yet: rows for both tables."""
        if not getattr(self.embedder, "embeds_words", True):
            return [], []
        surfaces = word_surfaces(texts)
        asked = json.dumps(list(surfaces), ensure_ascii=False)
        known = {term for (term,) in self.store.ask("known_words", space, asked)}
        embedded = {term for (term,) in self.store.ask("known_word_vectors", generation, asked)}
        room = MAX_WORDS - self.store.ask("count_words", space)[0][0]
        new = [(space, term, surface) for term, surface in surfaces.items() if term not in known][: max(0, room)]
        wanted = {term: surface for _, term, surface in new} | {t: s for t, s in surfaces.items() if t in known}
        lacking = [(term, surface) for term, surface in wanted.items() if term not in embedded]
        vectors = embed_each(self.embedder, [surface for _, surface in lacking], kind="document")
        stored = [
            (generation, term, encode(vector))
            for (term, _), vector in zip(lacking, vectors, strict=True)
            if not isinstance(vector, EmbeddingError)
        ]
        return new, stored

    def release(self) -> None:
        """Let another process go on."""
        try:
            self.store.run(lambda tx: tx.release(LEASE, self._holder))
        except StoreError as error:
            log.warning("the embedding lease could not be given back: %s", error)


def pieces_of(text: str, size: int) -> list[str]:
    """The pieces of a text that get a vector."""
    parts = chunk(text, size)
    return parts if len(parts) <= PIECES else [*parts[: PIECES - 1], parts[-1]]


def word_surfaces(texts: list[str]) -> dict[str, str]:
    """Term → the way it is most often written, for the words of texts that can have relatives."""
    seen: dict[str, Counter[str]] = {}
    for text in texts:
        for word in raw_words(text):
            if word.isalpha() and 3 <= len(word) <= 30:
                term = search_text(word)
                if " " not in term and term not in stop_terms():
                    seen.setdefault(term, Counter())[word.casefold()] += 1
    return {term: counts.most_common(1)[0][0] for term, counts in seen.items()}


def pack(tx: Tx, generation: int, space: int, dimension: int) -> None:
    """Move the unpacked vectors of a space into a chunk once there are 1,024 of them."""
    bounds = (generation, first_row(space), first_row(space + 1) - 1)
    count, _ = tx.connection.execute(Q.tail_state, bounds).fetchone()
    if count < VECTOR_CHUNK:
        return
    tail = tx.connection.execute(Q.tail_vectors, bounds).fetchall()
    rows = np.array([row for row, _ in tail], dtype="<i8")
    tx.connection.execute(Q.new_vector_chunk, (generation, space, rows.tobytes(), b"".join(data for _, data in tail)))
    for row in {int(row) for row in rows}:
        tx.connection.execute(Q.delete_vector, (generation, row))
