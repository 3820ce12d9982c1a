"""Searching the bytes of a file for many strings at once: every place, every length, no lock lost."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import apsw
import pytest

from mnemic.store import erasing as traces
from mnemic.store.erasing import Traces, search


def plain(path: Path, strings: list[str]) -> list[str]:
    """The same, the slow way."""
    data = b"".join(f.read_bytes() for e in ("", "-wal", "-shm") if (f := Path(f"{path}{e}")).exists())
    return sorted(s for s in strings if s.encode() in data)


def test_every_place_and_every_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strings of 9 to 40 bytes at any offset, also across blocks; near misses are no finds."""
    monkeypatch.setattr(traces, "BLOCK", 64)
    rng = random.Random(3)
    for turn in range(60):
        data = bytearray(rng.choices(b"ab", k=1_000))
        there = []
        for _ in range(8):
            size, at = rng.randint(9, 40), rng.randint(0, 900)
            there.append(bytes(data[at : at + size]))
        absent = [bytes(rng.choices(b"ab", k=rng.randint(20, 40))) for _ in range(8)]
        absent += [raw[:-1] + b"c" for raw in there]
        path = tmp_path / f"{turn}"
        path.write_bytes(data)
        strings = sorted({raw.decode() for raw in there + absent})
        scanned, found = search(str(path), strings)
        assert (scanned, found) == (1_000, plain(path, strings)), turn


def test_log_and_index_are_read_and_no_lock_is_lost(tmp_path: Path) -> None:
    """On POSIX a closed handle would drop the locks of SQLite in this process."""
    path = tmp_path / "x.db"
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.execute("create table t (a); insert into t values ('zqwordinthelog')")

    def locks() -> int:
        if not sys.platform.startswith("linux"):
            return 0
        numbers = [os.stat(f"{path}{end}").st_ino for end in ("", "-shm")]
        lines = Path("/proc/locks").read_text().splitlines()
        return sum(any(f":{n} " in line for n in numbers) and f" {os.getpid()} " in line for line in lines)

    connection.execute("begin; select * from t").fetchall()
    before = locks()
    for _ in range(3):
        scanned, found = search(str(path), ["zqwordinthelog", "zqwordnowhere"])
        assert found == ["zqwordinthelog"]
        assert scanned >= sum(os.path.getsize(f"{path}{end}") for end in ("", "-wal"))
    assert locks() == before
    connection.execute("commit")
    connection.close()
    assert search(str(path), ["zqwordnowhere"])[1] == []


def test_what_is_searched() -> None:
    """The longest words and a run that begins with the longest; short texts whole, very short ones not at all."""
    found = Traces()
    found.add(["my zqlongestword and another zqlonger word", "12 + 34 = 46!", "ok", "", "день рождения"])
    assert {"zqlongestword", "another"} & set(found.words) == {"zqlongestword"}
    assert "рождения" in found.words
    assert any(run.startswith("zqlongestword and") for run in found.runs)
    assert "12 + 34 = 46!" in found.runs
    assert all(9 <= len(string.encode()) <= 40 for string in [*found.words, *found.runs] if string in found.runs)


def test_nothing_to_search(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"some bytes")
    assert search(str(path), []) == (10, [])
    path.write_bytes(b"")
    assert search(str(path), ["zqwordnowhere"]) == (0, [])
