"""Copies of a memory and files beside it: whole or not at all (R18, B101, B102, B105)."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from crash import Server, body
from test_limits import as_nobody, needs_root

from mnemic import ImportFailed, InvalidInput, Memory
from mnemic.store import connect


def test_R18_B102_backup_under_load(db: Path, tmp_path: Path) -> None:
    """A backup made while a writer is busy holds everything acknowledged before, and works as a memory."""
    with Memory(db, embedder="hash:64") as memory:
        stop = threading.Event()
        acked: list[int] = []

        def write() -> None:
            n = 0
            while not stop.is_set():
                memory.observe(body(n))
                acked.append(n)
                n += 1

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for turn in range(10):
                time.sleep(0.05)
                before = len(acked)
                copy = memory.backup(tmp_path / f"copy{turn}.db")
                with Memory(copy, embedder="hash:64") as restored:
                    texts = {n.content for n in restored.timeline(limit=1_000_000)}
                    assert texts >= {body(n) for n in range(before)}
                    assert restored.doctor()["ok"]
                    assert restored.observe("life goes on").acknowledged == "stored"
                    with restored._store.reader() as r:
                        assert r.pragma("journal_mode") == "wal"
        finally:
            stop.set()
            thread.join()
    assert not list(tmp_path.glob("*.partial"))
    assert os.stat(tmp_path / "copy0.db").st_mode & 0o077 == 0


def test_B102_a_copy_of_the_main_file_alone_lacks_the_newest(db: Path, tmp_path: Path) -> None:
    """Why docs say to use ``backup``: the newest memories stand in the log until it is folded in."""
    with Memory(db, embedder=None) as memory:
        memory.observe("old")
        memory._store.checkpoint()
        for n in range(50):
            memory.observe(body(n))
        shutil.copy(db, tmp_path / "by-hand.db")
        memory.backup(tmp_path / "by-product.db")
    with Memory(tmp_path / "by-product.db", embedder=None) as copy:
        assert copy.status()["memories"] == 51
    with Memory(tmp_path / "by-hand.db", embedder=None) as copy:
        assert copy.status()["memories"] < 51
        assert copy.doctor()["ok"]  # older, but sound


def test_B101_killed_in_a_backup(workers: Server, db: Path, tmp_path: Path) -> None:
    """kill -9 while a backup is written: under its name stands the old one, whole; the rest is cleared up later."""
    target = tmp_path / "copy.db"
    with Memory(db, embedder=None) as memory:
        for n in range(2_000):
            memory.observe(f"{body(n)} {'x' * 2_000}", ack="accepted")
        memory.flush()
        memory.backup(target)
        first = target.read_bytes()
        killed = 0
        for turn in range(12):
            pid = workers.start("back_up", path=str(db), target=str(target))
            killed += workers.kill(pid, 0.005 * turn) == -9
            with Memory(target, embedder=None) as copy:
                assert copy.status()["memories"] == 2_000
        assert killed
        assert first[:16] == target.read_bytes()[:16]
        for left in tmp_path.glob("*.partial*"):
            os.utime(left, (1, 1))
        memory.backup(target)
    assert not list(tmp_path.glob("*.partial*"))


def test_B101_two_backups_to_one_place(db: Path, tmp_path: Path) -> None:
    """Two backups to the same target at once do not mix."""
    with Memory(db, embedder=None) as memory:
        for n in range(500):
            memory.observe(f"{body(n)} {'x' * 2_000}", ack="accepted")
        memory.flush()
        threads = [threading.Thread(target=memory.backup, args=(tmp_path / "copy.db",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with Memory(tmp_path / "copy.db", embedder=None) as copy:
        assert copy.status()["memories"] == 500
        assert copy.doctor()["ok"]


def test_R18_a_backup_that_cannot_be_written(db: Path, tmp_path: Path) -> None:
    """An impossible target is an error, and leaves nothing behind."""
    with Memory(db, embedder=None) as memory:
        memory.observe("hello")
        with pytest.raises(InvalidInput, match="does not exist"):
            memory.backup(tmp_path / "missing" / "copy.db")
        assert memory.observe("again").acknowledged == "stored"


def test_stale_partials_of_others_are_left_alone(db: Path, tmp_path: Path) -> None:
    """Only old leftovers of the same target are removed."""
    target = tmp_path / "copy.db"
    fresh, other = tmp_path / "copy.db.0123.partial", tmp_path / "another.db.0123.partial"
    fresh.write_bytes(b"")
    other.write_bytes(b"")
    os.utime(other, (1, 1))
    connect._remove_stale(target)
    assert fresh.exists()
    assert other.exists()


@needs_root
def test_B105_an_unreadable_folder_removes_nothing(db: Path, tmp_path: Path) -> None:
    """A source that cannot be read is not a source that is gone: what was imported stays."""
    for parent in (tmp_path, *tmp_path.parents):
        if str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    folder, home = tmp_path / "chats", tmp_path / "own"
    folder.mkdir()
    home.mkdir()
    home.chmod(0o777)
    for n in range(3):
        (folder / f"{n}.md").write_text(f"# Note {n}\n\n{body(n)}\n", "utf-8")

    def steps() -> None:
        with Memory(home / "memory.db", embedder=None) as memory:
            stored = memory.import_(folder).stored
            assert stored
            before = memory.status()["memories"]
            assert before == stored
            file, hidden = home / "f.md", home / "sub"
            hidden.mkdir()
            (hidden / "a.md").write_text("# A\n\nsomething to keep\n", "utf-8")
            file.write_text("# B\n\nsomething else\n", "utf-8")
            memory.import_(home)
            kept = memory.status()["memories"]
            hidden.chmod(0)
            file.chmod(0)
            counts = memory.import_(home)
            assert counts.errors
            assert memory.status()["memories"] == kept
            file.touch()
            with pytest.raises(ImportFailed):
                memory.import_(file)
            hidden.chmod(0o755)
            file.chmod(0o644)
            again = memory.import_(home)
            assert not again.errors
            assert memory.status()["memories"] == kept

    "".encode("utf-8-sig")  # loaded now: the other user may not be able to read the standard library
    assert as_nobody(steps) == "nothing"
