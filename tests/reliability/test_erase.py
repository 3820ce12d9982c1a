"""Erase: the bytes are gone, at any size, while others go on, and do not come back (B032, B118, B188, R52–R54)."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import apsw
import apsw.ext
import numpy as np
import pytest
from crash import Acked, Server, traces, verify
from test_sharing import until_held

from mnemic import Config, InvalidInput, Memory
from mnemic.store import erasing
from mnemic.store.rows import NewNode, first_row
from mnemic.store.tx import Q, Tx

ROWS = 200_000
PERSON = range(100_000, 110_000)  # whose memories are erased
VOCABULARY = [f"word{''.join(chr(97 + int(d)) for d in str(i))}" for i in range(4_000)]


def letters(n: int) -> str:
    """A marker word of letters only (numbers are kept out of the vocabulary of a space)."""
    return "zq" + "".join(chr(97 + int(d)) for d in str(n)) + "qz"


def some_words(n: int) -> str:
    """Eight common words and the marker of episode ``n``."""
    return " ".join([VOCABULARY[(n * p) % len(VOCABULARY)] for p in (7, 11, 13, 17, 19, 23, 29, 31)] + [letters(n)])


FILL = """
insert into spaces (no, name, seq, nodes) values (1, 'default', :rows, :rows);
insert into sessions (no, space, key, started_at, last_at, messages)
    select value + 1, 1, 's' || value, 0, 0, 200 from generate_series(0, :rows / 200 - 1);
insert into nodes (row, id, kind, label, content, key, session, role, origin, trust, event_time, recorded_at, words)
    select (1 << 40) + 1 + value, 'id' || value, 'episodic', 'message', some_words(value), 'k' || value,
           1 + value / 200, 'user', 'user', 1.0, value * 1000000, value, 9 from generate_series(0, :rows - 1);
insert into edges (source, relation, target, recorded_at)
    select row, 'temporal', row + 1, 0 from nodes where row < (1 << 40) + :rows;
insert into terms select row, content from nodes;
insert into search (rowid, terms) select row, terms from terms;
insert into generations (name, dimension, made_at) values ('fake', 64, 0);
insert into words (space, term, surface)
    select 1, letters(value), letters(value) from generate_series(:first, :first + 2999);
"""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of 200,000 episodes in 1,000 sessions, with vectors; written by SQL, which is quicker."""
    path = tmp_path_factory.mktemp("big") / "memory.db"
    rng = np.random.default_rng(7)

    def fill(tx: Tx) -> None:
        apsw.ext.make_virtual_module(tx.connection, "generate_series", apsw.ext.generate_series_sqlite)
        tx.connection.create_scalar_function("letters", letters, 1)
        tx.connection.create_scalar_function("some_words", some_words, 1)
        tx.connection.execute(FILL, {"rows": ROWS, "first": PERSON[0]})
        for start in range(0, ROWS, 1_024):
            rows = np.arange(start, min(start + 1_024, ROWS), dtype="<i8") + first_row(1) + 1
            data = rng.standard_normal((len(rows), 64)).astype("<f2").tobytes()
            tx.connection.execute(Q.new_vector_chunk, (1, 1, rows.tobytes(), data))

    with Memory(path, embedder=None, config=quiet()) as memory:
        memory._store.run(fill)
        memory._store.pack_columns("default")
    return path


def quiet() -> Config:
    """Settings without background work."""
    return Config(background=False)


def test_B187_open_status_and_first_search(big: Path) -> None:
    """Opening and the status read counters, not rows: the number of pages touched says so, whatever the machine."""
    with Memory(big, embedder=None, config=quiet()) as memory:
        status = memory.status()
        assert status["memories"] == status["keyword_rows"] == ROWS
        assert not any("keyword" in note for note in status["notes"])
        store = memory._store
        steps = 0

        def count() -> bool:
            nonlocal steps
            steps += 1
            return False

        with store.reader() as r:
            r.set_progress_handler(count, 1_000)
        memory.status()
        assert steps < 20, "status does more than read counters"  # a scan of 200,000 rows is 600 of these
        with store.reader() as r:
            r.set_progress_handler(None)
        assert memory.recall(letters(5), limit=3).hits[0].node.content.endswith(letters(5))


def test_B187_four_processes_open_it_at_once(workers: Server, big: Path, tmp_path: Path) -> None:
    """No one hangs, no one is refused."""
    acks = [tmp_path / f"{i}" for i in range(4)]
    where = {"path": str(big), "count": 0, "at": time.time() + 0.1}
    pids = [workers.start("first_open", acks=str(a), first=0, **where) for a in acks]
    assert [workers.wait(pid) for pid in pids] == [0] * 4


def test_B118_forty_thousand_ids_at_once(big: Path) -> None:
    """No statement has a limit on how many ids it is given."""
    with Memory(big, embedder=None, config=quiet()) as memory:
        store = memory._store
        rows = store.rows_of_space("default")[:40_000]
        nodes = store.nodes(rows)
        assert len(nodes) == 40_000
        assert len(store.rows_of("default", [n.id for n in nodes.values()])) == 40_000
        assert len(memory.timeline(limit=50_000)) == 50_000


def test_B188_erase_ten_thousand_of_two_hundred_thousand(big: Path) -> None:
    """Others write and search meanwhile; afterwards no word of the person is left in any byte of the files."""
    with Memory(big, embedder=None, config=quiet()) as memory:
        store = memory._store
        rows = [first_row(1) + 1 + i for i in PERSON]
        stop = threading.Event()
        served: list[int] = []
        strange: list[BaseException] = []

        def others() -> None:
            try:
                while not stop.is_set():
                    memory.observe("someone else speaks", space="other")
                    assert memory.recall("someone", space="other", limit=1).hits
                    served.append(len(served))
            except BaseException as error:
                strange.append(error)

        thread = threading.Thread(target=others)
        thread.start()
        try:
            counts = erasing.erase(store, "default", rows)
            store.checkpoint()
        finally:
            stop.set()
            thread.join()
        assert not strange, strange
        assert served
        assert counts["nodes"] == counts["terms"] == counts["vectors"] == 10_000
        assert counts["sessions"] == 50
        assert memory.status()["memories_in_file"] == ROWS - 10_000 + len(served)
        assert not traces(big, [letters(i) for i in PERSON])
        assert memory.doctor()["ok"]
        assert not memory.recall(letters(PERSON[5])).hits
        assert memory.recall(letters(5), limit=3).hits[0].node.content.endswith(letters(5))
        index = store.vectors("default", "fake")
        assert index is not None
        assert not np.isin(index.rows(), rows).any()
        assert not store._rows(Q.stale_jobs, "erase", 2**62)


def test_B032_erase_everything_of_a_space(db: Path) -> None:
    """2,345 episodes are listed page by page, each once; erasing the space leaves none, and leaves others alone."""
    with Memory(db, embedder=None) as memory:
        nodes = [NewNode(f"episode {n}", f"episode {n}", n * 1_000) for n in range(2_345)]
        memory._store.run(lambda tx: tx.add("anna", nodes) and None)
        memory.observe("bertha's own", space="bertha")
        seen: list[str] = []
        while page := memory.timeline(space="anna", limit=100, offset=len(seen)):
            seen += [n.id for n in page]
        assert len(seen) == len(set(seen)) == 2_345
        assert memory.erase(everything=True, space="anna")["nodes"] == 2_345
        assert memory.timeline(space="anna") == []
        assert memory.status(space="anna")["memories"] == 0
        assert memory.status(space="bertha")["memories"] == 1
        assert memory.recall("episode", space="anna").hits == ()


@pytest.mark.parametrize("count", [1, 300], ids=["one", "many"])
def test_R52_nothing_is_left_in_any_table_or_byte(db: Path, count: int) -> None:
    """Rows, words, vectors, vocabulary, names, tags, history: erased by session, and no byte of the words is left."""
    marks = [letters(n) for n in range(count)]
    with Memory(db, embedder="hash:64") as memory:
        memory.observe("an ordinary remark that stays", session="other")
        for mark in marks:
            node = memory.observe(
                f"Mr {mark.capitalize()}name said {mark} and {mark}tail", session="doomed", tags=[f"{mark}tag"],
                attributes={"note": f"{mark}note"}, speaker=f"{mark.capitalize()}speaker",
            )  # fmt: skip
        memory.flush()
        memory.forget(node.id, why=f"{marks[-1]}why")
        for mark in marks[:3]:
            memory.recall(mark)
            memory.entities.get(f"{mark}speaker")
        assert traces(db, marks)
        memory.erase(session="doomed")
        assert traces(db, marks) == []
        assert memory.status()["memories"] == 1
        assert memory.status()["sessions"] == 1
        for mark in marks[:3]:
            assert not memory.recall(mark).hits
            assert memory.entities.get(f"{mark}speaker") is None
        assert memory.doctor()["ok"]
        memory.flush()
        assert traces(db, marks) == []


def test_R52_readers_of_other_processes_delay_the_bytes_only(workers: Server, db: Path, tmp_path: Path) -> None:
    """A snapshot elsewhere keeps the log; what is erased is not found at once, and its bytes go when that one ends."""
    with Memory(db, embedder=None) as memory:
        node = memory.observe("the zqsecretqz word")
        pid = workers.start("hold", path=str(db), acks=str(tmp_path / "r"), how="reading")
        until_held(tmp_path / "r")
        memory.erase(item=node.id)
        assert not memory.recall("zqsecretqz").hits
        assert traces(db, ["zqsecretqz"])
        workers.kill(pid)
        end = time.monotonic() + 60
        while traces(db, ["zqsecretqz"]) and time.monotonic() < end:
            time.sleep(0.1)
        assert not traces(db, ["zqsecretqz"])


def test_R53_a_second_import_does_not_bring_it_back(db: Path, tmp_path: Path) -> None:
    """The same export again, touched or grown: the erased episode stays erased, and the counts say so."""
    file = tmp_path / "talk.jsonl"
    lines = [json.dumps({"role": "user", "content": f"{letters(n)} was said", "session": "s"}) for n in range(10)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    with Memory(db, embedder="hash:64") as memory:
        assert memory.import_(file, format="messages").stored == 10
        memory.flush()
        for n in (2, 7):
            memory.erase(item=memory.recall(letters(n)).hits[0].node.id)
        for turn in range(3):
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"role": "user", "content": f"new {turn}", "session": "s"}) + "\n")
            os.utime(file, (turn + 5, turn + 5))
            memory.import_(file, format="messages")
        memory.flush()
        assert not {letters(2), letters(7)} & {n.content.split()[0] for n in memory.timeline()}
        assert memory.status()["memories"] == 8 + 3
        assert traces(db, [letters(2), letters(7)]) == []


def test_R53_a_key_that_was_erased_is_refused(db: Path) -> None:
    """Capturing under an erased key is an error that says why, not a silent success."""
    with Memory(db, embedder=None) as memory:
        node = memory.observe("hello", key="k")
        memory.erase(item=node.id)
        with pytest.raises(InvalidInput, match="erased"):
            memory.observe("hello", key="k")


def test_R54_an_erasure_that_was_cut_off_is_finished(workers: Server, db: Path, tmp_path: Path) -> None:
    """kill -9 in the middle of erasing thousands: the next start finishes it."""
    with Memory(db, embedder=None, config=quiet()) as memory:
        texts = [f"episode {n} {letters(n)}" for n in range(3_000)]
        nodes = [NewNode(text, text, n, session="s") for n, text in enumerate(texts)]
        memory._store.run(lambda tx: tx.add("default", nodes) and None)
    for at in (200, 400, 900, 1_500):
        workers.run("erase_all", path=str(db), at=at)
    with Memory(db, embedder="hash:64", config=quiet()) as memory:
        left = memory.status()["memories"]
        assert 0 < left < 3_000
        jobs = memory._store._rows(Q.stale_jobs, "erase", 2**62)
        assert jobs
        memory._store.run(lambda tx: tx.connection.execute("update jobs set updated_at = 0"))
        memory.flush()
        assert memory.status()["memories"] == 0
        assert not traces(db, [letters(n) for n in range(3_000)])
    verify(db, Acked())
