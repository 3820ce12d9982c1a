"""Which messages say something lasting, and which say nothing: read from their words and stored vectors, once a row."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..models import Node
from ..store.base import Store
from ..store.columns import Columns
from ..store.vectors import VectorIndex
from ..text.lasting import LASTING, filler, lasting
from .lexical import Floats

LOOKED_AT = 400  # of the user's own messages, the newest: what is older and lasts has become a fact
SPACES = 64  # spaces whose readings are kept
MODEL = "local:use-m3"  # the embedder whose vectors the models read; of others they read the words alone
MIN_WORDS = 2  # content words of a statement
SHOWN = 40  # statements handed out

#: Predicates that say who somebody is, in the order of the answer.
WHO = ("name", "family", "married_to", "has_pet", "lives_in", "works_as", "works_at", "studies_at")

Vectors = Callable[[str], VectorIndex | None]


class Standing:
    """Reads messages of a store; what was read of a row is kept, as a message never changes."""

    def __init__(self, store: Store, vectors: Vectors, embedder: str | None) -> None:
        self._store, self._vectors = store, vectors
        self.reads = embedder is not None and embedder.startswith(MODEL)
        self._known: OrderedDict[str, dict[int, float]] = OrderedDict()

    def filler(self, space: str, texts: Sequence[str | Node]) -> Floats:
        """How likely nothing is lost without each of some texts or messages, 0…1."""
        if not texts:
            return np.empty(0, dtype=np.float32)
        out = np.empty(len(texts), dtype=np.float32)
        nodes = [(i, text) for i, text in enumerate(texts) if isinstance(text, Node)]
        vectors, there = self._of(space, [node.id for _, node in nodes])
        by_words = [i for i, text in enumerate(texts) if not isinstance(text, Node)]
        by_words += [i for (i, _), known in zip(nodes, there, strict=True) if not known]
        by_meaning = [i for (i, _), known in zip(nodes, there, strict=True) if known]
        contents = [text.content if isinstance(text, Node) else text for text in texts]
        if by_words:
            out[by_words] = filler([contents[i] for i in by_words], None)
        if by_meaning:
            out[by_meaning] = filler([contents[i] for i in by_meaning], vectors[there])
        return out

    def statements(self, space: str, columns: Columns, mask: NDArray[np.bool_]) -> list[tuple[float, int, Node]]:
        """What the user said of himself that lasts: (how likely it does, row, message), the likeliest first.

        Nothing where several people speak as users: there is no telling whose profile it would be.
        """
        places = columns.derived("stated", lambda: _stated(columns))
        places = places[mask[places]]
        voices = columns.speaker[places]
        if (voices != voices[:1]).any():
            return []
        rows = columns.row[places[:LOOKED_AT]].tolist()
        known = self._known.setdefault(space, {})
        self._known.move_to_end(space)
        while len(self._known) > SPACES:
            self._known.popitem(last=False)
        fresh = [row for row in rows if row not in known]
        if fresh:
            nodes = self._store.nodes(fresh)
            fresh = [row for row in fresh if row in nodes]
            texts = [nodes[row].content for row in fresh]
            index = self._vectors(space) if self.reads else None
            vectors = index.means(np.array(fresh, dtype=np.int64)) if index is not None and fresh else None
            seen = vectors is not None and bool((np.abs(vectors).sum(axis=1) > 0).all())
            known.update(zip(fresh, lasting(texts, vectors if seen else None).tolist(), strict=True))
        best = sorted((row for row in rows if known.get(row, 0.0) >= LASTING), key=lambda row: -known[row])[:SHOWN]
        shown = self._store.nodes(best)
        for row in set(known) - set(rows):  # what is no longer among the newest
            del known[row]
        return [(known[row], row, shown[row]) for row in best if row in shown and not shown[row].third_party]

    def _of(self, space: str, ids: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Vectors of some messages by the model, and which have one."""
        index = self._vectors(space) if self.reads and ids else None
        if index is None:
            return np.empty((0, 0), dtype=np.float32), np.zeros(len(ids), dtype=bool)
        rows = self._store.rows_of(space, ids)
        vectors = index.means(np.array([rows.get(id_, -1) for id_ in ids], dtype=np.int64))
        return vectors, np.abs(vectors).sum(axis=1) > 0


def _stated(columns: Columns) -> NDArray[np.int64]:
    """Places of all messages of a user that are no questions, the newest first."""
    user = (columns.role == columns.code("role", "user")) & (columns.words >= MIN_WORDS)
    user &= (columns.kind == columns.code("kind", "episodic")) & ~columns.asks.astype(bool)
    places = np.flatnonzero(user)
    newest: NDArray[np.int64] = places[np.argsort(-columns.event_time[places], kind="stable")]
    return newest


def who_first(rows: Sequence[int], nodes: Mapping[int, Node]) -> list[int]:
    """Facts about the user with those that say who he is (:data:`WHO`) before all others, which keep their order."""
    called = {"user", *(node.object for node in nodes.values() if node.subject == "user" and node.predicate == "name")}
    place = {row: WHO.index(n.predicate) for row, n in nodes.items() if n.subject in called and n.predicate in WHO}
    return sorted(rows, key=lambda row: place.get(row, len(WHO)))
