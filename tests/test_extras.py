"""The core works where a room of the extras has been taken away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mnemic

PACKAGE = Path(mnemic.__file__).parent
STORY = """
import sys
from mnemic import AsyncMemory, Filter, InvalidInput, Memory
gone = sys.argv[1:]
with Memory("m.db", embedder=None) as memory:
    memory.observe_many(["I live in Oslo.", "Я живу в Риге."], space="s")
    memory.consolidate(space="s")
    assert memory.recall("Oslo", space="s").hits and memory.context("Oslo", space="s")
    report = memory.sleep(space="s")
    assert {p.state for p in report.phases} == {"done"}, report
    names = {p.name for p in report.phases}
    for room in ("cards", "archive"):
        if room in gone:
            assert room not in names
            try:
                getattr(memory, room)
            except InvalidInput as error:
                assert f"mnemic/extras/{room}" in str(error)
            else:
                raise AssertionError(room)
        else:
            assert not getattr(memory, room).list()
    assert memory.status(space="s")["memories"] >= 2 and memory.doctor()["ok"]
import typer.main
from mnemic.interfaces.cli.app import app
known = set(typer.main.get_command(app).commands)
assert not known & set(gone) and {"recall", "sleep"} <= known
"""


@pytest.mark.parametrize("gone", [["cards"], ["archive"], ["cards", "archive"], ["cards", "archive", "."]])
def test_the_core_works_without(gone: list[str], tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "src" / "mnemic", ignore=shutil.ignore_patterns("__pycache__"))
    for room in gone:
        shutil.rmtree(tmp_path / "src" / "mnemic" / "extras" / room)
    environ = {k: v for k, v in os.environ.items() if not k.startswith("MNEMIC_")}
    done = subprocess.run(
        [sys.executable, "-c", STORY, *gone],
        env={**environ, "PYTHONPATH": str(tmp_path / "src")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
