"""Beginning and end: fork, close, the end of the program, a full queue, thousands of ids (R5, R13, R27, B118, B187)."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import pytest
from crash import Acked, Server, body

from mnemic import Config, Memory, StoreClosed


@pytest.mark.parametrize(("how", "code"), [("end", 0), ("close", 0), ("sigterm", 143), ("sigint", 1), ("error", 1)])
def test_R5_the_program_ends_with_a_full_queue(workers: Server, db: Path, tmp_path: Path, how: str, code: int) -> None:
    """A thousand accepted writes wait when the program ends: all are saved, nothing stays locked."""
    acks = tmp_path / "acks"
    found = workers.run("ending", path=str(db), acks=str(acks), how=how, count=1_000)
    assert found == code if how != "sigint" else found != 0
    said = Acked().read(acks).done[-1]
    assert said[0] == "accepted"
    assert said[1] > 900
    with Memory(db, embedder=None) as memory:
        assert memory.status()["memories"] == 1_000
        assert memory.observe("next").acknowledged == "stored"


def test_R13_a_forked_child_is_told(db: Path) -> None:
    """In the child a memory opened before the fork refuses and says the remedy; the parent goes on."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    with Memory(db, embedder=None) as memory:
        node = memory.observe("from the parent")
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            said = []
            for use in (lambda: memory.observe("x"), lambda: memory.recall("parent"), lambda: memory.get(node.id)):
                try:
                    use()
                    said.append("nothing")
                except StoreClosed as error:
                    said.append(str(error))
                except BaseException as error:
                    said.append(repr(error))
            memory.close()
            with Memory(db, embedder=None) as own:
                own.observe("from the child")
                said.append(str(len(own.recall("parent").hits)))
            os.write(writing, "\n".join(said).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            said = file.read().splitlines()
        os.waitpid(pid, 0)
        assert said == ["opened before a fork; open it again here"] * 3 + ["1"]
        assert memory.observe("the parent goes on").acknowledged == "stored"
        assert memory.status()["memories"] == 3
        assert memory.doctor()["ok"]


def test_R13_use_after_close(db: Path) -> None:
    """Every verb says that the memory is closed; closing again is no error."""
    memory = Memory(db, embedder="hash:64")
    node = memory.observe("hello")
    memory.close()
    memory.close()
    uses = [
        lambda: memory.observe("x"),
        lambda: memory.observe("x", ack="accepted"),
        lambda: memory.recall("hello"),
        lambda: memory.get(node.id),
        lambda: memory.forget(node.id),
        lambda: memory.erase(item=node.id),
        lambda: memory.timeline(),
        lambda: memory.status(),
        lambda: memory.doctor(),
        lambda: memory.flush(),
        lambda: memory.backup(f"{db}.bak"),
    ]
    for use in uses:
        with pytest.raises(StoreClosed, match="closed"):
            use()
    assert not Path(f"{db}-wal").exists()


def test_R13_close_while_others_use_it(db: Path) -> None:
    """Threads that read and write when the memory is closed get an answer or StoreClosed, and nothing hangs."""
    memory = Memory(db, embedder=None)
    memory.observe("hello world")
    strange: list[BaseException] = []
    started = threading.Barrier(9)

    def work(n: int) -> None:
        started.wait()
        try:
            while True:
                memory.observe(f"{n}") if n % 2 else memory.recall("hello")
        except StoreClosed:
            pass
        except BaseException as error:
            strange.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    started.wait()
    time.sleep(0.2)
    memory.close()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    assert not strange, strange
    gc.collect()
    assert not Path(f"{db}-wal").exists(), "a connection was left open"


def test_R27_a_full_queue_holds_callers_back(db: Path) -> None:
    """The writer stands still: the queue fills to its bound, then callers wait; nothing is dropped."""
    with Memory(db, embedder=None, config=Config(queue_size=100)) as memory:
        gate, running = threading.Event(), threading.Event()
        memory._store.submit(lambda tx: (running.set(), gate.wait(60)))
        running.wait(10)
        sent = []

        def send() -> None:
            for n in range(500):
                memory.observe(body(n), ack="accepted")
                sent.append(n)

        thread = threading.Thread(target=send)
        thread.start()
        deadline = time.monotonic() + 30
        while len(sent) < 100 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        assert 100 <= len(sent) <= 101
        assert memory.status()["writes_waiting"] == 100
        gate.set()
        thread.join(60)
        memory.flush()
        assert memory.status()["memories"] == 500


def test_R27_close_while_callers_are_held_back(db: Path) -> None:
    """Closing with a full queue commits what was accepted and tells those who still wait."""
    memory = Memory(db, embedder=None, config=Config(queue_size=10))
    gate = threading.Event()
    memory._store.submit(lambda tx: gate.wait(60))
    accepted: list[int] = []
    refused = threading.Event()

    def send() -> None:
        try:
            for n in range(1_000_000):
                memory.observe(body(n), ack="accepted")
                accepted.append(n)
        except StoreClosed:
            refused.set()

    thread = threading.Thread(target=send)
    thread.start()
    time.sleep(0.3)
    closing = threading.Thread(target=memory.close)
    closing.start()
    assert refused.wait(10)
    gate.set()
    closing.join(30)
    thread.join(30)
    with Memory(db, embedder=None) as again:
        assert again.status()["memories"] == len(accepted)


def test_a_subscriber_that_fails_does_not_disturb_the_writer(db: Path) -> None:
    """What is called after a commit may raise: the write is acknowledged all the same."""
    with Memory(db, embedder=None) as memory:

        def fail() -> None:
            raise RuntimeError("after the commit")

        memory._store._writer._after_commit = fail
        assert memory.observe("hello").acknowledged == "stored"
        assert memory.observe("again").acknowledged == "stored"


def test_a_function_that_fails_takes_nothing_with_it(db: Path) -> None:
    """In one group commit, the failing write gets its own error, and the others are stored."""
    with Memory(db, embedder=None) as memory:
        gate = threading.Event()
        memory._store.submit(lambda tx: gate.wait(10))
        good = [memory._store.submit(lambda tx, n=n: tx.set_meta(f"k{n}", "v")) for n in range(5)]
        bad = memory._store.submit(lambda tx: (tx.set_meta("bad", "v"), 1 / 0))
        good += [memory._store.submit(lambda tx, n=n: tx.set_meta(f"k{n}", "v")) for n in range(5, 10)]
        gate.set()
        assert isinstance(bad.exception(10), ZeroDivisionError)
        assert [f.exception(10) for f in good] == [None] * 10
        assert not memory._store.meta("bad")
        assert memory._store.meta("k9")


def test_a_private_memory_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``:memory:`` is gone after it is closed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Memory(":memory:", embedder=None) as memory:
        memory.observe("hello")
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())
