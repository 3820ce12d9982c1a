"""What is derived stays equal to the memories, and can be built again from them (R20–R22, B099, B100)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from crash import EMBEDDER, Acked, body, verify

from mnemic import KeyConflict, Memory
from mnemic.store.rows import NewNode


def grown(n: int, text: str) -> NewNode:
    """An episode under a key that may still grow."""
    return NewNode(text, text, n, key=f"grow{n}", body_hash=text.encode()[:8] + bytes([len(text) % 256]), grows=True)


@pytest.mark.parametrize("seed", range(3))
def test_B099_any_order_of_changes(db: Path, seed: int) -> None:
    """Capture, grow, forget, restore, erase in random order: the keyword index agrees with the rows to the letter."""
    rng = random.Random(seed)
    with Memory(db, embedder=EMBEDDER) as memory:
        ids: list[str] = []
        for n in range(600):
            act = rng.random()
            if act < 0.4 or not ids:
                ids.append(memory.observe(body(n)).id)
            elif act < 0.55:
                text = "grows " * rng.randint(1, 40)
                memory._store.run(lambda tx, n=n, text=text: tx.add("default", [grown(n % 30, text)]) and None)
            elif act < 0.7:
                memory.forget(rng.choice(ids))
            elif act < 0.8:
                memory.restore(rng.choice(ids))
            else:
                memory.erase(item=ids.pop(rng.randrange(len(ids))))
        memory.flush()
        report = memory.doctor()
        assert report["ok"], report
    verify(db, Acked())


def test_B100_the_same_key_again(db: Path) -> None:
    """A text that has grown takes the place of the old one: the old words hit no more, the new ones do."""
    with Memory(db, embedder=EMBEDDER) as memory:
        for text in ("alpha", "alpha beta gammas", "gammas delta epsilon omega"):
            memory._store.run(lambda tx, text=text: tx.add("default", [grown(1, text)]) and None)
        assert memory.status()["memories"] == 1
        assert not memory._store.postings("default", ["alpha"])[0].size or not memory.recall("alpha").hits
        assert memory.flush() <= 2, "a text that has grown is embedded again, once"
        assert memory.flush() == 0
        assert memory.recall("omega").hits
        with pytest.raises(KeyConflict):
            memory.observe("something else", key="grow1")
        assert memory.doctor()["ok"]


DAMAGE = {
    "words missing from the index": "insert into search (search, rowid, terms)"
    " select 'delete', row, terms from terms limit 5",
    "search texts missing": "delete from terms where row in (select row from terms limit 5)",
    "search texts changed": "update terms set terms = 'something else'",
    "index emptied": "insert into search (search) values ('delete-all')",
    "counter wrong": "update spaces set nodes = nodes + 3",
    "columns stale": "delete from column_chunks",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_B100_R21_damage_by_hand_is_found_and_mended(db: Path, name: str) -> None:
    """Whatever is broken among the derived parts: doctor says so, repair rebuilds, search answers as before."""
    with Memory(db, embedder=None) as memory:
        for n in range(50):
            memory.observe(body(n))
        questions = [f"mark{n}x" for n in range(50)]
        before = [[h.node.content for h in memory.recall(q, limit=1).hits] for q in questions]
    with Memory(db, embedder=None) as memory:
        memory._store.run(lambda tx: tx.connection.execute(DAMAGE[name]) and None)
        if name != "columns stale":
            assert not memory.doctor()["ok"]
        report = memory.doctor(repair=True)
        assert report["ok"], report
        assert [[h.node.content for h in memory.recall(q, limit=1).hits] for q in questions] == before
        assert memory.status()["memories"] == memory.status()["keyword_rows"] == 50
        assert memory.observe("one more").acknowledged == "stored"
        assert memory.doctor()["ok"]


def test_R22_the_status_notices_a_difference(db: Path) -> None:
    """Rows and keyword rows are counted apart; a difference is a note that names the remedy."""
    with Memory(db, embedder=None) as memory:
        for n in range(10):
            memory.observe(body(n))
        memory._store.run(lambda tx: tx.connection.execute(DAMAGE["index emptied"]) and None)
        status = memory.status()
        assert status["memories"] == 10
        assert status["keyword_rows"] != 10
        assert any("doctor" in note for note in status["notes"])
