"""Upgrading a file: backed up, whole or not at all, by one process or two, interrupted or not (R39, B191, B192)."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from mnemic import Memory, StoreBusy, StoreDamaged, StoreFull, StoreTooNew
from mnemic.clock import SystemClock
from mnemic.store import connect
from mnemic.store.sqlite import SqliteStore

NOW = connect.LATEST  # the format of this program
Turn = Callable[[], None]


def content(path: Path) -> list[tuple[Any, ...]]:
    """Rows, sessions and tags of a file."""
    connection = apsw.Connection(str(path))
    rows = connection.execute(
        "select n.row, n.id, n.content, s.key, t.tag from nodes n join sessions s on s.no = n.session"
        " join tags t on t.row = n.row order by n.row"
    ).fetchall()
    connection.close()
    return rows


def version(path: Path) -> int:
    """Format number of a file."""
    connection = apsw.Connection(str(path))
    found = int(connection.pragma("user_version"))
    connection.close()
    return found


def backup_of(path: Path) -> Path:
    """Where the copy before the first further format is."""
    return Path(f"{path}.before-v{NOW + 1}.bak")


def test_B191_upgrade_keeps_all_and_backs_up_first(old: Path, newer: Turn) -> None:
    """All rows, sessions and tags are there after both steps; the copy is the file as it was, and opens."""
    before = content(old)
    newer()
    said: list[str] = []
    SqliteStore(old, clock=SystemClock(), progress=said.append).close()
    assert content(old) == before
    assert version(old) == NOW + 2
    assert content(backup_of(old)) == before
    assert version(backup_of(old)) == NOW
    assert backup_of(old).stat().st_mode & 0o077 == 0
    assert [line.split()[0] for line in said] == ["backup", "schema", "schema"]
    connection = apsw.Connection(str(old))
    assert connection.execute("select count(*) from nodes where mood = 'calm'").get == 30
    assert connection.execute("select count(*) from pragma_foreign_key_check").get == 0
    connection.close()


def test_B191_a_new_file_needs_no_backup(db: Path) -> None:
    """Nothing is copied where there is nothing to lose."""
    Memory(db, embedder=None).close()
    assert [p.name for p in db.parent.iterdir()] == [db.name]


def test_B191_an_older_program_refuses_a_newer_file(old: Path) -> None:
    """Refused with both numbers and the remedy; not a byte is changed."""
    connection = apsw.Connection(str(old))
    connection.pragma("user_version", connect.LATEST + 1)
    connection.close()
    before = old.read_bytes()
    with pytest.raises(StoreTooNew, match="upgrade mnemic") as caught:
        Memory(old, embedder=None)
    assert f"format {connect.LATEST + 1}" in str(caught.value)
    assert old.read_bytes() == before


@pytest.mark.parametrize("application", [0, 0x4D504258])
def test_B191_a_file_of_another_program_is_refused(db: Path, application: int) -> None:
    """Another program's SQLite database is left exactly as it is."""
    connection = apsw.Connection(str(db))
    connection.pragma("application_id", application)
    connection.execute("create table nodes (x); insert into nodes values (1)")
    connection.close()
    before = db.read_bytes()
    with pytest.raises(StoreDamaged, match="another program"):
        Memory(db, embedder=None)
    assert db.read_bytes() == before
    assert [p.name for p in db.parent.iterdir()] == [db.name]


def test_B191_kill_at_every_statement_of_an_upgrade(workers: Any, old: Path, tmp_path: Path, newer: Turn) -> None:
    """Whenever it dies, the file is in one of the three formats, whole; the next start finishes."""
    before = content(old)
    shutil.copy(old, tmp_path / "whole.db")
    assert workers.run("upgrade", path=str(tmp_path / "whole.db"), say=str(tmp_path / "count")) == 0
    statements = int((tmp_path / "count").read_text("utf-8"))
    assert statements > 20
    newer()
    seen = set()
    for at in range(1, statements + 1):
        path = tmp_path / f"{at}.db"
        shutil.copy(old, path)
        if workers.run("upgrade", path=str(path), at=at) == 0:
            break
        found = version(path)
        seen.add(found)
        assert content(path) == before, at
        if found > NOW:
            assert content(backup_of(path)) == before, at
        SqliteStore(path, clock=SystemClock()).close()
        assert version(path) == NOW + 2
        assert content(path) == before, at
        assert version(backup_of(path)) == NOW
        for left in tmp_path.glob(f"{at}.db*"):
            left.unlink()
    assert seen == {NOW, NOW + 1, NOW + 2}


def test_B191_two_processes_upgrade_at_once(workers: Any, old: Path, tmp_path: Path) -> None:
    """Four of them at the same moment: every one opens it, each step runs once, the backup is the old file."""
    before = content(old)
    for turn in range(5):
        path = tmp_path / f"{turn}.db"
        shutil.copy(old, path)
        start = time.time() + 0.05
        pids = [workers.start("upgrade", path=str(path), start=start) for _ in range(4)]
        assert [workers.wait(pid) for pid in pids] == [0] * 4
        assert content(path) == before
        assert version(path) == NOW + 2
        assert content(backup_of(path)) == before
        assert version(backup_of(path)) == NOW
        assert not list(tmp_path.glob("*.partial*"))


def test_B192_too_little_space_is_said_before_starting(old: Path, newer: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not enough room for the backup: refused with the number of megabytes, and nothing was changed."""
    before = content(old)
    newer()
    usage = shutil.disk_usage(old.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1_000_000))
    with pytest.raises(StoreFull, match="MB free for its backup; nothing was changed"):
        Memory(old, embedder=None)
    assert version(old) == NOW
    assert content(old) == before
    assert not backup_of(old).exists()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    Memory(old, embedder=None).close()
    assert version(old) == NOW + 2


def test_B192_interrupted_by_the_user_and_resumed(old: Path, newer: Turn) -> None:
    """Ctrl-C while the backup is made, or between two steps: nothing half-made stays, the next start goes on."""
    before = content(old)
    newer()
    for stop_at in ("backup", f"schema {NOW + 1:04}_rebuild.sql"):

        def progress(line: str, stop_at: str = stop_at) -> None:
            if line.startswith(stop_at):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            SqliteStore(old, clock=SystemClock(), progress=progress)
        assert content(old) == before
        assert not list(old.parent.glob("*.partial*"))
    assert version(old) == NOW + 1
    Memory(old, embedder=None).close()
    assert version(old) == NOW + 2
    assert content(old) == before


def test_a_step_that_fails_changes_nothing(old: Path, newer: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, or rows left pointing nowhere: rolled back whole, and the old program can go on with the file."""
    before = content(old)
    first = connect.migrations()
    for script in ("create table good (x); insert into no_such_table values (1)", "delete from sessions where no = 1"):
        with monkeypatch.context() as patch:
            patch.setattr(connect, "migrations", lambda script=script: [*first, (NOW + 1, "bad.sql", script)])
            patch.setattr(connect, "LATEST", NOW + 1)
            with pytest.raises(Exception, match=r"bad\.sql|SQLError"):
                Memory(old, embedder=None)
        assert version(old) == NOW
        assert content(old) == before
    with Memory(old, embedder=None) as memory:
        assert memory.observe("still works").acknowledged == "stored"


def test_an_old_backup_is_not_taken_for_a_new_one(old: Path, newer: Turn) -> None:
    """A copy that is there from another day is replaced: the backup is of the file as it is now."""
    backup_of(old).write_bytes(b"from another day")
    before = content(old)
    newer()
    Memory(old, embedder=None).close()
    assert content(backup_of(old)) == before


def test_an_upgrade_waits_for_a_writer(old: Path, newer: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process writes, the upgrade waits, and says so plainly when that takes too long."""
    monkeypatch.setattr(connect, "PATIENCE", 0.0)
    monkeypatch.setattr("mnemic.store.connect.BUSY_MS", 50)
    other = apsw.Connection(str(old))
    other.execute("begin immediate")
    newer()
    with pytest.raises(StoreBusy, match="try again"):
        Memory(old, embedder=None)
    other.execute("rollback")
    other.close()
    Memory(old, embedder=None).close()
    assert version(old) == NOW + 2
