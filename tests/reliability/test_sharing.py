"""Several processes and threads on one file: nobody sees a lock error, nothing is lost (R6, R13–R15, R24, R25)."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from crash import Acked, Server, body, verify

from mnemic import Config, InvalidInput, KeyConflict, Memory, StoreBusy
from mnemic.store import writer
from mnemic.store.connect import BUSY_MS, JOURNAL_LIMIT


def until_held(acks: Path, pause: float = 0.01) -> None:
    """Wait until a worker says that it holds the file."""
    while not acks.exists() or "holding" not in acks.read_text("utf-8"):
        time.sleep(pause)


@pytest.mark.timeout(600)
def test_R24_B087_four_processes_write_and_read(
    workers: Server, db: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Four processes capture, search and ask for the status at once; what one acknowledged, all find from then on."""
    seconds = float(request.config.getoption("--share-seconds"))
    where = {"path": str(db), "seconds": seconds, "files": str(tmp_path)}
    acks = [tmp_path / f"{i}.acks" for i in range(4)]
    pids = [workers.start("share", acks=str(a), first=(i + 1) * 1_000_000, **where) for i, a in enumerate(acks)]
    codes = [workers.wait(pid) for pid in pids]
    acked = Acked()
    for a in acks:
        acked.read(a)
    assert not acked.errors, acked.errors[:5]
    assert codes == [0, 0, 0, 0]
    assert verify(db, acked) == len(acked.stored)


@pytest.mark.timeout(600)
def test_R25_B090_eight_processes_make_the_same_file(workers: Server, tmp_path: Path) -> None:
    """Twenty times, eight processes open a file that is not there yet, at the same moment, and write to it."""
    for turn in range(20):
        path = tmp_path / f"{turn}.db"
        acks = [tmp_path / f"{turn}-{i}.acks" for i in range(8)]
        at = time.time() + 0.08
        pids = [
            workers.start("first_open", path=str(path), acks=str(a), first=i * 100, count=10, at=at)
            for i, a in enumerate(acks)
        ]
        codes = [workers.wait(pid) for pid in pids]
        acked = Acked()
        for a in acks:
            acked.read(a)
        assert codes == [0] * 8, acked.errors
        with Memory(path, embedder=None) as memory:
            assert memory.status()["memories"] == 80
            assert memory.doctor()["ok"]


def test_B086_captures_wait_for_another_writer(workers: Server, db: Path, tmp_path: Path) -> None:
    """Another process holds the write lock for seconds: 200 captures wait and are all there."""
    with Memory(db, embedder=None) as memory, ThreadPoolExecutor(8) as pool:
        memory.observe("something to read")
        reading = workers.start("hold", path=str(db), acks=str(tmp_path / "r"), how="reading")
        writing = workers.start("hold", path=str(db), acks=str(tmp_path / "w"), how="writing")
        until_held(tmp_path / "r")
        until_held(tmp_path / "w")
        captures = [pool.submit(memory.observe, body(n)) for n in range(200)]
        time.sleep(2)
        assert not any(c.done() for c in captures)
        workers.kill(writing)
        assert all(c.result().acknowledged == "stored" for c in captures)
        workers.kill(reading)
        assert memory.status()["memories"] == 201


def test_B086_a_lock_that_never_ends_is_a_plain_error(
    workers: Server, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the wait the caller gets StoreBusy, as does everything that has waited as long; then writing goes on."""
    monkeypatch.setattr(writer, "BUSY_SECONDS", 0.0)
    with Memory(db, embedder=None, config=Config(background=False)) as memory:
        memory.observe("one")
        pid = workers.start("hold", path=str(db), acks=str(tmp_path / "w"), how="writing")
        until_held(tmp_path / "w")
        memory._store._writer._connection.set_busy_timeout(50)
        futures = [memory._store.submit(lambda tx, n=n: tx.set_meta("k", str(n))) for n in range(20)]
        errors = [f.exception(timeout=30) for f in futures]
        assert all(isinstance(e, StoreBusy) for e in errors)
        assert "try again" in str(errors[0])
        workers.kill(pid)
        assert memory.observe("two").acknowledged == "stored"


def test_B088_reading_while_another_process_writes(workers: Server, db: Path, tmp_path: Path) -> None:
    """Search, get, timeline and status answer while another process keeps a write transaction open."""
    with Memory(db, embedder=None) as memory:
        node = memory.observe("the harbour opens at nine")
        pid = workers.start("hold", path=str(db), acks=str(tmp_path / "w"), how="writing")
        until_held(tmp_path / "w")
        for _ in range(100):
            assert memory.recall("harbour").hits[0].node.id == node.id
            assert memory.get(node.id).content == node.content
            assert memory.status()["memories"] == 1
            assert memory.timeline()[0].id == node.id
        workers.kill(pid)


@pytest.mark.parametrize("attributes", [{"x": object()}, {"x": float("nan")}, "circle"], ids=str)
def test_B089_what_cannot_be_written_leaves_no_transaction(db: Path, attributes: object) -> None:
    """A refused capture leaves the file free: another connection without patience can write at once."""
    if attributes == "circle":
        attributes = {}
        attributes["self"] = attributes  # type: ignore[index]
    with Memory(db, embedder=None) as memory:
        with pytest.raises(InvalidInput, match="attributes"):
            memory.observe("hello", attributes=attributes)  # type: ignore[arg-type]
        _write_at_once(db)
        assert memory.observe("good").acknowledged == "stored"


def test_R15_a_failed_statement_leaves_no_transaction(db: Path) -> None:
    """Thirty ways to fail inside a write: each fails alone, and the lock is free afterwards."""
    failures = [
        "select no_such_function()",
        "insert into nodes (row) values (1)",
        "insert into spaces (name) values (null)",
        "insert into edges values (1, 'temporal', 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)",
        "syntax error",
        "commit",
        "rollback",
        "insert into search (search) values ('no such command')",
        "insert or rollback into spaces (no, name) values (1, 'default')",
        "insert or fail into spaces (no, name) values (1, 'default')",
    ]
    with Memory(db, embedder=None, config=Config(background=False)) as memory:
        memory.observe("one")
        for statement in failures * 3:
            failing = memory._store.submit(lambda tx, statement=statement: tx.connection.execute(statement))
            beside = [memory._store.submit(lambda tx: tx.set_meta("beside", "1")) for _ in range(3)]
            assert failing.exception(timeout=30) is not None
            for future in beside:
                future.exception(timeout=30)  # answered, whatever the answer
            _write_at_once(db)
        assert memory.observe("two").acknowledged == "stored"
        assert memory.status()["memories"] == 2
        assert memory.doctor()["ok"]


def _write_at_once(db: Path) -> None:
    other = apsw.Connection(str(db))
    other.set_busy_timeout(0)
    other.execute("begin immediate; rollback")
    other.close()


def test_R14_every_connection_is_set_up(db: Path, tmp_path: Path) -> None:
    """Settings are read back on each connection that the product opens."""
    opened: list[apsw.Connection] = []
    apsw.connection_hooks.append(opened.append)
    try:
        with Memory(db, embedder="hash:64") as memory:
            memory.observe("hello")
            memory.flush()
            memory.recall("hello")
            assert len(opened) >= 2
            for connection in opened:
                assert connection.pragma("journal_mode") == "wal"
                assert connection.pragma("busy_timeout") >= BUSY_MS
                assert connection.pragma("foreign_keys") == 1
                assert connection.pragma("trusted_schema") == 0
                assert connection.pragma("mmap_size") == 0
                assert connection.pragma("wal_autocheckpoint") == 0
            writers = [c for c in opened if not c.pragma("query_only")]
            assert len(writers) == 1
            assert writers[0].pragma("synchronous") == 1
            assert writers[0].pragma("journal_size_limit") == JOURNAL_LIMIT
            assert writers[0].pragma("secure_delete") == 1
    finally:
        apsw.connection_hooks.remove(opened.append)


def test_R19_one_connection_writes_and_folds_the_log(db: Path) -> None:
    """Whatever is done to a memory, one connection of the process does all writes and all checkpoints."""
    said: list[tuple[int, str]] = []

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = lambda cursor, sql, _: said.append((id(cursor.connection), sql)) or True  # type: ignore[func-returns-value]

    apsw.connection_hooks.append(hook)
    try:
        with Memory(db, embedder="hash:64") as memory:
            ids = [memory.observe(body(n)).id for n in range(20)]
            memory.flush()
            memory.forget(ids[0])
            memory.restore(ids[0])
            memory.erase(item=ids[1])
            memory.context("river stone")
            memory.doctor(repair=True)
            assert tuple(map(int, memory.status()["sqlite"].split("."))) >= (3, 51, 3)
    finally:
        apsw.connection_hooks.remove(hook)
    verbs = ("insert", "update", "delete", "begin immediate", "vacuum", "pragma wal_checkpoint")
    writing = {number for number, sql in said if sql.lstrip().lower().startswith(verbs)}
    assert len(writing) == 1


def test_R6_B065_one_key_many_times(db: Path) -> None:
    """The same key eight times in parallel, and again after a restart: one row, one id; another body is refused."""
    with Memory(db, embedder=None) as memory, ThreadPoolExecutor(8) as pool:
        barrier = threading.Barrier(8)

        def send(_: int) -> str:
            barrier.wait()
            return memory.observe("pay 30 euros to Ann", key="k1").id

        ids = set(pool.map(send, range(8)))
    with Memory(db, embedder=None) as memory:
        ids.add(memory.observe("pay 30 euros to Ann", key="k1").id)
        assert len(ids) == 1
        with pytest.raises(KeyConflict):
            memory.observe("pay 90 euros to Ann", key="k1")
        assert memory.status()["memories"] == 1
        assert memory.get(ids.pop()).content == "pay 30 euros to Ann"


def test_B066_near_duplicates_are_kept(db: Path) -> None:
    """Two texts that are almost the same are two episodes, and each can be read back."""
    texts = ["benchmark run 41: 512 ms", "benchmark run 42: 498 ms"]
    with Memory(db, embedder="hash:64") as memory:
        nodes = [memory.observe(text) for text in texts]
        memory.flush()
        assert [n.acknowledged for n in nodes] == ["stored", "stored"]
        assert [memory.get(n.id).content for n in nodes] == texts
        assert memory.status()["memories"] == 2


def test_B068_two_captures_in_a_row(db: Path) -> None:
    """Two captures with the same defaults are two episodes; search finds both."""
    with Memory(db, embedder=None) as memory:
        memory.observe("first memory")
        memory.observe("second memory")
        found = {hit.node.content for hit in memory.recall("memory").hits}
        assert found == {"first memory", "second memory"}


def test_R7_order_survives_equal_times_and_a_clock_that_steps_back(db: Path) -> None:
    """Acknowledged in the order a, b: listed in that order, though the clock stood still or went back."""

    class Clock:
        at = 1_700_000_000_000_000
        n = 0

        def now(self) -> int:
            return self.at

        def new_id(self) -> str:
            Clock.n += 1
            return f"id-{Clock.n:06}"

    clock = Clock()
    with Memory(db, embedder=None, clock=clock) as memory:
        first = [memory.observe(f"note {n}") for n in range(20)]
        assert [n.id for n in memory.timeline()] == [n.id for n in first]
        clock.at -= 3_600_000_000
        later = [memory.observe(f"later {n}") for n in range(3)]
        rows = memory._store.rows_of("default", [n.id for n in first + later])
        assert [rows[n.id] for n in first + later] == sorted(rows.values())
        with Memory(db, embedder=None) as other:
            assert other.recall("later").hits
