"""Reported cases of size and speed: nothing at all, very much at once, and what must not grow with the file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from casekit import Make, bulk, cli, found
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic import InvalidInput, Memory
from mnemic.models import Recall
from mnemic.store.sqlite import Q
from mnemic.store.tx import Tx


def test_B116_an_empty_file(make: Make, tmp_path: Path) -> None:
    memory = make(path=tmp_path / "new.db")
    for query in ["anything", "что угодно", "", " ", "yesterday", "%"]:
        answer = memory.recall(query)
        assert isinstance(answer, Recall)
        assert (answer.hits, answer.sufficiency) == ((), "none")
        assert memory.context(query) is None
    assert memory.timeline() == []
    assert memory.timeline(when="вчера") == []
    assert memory.sessions() == []
    assert memory.entities.get("Anna") is None
    assert memory.status()["memories"] == 0
    assert memory.status()["notes"] == []
    assert memory.flush() == 0
    assert memory.doctor()["ok"]
    assert memory.erase(everything=True).get("nodes", 0) == 0
    assert memory.backup(tmp_path / "copy.db").exists()
    assert found(memory, "anything", space="никогда не было") == []


@pytest.mark.parametrize(
    "value", ["", " ", "\n\t\r", "\u00a0\u3000", None, 0, [], {}, b"bytes", 1.5, True, "\ufeff", "\u200b\u200b"]
)
@pytest.mark.parametrize("verb", ["observe", "remember"])
def test_B116_empty_text_is_refused(make: Make, value: Any, verb: str) -> None:
    memory = make()
    with pytest.raises(InvalidInput) as refused:
        getattr(memory, verb)(value)
    assert refused.value.field == "text"
    assert memory.status()["memories"] == 0


def test_B116_command_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    answer = cli("observe", " ", path=path)
    assert answer.returncode == 2
    assert b"text" in answer.stderr
    assert b"Traceback" not in answer.stderr


LINE = {"type": "user", "sessionId": "s", "isSidechain": False, "cwd": "/home/u/p", "version": "2.1.7"}


@pytest.mark.slow
def test_B117_a_transcript_with_a_giant_line(tmp_path: Path) -> None:
    """Reduced: one line of 12 MB among 5,000 messages; the memory used stays far below the size of the file."""
    path = tmp_path / "big.jsonl"
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 3_000_000}}
    with path.open("w", encoding="utf-8") as file:
        for i in range(5_000):
            content: Any = f"message {i} о погоде"
            if i == 2_500:
                content = [image, {"type": "text", "text": "beside the picture"}]
            line = {**LINE, "uuid": f"u{i}", "timestamp": f"2026-03-02T12:{i // 60 % 60:02}:{i % 60:02}.000Z"}
            file.write(json.dumps({**line, "message": {"role": "user", "content": content}}) + "\n")
    code = (
        "import sys, resource, json\nfrom mnemic import Config, Memory\n"
        "with Memory(sys.argv[1], embedder=None, config=Config(background=False)) as m:\n"
        "    m.observe('warm up')\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    c = m.import_(sys.argv[2])\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
        "    sums = c.read == c.stored + c.updated + c.known + sum(c.skipped.values())\n"
        "    hits = [len(m.recall(q).hits) for q in ('beside picture', 'message 4999', 'QUJDQUJDQUJD')]\n"
        "    print(json.dumps([c.stored, used, sums, hits, dict(c.skipped)]))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "m.db"), str(path)], capture_output=True, text=True, check=True
    )
    stored, used, sums, hits, skipped = json.loads(answer.stdout)
    assert stored == 5_000
    assert sums
    assert hits[0] >= 1
    assert hits[1] >= 1
    assert hits[2] == 0, "base64 is not indexed"
    assert used < 150_000, f"{used} kB more"
    assert isinstance(skipped, dict)


# -- what must not grow with the file --------------------


@contextmanager
def statements(memory: Memory) -> Iterator[list[str]]:
    """Every statement that readers run inside the block."""
    seen: list[str] = []
    original = memory._store.reader

    class Seen:
        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def execute(self, sql: str, *args: Any) -> Any:
            seen.append(sql)
            return self.connection.execute(sql, *args)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.connection, name)

    @contextmanager
    def watched() -> Iterator[Any]:
        with original() as connection:  # (inside a snapshot it is one that is seen already)
            yield connection if isinstance(connection, Seen) else Seen(connection)

    memory._store.reader = watched  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        memory._store.reader = original  # type: ignore[method-assign]


def plan_of(memory: Memory, sql: str) -> list[str]:
    """How SQLite would run a statement, whatever the number of its parameters."""
    with memory._store.reader() as connection:
        for count in range(10):
            with suppress(apsw.BindingsError):
                return [row[3] for row in connection.execute("explain query plan " + sql, (0,) * count)]
    raise AssertionError(sql)


#: Tables whose rows hold text or vectors: to read them all takes seconds in a big file.
HEAVY = re.compile(r"^SCAN (n|nodes|t|terms|edges|e|mentions|m|vectors|vector_chunks)\b(?!.*COVERING INDEX)")


@pytest.mark.parametrize(
    "name",
    [
        "node_by_id", "rows_of_ids", "nodes_in", "tags_in", "rows_with_tag", "rows_of_entity", "rows_of_session",
        "changed_rows", "column_rows",
        "due_rows", "naming_rows", "tail_state", "vector_chunks", "entity_by_alias", "sessions_by_keys",
        "silent_sessions", "newest_session",
    ],
)  # fmt: skip
def test_B187_no_full_scan_per_request(make: Make, name: str) -> None:
    memory = make("one", "two")
    steps = plan_of(memory, getattr(Q, name))
    assert steps
    assert not [step for step in steps if HEAVY.match(step)], steps


def test_B187_status_reads_no_rows(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    bulk(make(path=path), (f"note {i}" for i in range(200)))
    memory = make(path=path)
    with statements(memory) as seen:
        memory.status()
    assert seen
    for sql in seen:
        assert not [step for step in plan_of(memory, sql) if HEAVY.match(step)], sql


def test_B187_a_second_search_reads_only_what_it_shows(make: Make) -> None:
    memory = make()
    bulk(memory, (f"note {i} о погоде" for i in range(9_000)))
    memory.recall("погода")
    with statements(memory) as seen:
        memory.recall("погода")
    assert not any("column_chunks" in sql or "n.words" in sql for sql in seen)
    assert len(seen) <= 12


def test_B187_opening_reads_packed_columns(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    first = make(path=path)
    bulk(first, (f"note {i}" for i in range(9_000)))
    with first._store.reader() as r:
        assert r.execute("select count(*) from column_chunks").get == 2  # full ones, as they were written
    assert first._store.pack_columns("default") == 1
    assert first._store.pack_columns("default") == 0
    memory = make(path=path)
    with statements(memory) as seen:
        assert len(found(memory, "note", limit=5)) == 5
    assert sum("column_chunks" in sql for sql in seen) == 1
    assert not any("n.words" in sql for sql in seen)
    columns = memory._store.columns("default")
    assert columns.n == 9_000


def test_B187_several_processes_open_it_at_once(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    bulk(make(path=path), (f"note {i}" for i in range(3_000)))
    command = [
        sys.executable,
        "-m",
        "mnemic",
        "recall",
        "note",
        "--db",
        str(path),
        "--embedder",
        "none",
        "--limit",
        "3",
        "--json",
    ]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert len(json.loads(out)["hits"]) == 3


def test_B188_others_are_served_while_much_is_erased(make: Make, monkeypatch: Any) -> None:
    memory = make("kept by another user", space="other")
    bulk(memory, (f"note {i}" for i in range(4_000)), space="user")
    bulk(memory, (f"kept {i}" for i in range(4_000)), space="big")
    sizes: list[int] = []
    between = threading.Event()
    original = Tx.erase

    def counted(self: Tx, space: str, rows: Any, **how: Any) -> Any:
        sizes.append(len(rows))
        if len(sizes) == 1:
            between.set()
        return original(self, space, rows, **how)

    monkeypatch.setattr(Tx, "erase", counted)
    erasing = threading.Thread(target=lambda: memory.erase(everything=True, space="user"))
    erasing.start()
    assert between.wait(30)
    assert found(memory, "another", space="other") == ["kept by another user"]  # read while it goes on
    assert memory.observe("written meanwhile", space="other").acknowledged == "stored"
    erasing.join()
    assert len(sizes) >= 4, "in short transactions"
    assert max(sizes) <= 1_000
    assert memory.timeline(space="user") == []
    assert memory.status(space="big")["memories"] == 4_000
    assert memory.doctor()["ok"]


# -- any query at all --------------------

SIGNS = """AND OR NOT NEAR( NEAR/3 " ' ( ) * ^ : - + { } % _ \\ ; -- терм rust 2026-03-14 yesterday вчера 队列 ё 0x1F 's C++ ..."""
TOKENS = st.sampled_from([*SIGNS.split(), "\0", "\ud800", "\udfff", "👩\u200d👩\u200d👧", "a\u0301", "\u202e", "\r\n"])
QUERIES = st.one_of(
    st.lists(TOKENS, max_size=30).map(" ".join),
    st.lists(TOKENS, max_size=30).map("".join),
    st.text(alphabet=st.characters(), max_size=300),
    st.text(alphabet=st.characters(categories=["Cs", "Cc", "Mn", "Po"]), max_size=60),
)
_shared: dict[str, Memory] = {}


@pytest.fixture(scope="module", autouse=True)
def shared_memory() -> Iterator[None]:
    from casekit import Maker

    maker = Maker()
    _shared["words"] = maker("rust is safe", "вчера был дождь 2026-03-14", "队列端口", "100% of C++", "it's O'Hara")
    _shared["hash"] = maker("rust is safe", "вчера был дождь", embedder="hash:256")
    yield
    maker.close()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(query=QUERIES)
def test_B001_no_query_raises(query: str) -> None:
    for memory in _shared.values():
        hits = found(memory, query)
        assert len(hits) <= 10
    _shared["words"].context(query)


@pytest.mark.parametrize(
    "part",
    [
        "word ",
        "слово ",
        "a",
        "_",
        "'",
        '"',
        "(",
        "*",
        "NEAR(",
        "-",
        "\ud800",
        "\0",
        "队",
        "The ",
        "May and ",
        "last ",
        "2026-03-14 ",
        "A'",
        "\n",
        "é",
        "a\u0301",
    ],
)
def test_B001_sixty_thousand_characters(part: str) -> None:
    query = (part * 60_000)[:60_000]
    assert len(found(_shared["words"], query)) <= 10
    _shared["hash"].recall(query)


def test_B001_sixty_thousand_different_words() -> None:
    query = " ".join(f"слово{i} word{i}" for i in range(4_000)) + " rust"
    answer = _shared["words"].recall("rust " + query)
    assert answer.hits[0].node.content == "rust is safe"
    assert len(answer.plan.terms) < 1_000
