"""Embeddings that follow the hot path: which rows still lack a vector is read from the file, so a crash loses no work.

One pass reads a batch of due rows, embeds it outside any transaction, and writes vectors, failures and the new
high-water mark together. A text that fails is tried again with growing pauses, then set aside with its reason.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clock import Clock
from ..embed import Embedder, TextRefused, chunk, embed_each
from ..errors import EmbeddingError, StoreError
from ..store.base import Due, Space, Store
from ..store.tx import new_holder
from ..store.vectors import Embedded, encode, keep, new_generation
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
        store: Store,
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
            found = self.store.generation(name)
            if found is None:
                self.store.run(lambda tx: new_generation(tx, name, dimension))
                found = self.store.generation(name)
            assert found is not None
            if found.dimension != dimension:
                raise EmbeddingError(
                    f"vectors of {name!r} in this file have dimension {found.dimension}, the embedder gives {dimension}: "
                    "give it another name or run `mnemic reembed`"
                )
            self._generation = found.no
        return self._generation

    def due(self, space: str) -> int:
        """How many rows of a space wait for a first vector or a further attempt."""
        where = next((known for known in self.store.all_spaces() if known.name == space), None)
        if where is None:
            return 0
        known = self.store.generation(self.embedder.name)
        if known is None:
            return where.seq
        failed = self.store.failures(space, known.no)
        return where.newest - self.store.embedded_upto(known.no, where) + failed.rows - failed.given_up

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
        spaces = self.store.all_spaces()
        for space in spaces:
            upto = self.store.embedded_upto(generation, space)
            if upto < space.newest:
                due = self.store.not_embedded(upto, space.newest, self.batch)
                reached = due[-1].row if len(due) == self.batch else space.newest
                done, failed = self._embed(space, generation, due, reached)
                return Outcome(done, failed, left=True)
        retry = self.store.to_embed_again(generation, self.clock.now(), self.batch)
        if retry:
            space = next(space for space in spaces if space.holds(retry[0].row))
            due = [item for item in retry if space.holds(item.row)]
            done, failed = self._embed(space, generation, due, None)
            return Outcome(done, failed, left=bool(done))
        return Outcome()

    def _anything_due(self, generation: int) -> bool:
        if any(self.store.embedded_upto(generation, space) < space.newest for space in self.store.all_spaces()):
            return True
        return bool(self.store.to_embed_again(generation, self.clock.now(), 1))

    def _embed(self, space: Space, generation: int, due: list[Due], reached: int | None) -> tuple[int, int]:
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
        words, word_vectors = self._new_words(space.no, generation, [item.text for item in due])
        now = self.clock.now()
        failures: list[tuple[int, int, int | None, str]] = []
        for i, error in reasons.items():
            if not isinstance(error, TextRefused):
                raise error  # the service's fault, not the text's: nothing is written, the pass is repeated later
            if vectors[i]:
                continue  # most of a long text is better than nothing; its words are in the keyword index anyway
            attempts = due[i].attempts + 1
            gone = attempts >= self.retries or not error.retryable
            pause = BACKOFF[min(attempts, len(BACKOFF)) - 1]
            failures.append((due[i].row, attempts, None if gone else now + int(pause * 1e6), str(error)[:300]))

        texts = [
            (item.row, item.text, [encode(vector) for vector in found])
            for item, found in zip(due, vectors, strict=True)
        ]
        brought = Embedded(texts, failures, words, word_vectors, reached)
        self.store.run(lambda tx: keep(tx, space.name, generation, brought))
        for row, _, retry_at, reason in failures:
            if retry_at is None and self._on_failure:
                self._on_failure(space.name, row, reason)
        return sum(1 for found in vectors if found), len(failures)

    def _new_words(
        self, space: int, generation: int, texts: list[str]
    ) -> tuple[list[tuple[str, str]], list[tuple[str, bytes]]]:
        """Words of the texts that the space, or the generation, does not know yet: rows for both tables."""
        if not getattr(self.embedder, "embeds_words", True):
            return [], []
        surfaces = word_surfaces(texts)
        known, embedded = self.store.known_words(space, generation, surfaces)
        room = MAX_WORDS - self.store.count_words(space)
        new = [(term, surface) for term, surface in surfaces.items() if term not in known][: max(0, room)]
        wanted = dict(new) | {t: s for t, s in surfaces.items() if t in known}
        lacking = [(term, surface) for term, surface in wanted.items() if term not in embedded]
        vectors = embed_each(self.embedder, [surface for _, surface in lacking], kind="document")
        stored = [
            (term, encode(vector))
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
