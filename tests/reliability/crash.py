"""Processes that are killed, and the check of what they leave behind.

A server process imports mnemic once and forks a worker on demand, so that a life costs milliseconds to begin. Workers
append what was acknowledged to a file, one line per answer, as soon as they have it. :func:`verify` is the one check
that every fault test uses.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EMBEDDER = "hash:64"
WORDS = ("river", "stone", "letter", "market", "winter", "копия", "отчёт", "сервер", "письмо", "память", "garden")
_NUMBER = re.compile(r"^episode (\d+) ")


def body(n: int) -> str:
    """The text of episode ``n``: the same bytes in every process."""
    rng = random.Random(n)
    return f"episode {n} " + " ".join(rng.choices(WORDS, k=rng.randint(3, 30))) + f" mark{n}x"


# -- the parent's side ----------------------------------------------------------------------------------------------


class Server:
    """Starts and ends workers. Use as a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def _ask(self, what: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def start(self, mode: str, **arguments: Any) -> int:
        """Fork a worker; returns its process id."""
        return int(self._ask({"mode": mode, "arguments": arguments}))

    def wait(self, pid: int) -> int:
        """Wait for the end of a worker: its exit code, negative for a signal."""
        return int(self._ask({"wait": pid}))

    def kill(self, pid: int, after: float = 0.0) -> int:
        """SIGKILL a worker after some seconds and wait until it is gone."""
        time.sleep(after)
        os.kill(pid, signal.SIGKILL)  # the server has not waited for it, so the number is still its own
        return self.wait(pid)

    def run(self, mode: str, **arguments: Any) -> int:
        """Start a worker and wait for its end."""
        return self.wait(self.start(mode, **arguments))


@dataclass
class Acked:
    """What workers said, as read from their files."""

    stored: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)  # of an erasure that may or may not have happened
    erased: set[int] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    done: list[list[Any]] = field(default_factory=list)

    def read(self, path: Path) -> Acked:
        """Add what a file says."""
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            said = json.loads(line)
            if said[0] == "stored":
                self.stored.update(said[1:])
            elif said[0] == "erasing":
                self.begun.update(said[1:])
            elif said[0] == "erased":
                self.erased.update(said[1:])
            elif said[0] == "error":
                self.errors.append(said[1])
            self.done.append(said)
        return self


def verify(path: Path, acked: Acked, *, bytes_gone: bool = True) -> int:
    """Open what is left and check everything that was promised; returns the number of episodes."""
    from mnemic import Config, Memory

    assert not acked.errors, acked.errors[:3]
    with Memory(path, embedder=EMBEDDER, config=Config(background=False)) as memory:
        memory.observe("the first capture after a crash works at once", key=f"after-{time.time_ns()}")
        memory.flush()
        report = memory.doctor()
        assert report["ok"], report
        status = memory.status()
        assert status["embeddings_due"] == 0
        store = memory._store
        with store.reader() as r:
            texts = [content for (content,) in r.execute("select content from nodes")]
            rows = [row for (row,) in r.execute("select row from nodes order by row")]
            terms = [row for (row,) in r.execute("select row from terms order by row")]
            indexed = [row for (row,) in r.execute("select id from search_docsize order by id")]
            jobs = r.execute("select count(*) from jobs").get
        index = store.vectors("default", EMBEDDER)
        vectors = sorted(index.rows().tolist()) if index else []
        assert rows == terms == indexed == vectors, "rows, keyword index and vectors name different memories"
        assert status["memories"] == len(rows)
        assert jobs == 0
    found = Counter(int(m.group(1)) for m in map(_NUMBER.match, texts) if m)
    assert not [n for n, count in found.items() if count > 1], "an episode is there twice"
    assert set(texts) >= {body(n) for n in found}, "a text has changed"
    lost = acked.stored - acked.begun - acked.erased - set(found)
    assert not lost, f"{len(lost)} acknowledged episodes are lost: {sorted(lost)[:5]}"
    assert not acked.erased & set(found), "an erased episode is back"
    if bytes_gone:
        assert not traces(path, [f"mark{n}x" for n in acked.erased])
    return len(found)


def traces(path: Path, words: list[str]) -> list[str]:
    """Which words still stand anywhere in the files of a memory, bytes for bytes."""
    left = []
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), Path(f"{path}-journal")):
        if name.exists():
            held = set(re.findall(rb"\w+", name.read_bytes()))
            joined = name.read_bytes() if len(words) < 50 else b""
            for word in words:
                raw = word.encode()
                if raw in held or raw in joined:
                    left.append(f"{word} in {name.name}")
    return left


# -- the worker's side ----------------------------------------------------------------------------------------------


def _voice(path: str) -> Callable[..., None]:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return lambda *said: (os.write(handle, (json.dumps(said) + "\n").encode()), None)[1]


def live(path: str, acks: str, first: int, folder: str) -> None:
    """Capture, import, forget, erase, embed: without a pause, on three threads, until killed."""
    from mnemic import Memory

    say = _voice(acks)
    memory = Memory(path, embedder=EMBEDDER)
    kept: list[tuple[int, str]] = []

    def capture() -> None:
        for n in range(first, first + 400_000):
            if n % 7 == 3:
                memory.observe(body(n), ack="accepted")  # named as such: it may be lost
                continue
            node = memory.observe(body(n), key=f"k{n}" if n % 3 else None, session=f"s{n // 50}")
            say("stored", n)
            kept.append((n, node.id))

    def import_and_erase() -> None:
        rng, n = random.Random(first), first + 400_000
        while True:
            count = rng.randint(1, 60)
            file = Path(folder) / f"{n}.jsonl"
            lines = [json.dumps({"role": "user", "content": body(i)}) for i in range(n, n + count)]
            file.write_text("\n".join(lines) + "\n", "utf-8")
            memory.import_(file, format="messages")
            say("stored", *range(n, n + count))
            n += count
            for _ in range(min(3, len(kept))):
                victim, id_ = kept.pop(rng.randrange(len(kept)))
                if rng.random() < 0.5:
                    memory.forget(id_)
                    memory.restore(id_)
                else:
                    say("erasing", victim)
                    memory.erase(item=id_)
                    say("erased", victim)
                memory.recall(f"mark{victim}x", limit=3)

    def guarded(fn: Callable[[], None]) -> None:
        try:
            fn()
        except BaseException as error:
            say("error", f"{type(error).__name__}: {error}")
            raise

    for fn in (capture, import_and_erase):
        threading.Thread(target=guarded, args=(fn,), daemon=True).start()
    time.sleep(3600)


def reopen(path: str) -> None:
    """Open after a crash, to be killed while at it."""
    from mnemic import Memory

    with Memory(path, embedder=EMBEDDER) as memory:
        memory.flush()
        memory.recall("anything")
        time.sleep(3600)


def steps(path: str, acks: str, at: int, first: int, folder: str) -> None:
    """One short life that runs through every kind of write, killed just before its ``at``-th SQL statement."""
    import apsw

    from mnemic import Config, Memory

    count = 0

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        nonlocal count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    say = _voice(acks)
    memory = Memory(path, embedder=EMBEDDER, config=Config(background=False))
    ids = {}
    for n in range(first, first + 3):
        ids[n] = memory.observe(body(n), key=f"k{n}").id
        say("stored", n)
    memory.flush()
    memory.forget(ids[first])
    say("erasing", first + 1)
    memory.erase(item=ids[first + 1])
    say("erased", first + 1)
    file = Path(folder) / f"{first}.jsonl"
    lines = [json.dumps({"role": "user", "content": body(i)}) for i in range(first + 10, first + 14)]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    memory.import_(file, format="messages")
    say("stored", *range(first + 10, first + 14))
    memory.flush()
    memory.backup(f"{path}.bak")
    say("backup")
    memory.close()
    say("statements", count)


def share(path: str, acks: str, first: int, seconds: float, files: str) -> None:
    """Write and read a file that others write and read too; whatever was acknowledged is seen from then on."""
    from mnemic import Memory

    say = _voice(acks)
    end, me = time.monotonic() + seconds, os.getpid()
    try:
        with Memory(path, embedder=EMBEDDER) as memory:
            n = first
            while time.monotonic() < end:
                futures = []
                for _ in range(4):
                    futures.append(memory.observe(body(n), channel=f"p{me}"))
                    say("stored", n)
                    n += 1
                if not memory.recall(f"mark{n - 1}x", limit=3).hits:
                    say("error", f"{n - 1} was acknowledged and is not found by its writer")
                for other in Path(files).glob("*.acks"):
                    seen = [line for line in other.read_text("utf-8").splitlines()[-3:] if line.startswith('["stored"')]
                    if seen and (m := json.loads(seen[0])[1]) and not memory.recall(f"mark{m}x", limit=3).hits:
                        say("error", f"{m} was acknowledged by another process and is not found")
                memory.status()
            memory.flush()
    except BaseException as error:
        say("error", f"{type(error).__name__}: {error}")
        raise


def first_open(path: str, acks: str, first: int, count: int, at: float) -> None:
    """Open a file that may not exist yet, at an agreed moment, and write to it."""
    from mnemic import Memory

    say = _voice(acks)
    try:
        time.sleep(max(0.0, at - time.time()))
        with Memory(path, embedder=None) as memory:
            say("open")
            for n in range(first, first + count):
                memory.observe(body(n))
                say("stored", n)
    except BaseException as error:
        say("error", f"{type(error).__name__}: {error}")
        raise


def hold(path: str, acks: str, how: str) -> None:
    """Hold the file open: idle, with a read transaction, or with a write transaction; until killed."""
    import apsw

    connection = apsw.Connection(path)
    connection.set_busy_timeout(5_000)
    if how == "reading":
        connection.execute("begin; select count(*) from nodes").fetchall()
    elif how == "writing":
        connection.execute("begin immediate")
    else:
        connection.execute("select count(*) from nodes").fetchall()
    _voice(acks)("holding")
    time.sleep(3600)


def back_up(path: str, target: str) -> None:
    """Make a backup, to be killed while at it."""
    from mnemic import Memory

    with Memory(path, embedder=None) as memory:
        while True:
            memory.backup(target)


def erase_all(path: str, at: int) -> None:
    """Erase everything, killed just before the ``at``-th SQL statement that writes."""
    import apsw

    from mnemic import Config, Memory

    count = 0

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        nonlocal count
        count += not sql.startswith("select")
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        memory.erase(everything=True)


def _killer(at: int) -> Callable[[], None]:
    """Once it is called: die just before the ``at``-th statement that writes, on any connection opened after now."""
    import apsw

    count: int | None = None

    def trace(cursor: object, sql: str, bindings: object) -> bool:
        nonlocal count
        if count is not None:
            count += not sql.lstrip().startswith("select")
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
        return True

    def arm() -> None:
        nonlocal count
        count = 0

    apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", trace))
    return arm


def freeze_all(path: str, at: int) -> None:
    """Move the texts of all episodes to the side file, killed at the ``at``-th statement that writes to either file."""
    from mnemic import Config, Memory

    arm = _killer(at)
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        arm()
        memory.archive.freeze(1)


def erase_cold(path: str, session: str, at: int) -> None:
    """Erase a session that is cold, killed at the ``at``-th statement that writes to either file."""
    from mnemic import Config, Memory

    arm = _killer(at)
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        arm()
        memory.erase(session=session)


def half_written(path: str) -> None:
    """Die in the middle of overwriting every text of the side file, some of it on the disk already."""
    import apsw

    connection = apsw.Connection(f"{path}.cold")
    connection.pragma("cache_size", 2)
    connection.execute("begin immediate; update texts set data = zeroblob(300)")
    os.kill(os.getpid(), signal.SIGKILL)


def archive_all(path: str, folder: str, at: int, back: bool) -> None:
    """Pack the files of a folder, or give them back, killed just before the ``at``-th thing done to the file system."""
    from mnemic import Config, Memory

    count = 0
    watched = {"open", "os.remove", "os.rename", "os.link", "os.utime", "os.chmod", "os.mkdir"}

    def hook(event: str, arguments: object) -> None:
        nonlocal count
        if event in watched:
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)

    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        sys.addaudithook(hook)
        if back:
            memory.archive.restore()
        else:
            memory.archive.logs([folder])


def ending(path: str, acks: str, how: str, count: int) -> None:
    """Accept many writes and end in one of the ways in which programs end, with the queue still full."""
    from mnemic import Memory

    say = _voice(acks)
    if how == "sigterm":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    memory = Memory(path, embedder=None)
    gate = threading.Event()
    memory._store.submit(lambda tx: gate.wait(10))
    for n in range(count):
        memory.observe(body(n), ack="accepted")
    say("accepted", memory.status()["writes_waiting"])
    threading.Timer(0.05, gate.set).start()
    if how == "sigterm":
        os.kill(os.getpid(), signal.SIGTERM)
    elif how == "sigint":
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job is started with it ignored
        os.kill(os.getpid(), signal.SIGINT)
    elif how == "error":
        raise RuntimeError("the program fails")
    elif how == "close":
        memory.close()


MODES: dict[str, Callable[..., None]] = {
    fn.__name__: fn
    for fn in (
        live,
        reopen,
        steps,
        share,
        first_open,
        hold,
        back_up,
        erase_all,
        ending,
        freeze_all,
        erase_cold,
        archive_all,
        half_written,
    )
}


def _serve() -> None:
    import mnemic.consolidate.run
    import mnemic.embed.local
    import mnemic.extras.archive.cold
    import mnemic.ingest.files
    import mnemic.ingest.importers
    import mnemic.memory
    import mnemic.recall.run
    import mnemic.sleep

    assert mnemic.memory
    sys.path.insert(0, str(Path(__file__).parent.parent / "migration"))
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            _, status = os.waitpid(asked["wait"], 0)
            answer = os.waitstatus_to_exitcode(status)
        else:
            pid = os.fork()
            if pid == 0:
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                os.dup2(2, 1)
                _work(asked["mode"], asked["arguments"])
            answer = pid
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _work(name: str, arguments: dict[str, Any]) -> None:
    if name not in MODES:
        import night  # further kinds of workers, here and in tests/migration
        import upgrade

        MODES.update(upgrade.MODES)
        MODES.update(night.MODES)
    if name == "ending":
        MODES[name](**arguments)
        sys.exit(0)  # the interpreter ends as it does for a user
    code = 1
    try:
        MODES[name](**arguments)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
