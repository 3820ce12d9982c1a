"""Reported cases of embeddings: another model, another dimension, none, a text too long, a batch with one bad text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from casekit import Chosen, Make, bulk, found, texts

from mnemic.errors import EmbeddingError

RULES = [("apartment|flat|квартир", (1.0,)), ("dog|собак", (0.0, 1.0))]
WIDE = Chosen(RULES, name="test:wide", dimension=768)
NARROW = Chosen(RULES, name="test:narrow", dimension=384)
OTHER = Chosen(RULES, name="test:other", dimension=768)


def filled(make: Make, path: Path, embedder: Any) -> None:
    memory = make(path=path, embedder=embedder)
    bulk(memory, ["my flat is in Porto", "моя квартира в Твери", "the dog barks", *(f"note {i}" for i in range(97))])
    memory.flush()
    memory.close()


@pytest.mark.parametrize("second", [NARROW, OTHER, "hash:256", None])
def test_B107_another_embedder_is_noticed_at_open(make: Make, tmp_path: Path, second: Any) -> None:
    path = tmp_path / "memory.db"
    filled(make, path, WIDE)
    memory = make(path=path, embedder=second)
    notes = " ".join(memory.status()["notes"])
    assert "test:wide (768)" in notes
    assert "reembed" in notes
    assert memory.observe("новая запись about the flat").acknowledged == "stored"
    assert "my flat is in Porto" in found(memory, "flat")
    assert "моя квартира в Твери" in found(memory, "квартира")
    if second is None:
        return
    assert memory.status()["embeddings_due"] == 101
    assert memory.reembed()["embedded"] == 101
    status = memory.status()
    assert [(g["embedder"], g["vectors"]) for g in status["generations"]] == [(memory.embedder, 101)]
    assert status["embeddings_due"] == 0
    assert not any("vector" in note for note in status["notes"])
    assert memory.recall("flat").degraded == ()
    if isinstance(second, Chosen):
        assert "my flat is in Porto" in found(memory, "apartment")


@pytest.mark.parametrize(("second", "mine"), [(NARROW, "test:narrow (384)"), ("hash:256", "hash:256 (256)")])
@pytest.mark.parametrize("query", ["flat", "квартира", "apartment"])
def test_B108_search_says_that_vectors_are_off(make: Make, tmp_path: Path, second: Any, mine: str, query: str) -> None:
    path = tmp_path / "memory.db"
    filled(make, path, WIDE)
    answer = make(path=path, embedder=second).recall(query)
    said = " ".join(answer.degraded)
    assert "test:wide (768) stored" in said
    assert mine in said
    assert bool(answer.hits) == (query != "apartment")


def test_B108_one_name_with_two_dimensions(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    filled(make, path, Chosen(RULES, name="test:same", dimension=768))
    memory = make(path=path, embedder=Chosen(RULES, name="test:same", dimension=384))
    answer = memory.recall("flat")
    assert "my flat is in Porto" in texts(answer)
    assert answer.degraded
    assert memory.observe("one more").acknowledged == "stored"
    with pytest.raises(EmbeddingError, match="768"):
        memory.flush()
    assert any("768" in note for note in memory.status()["notes"])


def test_B111_vectors_of_two_models_are_never_compared(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    filled(make, path, WIDE)
    # The other model means the opposite: were its vectors compared with the old ones, "apartment" would find the dog.
    swapped = Chosen(
        [("apartment|flat|квартир", (0.0, 1.0)), ("dog|собак", (1.0,))], name="test:swapped", dimension=768
    )
    memory = make(path=path, embedder=swapped)
    bulk(memory, ["a flat by the sea", *(f"later note {i}" for i in range(99))])
    assert memory.status()["embeddings_due"] == 200
    embedding: Any = memory._embedding
    newest = embedding.step()  # one batch of 64
    assert newest.left
    answer = memory.recall("apartment")
    assert "the dog barks" not in texts(answer)
    assert any("not embedded yet" in reason and "136" in reason for reason in answer.degraded)
    memory.flush()
    assert {"my flat is in Porto", "моя квартира в Твери", "a flat by the sea"} <= set(found(memory, "apartment"))
    held = {g["embedder"]: g["vectors"] for g in memory.status()["generations"]}
    assert held == {"test:wide": 100, "test:swapped": 200}


@pytest.mark.parametrize("where", [0.0, 0.5, 0.99])
@pytest.mark.parametrize(("word", "meaning"), [("zebrafinch", "striped singing bird"), ("зяблик", "певчая птица")])
def test_B113_a_huge_message_is_found_everywhere(make: Make, where: float, word: str, meaning: str) -> None:
    filler = "ordinary words of a very long report. "
    count = 500_000 // len(filler)
    at = int(count * where)
    text = filler * at + f"A {word} sat there. " + filler * (count - at)
    memory = make(embedder=Chosen([(f"{word}|{meaning}", (1.0,))]))
    node = memory.observe(text)
    memory.observe("something short")
    memory.flush()
    assert memory.get(node.id).content == text
    assert found(memory, word) == [text]
    assert found(memory, meaning)[0] == text  # by its vector alone
    assert memory.status()["embeddings_due"] == 0


@pytest.mark.parametrize("bad", [0, 31, 63])
def test_B114_one_bad_text_does_not_fail_the_batch(make: Make, bad: int) -> None:
    def refuse(given: Any, kind: str) -> None:
        if any("poison" in text for text in given):
            raise EmbeddingError("400: too many tokens")

    embedder = Chosen([("note|заметка", (1.0,))], fail=refuse)
    memory = make(embedder=embedder)
    lines = [f"note {i}" for i in range(64)]
    lines[bad] = "poison отрава"
    bulk(memory, lines)
    failed: list[Any] = []
    memory.on("embedding.failed", failed.append)
    assert memory.flush() == 63
    status = memory.status()
    assert status["embedding_failures"]["given_up"] == 1
    assert status["embeddings_due"] == 0
    assert len(failed) == 1
    assert len(found(memory, "заметка", limit=100)) == 63
    assert found(memory, "отрава") == ["poison отрава"]
    embedder.fail = None  # the provider learned to read it
    assert memory.reembed()["embedded"] == 1


def test_B114_a_service_that_is_down_is_not_the_texts_fault(make: Make) -> None:
    def down(given: Any, kind: str) -> None:
        raise EmbeddingError("503", retryable=True)

    embedder = Chosen([("note", (1.0,))], fail=down)
    memory = make(embedder=embedder)
    bulk(memory, [f"note {i}" for i in range(64)])
    with pytest.raises(EmbeddingError):
        memory.flush()
    assert memory.status()["embeddings_due"] == 64
    assert memory.status()["embedding_failures"]["count"] == 0
    assert len(embedder.asked) < 200
    embedder.fail = None
    assert memory.flush() == 64


@pytest.mark.slow
def test_B118_many_ids_at_once(make: Make) -> None:
    """More ids in one call than SQLite has variables (32,766); the case says 40,000."""
    memory = make("kept", space="other", embedder=Chosen([("note", (1.0,))], dimension=8), embed_batch=8_000)
    ids = bulk(memory, [f"note {i} запись" for i in range(33_000)], space="user")
    store = memory._store
    rows = store.rows_of("user", ids)
    assert len(rows) == 33_000
    assert len(store.nodes(list(rows.values()))) == 33_000
    assert len(memory.timeline(limit=33_000, space="user")) == 33_000
    assert memory.reembed()["embedded"] == 33_000
    assert len(memory.recall("note", limit=10_000, space="user").hits) == 10_000
    counts = memory.erase(everything=True, space="user")
    assert (counts["nodes"], counts["vectors"]) == (33_000, 33_000)
    assert memory.timeline(space="user") == []
    assert memory.doctor()["ok"]
    assert found(memory, "kept", space="other") == ["kept"]
