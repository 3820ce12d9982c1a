"""No room and no permission: a plain error, nothing acknowledged is lost, and it goes on by itself (R8, R9, R12)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from mnemic import InvalidInput, Memory, StoreDamaged, StoreError, StoreFull, StoreReadOnly

TEXT = "a line of text that takes some room " * 200


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 20 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.getuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs to mount a tmpfs")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(memory: Memory) -> tuple[list[str], StoreFull]:
    """Capture until the memory says that it is full; returns the ids that were acknowledged, and the error."""
    kept: list[str] = []
    while len(kept) < 20_000:
        try:
            kept.append(memory.observe(f"{len(kept)} {TEXT}").id)
        except StoreFull as error:
            return kept, error
    raise AssertionError("it never was full")


def all_there(memory: Memory, kept: list[str]) -> None:
    """What was acknowledged is there, the file is sound, search answers."""
    rows = memory._store.rows_of("default", kept)
    assert len(rows) == len(kept)
    assert memory.recall("line of text", limit=3).hits
    assert memory.status()["memories"] == len(kept)


def test_B097_R8_disk_full(small_disk: Path) -> None:
    """Full: refused in plain words, search works; some room: writing goes on without a restart."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 6_000_000)
    with Memory(small_disk / "memory.db", embedder="hash:64") as memory:
        kept, error = fill(memory)
        assert "disk full" in str(error)
        assert len(kept) > 100
        all_there(memory, kept)
        for n in range(5):
            with pytest.raises(StoreFull):
                memory.observe(f"again {n} {TEXT * 200}")
        all_there(memory, kept)
        ballast.unlink()
        kept += [memory.observe(f"resumed {n} {TEXT}").id for n in range(20)]
        memory.flush()
        all_there(memory, kept)
        assert memory.doctor()["ok"]
    with Memory(small_disk / "memory.db", embedder=None) as memory:
        all_there(memory, kept)
        assert memory.doctor()["ok"]


def test_R8_a_full_disk_at_the_first_start(small_disk: Path) -> None:
    """No room for a new memory: said at once, and the next start with room works."""
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 65_536):
            pass
    with pytest.raises(StoreError) as caught:
        Memory(small_disk / "memory.db", embedder=None)
    assert "full" in str(caught.value)
    ballast.unlink()
    with Memory(small_disk / "memory.db", embedder=None) as memory:
        assert memory.observe("hello").acknowledged == "stored"


def test_B097_R9_page_limit(db: Path) -> None:
    """The same without a small disk: SQLite is told that the file may not grow."""
    with Memory(db, embedder="hash:64") as memory:
        kept = [memory.observe(f"first {n} {TEXT}").id for n in range(50)]
        memory.flush()

        def limit(pages: int) -> None:
            memory._store._writer._connection.pragma("max_page_count", pages)

        limit(memory._store._writer._connection.pragma("page_count") + 40)
        more, error = fill(memory)
        assert "disk full" in str(error)
        kept += more
        all_there(memory, kept)
        limit(1_000_000)
        kept.append(memory.observe("resumed").id)
        memory.flush()
        all_there(memory, kept)
        assert memory.doctor()["ok"]


class _Faults(apsw.VFS):
    """A file system whose n-th call that changes a file fails."""

    def __init__(self) -> None:
        self.left = -1
        self.failed = 0
        super().__init__("faults", "")

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.failed += 1
            raise apsw.IOError("injected")

    def xOpen(self, name: object, flags: list[int]) -> apsw.VFSFile:
        return _FaultyFile(self, name, flags)


class _FaultyFile(apsw.VFSFile):
    def __init__(self, vfs: _Faults, name: object, flags: list[int]) -> None:
        self.vfs = vfs
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.vfs.count()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self.vfs.count()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self.vfs.count()
        super().xTruncate(size)


def test_R9_every_write_of_the_file_system_fails_once(db: Path, monkeypatch: pytest.MonkeyPatch, scale: float) -> None:
    """Fail the 1st, 2nd, 3rd … write or sync until none fails: never acknowledged and lost, never damaged."""
    faults = _Faults()
    real = apsw.Connection
    monkeypatch.setattr(apsw, "Connection", lambda *a, **k: real(*a, **{**k, "vfs": "faults"}))
    texts: set[str] = set()
    at, clean = 0, False
    while not clean:
        at += 1 if scale > 1 else 1 + at // 6
        faults.left, faults.failed = at, 0
        try:
            with Memory(db, embedder="hash:64") as memory:
                for n in range(3):
                    text = f"fault {at} number {n}"
                    try:
                        memory.observe(text)
                        texts.add(text)
                    except StoreError:
                        pass
                try:
                    memory.flush()
                    memory.erase(item=memory.observe("to be erased").id)
                except StoreError:
                    pass
                assert memory.observe(f"after {at}").acknowledged == "stored" or faults.failed
        except StoreError:
            assert faults.failed  # while it was opened, or by the last capture
        clean = not faults.failed
        faults.left = -1
        with Memory(db, embedder="hash:64") as memory:
            assert {n.content for n in memory.timeline(limit=100_000)} >= texts
            assert memory.doctor()["ok"], at
    assert at > 20


# -- read-only ------------------------------------------------------------------------------------------------------


def as_nobody(fn: object) -> str:
    """Run a function as a user without rights; returns what it says."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            os.setgid(65534)
            os.setuid(65534)
            fn()  # type: ignore[operator]
            said = "nothing"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    with os.fdopen(reading) as file:
        return file.read()


needs_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")


@needs_root
@pytest.mark.parametrize("what", ["folder", "file", "missing"])
def test_R12_no_permission(tmp_path: Path, what: str) -> None:
    """A user who may not write the folder or the file is told so, and no file is touched."""
    for parent in (tmp_path, *tmp_path.parents):
        if str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    db = folder / "memory.db"
    with Memory(db, embedder=None) as memory:
        memory.observe("hello")
    db.chmod(0o644 if what == "file" else 0o666)
    folder.chmod(0o777 if what == "file" else 0o755)
    before = db.read_bytes()
    target = folder / "new.db" if what == "missing" else db
    said = as_nobody(lambda: Memory(target, embedder=None))
    assert said.startswith("StoreReadOnly"), said
    assert str(target) in said
    assert db.read_bytes() == before
    assert sorted(p.name for p in folder.iterdir()) == ["memory.db"]


def test_R12_read_only_disk(small_disk: Path) -> None:
    """A disk that is, or becomes, read-only: plain errors; what was acknowledged is there afterwards."""
    db = small_disk / "memory.db"
    with Memory(db, embedder=None) as memory:
        memory.observe("hello")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreReadOnly, match="read-only"):
        Memory(db, embedder=None)
    with pytest.raises(StoreReadOnly):
        Memory(small_disk / "new.db", embedder=None)
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    with Memory(db, embedder=None) as memory:
        assert memory.observe("again").acknowledged == "stored"
        assert memory.status()["memories"] == 2


@pytest.mark.parametrize("content", [b"just a long text " * 200, b"SQLite format 3\0" + b"\xff" * 4_000])
def test_R11_not_a_database(db: Path, content: bytes) -> None:
    """A file that is no database is refused and left as it is."""
    db.write_bytes(content)
    with pytest.raises(StoreDamaged):
        Memory(db, embedder=None)
    assert db.read_bytes() == content


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_R12_no_file_name(path: str) -> None:
    """What cannot be a path is refused by name."""
    with pytest.raises(InvalidInput, match="path"):
        Memory(path, embedder=None)


def test_R12_a_folder(tmp_path: Path) -> None:
    """A folder is not a memory."""
    with pytest.raises(InvalidInput, match="folder"):
        Memory(tmp_path, embedder=None)
