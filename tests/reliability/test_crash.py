"""kill -9 at any moment: nothing acknowledged is lost, nothing is there twice, nothing erased is left (R1–R3, B103)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from crash import Acked, Server, verify

LIVES_PER_FILE = 10


@pytest.mark.timeout(3600)
def test_R1_R3_kill_at_random_moments(workers: Server, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Workers that capture, import, forget, erase and embed are killed after 1–500 ms; every third reopening too."""
    cycles = int(request.config.getoption("--crash-cycles"))
    rng = random.Random(20260501)
    path, acked, total = tmp_path / "0.db", Acked(), 0
    for cycle in range(cycles):
        if cycle % LIVES_PER_FILE == 0:
            path, acked = tmp_path / f"{cycle}.db", Acked()
        acks = tmp_path / f"{cycle}.acks"
        after = rng.uniform(0.001, 0.5)
        pid = workers.start("live", path=str(path), acks=str(acks), first=(cycle + 1) * 1_000_000, folder=str(tmp_path))
        assert workers.kill(pid, after) == -9, acks.read_text("utf-8") if acks.exists() else "it ended by itself"
        if cycle % 3 == 0:
            workers.kill(workers.start("reopen", path=str(path)), rng.uniform(0, 0.03))
        acked.read(acks)
        try:
            total += verify(path, acked)
        except AssertionError as error:
            raise AssertionError(f"cycle {cycle}, killed after {after * 1000:.0f} ms, {path}: {error}") from error
    assert total > cycles


@pytest.mark.timeout(3600)
def test_R2_B103_kill_at_each_statement(workers: Server, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The same life, killed before its 1st, 2nd, 3rd … statement (in CI before a sample of them)."""
    acks = tmp_path / "whole.acks"
    assert workers.run("steps", path=str(tmp_path / "w.db"), acks=str(acks), at=0, first=10, folder=str(tmp_path)) == 0
    whole = Acked().read(acks)
    verify(tmp_path / "w.db", whole)
    statements = whole.done[-1][1]
    assert statements > 100
    every = max(1, statements // 40) if request.config.getoption("--crash-cycles") < 500 else 1
    path, acked = tmp_path / "s.db", Acked()
    for number, at in enumerate(range(1, statements, every)):
        acks = tmp_path / f"s{at}.acks"
        where = {"path": str(path), "acks": str(acks), "folder": str(tmp_path)}
        workers.run("steps", at=at, first=1_000 * (number + 1), **where)
        acked.read(acks)
        try:
            verify(path, acked)
        except AssertionError as error:
            raise AssertionError(f"killed before statement {at}: {error}") from error
        left = [p for p in tmp_path.glob("*.bak") if p.stat().st_size == 0]
        assert not left, "a half-made backup has the name of a whole one"
