"""Neither the log nor the file grows without end; who keeps the log from shrinking is named (R16, R17)."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from crash import Server, body
from test_sharing import until_held

from mnemic import Memory
from mnemic.store import writer
from mnemic.store.rows import NewNode

MB = 1_000_000
BOUND = 64 * 1024 * 1024


def size(path: Path | str) -> int:
    """Bytes of a file, 0 if it is not there."""
    return Path(path).stat().st_size if Path(path).exists() else 0


def write(memory: Memory, count: int, length: int, first: int = 0) -> None:
    """Write rows of a given length in transactions of 50."""
    for start in range(first, first + count, 50):
        nodes = [NewNode(f"{n} " + "x" * length, f"number{n}", n * 1000) for n in range(start, start + 50)]
        memory._store.run(lambda tx, nodes=nodes: tx.add("default", nodes))


def wait_for(what: object, seconds: float = 60.0) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.05)


def test_B093_R17_log_with_readers_that_come_and_go(db: Path, scale: float) -> None:
    """Writes without a pause, readers that hold snapshots for a while: the log stays bounded and then shrinks."""
    with Memory(db, embedder=None) as memory:
        stop = threading.Event()
        largest = 0

        def read() -> None:
            while not stop.is_set():
                with memory._store.reader() as r:
                    r.execute("select count(*) from sessions").fetchall()
                    stop.wait(0.3)
                stop.wait(0.3)

        thread = threading.Thread(target=read)
        thread.start()
        try:
            for part in range(int(40 * scale)):
                write(memory, 250, 8_000, part * 250)
                largest = max(largest, size(f"{db}-wal"))
        finally:
            stop.set()
            thread.join()
        assert size(db) > 60 * MB * scale
        assert largest < BOUND
        memory.observe("after the load")
        wait_for(lambda: size(f"{db}-wal") <= writer.PASSIVE_PAGES * 4_200)


@pytest.mark.slow
def test_R17_log_with_readers_without_a_gap(db: Path) -> None:
    """Snapshots that overlap, so that there is always a reader: the log is bounded all the same."""
    with Memory(db, embedder=None) as memory:
        stop = threading.Event()

        def read() -> None:
            while not stop.is_set():
                with memory._store.reader() as r:
                    r.execute("select count(*) from sessions").fetchall()
                    time.sleep(0.05)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            largest = 0
            for part in range(60):
                write(memory, 250, 8_000, part * 250)
                largest = max(largest, size(f"{db}-wal"))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert size(db) > 90 * MB
        assert largest < BOUND


@pytest.mark.skipif(sys.platform != "linux", reason="locks are listed on Linux only")
def test_B094_R17_a_stuck_reader_is_named(
    workers: Server, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Idle processes do no harm; one with an open read transaction makes the log grow, and the status says which."""
    monkeypatch.setattr("mnemic.store.health.LARGE_LOG", 20 * MB)
    monkeypatch.setattr(writer, "IDLE_SECONDS", 0.1)
    with Memory(db, embedder=None) as memory:
        write(memory, 50, 100)
        idle = []
        for n in range(12):
            idle.append(workers.start("hold", path=str(db), acks=str(tmp_path / f"i{n}"), how="idle"))
            until_held(tmp_path / f"i{n}")
        write(memory, 4_000, 8_000, 1_000)
        assert size(f"{db}-wal") < 20 * MB
        assert memory.status()["log_readers"] == []
        stuck = workers.start("hold", path=str(db), acks=str(tmp_path / "stuck"), how="reading")
        until_held(tmp_path / "stuck")
        write(memory, 4_000, 8_000, 10_000)
        status = memory.status()
        assert status["log_bytes"] > 20 * MB
        assert status["log_readers"] == [stuck]
        assert any(str(stuck) in note and "log" in note for note in status["notes"])
        assert memory.recall("number10001").hits
        workers.kill(stuck)
        wait_for(lambda: size(f"{db}-wal") < 5 * MB)  # nobody writes any more, and still it shrinks
        assert not any("write-ahead log" in note for note in memory.status()["notes"])
        for pid in idle:
            workers.kill(pid)


def test_B096_the_same_import_again_and_again(db: Path, tmp_path: Path) -> None:
    """Twenty imports of the same episodes, touched in between: the file does not grow."""
    file = tmp_path / "talk.jsonl"
    lines = [json.dumps({"role": "user", "content": body(n)}) for n in range(1_000)]
    file.write_text("\n".join(lines), "utf-8")
    sizes = []
    with Memory(db, embedder="hash:64") as memory:
        for turn in range(20):
            os.utime(file, ns=(turn * 10**9, turn * 10**9))
            counts = memory.import_(file, format="messages")
            assert counts.stored == (1_000 if turn == 0 else 0)
            memory.flush()
            memory._store.checkpoint()
            sizes.append(size(db))
        assert memory.status()["memories"] == 1_000
    assert sizes[-1] <= 1.2 * sizes[0]


def test_B096_hiding_and_restoring_again_and_again(db: Path) -> None:
    """Vectors, chunks and the keyword index are rewritten in place, not added to."""
    with Memory(db, embedder="hash:64") as memory:
        ids = [memory.observe(body(n)).id for n in range(200)]
        memory.flush()
        memory._store.checkpoint()
        before = size(db)
        store = memory._store
        for turn in range(20):
            rows = sorted(store.rows_of("default", ids).values())
            store.run(lambda tx, rows=rows, turn=turn: [tx.reindex(row, f"turn{turn} text") for row in rows] and None)
        store.checkpoint()
        assert size(db) <= 1.2 * before
        assert memory.doctor()["ok"]


def test_R16_reading_writes_nothing(db: Path, scale: float) -> None:
    """Searches, timelines, status and statistics leave the file, the log and the change counter alone."""
    with Memory(db, embedder="hash:64") as memory:
        for n in range(50):
            memory.observe(body(n))
        memory.flush()
        memory._store.checkpoint()
        wait_for(lambda: memory._store.waiting == 0)
        time.sleep(0.3)
        with memory._store.reader() as r:
            before = r.pragma("data_version")
        state = (size(db), size(f"{db}-wal"), db.stat().st_mtime_ns)
        for n in range(int(500 * scale)):
            memory.recall(f"mark{n % 50}x river", limit=5)
            if n % 10 == 0:
                memory.timeline(limit=5)
                memory.status()
                memory.status()
                memory.sessions()
                memory.entities.get("nobody")
        assert (size(db), size(f"{db}-wal"), db.stat().st_mtime_ns) == state
        with memory._store.reader() as r:
            assert r.pragma("data_version") == before


def test_R16_an_idle_memory_writes_nothing(db: Path) -> None:
    """Once all is embedded the background thread does not write, not even a lease."""
    with Memory(db, embedder="hash:64") as memory:
        memory.observe("hello")
        memory.flush()
        memory._store.checkpoint()
        time.sleep(0.2)
        state = size(f"{db}-wal")
        for _ in range(20):
            memory._background.wake()  # type: ignore[union-attr]
            time.sleep(0.05)
        assert size(f"{db}-wal") == state
