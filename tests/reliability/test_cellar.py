"""kill -9 at every step of freezing, of erasing what is cold, of packing logs and giving them back: nothing is lost."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from pathlib import Path

import pytest
from crash import Server

from mnemic import Config, Memory
from mnemic.store import freezing
from mnemic.store.cold import side_path

SECRET = "zqarlovskij"
COUNT = 8


def said(n: int) -> str:
    word = SECRET if n % 4 == 0 else "harbour"
    return f"Message {n} about the {word}, the weather and сегодняшний ужин номер {n}. " * 120


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, config=Config(background=False)) as memory:
        for n in range(COUNT):
            memory.observe(
                said(n), session="secret" if n % 4 == 0 else "open", at=f"2020-01-01T00:{n // 60:02}:{n % 60:02}Z"
            )
        memory.flush()
    return path


def copy(source: Path, target: Path) -> Path:
    for end in ("", ".cold"):
        if os.path.exists(f"{source}{end}"):
            shutil.copy(f"{source}{end}", f"{target}{end}")
    return target


def killed(status: int) -> bool:
    assert status in (0, -9), "a worker failed on its own account"
    return status == -9


@pytest.mark.slow
def test_freezing_killed_at_every_statement(workers: Server, filled: Path, tmp_path: Path) -> None:
    at, deaths = 1, 0
    while True:
        path = copy(filled, tmp_path / f"k{at}.db")
        dead = killed(workers.run("freeze_all", path=str(path), at=at))
        with Memory(path, embedder=None, config=Config(background=False)) as memory:
            assert [n.content for n in memory.timeline(limit=200)] == [said(n) for n in range(COUNT)]
            report = memory.doctor()
            assert report["ok"], (at, report)
            assert memory.archive.freeze(1).get("frozen", 0) + memory.status()["cold"]["texts"] >= COUNT, (
                "the next run completes it"
            )
            assert memory.status()["cold"]["texts"] == COUNT
            assert [n.content for n in memory.timeline(limit=200)] == [said(n) for n in range(COUNT)]
            assert memory.doctor()["ok"]
        for rest in tmp_path.glob(f"k{at}.db*"):
            rest.unlink()
        if not dead:
            break
        deaths += 1
        at += 1
    assert deaths > 12


@pytest.mark.slow
def test_erasing_cold_memories_killed_at_every_statement(workers: Server, filled: Path, tmp_path: Path) -> None:
    with Memory(filled, embedder=None, config=Config(background=False)) as memory:
        assert memory.archive.freeze(1)["frozen"] == COUNT
    with freezing.opened(str(filled)) as connection:
        assert any(SECRET.encode() in data for (data,) in connection.execute("select data from dictionaries"))
    whole = [said(n) for n in range(COUNT)]
    rest = [said(n) for n in range(COUNT) if n % 4]
    at, deaths = 1, 0
    while True:
        path = copy(filled, tmp_path / f"k{at}.db")
        dead = killed(workers.run("erase_cold", path=str(path), session="secret", at=at))
        with Memory(path, embedder=None, config=Config(background=False)) as memory:
            left = [n.content for n in memory.timeline(limit=200)]
            assert left in (whole, rest), f"statement {at}: all or nothing"
            assert memory.doctor()["ok"], at
            memory.flush()  # what a killed erasure has left to do
            if left == rest:
                memory._store.checkpoint()
                files = [Path(f"{path}{end}") for end in ("", "-wal", ".cold", ".cold-journal")]
                assert not [f.name for f in files if f.exists() and SECRET.encode() in f.read_bytes()], at
                assert [n.content for n in memory.timeline(limit=200)] == rest
                assert memory.doctor()["ok"]
        for file in tmp_path.glob(f"k{at}.db*"):
            file.unlink()
        if not dead:
            break
        deaths += 1
        at += 1
    assert deaths > 20


def test_a_reader_rolls_back_what_a_killed_writer_left_half_written(workers: Server, filled: Path) -> None:
    with Memory(filled, embedder=None, config=Config(background=False)) as memory:
        for n in range(COUNT, 200):
            memory.observe(
                said(n)[: 40 * (n % 50)] + os.urandom(200).hex(), at=f"2020-01-02T00:{n // 60:02}:{n % 60:02}Z"
            )
        before = [n.content for n in memory.timeline(limit=500)]
        memory.archive.freeze(1)
    assert workers.run("half_written", path=str(filled)) == -9
    assert os.path.getsize(f"{filled}.cold-journal") > 512
    with Memory(filled, embedder=None, config=Config(background=False)) as memory:
        assert [n.content for n in memory.timeline(limit=500)] == before
        assert memory.doctor()["ok"]


def contents(folder: Path) -> dict[str, tuple[str, int, int]]:
    return {
        p.name: (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns, p.stat().st_mode)
        for p in folder.iterdir()
        if not p.name.startswith(".")
    }


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True], ids=["packing", "giving back"])
def test_the_archive_killed_at_every_step(workers: Server, tmp_path: Path, back: bool) -> None:
    """Either the original or a verified archive is there, or both; the next run finishes."""
    original = tmp_path / "original"
    original.mkdir()
    for n in range(2):
        path = original / f"log{n}.jsonl"
        path.write_text("".join(f'{{"n": {i}, "text": "line {i * n}"}}\n' for i in range(3000)), encoding="utf-8")
        path.chmod(0o600 + n)
        os.utime(path, ns=(1_500_000_000_000_000_007 + n, 1_500_000_000_000_000_007 + n))
    whole = contents(original)
    at, deaths = 1, 0
    while True:
        place = tmp_path / f"k{at}"
        folder, db = place / "logs", place / "memory.db"
        shutil.copytree(original, folder)
        with Memory(db, embedder=None, config=Config(background=False)) as memory:
            if back:
                memory.archive.logs([folder])
        dead = killed(workers.run("archive_all", path=str(db), folder=str(folder), at=at, back=back))
        with Memory(db, embedder=None, config=Config(background=False)) as memory:
            there, archived = contents(folder), {Path(f.path).name for f in memory.archive.list()}
            assert there.items() <= whole.items(), "what is there is whole"
            assert set(there) | archived == set(whole), at
            assert not memory.archive.restore().errors
            assert contents(folder) == whole, at
            if not back:
                for path in folder.iterdir():  # as if nobody had wanted them back
                    os.utime(path, ns=(whole[path.name][1],) * 2)
                Path(f"{db}.archive", "manifest.jsonl").unlink(missing_ok=True)
                assert len(memory.archive.logs([folder]).files) == 2
                memory.archive.restore()
                assert contents(folder) == whole
        shutil.rmtree(place)
        if not dead:
            break
        deaths += 1
        at += 1
    assert deaths > 20


def test_two_processes_freeze_thaw_and_read_one_file(workers: Server, filled: Path) -> None:
    """Others freeze the same file while this process reads and thaws: every text is there all the time."""
    stop, wrong = threading.Event(), []
    with Memory(filled, embedder=None, config=Config(background=False)) as memory:

        def thaw() -> None:
            while not stop.is_set():
                try:
                    rows = memory._store.cold_rows("default")[::2]
                    memory._store.run(lambda tx, rows=rows: freezing.thaw(tx, rows))
                    if [n.content for n in memory.timeline(limit=200)] != [said(n) for n in range(COUNT)]:
                        wrong.append("a text is not there")
                except Exception as error:
                    wrong.append(error)

        thread = threading.Thread(target=thaw)
        thread.start()
        for _ in range(4):
            pids = [workers.start("freeze_all", path=str(filled), at=0) for _ in range(2)]
            assert [workers.wait(pid) for pid in pids] == [0, 0]
        stop.set()
        thread.join()
        assert not wrong
        assert memory.doctor()["ok"]
        assert os.path.exists(side_path(str(filled)))
