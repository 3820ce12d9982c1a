"""What follows the hot path: vectors, words and names, with an embedder that fails in all the usual ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mnemic import Config, InvalidInput, Memory
from mnemic.embed import HashEmbedder, TextRefused, Vectors
from mnemic.errors import EmbeddingError
from mnemic.ingest.embedding import PIECES, pieces_of, word_surfaces
from mnemic.testing import FrozenClock

QUIET = Config(background=False)


class Moody:
    """The hash embedder, until told to fail."""

    name = "moody:1"
    multilingual = True
    max_chars = 400

    def __init__(self) -> None:
        self.inner = HashEmbedder(64)
        self.dimension = self.inner.dimension
        self.down = False
        self.refuses = ""
        self.texts = 0

    def embed(self, texts: Sequence[str], *, kind: str) -> Vectors:
        if self.down:
            raise EmbeddingError("out of order", retryable=True)
        if self.refuses and any(self.refuses in text for text in texts):
            raise TextRefused("not this text", retryable=True)
        self.texts += len(texts)
        return self.inner.embed(texts, kind=kind)  # type: ignore[arg-type]


def test_what_is_due_is_read_from_the_file(tmp_path: object) -> None:
    embedder = Moody()
    with Memory(f"{tmp_path}/m.db", embedder=embedder, config=QUIET) as memory:
        for i in range(70):
            memory.observe(f"message number {i} about gardens")
        assert memory.status()["embeddings_due"] == 70
    with Memory(f"{tmp_path}/m.db", embedder=embedder, config=QUIET) as memory:  # the process is another one
        assert memory.flush() == 70
        assert memory.status()["embeddings_due"] == 0
        assert memory.flush() == 0
        assert memory.recall("gardens").degraded == ()


def test_a_service_that_is_down_loses_nothing_and_costs_no_attempts() -> None:
    embedder = Moody()
    with Memory(":memory:", embedder=embedder, config=QUIET) as memory:
        memory.observe("the kettle is blue")
        embedder.down = True
        with pytest.raises(EmbeddingError):
            memory.flush()
        assert memory.status()["embeddings_due"] == 1
        answer = memory.recall("kettle")
        assert answer.hits
        assert answer.degraded
        embedder.down = False
        assert memory.flush() == 1


def test_a_refused_text_is_tried_three_times_then_set_aside_and_reported() -> None:
    embedder, clock = Moody(), FrozenClock()
    embedder.refuses = "cursed"
    told: list[object] = []
    with Memory(":memory:", embedder=embedder, config=QUIET, clock=clock) as memory:
        memory.on("embedding.failed", told.append)
        memory.observe("a cursed text")
        memory.observe("a good text")
        assert memory.flush() == 1
        for _ in range(3):
            clock.advance(minutes=10)
            memory.flush()
        status = memory.status()
        assert status["embedding_failures"]["given_up"] == 1
        assert status["embeddings_due"] == 0
        assert len(told) == 1
        assert memory.recall("cursed").hits[0].node.content == "a cursed text"
        embedder.refuses = ""
        assert memory.reembed()["embedded"] == 1


def test_long_texts_get_a_few_vectors_and_all_their_words(tmp_path: object) -> None:
    text = " ".join(f"sentence {i} speaks of topic{i}." for i in range(400))
    assert len(pieces_of(text, 360)) == PIECES
    assert pieces_of("short", 360) == ["short"]
    with Memory(":memory:", embedder=Moody(), config=QUIET) as memory:
        memory.observe(text)
        memory.observe("something else")
        memory.flush()
        assert memory.recall("topic200").hits[0].node.content == text


def test_words_are_taken_as_they_are_most_often_written() -> None:
    surfaces = word_surfaces(["Running runs run RUN", "бежал бежал бежать 42 getName a1"])
    assert surfaces["run"] == "run"
    assert set(surfaces) >= {"run"}
    assert not any(ch.isdigit() for word in surfaces.values() for ch in word)


def test_names_are_indexed_behind_the_hot_path() -> None:
    with Memory(":memory:", embedder=None, config=QUIET) as memory:
        memory.observe("I met Clara Novak at the station", speaker="Ivan")
        memory.observe("Мы с Кларой Новак едем в Прагу", speaker="Ivan")
        assert memory.entities.get("ivan") is None
        memory.flush()
        ivan = memory.entities.get("IVAN")
        assert ivan is not None
        assert (ivan.type, ivan.mentions) == ("person", 2)
        clara = memory.entities.get("Clara Novak")
        assert clara is not None
        assert clara.mentions == 1
        assert [h.node.content for h in memory.recall("station", entity="clara novak").hits] == [
            "I met Clara Novak at the station"
        ]


def test_reembed_needs_an_embedder_and_drops_the_old_generation(tmp_path: object) -> None:
    path = f"{tmp_path}/m.db"
    with Memory(path, embedder="hash:64", config=QUIET) as memory:
        memory.observe("the ladder is green")
        memory.flush()
    with Memory(path, embedder=None, config=QUIET) as memory, pytest.raises(InvalidInput, match="embedder"):
        memory.reembed()
    with Memory(path, embedder=Moody(), config=QUIET) as memory:
        assert any("reembed" in note for note in memory.status()["notes"])
        done = memory.reembed()
        assert done == {"embedder": "moody:1", "embedded": 1, "left": 0, "dropped_generations": 1}
        assert [g["embedder"] for g in memory.status()["generations"]] == ["moody:1"]


def test_vectors_that_are_packed_answer_as_before() -> None:
    embedder = Moody()
    with Memory(":memory:", embedder=embedder, config=QUIET) as memory:
        nodes = [f"row {i} tells of thing{i}" for i in range(1_100)]
        for text in nodes:
            memory.observe(text, ack="accepted")
        memory.flush()
        index = memory._store.vectors("default", "moody:1")
        assert index is not None
        assert len(index) == 1_100
        assert index.last_chunk > 0
        query = embedder.embed(["row 7 tells of thing7"], kind="query")[0]
        best = index.rows()[int(np.argmax(index.similarities(query, None)))]
        assert memory._store.nodes([int(best)])[int(best)].content == nodes[7]
