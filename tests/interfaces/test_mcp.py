"""The MCP server as a process, with the client of the reference package: protocol, errors, ends."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemic import Memory
from mnemic.interfaces import toolbox
from mnemic.text.tokens import estimate

mcp = pytest.importorskip("mcp", reason="mnemic[mcp] is not installed")
from mcp import Client, StdioServerParameters  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
Story = Callable[[Any], Coroutine[Any, Any, None]]


def arguments(db: Path, *more: str) -> list[str]:
    return ["-m", "mnemic", "mcp", "--db", str(db), "--embedder", "hash:64", *more]


def with_client(db: Path, story: Story, *more: str, mode: str = "auto") -> None:
    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=arguments(db, *more), env={**os.environ})
        async with Client(server, mode=mode) as client:
            await story(client)

    asyncio.run(asyncio.wait_for(run(), 240))


def statement(n: int) -> str:
    """One of a hundred statements that have nothing to do with each other."""
    who = ["otter", "heron", "walrus", "badger", "magpie", "lizard", "salmon", "beetle", "falcon", "hamster"][n % 10]
    what = "likes plums,fears thunder,digs tunnels,sings at dawn,collects stamps,paints fences,bakes bread,rides trams,"
    return f"The {who} {(what + 'reads maps,hums waltzes').split(',')[n // 10 % 10]} 🎉 и яблоки"


class Server:
    """The process, spoken to line by line."""

    def __init__(self, db: Path, *more: str, **environ: str) -> None:
        self._errors = db.with_suffix(".stderr").open("w+b")
        self.process = subprocess.Popen(
            [sys.executable, *arguments(db, *more)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **environ},
        )
        self.lines: list[bytes] = []
        self._rest = b""

    def send(self, *messages: object) -> None:
        assert self.process.stdin is not None
        for message in messages:
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def hello(self) -> None:
        info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.send({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": info})
        assert self.read()["id"] == "hello"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, number: int, tool: str, **given: object) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": given}}

    def read(self, timeout: float = 60) -> dict[str, Any]:
        assert self.process.stdout is not None
        end = time.monotonic() + timeout
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            assert ready, "no answer"
            found = os.read(self.process.stdout.fileno(), 1 << 16)
            assert found, "the server is gone"
            self._rest += found
        line, _, self._rest = self._rest.partition(b"\n")
        self.lines.append(line)
        answer = json.loads(line)
        assert answer["jsonrpc"] == "2.0"
        return answer  # type: ignore[no-any-return]

    def errors(self) -> bytes:
        """What it said on standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def end(self, timeout: float = 5) -> float:
        """Close the input; seconds until the process was gone."""
        began = time.monotonic()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout)
        return time.monotonic() - began

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            if stream is not None:
                stream.close()


@pytest.fixture
def start(db: Path) -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def begin(*more: str, **environ: str) -> Server:
        started.append(Server(db, *more, **environ))
        return started[-1]

    yield begin
    for server in started:
        server.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_over_the_real_client(db: Path, mode: str) -> None:
    with Memory(db, embedder="hash:64") as memory:
        said = memory.observe("I live in Oslo.", session="s", at="2026-01-10T10:00:00Z")

    async def story(client: Any) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(listed) == [spec.name for spec in toolbox.TOOLSETS["consolidation"]]
        for name, tool in listed.items():
            hints = tool.annotations
            for hint in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint):  # fmt: skip
                assert hint is not None, name
            assert hints.open_world_hint is False

        async def call(name: str, /, **given: object) -> Any:
            answer = await client.call_tool(name, given)
            assert not answer.is_error, (name, answer.content)
            assert json.loads(answer.content[0].text) == answer.structured_content
            return answer.structured_content

        assert (await call("list_unread_sessions"))["sessions"][0]["session"] == "s"
        assert (await call("is_session_consolidated", session="s"))["unread"] == 1
        page = await call("get_session_episodes", session="s")
        assert page["items"][0]["id"] == said.id
        fact = {"source": said.id, "quote": "I live in Oslo", "content": "The user lives in Oslo."}
        batch = await call("save_nodes_batch", session="s", nodes=[{**fact, "predicate": "lives_in", "object": "Oslo"}])
        assert batch["saved"][0]["verdict"] in ("new", "duplicate")
        await call("extract_and_link_entities", session="s", entities=[{"name": "Oslo", "type": "place"}])
        await call("detect_conflicts", session="s")
        assert (await call("mark_session_consolidated", session="s"))["consolidated"]
        kept = await call("remember_fact", text="The staging server is called Otter.")
        other = await call("remember_fact", text="Lunch is at noon in the yellow kitchen.")
        await call("resolve_conflict", left=kept["item"]["id"], right=other["item"]["id"], verdict="coexists")
        assert (await call("search_memory", query="staging server"))["items"]
        assert (await call("correct_fact", fact=kept["item"]["id"], new="It is called Heron."))["status"] == "corrected"
        assert (await call("confirm_fact", fact=other["item"]["id"]))["status"] == "confirmed"
        assert (await call("get_entity_info", name="Oslo"))["found"]
        assert (await call("get_timeline", limit=2))["next_offset"] == 2
        assert (await call("explain_fact", id=batch["saved"][0]["id"]))["evidence"][0]["quotes"]
        assert (await call("weak_facts", below=1))["below"] == 1
        assert (await call("forget_fact", fact=other["item"]["id"]))["status"] == "forgotten"
        assert (await call("memory_stats"))["memories"] >= 4

    with_client(db, story, "--toolset", "consolidation", mode=mode)


#: Four conversations: what is said, and what a reader makes of it: quote, content, slot (predicate, scope, value).
READ = [
    ("a", "Standup is at 9:30, by the way.", ("Standup is at 9:30", "The team's standup is at 9:30.", "value", "standup", "9:30")),
    ("a", "Morning!", None),
    ("a", "We took Qdrant for search.", ("We took Qdrant for search", "The team uses Qdrant for search.", "uses", "search", "Qdrant")),
    ("a", "Can you look at the logs?", None),
    ("b", "Меня зовут Марина, живу в Риге.", ("живу в Риге", "Марина живёт в Риге.", "lives_in", "", "Рига")),
    ("b", "Спасибо!", None),
    ("b", "У меня аллергия на арахис.", ("аллергия на арахис", "У Марины аллергия на арахис.", "allergic_to", "", "арахис")),
    ("b", "Пока.", None),
    ("c", "The standup moved to 10:00.", ("The standup moved to 10:00", "The standup is at 10:00.", "value", "time", "10:00")),
    ("c", "ok", None),
    ("c", "Search runs on SQLite FTS5 now, Qdrant is gone.",
     ("Search runs on SQLite FTS5 now", "Search runs on SQLite FTS5.", "uses", "search", "SQLite FTS5")),
    ("c", "thanks", None),
    ("d", "Переехала в Ригу? Нет, в Вильнюс.", ("в Вильнюс", "Марина переехала в Вильнюс.", "lives_in", "", "Вильнюс")),
    ("d", "Ну и погода.", None),
    ("d", "До завтра.", None),
]  # fmt: skip


def test_N12_an_agent_reads_fifteen_messages_of_four_conversations(db: Path) -> None:
    with Memory(db, embedder="hash:64") as memory:
        for number, (session, text, _) in enumerate(READ):
            memory.observe(text, session=session, at=f"2026-03-{number + 1:02}T10:00:00Z")
    made = {text: what for _, text, what in READ}
    calls: list[int] = []
    told: list[str] = []

    async def story(client: Any) -> None:
        told.append(client.instructions or "")

        async def call(name: str, /, **given: object) -> Any:
            answer = await client.call_tool(name, given)
            assert not answer.is_error, (name, answer.content)
            calls.append(estimate(json.dumps(given, ensure_ascii=False)) + estimate(answer.content[0].text))
            return answer.structured_content

        waiting = await call("list_unread_sessions")
        assert [(w["session"], w["unread"]) for w in waiting["sessions"]] == [("a", 4), ("b", 4), ("c", 4), ("d", 3)]
        page = await call("get_session_episodes")
        assert (page["total"], page["next_offset"]) == (15, None)
        items = [
            {"source": m["id"], "quote": what[0], "content": what[1], "predicate": what[2], "scope": what[3],
             "object": what[4], "subject": "Марина" if m["session"] in "bd" else "team" if m["session"] == "a" else "project"}
            for m in page["items"] if (what := made[m["text"]])
        ]  # fmt: skip
        batch = await call("save_nodes_batch", nodes=items)
        assert (len(batch["saved"]), batch["dropped"]) == (7, [])
        near = {s["id"]: [n["id"] for n in s["near"]] for s in batch["saved"]}
        old = {s["id"] for s in batch["saved"][:2]}
        again = [{**items[s["index"]], "replaces": [n for n in near[s["id"]] if n in old]} for s in batch["saved"][4:6]]
        assert all(len(item["replaces"]) >= 1 for item in again)
        assert [s["verdict"] for s in (await call("save_nodes_batch", nodes=again))["saved"]] == ["supersedes"] * 2
        assert (await call("mark_session_consolidated", last=page["last"]))["consolidated"]
        assert (await call("list_unread_sessions"))["total"] == 0

    with_client(db, story, "--toolset", "consolidation")
    assert len(calls) <= 10
    assert sum(calls) < 6_000
    assert "list_unread_sessions" in told[0]
    with Memory(db, embedder="hash:64") as memory:
        now = {n.content for n in memory.timeline(kinds="semantic") if n.valid_until is None}
        assert now == {
            "The standup is at 10:00.", "Search runs on SQLite FTS5.", "Марина переехала в Вильнюс.",
            "У Марины аллергия на арахис.",
        }  # fmt: skip


def test_errors_over_the_real_client(db: Path) -> None:
    async def story(client: Any) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [spec.name for spec in toolbox.TOOLSETS["memory"]]
        for name, given, words in (
            ("explain_fact", {"id": "nope"}, "no memory 'nope'"),
            ("search_memory", {"qery": "x"}, "qery: no such argument"),
            ("search_memory", {"query": "x", "limit": "many"}, "limit: must be a whole number"),
            ("remember_fact", {"text": " "}, "text: is empty"),
        ):
            answer = await client.call_tool(name, given)
            assert answer.is_error
            assert answer.structured_content is None
            assert words in answer.content[0].text
        for name in ("erase", "save_nodes_batch"):
            with pytest.raises(MCPError):
                await client.call_tool(name, {})

    with_client(db, story)


def test_B182_a_write_that_did_not_happen_is_an_error(start: Callable[..., Server], db: Path) -> None:
    """Every writing tool, while another connection holds the file for good: an error, and nothing stored."""
    import apsw

    with Memory(db, embedder="hash:64") as memory:
        node = memory.remember("The staging server is called Otter.")
        said = memory.observe("I live in Oslo.", session="s")
    server = start("--toolset", "consolidation")
    server.hello()
    connection = apsw.Connection(str(db))
    connection.set_busy_timeout(30_000)  # the server's background may be writing still
    for event in ("insert", "update"):
        for table in ("nodes", "edges", "mentions", "facts", "sessions", "changes"):
            connection.execute(
                f"create trigger no_{event}_{table} before {event} on {table} begin select raise(abort, 'disk on fire'); end"
            )
    connection.close()
    fact = {"source": said.id, "quote": "I live in Oslo", "content": "The user lives in Oslo."}
    calls = [
        ("remember_fact", {"text": "Lunch is at noon."}),
        ("correct_fact", {"fact": node.id, "new": "It is called Heron."}),
        ("confirm_fact", {"fact": node.id}),
        ("forget_fact", {"fact": node.id}),
        ("save_nodes_batch", {"session": "s", "nodes": [{**fact, "predicate": "lives_in", "object": "Oslo"}]}),
        ("extract_and_link_entities", {"session": "s", "entities": [{"name": "Oslo", "type": "place"}]}),
        ("resolve_conflict", {"left": node.id, "right": said.id, "verdict": "keep_left"}),
        ("mark_session_consolidated", {"session": "s"}),
    ]
    for number, (name, given) in enumerate(calls):
        server.send(server.call(number, name, **given))
        answer = server.read()["result"]
        assert answer["isError"] is True, (name, answer)
        assert "structuredContent" not in answer
    server.send(server.call(99, "search_memory", query="staging"))
    assert server.read()["result"]["structuredContent"]["items"][0]["id"] == node.id


def test_B177_a_thousand_mixed_calls_are_all_answered_in_protocol(start: Callable[..., Server]) -> None:
    server = start(
        "--toolset", "consolidation", PYTHONWARNINGS="default", PYTHONIOENCODING="cp1251", MNEMIC_TRACEBACK="1"
    )
    server.hello()
    kinds: list[Callable[[int], dict[str, Any]]] = [
        lambda n: server.call(n, "remember_fact", text=statement(n // 10)),
        lambda n: server.call(n, "search_memory", query="яблоки " + statement(n // 10), limit=2),
        lambda n: server.call(n, "search_memory", query=7),
        lambda n: server.call(n, "explain_fact", id="nope"),
        lambda n: server.call(n, "no_such_tool"),
        lambda n: {"jsonrpc": "2.0", "id": n, "method": "no/such"},
        lambda n: {"jsonrpc": "2.0", "id": n, "method": "tools/list"},
        lambda n: server.call(n, "get_timeline", limit=1),
        lambda n: server.call(n, "is_session_consolidated", session="nope"),
        lambda n: server.call(n, "memory_stats"),
    ]
    answered: set[int] = set()
    for begin in range(0, 1_000, 20):
        server.send(*(kinds[n % len(kinds)](n) for n in range(begin, begin + 20)))
        answered |= {server.read()["id"] for _ in range(20)}
    assert answered == set(range(1_000))
    server.end()
    assert len(server.errors()) < 32_000  # a client that never reads it does not hold up the server


def test_B179_what_is_no_request_gets_the_right_code_and_the_server_goes_on(start: Callable[..., Server]) -> None:
    server = start()
    server.hello()
    for line, code, number in (
        (b"not json", -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}{"jsonrpc":"2.0","id":2,"method":"ping"}', -32700, None),
        (b"[" * 10_000, -32700, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":["x"]}', -32602, 3),
        (b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{}}', -32602, 4),
        (b'{"jsonrpc":"2.0","id":5,"method":"no/such"}', -32601, 5),
        (b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such"}}', -32602, 6),
        (b"\xff\xfe\x00", -32700, None),
    ):
        server.send(line)
        answer = server.read()
        assert (answer["error"]["code"], answer["id"]) == (code, number), line[:80]
    server.send(b"", server.call(7, "explain_fact", id="x " * 10_000_000))
    assert server.read()["id"] == 7
    server.send(server.call(8, "memory_stats"))
    assert server.read()["result"]["structuredContent"]["memories"] >= 0


def test_B178_it_ends_with_its_input(start: Callable[..., Server], db: Path) -> None:
    server = start()
    server.hello()
    server.send(server.call(1, "remember_fact", text="The staging server is called Otter."))
    assert server.read()["result"]["structuredContent"]["status"] == "stored"
    server.send(*(server.call(n, "remember_fact", text=statement(n)) for n in range(2, 30)))
    server.end()
    assert server.process.returncode == 0
    with Memory(db, embedder=None) as memory:
        assert "The staging server is called Otter." in {n.content for n in memory.timeline()}
    nothing = subprocess.run(
        [sys.executable, *arguments(db)], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True
    )
    assert nothing.stdout == b""


def test_what_was_asked_before_the_input_ends_is_answered(db: Path) -> None:
    asked = b"".join(json.dumps({"jsonrpc": "2.0", "id": n, "method": "ping"}).encode() + b"\n" for n in range(20))
    done = subprocess.run([sys.executable, *arguments(db)], input=asked, capture_output=True, timeout=60, check=True)
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == list(range(20))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_on_a_signal(start: Callable[..., Server], number: signal.Signals) -> None:
    server = start()
    server.hello()
    server.process.send_signal(number)
    assert server.process.wait(5) == 128 + number
    assert b"Traceback" not in server.errors()


@pytest.mark.skipif(os.name != "posix", reason="parents of POSIX")
def test_it_ends_when_its_parent_dies_and_the_input_stays_open(db: Path) -> None:
    reading, writing = os.pipe()
    code = (
        "import subprocess, sys, time; p = subprocess.Popen(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL);"
        " print(p.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, sys.executable, *arguments(db)], stdin=reading, stdout=subprocess.PIPE
    )
    try:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        _until(db.exists, 60)
        parent.kill()
        parent.wait(10)
        _until(lambda: not _alive(child), 10)
        assert not _alive(child)
    finally:
        parent.stdout.close()  # type: ignore[union-attr]
        os.close(reading)
        os.close(writing)


def _until(done: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not done():
        time.sleep(0.1)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def test_prints_of_others_do_not_reach_the_protocol(db: Path, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        "import os, subprocess, sys\n"
        "from mnemic import Memory\n"
        "before = Memory.status\n"
        "def loud(self, **given):\n"
        "    print('noise'); os.write(1, b'raw noise\\n'); subprocess.run(['echo', 'child noise'])\n"
        "    return before(self, **given)\n"
        "Memory.status = loud\n"
        "from mnemic.interfaces.cli.app import main\n"
        "main()\n",
        encoding="utf-8",
    )
    asked = json.dumps(
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_stats", "arguments": {}}}
    )
    info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info})
    done = subprocess.run(
        [sys.executable, str(tmp_path / "noisy.py"), *arguments(db)[2:]],
        input=f"{hello}\n{asked}\n".encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    for noise in (b"noise", b"raw noise", b"child noise"):
        assert noise in done.stderr


def test_without_the_extra_it_names_the_line_that_installs_it(db: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; sys.argv[0] = 'mnemic'\nfrom mnemic.interfaces.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments(db)[2:]], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"pip install 'mnemic[mcp]'" in done.stderr
